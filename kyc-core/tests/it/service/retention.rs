mod meanwhile; // what happens between a look and an erasure
mod years; // six years, day by day

use std::sync::Arc;
use std::time::Duration;

use kyc_core::conformance::fixture::{
    approved, client, client_record, form, inspector, rejected, submission_id, time,
};
use kyc_core::conformance::stand_in::{CountingIds, ManualClock};
use kyc_core::memory::{
    MemoryAudit, MemoryDirectory, MemoryDocuments, MemoryRetention, MemorySubmissions,
};
use kyc_core::service::{EraseDocumentError, EraseError, Error, Keeper, Options, Service};
use kyc_core::{
    Actor, Clock, Document, DocumentKind, DocumentStore, Doubt, FileFormat, Forbidden, Keep,
    Lookup, Retention, RetentionDecision, RetentionPolicy, RetentionRuns, RunLimits, Slot,
    Spelling, Status, Submission, SubmissionStore, Timestamp,
};
use time::Date;
use time::macros::date;

use super::world::PDF;

struct World {
    clock: Arc<ManualClock>,
    directory: Arc<MemoryDirectory>,
    submissions: Arc<MemorySubmissions>,
    documents: Arc<MemoryDocuments>,
    store: Arc<MemoryRetention>,
    service: Service,
    keeper: Keeper,
}

fn world(limits: RunLimits) -> World {
    let clock = Arc::new(ManualClock::at(time(0)));
    let directory = MemoryDirectory::default()
        .with_client("key 1", client_record(1))
        .with_client("key 2", client_record(2))
        .with_inspector("token", inspector());
    let directory = Arc::new(directory);
    let submissions = Arc::new(MemorySubmissions::default());
    let documents = Arc::new(MemoryDocuments::default());
    let store = Arc::new(MemoryRetention::over(submissions.clone(), documents.clone()));
    let service = Service::new(
        submissions.clone(),
        documents.clone(),
        directory.clone(),
        Arc::new(MemoryAudit::default()),
        clock.clone(),
        Arc::new(CountingIds::default()),
        Options::default(),
    )
    .with_retention(store.clone());
    let policy = RetentionPolicy::default();
    let keeper = Keeper::new(service.clone(), store.clone(), policy, limits);
    World { clock, directory, submissions, documents, store, service, keeper }
}

impl World {
    /// Stores the submission with that number, handed in now, in a state.
    fn store(&self, who: u32, number: u32, state: fn(Submission) -> Submission) -> Submission {
        let at = self.service.now_of(client(who)).unwrap();
        let one = state(Submission::new(form(), submission_id(number), at));
        self.submissions.insert(client(who), &one).unwrap();
        one
    }

    fn is_there(&self, who: u32, number: u32) -> bool {
        self.keeper.keep(client(who), submission_id(number)).is_ok()
    }

    fn decide(&self, number: u32, decision: &RetentionDecision) -> Result<Submission, Error> {
        let id = submission_id(number);
        self.service.decide_retention(client(1), id, &Actor::Operator, decision)
    }

    fn set(&self, text: &str) {
        self.clock.set(at(text));
    }
}

fn at(text: &str) -> Timestamp {
    let (day, millis) = text.split_once('+').unwrap_or((text, "0"));
    let day = kyc_core::day::parse(day).unwrap();
    Timestamp::from_utc(day.midnight().as_utc())
        .plus(Duration::from_millis(millis.parse().unwrap()))
}

/// As handed in, pending.
fn pending(submission: Submission) -> Submission {
    submission
}

fn end(on: Date) -> RetentionDecision {
    RetentionDecision::End { on: Some(on) }
}

fn hold(until: Option<Date>) -> RetentionDecision {
    RetentionDecision::Hold { reason: "Case 17.".parse().unwrap(), until }
}

fn release() -> RetentionDecision {
    RetentionDecision::Release { reason: "Closed.".parse().unwrap() }
}

/// No run is refused for its clock.
fn bold() -> RunLimits {
    RunLimits { gap_days_max: u16::MAX, ..RunLimits::default() }
}

