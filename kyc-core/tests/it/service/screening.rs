use std::cell::{Cell, RefCell};
use std::sync::Mutex;

use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    approved, client, form, form_aml_only, form_full, inspector, reopened, screening, submission,
    time, valid,
};
use kyc_core::conformance::stand_in::SameAnswer;
use kyc_core::service::{Error, Pass};
use kyc_core::{
    Aml, AmlSummary, Form, RiskLevel, ScreenError, Screener, Screening, ScreeningQueue, Stall,
    StoreError, Subject, Submission, SubmissionStore, Timestamp,
};

use super::world::{Call, World, approve, reopen, world};

const CLEAR: SameAnswer = SameAnswer(Ok(RiskLevel::NotApplicable));

fn never_stop() -> bool {
    false
}

fn pass(world: &World, queue: ScreeningQueue, screener: &dyn Screener) -> Pass {
    world.screen_queue(queue, screener, &never_stop, &|_| {}).unwrap()
}

fn summary(world: &World, number: u32, submission: &Submission) -> AmlSummary {
    AmlSummary::of(&world.stored(number, submission.id()).unwrap())
}

#[test]
fn d40_everything_that_waits_is_screened() {
    let world = world();
    let waiting = world.decided(&world.submit_form(1, &form()), approve());
    let declared = world.submit_form(2, &form_aml_only());
    let pending = world.submit_form(1, &form());

    let done = pass(&world, ScreeningQueue::New, &SameAnswer(Ok(RiskLevel::Medium)));
    assert_eq!(done, Pass { screened: 2, stalled: 0 });
    assert_eq!(summary(&world, 1, &waiting), AmlSummary::Screened(RiskLevel::Medium));
    assert_eq!(summary(&world, 2, &declared), AmlSummary::Screened(RiskLevel::Medium));
    assert_identical(&world.stored(1, pending.id()).unwrap(), &pending);

    assert_eq!(
        pass(&world, ScreeningQueue::New, &CLEAR),
        Pass::default(),
        "nothing waits any more"
    );
}

#[test]
fn d40_a_queue_of_any_length_is_screened_in_one_pass() {
    let world = world();
    for number in 1..=150 {
        let submission = submission(number, form_aml_only());
        world.store.inner.insert(client(1 + number % 2), &submission).unwrap();
    }
    assert_eq!(pass(&world, ScreeningQueue::New, &CLEAR), Pass { screened: 150, stalled: 0 });
    assert_eq!(pass(&world, ScreeningQueue::New, &CLEAR), Pass::default());
}

/// Notes whom it was asked for.
#[derive(Default)]
struct Witness(Mutex<Vec<(String, Vec<String>, Timestamp)>>);

impl Screener for Witness {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        let wallets = subject.wallets.iter().map(|wallet| (*wallet).to_owned()).collect();
        self.0.lock().unwrap().push((subject.name.clone(), wallets, at));
        Ok(screening(RiskLevel::NotApplicable, at))
    }
}

#[test]
fn the_person_and_every_wallet_are_screened_as_of_now() {
    let world = world();
    world.decided(&world.submit_form(1, &form_full()), approve());
    world.clock.set(time(5_000));
    let witness = Witness::default();
    pass(&world, ScreeningQueue::New, &witness);
    let wallets = ["0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B", "bc1qexample0", "bc1qexample2"];
    let asked = vec![(
        "Zoë Анна 𐍈 de la O'Quill".to_owned(),
        wallets.map(str::to_owned).into(),
        time(5_000),
    )];
    assert_eq!(witness.0.into_inner().unwrap(), asked);
}

#[test]
fn the_subject_is_the_applicant() {
    let form = form_full();
    let subject = Subject::of(&form);
    assert_eq!(subject.birth_date, Some(form.applicant.birth_date.date()));
    assert_eq!(subject.nationality, Some(form.applicant.nationality));
    assert_eq!(subject.gender, Some(form.applicant.gender));
    let aml_only = form_aml_only();
    assert!(Subject::of(&aml_only).wallets.is_empty());
    let named = Subject::named("Mira Kole");
    assert_eq!(named.name, "Mira Kole");
    assert_eq!((named.birth_date, named.nationality, named.gender), (None, None, None));
}

