//! Submissions in every state, reached by the transitions of the domain.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;
use time::Date;

use super::form::{forms, photo_ids, proofs, selfies};
use super::review::{hit_keys, hit_verdicts, retention_decisions, screenings, stalls};
use super::text::{account_names, comments, free_texts, reason_codes};
use super::value::{dates, slots, submission_ids, timestamps};
use crate::{
    Actor, DocumentHandle, EnglishComment, Forbidden, Form, FreeText, HitKey, HitVerdict,
    Inspector, ReasonCode, Rescreening, RetentionDecision, Screening, Slot, Slots, Stall,
    Submission, SubmissionId, Timestamp,
};

/// A change of a submission, as a value. Whether the state allows it shows when it is applied.
///
/// ```
/// use kyc_core::strategies::{changes, submissions};
/// use proptest::prelude::*;
///
/// proptest!(|(submission in submissions(), change in changes())| {
///     let version = submission.version();
///     if let Ok(changed) = change.apply(submission) {
///         prop_assert_eq!(changed.version(), version + 1);
///     }
/// });
/// ```
#[derive(Debug, Clone)]
pub struct Change {
    /// When it happens.
    pub at: Timestamp,
    /// The inspector who decides, where it takes one.
    pub by: Inspector,
    /// What happens.
    pub action: Action,
}

/// What a [`Change`] does.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each is the transition of `Submission` with the same parameters")]
pub enum Action {
    Approve {
        id_expires: Date,
        address_issued: Option<Date>,
    },
    Reject {
        comment: EnglishComment,
        reason_codes: Vec<ReasonCode>,
    },
    AskRetake {
        documents: Slots,
        comment: Option<FreeText>,
    },
    Supply {
        documents: Vec<(Slot, DocumentHandle)>,
    },
    Reopen {
        reason: FreeText,
    },
    Screened(Screening),
    Stalled(Stall),
    /// Not allowed, too, where nothing would change.
    Rescreened(Screening),
    DecideHit {
        hit: HitKey,
        verdict: HitVerdict,
        note: FreeText,
    },
    UndecideHit {
        hit: HitKey,
        note: FreeText,
    },
    Acknowledge,
    DecideRetention(RetentionDecision),
    /// One of its documents, by its place among them. Not allowed, too, where there is none.
    EraseDocument(Index),
}

impl Change {
    /// Makes the change.
    ///
    /// # Errors
    ///
    /// As the transitions of [`Submission`].
    pub fn apply(self, submission: Submission) -> Result<Submission, Forbidden> {
        let Self { at, by, action } = self;
        match action {
            Action::Approve { id_expires, address_issued } => {
                submission.approve(&by, at, id_expires, address_issued)
            }
            Action::Reject { comment, reason_codes } => {
                submission.reject(&by, at, comment, reason_codes)
            }
            Action::AskRetake { documents, comment } => {
                submission.ask_retake(&by, at, documents, comment)
            }
            Action::Supply { documents } => submission.supply(at, &documents),
            Action::Reopen { reason } => submission.reopen(&by, at, reason),
            Action::Screened(screening) => submission.screened(screening),
            Action::Stalled(stall) => submission.stalled(stall),
            Action::Rescreened(screening) => match submission.rescreened(screening)? {
                Rescreening::Changed(next) | Rescreening::Refreshed(next) => Ok(next),
                Rescreening::Same => Err(Forbidden::NothingNew),
            },
            Action::DecideHit { hit, verdict, note } => {
                submission.decide_hit(&by, at, &hit, verdict, note)
            }
            Action::UndecideHit { hit, note } => submission.undecide_hit(&by, at, &hit, note),
            Action::Acknowledge => submission.acknowledge(&by, at),
            Action::DecideRetention(decision) => {
                submission.decide_retention(Actor::Inspector(by.name), at, decision)
            }
            Action::EraseDocument(which) => {
                let documents = submission.documents();
                if documents.is_empty() {
                    return Err(Forbidden::NoSuchDocument);
                }
                let document = *which.get(&documents);
                submission.erase_document(Actor::Inspector(by.name), at, document)
            }
        }
    }
}

