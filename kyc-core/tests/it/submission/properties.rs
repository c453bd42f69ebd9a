use kyc_core::conformance::fixture::time;
use kyc_core::strategies::{Action, Change, changes, screenings, submissions, timestamps};
use kyc_core::{
    Actor, Aml, Basis, Event, Forbidden, Level, Rescreening, RetentionDecision, Review, Screening,
    Slot, Slots, Status, Submission, SubmissionId,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use time::Date;

/// The rules of D28–D38 once more, in other words.
fn is_allowed(submission: &Submission, Change { at, action, .. }: &Change) -> bool {
    let evidence = submission.form().identification().map(|known| &known.evidence);
    let has = |slot| evidence.is_some_and(|evidence| evidence.document(slot).is_some());
    let missing = submission.review().missing();
    match (submission.status(), action) {
        (_, Action::DecideRetention(decision)) => match decision {
            RetentionDecision::End { on: Some(on) } => submission.created_at().date() <= *on,
            RetentionDecision::End { on: None } => submission.ended().is_some(),
            RetentionDecision::Hold { until, .. } => {
                let last = until.unwrap_or(Date::MAX);
                let held = submission.hold().map(|hold| hold.until.unwrap_or(Date::MAX));
                at.date() <= last && held.is_none_or(|held| held <= last)
            }
            RetentionDecision::Release { .. } => submission.hold().is_some(),
        },
        (Status::Pending, Action::Approve { address_issued, .. }) => match submission.level() {
            Level::L1 => address_issued.is_none() || has(Slot::AddressProof),
            Level::L2 => address_issued.is_some(),
        },
        (Status::Pending, Action::Reject { .. }) => true,
        (Status::Pending | Status::Incomplete, Action::EraseDocument(_)) => {
            let held = submission.hold().map(|hold| hold.until.unwrap_or(Date::MAX));
            !submission.documents().is_empty() && held.is_none_or(|last| last < at.date())
        }
        (Status::Pending, Action::AskRetake { documents, .. }) => {
            !documents.is_empty() && documents.iter().all(has)
        }
        (Status::Incomplete, Action::Supply { documents }) => {
            let slots: Vec<Slot> = documents.iter().map(|(slot, _)| *slot).collect();
            let is_once = |slot: &Slot| slots.iter().filter(|other| *other == slot).count() == 1;
            !slots.is_empty() && slots.iter().all(|slot| missing.contains(*slot) && is_once(slot))
        }
        (Status::Approved | Status::Rejected, Action::Reopen { .. }) => evidence.is_some(),
        (Status::Approved, Action::Screened(_) | Action::Stalled(_)) => {
            !matches!(submission.review().aml(), Some(Aml::Screened(_)))
        }
        (Status::Approved, Action::Rescreened(later)) => submission.result().is_some_and(|known| {
            let Screening { hits, unreported, .. } = &known.screening;
            (hits, unreported) != (&later.hits, &later.unreported)
        }),
        (Status::Approved, Action::DecideHit { hit, .. }) => submission
            .result()
            .is_some_and(|known| known.screening.hits.iter().any(|other| other.key() == *hit)),
        (Status::Approved, Action::UndecideHit { hit, .. }) => {
            submission.result().is_some() && submission.decisions().contains_key(hit)
        }
        (Status::Approved, Action::Acknowledge) => {
            submission.result().is_some_and(|known| known.seen.is_some())
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn d29_only_legal_changes_are_made(
        start in submissions(),
        changes in vec(changes(), 1..12),
    ) {
        let mut submission = start;
        for change in changes {
            let is_allowed = is_allowed(&submission, &change);
            let result = change.clone().apply(submission.clone());
            prop_assert_eq!(result.is_ok(), is_allowed, "{:?}", change);
            submission = result.unwrap_or(submission);
        }
    }

    #[test]
    fn d53_the_version_grows_by_one_with_each_change(
        submission in submissions(),
        change in changes(),
    ) {
        if let Ok(changed) = change.apply(submission.clone()) {
            prop_assert_eq!(changed.version(), submission.version() + 1);
        }
    }

    #[test]
    fn the_history_only_grows(submission in submissions(), change in changes()) {
        let events = match &change.action {
            Action::Stalled(_) => 0,
            Action::Rescreened(later) => {
                let later = submission.rescreened(later.clone());
                usize::from(matches!(later, Ok(Rescreening::Changed(_))))
            }
            Action::Supply { documents } => documents.len(),
            Action::Approve { .. }
            | Action::Reject { .. }
            | Action::AskRetake { .. }
            | Action::Reopen { .. }
            | Action::Screened(_)
            | Action::DecideHit { .. }
            | Action::UndecideHit { .. }
            | Action::Acknowledge
            | Action::DecideRetention(_)
            | Action::EraseDocument(_) => 1,
        };
        if let Ok(changed) = change.apply(submission.clone()) {
            let (kept, new) = changed.history().split_at(submission.history().len());
            prop_assert_eq!(kept, submission.history());
            prop_assert_eq!(new.len(), events);
        }
    }

    #[test]
    fn each_event_is_told_with_its_time_and_its_actor(
        submission in submissions(),
        change in changes(),
    ) {
        let (at, name) = (change.at, change.by.name.clone());
        if let Ok(changed) = change.apply(submission.clone()) {
            for entry in &changed.history()[submission.history().len()..] {
                let (expected_at, expected_by) = match &entry.event {
                    Event::Supplied { .. } => (at, Actor::Client),
                    Event::Screened(_) | Event::Rescreened { .. } => {
                        (changed.result().unwrap().screening.at, Actor::Service)
                    }
                    Event::Approved(_)
                    | Event::Rejected { .. }
                    | Event::RetakeAsked { .. }
                    | Event::Reopened { .. }
                    | Event::HitDecided { .. }
                    | Event::Acknowledged
                    | Event::DocumentErased { .. }
                    | Event::Retention(_) => (at, Actor::Inspector(name.clone())),
                };
                prop_assert_eq!((entry.at, &entry.by), (expected_at, &expected_by));
            }
        }
    }

    #[test]
    fn what_identifies_a_submission_never_changes(
        submission in submissions(),
        change in changes(),
    ) {
        if let Ok(changed) = change.apply(submission.clone()) {
            prop_assert_eq!(changed.id(), submission.id());
            prop_assert_eq!(changed.created_at(), submission.created_at());
            prop_assert_eq!(changed.renewed_from(), submission.renewed_from());
            let (form, before) = (changed.form(), submission.form());
            prop_assert_eq!(form.email.as_str(), before.email.as_str());
            prop_assert_eq!(&form.user_id, &before.user_id);
            prop_assert_eq!(&form.applicant, &before.applicant);
            prop_assert_eq!(changed.level(), submission.level());
        }
    }

    #[test]
    fn d34_a_score_exists_only_where_an_approval_was_screened(submission in submissions()) {
        match submission.review() {
            Review::Approved(approval) => {
                let is_screened = matches!(approval.aml, Aml::Screened(_));
                prop_assert_eq!(submission.risk().is_some(), is_screened);
                let is_declared = approval.basis == Basis::Declared;
                prop_assert_eq!(is_declared, submission.form().identification().is_none());
            }
            Review::Pending | Review::Incomplete(_) | Review::Rejected(_) => {
                prop_assert!(submission.review().aml().is_none());
                prop_assert!(submission.risk().is_none());
            }
        }
    }

    #[test]
    fn d30_a_document_is_shown_unless_it_is_missing(submission in submissions()) {
        let missing = submission.review().missing();
        prop_assert_eq!(missing.is_empty(), submission.status() != Status::Incomplete);
        for slot in Slot::ALL {
            let evidence = submission.form().identification().map(|known| &known.evidence);
            let handed_in = evidence.and_then(|evidence| evidence.document(slot));
            let expected = if missing.contains(slot) { None } else { handed_in };
            prop_assert_eq!(submission.document(slot), expected);
        }
    }

    #[test]
    fn d120_an_erased_document_is_referred_to_by_nothing_and_missing_where_it_stood(
        submission in submissions(),
        which in any::<Index>(),
        at in timestamps(),
    ) {
        let before = submission.documents();
        prop_assume!(!before.is_empty());
        let document = *which.get(&before);
        let stood = |slot: &Slot| submission.document(*slot).is_some_and(|it| it.id() == document);
        let stood: Vec<Slot> = Slot::ALL.into_iter().filter(stood).collect();
        let result = submission.clone().erase_document(Actor::Operator, at, document);
        let Ok(erased) = result else { return Ok(()) };
        let rest: Vec<_> = before.into_iter().filter(|other| *other != document).collect();
        prop_assert_eq!(erased.documents(), rest);
        let missing = submission.review().missing().iter().chain(stood).collect::<Slots>();
        prop_assert_eq!(erased.review().missing(), missing);
        prop_assert_eq!(erased.status() == Status::Incomplete, !missing.is_empty());
        let again = erased.clone().erase_document(Actor::Operator, at, document);
        prop_assert_eq!(again, Err(Forbidden::NoSuchDocument));
        prop_assert_eq!(Submission::from_parts(erased.clone().into_parts()), Some(erased));
    }

    #[test]
    fn d38_renewing_is_for_the_approved_and_changes_nothing_old(submission in submissions()) {
        let id = SubmissionId::from_bytes([7; 16]);
        let before = submission.clone();
        let renewed = submission.renew(id, time(0));
        prop_assert_eq!(&submission, &before);
        prop_assert_eq!(renewed.is_ok(), submission.status() == Status::Approved);
        if let Ok(renewed) = renewed {
            prop_assert_eq!(renewed.review().aml(), Some(&Aml::Queued));
            prop_assert_eq!(renewed.renewed_from(), Some(submission.id()));
            prop_assert_eq!(renewed.decisions(), submission.decisions());
        }
    }

    #[test]
    fn d40_of_two_results_the_first_is_kept(
        submission in submissions(),
        first in screenings(),
        second in screenings(),
    ) {
        if let Ok(screened) = submission.screened(first) {
            prop_assert_eq!(screened.screened(second), Err(Forbidden::NotAwaitingScreening));
        }
    }
}
