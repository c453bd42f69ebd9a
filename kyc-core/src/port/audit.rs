use crate::{AuditEntry, AuditHash, ClientId, StoreError};

/// Keeps the audit: a chain of rows for each client, and one for the service itself, which is that
/// of no client.
///
/// # Contract
///
/// * Rows are read back as they were appended, in the order of appending, and never change or go.
///   A store may add rows of its own that say how a chain [began](crate::AuditEvent::Begun).
/// * An append is all or nothing, and once acknowledged survives a crash of the process and of the
///   machine.
/// * Positions begin at 1 and grow by one within a chain.
/// * Hashes are keyed: equal for equal values of one chain, unlike for unlike values and chains.
/// * What keeps submissions or documents beside it appends the rows of each change itself, all or
///   nothing with the change:
///   [`AuditEntry::of_insertion`], [`AuditEntry::of_replacement`], [`AuditEntry::of_document`],
///   each with the key [beside](crate::Beside) the change.
///
/// Methods block.
///
/// ```
/// use kyc_core::conformance::fixture::{client, submission_id, time};
/// use kyc_core::memory::MemoryAudit;
/// use kyc_core::{AuditActor, AuditEntry, AuditEvent, AuditLog, StoreError};
///
/// let log = MemoryAudit::default();
/// let event = AuditEvent::CaseRead(submission_id(1));
/// let entry = AuditEntry { at: time(0), by: AuditActor::Operator, event, about: None };
/// log.append(&[(Some(client(1)), entry.clone())])?;
/// assert_eq!(log.audited(Some(client(1)), 0, 10)?[0].entry, entry);
/// assert!(log.audited(Some(client(2)), 0, 10)?.is_empty());
/// # Ok::<(), StoreError>(())
/// ```
pub trait AuditLog: Send + Sync {
    /// Appends rows to chains; `None` is the service's own.
    ///
    /// # Errors
    ///
    /// When the storage fails, or the end of a chain is not what was written; nothing was appended
    /// then.
    fn append(&self, entries: &[(Option<ClientId>, AuditEntry)]) -> Result<(), StoreError>;

    /// At most `limit` rows of a chain, those behind the position `after`; 0 is before the first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] where a row cannot be read.
    fn audited(
        &self,
        chain: Option<ClientId>,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Audited>, StoreError>;

    /// The keyed hash under which a chain speaks of a personal value. An e-mail address is given in
    /// its [canonical](crate::Email::canonical) form.
    fn audit_hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash;
}

/// A row in its place.
///
/// ```
/// use kyc_core::AuditLog;
/// use kyc_core::conformance::fixture::{client, sample};
/// use kyc_core::memory::{MemoryAudit, MemorySubmissions};
/// use kyc_core::{AuditEvent, SubmissionStore};
/// use std::sync::Arc;
///
/// let log = Arc::new(MemoryAudit::default());
/// let store = MemorySubmissions::default().with_audit(Arc::clone(&log));
/// store.insert(client(1), &sample())?;
/// let first = &log.audited(Some(client(1)), 0, 1)?[0];
/// assert_eq!((first.position, &first.entry.event), (1, &AuditEvent::Submitted(sample().id())));
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    /// Its place in the chain, from 1.
    pub position: u64,
    /// What it says.
    pub entry: AuditEntry,
}