#[test]
fn d34_a_failure_is_no_result() {
    for stall in [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed] {
        let world = world();
        let submission = world.submit_form(1, &form_aml_only());
        let heard = RefCell::new(Vec::new());
        let done = world
            .screen_queue(ScreeningQueue::New, &SameAnswer(Err(stall)), &never_stop, &|error| {
                heard.borrow_mut().push(error.stall());
            })
            .unwrap();
        assert_eq!(done, Pass { screened: 0, stalled: 1 });
        assert_eq!(heard.into_inner(), [stall]);
        let stored = world.stored(1, submission.id()).unwrap();
        assert_eq!(stored.review().aml(), Some(&Aml::Stalled(stall)));
        assert_eq!(pass(&world, ScreeningQueue::New, &CLEAR), Pass::default());
    }
}

#[test]
fn d34_what_stalled_is_tried_again() {
    let world = world();
    let submission = world.submit_form(1, &form_aml_only());
    pass(&world, ScreeningQueue::New, &SameAnswer(Err(Stall::ListMissing)));
    let version = || world.stored(1, submission.id()).unwrap().version();
    assert_eq!(version(), 2);

    let again = pass(&world, ScreeningQueue::Stalled, &SameAnswer(Err(Stall::ListMissing)));
    assert_eq!(again, Pass { screened: 0, stalled: 1 });
    assert_eq!(version(), 2, "the same failure once more is no change");

    pass(&world, ScreeningQueue::Stalled, &SameAnswer(Err(Stall::ListTooOld)));
    assert_eq!(version(), 3, "another failure is one");

    let done = pass(&world, ScreeningQueue::Stalled, &CLEAR);
    assert_eq!(done, Pass { screened: 1, stalled: 0 });
    assert_eq!(summary(&world, 1, &submission), AmlSummary::Screened(RiskLevel::NotApplicable));
    assert_eq!(pass(&world, ScreeningQueue::Stalled, &CLEAR), Pass::default());
}

#[test]
fn a_failing_engine_does_not_hold_a_pass_up() {
    let world = world();
    for number in 1..=150 {
        world.store.inner.insert(client(1), &submission(number, form_aml_only())).unwrap();
    }
    let failing = SameAnswer(Err(Stall::Failed));
    let all_stalled = Pass { screened: 0, stalled: 150 };
    assert_eq!(pass(&world, ScreeningQueue::New, &failing), all_stalled);
    assert_eq!(pass(&world, ScreeningQueue::Stalled, &failing), all_stalled);
}

#[test]
fn a_pass_stops_when_it_is_told_to() {
    let world = world();
    for number in 1..=10 {
        world.store.inner.insert(client(1), &submission(number, form_aml_only())).unwrap();
    }
    // Asked once before the batch and once before each submission.
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 4
    };
    let done = world.screen_queue(ScreeningQueue::New, &CLEAR, &stop, &|_| {}).unwrap();
    assert_eq!(done, Pass { screened: 3, stalled: 0 });
    let done = world.screen_queue(ScreeningQueue::New, &CLEAR, &|| true, &|_| {}).unwrap();
    assert_eq!(done, Pass::default());
    assert_eq!(pass(&world, ScreeningQueue::New, &CLEAR), Pass { screened: 7, stalled: 0 });
}

/// Does something while it screens, and then finds a high risk.
struct Meanwhile<'w>(Box<dyn Fn() + Send + Sync + 'w>, Result<RiskLevel, Stall>);

impl Screener for Meanwhile<'_> {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        (self.0)();
        SameAnswer(self.1).screen(subject, at)
    }
}

