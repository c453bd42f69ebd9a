//! The n-th call of the store fails, for every n: afterwards the state is that of before, and what
//! was answered is an error.

use std::sync::atomic::{AtomicUsize, Ordering};

use kyc_core::conformance::fixture::{client, form, form_aml_only, form_l2, hit, inspector, valid};
use kyc_core::conformance::stand_in::SameAnswer;
use kyc_core::service::{Decision, Error};
use kyc_core::{
    DocumentKind, Field, HitVerdict, Listed, QueueFilter, Queued, RiskLevel, ScreeningQueue, Slot,
    StoreError, Submission, SubmissionStore,
};

use super::world::{World, approve, by_email, retake, world};

/// A use case: what was there before, and the attempt.
type Attempt = fn(&World, &Submission) -> Result<(), Error>;

/// Every submission of both clients.
fn state(world: &World) -> Vec<Queued> {
    let clients = [client(1), client(2)];
    let filter = QueueFilter::all(&clients);
    world.store.inner.review_queue(&filter, None, 100).unwrap()
}

/// Fails the call number `failing` of the store, counted from one.
fn fail(world: &World, failing: usize) {
    let calls = AtomicUsize::new(0);
    world.store.before_each_call(move |_, _| {
        let call = calls.fetch_add(1, Ordering::SeqCst) + 1;
        if call == failing { Err(StoreError::Unavailable("told to fail".into())) } else { Ok(()) }
    });
}

/// Tries with each call failing in turn, until the attempt needs no further call.
#[track_caller]
fn check(prepare: fn(&World) -> Submission, attempt: Attempt, calls: usize) {
    for failing in 1.. {
        let world = world();
        let submission = prepare(&world);
        let before = state(&world);
        fail(&world, failing);
        let Err(error) = attempt(&world, &submission) else {
            assert_eq!(failing, calls + 1, "each call fails once");
            return;
        };
        assert!(matches!(error, Error::Store(StoreError::Unavailable(_))), "{error:?}");
        assert_eq!(error.to_string(), "the storage failed");
        assert_eq!(state(&world), before, "call {failing} failed and yet something changed");
    }
}

fn pending(world: &World) -> Submission {
    world.submit_form(1, &form())
}

#[test]
fn a_failed_submission_is_not_stored() {
    let submit: Attempt =
        |world, _| world.send(client(1), &world.with_uploads(1, &form_l2())).map(drop);
    check(pending, submit, 1);
    let submit: Attempt =
        |world, _| world.send(client(1), &world.with_uploads(1, &form_aml_only())).map(drop);
    check(pending, submit, 1);
}

#[test]
fn a_failed_renewal_is_not_stored() {
    let approved = |world: &World| world.decided(&pending(world), approve());
    check(approved, |world, old| world.renew(client(1), &old.form().email, old.id()).map(drop), 2);
}

#[test]
fn a_failed_supply_changes_nothing() {
    let asked = |world: &World| world.decided(&pending(world), retake(&[Slot::Selfie]));
    let supply: Attempt = |world, asked| {
        let selfie = world.upload(1, DocumentKind::Selfie).to_text();
        world.resupply(1, asked, &[(Field::Selfie, &selfie)]).map(drop)
    };
    check(asked, supply, 2);
}

#[test]
fn a_failed_decision_changes_nothing() {
    let decide: Attempt = |world, pending| {
        world.decide(&inspector(), pending.id(), pending.version(), approve()).map(drop)
    };
    check(pending, decide, 2);
}

