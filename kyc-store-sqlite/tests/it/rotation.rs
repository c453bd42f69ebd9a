//! Keys are replaced while others read and write, and a process that does so is killed on the way.
//!
//! `KYC_ROTATIONS` says how often; six times unless it is set.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kyc_core::conformance::fixture::{approved, client, submission_id, time, valid};
use kyc_core::{DocumentStore, Lookup, Preference, SubmissionStore};
use kyc_store_sqlite::{Options, SqliteStore};
use kyc_vault::Source;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{
    child, database, document, folder, folder_of_child, line, open_sealed, sealed, submission_of,
};

fn beside(folder: &TempDir) -> SqliteStore {
    SqliteStore::open_beside(folder.path(), sealed(folder)).unwrap()
}

/// Stores the submission and the document of that number, and decides on it.
fn store_one(store: &SqliteStore, number: u32) {
    let bytes = number.to_le_bytes().repeat(500);
    store.put(client(1), &document(number, &bytes), &bytes).unwrap();
    let submission = submission_of(number, &format!("{number}@example.org"));
    store.insert(client(1), &submission).unwrap();
    store.replace(client(1), &approved(submission)).unwrap();
}

#[track_caller]
fn check_one(store: &SqliteStore, number: u32) {
    let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
    let found = SubmissionStore::find(store, client(1), &lookup, Preference::Best).unwrap();
    assert!(found.is_some(), "{number}");
    let bytes = store.bytes(client(1), document(number, b"").handle.id()).unwrap();
    assert_eq!(bytes, Some(number.to_le_bytes().repeat(500)), "{number}");
}

/// Versions of the client's key in each state.
fn versions(database: &Connection, state: &str) -> u32 {
    let sql = "SELECT count(*) FROM client_key WHERE client = 1 AND state = ?1";
    database.query_row(sql, [state], |row| row.get(0)).unwrap()
}

