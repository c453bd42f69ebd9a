//! Answers that are given again (D98).

use std::ops::ControlFlow;
use std::sync::{Barrier, mpsc};
use std::{fs, thread};

use kyc_core::conformance::fixture::{approved, client, document_id, replay, sample, time, valid};
use kyc_core::{
    AnswerStore, Beside, DocumentErasure, DocumentStore, Erasure, ErasureCause, Fingerprint, Kept,
    KeyedRequest, Replay, Retention, StoreError, SubmissionStore,
};
use kyc_store_sqlite::SqliteStore;

use crate::support::{database, document, files, folder, open, open_sealed, submission_of};

/// How many of a hundred writes at once are made.
fn made_of_a_hundred(write: impl Fn(u32) -> Result<(), StoreError> + Sync) -> usize {
    let start = Barrier::new(100);
    let outcomes: Vec<Result<(), StoreError>> = thread::scope(|scope| {
        let (start, write) = (&start, &write);
        let race = |number| {
            scope.spawn(move || {
                start.wait();
                write(number)
            })
        };
        let racers: Vec<_> = (1..=100).map(race).collect();
        racers.into_iter().map(|racer| racer.join().unwrap()).collect()
    });
    let refused = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    refused.for_each(|error| assert!(matches!(error, StoreError::KeyTaken), "{error:?}"));
    outcomes.iter().filter(|outcome| outcome.is_ok()).count()
}

