use time::Date;

use super::{News, Submission};
use crate::{
    Actor, Aml, Approval, Basis, DocumentHandle, EnglishComment, Event, FreeText, HistoryEntry,
    Inspector, ReasonCode, Rejection, Retake, Review, Scope, Slot, Slots, Status, SubmissionId,
    Timestamp,
};

impl Submission {
    /// An inspector accepts the documents (D29). Screening is queued in the same change.
    ///
    /// ```
    /// use kyc_core::Forbidden;
    /// use kyc_core::conformance::fixture::{form_l2, inspector, submission, time};
    /// use time::macros::date;
    ///
    /// let (expires, issued) = (date!(2031 - 02 - 28), date!(2026 - 11 - 02));
    /// let level_2 = submission(1, form_l2());
    /// let dateless = level_2.clone().approve(&inspector(), time(60), expires, None);
    /// assert_eq!(dateless, Err(Forbidden::AddressDateMissing));
    /// assert!(level_2.approve(&inspector(), time(60), expires, Some(issued)).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden`], unless pending and with exactly the dates that the evidence asks for.
    pub fn approve(
        mut self,
        by: &Inspector,
        at: Timestamp,
        id_expires: Date,
        address_issued: Option<Date>,
    ) -> Result<Self, Forbidden> {
        self.check_pending()?;
        self.check_address_date(address_issued)?;
        let basis = Basis::Inspected { id_expires, address_issued };
        self.review = Review::Approved(Approval { at, basis, aml: Aml::Queued });
        Ok(self.changed(at, inspector(by), Event::Approved(basis)))
    }

    /// An inspector turns the submission down (D29, D32).
    ///
    /// ```
    /// use kyc_core::Status;
    /// use kyc_core::conformance::fixture::{inspector, sample, time};
    ///
    /// let codes = vec!["photo_blurred".parse()?];
    /// let rejected = sample().reject(&inspector(), time(60), "Too blurred.".parse()?, codes)?;
    /// assert_eq!(rejected.status(), Status::Rejected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotPending`], also when it is final already.
    pub fn reject(
        mut self,
        by: &Inspector,
        at: Timestamp,
        comment: EnglishComment,
        reason_codes: Vec<ReasonCode>,
    ) -> Result<Self, Forbidden> {
        self.check_pending()?;
        self.review = Review::Rejected(Rejection {
            at,
            comment: comment.clone(),
            reason_codes: reason_codes.clone(),
        });
        Ok(self.changed(at, inspector(by), Event::Rejected { comment, reason_codes }))
    }

    /// An inspector asks for documents again (D29, D30).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{inspector, sample, time};
    /// use kyc_core::{Slot, Status};
    ///
    /// let documents = [Slot::Selfie].into_iter().collect();
    /// let asked = sample().ask_retake(&inspector(), time(60), documents, None)?;
    /// assert_eq!(asked.status(), Status::Incomplete);
    /// # Ok::<(), kyc_core::Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden`], unless pending and the submission has every named document.
    pub fn ask_retake(
        mut self,
        by: &Inspector,
        at: Timestamp,
        documents: Slots,
        comment: Option<FreeText>,
    ) -> Result<Self, Forbidden> {
        self.check_pending()?;
        self.check_retake(documents)?;
        self.review =
            Review::Incomplete(Retake { at, missing: documents, comment: comment.clone() });
        Ok(self.changed(at, inspector(by), Event::RetakeAsked { documents, comment }))
    }

