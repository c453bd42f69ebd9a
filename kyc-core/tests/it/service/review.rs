use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    client, client_record, form, form_aml_only, form_full, form_l2, inspector, submission_id, valid,
};
use kyc_core::service::{CaseFile, Decision, Error};
use kyc_core::{
    Actor, ClientId, Email, Forbidden, Form, QueueFilter, Slot, Status, Submission, SubmissionId,
};
use time::macros::date;

use super::world::{World, approve, omar, reject, reopen, retake, world};

#[test]
fn d53_an_inspector_sees_the_clients_that_they_are_bound_to() {
    let world = world();
    let clients = |inspector| -> Vec<ClientId> {
        world.clients_of(&inspector).unwrap().iter().map(|client| client.id).collect()
    };
    assert_eq!(clients(inspector()), [client(1), client(2)]);
    assert_eq!(clients(omar()), [client(2)]);
}

#[test]
fn d53_a_case_file_has_everything_that_an_inspector_needs() {
    let world = world();
    let submission = world.submit_form(2, &form_full());
    let duplicate = world.submit_form(2, &Form { email: valid("zoe@example.org"), ..form_full() });
    let expected = CaseFile {
        client: client_record(2).into(),
        submission: submission.clone(),
        duplicates: vec![duplicate.as_duplicate()],
    };
    assert_eq!(world.case_file(&inspector(), submission.id()).unwrap(), expected);
    assert_eq!(world.case_file(&omar(), submission.id()).unwrap(), expected);
}

#[test]
fn d53_what_an_inspector_may_not_see_is_not_there() {
    let world = world();
    let submission = world.submit_form(1, &form());
    let (id, version) = (submission.id(), submission.version());
    assert!(matches!(world.case_file(&omar(), id), Err(Error::NotFound)));
    assert!(matches!(world.decide(&omar(), id, version, approve()), Err(Error::NotFound)));
    assert!(matches!(world.case_file(&inspector(), submission_id(99)), Err(Error::NotFound)));
    assert_identical(&world.stored(1, id).unwrap(), &submission);
}

#[test]
fn d29_a_decision_is_stored_with_who_took_it_and_when() {
    let world = world();
    let submission = world.submit_form(2, &form_l2());
    let issued = Some(date!(2026 - 11 - 02));
    let decisions = [
        (reject(), Status::Rejected),
        (reopen(), Status::Pending),
        (retake(&[Slot::Selfie]), Status::Incomplete),
    ];
    let mut current = submission;
    for (decision, status) in decisions {
        world.clock.advance_millis(1_000);
        let case = world.decide(&omar(), current.id(), current.version(), decision).unwrap();
        assert_eq!((case.submission.status(), &*case.client), (status, &client_record(2)));
        let entry = case.submission.history().last().unwrap();
        assert_eq!((entry.at, &entry.by), (world.now(), &Actor::Inspector(valid("omar"))));
        assert_identical(&world.stored(2, current.id()).unwrap(), &case.submission);
        current = case.submission;
    }

    let another = world.submit_form(2, &form_l2());
    let approve = Decision::Approve { id_expires: date!(2031 - 02 - 28), address_issued: issued };
    assert_eq!(world.decided(&another, approve).status(), Status::Approved);
}

