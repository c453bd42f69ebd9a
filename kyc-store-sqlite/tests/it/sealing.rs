//! What was moved or changed does not open; keys that are lost, wrong, or used up.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use kyc_core::conformance::fixture::{client, sample, submission_id, time, valid};
use kyc_core::{DocumentStore, Lookup, Preference, StoreError, SubmissionStore};
use kyc_store_sqlite::{OpenError, SqliteStore};
use kyc_vault::{SourceError, USES_MAX};
use rusqlite::{Connection, Params};
use tempfile::TempDir;

use crate::support::{
    by_id, database, document, folder, open, open_sealed, sealed, submission_of, wait_until,
};

fn find(store: &SqliteStore, number: u32) -> Result<bool, StoreError> {
    let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
    SubmissionStore::find(store, client(1), &lookup, Preference::Best).map(|found| found.is_some())
}

#[track_caller]
fn assert_corrupt<T: std::fmt::Debug>(outcome: &Result<T, StoreError>, table: &str) {
    assert!(
        matches!(outcome, Err(StoreError::Corrupt { table: t, .. }) if *t == table),
        "{outcome:?}"
    );
}

/// A sealed store with two submissions and two documents, and its database.
fn filled() -> (TempDir, SqliteStore, Connection) {
    let folder = folder();
    let store = open_sealed(&folder);
    for number in [1, 2] {
        let bytes = vec![u8::try_from(number).unwrap(); 5_000];
        store.put(client(1), &document(number, &bytes), &bytes).unwrap();
        store.insert(client(1), &submission_of(number, "mira@example.org")).unwrap();
    }
    let database = database(&folder);
    (folder, store, database)
}

/// Forges a row behind the back of the store, which then reads anew.
fn forge(store: &SqliteStore, database: &Connection, sql: &str, values: impl Params) {
    assert_eq!(database.execute(sql, values).unwrap(), 1);
    // By a write of its own.
    store.check().unwrap();
}

/// Puts what the second row has in some columns into the first one.
fn move_columns(store: &SqliteStore, database: &Connection, table: &str, columns: &str) {
    let sql = format!(
        "UPDATE {table} SET ({columns}) = (SELECT {columns} FROM {table} ORDER BY id DESC LIMIT 1)
         WHERE id = (SELECT min(id) FROM {table})"
    );
    forge(store, database, &sql, []);
}

#[test]
fn t24_columns_that_were_moved_to_another_row_do_not_open() {
    for columns in ["record", "data_key", "record, data_key"] {
        let (_folder, store, database) = filled();
        move_columns(&store, &database, "submission", columns);
        assert_corrupt(&find(&store, 1), "submission");
        assert!(find(&store, 2).unwrap(), "the other one is whole");
    }
    for columns in ["head", "data_key", "head, data_key"] {
        let (_folder, store, database) = filled();
        move_columns(&store, &database, "document", columns);
        let id = document(1, b"").handle.id();
        assert_corrupt(&DocumentStore::find(&store, client(1), id), "document");
    }
}

#[test]
fn t24_a_row_that_was_given_to_another_client_does_not_open() {
    let (_folder, store, database) = filled();
    store.insert(client(2), &submission_of(3, "leo@example.org")).unwrap();
    let move_row = "UPDATE submission SET client = 2, key = key - (1 << 40) + (2 << 40) + 7
        WHERE id = (SELECT min(id) FROM submission)";
    forge(&store, &database, move_row, []);
    let lookup = Lookup { id: Some(submission_id(1)), ..Lookup::default() };
    let found = SubmissionStore::find(&store, client(2), &lookup, Preference::Best);
    assert_corrupt(&found, "submission");
}

#[test]
fn t24_a_record_in_clear_in_a_sealed_store_is_not_taken() {
    let (_folder, store, database) = filled();
    let clear = folder();
    let other = open(&clear);
    other.insert(client(1), &submission_of(1, "mallory@example.org")).unwrap();
    let record: Vec<u8> = crate::support::database(&clear)
        .query_row("SELECT record FROM submission", [], |row| row.get(0))
        .unwrap();
    let replace = "UPDATE submission SET record = ?1, data_key = NULL
        WHERE id = (SELECT min(id) FROM submission)";
    forge(&store, &database, replace, [record]);
    assert_corrupt(&find(&store, 1), "submission");
}

