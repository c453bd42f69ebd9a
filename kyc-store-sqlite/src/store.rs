//! The store.

use std::path::Path;
use std::sync::Arc;

use kyc_core::{AccountName, Client, ClientId, Inspector, StoreError, Timestamp};

use crate::{AdminError, Credential, CredentialId, KeyRecord, OpenError, Options};

/// The embedded store. Cloning is cheap; all clones are one store.
#[derive(Debug, Clone)]
pub struct SqliteStore {}

impl SqliteStore {
    /// Opens a data folder for the one process that serves it; makes it at the first run.
    ///
    /// # Errors
    ///
    /// [`OpenError`] says what to do; [`OpenError::InUse`] while another process has it open so.
    pub fn open(_folder: &Path, _options: Options) -> Result<Self, OpenError> {
        unimplemented!()
    }

    /// Opens a data folder for administration, also beside a running server; makes it at the first
    /// run. Does no background work.
    ///
    /// # Errors
    ///
    /// [`OpenError`] says what to do; never [`OpenError::InUse`].
    pub fn open_beside(_folder: &Path, _options: Options) -> Result<Self, OpenError> {
        unimplemented!()
    }

    /// Adds a client.
    ///
    /// # Errors
    ///
    /// [`AdminError::NameTaken`].
    pub fn add_client(
        &self,
        _name: &AccountName,
        _at: Timestamp,
    ) -> Result<Arc<Client>, AdminError> {
        unimplemented!()
    }

    /// The client of that name.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn client_named(&self, _name: &AccountName) -> Result<Option<Arc<Client>>, StoreError> {
        unimplemented!()
    }

    /// Makes an API key. Its text is known only now.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSuchClient`].
    pub fn create_key(&self, _client: ClientId, _at: Timestamp) -> Result<Credential, AdminError> {
        unimplemented!()
    }

    /// Every API key, revoked ones too, ordered by client and creation.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        unimplemented!()
    }

    /// Revokes an API key, within a second also in a running server. A key that is revoked already
    /// keeps its time.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSuchKey`].
    pub fn revoke_key(&self, _id: CredentialId, _at: Timestamp) -> Result<(), AdminError> {
        unimplemented!()
    }

    /// Adds an inspector, who sees the given clients or all (D53). The token's text is known only
    /// now.
    ///
    /// # Errors
    ///
    /// [`AdminError::NameTaken`], [`AdminError::NoSuchClient`].
    pub fn add_inspector(
        &self,
        _name: &AccountName,
        _clients: Option<&[ClientId]>,
        _at: Timestamp,
    ) -> Result<Credential, AdminError> {
        unimplemented!()
    }

    /// Every inspector, ordered by name.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn inspectors(&self) -> Result<Vec<Arc<Inspector>>, StoreError> {
        unimplemented!()
    }

    /// Removes an inspector, whose token stops working within a second also in a running server.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSuchInspector`].
    pub fn remove_inspector(&self, _name: &AccountName) -> Result<(), AdminError> {
        unimplemented!()
    }
}
