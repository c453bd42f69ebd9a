//! A request that is sent again takes effect once, and gets the first answer (D98).

use std::sync::{Arc, mpsc};

use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    client, client_record, form, form_aml_only, inspector, replay, time, valid,
};
use kyc_core::service::{Error, Prepared};
use kyc_core::strategies::SentForm;
use kyc_core::{
    Answer, AuditActor, AuditEvent, AuditLog, Beside, Caller, CountrySyntax, Document,
    DocumentKind, Field, Fingerprint, Inspector, KeyedRequest, Replay, Spelling, StoreError,
    Submission, UsedUp,
};

use super::world::{Call, PDF, World, approve, omar, reject, world};

/// What the caller of a request is told, if it takes effect now.
fn told(caller: impl Into<Caller>, key: &str) -> Replay {
    let first = replay(key, time(0));
    Replay { request: KeyedRequest { caller: caller.into(), ..first.request }, ..first }
}

fn own(key: &str) -> Replay {
    told(&Arc::new(client_record(1)), key)
}

fn beside(replay: &Replay) -> Beside {
    Beside::answer(replay.clone())
}

impl World {
    fn prepared_form(&self, sent: &SentForm) -> Prepared<'_, Submission> {
        let values = |field: Field| sent.texts.get(&field).map(String::as_str);
        self.prepare_aml_only(client(1), &values, CountrySyntax::Combined).unwrap()
    }

    fn prepared_upload(&self) -> Prepared<'_, Document> {
        let (client, kind) = (client_record(1), DocumentKind::Passport);
        self.prepare_upload(&client, kind, Spelling::Joined, PDF).unwrap()
    }

    /// Stores it in the way that tells the outcome later.
    fn outcome_of<T>(prepared: Prepared<'_, T>, beside: Beside) -> Result<(), Error> {
        let (sender, outcome) = mpsc::channel();
        prepared.store_then(beside, move |stored| sender.send(stored).unwrap());
        let first = outcome.recv().unwrap();
        assert!(outcome.recv().is_err(), "an outcome is told once");
        first
    }
}

fn aml_only() -> SentForm {
    SentForm::of(&form_aml_only())
}

#[test]
fn d98_whatever_a_request_changed_its_repetition_is_answered_as_the_first() {
    let world = world();
    let pending = world.submit_form(1, &form());
    let [form, upload] = ["form", "upload"].map(own);
    let decision = told(&Arc::new(inspector()), "decision");
    for replay in [&form, &upload, &decision] {
        assert_eq!(world.answered(&replay.request).unwrap(), None, "it was not sent yet");
    }
    world.prepared_form(&aml_only()).store_with(beside(&form)).unwrap();
    world.prepared_upload().store_with(beside(&upload)).unwrap();
    let (id, version) = (pending.id(), pending.version());
    let prepared = world.prepare_decision(&inspector(), id, version, approve()).unwrap();
    prepared.store_with(beside(&decision)).unwrap();
    for replay in [form, upload, decision] {
        assert_eq!(world.answered(&replay.request).unwrap(), Some(replay.answer));
    }
}

#[test]
fn d98_another_request_under_the_same_key_is_refused() {
    let world = world();
    let (form, upload) = (own("form"), own("upload"));
    world.prepared_form(&aml_only()).store_with(beside(&form)).unwrap();
    world.prepared_upload().store_with(beside(&upload)).unwrap();
    for replay in [form, upload] {
        let other = KeyedRequest { fingerprint: Fingerprint([9; 32]), ..replay.request };
        assert!(matches!(world.answered(&other), Err(Error::KeyReused)));
    }
}

#[test]
fn d98_a_key_is_of_its_caller_alone() {
    let world = world();
    let first = own("order-17");
    world.prepared_form(&aml_only()).store_with(beside(&first)).unwrap();
    let others: [Caller; 2] =
        [(&Arc::new(client_record(2))).into(), (&Arc::new(inspector())).into()];
    for caller in others {
        let request = KeyedRequest { caller, ..first.request.clone() };
        assert_eq!(world.answered(&request).unwrap(), None);
    }
}

#[test]
fn d53_an_inspector_is_not_told_again_of_a_client_whom_they_no_longer_see() {
    let world = world();
    let pending = world.submit_form(2, &form());
    let first = told(&Arc::new(omar()), "decision");
    let prepared = world.prepare_decision(&omar(), pending.id(), 1, reject()).unwrap();
    prepared.store_with(beside(&first)).unwrap();
    assert!(world.answered(&first.request).unwrap().is_some());
    let bound_elsewhere = Inspector { clients: Some(vec![client(1)]), ..omar() };
    let caller = Caller::from(&Arc::new(bound_elsewhere));
    let request = KeyedRequest { caller, ..first.request };
    let before = world.audit.audited(Some(client(2)), 0, usize::MAX).unwrap().len();
    assert!(matches!(world.answered(&request), Err(Error::NotFound)));
    let after = world.audit.audited(Some(client(2)), 0, usize::MAX).unwrap().len();
    assert_eq!(before, after, "who is shown nothing leaves no row");
}

