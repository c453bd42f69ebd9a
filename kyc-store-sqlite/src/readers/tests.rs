use std::fs;

use rusqlite::wal::CheckpointMode;
use tempfile::TempDir;

use super::*;
use crate::connection::open_writing;
use crate::tests::folder;

const LONG: Duration = Duration::from_secs(3_600);

/// A database with one number in it, somebody who writes it, and readers.
fn with_a_number(kept: Duration) -> (TempDir, Connection, Readers) {
    let folder = folder();
    let path = folder.path().join("test.sqlite");
    fs::write(&path, "").unwrap();
    let writing = open_writing(&path, Duration::ZERO).unwrap();
    writing.execute_batch("CREATE TABLE number (value); INSERT INTO number VALUES (0)").unwrap();
    let readers = Readers::open(path, Duration::ZERO, 4, kept).unwrap();
    (folder, writing, readers)
}

fn set(writing: &Connection, value: i64) {
    writing.execute("UPDATE number SET value = ?1", [value]).unwrap();
}

fn value(connection: &Connection) -> Result<i64, StoreError> {
    connection.query_row("SELECT value FROM number", [], |row| row.get(0)).map_err(unavailable)
}

#[test]
fn a_moment_is_kept_until_something_is_committed() {
    let (_folder, writing, readers) = with_a_number(LONG);
    assert_eq!(readers.read(value).unwrap(), 0);
    set(&writing, 1);
    assert_eq!(readers.read(value).unwrap(), 0);
    readers.commits().count();
    assert_eq!(readers.read(value).unwrap(), 1);
}

#[test]
fn what_another_process_commits_is_seen_soon() {
    let (_folder, writing, readers) = with_a_number(Duration::from_millis(5));
    for round in 1..=10 {
        readers.read(value).unwrap();
        set(&writing, round);
        std::thread::sleep(Duration::from_millis(6));
        assert_eq!(readers.read(value).unwrap(), round);
    }
}

#[test]
fn who_asks_for_now_sees_what_another_process_has_committed() {
    let (_folder, writing, readers) = with_a_number(LONG);
    for round in 1..=10 {
        set(&writing, round);
        assert_eq!(readers.read_now(value).unwrap(), round);
        assert_eq!(readers.read(value).unwrap(), round);
    }
}

#[test]
fn nothing_is_kept_where_nothing_shall_be() {
    let (_folder, writing, readers) = with_a_number(Duration::ZERO);
    for round in 1..=10 {
        set(&writing, round);
        assert_eq!(readers.read(value).unwrap(), round);
        assert!(readers.idle().iter().all(|reader| reader.connection.is_autocommit()));
    }
}

#[test]
fn the_log_starts_over_once_idle_readers_let_go() {
    let (_folder, writing, readers) = with_a_number(LONG);
    let starts_over = || writing.wal_checkpoint_v2(None::<&str>, CheckpointMode::RESTART).is_ok();
    set(&writing, 1);
    readers.read(value).unwrap();
    set(&writing, 2);
    assert!(!starts_over());
    assert!(readers.let_go_during(starts_over));
}

#[test]
fn a_reader_in_use_lets_go_when_it_comes_back() {
    let (_folder, writing, readers) = with_a_number(LONG);
    let starts_over = || writing.wal_checkpoint_v2(None::<&str>, CheckpointMode::RESTART).is_ok();
    readers
        .read(|connection| {
            let seen = value(connection)?;
            set(&writing, 1);
            assert!(!readers.let_go_during(starts_over));
            assert_eq!(value(connection)?, seen, "one moment to the end");
            readers.commits().count();
            Ok(())
        })
        .unwrap();
    assert!(starts_over());
}

#[test]
fn nothing_is_kept_while_somebody_waits_for_it() {
    let (_folder, writing, readers) = with_a_number(LONG);
    let starts_over = || writing.wal_checkpoint_v2(None::<&str>, CheckpointMode::RESTART).is_ok();
    set(&writing, 1);
    readers.let_go_during(|| {
        assert_eq!(readers.read(value).unwrap(), 1);
        assert!(starts_over());
    });
}

#[test]
fn a_connection_that_failed_is_not_lent_again() {
    let (_folder, _writing, readers) = with_a_number(LONG);
    let failed: Result<(), _> = readers.read(|_| Err(unavailable("a fault")));
    assert!(failed.is_err());
    assert!(readers.idle().is_empty());
    assert_eq!(readers.read(value).unwrap(), 0);
}
