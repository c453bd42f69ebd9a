use std::fs::{self, OpenOptions};
use std::path::Path;
use std::time::Duration;

use kyc_core::{Aml, ScreeningQueue, Status};
use rusqlite::{Connection, Row, params};

use super::{migrate, newest, version};
use crate::OpenError;
use crate::connection::open_writing;
use crate::record::decode;
use crate::record::tests::format_1;
use crate::schema::STEPS;
use crate::tests::folder;

const NOTE: &str = "CREATE TABLE note (text TEXT NOT NULL) STRICT;";
const TITLE: &str = "ALTER TABLE note ADD COLUMN title TEXT;";

fn database(folder: &Path) -> Connection {
    let path = folder.join("kyc.sqlite");
    OpenOptions::new().write(true).create(true).truncate(false).open(&path).unwrap();
    open_writing(&path, Duration::from_secs(5)).unwrap()
}

fn backups(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with("kyc.schema")).collect()
}

#[test]
fn an_empty_database_gets_every_step() {
    let folder = folder();
    let mut database = database(folder.path());
    migrate(&mut database, STEPS, folder.path()).unwrap();
    assert_eq!(version(&database, STEPS).unwrap(), newest(STEPS));
    assert!(backups(folder.path()).is_empty(), "there was nothing to copy");
}

#[test]
fn migrating_twice_changes_nothing() {
    let folder = folder();
    let mut database = database(folder.path());
    migrate(&mut database, STEPS, folder.path()).unwrap();
    let changes = database.total_changes();
    migrate(&mut database, STEPS, folder.path()).unwrap();
    assert_eq!(database.total_changes(), changes);
}

#[test]
fn an_older_database_is_copied_and_brought_up_to_date() {
    let folder = folder();
    let mut database = database(folder.path());
    let old = [STEPS[0], NOTE];
    migrate(&mut database, &old, folder.path()).unwrap();
    database.execute("INSERT INTO note (text) VALUES ('kept')", []).unwrap();

    let new = [STEPS[0], NOTE, TITLE];
    migrate(&mut database, &new, folder.path()).unwrap();
    assert_eq!(version(&database, &new).unwrap(), 3);
    let note = |database: &Connection| -> String {
        database.query_row("SELECT text FROM note", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(note(&database), "kept");

    assert_eq!(backups(folder.path()), ["kyc.schema-2.sqlite"]);
    let copy = Connection::open(folder.path().join("kyc.schema-2.sqlite")).unwrap();
    assert_eq!(version(&copy, &old).unwrap(), 2);
    assert_eq!(note(&copy), "kept");
}

#[test]
fn a_step_that_fails_changes_nothing() {
    let folder = folder();
    let mut database = database(folder.path());
    migrate(&mut database, &STEPS[..1], folder.path()).unwrap();
    let broken = [STEPS[0], NOTE, "CREATE TABLE note (twice TEXT) STRICT;"];
    let failed = migrate(&mut database, &broken, folder.path());
    assert!(matches!(failed, Err(OpenError::Database(_))), "{failed:?}");
    assert_eq!(version(&database, &STEPS[..1]).unwrap(), 1);
    assert!(!database.table_exists(None, "note").unwrap());
    // A better release upgrades it still, and copies it anew.
    migrate(&mut database, &[STEPS[0], NOTE, TITLE], folder.path()).unwrap();
}

#[test]
fn a_newer_database_is_refused() {
    let folder = folder();
    let mut database = database(folder.path());
    migrate(&mut database, &[STEPS[0], NOTE], folder.path()).unwrap();
    let refused = migrate(&mut database, &STEPS[..1], folder.path());
    assert!(matches!(refused, Err(OpenError::NewerSchema { found: 2, known: 1 })), "{refused:?}");
}

#[test]
fn a_step_that_was_edited_is_refused() {
    let folder = folder();
    let mut database = database(folder.path());
    migrate(&mut database, &[STEPS[0], NOTE], folder.path()).unwrap();
    let refused = migrate(&mut database, &[STEPS[0], TITLE], folder.path());
    assert!(matches!(refused, Err(OpenError::ChangedStep { version: 2 })), "{refused:?}");
}

#[test]
fn a_database_of_something_else_is_refused() {
    let folder = folder();
    let mut database = database(folder.path());
    database.execute_batch(NOTE).unwrap();
    let refused = migrate(&mut database, STEPS, folder.path());
    assert!(matches!(refused, Err(OpenError::NotOurDatabase)), "{refused:?}");
}

/// A database of the first release, with records of its format.
fn of_the_first_release(folder: &Path) -> Vec<Vec<u8>> {
    let mut database = database(folder);
    migrate(&mut database, &STEPS[..1], folder).unwrap();
    let records = format_1();
    for (number, record) in (1..).zip(&records) {
        let stored = decode(record).unwrap();
        let waits = match stored.review().aml() {
            Some(Aml::Queued) => Some(1),
            Some(Aml::Stalled(_)) => Some(2),
            Some(Aml::Screened(_)) | None => None,
        };
        let rank = match stored.status() {
            Status::Incomplete => 0_i64,
            Status::Rejected => 1,
            Status::Pending => 2,
            Status::Approved => 3,
        };
        let created_ms = stored.created_at().unix_millis();
        let standing = (rank << 48) | created_ms;
        let key = (1_i64 << 40) + number;
        let (id, version) = (stored.id().to_bytes(), stored.version());
        let values = params![key, id, created_ms, version, standing, waits, record];
        database.execute(INSERT_1, values).unwrap();
    }
    records
}

const INSERT_1: &str = "
    INSERT INTO submission (key, client, id, created_ms, version, standing, screening, email_key, record)
    VALUES (:key, 1, :id, :created_ms, :version, :standing, :screening, 0, :record)";

#[test]
fn d83_results_of_the_first_release_are_in_the_queues() {
    let folder = folder();
    let records = of_the_first_release(folder.path());
    let mut database = database(folder.path());
    migrate(&mut database, STEPS, folder.path()).unwrap();

    let columns = |id: [u8; 16]| -> (Option<i64>, Option<i64>, Vec<u8>) {
        let sql = "SELECT screening, needs_look, record FROM submission WHERE id = ?1";
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        database.query_row(sql, [id], columns).unwrap()
    };
    for record in records {
        let stored = decode(&record).unwrap();
        let queue = ScreeningQueue::of(&stored).map(|queue| match queue {
            ScreeningQueue::New => 1,
            ScreeningQueue::Stalled => 2,
            ScreeningQueue::Screened => 3,
        });
        let needs_look = stored.needs_look().then_some(1);
        assert_eq!(columns(stored.id().to_bytes()), (queue, needs_look, record));
    }
    let waiting = "SELECT count(*) FROM submission WHERE screening = 3 AND needs_look = 1";
    let count: u32 = database.query_row(waiting, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1, "one of the states has hits");
}