#[test]
fn t31_nothing_is_erased_a_millisecond_early_and_nothing_later_than_the_next_run() {
    for (state, due) in [
        // Handed in or turned down on 2026-11-20: kept for all of 2031-11-20.
        (pending as fn(_) -> _, "2031-11-21"),
        (rejected, "2031-11-21"),
    ] {
        let world = world(bold());
        world.store(1, 1, state);
        let one_before = Timestamp::from_unix_millis(at(due).unix_millis() - 1).unwrap();
        world.clock.set(one_before);
        assert_eq!(world.keeper.run(None).unwrap().due, 0);
        assert!(world.is_there(1, 1), "{due} is not yet");
        world.set(due);
        assert_eq!(world.keeper.run(None).unwrap().erased, 1);
        assert!(!world.is_there(1, 1));
    }
}

#[test]
fn d105_an_approved_submission_is_kept_until_the_end_of_the_relationship_is_told() {
    let world = world(bold());
    world.store(1, 1, approved);
    world.set("2099-01-01");
    assert_eq!(world.keeper.run(None).unwrap().due, 0);
    world.decide(1, &end(date!(2028 - 02 - 29))).unwrap();
    assert_eq!(
        world.keeper.keep(client(1), submission_id(1)).unwrap(),
        Keep::Until(at("2033-03-01")),
        "five years after a leap day"
    );
    world.decide(1, &RetentionDecision::End { on: None }).unwrap();
    assert_eq!(world.keeper.run(None).unwrap().due, 0, "it was taken back");
    world.decide(1, &end(date!(2028 - 02 - 29))).unwrap();
    assert_eq!(world.keeper.run(None).unwrap().erased, 1);
}

#[test]
fn d105_an_end_holds_for_all_of_the_applicant_that_was_handed_in_until_then() {
    let world = world(bold());
    world.store(1, 1, approved);
    world.store(1, 2, approved);
    world.store(2, 1, approved);
    world.set("2027-06-01");
    world.store(1, 3, approved);
    world.decide(2, &end(date!(2027 - 01 - 31))).unwrap();
    world.set("2032-02-01");
    assert_eq!(world.keeper.run(None).unwrap().erased, 2);
    assert!(world.is_there(1, 3), "a new relationship");
    assert!(world.is_there(2, 1), "another client's");
}

