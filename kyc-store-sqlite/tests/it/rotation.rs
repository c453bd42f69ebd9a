//! Keys are replaced while others read and write, and a process that does so is killed on the way.
//!
//! `KYC_ROTATIONS` says how often; six times unless it is set.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kyc_core::conformance::fixture::{approved, client, submission_id, time, valid};
use kyc_core::{DocumentStore, Lookup, Preference, SubmissionStore};
use kyc_store_sqlite::{AdminError, Options, SqliteStore};
use kyc_vault::{MasterKey, Source, SourceError};
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

/// What stands in the files of a key, and of one that waits.
fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn d117_between_any_two_steps_of_a_rotation_the_store_opens() {
    for names in [&["master.key"][..], &["one.key", "other.key"]] {
        let folder = folder();
        let paths: Vec<PathBuf> = names.iter().map(|name| folder.path().join(name)).collect();
        let waiting: Vec<PathBuf> =
            paths.iter().map(|path| path.with_extension("key.new")).collect();
        let source = || match paths.as_slice() {
            [one, other] => Source::share_files([one.clone(), other.clone()]),
            _ => Source::file(&paths[0]),
        };
        let open = || {
            let options = Options::default().with_vault(source());
            let store = SqliteStore::open(folder.path(), options).unwrap();
            check_one(&store, 1);
            store
        };
        let options = Options::default().with_vault(source());
        store_one(&SqliteStore::open(folder.path(), options).unwrap(), 1);

        // Each file of the next key is written down, and then nothing more happens.
        let old = texts(&paths);
        source().next().unwrap();
        let never_used = texts(&waiting);
        for written in 0..=names.len() {
            for path in &waiting {
                let _ = std::fs::remove_file(path);
            }
            for (path, text) in waiting.iter().zip(&never_used).take(written) {
                write_private(path, text);
            }
            drop(open());
            assert_eq!(texts(&paths), old);
        }

        // The database names it, and so many files have taken their places.
        open().rotate_master_key(time(1)).unwrap();
        let new = texts(&paths);
        assert!(new.iter().zip(&old).all(|(new, old)| new != old));
        for kept in 0..=names.len() {
            for number in 0..names.len() {
                let is_kept = number < kept;
                write_private(&paths[number], if is_kept { &new[number] } else { &old[number] });
                if !is_kept {
                    write_private(&waiting[number], &new[number]);
                }
            }
            drop(open());
            assert_eq!(texts(&paths), new);
            assert!(waiting.iter().all(|path| !path.exists()));
        }
    }
}

fn write_private(path: &Path, text: &str) {
    let _ = std::fs::remove_file(path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn d117_a_rotation_without_a_place_for_its_key_changes_nothing() {
    let folder = folder();
    let store = open_sealed(&folder);
    store_one(&store, 1);
    let key = std::fs::read(folder.path().join("master.key")).unwrap();
    std::fs::create_dir(folder.path().join("master.key.new")).unwrap();
    let refused = store.rotate_master_key(time(1));
    assert!(
        matches!(refused, Err(AdminError::MasterKey(SourceError::Unwritable { .. }))),
        "{refused:?}"
    );
    assert_eq!(std::fs::read(folder.path().join("master.key")).unwrap(), key);
    store_one(&store, 2);
    drop(store);
    check_one(&open_sealed(&folder), 2);
}

#[test]
fn d117_a_key_in_use_that_still_waits_is_not_written_over() {
    let folder = folder();
    let store = open_sealed(&folder);
    store_one(&store, 1);
    // Nothing can take the place of a folder.
    let path = folder.path().join("master.key");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let waits = |store: &SqliteStore| {
        let refused = store.rotate_master_key(time(1));
        assert!(
            matches!(refused, Err(AdminError::MasterKey(SourceError::Waits { .. }))),
            "{refused:?}"
        );
        std::fs::read(folder.path().join("master.key.new")).unwrap()
    };
    let in_use = waits(&store);
    store_one(&store, 2);
    drop(store);
    let store = open_sealed(&folder);
    assert_eq!(waits(&store), in_use);
    check_one(&store, 2);
    drop(store);

    std::fs::remove_dir(&path).unwrap();
    let store = open_sealed(&folder);
    assert_eq!(std::fs::read(&path).unwrap(), in_use);
    store.rotate_master_key(time(1)).unwrap();
    drop(store);
    check_one(&open_sealed(&folder), 2);
}

#[test]
fn d117_a_rotation_to_the_key_in_use_says_that_nothing_changes() {
    let folder = folder();
    let [now, next] = [(); 2].map(|()| MasterKey::random().unwrap());
    let open = |now: &MasterKey, next: &MasterKey| {
        let source = Source::text(now.to_text(), Some(next.to_text()));
        SqliteStore::open(folder.path(), Options::default().with_vault(source)).unwrap()
    };
    let refused = |store: SqliteStore| {
        let rows =
            || database(&folder).query_row("SELECT count(*) FROM audit", [], |row| row.get(0));
        let before: u32 = rows().unwrap();
        let refused = store.rotate_master_key(time(1));
        assert!(
            matches!(refused, Err(AdminError::MasterKey(SourceError::NextInUse))),
            "{refused:?}"
        );
        assert_eq!(rows().unwrap(), before);
    };
    store_one(&open(&now, &next), 1);
    refused(open(&now, &now));
    open(&now, &next).rotate_master_key(time(1)).unwrap();
    refused(open(&now, &next));
    check_one(&open(&next, &now), 1);
}
