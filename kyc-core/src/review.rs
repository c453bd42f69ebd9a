//! Where the review of a submission stands (D28–D37).

mod aml;
mod history;
mod slot;

use std::fmt;

use time::Date;

use crate::{EnglishComment, FreeText, ReasonCode, Timestamp, day};

pub use aml::{Aml, Screened, Seen, Stall};
pub use history::{Actor, Event, HistoryEntry};
pub use slot::{Slot, Slots};

/// Where the review of a submission stands.
///
/// The variants carry what may exist only in that state, so the rules of the interface hold by
/// construction: a comment exists only on a rejection, an AML result only on an approval, and
/// missing documents only where the submission is incomplete. Exhaustive: every state must be
/// handled.
///
/// ```
/// use kyc_core::Review;
/// use kyc_core::conformance::fixture::{rejected, sample};
///
/// /// What the applicant is told.
/// fn told(review: &Review) -> &str {
///     match review {
///         Review::Pending => "We are still looking at your documents.",
///         Review::Incomplete(_) => "Please send some documents again.",
///         Review::Approved(_) => "Welcome.",
///         Review::Rejected(rejection) => rejection.comment.as_str(),
///     }
/// }
///
/// assert_eq!(told(rejected(sample()).review()), "The photo is blurred.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    /// No inspector has decided yet.
    Pending,
    /// Documents were asked for again (D30).
    Incomplete(Retake),
    /// An inspector accepted the documents, or the client declared that it did.
    Approved(Approval),
    /// An inspector turned the submission down.
    Rejected(Rejection),
}

impl Review {
    /// The bare state.
    pub fn status(&self) -> Status {
        match self {
            Self::Pending => Status::Pending,
            Self::Incomplete(_) => Status::Incomplete,
            Self::Approved(_) => Status::Approved,
            Self::Rejected(_) => Status::Rejected,
        }
    }

    /// The AML state of an approved submission.
    pub fn aml(&self) -> Option<&Aml> {
        match self {
            Self::Approved(approval) => Some(&approval.aml),
            Self::Pending | Self::Incomplete(_) | Self::Rejected(_) => None,
        }
    }

    /// The slots whose document is missing.
    pub fn missing(&self) -> Slots {
        match self {
            Self::Incomplete(retake) => retake.missing,
            Self::Pending | Self::Approved(_) | Self::Rejected(_) => Slots::NONE,
        }
    }
}

/// A review's bare state.
///
/// # Order
///
/// From worst to best: of several submissions, the best one speaks for the applicant (rule 5 of
/// the interface, D31).
///
/// ```
/// use kyc_core::Status;
///
/// assert!(Status::Approved > Status::Pending);
/// assert!(Status::Pending > Status::Rejected);
/// assert!(Status::Rejected > Status::Incomplete);
/// assert_eq!("approved".parse(), Ok(Status::Approved));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Documents are missing.
    Incomplete,
    /// Turned down.
    Rejected,
    /// Waiting for an inspector.
    Pending,
    /// Accepted.
    Approved,
}

impl Status {
    /// Every status, worst first.
    pub const ALL: [Self; 4] = [Self::Incomplete, Self::Rejected, Self::Pending, Self::Approved];

    /// The word for the status, lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Rejected => "rejected",
            Self::Pending => "pending",
            Self::Approved => "approved",
        }
    }
}

impl std::str::FromStr for Status {
    type Err = crate::UnknownWord;

    fn from_str(text: &str) -> Result<Self, crate::UnknownWord> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str().eq_ignore_ascii_case(text))
            .ok_or(crate::UnknownWord { expected: "pending, approved, rejected, incomplete" })
    }
}

/// An acceptance.
///
/// ```
/// use kyc_core::conformance::fixture::{approved, sample};
/// use kyc_core::{Aml, Review};
/// use time::macros::date;
///
/// let submission = approved(sample());
/// let Review::Approved(approval) = submission.review() else { unreachable!("it was approved") };
/// assert_eq!(approval.basis.id_expires(), Some(date!(2031 - 02 - 28)));
/// assert_eq!(approval.aml, Aml::Queued);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// When the review was finalized.
    pub at: Timestamp,
    /// What it rests on.
    pub basis: Basis,
    /// How far AML screening is.
    pub aml: Aml,
}

/// What an approval rests on. `Debug` is masked.
///
/// ```
/// use kyc_core::Basis;
/// use time::macros::date;
///
/// let basis = Basis::Inspected {
///     id_expires: date!(2031 - 02 - 28),
///     address_issued: Some(date!(2026 - 11 - 30)),
/// };
/// assert_eq!(basis.address_expires(), Some(date!(2027 - 02 - 28)));
/// assert_eq!(Basis::Declared.address_expires(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// An inspector saw the documents.
    Inspected {
        /// Expiry date printed on the photo id.
        id_expires: Date,
        /// Issue date of the proof of address, where there is one.
        address_issued: Option<Date>,
    },
    /// The client declared it, in an AML-only submission (D37).
    Declared,
}

impl Basis {
    /// Expiry date of the photo id.
    pub fn id_expires(self) -> Option<Date> {
        match self {
            Self::Inspected { id_expires, .. } => Some(id_expires),
            Self::Declared => None,
        }
    }

    /// Expiry date of the proof of address (D33).
    pub fn address_expires(self) -> Option<Date> {
        match self {
            Self::Inspected { address_issued, .. } => address_issued.map(day::address_expiry),
            Self::Declared => None,
        }
    }
}

impl fmt::Debug for Basis {
    // What is printed on an applicant's documents is personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inspected { .. } => "Inspected(***)",
            Self::Declared => "Declared",
        })
    }
}

/// A refusal.
///
/// ```
/// use kyc_core::Review;
/// use kyc_core::conformance::fixture::{rejected, sample};
///
/// let submission = rejected(sample());
/// let Review::Rejected(rejection) = submission.review() else { unreachable!("it was rejected") };
/// assert_eq!(rejection.comment.as_str(), "The photo is blurred.");
/// assert_eq!(rejection.reason_codes[0].as_str(), "photo_blurred");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// When the review was finalized.
    pub at: Timestamp,
    /// What the inspector wrote, in English.
    pub comment: EnglishComment,
    /// Machine-readable reasons, at most [`ReasonCode::COUNT_MAX`].
    pub reason_codes: Vec<ReasonCode>,
}

/// A request to hand in documents again.
///
/// ```
/// use kyc_core::conformance::fixture::{incomplete, sample};
/// use kyc_core::{Review, Slot};
///
/// let submission = incomplete(sample(), &[Slot::Selfie]);
/// let Review::Incomplete(retake) = submission.review() else { unreachable!("a retake") };
/// assert!(retake.missing.contains(Slot::Selfie));
/// assert!(submission.document(Slot::Selfie).is_none(), "missing until it is handed in again");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retake {
    /// When it was made.
    pub at: Timestamp,
    /// The slots that are still missing. Never empty.
    pub missing: Slots,
    /// What the inspector wrote.
    pub comment: Option<FreeText>,
}