#[test]
fn t24_every_flipped_bit_of_a_row_is_noticed() {
    let (_folder, store, database) = filled();
    for (table, column) in [("submission", "record"), ("submission", "data_key")] {
        let read = format!("SELECT {column} FROM {table} ORDER BY id LIMIT 1");
        let whole: Vec<u8> = database.query_row(&read, [], |row| row.get(0)).unwrap();
        let write =
            format!("UPDATE {table} SET {column} = ?1 WHERE id = (SELECT min(id) FROM {table})");
        for bit in (0..whole.len() * 8).step_by(7) {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            database.execute(&write, [flipped]).unwrap();
            // What others write is seen within a moment.
            let is_noticed = || find(&store, 1).is_err();
            wait_until("a flipped bit is noticed", is_noticed);
        }
        database.execute(&write, [whole]).unwrap();
        wait_until("the row is whole again", || find(&store, 1).is_ok());
    }
}

fn files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path];
    }
    let mut files: Vec<_> =
        fs::read_dir(path).unwrap().flat_map(|entry| files(entry.unwrap().path())).collect();
    files.sort();
    files
}

#[test]
fn t24_a_file_that_was_moved_or_changed_does_not_open() {
    let (folder, store, _database) = filled();
    let read = || [1, 2].map(|number| store.bytes(client(1), document(number, b"").handle.id()));
    let [one, other]: [PathBuf; 2] = files(folder.path().join("documents")).try_into().unwrap();
    let (first, second) = (fs::read(&one).unwrap(), fs::read(&other).unwrap());
    fs::write(&one, &second).unwrap();
    fs::write(&other, &first).unwrap();
    for bytes in &read() {
        assert_corrupt(bytes, "document");
    }
    for place in [0, 8, 9, 40, first.len() - 1] {
        let mut flipped = first.clone();
        flipped[place] ^= 1;
        fs::write(&one, flipped).unwrap();
        assert_corrupt(&read().into_iter().find(Result::is_err).unwrap(), "document");
    }
    // In clear it is not the document either.
    fs::write(&one, b"a forged document").unwrap();
    assert_corrupt(&read().into_iter().find(Result::is_err).unwrap(), "document");
    fs::write(&one, &first).unwrap();
    fs::write(&other, &second).unwrap();
    assert!(read().iter().all(|bytes| bytes.as_ref().unwrap().as_ref().unwrap().len() == 5_000));
}

fn refused(folder: &TempDir) -> OpenError {
    SqliteStore::open(folder.path(), sealed(folder)).unwrap_err()
}

