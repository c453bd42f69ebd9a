//! A submission and its transitions (D28–D38).

use time::Date;

use crate::{
    Actor, Aml, Approval, Basis, DocumentHandle, Duplicate, EnglishComment, Event, Form, FreeText,
    HistoryEntry, Inspector, Level, PersonKey, ReasonCode, Rejection, Retake, Review, Scope,
    Screening, Slot, Slots, Stall, Status, SubmissionId, Timestamp,
};

/// One application of one applicant, from hand-in to screening.
///
/// What constrains each other is private: a submission changes only by the transitions below, each
/// of which adds to the history and raises the [version](Self::version).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    id: SubmissionId,
    created_at: Timestamp,
    renewed_from: Option<SubmissionId>,
    form: Form,
    review: Review,
    version: u32,
    history: Vec<HistoryEntry>,
}

/// Everything a submission consists of, for stores that write and rebuild one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the readers of `Submission` document each part")]
pub struct SubmissionParts {
    pub id: SubmissionId,
    pub created_at: Timestamp,
    pub renewed_from: Option<SubmissionId>,
    pub form: Form,
    pub review: Review,
    pub version: u32,
    pub history: Vec<HistoryEntry>,
}

/// The state of a submission does not allow the change (D8). Nothing has changed.
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
}

impl Submission {
    /// A new submission: complete and pending; an AML-only one is approved by declaration and
    /// queued for screening (D28, D37).
    pub fn new(form: Form, id: SubmissionId, at: Timestamp) -> Self {
        let review = match form.scope {
            Scope::Identity(_) => Review::Pending,
            Scope::AmlOnly => {
                Review::Approved(Approval { at, basis: Basis::Declared, aml: Aml::Queued })
            }
        };
        Self {
            id,
            created_at: at,
            renewed_from: None,
            form,
            review,
            version: 1,
            history: Vec::new(),
        }
    }

    /// Rebuilds a stored submission. `None` if the parts contradict each other: an AML-only
    /// submission that is not approved by declaration or the reverse, an approval of level 2
    /// without an address date, a retake of nothing or of what was never handed in, a version
    /// before the first.
    pub fn from_parts(parts: SubmissionParts) -> Option<Self> {
        let SubmissionParts { id, created_at, renewed_from, form, review, version, history } =
            parts;
        let submission = Self { id, created_at, renewed_from, form, review, version, history };
        let is_consistent = match (&submission.form.scope, &submission.review) {
            (Scope::AmlOnly, review) => {
                matches!(review, Review::Approved(Approval { basis: Basis::Declared, .. }))
            }
            (Scope::Identity(_), Review::Approved(approval)) => match approval.basis {
                Basis::Inspected { address_issued, .. } => {
                    submission.check_address_date(address_issued).is_ok()
                }
                Basis::Declared => false,
            },
            (Scope::Identity(_), Review::Incomplete(retake)) => {
                submission.check_retake(retake.missing).is_ok()
            }
            (Scope::Identity(_), Review::Pending | Review::Rejected(_)) => true,
        };
        (is_consistent && version > 0).then_some(submission)
    }

    /// Takes the submission apart.
    pub fn into_parts(self) -> SubmissionParts {
        let Self { id, created_at, renewed_from, form, review, version, history } = self;
        SubmissionParts { id, created_at, renewed_from, form, review, version, history }
    }

    /// The id.
    pub fn id(&self) -> SubmissionId {
        self.id
    }

    /// When it was handed in.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// The submission that this one renews (D38).
    pub fn renewed_from(&self) -> Option<SubmissionId> {
        self.renewed_from
    }

    /// What was handed in.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Where the review stands.
    pub fn review(&self) -> &Review {
        &self.review
    }

    /// Starts at 1 and grows by one with each change.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What happened since it was handed in, oldest first.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// The review's bare state.
    pub fn status(&self) -> Status {
        self.review.status()
    }

    /// The level: that of the evidence; `L1` for an AML-only submission (D37).
    pub fn level(&self) -> Level {
        self.form.identification().map_or(Level::L1, |known| known.evidence.level())
    }

