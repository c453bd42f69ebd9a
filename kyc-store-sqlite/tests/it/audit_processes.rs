//! Chains that several processes write, and that one was writing when it was killed (T26).

use std::fs;
use std::io::Write;
use std::path::Path;

use kyc_core::conformance::fixture::{approved, client};
use kyc_core::{AuditEvent, AuditLog, SubmissionStore};
use kyc_store_sqlite::{Options, SqliteStore, VerifiedChain};
use tempfile::TempDir;

use crate::audit::read_of;
use crate::support::{child, database, folder, folder_of_child, line, open, submission_of};

#[test]
fn t26_two_processes_append_to_one_chain() {
    let test = "audit_processes::t26_two_processes_append_to_one_chain";
    if let Some(folder) = folder_of_child() {
        return append_many(&SqliteStore::open_beside(&folder, Options::default()).unwrap(), 1);
    }
    let folder = folder();
    let store = open(&folder);
    let (mut process, mut output) = child(test, folder.path());
    append_many(&store, 0);
    assert!(line(&mut output, "appended").is_some());
    assert!(process.wait().unwrap().success());
    let verified = store.verify_audit(&[]).unwrap();
    let expected = VerifiedChain { chain: Some(client(1)), rows: 2 * APPENDS, fault: None };
    assert!(verified.contains(&expected), "{verified:?}");
}

const APPENDS: u64 = 300;

fn append_many(store: &SqliteStore, first: u32) {
    for number in (first..).step_by(2).take(usize::try_from(APPENDS).unwrap()) {
        store.append(&[(Some(client(1)), read_of(number))]).unwrap();
    }
    let mut output = std::io::stdout().lock();
    writeln!(output, "\nappended").unwrap();
}

/// What the child does until it is killed: submit, decide and read, and say so, for two clients.
#[test]
fn t26_the_chain_of_a_process_that_was_killed_verifies() {
    if let Some(folder) = folder_of_child() {
        return write_until_killed(&folder);
    }
    let folder = folder();
    for round in 0..8_usize {
        fs::write(folder.path().join("round"), round.to_string()).unwrap();
        let test = "audit_processes::t26_the_chain_of_a_process_that_was_killed_verifies";
        let (mut child, mut output) = child(test, folder.path());
        let mut stored = 0;
        while stored < 30 + round * 7 {
            line(&mut output, "stored").unwrap();
            stored += 1;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        while line(&mut output, "stored").is_some() {
            stored += 1;
        }
        let store = open(&folder);
        let verified = store.verify_audit(&[]).unwrap();
        assert!(verified.iter().all(|chain| chain.fault.is_none()), "{verified:?}");
        assert_rows_match_submissions(&folder, &store, stored);
    }
}

fn write_until_killed(folder: &Path) {
    let round: u32 = fs::read_to_string(folder.join("round")).unwrap().parse().unwrap();
    let store = SqliteStore::open(folder, Options::default()).unwrap();
    for number in round * 100_000.. {
        let client = client(1 + number % 2);
        let submission = submission_of(number, &format!("{number}@example.org"));
        store.insert(client, &submission).unwrap();
        store.replace(client, &approved(submission)).unwrap();
        store.append(&[(Some(client), read_of(number))]).unwrap();
        let mut output = std::io::stdout().lock();
        writeln!(output, "\nstored").unwrap();
    }
}

/// There is a row for each submission, and none without one.
fn assert_rows_match_submissions(folder: &TempDir, store: &SqliteStore, at_least: usize) {
    for number in [1, 2] {
        let rows = store.audited(Some(client(number)), 0, usize::MAX).unwrap();
        let count = |is_meant: fn(&AuditEvent) -> bool| {
            i64::try_from(rows.iter().filter(|row| is_meant(&row.entry.event)).count()).unwrap()
        };
        let submitted = count(|event| matches!(event, AuditEvent::Submitted(_)));
        let decided = count(|event| matches!(event, AuditEvent::Approved(_)));
        let stored = "SELECT count(*), coalesce(sum(version = 2), 0) FROM submission
                      WHERE client = ?1";
        let stored: (i64, i64) =
            database(folder).query_row(stored, [number], |row| row.try_into()).unwrap();
        assert_eq!((submitted, decided), stored, "a row for each change, and none without one");
        assert!(submitted >= i64::try_from(at_least / 2).unwrap());
    }
}
