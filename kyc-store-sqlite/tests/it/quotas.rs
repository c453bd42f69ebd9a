//! What each client may use (D103; threat T32).

use std::fs;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::thread;

use kyc_core::conformance::fixture::{
    client, document_id, form, inspector, submission, time, valid,
};
use kyc_core::{
    ClientId, Document, DocumentStore, StoreError, Submission, SubmissionId, SubmissionStore,
    Timestamp, UsedUp,
};
use kyc_store_sqlite::{Options, Quotas, SqliteStore};
use tempfile::TempDir;

use crate::support::{database, document, folder};

fn open(folder: &TempDir, quotas: Quotas) -> SqliteStore {
    let options = Options { quotas, ..Options::default() };
    SqliteStore::open(folder.path(), options).unwrap()
}

fn storage(bytes: u64) -> Quotas {
    Quotas { document_bytes: NonZeroU64::new(bytes), ..Quotas::default() }
}

fn put(store: &SqliteStore, who: ClientId, number: u32, bytes: usize) -> Result<(), StoreError> {
    let bytes = vec![7; bytes];
    store.put(who, &document(number, &bytes), &bytes)
}

#[track_caller]
fn is_used_up<T>(stored: Result<T, StoreError>, expected: UsedUp) {
    match stored {
        Err(StoreError::UsedUp(used_up)) => assert_eq!(used_up, expected),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it was stored"),
    }
}

