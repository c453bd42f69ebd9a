//! A submission and its transitions (D28–D38).

mod erasure;
mod screening;
mod transition;

use std::collections::{BTreeMap, BTreeSet};

use time::Date;

use crate::{
    Aml, Approval, Basis, DocumentHandle, DocumentId, Duplicate, Event, Form, HistoryEntry,
    HitDecision, HitKey, Level, PersonKey, Review, Scope, Slot, Slots, Status, SubmissionId,
    Timestamp,
};

pub use screening::Rescreening;
pub use transition::Forbidden;

/// One application of one applicant, from hand-in to screening.
///
/// What constrains each other is private: a submission changes only by its transitions, each of
/// which raises the [version](Self::version). They are pure: each takes a submission and gives the
/// changed one, or says why it is [`Forbidden`].
///
/// ```
/// use kyc_core::conformance::fixture::{form, inspector, submission_id, time};
/// use kyc_core::{Forbidden, Status, Submission};
/// use time::macros::date;
///
/// let submission = Submission::new(form(), submission_id(1), time(0));
/// assert_eq!((submission.status(), submission.version()), (Status::Pending, 1));
///
/// let approved = submission.approve(&inspector(), time(60), date!(2031 - 02 - 28), None)?;
/// assert_eq!((approved.status(), approved.version()), (Status::Approved, 2));
///
/// let refused = approved.reject(&inspector(), time(90), "Blurred.".parse()?, Vec::new());
/// assert_eq!(refused, Err(Forbidden::NotPending));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    id: SubmissionId,
    created_at: Timestamp,
    renewed_from: Option<SubmissionId>,
    form: Form,
    review: Review,
    version: u32,
    history: Vec<HistoryEntry>,
    decisions: BTreeMap<HitKey, HitDecision>,
    news: News,
}

/// How many entries of the history the last transition added. No part of what a submission is: one
/// that was stored and read back is the same.
#[derive(Debug, Clone, Copy, Default)]
struct News(usize);

impl PartialEq for News {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for News {}

/// Everything a submission consists of, for stores that write and rebuild one.
///
/// ```
/// use kyc_core::conformance::fixture::sample;
/// use kyc_core::{Submission, SubmissionParts};
///
/// let parts: SubmissionParts = sample().into_parts();
/// assert_eq!(Submission::from_parts(parts), Some(sample()));
/// ```
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
    pub decisions: BTreeMap<HitKey, HitDecision>,
}

impl Submission {
    /// A new submission: complete and pending; an AML-only one is approved by declaration and
    /// queued for screening (D28, D37).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{form_aml_only, submission_id, time};
    /// use kyc_core::{Aml, Submission};
    ///
    /// let submission = Submission::new(form_aml_only(), submission_id(1), time(0));
    /// assert_eq!(submission.review().aml(), Some(&Aml::Queued));
    /// ```
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
            decisions: BTreeMap::new(),
            news: News::default(),
        }
    }

    /// Rebuilds a stored submission. `None` if the parts contradict each other: an AML-only
    /// submission that is not approved by declaration or the reverse, an approval of level 2
    /// without an address date, a retake of nothing or of what was never handed in, an erased
    /// document that is not missing, a version before the first.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{form_aml_only, sample};
    /// use kyc_core::{Submission, SubmissionParts};
    ///
    /// // Pending, though there is nothing to review.
    /// let contradiction = SubmissionParts { form: form_aml_only(), ..sample().into_parts() };
    /// assert_eq!(Submission::from_parts(contradiction), None);
    /// ```
    pub fn from_parts(parts: SubmissionParts) -> Option<Self> {
        let SubmissionParts {
            id,
            created_at,
            renewed_from,
            form,
            review,
            version,
            history,
            decisions,
        } = parts;
        let news = News::default();
        let submission =
            Self { id, created_at, renewed_from, form, review, version, history, decisions, news };
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
        (is_consistent && submission.lacks_what_was_erased() && version > 0).then_some(submission)
    }

    /// Takes the submission apart.
    pub fn into_parts(self) -> SubmissionParts {
        let Self {
            id,
            created_at,
            renewed_from,
            form,
            review,
            version,
            history,
            decisions,
            news: _,
        } = self;
        SubmissionParts { id, created_at, renewed_from, form, review, version, history, decisions }
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

    /// What the last transition added to the history; nothing where the submission comes from a
    /// store. This is what a store records of the change (D95).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, rejected, reopened, sample};
    /// use kyc_core::{Event, Submission};
    ///
    /// let submission = reopened(rejected(sample()));
    /// assert!(matches!(submission.news(), [entry] if matches!(entry.event, Event::Reopened { .. })));
    /// let stored = Submission::from_parts(submission.into_parts()).ok_or("consistent")?;
    /// assert!(stored.news().is_empty());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn news(&self) -> &[HistoryEntry] {
        let before = self.history.len().saturating_sub(self.news.0);
        self.history.get(before..).unwrap_or_default()
    }

    /// The review's bare state.
    pub fn status(&self) -> Status {
        self.review.status()
    }

    /// The level: that of the evidence; `L1` for an AML-only submission (D37).
    ///
    /// ```
    /// use kyc_core::Level;
    /// use kyc_core::conformance::fixture::{form_aml_only, form_l2, submission};
    ///
    /// assert_eq!(submission(1, form_l2()).level(), Level::L2);
    /// assert_eq!(submission(1, form_aml_only()).level(), Level::L1);
    /// ```
    pub fn level(&self) -> Level {
        self.form.identification().map_or(Level::L1, |known| known.evidence.level())
    }

    /// The document in a slot that is not missing.
    ///
    /// ```
    /// use kyc_core::Slot;
    /// use kyc_core::conformance::fixture::{incomplete, sample};
    ///
    /// assert!(sample().document(Slot::Selfie).is_some());
    /// assert!(incomplete(sample(), &[Slot::Selfie]).document(Slot::Selfie).is_none());
    /// ```
    pub fn document(&self, slot: Slot) -> Option<&DocumentHandle> {
        let handed_in = self.form.identification()?.evidence.document(slot);
        handed_in.filter(|_| !self.review.missing().contains(slot))
    }

    /// Every document that the submission refers to, those that others took the place of included,
    /// those that were erased not: what goes when it is erased. Each once.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{form_l2, submission};
    ///
    /// assert_eq!(submission(1, form_l2()).documents().len(), 3);
    /// ```
    pub fn documents(&self) -> Vec<DocumentId> {
        let known = self.form.identification().into_iter();
        let replaced = self.history.iter().filter_map(|entry| {
            if let Event::Supplied { replaced, .. } = &entry.event { Some(replaced) } else { None }
        });
        let handles = known
            .flat_map(|known| {
                let slots = Slot::ALL.into_iter().filter_map(|slot| known.evidence.document(slot));
                slots.chain(known.extra_images.iter().flatten())
            })
            .chain(replaced);
        let is_there = |document: &DocumentId| !self.has_erased(*document);
        let documents: BTreeSet<DocumentId> =
            handles.map(DocumentHandle::id).filter(is_there).collect();
        documents.into_iter().collect()
    }

    /// What all submissions of this person have in common (D39).
    pub fn person_key(&self) -> PersonKey {
        self.form.applicant.person_key()
    }

    /// This submission as a duplicate of another one.
    pub fn as_duplicate(&self) -> Duplicate {
        Duplicate { email: self.form.email.clone(), id: self.id }
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
}
