//! Files that can grow no more, at every size: the process limits their size, which to the store is
//! as a disk that is full.

use std::path::Path;
use std::process::{Command, id};

use kyc_core::conformance::fixture::{client, document_id, submission_id};
use kyc_core::{DocumentStore, Lookup, Preference, StoreError, SubmissionStore};
use kyc_store_sqlite::{Options, SqliteStore};

use crate::support::{child, document, folder, folder_of_child, submission_of};

/// Sets how far files of this process may grow.
fn limit_files(bytes: &str) {
    let limit = format!("--fsize={bytes}:");
    let status = Command::new("prlimit").args(["--pid", &id().to_string(), &limit]).status();
    assert!(status.unwrap().success());
}

#[test]
fn nothing_is_lost_when_files_can_grow_no_more() {
    if let Some(folder) = folder_of_child() {
        return fill_up(&folder);
    }
    let folder = folder();
    let test = "full::nothing_is_lost_when_files_can_grow_no_more";
    let (mut child, _output) = child(test, folder.path());
    assert!(child.wait().unwrap().success());
}

fn fill_up(folder: &Path) {
    let store = SqliteStore::open(folder, Options::default()).unwrap();
    let mut next = 1;
    let mut stored = Vec::new();
    let is_stored = |number: u32| {
        let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
        SubmissionStore::find(&store, client(1), &lookup, Preference::Best).unwrap().is_some()
    };
    for step in 0..60_u64 {
        let log = folder.join("kyc.sqlite-wal").metadata().unwrap().len();
        // Somewhere within the next pages of the log, at no round number.
        limit_files(&(log + step * 331).to_string());
        let refused = loop {
            match store.insert(client(1), &submission_of(next, "mira@example.org")) {
                Ok(()) => stored.push(next),
                Err(error) => break error,
            }
            next += 1;
        };
        assert!(matches!(refused, StoreError::Unavailable(_)), "{refused:?}");
        limit_files("unlimited");
        next += 1;
        store.insert(client(1), &submission_of(next, "mira@example.org")).unwrap();
        stored.push(next);
        next += 1;
    }
    assert!(stored.iter().all(|number| is_stored(*number)));

    let bytes = vec![7; 100_000];
    limit_files("50000");
    let refused = store.put(client(1), &document(1, &bytes), &bytes);
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(DocumentStore::find(&store, client(1), document_id(1)).unwrap(), None);
    assert_eq!(folder.join("tmp").read_dir().unwrap().count(), 0, "nothing is left over");
    limit_files("unlimited");
    store.put(client(1), &document(1, &bytes), &bytes).unwrap();

    drop(store);
    let store = SqliteStore::open(folder, Options::default()).unwrap();
    let mut shown = 0;
    store
        .list(client(1), None, &mut |_| {
            shown += 1;
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert!(shown >= stored.len());
    assert_eq!(store.bytes(client(1), document_id(1)).unwrap(), Some(bytes));
}
