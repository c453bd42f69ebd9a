//! Copies of the database, and what they lack (G13).

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use kyc_core::conformance::fixture::{client, form_aml_only, sample, submission, time, valid};
use kyc_core::{DocumentStore, SubmissionStore};
use kyc_store_sqlite::{CopyError, DatabaseCopy, DocumentState, Options, SqliteStore, Told};
use kyc_vault::Source;

use crate::support::{database, document, folder, open};
use crate::verify::faults;

#[test]
fn g13_a_copy_has_everything_that_was_acknowledged_before() {
    let folder = folder();
    let store = open(&folder);
    let stored = AtomicU32::new(0);
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1.. {
                store.insert(client(1), &submission(number, form_aml_only())).unwrap();
                stored.store(number, Ordering::SeqCst);
                if ends.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        // Another process, as far as SQLite can tell.
        let beside = SqliteStore::open_beside(folder.path(), Options::default()).unwrap();
        for _ in 0..20 {
            let before = stored.load(Ordering::SeqCst);
            let copy = beside.copy_database(&mut |_, _| ()).unwrap();
            assert!(copy.counts().unwrap().submissions >= u64::from(before));
            let checked = copy.verify(&mut |told| assert!(matches!(told, Told::Looked(..))));
            assert!(checked.unwrap().iter().all(|checked| checked.faults == 0));
        }
        ends.store(true, Ordering::SeqCst);
    });
    assert_eq!(faults(&store), [""; 0]);
}

#[test]
fn what_a_submission_refers_to_is_missed() {
    let folder = folder();
    let store = open(&folder);
    let submission = sample();
    store.insert(client(1), &submission).unwrap();
    let id = submission.id();
    let lost = format!("submission {id}: a document that it refers to is missing");
    assert_eq!(faults(&store), vec![lost.clone(); submission.documents().len()]);

    database(&folder).execute("DELETE FROM document_use", []).unwrap();
    let forgotten =
        format!("submission {id}: a note of the use of a document that it refers to is missing");
    let both = [lost, forgotten];
    assert_eq!(faults(&store), vec![both; submission.documents().len()].concat());
}

#[test]
fn t26_a_submission_that_was_taken_out_of_the_database_is_missed() {
    let folder = folder();
    let store = open(&folder);
    for number in [1, 2] {
        store.insert(client(1), &submission(number, form_aml_only())).unwrap();
    }
    let out = "DELETE FROM submission WHERE key = (1 << 40) + 1";
    database(&folder).execute(out, []).unwrap();
    let lost = submission(1, form_aml_only()).id();
    let what = "the audit says that it was stored, and it is not there";
    assert_eq!(faults(&store), [format!("submission {lost}: {what}")]);
}

#[test]
fn one_copy_is_made_at_a_time_and_none_is_left() {
    let folder = folder();
    let store = open(&folder);
    let beside = SqliteStore::open_beside(folder.path(), Options::default()).unwrap();
    let copy = store.copy_database(&mut |_, _| ()).unwrap();
    assert!(matches!(beside.copy_database(&mut |_, _| ()), Err(CopyError::UnderWay)));
    // Who starts meanwhile leaves it alone.
    let path = copy.path().to_owned();
    assert!(path.exists());
    drop(copy);
    assert!(!path.exists());

    // What a killed one left is in nobody's way, and removed.
    fs::write(&path, "left over").unwrap();
    fs::write(path.with_extension("sqlite-journal"), "left over").unwrap();
    drop(beside.copy_database(&mut |_, _| ()).unwrap());
    assert_eq!(folder.path().join("tmp").read_dir().unwrap().count(), 0);
}

/// A child of a process has its locks until it has become another program.
#[test]
fn a_copy_waits_a_moment_for_the_one_before() {
    let folder = folder();
    let store = open(&folder);
    let beside = SqliteStore::open_beside(folder.path(), Options::default()).unwrap();
    let is_made_behind_another = || {
        let before = store.copy_database(&mut |_, _| ()).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                drop(before);
            });
            beside.copy_database(&mut |_, _| ()).is_ok()
        })
    };
    // On a busy machine a moment may be too long.
    assert!((0..5).any(|_| is_made_behind_another()));
}

#[test]
fn a_copy_knows_its_documents_and_what_became_of_them() {
    let folder = folder();
    let store = open(&folder);
    for number in [3, 1, 2] {
        store.put(client(1), &document(number, b"bytes"), b"bytes").unwrap();
    }
    let mut copy = store.copy_database(&mut |_, _| ()).unwrap();
    let mut documents = Vec::new();
    let shown = copy.documents(|document| {
        documents.push(document);
        Ok::<_, kyc_core::StoreError>(())
    });
    shown.unwrap();
    assert!(documents.is_sorted() && documents.len() == 3);
    for document in &documents {
        let path = folder.path().join(document.path());
        assert_eq!(fs::read(path).unwrap(), b"bytes");
        assert!(copy.has_document(*document).unwrap());
    }
    let [there, erased, lost] = documents.try_into().unwrap();
    for gone in [erased, lost] {
        fs::remove_file(folder.path().join(gone.path())).unwrap();
    }
    database(&folder)
        .execute("DELETE FROM document WHERE id = ?1", [erased.id.to_bytes()])
        .unwrap();
    assert!(matches!(store.open_document(there).unwrap(), DocumentState::There(_)));
    assert!(matches!(store.open_document(erased).unwrap(), DocumentState::Erased));
    assert!(matches!(store.open_document(lost).unwrap(), DocumentState::Missing));

    copy.forget_documents(&[erased]).unwrap();
    assert!(!copy.has_document(erased).unwrap() && copy.has_document(lost).unwrap());
    let kept = folder.path().join("kept.sqlite");
    fs::copy(copy.path(), &kept).unwrap();
    assert_eq!(DatabaseCopy::open(&kept).unwrap().counts().unwrap().documents, 2);
}

#[test]
fn t24_a_sealed_store_is_verified_and_what_is_in_clear_is_named() {
    let folder = folder();
    let options = || Options::default().with_vault(Source::file(folder.path().join("master.key")));
    let store = SqliteStore::open(&folder.path().join("data"), options()).unwrap();
    store.insert(client(1), &submission(1, form_aml_only())).unwrap();
    store.put(client(1), &document(1, b"%PDF-1.7 bytes"), b"%PDF-1.7 bytes").unwrap();
    assert_eq!(faults(&store), [""; 0]);

    let copy = store.copy_database(&mut |_, _| ()).unwrap();
    let mut files = Vec::new();
    let shown = copy.documents(|document| {
        files.push(folder.path().join("data").join(document.path()));
        Ok::<_, kyc_core::StoreError>(())
    });
    shown.unwrap();
    fs::write(&files[0], b"%PDF-1.7 bytes").unwrap();
    let found = faults(&store);
    assert!(found.len() == 1 && found[0].ends_with("its file is in clear"), "{found:?}");
}

#[test]
fn t37_the_clock_of_a_sandbox_is_not_that_of_the_store() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap().id;
    let trial = store.add_sandbox(&valid("trial"), time(0)).unwrap().id;
    store.insert(trial, &submission(2, form_aml_only())).unwrap();
    assert_eq!(store.newest().unwrap(), None);
    let first = submission(1, form_aml_only());
    store.insert(acme, &first).unwrap();
    assert_eq!(store.newest().unwrap(), Some(first.created_at()));
}
