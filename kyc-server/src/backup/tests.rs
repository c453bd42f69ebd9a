use std::cell::Cell;
use std::fs;
use std::path::Path;

use indicatif::ProgressBar;
use kyc_core::conformance::fixture::{client, handle};
use kyc_core::{AuditActor, Document, DocumentKind, DocumentStore, FileFormat, Timestamp};
use kyc_store_sqlite::{Options, SqliteStore, Told};

use super::*;
use crate::exit::{Code, Failure};

/// A store with two documents.
fn store(data: &Path) -> SqliteStore {
    let store = SqliteStore::open(data, Options::default()).unwrap();
    for number in [1, 2] {
        let document = Document {
            handle: handle(DocumentKind::Passport, number),
            created_at: Timestamp::EARLIEST,
            format: FileFormat::Pdf,
            size_bytes: 5,
        };
        store.put(client(1), &document, b"%PDF-").unwrap();
    }
    store
}

/// Makes a backup; `meanwhile` happens when the database was copied and no document was.
fn make_while(
    store: &SqliteStore,
    data: &Path,
    to: &Path,
    meanwhile: impl Fn() -> bool,
) -> Result<Made, Failure> {
    let pace = Pace { bar: &ProgressBar::hidden(), stops: &meanwhile };
    make(store, data, to, &[], AuditActor::Operator, pace)
}

fn erase_one(data: &Path) {
    let id = handle(DocumentKind::Passport, 1).id();
    let database = rusqlite::Connection::open(data.join("kyc.sqlite")).unwrap();
    let erased = database.execute("DELETE FROM document WHERE id = ?1", [id.to_bytes()]);
    assert_eq!(erased.unwrap(), 1);
    let file = kyc_store_sqlite::DocumentFile { client: client(1), id };
    fs::remove_file(data.join(file.path())).unwrap();
}

#[test]
fn d110_what_is_erased_while_a_backup_is_made_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("kyc.tar"));
    let store = store(&data);
    let is_erased = Cell::new(false);
    let made = make_while(&store, &data, &to, || {
        if !is_erased.replace(true) {
            erase_one(&data);
        }
        false
    });
    let manifest = made.unwrap().manifest;
    assert_eq!((manifest.documents, manifest.absent(true).len()), (1, 1));
    assert!(manifest.absent(false).is_empty());

    let new = folder.path().join("new");
    restore(&to, &new, None, &ProgressBar::hidden(), |_, _| Ok(())).unwrap();
    let restored = SqliteStore::open(&new, Options::default()).unwrap();
    let gone = handle(DocumentKind::Passport, 1).id();
    assert_eq!(DocumentStore::find(&restored, client(1), gone).unwrap(), None);
    let kept = handle(DocumentKind::Passport, 2).id();
    assert_eq!(restored.bytes(client(1), kept).unwrap().as_deref(), Some(&b"%PDF-"[..]));
    restored.verify(&mut |told| assert!(!matches!(told, Told::Fault(_)))).unwrap();
}

#[test]
fn d112_a_backup_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("kyc.tar"));
    let store = store(&data);
    let failure = make_while(&store, &data, &to, || true).unwrap_err();
    assert_eq!(failure.code, Code::Failed);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    assert_eq!(data.join("tmp").read_dir().unwrap().count(), 0);
}
