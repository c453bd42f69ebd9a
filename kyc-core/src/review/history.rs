use crate::{
    AccountName, Basis, DocumentHandle, DocumentId, EnglishComment, FreeText, HitChanges, HitKey,
    HitVerdict, ReasonCode, RetentionDecision, RiskLevel, Slot, Slots, Timestamp,
};

/// Something that happened to a submission after it was handed in.
///
/// ```
/// use kyc_core::conformance::fixture::{rejected, reopened, sample};
/// use kyc_core::Event;
///
/// let submission = reopened(rejected(sample()));
/// let [rejection, reopening] = submission.history() else { unreachable!("two changes") };
/// assert!(matches!(rejection.event, Event::Rejected { .. }));
/// assert!(matches!(reopening.event, Event::Reopened { .. }));
/// assert!(rejection.at < reopening.at);
/// ```
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
///
/// ```
/// use kyc_core::Actor;
/// use kyc_core::conformance::fixture::{approved, sample};
///
/// let submission = approved(sample());
/// let Some(entry) = submission.history().last() else { unreachable!("it was approved") };
/// assert_eq!(entry.by, Actor::Inspector("ines".parse()?));
/// # Ok::<(), kyc_core::InvalidAccountName>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The client that owns it.
    Client,
    /// An inspector, by name.
    Inspector(AccountName),
    /// The service itself.
    Service,
    /// Whoever runs the service, by its command line.
    Operator,
}

/// A change of a submission. Decisions keep what they said, also when they are reopened later.
///
/// ```
/// use kyc_core::conformance::fixture::{approved, sample, screened};
/// use kyc_core::{Event, RiskLevel};
///
/// let submission = screened(approved(sample()), RiskLevel::Low);
/// let last = submission.history().last().map(|entry| &entry.event);
/// assert_eq!(last, Some(&Event::Screened(RiskLevel::Low)));
/// ```
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
    /// AML screening gave a result. The applicant's risk, decisions on hits included; so are the
    /// risks of the events below.
    Screened(RiskLevel),
    /// A later screening gave a result that differs in what matters (D82).
    Rescreened {
        /// How the hits differ.
        changes: HitChanges,
        /// The risk from then on.
        risk: RiskLevel,
    },
    /// An inspector decided on a hit, or took the decision back (D80).
    HitDecided {
        /// Which.
        hit: HitKey,
        /// What; `None` where it was taken back.
        verdict: Option<HitVerdict>,
        /// Why.
        note: FreeText,
        /// The risk from then on.
        risk: RiskLevel,
    },
    /// An inspector looked at a changed result.
    Acknowledged,
    /// A document was erased (D120).
    DocumentErased {
        /// Which.
        document: DocumentId,
        /// Where it stood; `None` for an extra image, and for one that another one took the place of.
        slot: Option<Slot>,
    },
    /// Somebody said how long the submission is kept (D105).
    Retention(RetentionDecision),
}
