use std::cell::RefCell;

use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    client, form, form_aml_only, hit, inspector, screening, submission, time, valid,
};
use kyc_core::conformance::stand_in::SameAnswer;
use kyc_core::service::{Decision, Error, Rescreened};
use kyc_core::{
    Actor, Forbidden, HitVerdict, QueuePlace, Queued, RiskLevel, ScreenError, Screener, Screening,
    ScreeningQueue, Stall, StoreError, Subject, Submission, SubmissionId, SubmissionStore,
    Timestamp,
};

use super::world::{Call, World, approve, reopen, world};

const CLEAR: SameAnswer = SameAnswer(Ok(RiskLevel::NotApplicable));
const FOUND: SameAnswer = SameAnswer(Ok(RiskLevel::High));

/// A submission of client 1 with this result.
fn screened(world: &World, risk: RiskLevel) -> Queued {
    let declared = world.submit_form(1, &form_aml_only());
    let engine = SameAnswer(Ok(risk));
    world.screen_queue(ScreeningQueue::New, &engine, &|| false, &|_| {}).unwrap();
    Queued { client: client(1), submission: world.stored(1, declared.id()).unwrap() }
}

fn rescreen(world: &World, queued: &Queued, screener: &dyn Screener) -> Rescreened {
    world.rescreen_one(queued, screener, &|_| {}).unwrap()
}

fn stored(world: &World, queued: &Queued) -> Submission {
    world.stored(1, queued.submission.id()).unwrap()
}

fn clear_first_hit(world: &World, queued: &Queued) {
    let current = stored(world, queued);
    let decision = Decision::Hit {
        hit: hit(1_000).key(),
        verdict: Some(HitVerdict::FalsePositive),
        note: valid("Older."),
    };
    world.decide(&inspector(), current.id(), current.version(), decision).unwrap();
}

#[test]
fn d82_the_same_result_is_not_written() {
    let world = world();
    let queued = screened(&world, RiskLevel::High);
    world.clock.advance_millis(60_000);
    assert_eq!(rescreen(&world, &queued, &FOUND), Rescreened::Unchanged);
    assert_identical(&stored(&world, &queued), &queued.submission);
}

#[test]
fn d82_another_result_takes_the_place_of_the_earlier_one() {
    let world = world();
    let queued = screened(&world, RiskLevel::NotApplicable);
    world.clock.advance_millis(60_000);
    assert_eq!(rescreen(&world, &queued, &FOUND), Rescreened::Changed);
    let changed = stored(&world, &queued);
    assert_eq!((changed.risk(), changed.needs_look()), (Some(RiskLevel::High), true));
    let result = &changed.result().unwrap().screening;
    assert_eq!(result.at, world.now());
    assert_eq!(changed.version(), queued.submission.version() + 1);
}

#[test]
fn d84_without_a_new_result_the_earlier_one_stands() {
    let world = world();
    let queued = screened(&world, RiskLevel::High);
    for stall in [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed] {
        let heard = RefCell::new(Vec::new());
        let hear = |error: &ScreenError| heard.borrow_mut().push(error.stall());
        let outcome = world.rescreen_one(&queued, &SameAnswer(Err(stall)), &hear).unwrap();
        assert_eq!(outcome, Rescreened::NoResult);
        assert_eq!(heard.into_inner(), [stall]);
        assert_identical(&stored(&world, &queued), &queued.submission);
    }
}

/// Lets something happen before it answers.
struct Meanwhile<'a>(&'a (dyn Fn() + Sync), SameAnswer);

impl Screener for Meanwhile<'_> {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        (self.0)();
        self.1.screen(subject, at)
    }
}

#[test]
fn d84_what_an_inspector_decides_meanwhile_is_kept() {
    let world = world();
    let queued = screened(&world, RiskLevel::High);
    let decide = || clear_first_hit(&world, &queued);
    let engine = Meanwhile(&decide, SameAnswer(Ok(RiskLevel::Low)));
    assert_eq!(rescreen(&world, &queued, &engine), Rescreened::Changed);
    let both = stored(&world, &queued);
    assert!(both.decisions().contains_key(&hit(1_000).key()));
    assert_eq!(both.risk(), Some(RiskLevel::Low));
    assert_eq!(both.version(), queued.submission.version() + 2);
}