    /// The client supplies documents that were asked for again, as one change. When nothing is
    /// missing any more, the submission is complete and pending (D30). Whether each fits its slot
    /// is decided where handles are read (D27), not here.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{handle, incomplete, sample, time};
    /// use kyc_core::{DocumentKind, Slot, Status};
    ///
    /// let asked = incomplete(sample(), &[Slot::Selfie]);
    /// let selfie = handle(DocumentKind::Selfie, 7);
    /// let whole = asked.supply(time(90), &[(Slot::Selfie, selfie)])?;
    /// assert_eq!((whole.status(), whole.document(Slot::Selfie)), (Status::Pending, Some(&selfie)));
    /// # Ok::<(), kyc_core::Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NothingMissing`] unless every one of them was asked for,
    /// [`Forbidden::NoDocumentNamed`] where there is none, [`Forbidden::NoSuchDocument`] for one that
    /// was erased.
    pub fn supply(
        mut self,
        at: Timestamp,
        documents: &[(Slot, DocumentHandle)],
    ) -> Result<Self, Forbidden> {
        let is_erased = documents.iter().any(|(_, handle)| self.has_erased(handle.id()));
        let (Review::Incomplete(retake), Scope::Identity(known)) =
            (&mut self.review, &mut self.form.scope)
        else {
            return Err(Forbidden::NothingMissing);
        };
        if documents.is_empty() {
            return Err(Forbidden::NoDocumentNamed);
        }
        if is_erased {
            return Err(Forbidden::NoSuchDocument);
        }
        for (slot, handle) in documents {
            let Some(replaced) = known.evidence.document(*slot).copied() else {
                return Err(Forbidden::NoSuchDocument);
            };
            if !retake.missing.contains(*slot) {
                return Err(Forbidden::NothingMissing);
            }
            retake.missing = retake.missing.without(*slot);
            known.evidence.replace(*slot, *handle);
            let event = Event::Supplied { slot: *slot, replaced };
            self.history.push(HistoryEntry { at, by: Actor::Client, event });
        }
        if retake.missing.is_empty() {
            self.review = Review::Pending;
        }
        Ok(self.next_version(documents.len()))
    }

    /// An inspector takes a final decision back (D29). A screening result goes with it; the
    /// history keeps both, and decisions on hits stay for the next one.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, inspector, sample, screened, time};
    /// use kyc_core::{RiskLevel, Status};
    ///
    /// let done = screened(approved(sample()), RiskLevel::High);
    /// let taken_back = done.reopen(&inspector(), time(900), "The wrong person.".parse()?)?;
    /// assert_eq!(taken_back.status(), Status::Pending);
    /// assert_eq!(taken_back.history().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden`] unless approved or rejected, and for AML-only submissions.
    pub fn reopen(
        mut self,
        by: &Inspector,
        at: Timestamp,
        reason: FreeText,
    ) -> Result<Self, Forbidden> {
        match (&self.form.scope, &self.review) {
            (Scope::AmlOnly, _) => return Err(Forbidden::AmlOnly),
            (Scope::Identity(_), Review::Pending | Review::Incomplete(_)) => {
                return Err(Forbidden::NotFinal);
            }
            (Scope::Identity(_), Review::Approved(_) | Review::Rejected(_)) => {}
        }
        self.review = Review::Pending;
        Ok(self.changed(at, inspector(by), Event::Reopened { reason }))
    }

    /// A new submission with the same form and decision, queued for screening (D38). Decisions on
    /// hits come along, so what was cleared stays cleared, and so does a hold that stands. This one
    /// stays as it is.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, sample, submission_id, time};
    ///
    /// let approved = approved(sample());
    /// let renewed = approved.renew(submission_id(2), time(9_000))?;
    /// assert_eq!(renewed.renewed_from(), Some(approved.id()));
    /// assert_eq!((renewed.form(), renewed.version()), (approved.form(), 1));
    /// # Ok::<(), kyc_core::Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotApproved`].
    pub fn renew(&self, id: SubmissionId, at: Timestamp) -> Result<Self, Forbidden> {
        let Review::Approved(approval) = &self.review else {
            return Err(Forbidden::NotApproved);
        };
        let approval = Approval { aml: Aml::Queued, ..approval.clone() };
        Ok(Self {
            id,
            created_at: at,
            renewed_from: Some(self.id),
            form: self.form.clone(),
            review: Review::Approved(approval),
            version: 1,
            history: self.hold_entry().into_iter().cloned().collect(),
            decisions: self.decisions.clone(),
            news: News::default(),
        })
    }

