use std::sync::Arc;
use std::time::Duration;

use crate::{ApiKeyId, Client, ClientId, Inspector, StoreError};

/// Knows who calls: clients by their API keys, inspectors by their tokens.
///
/// # Contract
///
/// * The presented text is compared exactly, in time that does not depend on how much of it is
///   right.
/// * Unknown, malformed and revoked credentials are `Ok(None)` alike.
/// * A credential that is created or revoked takes effect within one second.
///
/// ```
/// use kyc_core::Directory;
/// use kyc_core::conformance::fixture::{client_record, inspector};
/// use kyc_core::memory::MemoryDirectory;
///
/// let directory = MemoryDirectory::default()
///     .with_client("a key", client_record(1))
///     .with_inspector("a token", inspector());
/// assert!(directory.client_of_key("a key")?.is_some());
/// assert!(directory.client_of_key("a token")?.is_none(), "an inspector is no client");
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
pub trait Directory: Send + Sync {
    /// The client whose API key this is.
    ///
    /// # Errors
    ///
    /// Only when the storage fails; nobody is let in then.
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError>;

    /// The inspector whose token this is.
    ///
    /// # Errors
    ///
    /// Only when the storage fails; nobody is let in then.
    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError>;

    /// What the audit calls a key that [`client_of_key`](Self::client_of_key) knows: the part of it
    /// that is no secret. `None` unless keys have one.
    fn id_of_key(&self, _: &str) -> Option<ApiKeyId> {
        None
    }

    /// Every client, ordered by id.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError>;

    /// How far the clock of a sandbox is ahead (D108). `None` for clients who live by
    /// everybody's clock, as all do where a directory knows no sandboxes.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn sandbox_ahead(&self, _: ClientId) -> Result<Option<Duration>, StoreError> {
        Ok(None)
    }
}