#[test]
fn t25_d92_keys_are_replaced_under_load_without_a_failed_request() {
    const WRITERS: u32 = 3;
    let rotations: u32 = std::env::var("KYC_ROTATIONS").map_or(6, |text| text.parse().unwrap());
    let folder = folder();
    let store = open_sealed(&folder);
    store.add_client(&valid("acme"), time(0)).unwrap();
    (0..300).for_each(|number| store_one(&store, number));
    let ends = AtomicBool::new(false);
    let stored: Vec<u32> = std::thread::scope(|scope| {
        let writer = |writer: u32| {
            let (store, ends) = (&store, &ends);
            scope.spawn(move || {
                let mut stored = Vec::new();
                while stored.is_empty() || !ends.load(Ordering::Relaxed) {
                    let number = 1_000 * (writer + 1) + u32::try_from(stored.len()).unwrap();
                    store_one(store, number);
                    stored.push(number);
                }
                stored
            })
        };
        let writers: Vec<_> = (0..WRITERS).map(writer).collect();
        let (store, ends) = (&store, &ends);
        scope.spawn(move || {
            for number in (0..300).cycle() {
                check_one(store, number);
                if ends.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        // As another process does: with keys of its own.
        for _ in 0..rotations {
            let beside = beside(&folder);
            beside.rotate_client_key(client(1), time(1), &mut |_| ()).unwrap();
            beside.rotate_master_key(time(1)).unwrap();
        }
        ends.store(true, Ordering::Relaxed);
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    let database = database(&folder);
    assert_eq!(versions(&database, "active"), 1);
    assert_eq!(versions(&database, "destroyed"), rotations);
    assert_eq!(versions(&database, "decrypt-only"), 0);
    check_under_active_version(&database);
    drop(store);
    let store = open_sealed(&folder);
    (0..300).chain(stored).for_each(|number| check_one(&store, number));
}

/// Every data key is wrapped by the version that is active.
#[track_caller]
fn check_under_active_version(database: &Connection) {
    let active: u32 = database
        .query_row("SELECT version FROM client_key WHERE state = 'active'", [], |row| row.get(0))
        .unwrap();
    for table in ["submission", "document"] {
        let sql = format!("SELECT count(*) FROM {table} WHERE substr(data_key, 1, 4) <> ?1");
        let others: u32 =
            database.query_row(&sql, [active.to_le_bytes()], |row| row.get(0)).unwrap();
        assert_eq!(others, 0, "{table}");
    }
}

#[test]
fn d92_answers_that_are_given_again_go_along() {
    use kyc_core::conformance::fixture::replay;
    use kyc_core::{AnswerStore, Beside, Kept};
    let folder = folder();
    let store = open_sealed(&folder);
    store.add_client(&valid("acme"), time(0)).unwrap();
    let replay = replay("order-1", time(0));
    let submission = submission_of(1, "mira@example.org");
    store.insert_with(client(1), &submission, Beside::answer(replay.clone())).unwrap();
    beside(&folder).rotate_client_key(client(1), time(1), &mut |_| ()).unwrap();
    let check = |store: &SqliteStore| {
        let kept = store.find_answer(&replay.request, time(1)).unwrap();
        assert!(matches!(kept, Some(Kept::Answer { answer, .. }) if answer == replay.answer));
    };
    check(&beside(&folder));
    drop(store);
    check(&open_sealed(&folder));
}

#[test]
fn d92_a_service_takes_notice_of_both_keys_by_itself() {
    let folder = folder();
    let store = open_sealed(&folder);
    store.add_client(&valid("acme"), time(0)).unwrap();
    store_one(&store, 1);
    for number in 2..6 {
        let beside = beside(&folder);
        beside.rotate_master_key(time(1)).unwrap();
        beside.rotate_client_key(client(1), time(1), &mut |_| ()).unwrap();
        // A client that has no key yet gets one under the new master key.
        let other = client(number);
        store.insert(other, &submission_of(1, "leo@example.org")).unwrap();
        store_one(&store, number);
        (1..=number).for_each(|number| check_one(&store, number));
    }
    check_under_active_version_of_first(&database(&folder));
}

fn check_under_active_version_of_first(database: &Connection) {
    assert_eq!((versions(database, "active"), versions(database, "destroyed")), (1, 4));
}

#[test]
fn d92_a_key_from_two_custodians_is_replaced_too() {
    let folder = folder();
    let shares = ["one.key", "other.key"].map(|name| folder.path().join(name));
    let open = || {
        let source = Source::share_files(shares.clone());
        SqliteStore::open(folder.path(), Options::default().with_vault(source)).unwrap()
    };
    let store = open();
    store.add_client(&valid("acme"), time(0)).unwrap();
    store_one(&store, 1);
    let before = shares.clone().map(|path| std::fs::read(path).unwrap());
    store.rotate_master_key(time(1)).unwrap();
    store_one(&store, 2);
    drop(store);
    for (path, before) in shares.iter().zip(before) {
        assert_ne!(std::fs::read(path).unwrap(), before);
    }
    let store = open();
    check_one(&store, 1);
    check_one(&store, 2);
}

#[test]
fn t25_d92_a_rotation_that_was_killed_loses_nothing_and_goes_on() {
    const ROWS: u32 = 400;
    if let Some(folder) = folder_of_child() {
        return rotate_until_killed(&folder);
    }
    let folder = folder();
    let store = open_sealed(&folder);
    store.add_client(&valid("acme"), time(0)).unwrap();
    (0..ROWS).for_each(|number| store_one(&store, number));
    drop(store);
    for round in 0..16_u64 {
        let test = "rotation::t25_d92_a_rotation_that_was_killed_loses_nothing_and_goes_on";
        let (mut child, mut output) = child(test, folder.path());
        line(&mut output, "rotating").expect("the child rotates");
        // Somewhere in one of its rotations.
        std::thread::sleep(Duration::from_millis(round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        let store = open_sealed(&folder);
        (0..ROWS).step_by(7).for_each(|number| check_one(&store, number));
    }
    let store = open_sealed(&folder);
    store.rotate_client_key(client(1), time(1), &mut |_| ()).unwrap();
    store.rotate_master_key(time(1)).unwrap();
    (0..ROWS).for_each(|number| check_one(&store, number));
    let database = database(&folder);
    assert_eq!((versions(&database, "active"), versions(&database, "decrypt-only")), (1, 0));
    check_under_active_version(&database);
    assert!(!folder.path().join("master.key.new").exists());
}

fn rotate_until_killed(folder: &Path) {
    let source = Source::file(folder.join("master.key"));
    let store = SqliteStore::open_beside(folder, Options::default().with_vault(source)).unwrap();
    let mut output = std::io::stdout().lock();
    writeln!(output, "\nrotating").unwrap();
    drop(output);
    loop {
        store.rotate_client_key(client(1), time(1), &mut |_| ()).unwrap();
        store.rotate_master_key(time(1)).unwrap();
    }
}

#[test]
fn d92_of_rotations_of_the_master_key_at_once_none_loses_the_store() {
    let folder = folder();
    let store = open_sealed(&folder);
    store_one(&store, 1);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| beside(&folder).rotate_master_key(time(1)).unwrap());
        }
    });
    drop(store);
    let lookup = Lookup { id: Some(submission_id(1)), ..Lookup::default() };
    let found = SubmissionStore::find(&open_sealed(&folder), client(1), &lookup, Preference::Best);
    assert!(found.unwrap().is_some());
}