#[test]
fn a_sealed_store_opens_with_its_master_key_alone() {
    let (folder, store, database) = filled();
    drop((store, database));
    let path = folder.path().join("master.key");
    let own = fs::read(&path).unwrap();

    let without = SqliteStore::open(folder.path(), kyc_store_sqlite::Options::default());
    assert!(matches!(without, Err(OpenError::Sealed)), "{without:?}");

    let strange = crate::support::folder();
    drop(open_sealed(&strange));
    fs::copy(strange.path().join("master.key"), &path).unwrap();
    let error = refused(&folder);
    assert!(matches!(error, OpenError::MasterKey(SourceError::OtherKey)), "{error:?}");

    fs::remove_file(&path).unwrap();
    let error = refused(&folder);
    assert!(matches!(error, OpenError::MasterKey(SourceError::Missing)), "{error:?}");
    assert!(!path.exists(), "no other key takes its place");

    fs::write(&path, own).unwrap();
    let error = refused(&folder);
    let is_readable = matches!(error, OpenError::MasterKey(SourceError::ReadableByOthers { .. }));
    assert!(is_readable, "{error:?}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(find(&open_sealed(&folder), 1).unwrap());
}

#[test]
fn d71_a_sealed_folder_that_lost_its_database_is_not_a_new_one() {
    let folder = folder();
    drop(open_sealed(&folder));
    fs::remove_file(folder.path().join("kyc.sqlite")).unwrap();
    let error = refused(&folder);
    assert!(matches!(error, OpenError::DatabaseMissing), "{error:?}");
}

/// Breaks off the first run of a folder, and starts again.
#[track_caller]
fn check_first_run_again(break_off: impl FnOnce(&TempDir)) {
    let folder = folder();
    drop(open_sealed(&folder));
    break_off(&folder);
    open_sealed(&folder).check().unwrap();
    let is_there = |name| folder.path().join(name).exists();
    assert!(is_there("master.key") && is_there("sealed") && !is_there("master.key.new"));
}

#[test]
fn a_crash_in_the_first_run_with_a_vault_is_made_up_for() {
    let path = |folder: &TempDir, name: &str| folder.path().join(name);
    let unkept = |folder: &TempDir| {
        fs::rename(path(folder, "master.key"), path(folder, "master.key.new")).unwrap();
        fs::remove_file(path(folder, "sealed")).unwrap();
    };
    // Before the database was there, before it had a vault, and before the key had its name.
    check_first_run_again(|folder| {
        unkept(folder);
        fs::write(path(folder, "kyc.sqlite"), b"").unwrap();
    });
    check_first_run_again(|folder| {
        unkept(folder);
        let forget =
            "DELETE FROM state WHERE name IN ('master', 'pepper', 'pepper.sealed', 'clear')";
        database(folder).execute(forget, []).unwrap();
    });
    check_first_run_again(unkept);
    check_first_run_again(|folder| fs::remove_file(path(folder, "sealed")).unwrap());
}

#[test]
fn t25_a_key_that_was_used_up_is_replaced_by_itself() {
    let (folder, store, database) = filled();
    drop(store);
    let version = || -> u32 {
        let sql = "SELECT max(version) FROM client_key WHERE client = 1 AND state = 'active'";
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let uses = |of: u32| -> u32 {
        let sql = "SELECT uses FROM client_key WHERE client = 1 AND version = ?1";
        database.query_row(sql, [of], |row| row.get(0)).unwrap()
    };
    assert_eq!(version(), 1);
    assert!(uses(1) > 0, "uses are written down before they are used");
    database.execute("UPDATE client_key SET uses = ?1", [USES_MAX]).unwrap();
    let store = open_sealed(&folder);
    store.insert(client(1), &submission_of(3, "leo@example.org")).unwrap();
    assert_eq!((version(), uses(1)), (2, USES_MAX));
    assert!([1, 2, 3].into_iter().all(|number| find(&store, number).unwrap()));
    // What the old version has wrapped is wrapped anew, and the old version destroyed.
    assert_eq!(
        store.rotate_client_key(client(1), time(0), &mut |_| ()).unwrap_err().to_string(),
        "there is no such client"
    );
    store.add_client(&valid("acme"), time(0)).unwrap();
    assert_eq!(store.rotate_client_key(client(1), time(0), &mut |_| ()).unwrap(), 2);
    assert!([1, 2, 3].into_iter().all(|number| find(&store, number).unwrap()));
}

#[test]
fn t25_uses_are_reserved_before_they_are_used() {
    let (_folder, store, database) = filled();
    for number in 3..2_000 {
        store.insert(client(1), &submission_of(number, "mira@example.org")).unwrap();
    }
    let sql = "SELECT uses FROM client_key WHERE client = 1";
    let reserved: u32 = database.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(reserved >= 2_000, "{reserved}");
}

#[test]
fn two_stores_in_one_process_share_nothing() {
    let (one, other) = (folder(), folder());
    let stores = [open_sealed(&one), open_sealed(&other)];
    stores[0].insert(client(1), &sample()).unwrap();
    let lookup = by_id(&sample());
    let found = |store: &SqliteStore| {
        SubmissionStore::find(store, client(1), &lookup, Preference::Best).unwrap().is_some()
    };
    assert_eq!([found(&stores[0]), found(&stores[1])], [true, false]);
}