    fn check_pending(&self) -> Result<(), Forbidden> {
        if self.status() == Status::Pending { Ok(()) } else { Err(Forbidden::NotPending) }
    }

    pub(crate) fn changed(mut self, at: Timestamp, by: Actor, event: Event) -> Self {
        self.history.push(HistoryEntry { at, by, event });
        self.next_version(1)
    }

    /// The next version, for which `news` entries were added to the history.
    pub(super) fn next_version(mut self, news: usize) -> Self {
        self.version = self.version.saturating_add(1);
        self.news = News(news);
        self
    }
}

pub(super) fn inspector(by: &Inspector) -> Actor {
    Actor::Inspector(by.name.clone())
}

/// The state of a submission does not allow the change (D8). Nothing has changed. Exhaustive:
/// callers answer some cases differently.
///
/// ```
/// use kyc_core::Forbidden;
/// use kyc_core::conformance::fixture::{sample, submission_id, time};
///
/// let refused = sample().renew(submission_id(2), time(60)).unwrap_err();
/// assert_eq!(refused, Forbidden::NotApproved);
/// assert_eq!(refused.to_string(), "only an approved submission can be renewed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// Only a pending submission can be decided.
    #[error("only a pending submission can be decided")]
    NotPending,
    /// Only an approved or rejected submission can be reopened.
    #[error("only an approved or rejected submission can be reopened")]
    NotFinal,
    /// Only documents that were asked for again can be supplied.
    #[error("no document was asked for again")]
    NothingMissing,
    /// Only an approved submission can be renewed.
    #[error("only an approved submission can be renewed")]
    NotApproved,
    /// An AML-only submission has no documents to review.
    #[error("an AML-only submission has no review")]
    AmlOnly,
    /// An approval of level 2 needs the issue date of the proof of address.
    #[error("the issue date of the address document is needed for level 2")]
    AddressDateMissing,
    /// There is no proof of address that could have an issue date.
    #[error("the submission has no address document")]
    NoAddressDocument,
    /// The submission has no document in that place.
    #[error("the submission has no such document")]
    NoSuchDocument,
    /// A retake, or a supply, has to name a document.
    #[error("at least one document has to be named")]
    NoDocumentNamed,
    /// Only a submission that waits for screening can be screened.
    #[error("the submission does not wait for screening")]
    NotAwaitingScreening,
    /// Only the hits of a screening result can be decided, and only a result can change.
    #[error("the submission has no screening result")]
    NotScreened,
    /// The result has no hit on that record of that list.
    #[error("the screening result has no such hit")]
    NoSuchHit,
    /// There is no decision on that record that could be taken back.
    #[error("there is no decision on this hit")]
    NotDecided,
    /// Nothing changed since an inspector looked at the result.
    #[error("the screening result has not changed since it was looked at")]
    NothingNew,
    /// A relationship cannot end before the submission was handed in.
    #[error("the relationship cannot end before the submission was handed in")]
    EndBeforeStart,
    /// Nobody has said that the relationship ended.
    #[error("nobody has said that the relationship ended")]
    NotEnded,
    /// There is no hold that could be released.
    #[error("there is no hold")]
    NotHeld,
    /// The last day of a hold has to come.
    #[error("the last day of the hold is over")]
    HoldOver,
    /// A hold is shortened by a release alone.
    #[error("a hold stands that lasts longer: release it first")]
    HeldLonger,
    /// Nothing that is held is erased.
    #[error("it is held: release it first")]
    Held,
    /// The documents of an approved or rejected submission are what the decision rests on.
    #[error("a decision rests on its documents: reopen it first")]
    DecisionRests,
}
