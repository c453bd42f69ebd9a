//! Where the review of a submission stands (D28–D37).

use std::fmt;

use time::Date;

use crate::{
    AccountName, DocumentHandle, EnglishComment, FreeText, ReasonCode, RiskLevel, Screening,
    Timestamp, day,
};

/// Where the review of a submission stands.
///
/// The variants carry what may exist only in that state, so the rules of the interface hold by
/// construction: a comment exists only on a rejection, an AML result only on an approval, and
/// missing documents only where the submission is incomplete. Exhaustive: every state must be
/// handled.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// When the review was finalized.
    pub at: Timestamp,
    /// What it rests on.
    pub basis: Basis,
    /// How far AML screening is.
    pub aml: Aml,
}

/// What an approval rests on.
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

/// How far the AML screening of an approved submission is (D34, D35).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aml {
    /// Waiting for the screening worker.
    Queued,
    /// Tried without a result; tried again when the cause may have gone.
    Stalled(Stall),
    /// Done.
    Screened(Box<Screening>),
}

impl Aml {
    /// The verdict, where there is one.
    pub fn risk(&self) -> Option<RiskLevel> {
        match self {
            Self::Screened(screening) => Some(screening.risk),
            Self::Queued | Self::Stalled(_) => None,
        }
    }
}

/// Why a screening has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stall {
    /// A required list was never imported.
    ListMissing,
    /// A required list is older than allowed.
    ListTooOld,
    /// The name has no letters that could be compared.
    NoUsableName,
    /// The engine failed.
    Failed,
}

impl Stall {
    /// What an inspector is told.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ListMissing => "a required list is missing",
            Self::ListTooOld => "a required list is too old",
            Self::NoUsableName => "the name has no letters that can be compared",
            Self::Failed => "the screening engine failed",
        }
    }
}

/// A refusal.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retake {
    /// When it was made.
    pub at: Timestamp,
    /// The slots that are still missing. Never empty.
    pub missing: Slots,
    /// What the inspector wrote.
    pub comment: Option<FreeText>,
}

/// A place for a document in an identity review.
///
/// ```
/// use kyc_core::{Slot, Slots};
///
/// let slots: Slots = [Slot::Selfie, Slot::PhotoId].into_iter().collect();
/// assert_eq!(slots.iter().collect::<Vec<_>>(), [Slot::PhotoId, Slot::Selfie]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// The identity document.
    PhotoId,
    /// The selfie.
    Selfie,
    /// The proof of address.
    AddressProof,
}

impl Slot {
    /// Every slot, in the order of the interface.
    pub const ALL: [Self; 3] = [Self::PhotoId, Self::Selfie, Self::AddressProof];

    fn bit(self) -> u8 {
        match self {
            Self::PhotoId => 1,
            Self::Selfie => 2,
            Self::AddressProof => 4,
        }
    }
}

/// A set of [`Slot`]s.
///
/// ```
/// use kyc_core::{Slot, Slots};
///
/// assert!(Slots::NONE.is_empty());
/// assert!(!Slots::NONE.contains(Slot::Selfie));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots(u8);

impl Slots {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Whether the set has a slot.
    pub fn contains(self, slot: Slot) -> bool {
        self.0 & slot.bit() != 0
    }

    /// Whether there is no slot in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// This set without one slot.
    #[must_use]
    pub fn without(self, slot: Slot) -> Self {
        Self(self.0 & !slot.bit())
    }

    /// The slots, in the order of the interface.
    pub fn iter(self) -> impl Iterator<Item = Slot> {
        Slot::ALL.into_iter().filter(move |slot| self.contains(*slot))
    }
}

impl FromIterator<Slot> for Slots {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        Self(slots.into_iter().fold(0, |bits, slot| bits | slot.bit()))
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Something that happened to a submission after it was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// When.
    pub at: Timestamp,
    /// Who did it.
    pub by: Actor,
    /// What.
    pub event: Event,
}

/// Who changed a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The client that owns it.
    Client,
    /// An inspector, by name.
    Inspector(AccountName),
    /// The service itself.
    Service,
}

/// A change of a submission. Decisions keep what they said, also when they are reopened later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Accepted.
    Approved(Basis),
    /// Turned down.
    Rejected {
        /// What the inspector wrote.
        comment: EnglishComment,
        /// Machine-readable reasons.
        reason_codes: Vec<ReasonCode>,
    },
    /// Documents were asked for again.
    RetakeAsked {
        /// Which.
        documents: Slots,
        /// What the inspector wrote.
        comment: Option<FreeText>,
    },
    /// A document was handed in again.
    Supplied {
        /// Where.
        slot: Slot,
        /// The document that it replaced.
        replaced: DocumentHandle,
    },
    /// A final decision was taken back.
    Reopened {
        /// Why.
        reason: FreeText,
    },
    /// AML screening gave a result.
    Screened(RiskLevel),
}