#[test]
fn t31_a_hold_blocks_until_it_is_released_or_over() {
    let world = world(bold());
    world.store(1, 1, rejected);
    world.decide(1, &hold(None)).unwrap();
    world.set("2040-01-01");
    assert_eq!(world.keeper.run(None).unwrap().due, 0);
    let refused = |decision| match world.decide(1, &decision) {
        Err(Error::Forbidden(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let until_march = hold(Some(date!(2040 - 03 - 31)));
    assert_eq!(refused(until_march.clone()), Forbidden::HeldLonger);
    world.decide(1, &release()).unwrap();
    assert_eq!(refused(hold(Some(date!(2039 - 12 - 31)))), Forbidden::HoldOver);
    world.decide(1, &until_march).unwrap();
    world.set("2040-03-31");
    assert_eq!(world.keeper.run(None).unwrap().due, 0);
    world.set("2040-04-01");
    assert_eq!(world.keeper.due().unwrap().0.len(), 1);
    world.decide(1, &hold(None)).unwrap();
    assert_eq!(world.keeper.run(None).unwrap().due, 0);
    world.decide(1, &release()).unwrap();
    assert_eq!(world.keeper.run(None).unwrap().erased, 1);
}

#[test]
fn d105_a_hold_goes_along_with_a_renewal() {
    let world = world(bold());
    let old = world.store(1, 1, approved);
    world.decide(1, &hold(None)).unwrap();
    let renewed = world.service.renew(client(1), &old.form().email, old.id()).unwrap();
    assert!(renewed.hold().is_some());
    assert_eq!((renewed.version(), renewed.status()), (1, Status::Approved));
}

#[test]
fn d106_an_erasure_on_request_is_refused_while_the_record_must_be_kept() {
    let world = world(bold());
    world.store(1, 1, approved);
    let erase = |number| {
        let reason = "gdpr_17".parse().unwrap();
        world.keeper.erase(client(1), submission_id(number), reason)
    };
    assert!(matches!(erase(1), Err(EraseError::Kept(Keep::Relationship))));
    world.decide(1, &end(date!(2027 - 01 - 31))).unwrap();
    let refused = erase(1).unwrap_err();
    assert_eq!(refused.to_string(), "it is to be kept until 2032-02-01T00:00:00.000Z");
    world.decide(1, &hold(None)).unwrap();
    assert!(matches!(erase(1), Err(EraseError::Kept(Keep::Hold))));
    world.decide(1, &release()).unwrap();
    world.set("2032-02-01");
    let certificate = erase(1).unwrap();
    assert_eq!(certificate.cause.reason().unwrap().as_str(), "gdpr_17");
    assert_eq!(world.service.certificate(&inspector(), submission_id(1)).unwrap(), certificate);
    assert!(matches!(erase(1), Err(EraseError::NotFound)));
    assert!(matches!(erase(2), Err(EraseError::NotFound)));
}

#[test]
fn d120_one_document_is_erased_unless_a_hold_or_a_decision_stands() {
    let world = world(bold());
    let form = form();
    let selfie = *form.identification().unwrap().evidence.document(Slot::Selfie).unwrap();
    let document =
        Document { handle: selfie, created_at: time(0), format: FileFormat::Png, size_bytes: 3 };
    world.documents.put(client(1), &document, b"png").unwrap();
    let (first, second) = (world.store(1, 1, pending), world.store(1, 2, approved));
    let erase = || {
        let reason = "not_the_applicant".parse().unwrap();
        world.keeper.erase_document(client(1), selfie.id(), reason)
    };
    let kept = |erased: Result<_, EraseDocumentError>| match erased {
        Err(EraseDocumentError::Kept { id, why }) => (id, why),
        other => panic!("{other:?}"),
    };
    assert_eq!(kept(erase()), (second.id(), Forbidden::DecisionRests));
    let reopened = second.reopen(&inspector(), time(900), "The wrong person.".parse().unwrap());
    world.submissions.replace(client(1), &reopened.unwrap()).unwrap();
    world.decide(1, &hold(None)).unwrap();
    assert_eq!(kept(erase()), (first.id(), Forbidden::Held));
    world.decide(1, &release()).unwrap();
    world.decide(2, &hold(Some(date!(2026 - 11 - 30)))).unwrap();
    assert_eq!(kept(erase()).1, Forbidden::Held);
    let bytes = || world.documents.bytes(client(1), selfie.id()).unwrap();
    assert!(bytes().is_some(), "nothing has changed");
    // A hold means nothing behind its last day.
    world.set("2026-12-01");

    let certificate = erase().unwrap();
    assert_eq!(certificate.submissions, [first.id(), submission_id(2)]);
    assert_eq!(bytes(), None);
    for number in 1..=2 {
        let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
        let left = world.service.latest(client(1), &lookup).unwrap();
        assert_eq!((left.status(), left.document(Slot::Selfie)), (Status::Incomplete, None));
    }
    assert!(matches!(erase(), Err(EraseDocumentError::NotFound)));
}

#[test]
fn d107_uploads_that_nobody_refers_to_are_erased_after_a_month() {
    let world = world(bold());
    let upload = || {
        let kind = DocumentKind::Passport;
        let uploaded = world.service.upload(&client_record(1), kind, Spelling::Joined, PDF);
        uploaded.unwrap().handle.id()
    };
    let is_there = |id| DocumentStore::find(&*world.documents, client(1), id).unwrap().is_some();
    let first = upload();
    world.set("2026-12-10");
    let second = upload();
    world.clock.set(time(0).plus(Duration::from_hours(30 * 24)));
    assert_eq!(world.keeper.run(None).unwrap().uploads, 0);
    world.clock.advance_millis(1);
    assert_eq!(world.keeper.run(None).unwrap().uploads, 1);
    assert!(!is_there(first) && is_there(second));
}

#[test]
fn t37_a_clock_that_jumped_erases_nothing_until_somebody_confirms() {
    for (now, expected) in [("2036-11-21", Doubt::ClockAhead), ("2016-11-21", Doubt::ClockBehind)] {
        let world = world(RunLimits::default());
        for number in 1..=3 {
            world.store(1, number, rejected);
        }
        world.set("2026-11-21");
        assert_eq!(world.keeper.run(None).unwrap().doubt, None);
        world.set(now);
        let run = world.keeper.run(None).unwrap();
        assert_eq!((run.doubt, run.erased, run.uploads), (Some(expected), 0, 0));
        assert_eq!(world.store.runs().unwrap().waiting, Some(run.due));
        let wrong = world.keeper.run(Some(run.due + 1)).unwrap();
        assert_eq!((wrong.doubt, wrong.erased), (Some(expected), 0), "another number");
        assert!(world.is_there(1, 1));
        let confirmed = world.keeper.run(Some(run.due)).unwrap();
        assert_eq!((confirmed.doubt, confirmed.erased), (None, run.due));
        assert_eq!(world.store.runs().unwrap().waiting, None);
    }
}

#[test]
fn t37_another_number_than_what_is_due_is_refused_also_without_a_doubt() {
    let world = world(bold());
    world.directory.set_sandbox(client(2), Duration::from_hours(24 * (5 * 365 + 4)));
    world.store(2, 1, rejected);
    let refused = |number| {
        let run = world.keeper.run(Some(number)).unwrap();
        assert_eq!(run.doubt, Some(Doubt::OtherNumber));
        assert_eq!((run.erased, run.of_sandboxes), (0, 0), "not even in a sandbox");
        assert_eq!(world.store.runs().unwrap(), RetentionRuns::default(), "it is no alarm");
    };
    refused(1);
    world.store(1, 1, rejected);
    world.set("2031-11-21");
    refused(0);
    refused(2);
    assert!(world.is_there(1, 1));
    assert_eq!(world.keeper.run(Some(1)).unwrap().erased, 1);
    assert_eq!(world.keeper.run(Some(0)).unwrap().doubt, None);
}

#[test]
fn t37_the_first_run_compares_its_clock_with_what_is_stored() {
    let world = world(RunLimits::default());
    world.store(1, 1, rejected);
    world.set("2031-11-21");
    assert_eq!(world.keeper.run(None).unwrap().doubt, Some(Doubt::ClockAhead));
}

#[test]
fn t37_an_unusual_part_of_all_waits_for_a_confirmation() {
    let world = world(bold());
    for number in 1..=11 {
        world.store(1, number, rejected);
    }
    world.set("2031-11-21");
    let run = world.keeper.run(None).unwrap();
    assert_eq!((run.doubt, run.due, run.erased), (Some(Doubt::TooMany), 11, 0));
    assert_eq!(world.keeper.run(Some(11)).unwrap().erased, 11);
}

#[test]
fn d108_a_sandbox_lives_by_its_own_clock() {
    let world = world(RunLimits::default());
    world.directory.set_sandbox(client(2), Duration::ZERO);
    world.store(1, 1, rejected);
    world.store(2, 1, rejected);
    assert_eq!(world.keeper.run(None).unwrap().of_sandboxes, 0);
    // Five years and two days in a moment.
    world.directory.set_sandbox(client(2), Duration::from_hours(24 * (5 * 365 + 4)));
    assert!(world.service.now_of(client(2)).unwrap() > at("2031-11-21"));
    assert_eq!(world.service.now_of(client(1)).unwrap(), world.clock.now());
    let run = world.keeper.run(None).unwrap();
    assert_eq!((run.of_sandboxes, run.doubt, run.erased), (1, None, 0));
    assert!(world.is_there(1, 1) && !world.is_there(2, 1));
}
