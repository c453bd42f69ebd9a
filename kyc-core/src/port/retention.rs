use time::Date;

use crate::{
    Certificate, ClientId, DocumentCertificate, DocumentErasure, DocumentId, Erasure, StoreError,
    SubmissionId, Timestamp,
};

/// Erases what is over, and keeps what proves it (D105–D107).
///
/// Over the same data as a [`SubmissionStore`](crate::SubmissionStore) and a
/// [`DocumentStore`](crate::DocumentStore).
///
/// # Contract
///
/// * [`erase`](Self::erase) is one change: the submission, its documents that no other one refers
///   to, and everything else that was kept of it are gone, and a certificate is there; or nothing
///   has changed. It is compare-and-set on the version.
/// * [`erase_document`](Self::erase_document) is one change, too: the document is gone, every
///   submission that referred to it goes on without it, and a certificate is there.
/// * What is erased is never found again, and a submission that refers to an erased document is not
///   stored ([`StoreError::Stale`]).
/// * Another client's submission is unknown.
/// * A certificate that somebody has changed is [`StoreError::Corrupt`].
///
/// Methods block.
///
/// ```
/// use std::sync::Arc;
///
/// use kyc_core::conformance::fixture::{client, rejected, sample, time};
/// use kyc_core::memory::{MemoryDocuments, MemoryRetention, MemorySubmissions};
/// use kyc_core::{Erasure, ErasureCause, Retention, SubmissionStore};
///
/// let submissions = Arc::new(MemorySubmissions::default());
/// let store = MemoryRetention::over(submissions.clone(), Arc::new(MemoryDocuments::default()));
/// submissions.insert(client(1), &sample())?;
///
/// let erasure = Erasure::of(&sample(), ErasureCause::Period, time(9_000));
/// assert!(store.erase(client(2), &erasure)?.is_none(), "another client's");
/// let certificate = store.erase(client(1), &erasure)?;
/// assert_eq!(store.certificate(client(1), sample().id())?, certificate);
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
pub trait Retention: Send + Sync {
    /// The client's submissions that may be over: those that are not approved and were handed in
    /// on `counted_to` or before, and those whose relationship ended on it or before. The oldest
    /// first. Whether they are over is for the [policy](crate::RetentionPolicy).
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn perhaps_over(
        &self,
        client: ClientId,
        counted_to: Date,
    ) -> Result<Vec<SubmissionId>, StoreError>;

    /// How many submissions a client has, and the newest time of a submission or document.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn extent(&self, client: ClientId) -> Result<(u64, Option<Timestamp>), StoreError>;

    /// Erases a submission. `None` if the client has none of that id.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] if it has changed; nothing is erased then.
    fn erase(&self, client: ClientId, erasure: &Erasure)
    -> Result<Option<Certificate>, StoreError>;

    /// What is left of an erased submission.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if it is not what the store wrote.
    fn certificate(
        &self,
        client: ClientId,
        submission: SubmissionId,
    ) -> Result<Option<Certificate>, StoreError>;

    /// The client's submissions that refer to a document, in the order in which they were stored.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn referring(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Vec<SubmissionId>, StoreError>;

    /// Erases one document, and replaces the submissions that refer to it. `None` if the client has
    /// none of that id.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] if one of the submissions has changed, or another one refers to it;
    /// nothing is erased then.
    fn erase_document(
        &self,
        client: ClientId,
        erasure: &DocumentErasure,
    ) -> Result<Option<DocumentCertificate>, StoreError>;

    /// What is left of a document that was erased on request.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if it is not what the store wrote.
    fn document_certificate(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Option<DocumentCertificate>, StoreError>;

    /// At most `limit` documents that were uploaded before a time and that no submission refers to,
    /// the oldest first.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn unused_documents(
        &self,
        client: ClientId,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<DocumentId>, StoreError>;

    /// Erases those of these documents that no submission refers to, and says how many.
    ///
    /// # Errors
    ///
    /// Only when the storage fails; nothing is erased then.
    fn erase_unused(
        &self,
        client: ClientId,
        documents: &[DocumentId],
        at: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Makes what was erased so far impossible to recover from the storage's own files, and says
    /// whether that is done: maybe not while somebody reads. Until then nothing shows what was
    /// erased, but somebody with the disk might find it. To be called until it is done, also after
    /// a restart; it does nothing then.
    ///
    /// # Errors
    ///
    /// When the storage fails.
    fn scrub(&self) -> Result<bool, StoreError>;

    /// How the runs have gone.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn runs(&self) -> Result<RetentionRuns, StoreError>;

    /// Takes the record of runs from one state to the next.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] unless the stored record is `before`; nothing is stored then.
    fn advance_runs(&self, before: &RetentionRuns, after: &RetentionRuns)
    -> Result<(), StoreError>;
}

/// How the runs of the deletion job have gone.
///
/// ```
/// use kyc_core::RetentionRuns;
///
/// assert!(RetentionRuns::default().last.is_none(), "there was none yet");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetentionRuns {
    /// When the last run was that believed its clock.
    pub last: Option<Timestamp>,
    /// How many submissions wait for a confirmation, if the last run erased nothing for a doubt.
    pub waiting: Option<u64>,
}
