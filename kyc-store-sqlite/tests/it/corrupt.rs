use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use kyc_core::conformance::fixture::{
    approved, client, form_full, sample, submission, time, valid,
};
use kyc_core::{
    Directory, DocumentStore, Lookup, Monitoring, Preference, QueueFilter, ScreeningQueue,
    StoreError, SubmissionStore,
};
use kyc_store_sqlite::{OpenError, SqliteStore};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{by_id, database, document, folder, open, submission_of};

#[track_caller]
fn assert_corrupt<T: std::fmt::Debug>(outcome: Result<T, StoreError>, table: &str, key: &str) {
    match outcome {
        Err(StoreError::Corrupt { table: t, key: k, .. }) => assert_eq!((t, &*k), (table, key)),
        other => panic!("{other:?}"),
    }
}

/// A store with an approved submission, and its database.
fn with_a_submission() -> (TempDir, SqliteStore, Connection) {
    let folder = folder();
    let store = open(&folder);
    store.insert(client(1), &approved(sample())).unwrap();
    let database = database(&folder);
    (folder, store, database)
}

#[test]
fn every_read_of_a_damaged_record_names_it() {
    let (_folder, store, database) = with_a_submission();
    database.execute("UPDATE submission SET record = x'01'", []).unwrap();
    let id = sample().id().to_string();
    let email = sample().form().email.clone();
    let by_email = Lookup { email: Some(&email), ..Lookup::default() };
    let clients = [client(1)];
    let filter = QueueFilter::all(&clients);

    for lookup in [by_id(&sample()), by_email, Lookup::default()] {
        for preference in [Preference::Best, Preference::Latest] {
            let found = SubmissionStore::find(&store, client(1), &lookup, preference);
            assert_corrupt(found, "submission", &id);
            let found = store.find_with_duplicates(client(1), &lookup, preference);
            assert_corrupt(found, "submission", &id);
        }
    }
    let listed = store.list(client(1), None, &mut |_| ControlFlow::Continue(()));
    assert_corrupt(listed, "submission", &id);
    let waiting = store.awaiting_screening(ScreeningQueue::New, None, 10);
    assert_corrupt(waiting, "submission", &id);
    assert_corrupt(store.review_queue(&filter, None, 10), "submission", &id);
    let filter = QueueFilter { email: Some(&email), ..filter };
    assert_corrupt(store.review_queue(&filter, None, 10), "submission", &id);
}

#[test]
fn a_damaged_state_of_monitoring_is_told() {
    let (_folder, store, database) = with_a_submission();
    for damaged in ["x''", "x'02'", "x'0102'", "x'01000000'", "x'0101ff'"] {
        let damage = format!("UPDATE state SET value = {damaged} WHERE name = 'monitoring'");
        database.execute(&damage, []).unwrap();
        assert_corrupt(store.monitoring(), "state", "monitoring");
    }
}

#[test]
fn a_damaged_duplicate_is_not_passed_over() {
    let (_folder, store, database) = with_a_submission();
    let other = submission_of(2, "other@example.org");
    store.insert(client(1), &other).unwrap();
    let damage = "UPDATE submission SET record = x'' WHERE id = ?1";
    database.execute(damage, [other.id().to_bytes()]).unwrap();
    let found = store.find_with_duplicates(client(1), &by_id(&sample()), Preference::Best);
    assert_corrupt(found, "submission", &other.id().to_string());
}

#[test]
fn a_record_in_another_row_is_noticed() {
    let (_folder, store, database) = with_a_submission();
    let other = submission_of(2, "other@example.org");
    store.insert(client(1), &other).unwrap();
    let swap = "UPDATE submission SET record = (SELECT record FROM submission WHERE id = ?1)";
    database.execute(swap, [other.id().to_bytes()]).unwrap();
    let found = SubmissionStore::find(&store, client(1), &by_id(&sample()), Preference::Best);
    assert_corrupt(found, "submission", &sample().id().to_string());
}