#[test]
fn d84_what_was_reopened_meanwhile_has_no_result_to_replace() {
    let world = world();
    let approved = world.decided(&world.submit_form(1, &form()), approve());
    world.screen_queue(ScreeningQueue::New, &FOUND, &|| false, &|_| {}).unwrap();
    let submission = world.stored(1, approved.id()).unwrap();
    let queued = Queued { client: client(1), submission: submission.clone() };
    let reopen = || drop(world.decided(&submission, reopen()));
    assert_eq!(rescreen(&world, &queued, &Meanwhile(&reopen, CLEAR)), Rescreened::Gone);
    assert!(stored(&world, &queued).result().is_none());
    // Nor does a submission that nobody has.
    let nobody = Queued { client: client(2), ..queued };
    assert_eq!(rescreen(&world, &nobody, &CLEAR), Rescreened::Gone);
}

#[test]
fn d84_a_result_that_cannot_be_stored_leaves_the_earlier_one() {
    let world = world();
    let queued = screened(&world, RiskLevel::Low);
    world.store.before_each_call(|_, call| {
        let is_due = call == Call::Replace;
        if is_due { Err(StoreError::Unavailable("told to fail".into())) } else { Ok(()) }
    });
    let failed = world.rescreen_one(&queued, &FOUND, &|_| {});
    assert!(matches!(failed, Err(Error::Store(StoreError::Unavailable(_)))), "{failed:?}");
    assert_identical(&stored(&world, &queued), &queued.submission);
}

#[test]
fn d80_an_inspector_takes_back_what_they_decided_on_a_hit() {
    let world = world();
    let queued = screened(&world, RiskLevel::High);
    let decide = |verdict| {
        let (id, version) = (queued.submission.id(), stored(&world, &queued).version());
        let decision = Decision::Hit { hit: hit(1_000).key(), verdict, note: valid("Look again.") };
        world.decide(&inspector(), id, version, decision).map(|case| case.submission)
    };
    let refused = decide(None);
    assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NotDecided))), "{refused:?}");
    let confirmed = decide(Some(HitVerdict::TruePositive)).unwrap();
    assert_eq!(confirmed.decisions().len(), 1);
    let open = decide(None).unwrap();
    assert!(open.decisions().is_empty() && open.needs_look());
    assert_identical(&stored(&world, &queued), &open);
}

#[test]
fn d82_a_changed_result_is_to_be_looked_at_until_an_inspector_says_they_did() {
    let world = world();
    let queued = screened(&world, RiskLevel::High);
    let acknowledge = || {
        let (id, version) = (queued.submission.id(), stored(&world, &queued).version());
        world.decide(&inspector(), id, version, Decision::Acknowledge).map(|case| case.submission)
    };
    let refused = acknowledge();
    assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NothingNew))), "{refused:?}");
    world.clock.advance_millis(60_000);
    assert_eq!(rescreen(&world, &queued, &CLEAR), Rescreened::Changed);
    assert!(stored(&world, &queued).needs_look());
    let seen = acknowledge().unwrap();
    assert!(!seen.needs_look());
    let last = seen.history().last().unwrap();
    assert_eq!((last.at, &last.by), (world.now(), &Actor::Inspector(inspector().name)));
    assert_identical(&stored(&world, &queued), &seen);
}

#[test]
fn d84_a_walk_goes_on_behind_its_place() {
    let world = world();
    for number in 1..=7 {
        let all = submission(number, form_aml_only());
        world.store.inner.insert(client(1 + number % 2), &all).unwrap();
    }
    world.screen_queue(ScreeningQueue::New, &CLEAR, &|| false, &|_| {}).unwrap();
    let mut met: Vec<SubmissionId> = Vec::new();
    let mut after: Option<QueuePlace> = None;
    loop {
        // As after a kill: nothing but the place is known.
        let batch = world.screened_behind(after, 2).unwrap();
        let Some(last) = batch.last() else { break };
        after = Some(last.place());
        for queued in &batch {
            assert_eq!(rescreen(&world, queued, &FOUND), Rescreened::Changed);
            met.push(queued.submission.id());
        }
    }
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 7);

    // Behind one that was erased it begins again: nobody is left out.
    let erased = QueuePlace { client: client(2), submission: submission(99, form()).id() };
    assert_eq!(world.screened_behind(Some(erased), 10).unwrap().len(), 7);
}

#[test]
fn d81_a_renewed_applicant_keeps_what_was_cleared() {
    let world = world();
    let queued = screened(&world, RiskLevel::High);
    clear_first_hit(&world, &queued);
    let email = &queued.submission.form().email;
    let renewed = world.renew(client(1), email, queued.submission.id()).unwrap();
    let both_cleared = |at| {
        let found = screening(RiskLevel::High, at);
        Screening { hits: found.hits.into_iter().take(1).collect(), ..found }
    };
    let renewed = renewed.screened(both_cleared(time(900))).unwrap();
    assert_eq!(renewed.risk(), Some(RiskLevel::NotApplicable));
}