#[test]
fn d40_a_stale_result_loses() {
    for answer in [Ok(RiskLevel::High), Err(Stall::Failed)] {
        let world = world();
        let waiting = world.decided(&world.submit_form(1, &form()), approve());
        let while_screening = Meanwhile(
            Box::new(|| {
                world.decided(&waiting, reopen());
            }),
            answer,
        );
        let done = pass(&world, ScreeningQueue::New, &while_screening);
        assert_eq!(done, Pass::default(), "what was not stored is not counted");
        assert_identical(
            &world.stored(1, waiting.id()).unwrap(),
            &world.case_file(&inspector(), waiting.id()).unwrap().submission,
        );
        assert_eq!(summary(&world, 1, &waiting), AmlSummary::NotStarted);
        assert_eq!(world.stored(1, waiting.id()).unwrap().history().len(), 2);
    }
}

#[test]
fn d40_of_two_workers_one_keeps_its_result() {
    let world = world();
    let submission = world.submit_form(1, &form_aml_only());
    let while_screening = Meanwhile(
        Box::new(|| {
            pass(&world, ScreeningQueue::New, &SameAnswer(Ok(RiskLevel::Low)));
        }),
        Ok(RiskLevel::High),
    );
    assert_eq!(pass(&world, ScreeningQueue::New, &while_screening), Pass::default());
    let stored = world.stored(1, submission.id()).unwrap();
    assert_eq!(AmlSummary::of(&stored), AmlSummary::Screened(RiskLevel::Low));
    assert_eq!(stored.history().len(), 1);
}

#[test]
fn d40_after_a_crash_exactly_one_result_is_kept() {
    let world = world();
    let all: Vec<Submission> = (1..=3).map(|_| world.submit_form(1, &form_aml_only())).collect();
    // The second result does not reach the store.
    let replaced = Mutex::new(0);
    world.store.before_each_call(move |_, call| {
        let mut replaced = replaced.lock().unwrap();
        *replaced += u32::from(call == Call::Replace);
        if *replaced == 2 { Err(StoreError::Unavailable("crashed".into())) } else { Ok(()) }
    });
    let crashed = world.screen_queue(ScreeningQueue::New, &CLEAR, &never_stop, &|_| {});
    assert!(matches!(crashed, Err(Error::Store(StoreError::Unavailable(_)))));
    let summaries =
        || all.iter().map(|submission| summary(&world, 1, submission)).collect::<Vec<_>>();
    let clear = AmlSummary::Screened(RiskLevel::NotApplicable);
    assert_eq!(summaries(), [clear, AmlSummary::Waiting, AmlSummary::Waiting]);

    world.store.undisturbed();
    assert_eq!(pass(&world, ScreeningQueue::New, &CLEAR), Pass { screened: 2, stalled: 0 });
    assert_eq!(summaries(), [clear; 3]);
    for submission in &all {
        assert_eq!(world.stored(1, submission.id()).unwrap().history().len(), 1);
    }
}

#[test]
fn a_reopened_submission_leaves_the_queue() {
    let world = world();
    let submission = submission(1, Form { email: valid("leo@example.org"), ..form() });
    let taken_back = reopened(approved(submission));
    world.store.inner.insert(client(1), &taken_back).unwrap();
    assert_eq!(pass(&world, ScreeningQueue::New, &CLEAR), Pass::default());
    assert_eq!(pass(&world, ScreeningQueue::Stalled, &CLEAR), Pass::default());
}

#[test]
fn why_a_screening_failed_is_told_in_words() {
    let list = || "un".to_owned();
    let errors = [
        ScreenError::ListMissing { list: list() },
        ScreenError::ListTooOld { list: list() },
        ScreenError::NoUsableName,
        ScreenError::Failed("the disk is full".into()),
    ];
    let words = errors.each_ref().map(ToString::to_string);
    let expected = [
        "the required list un is missing",
        "the required list un is too old",
        "the name has no letters that can be compared",
        "the screening engine failed",
    ];
    assert_eq!(words, expected);
    let stalls = errors.each_ref().map(ScreenError::stall);
    let expected = [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed];
    assert_eq!(stalls, expected);
}
