//! A process that writes is killed at some moment; what it acknowledged before must be there.

use std::fs;
use std::io::Write;
use std::path::Path;

use kyc_core::conformance::fixture::{approved, client, document_id, submission_id};
use kyc_core::{DocumentStore, Lookup, Preference, Status, SubmissionStore};
use kyc_store_sqlite::{Options, SqliteStore};

use crate::support::{child, document, folder_of_child, line, submission_of};

const ROUNDS: u32 = 12;
const PER_ROUND: u32 = 100_000;

/// What the child does until it is killed: upload, submit, decide, and say so, from several threads.
#[test]
fn what_was_acknowledged_survives_a_kill() {
    if let Some(folder) = folder_of_child() {
        return write_until_killed(&folder);
    }
    // On the disk that holds the system's temporary files: this is about durability.
    let folder = tempfile::tempdir().unwrap();
    for round in 0..ROUNDS {
        fs::write(folder.path().join("round"), round.to_string()).unwrap();
        let test = "crash::what_was_acknowledged_survives_a_kill";
        let (mut child, mut output) = child(test, folder.path());
        let mut acknowledged = Vec::new();
        while acknowledged.len() < 40 + usize::try_from(round).unwrap() * 7 {
            acknowledged.push(line(&mut output, "stored ").expect("the child writes"));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // What it said before it died counts too.
        while let Some(number) = line(&mut output, "stored ") {
            acknowledged.push(number);
        }
        check(folder.path(), &acknowledged);
    }
}

fn write_until_killed(folder: &Path) {
    let round: u32 = fs::read_to_string(folder.join("round")).unwrap().parse().unwrap();
    // A small log, so that it is written back often.
    let options = Options { log_bytes: 64 << 10, ..Options::default() };
    let store = SqliteStore::open(folder, options).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in (round * PER_ROUND + thread..(round + 1) * PER_ROUND).step_by(4) {
                    let bytes = number.to_le_bytes().repeat(2_000);
                    store.put(client(1), &document(number, &bytes), &bytes).unwrap();
                    let submission = submission_of(number, &format!("{number}@example.org"));
                    store.insert(client(1), &submission).unwrap();
                    store.replace(client(1), &approved(submission)).unwrap();
                    let mut output = std::io::stdout().lock();
                    writeln!(output, "\nstored {number}").unwrap();
                }
            });
        }
    });
}

fn check(folder: &Path, acknowledged: &[String]) {
    let store = SqliteStore::open(folder, Options::default()).unwrap();
    for number in acknowledged {
        let number: u32 = number.parse().unwrap();
        let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
        let found = SubmissionStore::find(&store, client(1), &lookup, Preference::Best).unwrap();
        assert_eq!(found.map(|found| found.status()), Some(Status::Approved), "{number}");
        let bytes = store.bytes(client(1), document_id(number)).unwrap();
        assert_eq!(bytes, Some(number.to_le_bytes().repeat(2_000)), "{number}");
    }
    // Every row is whole, and no row lacks its file.
    store.list(client(1), None, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let database = rusqlite::Connection::open(folder.join("kyc.sqlite")).unwrap();
    let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    let mut statement = database.prepare("SELECT id FROM document").unwrap();
    let ids = statement.query_map([], |row| row.get(0)).unwrap();
    for id in ids {
        let id = kyc_core::DocumentId::from_bytes(id.unwrap());
        assert!(store.bytes(client(1), id).unwrap().is_some());
    }
}