fn count(store: &SqliteStore) -> usize {
    let mut count = 0;
    let listed = store.list(client(1), None, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    listed.unwrap();
    count
}

#[test]
fn t28_of_a_hundred_submissions_under_one_key_one_is_stored() {
    let folder = folder();
    let store = open(&folder);
    let first = replay("order-17", time(0));
    let made = made_of_a_hundred(|number| {
        let submission = submission_of(number, "mira@example.org");
        let beside = Beside::answer(first.clone());
        if number % 2 == 0 {
            return store.insert_with(client(1), &submission, beside);
        }
        let (sender, outcome) = mpsc::channel();
        let then = Box::new(move |stored| sender.send(stored).unwrap());
        store.insert_then(client(1), &submission, beside, then);
        outcome.recv().unwrap()
    });
    assert_eq!((made, count(&store)), (1, 1));
    assert!(store.find_answer(&first.request, time(0)).unwrap().is_some());
}

#[test]
fn t28_of_a_hundred_uploads_under_one_key_one_is_stored_and_one_file_stays() {
    let folder = folder();
    let store = open(&folder);
    let first = replay("order-17", time(0));
    let made = made_of_a_hundred(|number| {
        let bytes = number.to_le_bytes();
        let beside = Beside::answer(first.clone());
        store.put_with(client(1), &document(number, &bytes), &bytes, beside)
    });
    assert_eq!(made, 1);
    assert_eq!(files(&folder.path().join("documents")).len(), 1);
    assert!(files(&folder.path().join("tmp")).is_empty());
}

#[test]
fn d98_a_key_is_taken_for_submissions_and_documents_alike() {
    let folder = folder();
    let store = open(&folder);
    let beside = || Beside::answer(replay("order-17", time(0)));
    store.put_with(client(1), &document(1, b"a"), b"a", beside()).unwrap();
    let refused = store.insert_with(client(1), &sample(), beside());
    assert!(matches!(refused, Err(StoreError::KeyTaken)), "{refused:?}");
    assert_eq!(count(&store), 0);
}

#[test]
fn d98_neither_a_key_nor_what_a_fingerprint_is_made_from_can_be_read() {
    let folder = folder();
    let store = open(&folder);
    let mut first = replay("mira.kole@example.org", time(0));
    first.request.fingerprint = Fingerprint(*b"a digest of what Mira was sent  ");
    store
        .insert_with(client(1), &submission_of(1, "a@example.org"), Beside::answer(first))
        .unwrap();
    drop(store);
    for file in files(folder.path()) {
        let bytes = fs::read(&file).unwrap();
        for secret in [&b"mira.kole@example.org"[..], b"a digest of what Mira"] {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{file:?}");
        }
    }
}

#[test]
fn t24_an_answer_is_sealed_where_there_is_a_vault() {
    let folder = folder();
    let mut first = replay("order-17", time(0));
    first.answer.body = b"Mira Kole, as she was told".to_vec();
    let store = open_sealed(&folder);
    store.insert_with(client(1), &sample(), Beside::answer(first.clone())).unwrap();
    drop(store);
    for file in files(folder.path()) {
        let bytes = fs::read(&file).unwrap();
        assert!(!bytes.windows(9).any(|window| window == b"Mira Kole"), "{file:?}");
    }
    let kept = open_sealed(&folder).find_answer(&first.request, time(0)).unwrap();
    assert_eq!(kept, Some(Kept::Answer { client: client(1), answer: first.answer }));

    // In the row of another answer it does not open.
    let store = open_sealed(&folder);
    let second = replay("order-18", time(0));
    let beside = Beside::answer(second.clone());
    store.insert_with(client(1), &submission_of(2, "a@example.org"), beside).unwrap();
    drop(store);
    let swap = "UPDATE replay SET body = (SELECT body FROM replay WHERE number = 1)";
    database(&folder).execute(swap, []).unwrap();
    let moved = open_sealed(&folder).find_answer(&second.request, time(0));
    assert!(matches!(moved, Err(StoreError::Corrupt { table: "replay", .. })), "{moved:?}");
}

#[test]
fn d98_each_answer_says_which_record_it_tells_of() {
    let folder = folder();
    let store = open(&folder);
    let beside = |key| Beside::answer(replay(key, time(0)));
    let (submission, document) = (sample(), document(7, b"a"));
    store.insert_with(client(1), &submission, beside("a")).unwrap();
    store.replace_with(client(1), &approved(submission.clone()), beside("b")).unwrap();
    store.put_with(client(2), &document, b"a", beside("c")).unwrap();

    let database = database(&folder);
    let mut rows = database.prepare("SELECT client, about FROM replay ORDER BY number").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: Vec<(u32, [u8; 16])> = rows.map(Result::unwrap).collect();
    let (submission, document) = (submission.id().to_bytes(), document.handle.id().to_bytes());
    assert_eq!(rows, [(1, submission), (1, submission), (2, document)]);
}

#[test]
fn d99_a_key_that_is_used_again_takes_no_more_room() {
    let folder = folder();
    let store = open(&folder);
    for number in 1..=5 {
        let at = time(0).plus_millis(number * Replay::KEPT_MILLIS);
        let beside = Beside::answer(replay("order-17", at));
        store.insert_with(client(1), &submission_of(number, "a@example.org"), beside).unwrap();
    }
    let kept: u32 =
        database(&folder).query_row("SELECT count(*) FROM replay", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 1);
}

#[test]
fn d131_a_key_stays_taken_when_what_it_stored_is_erased() {
    for open in [open, open_sealed] {
        let folder = folder();
        let store = open(&folder);
        let (upload, form) = (replay("upload", time(0)), replay("form", time(0)));
        let beside = |replay: &Replay| Beside::answer(replay.clone());
        let put = || store.put_with(client(1), &document(3, b"a"), b"a", beside(&upload));
        put().unwrap();
        let insert = |number| {
            let submission = submission_of(number, "mira@example.org");
            store.insert_with(client(1), &submission, beside(&form))
        };
        insert(1).unwrap();

        let (document, reason) = (document_id(3), valid("not_the_applicant"));
        let at = time(60);
        let erasure = DocumentErasure { document, changed: Vec::new(), reason, at };
        store.erase_document(client(1), &erasure).unwrap().unwrap();
        let submission = submission_of(1, "mira@example.org");
        let erasure = Erasure::of(&submission, ErasureCause::Period, at);
        store.erase(client(1), &erasure).unwrap().unwrap();
        assert!(matches!(put(), Err(StoreError::KeyTaken)));
        assert!(matches!(insert(2), Err(StoreError::KeyTaken)));
        for replay in [&upload, &form] {
            assert_eq!(store.find_answer(&replay.request, at).unwrap(), Some(Kept::Erased));
            let other = Fingerprint([9; 32]);
            let other = KeyedRequest { fingerprint: other, ..replay.request.clone() };
            assert_eq!(store.find_answer(&other, at).unwrap(), Some(Kept::OtherRequest));
            let tomorrow = time(0).plus_millis(Replay::KEPT_MILLIS);
            assert_eq!(store.find_answer(&replay.request, tomorrow).unwrap(), None);
        }
        assert_eq!(crate::verify::faults(&store), [""; 0]);
    }
}

#[test]
fn an_answer_of_nobody_is_corrupt() {
    let folder = folder();
    let store = open(&folder);
    let first = replay("order-17", time(0));
    store.insert_with(client(1), &sample(), Beside::answer(first.clone())).unwrap();
    database(&folder).execute("UPDATE replay SET client = 0", []).unwrap();
    let found = open_again(store, &folder).find_answer(&first.request, time(0));
    assert!(matches!(found, Err(StoreError::Corrupt { table: "replay", .. })), "{found:?}");
}

fn open_again(store: SqliteStore, folder: &tempfile::TempDir) -> SqliteStore {
    drop(store);
    open(folder)
}