#[test]
fn d96_an_inspector_who_is_told_again_leaves_a_row_and_a_client_does_not() {
    let world = world();
    let pending = world.submit_form(1, &form());
    let first = told(&Arc::new(inspector()), "decision");
    let prepared = world.prepare_decision(&inspector(), pending.id(), 1, reject()).unwrap();
    prepared.store_with(beside(&first)).unwrap();
    let upload = own("upload");
    world.prepared_upload().store_with(beside(&upload)).unwrap();
    let rows = || world.audit.audited(Some(client(1)), 0, usize::MAX).unwrap();

    let before = rows().len();
    world.answered(&upload.request).unwrap().unwrap();
    assert_eq!(rows().len(), before);
    world.answered(&first.request).unwrap().unwrap();
    let added: Vec<_> = rows().into_iter().skip(before).map(|row| row.entry).collect();
    let [row] = added.as_slice() else { panic!("one row: {added:?}") };
    let expected = (&AuditActor::Inspector(valid("ines")), &AuditEvent::AnswerRepeated);
    assert_eq!((&row.by, &row.event), expected);
}

#[test]
fn d98_of_two_requests_under_one_key_the_second_changes_nothing() {
    let world = world();
    let pending = world.submit_form(1, &form());
    let (own, theirs) = (own("order-17"), told(&Arc::new(inspector()), "order-17"));
    let first = world.prepared_form(&aml_only()).store_with(beside(&own)).unwrap();
    let (id, version) = (pending.id(), pending.version());
    let decide = |decision| world.prepare_decision(&inspector(), id, version, decision).unwrap();
    let rejected = decide(reject());
    let approved = decide(approve()).store_with(beside(&theirs)).unwrap().submission;

    let second = world.prepared_form(&aml_only());
    let second_id = second.value().id();
    assert!(matches!(second.store_with(beside(&own)), Err(Error::KeyTaken)));
    assert_eq!(world.stored(1, second_id), None);
    assert_identical(&world.stored(1, first.id()).unwrap(), &first);
    // Though the version is another one by now: a repetition is no conflict of two inspectors.
    assert!(matches!(rejected.store_with(beside(&theirs)), Err(Error::KeyTaken)));
    assert_identical(&world.stored(1, id).unwrap(), &approved);
}

#[test]
fn d100_every_change_tells_its_outcome_once_and_brings_its_answer() {
    let world = world();
    let pending = world.submit_form(1, &form());
    let [form, upload] = ["form", "upload"].map(own);
    let decision = told(&Arc::new(inspector()), "decision");
    let prepared = world.prepared_form(&aml_only());
    let id = prepared.value().id();
    World::outcome_of(prepared, beside(&form)).unwrap();
    assert!(world.stored(1, id).is_some());
    let prepared = world.prepared_upload();
    let handle = prepared.value().handle;
    World::outcome_of(prepared, beside(&upload)).unwrap();
    assert!(world.document(client(1), &handle).is_ok());
    let decide = || world.prepare_decision(&inspector(), pending.id(), 1, reject()).unwrap();
    let late = decide();
    World::outcome_of(decide(), beside(&decision)).unwrap();
    for replay in [form, upload, decision] {
        let answer: Option<Answer> = world.answered(&replay.request).unwrap();
        assert_eq!(answer, Some(replay.answer));
    }
    assert!(matches!(World::outcome_of(late, Beside::NOTHING), Err(Error::Stale)));
    let again = World::outcome_of(world.prepared_upload(), beside(&own("upload")));
    assert!(matches!(again, Err(Error::KeyTaken)));
}

#[test]
fn d100_what_is_prepared_and_dropped_changes_nothing() {
    let world = world();
    let pending = world.submit_form(1, &form());
    let rows = world.audit.audited(Some(client(1)), 0, usize::MAX).unwrap().len();
    drop(world.prepared_form(&aml_only()));
    let handle = world.prepared_upload().value().handle;
    drop(world.prepare_decision(&inspector(), pending.id(), 1, approve()).unwrap());
    assert_eq!(world.stored_count(1), 1);
    assert!(matches!(world.document(client(1), &handle), Err(Error::NotFound)));
    assert_identical(&world.stored(1, pending.id()).unwrap(), &pending);
    assert_eq!(world.audit.audited(Some(client(1)), 0, usize::MAX).unwrap().len(), rows);
}

#[test]
fn d103_a_client_that_has_used_up_its_day_is_told_so() {
    let world = world();
    let used_up = UsedUp::SubmissionsOfDay { max: 3 };
    world.store.before_each_call(move |_, call| {
        if call == Call::Insert { Err(StoreError::UsedUp(used_up)) } else { Ok(()) }
    });
    let refused = world.send(client(1), &aml_only()).unwrap_err();
    assert!(matches!(&refused, Error::UsedUp(what) if *what == used_up));
    assert_eq!(refused.to_string(), "the client has used up its 3 submissions of this day");
    assert_eq!(world.stored_count(1), 0);
}

#[test]
fn d99_answers_are_forgotten_after_a_day_in_both_stores() {
    let world = world();
    world.prepared_form(&aml_only()).store_with(beside(&own("form"))).unwrap();
    world.prepared_upload().store_with(beside(&own("upload"))).unwrap();
    world.clock.advance_millis(Replay::KEPT_MILLIS - 1);
    assert!(!world.forget_answers(1).unwrap(), "nothing is over yet");
    assert!(world.answered(&own("form").request).unwrap().is_some());
    world.clock.advance_millis(1);
    assert_eq!(world.answered(&own("form").request).unwrap(), None);
    assert!(world.forget_answers(1).unwrap(), "as many as it may, so there may be more");
    assert!(!world.forget_answers(1).unwrap());
}