#[test]
fn d29_a_decision_that_the_state_does_not_allow_changes_nothing() {
    #[track_caller]
    fn check(world: &World, submission: &Submission, decision: Decision, expected: Forbidden) {
        let (id, version) = (submission.id(), submission.version());
        let refused = world.decide(&inspector(), id, version, decision).unwrap_err();
        assert!(matches!(refused, Error::Forbidden(forbidden) if forbidden == expected));
        assert_eq!(refused.to_string(), expected.to_string());
        assert_identical(&world.stored(1, id).unwrap(), submission);
    }
    let world = world();
    let pending = world.submit_form(1, &form());
    check(&world, &pending, reopen(), Forbidden::NotFinal);
    check(&world, &pending, retake(&[]), Forbidden::NoDocumentNamed);
    check(&world, &pending, retake(&[Slot::AddressProof]), Forbidden::NoSuchDocument);
    let level_2 = world.submit_form(1, &form_l2());
    check(&world, &level_2, approve(), Forbidden::AddressDateMissing);
    let rejected = world.decided(&pending, reject());
    check(&world, &rejected, approve(), Forbidden::NotPending);
    check(&world, &rejected, reject(), Forbidden::NotPending);
    check(&world, &rejected, retake(&[Slot::Selfie]), Forbidden::NotPending);
    check(&world, &world.submit_form(1, &form_aml_only()), reopen(), Forbidden::AmlOnly);
}

#[test]
fn d53_a_decision_is_on_the_version_that_the_inspector_saw() {
    let world = world();
    let seen = world.submit_form(1, &form());
    let current = world.decided(&world.decided(&seen, reject()), reopen());
    for version in [0, 1, 2, 4, u32::MAX] {
        let refused = world.decide(&inspector(), seen.id(), version, approve());
        assert!(matches!(refused, Err(Error::Stale)), "version {version}");
    }
    assert_identical(&world.stored(1, seen.id()).unwrap(), &current);
    assert_eq!(current.version(), 3);
    world.decided(&current, approve());
}

#[test]
fn d53_of_two_decisions_at_once_one_wins() {
    let world = world();
    let seen = world.submit_form(1, &form());
    let faster = kyc_core::conformance::fixture::rejected(seen.clone());
    world.store.overtaken_by(client(1), faster.clone());
    let slower = world.decide(&inspector(), seen.id(), seen.version(), approve());
    assert!(matches!(slower, Err(Error::Stale)));
    assert_identical(&world.stored(1, seen.id()).unwrap(), &faster);
}

#[test]
fn d53_the_queue_goes_on_behind_a_submission() {
    let world = world();
    let all: Vec<Submission> =
        [1, 2, 1, 2, 1].map(|number| world.submit_form(number, &form())).into();
    let ids: Vec<SubmissionId> = all.iter().map(Submission::id).collect();
    let clients = [client(1), client(2)];
    let filter = QueueFilter::all(&clients);
    let queue = |filter: &QueueFilter<'_>, after, limit| -> Vec<SubmissionId> {
        let queued = world.review_queue(&inspector(), filter, after, limit).unwrap();
        queued.items.iter().map(|queued| queued.submission.id()).collect()
    };
    assert_eq!(queue(&filter, None, 10), ids);
    assert_eq!(queue(&filter, None, 2), ids[..2]);
    assert_eq!(queue(&filter, Some(ids[1]), 2), ids[2..4]);
    assert_eq!(queue(&filter, Some(ids[4]), 2), []);

    // Where the last one of a page was decided in the meantime, the next page follows all the same.
    let pending = QueueFilter { status: Some(Status::Pending), ..filter };
    world.decided(&all[1], reject());
    assert_eq!(queue(&pending, Some(ids[1]), 10), ids[2..]);
    assert_eq!(queue(&pending, None, 10), [&ids[..1], &ids[2..]].concat());
    let rejected = QueueFilter { status: Some(Status::Rejected), ..pending };
    assert_eq!(queue(&rejected, None, 10), ids[1..2]);

    let absent: Email = valid("absent@example.org");
    assert_eq!(queue(&QueueFilter { email: Some(&absent), ..pending }, None, 10), []);
}

#[test]
fn d53_the_queue_knows_no_place_behind_what_the_clients_do_not_have() {
    let world = world();
    let foreign = world.submit_form(1, &form());
    let clients = [client(2)];
    let filter = QueueFilter::all(&clients);
    for id in [foreign.id(), submission_id(99)] {
        let refused = world.review_queue(&inspector(), &filter, Some(id), 10);
        assert!(matches!(refused, Err(Error::UnknownPageKey)));
    }
}