#[test]
fn digests_that_collide_mix_nothing_up() {
    let (_folder, store, database) = with_a_submission();
    let leo = submission_of(2, "leo@example.org");
    let somebody_else = submission(3, form_full());
    store.insert(client(1), &leo).unwrap();
    store.insert(client(1), &somebody_else).unwrap();
    // All submissions of the client get the digests of the first one.
    for column in ["email_key", "person_key"] {
        let first = format!("SELECT {column} FROM submission ORDER BY key LIMIT 1");
        database.execute(&format!("UPDATE submission SET {column} = ({first})"), []).unwrap();
    }
    let email = sample().form().email.clone();
    let lookup = Lookup { email: Some(&email), ..Lookup::default() };
    for preference in [Preference::Best, Preference::Latest] {
        let (found, duplicates) =
            store.find_with_duplicates(client(1), &lookup, preference).unwrap().unwrap();
        assert_eq!(found, approved(sample()));
        assert_eq!(duplicates, [leo.as_duplicate()]);
    }
    let clients = [client(1)];
    let filter = QueueFilter { email: Some(&email), ..QueueFilter::all(&clients) };
    let queue = store.review_queue(&filter, None, 10).unwrap();
    let ids: Vec<_> = queue.iter().map(|queued| queued.submission.id()).collect();
    assert_eq!(ids, [sample().id()]);
}

/// The one file below the documents.
fn file(folder: &TempDir) -> PathBuf {
    let mut path = folder.path().join("documents");
    while path.is_dir() {
        path = fs::read_dir(path).unwrap().next().unwrap().unwrap().path();
    }
    path
}

#[test]
fn a_changed_document_is_never_handed_out() {
    let folder = folder();
    let store = open(&folder);
    let bytes = b"%PDF-1.7 a proof of address";
    let document = document(1, bytes);
    let id = document.handle.id();
    store.put(client(1), &document, bytes).unwrap();
    let file = file(&folder);

    let longer = [&bytes[..], b" and more"].concat();
    for changed in [&b"%PDF-1.7 a forged address."[..], b"", &bytes[..5], &longer] {
        fs::write(&file, changed).unwrap();
        assert_corrupt(store.bytes(client(1), id), "document", &id.to_string());
    }
    fs::remove_file(&file).unwrap();
    assert_corrupt(store.bytes(client(1), id), "document", &id.to_string());
    // Only its bytes are gone.
    assert_eq!(DocumentStore::find(&store, client(1), id).unwrap(), Some(document));
    fs::write(&file, bytes).unwrap();
    assert_eq!(store.bytes(client(1), id).unwrap().as_deref(), Some(&bytes[..]));
}

#[test]
fn a_damaged_row_of_a_document_names_it() {
    let folder = folder();
    let store = open(&folder);
    let document = document(1, b"bytes");
    let id = document.handle.id();
    store.put(client(1), &document, b"bytes").unwrap();
    let other = document.handle.to_text().replace('z', "y");
    let database = database(&folder);
    for change in [
        "handle = 'no handle'".to_owned(),
        format!("handle = '{other}'"),
        "format = 'gif'".to_owned(),
        "created_ms = -1".to_owned(),
    ] {
        database.execute(&format!("UPDATE document SET {change}"), []).unwrap();
        // A write of its own makes the store read anew at once.
        store.check().unwrap();
        let found = DocumentStore::find(&store, client(1), id);
        assert_corrupt(found, "document", &id.to_string());
        let whole = "UPDATE document SET handle = ?1, format = 'jpeg', created_ms = ?2";
        let values = (document.handle.to_text(), document.created_at.unix_millis());
        database.execute(whole, values).unwrap();
        store.check().unwrap();
        assert!(DocumentStore::find(&store, client(1), id).unwrap().is_some());
    }
}

#[test]
fn nobody_is_let_in_by_a_damaged_directory() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap();
    let key = store.create_key(acme.id, time(0)).unwrap();
    drop(store);
    database(&folder).execute("UPDATE client SET name = 'No Name'", []).unwrap();
    let opened = SqliteStore::open(folder.path(), kyc_store_sqlite::Options::default());
    assert!(matches!(opened, Err(OpenError::Damaged(_))), "{opened:?}");

    database(&folder).execute("UPDATE client SET name = 'acme'", []).unwrap();
    let store = open(&folder);
    assert_eq!(store.client_of_key(key.as_str()).unwrap(), Some(acme));
}