fn files(path: &Path) -> usize {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

#[test]
fn t32_d103_the_storage_of_a_client_ends_at_the_byte() {
    let folder = folder();
    let store = open(&folder, storage(1_000));
    put(&store, client(1), 1, 600).unwrap();
    is_used_up(put(&store, client(1), 2, 401), UsedUp::Storage);
    assert!(store.check_room(client(1), time(0)).is_ok(), "a smaller one has room");
    put(&store, client(1), 3, 400).unwrap();
    is_used_up(store.check_room(client(1), time(0)), UsedUp::Storage);
    is_used_up(put(&store, client(1), 4, 1), UsedUp::Storage);
    put(&store, client(2), 5, 1_000).unwrap();

    assert_eq!(DocumentStore::find(&store, client(1), document_id(2)).unwrap(), None);
    let kept = files(&folder.path().join("documents")) + files(&folder.path().join("tmp"));
    assert_eq!(kept, 3, "what was refused left nothing behind");
}

#[test]
fn d103_what_is_used_is_known_after_a_restart_and_less_when_a_document_goes() {
    let folder = folder();
    put(&open(&folder, storage(1_000)), client(1), 1, 700).unwrap();
    let store = open(&folder, storage(1_000));
    is_used_up(put(&store, client(1), 2, 301), UsedUp::Storage);
    let gone = database(&folder).execute("DELETE FROM document WHERE client = 1", []).unwrap();
    assert_eq!(gone, 1);
    drop(store);
    put(&open(&folder, storage(1_000)), client(1), 3, 1_000).unwrap();
}

#[test]
fn t32_racing_uploads_do_not_pass_the_quota() {
    let folder = folder();
    let store = open(&folder, storage(10_000));
    let stored: usize = thread::scope(|scope| {
        let (store, each) = (&store, 0..8_u32);
        let upload = |thread| {
            scope.spawn(move || {
                let tries = (0..8).map(|number| put(store, client(1), 8 * thread + number, 999));
                tries.flatten().count()
            })
        };
        let threads: Vec<_> = each.map(upload).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(stored, 10);
    assert_eq!(files(&folder.path().join("documents")), 10);
}

/// Milliseconds before or after a midnight of UTC.
fn around_midnight(milliseconds: i64) -> Timestamp {
    let midnight = time(16 * 60 * 60);
    assert_eq!(midnight.to_string(), "2026-11-21T00:00:00.000Z");
    Timestamp::from_unix_millis(midnight.unix_millis() + milliseconds).unwrap()
}

fn uploaded_at(number: u32, at: Timestamp) -> Document {
    Document { created_at: at, ..document(number, b"bytes") }
}

#[test]
fn d103_uploads_of_a_day_are_granted_again_at_midnight_utc() {
    let folder = folder();
    let quotas = Quotas { uploads_per_day: NonZeroU32::new(3), ..Quotas::default() };
    let store = open(&folder, quotas);
    let used_up = UsedUp::UploadsOfDay { max: 3 };
    let put = |store: &SqliteStore, number, at| {
        store.put(client(1), &uploaded_at(number, around_midnight(at)), b"bytes")
    };
    for number in 0..3 {
        put(&store, number, -3_000).unwrap();
    }
    is_used_up(put(&store, 3, -1), used_up);
    is_used_up(store.check_room(client(1), around_midnight(-1)), used_up);
    drop(store);

    let store = open(&folder, quotas);
    is_used_up(put(&store, 3, -1), used_up);
    store.put(client(2), &uploaded_at(9, around_midnight(-1)), b"bytes").unwrap();
    assert!(store.check_room(client(1), around_midnight(0)).is_ok());
    put(&store, 3, 0).unwrap();
    // A request from before midnight that comes late counts for the new day.
    put(&store, 4, -1).unwrap();
    put(&store, 5, 1).unwrap();
    is_used_up(put(&store, 6, 2), used_up);
    is_used_up(put(&store, 6, -1), used_up);
}

fn submitted_at(number: u32, at: Timestamp) -> Submission {
    let random = [[0; 6].as_slice(), &number.to_be_bytes()].concat();
    Submission::new(form(), SubmissionId::new(at, random.try_into().unwrap()), at)
}

#[test]
fn d103_submissions_of_a_day_are_granted_again_at_midnight_utc() {
    let folder = folder();
    let quotas = Quotas { submissions_per_day: NonZeroU32::new(3), ..Quotas::default() };
    let used_up = UsedUp::SubmissionsOfDay { max: 3 };
    let submit = |store: &SqliteStore, who, number, at| {
        store.insert(client(who), &submitted_at(number, around_midnight(at)))
    };
    // Before there was a quota.
    let store = open(&folder, Quotas::default());
    for number in 0..10 {
        submit(&store, 1, number, -86_400_001).unwrap();
    }
    submit(&store, 1, 10, -86_400_000).unwrap();
    drop(store);

    let store = open(&folder, quotas);
    submit(&store, 1, 11, -2).unwrap();
    drop(store);
    let store = open(&folder, quotas);
    submit(&store, 1, 12, -1).unwrap();
    is_used_up(submit(&store, 1, 13, -1), used_up);
    submit(&store, 2, 14, -1).unwrap();
    for number in 20..23 {
        submit(&store, 1, number, 0).unwrap();
    }
    is_used_up(submit(&store, 1, 23, 1), used_up);
    is_used_up(submit(&store, 1, 23, -1), used_up);
    is_used_up(submit(&open_again(store, &folder, quotas), 1, 23, 1), used_up);
}

fn open_again(store: SqliteStore, folder: &TempDir, quotas: Quotas) -> SqliteStore {
    drop(store);
    open(folder, quotas)
}

#[test]
fn d103_a_submission_that_changes_later_counts_once() {
    let folder = folder();
    let quotas = Quotas { submissions_per_day: NonZeroU32::new(2), ..Quotas::default() };
    let store = open(&folder, quotas);
    let first = submission(1, form());
    store.insert(client(1), &first).unwrap();
    let comment = valid("The photo is blurred.");
    let rejected = first.reject(&inspector(), time(5), comment, Vec::new()).unwrap();
    store.replace(client(1), &rejected).unwrap();
    let store = open_again(store, &folder, quotas);
    store.insert(client(1), &submission(2, form())).unwrap();
    is_used_up(
        store.insert(client(1), &submission(3, form())),
        UsedUp::SubmissionsOfDay { max: 2 },
    );
}
