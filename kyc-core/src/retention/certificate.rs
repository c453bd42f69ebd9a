use time::Date;

use crate::{ClientId, DocumentId, ReasonCode, Submission, SubmissionId, Timestamp};

/// An order to erase a submission, as it was when its period was looked at.
///
/// ```
/// use kyc_core::conformance::fixture::{rejected, sample, time};
/// use kyc_core::{Erasure, ErasureCause};
///
/// let erasure = Erasure::of(&rejected(sample()), ErasureCause::Period, time(9_000));
/// assert_eq!((erasure.version, erasure.documents.len()), (2, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// Which.
    pub submission: SubmissionId,
    /// The version that was looked at: nothing is erased if it has changed since.
    pub version: u32,
    /// When it was handed in.
    pub created_at: Timestamp,
    /// The last day of the relationship, where one was told.
    pub ended: Option<Date>,
    /// Why it is erased.
    pub cause: ErasureCause,
    /// When.
    pub at: Timestamp,
    /// Every document that it refers to.
    pub documents: Vec<DocumentId>,
}

impl Erasure {
    /// The erasure of a submission.
    pub fn of(submission: &Submission, cause: ErasureCause, at: Timestamp) -> Self {
        Self {
            submission: submission.id(),
            version: submission.version(),
            created_at: submission.created_at(),
            ended: submission.ended(),
            cause,
            at,
            documents: submission.documents(),
        }
    }
}

/// Why a submission is erased.
///
/// ```
/// use kyc_core::ErasureCause;
///
/// let asked = ErasureCause::Request("gdpr_17_request_31".parse()?);
/// assert_eq!(asked.reason().map(|code| code.as_str()), Some("gdpr_17_request_31"));
/// assert_eq!(ErasureCause::Period.reason(), None);
/// # Ok::<(), kyc_core::InvalidReasonCode>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErasureCause {
    /// Its period was over.
    Period,
    /// Somebody asked for it, and its period was over. A code, so that nobody writes about the
    /// applicant what is erased with the record.
    Request(ReasonCode),
}

impl ErasureCause {
    /// The code of a request.
    pub fn reason(&self) -> Option<&ReasonCode> {
        match self {
            Self::Period => None,
            Self::Request(reason) => Some(reason),
        }
    }
}

/// What is left of an erased submission: that it was there, and that it is gone. Nothing in it
/// tells who the applicant was.
///
/// ```
/// use kyc_core::conformance::fixture::{client, rejected, sample, time};
/// use kyc_core::{Certificate, Erasure, ErasureCause};
///
/// let erasure = Erasure::of(&rejected(sample()), ErasureCause::Period, time(9_000));
/// let certificate = Certificate::of(client(1), erasure, Vec::new());
/// assert_eq!((certificate.documents.len(), certificate.documents_kept), (0, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Whose it was.
    pub client: ClientId,
    /// Its id.
    pub submission: SubmissionId,
    /// When it was handed in.
    pub created_at: Timestamp,
    /// The last day of the relationship, where one was told.
    pub ended: Option<Date>,
    /// Why it was erased.
    pub cause: ErasureCause,
    /// When.
    pub erased_at: Timestamp,
    /// The documents that were erased with it.
    pub documents: Vec<DocumentId>,
    /// How many of its documents are kept, since other submissions refer to them.
    pub documents_kept: u32,
}

impl Certificate {
    /// What a store keeps of an erasure in which these documents were erased.
    pub fn of(client: ClientId, erasure: Erasure, documents: Vec<DocumentId>) -> Self {
        let kept = erasure.documents.len().saturating_sub(documents.len());
        Self {
            client,
            submission: erasure.submission,
            created_at: erasure.created_at,
            ended: erasure.ended,
            cause: erasure.cause,
            erased_at: erasure.at,
            documents,
            documents_kept: u32::try_from(kept).unwrap_or(u32::MAX),
        }
    }
}
