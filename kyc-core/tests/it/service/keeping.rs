//! How long records are kept is said of the applicant, by whoever knows (D105).

use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{client, form, inspector, valid};
use kyc_core::service::{CaseFile, Decision, Error};
use kyc_core::{
    Actor, AuditActor, AuditEvent, AuditLog, Forbidden, Form, RetentionDecision, StoreError,
    Submission, SubmissionId,
};
use time::Date;
use time::macros::date;

use super::world::{Call, World, omar, world};

const LAST: Date = date!(2026 - 11 - 20);

fn end() -> RetentionDecision {
    RetentionDecision::End { on: Some(LAST) }
}

fn hold() -> RetentionDecision {
    RetentionDecision::Hold { reason: valid("Case 17."), until: None }
}

fn release() -> RetentionDecision {
    RetentionDecision::Release { reason: valid("Closed.") }
}

/// An inspector says it of a submission as it is now.
fn say(world: &World, of: &Submission, what: RetentionDecision) -> Result<CaseFile, Error> {
    let version = world.stored(1, of.id()).unwrap().version();
    world.decide(&inspector(), of.id(), version, Decision::Retention(what))
}

fn ended(world: &World, number: u32, id: SubmissionId) -> Option<Date> {
    world.stored(number, id).unwrap().ended()
}

#[test]
fn d105_what_an_inspector_says_holds_for_the_applicants_other_submissions() {
    let world = world();
    let of = |number, form: &Form| world.submit_form(number, form);
    let same = Form { email: valid("MIRA.kole@example.org"), ..form() };
    let leo = Form { email: valid("leo@example.org"), ..form() };
    let (first, second) = (of(1, &same), of(1, &form()));
    let (other, theirs) = (of(1, &leo), of(2, &form()));

    let told = say(&world, &second, end()).unwrap().submission;
    assert_identical(&world.stored(1, second.id()).unwrap(), &told);
    for (number, one, expected) in
        [(1, &first, Some(LAST)), (1, &second, Some(LAST)), (1, &other, None), (2, &theirs, None)]
    {
        assert_eq!(ended(&world, number, one.id()), expected);
    }
    let spread = world.stored(1, first.id()).unwrap();
    assert_eq!(spread.history().last().unwrap().by, Actor::Inspector(inspector().name));
    assert_eq!(world.stored(1, other.id()).unwrap().version(), 1);

    say(&world, &first, RetentionDecision::End { on: None }).unwrap();
    assert_eq!(ended(&world, 1, second.id()), None, "taken back for all, too");
}

#[test]
fn d95_what_is_said_of_keeping_is_a_row_for_each_submission_it_holds_for() {
    let world = world();
    let (first, second) = (world.submit_form(1, &form()), world.submit_form(1, &form()));
    let before = world.audit.audited(Some(client(1)), 0, usize::MAX).unwrap().len();
    let taken_back = RetentionDecision::End { on: None };
    for what in [end(), taken_back, hold(), release()] {
        say(&world, &second, what).unwrap();
    }
    let rows = world.audit.audited(Some(client(1)), 0, usize::MAX).unwrap();
    let rows: Vec<_> = rows.into_iter().skip(before).map(|row| row.entry).collect();
    assert!(rows.iter().all(|row| row.by == AuditActor::Inspector(inspector().name)));
    let of = |id: SubmissionId| -> Vec<AuditEvent> {
        let about = rows.iter().filter(|row| row.event.submissions() == [id]);
        about.map(|row| row.event.clone()).collect()
    };
    for id in [first.id(), second.id()] {
        let expected = [
            AuditEvent::RelationshipEnded(id),
            AuditEvent::RelationshipGoesOn(id),
            AuditEvent::HoldSet(id),
            AuditEvent::HoldLifted(id),
        ];
        assert_eq!(of(id), expected);
    }
}

#[test]
fn d105_what_cannot_be_said_changes_nothing() {
    let world = world();
    let (one, other) = (world.submit_form(1, &form()), world.submit_form(1, &form()));
    let early = RetentionDecision::End { on: Some(date!(2026 - 11 - 19)) };
    for (what, expected) in [
        (early, Forbidden::EndBeforeStart),
        (RetentionDecision::End { on: None }, Forbidden::NotEnded),
        (release(), Forbidden::NotHeld),
    ] {
        let refused = say(&world, &one, what);
        assert!(matches!(refused, Err(Error::Forbidden(why)) if why == expected), "{refused:?}");
    }
    let decision = || Decision::Retention(end());
    let stale = world.decide(&inspector(), one.id(), 7, decision());
    assert!(matches!(stale, Err(Error::Stale)));
    let foreign = world.decide(&omar(), one.id(), 1, decision());
    assert!(matches!(foreign, Err(Error::NotFound)));
    for one in [one, other] {
        assert_identical(&world.stored(1, one.id()).unwrap(), &one);
    }
}

#[test]
fn d105_what_failed_on_the_way_is_said_again() {
    let world = world();
    let all: Vec<Submission> = (0..3).map(|_| world.submit_form(1, &form())).collect();
    let told = || all.iter().map(|one| ended(&world, 1, one.id())).collect::<Vec<_>>();
    let mut replaced = 0;
    world.store.before_each_call(move |_, call| {
        replaced += u32::from(call == Call::Replace);
        if replaced == 2 { Err(StoreError::Unavailable("told to fail".into())) } else { Ok(()) }
    });
    let failed = say(&world, &all[0], end());
    assert!(matches!(failed, Err(Error::Store(StoreError::Unavailable(_)))), "{failed:?}");
    assert_eq!(told(), [None, Some(LAST), None], "the one that was meant is the last");
    world.store.undisturbed();
    say(&world, &all[0], end()).unwrap();
    assert_eq!(told(), [Some(LAST); 3]);
    let versions = all.iter().map(|one| world.stored(1, one.id()).unwrap().version());
    assert!(versions.eq([2, 2, 2]), "nothing is said twice of one");
}
