use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kyc_core::conformance::fixture::{client, document_id, time, valid};
use kyc_core::{DocumentStore, StoreError};
use kyc_store_sqlite::SqliteStore;
use tempfile::TempDir;

use crate::support::{database, document, files, folder, open, wait_until};

/// A store that knows client 1.
fn with_a_client(folder: &TempDir) -> SqliteStore {
    let store = open(folder);
    store.add_client(&valid("acme"), time(0)).unwrap();
    store
}

/// Writes a file as if long ago.
fn old_file(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, b"left over").unwrap();
    File::options().write(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
}

#[test]
fn a_document_lies_where_the_folder_says() {
    let folder = folder();
    let store = open(&folder);
    let document = document(1, b"bytes");
    store.put(client(7), &document, b"bytes").unwrap();
    let id = document.handle.id().to_string();
    let expected = folder.path().join("documents/7").join(&id[25..]).join(&id);
    assert_eq!(files(&folder.path().join("documents")), [expected]);
    assert!(files(&folder.path().join("tmp")).is_empty());
}

#[test]
fn what_a_crash_left_over_is_swept() {
    let folder = folder();
    let store = with_a_client(&folder);
    let kept = document(1, b"kept");
    store.put(client(1), &kept, b"kept").unwrap();
    drop(store);

    let documents = folder.path().join("documents");
    let [stored] = files(&documents).try_into().unwrap();
    File::options()
        .write(true)
        .open(&stored)
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    let orphan = |number| {
        let id = document_id(number).to_string();
        documents.join("1").join(&id[25..]).join(id)
    };
    let swept =
        [orphan(2), orphan(3), folder.path().join("tmp/half"), folder.path().join("tmp/whole.1.2")];
    let foreign = [documents.join("notes.txt"), documents.join("1/notes.txt")];
    for path in swept.iter().chain(&foreign) {
        old_file(path);
    }
    let not_ours = folder.path().join("tmp/folder");
    fs::create_dir(&not_ours).unwrap();
    File::open(&not_ours).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();

    let store = open(&folder);
    wait_until("left-over files are swept", || swept.iter().all(|path| !path.exists()));
    assert!(foreign.iter().all(|path| path.exists()), "what is not ours is left alone");
    assert_eq!(store.bytes(client(1), kept.handle.id()).unwrap().as_deref(), Some(&b"kept"[..]));
}

#[test]
fn d71_files_of_an_unknown_client_are_left_alone() {
    let folder = folder();
    drop(with_a_client(&folder));
    let orphan = |client: &str| {
        let id = document_id(1).to_string();
        folder.path().join("documents").join(client).join(&id[25..]).join(id)
    };
    // In whatever order the folders are met, some are met before that of the known client.
    let unknown: Vec<PathBuf> = (2..100).map(|client| orphan(&client.to_string())).collect();
    for path in unknown.iter().chain([&orphan("1")]) {
        old_file(path);
    }
    let store = open(&folder);
    wait_until("left-over files are swept", || !orphan("1").exists());
    drop(store);
    assert!(unknown.iter().all(|path| path.exists()));
}

#[test]
fn files_that_are_younger_than_the_process_are_left_alone() {
    let folder = folder();
    drop(with_a_client(&folder));
    let documents = folder.path().join("documents/1");
    let of = |number| {
        let id = document_id(number).to_string();
        documents.join(&id[25..]).join(id)
    };
    // Another process may be about to write the rows of these.
    let young: Vec<PathBuf> = (1..100).map(of).collect();
    for path in &young {
        old_file(path);
        let later = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 33);
        File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
    }
    let old: Vec<PathBuf> = (100..200).map(of).collect();
    for path in &old {
        old_file(path);
    }
    let _store = open(&folder);
    wait_until("left-over files are swept", || old.iter().all(|path| !path.exists()));
    assert!(young.iter().all(|path| path.exists()));
}

#[test]
fn the_sweep_and_uploads_do_not_meet() {
    let folder = folder();
    let store = with_a_client(&folder);
    // Enough work for a sweep to take a while.
    for number in 1_000..1_400 {
        let id = document_id(number).to_string();
        old_file(&folder.path().join("documents/1").join(&id[25..]).join(id));
    }
    drop(store);
    let store = open(&folder);
    for number in 1..=100 {
        store.put(client(1), &document(number, b"new"), b"new").unwrap();
    }
    let documents = folder.path().join("documents");
    wait_until("left-over files are swept", || files(&documents).len() == 100);
    for number in 1..=100 {
        let bytes = store.bytes(client(1), document_id(number)).unwrap();
        assert_eq!(bytes.as_deref(), Some(&b"new"[..]));
    }
}

#[test]
fn an_orphan_of_the_same_id_is_written_over() {
    let folder = folder();
    let store = open(&folder);
    let id = document_id(1).to_string();
    let path = folder.path().join("documents/1").join(&id[25..]).join(&id);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, b"of a crash").unwrap();
    store.put(client(1), &document(1, b"new"), b"new").unwrap();
    assert_eq!(store.bytes(client(1), document_id(1)).unwrap().as_deref(), Some(&b"new"[..]));
}

/// Breaks one thing after the other that storing a document needs.
#[test]
fn a_document_that_cannot_be_stored_is_not_there() {
    let folder = folder();
    let store = open(&folder);
    let (uploads, documents) = (folder.path().join("tmp"), folder.path().join("documents"));
    let [hidden_uploads, hidden_documents] =
        ["tmp.hidden", "documents.hidden"].map(|name| folder.path().join(name));
    let assert_fails = || {
        let outcome = store.put(client(1), &document(1, b"bytes"), b"bytes");
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
        assert_eq!(DocumentStore::find(&store, client(1), document_id(1)).unwrap(), None);
    };

    fs::rename(&uploads, &hidden_uploads).unwrap();
    assert_fails();
    fs::rename(&hidden_uploads, &uploads).unwrap();

    fs::rename(&documents, &hidden_documents).unwrap();
    fs::write(&documents, b"a file in the way").unwrap();
    assert_fails();
    assert!(files(&uploads).is_empty(), "nothing is left over");
    fs::remove_file(&documents).unwrap();
    fs::rename(&hidden_documents, &documents).unwrap();

    let trigger = "CREATE TRIGGER fail BEFORE INSERT ON document
                   BEGIN SELECT raise(ABORT, 'told to'); END";
    let database = database(&folder);
    database.execute_batch(trigger).unwrap();
    assert_fails();
    database.execute_batch("DROP TRIGGER fail").unwrap();

    store.put(client(1), &document(1, b"bytes"), b"bytes").unwrap();
    assert_eq!(store.bytes(client(1), document_id(1)).unwrap().as_deref(), Some(&b"bytes"[..]));
}