/// Every change, with every kind of content; many are not allowed in a given state.
pub fn changes() -> impl Strategy<Value = Change> {
    changes_by(prop_oneof![
        3 => review_actions(),
        3 => screening_actions(),
        1 => retention_decisions().prop_map(Action::DecideRetention),
        1 => any::<Index>().prop_map(Action::EraseDocument),
    ])
}

fn changes_by(actions: impl Strategy<Value = Action> + 'static) -> BoxedStrategy<Change> {
    let inspectors = account_names().prop_map(|name| Inspector { name, clients: None });
    (timestamps(), inspectors, actions)
        .prop_map(|(at, by, action)| Change { at, by, action })
        .boxed()
}

fn review_actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => (dates(), option::of(dates())).prop_map(|(id_expires, address_issued)| {
            Action::Approve { id_expires, address_issued }
        }),
        2 => (comments(), vec(reason_codes(), 0..4)).prop_map(|(comment, reason_codes)| {
            Action::Reject { comment, reason_codes }
        }),
        2 => (slots(), option::of(free_texts())).prop_map(|(documents, comment)| {
            Action::AskRetake { documents, comment }
        }),
        2 => vec(supplies(), 0..4).prop_map(|documents| Action::Supply { documents }),
        1 => free_texts().prop_map(|reason| Action::Reopen { reason }),
    ]
}

fn screening_actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => screenings().prop_map(Action::Screened),
        1 => stalls().prop_map(Action::Stalled),
        3 => screenings().prop_map(Action::Rescreened),
        4 => (hit_keys(), hit_verdicts(), free_texts()).prop_map(|(hit, verdict, note)| {
            Action::DecideHit { hit, verdict, note }
        }),
        1 => (hit_keys(), free_texts()).prop_map(|(hit, note)| Action::UndecideHit { hit, note }),
        1 => Just(Action::Acknowledge),
    ]
}

fn supplies() -> impl Strategy<Value = (Slot, DocumentHandle)> {
    prop_oneof![
        photo_ids().prop_map(|handle| (Slot::PhotoId, handle)),
        selfies().prop_map(|handle| (Slot::Selfie, handle)),
        proofs().prop_map(|handle| (Slot::AddressProof, handle)),
    ]
}

/// Submissions in every state, with every kind of form and history; some renew another one.
pub fn submissions() -> impl Strategy<Value = Submission> {
    forms().prop_flat_map(submissions_of)
}

fn submissions_of(form: Form) -> impl Strategy<Value = Submission> {
    let renewal = option::weighted(0.2, (submission_ids(), timestamps()));
    // Few submissions get as far as a decision on a hit by chance alone.
    let screening = vec(changes_by(screening_actions()), 0..12);
    let changes = (vec(changes(), 0..6), screening, vec(changes(), 0..3));
    (submission_ids(), timestamps(), changes, renewal).prop_map(
        move |(id, at, (changes, screening, later), renewal)| {
            let submission = Submission::new(form.clone(), id, at);
            let submission = changes.into_iter().chain(screening).fold(submission, changed);
            let renewed = renewal.and_then(|(id, at)| submission.renew(id, at).ok());
            later.into_iter().fold(renewed.unwrap_or(submission), changed)
        },
    )
}

/// The submission after a change, or as it was where its state does not allow it.
fn changed(submission: Submission, change: Change) -> Submission {
    change.apply(submission.clone()).unwrap_or(submission)
}

/// The submissions of one applicant, under one e-mail address and with ids of their own, in no
/// particular order; at times none.
pub fn histories() -> impl Strategy<Value = Vec<Submission>> {
    forms().prop_flat_map(|form| vec(submissions_of(form), 0..7)).prop_map(|mut history| {
        let mut met: Vec<SubmissionId> = Vec::new();
        history.retain(|submission| {
            let is_new = !met.contains(&submission.id());
            met.push(submission.id());
            is_new
        });
        history
    })
}
