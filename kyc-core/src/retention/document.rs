use crate::{ClientId, DocumentId, ReasonCode, Submission, SubmissionId, Timestamp};

/// An order to erase one document (D120).
///
/// ```
/// use kyc_core::conformance::fixture::{sample, time};
/// use kyc_core::{Actor, DocumentErasure};
///
/// let document = sample().documents()[0];
/// let changed = vec![sample().erase_document(Actor::Operator, time(60), document)?];
/// let reason = "not_the_applicant".parse()?;
/// let erasure = DocumentErasure { document, changed, reason, at: time(60) };
/// assert_eq!(erasure.changed[0].version(), sample().version() + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentErasure {
    /// Which.
    pub document: DocumentId,
    /// Every submission that refers to it, as it is [without it](Submission::erase_document).
    pub changed: Vec<Submission>,
    /// Why. A code, so that nobody writes about the applicant what is erased with the document.
    pub reason: ReasonCode,
    /// When.
    pub at: Timestamp,
}

/// What is left of a document that was erased on request: that it was there, and that it is gone.
///
/// ```
/// use kyc_core::conformance::fixture::{client, document_id, time};
/// use kyc_core::{DocumentCertificate, DocumentErasure};
///
/// let reason = "not_the_applicant".parse()?;
/// let erasure =
///     DocumentErasure { document: document_id(1), changed: Vec::new(), reason, at: time(60) };
/// let certificate = DocumentCertificate::of(client(1), &erasure, time(0));
/// assert!(certificate.submissions.is_empty(), "nothing referred to it");
/// # Ok::<(), kyc_core::InvalidReasonCode>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentCertificate {
    /// Whose it was.
    pub client: ClientId,
    /// Its id.
    pub document: DocumentId,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// Why it was erased.
    pub reason: ReasonCode,
    /// When.
    pub erased_at: Timestamp,
    /// The submissions that referred to it.
    pub submissions: Vec<SubmissionId>,
}

impl DocumentCertificate {
    /// What a store keeps of an erasure of a document that was uploaded at `created_at`.
    pub fn of(client: ClientId, erasure: &DocumentErasure, created_at: Timestamp) -> Self {
        Self {
            client,
            document: erasure.document,
            created_at,
            reason: erasure.reason.clone(),
            erased_at: erasure.at,
            submissions: erasure.changed.iter().map(Submission::id).collect(),
        }
    }
}
