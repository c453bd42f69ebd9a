//! The use cases, one method each: load, decide, save.

mod error;
mod inspection;
mod intake;
mod keeper;
mod prepared;
mod reads;
mod retention;
mod review;
mod screening;

use std::sync::Arc;

use crate::{
    AuditLog, ClientId, Clock, Directory, DocumentStore, IdSource, Retention, RetentionPolicy,
    SubmissionStore, Timestamp,
};

pub use error::{DocumentRefused, Error};
pub use inspection::{CaseFile, QueuePage};
pub use keeper::{EraseDocumentError, EraseError, Keeper, Overdue, Run};
pub use prepared::Prepared;
pub use review::Decision;
pub use screening::{Pass, Rescreened};

/// The service: every use case of the interface, over the ports.
///
/// Cheap to clone. Methods block as the stores do.
///
/// ```
/// use std::sync::Arc;
///
/// use kyc_core::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
/// use kyc_core::service::{Options, Service};
/// use kyc_core::{OsIds, SystemClock};
///
/// let service = Service::new(
///     Arc::new(MemorySubmissions::default()),
///     Arc::new(MemoryDocuments::default()),
///     Arc::new(MemoryDirectory::default()),
///     Arc::new(MemoryAudit::default()),
///     Arc::new(SystemClock),
///     Arc::new(OsIds),
///     Options::default(),
/// );
/// assert!(service.client_of_key("unknown")?.is_none());
/// # Ok::<(), kyc_core::service::Error>(())
/// ```
#[derive(Clone)]
pub struct Service {
    submissions: Arc<dyn SubmissionStore>,
    documents: Arc<dyn DocumentStore>,
    directory: Arc<dyn Directory>,
    audit: Arc<dyn AuditLog>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    options: Options,
    retention: Option<Arc<dyn Retention>>,
}

/// What operators may set.
///
/// ```
/// use kyc_core::service::Options;
///
/// assert_eq!(Options::default().document_bytes_max, 3_145_728);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The most bytes of one decoded document (D23).
    pub document_bytes_max: u32,
    /// How long records are kept, where it is shown. What is erased is up to the [`Keeper`].
    pub retention: RetentionPolicy,
}

impl Default for Options {
    fn default() -> Self {
        Self { document_bytes_max: 3 * 1024 * 1024, retention: RetentionPolicy::default() }
    }
}

impl Service {
    /// Wires the service. Ports are positional: each has its own type.
    pub fn new(
        submissions: Arc<dyn SubmissionStore>,
        documents: Arc<dyn DocumentStore>,
        directory: Arc<dyn Directory>,
        audit: Arc<dyn AuditLog>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        options: Options,
    ) -> Self {
        Self { submissions, documents, directory, audit, clock, ids, options, retention: None }
    }

    /// Also shows what is left of erased submissions.
    #[must_use]
    pub fn with_retention(self, retention: Arc<dyn Retention>) -> Self {
        Self { retention: Some(retention), ..self }
    }

    /// The settings it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A fresh reference, under which an answer and a report can speak of the same failure.
    ///
    /// ```
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// let service = service();
    /// assert_ne!(service.reference(), service.reference());
    /// ```
    pub fn reference(&self) -> crate::IdText {
        self.ids.document_id(self.clock.now()).text()
    }

    /// The time, from the service's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The time of a client: the service's, unless it is a sandbox, whose clock may be ahead (D108).
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn now_of(&self, client: ClientId) -> Result<Timestamp, Error> {
        let ahead = self.directory.sandbox_ahead(client)?.unwrap_or_default();
        Ok(self.clock.now().plus(ahead))
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("options", &self.options).finish_non_exhaustive()
    }
}