#[test]
fn a_failed_screening_changes_nothing() {
    let screen: Attempt = |world, _| {
        let clear = SameAnswer(Ok(RiskLevel::NotApplicable));
        world.screen_queue(ScreeningQueue::New, &clear, &|| false, &|_| {}).map(drop)
    };
    // The queue, the result, and the end of the queue: by then the result is stored.
    let waiting = |world: &World| world.submit_form(1, &form_aml_only());
    for failing in 1..=3 {
        let world = world();
        let submission = waiting(&world);
        fail(&world, failing);
        assert!(matches!(screen(&world, &submission), Err(Error::Store(_))));
        let aml = world.stored(1, submission.id()).unwrap().risk();
        assert_eq!(aml.is_some(), failing == 3);
    }
    let world = world();
    let submission = waiting(&world);
    fail(&world, 4);
    assert!(screen(&world, &submission).is_ok());
}

/// An applicant with hits.
fn found(world: &World) -> Submission {
    let submission = world.submit_form(1, &form_aml_only());
    let engine = SameAnswer(Ok(RiskLevel::High));
    world.screen_queue(ScreeningQueue::New, &engine, &|| false, &|_| {}).unwrap();
    world.stored(1, submission.id()).unwrap()
}

#[test]
fn a_failed_decision_on_a_hit_and_a_failed_later_screening_change_nothing() {
    let decide: Attempt = |world, submission| {
        let note = valid("Older.");
        let decision =
            Decision::Hit { hit: hit(1_000).key(), verdict: Some(HitVerdict::FalsePositive), note };
        world.decide(&inspector(), submission.id(), submission.version(), decision).map(drop)
    };
    let rescreen: Attempt = |world, submission| {
        let queued = Queued { client: client(1), submission: submission.clone() };
        let clear = SameAnswer(Ok(RiskLevel::NotApplicable));
        world.rescreen_one(&queued, &clear, &|_| {}).map(drop)
    };
    let walk: Attempt = |world, submission| {
        let queued = Queued { client: client(1), submission: submission.clone() };
        world.screened_behind(Some(queued.place()), 10).map(drop)
    };
    check(found, decide, 2);
    check(found, rescreen, 1);
    check(found, walk, 2);
}

#[test]
fn a_failed_read_is_told() {
    let status: Attempt =
        |world, _| world.status(client(1), &by_email(&valid("mira.kole@example.org"))).map(drop);
    let latest: Attempt =
        |world, _| world.latest(client(1), &by_email(&valid("mira.kole@example.org"))).map(drop);
    let list: Attempt = |world, _| {
        let mut visit = |_: &Listed<'_>| std::ops::ControlFlow::Continue(());
        world.list(client(1), None, &mut visit)
    };
    let case_file: Attempt =
        |world, submission| world.case_file(&inspector(), submission.id()).map(drop);
    let queue: Attempt = |world, submission| {
        let clients = [client(1)];
        let filter = QueueFilter::all(&clients);
        world.review_queue(&inspector(), &filter, Some(submission.id()), 10).map(drop)
    };
    check(pending, status, 1);
    check(pending, latest, 1);
    check(pending, list, 1);
    check(pending, case_file, 1);
    check(pending, queue, 2);
}

#[test]
fn a_record_that_cannot_be_read_is_a_failure_of_the_storage() {
    let corrupt = |table, key: &str| StoreError::Corrupt {
        table,
        key: key.to_owned(),
        source: "no date".into(),
    };
    let error = corrupt("submission", "01hzy3v9k4d5e6f7g8h9jkmnpq");
    assert_eq!(error.to_string(), "stored submission record 01hzy3v9k4d5e6f7g8h9jkmnpq is corrupt");
    assert!(matches!(Error::from(error), Error::Store(StoreError::Corrupt { .. })));
    assert!(matches!(Error::from(StoreError::Duplicate), Error::Store(StoreError::Duplicate)));
    assert!(matches!(Error::from(StoreError::Stale), Error::Stale));
    assert_eq!(StoreError::Duplicate.to_string(), "a record with this id exists");
    let words = [Error::NotFound, Error::Stale, Error::UnknownPageKey, Error::Form(Vec::new())]
        .map(|error| error.to_string());
    let expected = [
        "no such record",
        "the submission changed in between",
        "unknown page key",
        "the form has faults",
    ];
    assert_eq!(words, expected);
}
