//! What people are shown leaves a row in the audit, or is not shown (D96).

use kyc_core::conformance::fixture::{client, form, inspector, submission_id, valid};
use kyc_core::service::Error;
use kyc_core::{
    AuditActor, AuditEntry, AuditEvent, AuditLog, ClientId, Email, Lookup, QueueFilter, Slot,
    Submission,
};

use super::world::{World, approve, by_email, omar, world};

/// The rows of a chain that were added since `before` of them were there.
fn since(world: &World, chain: Option<ClientId>, before: usize) -> Vec<AuditEntry> {
    let rows = world.audit.audited(chain, 0, usize::MAX).unwrap();
    rows.into_iter().skip(before).map(|row| row.entry).collect()
}

fn count(world: &World, chain: Option<ClientId>) -> usize {
    since(world, chain, 0).len()
}

fn by_inspector(world: &World, event: AuditEvent) -> AuditEntry {
    let by = AuditActor::Inspector(inspector().name);
    AuditEntry { at: world.now(), by, event, about: None }
}

#[test]
fn d96_a_case_that_is_shown_leaves_a_row() {
    let world = world();
    let id = world.submit_form(1, &form()).id();
    let before = count(&world, Some(client(1)));
    world.case_file(&inspector(), id).unwrap();
    let row = by_inspector(&world, AuditEvent::CaseRead(id));
    assert_eq!(since(&world, Some(client(1)), before), [row]);

    world.case_file_for_operator(Some(client(1)), id).unwrap();
    let last = since(&world, Some(client(1)), before).pop().unwrap();
    assert_eq!((last.by, last.event), (AuditActor::Operator, AuditEvent::CaseRead(id)));
    assert!(world.case_file_for_operator(Some(client(2)), id).is_err());
}

#[test]
fn d96_everybody_who_is_shown_beside_a_case_is_named() {
    let world = world();
    let other = world.submit_form(1, &form()).id();
    let mut again = form();
    again.email = valid("mira.again@example.org");
    let id = world.submit_form(1, &again).id();
    let shown = || AuditEvent::DuplicatesRead { of: id, shown: vec![other] };
    let chain = Some(client(1));

    let before = count(&world, chain);
    assert_eq!(world.case_file(&inspector(), id).unwrap().duplicates[0].id, other);
    let rows = [AuditEvent::CaseRead(id), shown()].map(|event| by_inspector(&world, event));
    assert_eq!(since(&world, chain, before), rows);
    assert_eq!(rows[1].event.submissions(), [other]);

    let before = count(&world, chain);
    world.decide(&inspector(), id, 1, approve()).unwrap();
    let rows = [shown(), AuditEvent::Approved(id)].map(|event| by_inspector(&world, event));
    assert_eq!(since(&world, chain, before), rows);

    let before = count(&world, chain);
    world.case_file_for_operator(chain, id).unwrap();
    assert_eq!(since(&world, chain, before)[1].event, shown());
}

#[test]
fn d96_a_document_that_is_shown_leaves_a_row_that_names_it() {
    let world = world();
    let submission = world.submit_form(1, &form());
    let before = count(&world, Some(client(1)));
    let selfie = |submission: &Submission| submission.document(Slot::Selfie).copied();
    let (document, bytes) = world.read_document(&inspector(), submission.id(), selfie).unwrap();
    assert_eq!(usize::try_from(document.size_bytes), Ok(bytes.len()));
    let (id, document) = (submission.id(), document.handle.id());
    let row = by_inspector(&world, AuditEvent::DocumentRead { id, document });
    assert_eq!(since(&world, Some(client(1)), before), [row]);
}

#[test]
fn d96_a_page_of_the_queue_leaves_a_row_with_each_client_that_is_on_it() {
    let world = world();
    let ids = [1, 2, 1, 1].map(|number| world.submit_form(number, &form()).id());
    let before = [1, 2].map(|number| count(&world, Some(client(number))));
    let clients = [client(1), client(2)];
    let filter = QueueFilter::all(&clients);
    let page = world.review_queue(&inspector(), &filter, None, 3).unwrap();
    assert!(page.has_more, "the fourth is not shown, and so not recorded");
    let shown = [vec![ids[0], ids[2]], vec![ids[1]]];
    for ((client, before), shown) in clients.into_iter().zip(before).zip(shown) {
        let row = by_inspector(&world, AuditEvent::QueueRead(shown));
        assert_eq!(since(&world, Some(client), before), [row]);
    }
    assert_eq!(count(&world, None), 0);
}

#[test]
fn d96_a_search_leaves_the_hash_of_the_address_also_where_nothing_is_found() {
    let world = world();
    let id = world.submit_form(1, &form()).id();
    let clients = [client(1)];
    let spelling: Email = valid("MIRA.kole@example.org");
    for (email, chain, shown) in
        [(&spelling, Some(client(1)), vec![id]), (&valid("leo@example.org"), None, Vec::new())]
    {
        let before = count(&world, chain);
        let filter = QueueFilter { email: Some(email), ..QueueFilter::all(&clients) };
        world.review_queue(&inspector(), &filter, None, 3).unwrap();
        let about = Some(world.audit.audit_hash(chain, email.canonical()));
        let row = AuditEntry { about, ..by_inspector(&world, AuditEvent::QueueRead(shown)) };
        assert_eq!(since(&world, chain, before), [row]);
    }
    // The same hash as that of the submission, so that either is found by it.
    let submitted = since(&world, Some(client(1)), 0)
        .into_iter()
        .find(|row| row.event == AuditEvent::Submitted(id))
        .unwrap();
    let hash = world.audit.audit_hash(Some(client(1)), spelling.canonical());
    assert_eq!(submitted.about, Some(hash));
}

#[test]
fn d96_what_is_refused_shows_nothing_and_leaves_no_row() {
    let world = world();
    let id = world.submit_form(1, &form()).id();
    let before = count(&world, Some(client(1)));
    let refused = [
        world.case_file(&omar(), id).map(drop),
        world.case_file(&inspector(), submission_id(99)).map(drop),
        world.read_document(&omar(), id, |_| None).map(drop),
        world.read_document(&inspector(), id, |_| None).map(drop),
    ];
    assert!(refused.iter().all(|refused| matches!(refused, Err(Error::NotFound))));
    let stale = world.decide(&inspector(), id, 7, approve());
    assert!(matches!(stale, Err(Error::Stale)));
    assert_eq!(count(&world, Some(client(1))), before);
    assert_eq!(count(&world, None), 0);
}

#[test]
fn d96_a_decision_is_one_row_and_stands_for_what_its_answer_shows() {
    let world = world();
    let id = world.submit_form(1, &form()).id();
    let before = count(&world, Some(client(1)));
    world.decide(&inspector(), id, 1, approve()).unwrap();
    let row = by_inspector(&world, AuditEvent::Approved(id));
    assert_eq!(since(&world, Some(client(1)), before), [row]);
}

#[test]
fn d97_reads_of_clients_machines_leave_no_row() {
    let world = world();
    world.submit_form(1, &form());
    let before = count(&world, Some(client(1)));
    world.status(client(1), &by_email(&valid("mira.kole@example.org"))).unwrap();
    world.latest(client(1), &Lookup::default()).unwrap();
    assert_eq!(count(&world, Some(client(1))), before);
}