    /// The document in a slot that is not missing.
    pub fn document(&self, slot: Slot) -> Option<&DocumentHandle> {
        let handed_in = self.form.identification()?.evidence.document(slot);
        handed_in.filter(|_| !self.review.missing().contains(slot))
    }

    /// What all submissions of this person have in common (D39).
    pub fn person_key(&self) -> PersonKey {
        self.form.applicant.person_key()
    }

    /// This submission as a duplicate of another one.
    pub fn as_duplicate(&self) -> Duplicate {
        Duplicate { email: self.form.email.clone(), id: self.id }
    }

    /// An inspector accepts the documents (D29). Screening is queued in the same change.
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
    /// missing any more, the submission is complete and pending (D30).
    ///
    /// # Errors
    ///
    /// [`Forbidden::NothingMissing`] unless every one of them was asked for,
    /// [`Forbidden::NoDocumentNamed`] where there is none.
    pub fn supply(
        mut self,
        at: Timestamp,
        documents: &[(Slot, DocumentHandle)],
    ) -> Result<Self, Forbidden> {
        let (Review::Incomplete(retake), Scope::Identity(known)) =
            (&mut self.review, &mut self.form.scope)
        else {
            return Err(Forbidden::NothingMissing);
        };
        if documents.is_empty() {
            return Err(Forbidden::NoDocumentNamed);
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
        Ok(self.next_version())
    }

    /// An inspector takes a final decision back (D29).
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

    /// A new submission with the same form and decision, queued for screening (D38). This one
    /// stays as it is.
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
            history: Vec::new(),
        })
    }

    /// The screening gave a result (D34, D40).
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotAwaitingScreening`], so that exactly one result is kept.
    pub fn screened(mut self, screening: Screening) -> Result<Self, Forbidden> {
        let (at, risk) = (screening.at, screening.risk);
        *self.awaited_aml()? = Aml::Screened(Box::new(screening));
        Ok(self.changed(at, Actor::Service, Event::Screened(risk)))
    }

    /// The screening gave no result: the score stays `-` (D34). A stall is a state, not an event:
    /// the history is left alone.
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotAwaitingScreening`].
    pub fn stalled(mut self, stall: Stall) -> Result<Self, Forbidden> {
        *self.awaited_aml()? = Aml::Stalled(stall);
        Ok(self.next_version())
    }

    fn awaited_aml(&mut self) -> Result<&mut Aml, Forbidden> {
        match &mut self.review {
            Review::Approved(Approval { aml, .. }) if aml.risk().is_none() => Ok(aml),
            Review::Approved(_) | Review::Pending | Review::Incomplete(_) | Review::Rejected(_) => {
                Err(Forbidden::NotAwaitingScreening)
            }
        }
    }

    fn check_pending(&self) -> Result<(), Forbidden> {
        if self.status() == Status::Pending { Ok(()) } else { Err(Forbidden::NotPending) }
    }

    /// An issue date is required at level 2, and possible only where there is a proof of address.
    fn check_address_date(&self, issued: Option<Date>) -> Result<(), Forbidden> {
        let evidence = self.form.identification().map(|known| &known.evidence);
        let proof = evidence.and_then(|evidence| evidence.document(Slot::AddressProof));
        match (self.level(), proof, issued) {
            (Level::L2, _, None) => Err(Forbidden::AddressDateMissing),
            (_, None, Some(_)) => Err(Forbidden::NoAddressDocument),
            _ => Ok(()),
        }
    }

    fn check_retake(&self, documents: Slots) -> Result<(), Forbidden> {
        if documents.is_empty() {
            return Err(Forbidden::NoDocumentNamed);
        }
        let evidence = self.form.identification().ok_or(Forbidden::AmlOnly)?;
        let has_all = documents.iter().all(|slot| evidence.evidence.document(slot).is_some());
        if has_all { Ok(()) } else { Err(Forbidden::NoSuchDocument) }
    }

    fn changed(mut self, at: Timestamp, by: Actor, event: Event) -> Self {
        self.history.push(HistoryEntry { at, by, event });
        self.next_version()
    }

    fn next_version(mut self) -> Self {
        self.version = self.version.saturating_add(1);
        self
    }
}

fn inspector(by: &Inspector) -> Actor {
    Actor::Inspector(by.name.clone())
}
