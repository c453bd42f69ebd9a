//! A process that writes is killed at some moment; what it acknowledged before must be there.

use std::fs;
use std::io::Write;
use std::path::Path;

use kyc_core::conformance::fixture::{approved, client, document_id, replay, submission_id, time};
use kyc_core::{
    AnswerStore, Beside, DocumentStore, Kept, Lookup, Preference, Replay, Status, SubmissionStore,
};
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
                    let beside = |what| Beside::answer(answer_of(what, number));
                    let document = document(number, &bytes);
                    store.put_with(client(1), &document, &bytes, beside("upload")).unwrap();
                    let submission = submission_of(number, &format!("{number}@example.org"));
                    store.insert_with(client(1), &submission, beside("submit")).unwrap();
                    let decided = approved(submission);
                    store.replace_with(client(1), &decided, beside("decide")).unwrap();
                    let mut output = std::io::stdout().lock();
                    writeln!(output, "\nstored {number}").unwrap();
                }
            });
        }
    });
}

/// What is told of one step with a number.
fn answer_of(what: &str, number: u32) -> Replay {
    let mut replay = replay(&format!("{what}-{number}"), time(0));
    replay.answer.body = number.to_le_bytes().repeat(500);
    replay
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
        for what in ["upload", "submit", "decide"] {
            assert!(is_answered(&store, what, number), "{what} {number}");
        }
    }
    check_answers(&store, acknowledged);
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

fn is_answered(store: &SqliteStore, what: &str, number: u32) -> bool {
    let Replay { request, answer, at } = answer_of(what, number);
    let kept = store.find_answer(&request, at).unwrap();
    assert!(kept.is_none() || kept == Some(Kept::Answer { client: client(1), answer }));
    kept.is_some()
}

/// Every step has its answer, and no answer is without its step: of the numbers around the last ones
/// some steps were made and were not acknowledged.
fn check_answers(store: &SqliteStore, acknowledged: &[String]) {
    let numbers = acknowledged.iter().map(|number| number.parse::<u32>().unwrap());
    let last = numbers.max().unwrap();
    for number in last.saturating_sub(50)..last + 50 {
        let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
        let found = SubmissionStore::find(store, client(1), &lookup, Preference::Best).unwrap();
        let version = found.map_or(0, |found| found.version());
        assert_eq!(is_answered(store, "submit", number), version >= 1, "{number}");
        assert_eq!(is_answered(store, "decide", number), version >= 2, "{number}");
        let document = DocumentStore::find(store, client(1), document_id(number)).unwrap();
        assert_eq!(is_answered(store, "upload", number), document.is_some(), "{number}");
    }
}
