use std::thread;

use super::answers::{Way, answers, answers_survive};
use super::fixture::{client, document_id, handle, time, valid};
use crate::{
    ClientId, Document, DocumentHandle, DocumentKind, DocumentStore, FileFormat, Spelling,
    StoreError, Timestamp,
};

/// The contract of [`DocumentStore`], except that writes survive a crash. `open` gives an empty
/// store.
///
/// ```
/// use kyc_core::conformance::document_store;
/// use kyc_core::memory::MemoryDocuments;
///
/// document_store(MemoryDocuments::default);
/// ```
///
/// # Panics
///
/// When the store breaks its contract.
pub fn document_store<S: DocumentStore>(open: impl Fn() -> S) {
    a_document_is_read_back_as_it_was_stored(&open());
    an_absent_document_is_none(&open());
    clients_do_not_see_each_other(&open());
    an_id_is_taken_once_per_client(&open());
    one_of_racing_writes_wins(&open());
    answers(&open, &way());
}

/// That documents outlive the store that took them. `open` gives a store over the same storage
/// each time, empty the first time; the one before is dropped by then.
///
/// # Panics
///
/// When something is lost or changed.
pub fn document_store_survives<S: DocumentStore>(open: impl Fn() -> S) {
    let stored = documents();
    for (document, bytes) in &stored {
        open().put(client(1), document, bytes).expect("put");
    }
    let store = open();
    for (document, bytes) in &stored {
        assert_reads_back(&store, client(1), document, bytes);
        let refused = store.put(client(1), document, bytes);
        assert!(matches!(refused, Err(StoreError::Duplicate)), "an id stays taken: {refused:?}");
    }
    drop(store);
    answers_survive(&open, &way());
}

fn way<S: DocumentStore>() -> Way<S> {
    Way {
        write: |store, number, beside| {
            let document =
                Document { handle: handle(DocumentKind::Passport, number), ..document(b"a") };
            store.put_with(client(1), &document, b"a", beside)
        },
        is_stored: |store, number| {
            store.find(client(1), document_id(number)).expect("find").is_some()
        },
    }
}

fn a_document_is_read_back_as_it_was_stored(store: &impl DocumentStore) {
    let stored = documents();
    for client in [client(1), client(ClientId::MAX)] {
        for (document, bytes) in &stored {
            store.put(client, document, bytes).expect("put");
        }
    }
    for client in [client(1), client(ClientId::MAX)] {
        for (document, bytes) in &stored {
            assert_reads_back(store, client, document, bytes);
        }
    }
}

/// One of every kind, spelling and format; sizes from one byte to the limit of the interface (D23).
fn documents() -> Vec<(Document, Vec<u8>)> {
    let every_byte: Vec<u8> = (0..=u8::MAX).collect();
    let large: Vec<u8> = every_byte.iter().copied().cycle().take(3 * 1024 * 1024).collect();
    let kinds = [
        (DocumentKind::Passport, Spelling::Underscored, FileFormat::Jpeg, vec![0]),
        (DocumentKind::GovernmentId, Spelling::Joined, FileFormat::Png, every_byte),
        (DocumentKind::GovernmentId, Spelling::Underscored, FileFormat::Pdf, b"\r\n\0".to_vec()),
        (DocumentKind::DriversLicense, Spelling::Underscored, FileFormat::Jpeg, large),
        (DocumentKind::Selfie, Spelling::Underscored, FileFormat::Png, b"selfie".to_vec()),
        (DocumentKind::Address, Spelling::Underscored, FileFormat::Pdf, b"address".to_vec()),
        (DocumentKind::Other, Spelling::Underscored, FileFormat::Pdf, b"other".to_vec()),
    ];
    (1..)
        .zip(kinds)
        .map(|(number, (kind, spelling, format, bytes))| {
            let prefix = valid("k3v9x0q2ab");
            let handle = DocumentHandle::new(prefix, kind, spelling, document_id(number));
            let created_at = if number == 1 { Timestamp::LATEST } else { time(number) };
            (document_of(handle, created_at, format, &bytes), bytes)
        })
        .collect()
}

fn document_of(
    handle: DocumentHandle,
    created_at: Timestamp,
    format: FileFormat,
    bytes: &[u8],
) -> Document {
    let size_bytes = u32::try_from(bytes.len()).expect("a small document");
    Document { handle, created_at, format, size_bytes }
}

/// A document with the id 1 and these bytes.
fn document(bytes: &[u8]) -> Document {
    document_of(handle(DocumentKind::Passport, 1), time(1), FileFormat::Jpeg, bytes)
}

fn an_absent_document_is_none(store: &impl DocumentStore) {
    store.put(client(1), &document(b"one"), b"one").expect("put");
    assert!(store.find(client(1), document_id(2)).expect("absent is no error").is_none());
    assert!(store.bytes(client(1), document_id(2)).expect("absent is no error").is_none());
}

fn clients_do_not_see_each_other(store: &impl DocumentStore) {
    let id = document_id(1);
    store.put(client(1), &document(b"theirs"), b"theirs").expect("put");
    assert!(store.find(client(2), id).expect("foreign is no error").is_none());
    assert!(store.bytes(client(2), id).expect("foreign is no error").is_none());

    let own = document(b"mine, under the same id");
    store.put(client(2), &own, b"mine, under the same id").expect("ids are each client's own");
    assert_reads_back(store, client(1), &document(b"theirs"), b"theirs");
    assert_reads_back(store, client(2), &own, b"mine, under the same id");
}

fn an_id_is_taken_once_per_client(store: &impl DocumentStore) {
    let first = document(b"first");
    store.put(client(1), &first, b"first").expect("put");

    let second = Document { format: FileFormat::Png, ..document(b"the second") };
    for (document, bytes) in [(&first, b"first".as_slice()), (&second, b"the second")] {
        let refused = store.put(client(1), document, bytes);
        assert!(matches!(refused, Err(StoreError::Duplicate)), "the id is taken: {refused:?}");
        assert_reads_back(store, client(1), &first, b"first");
    }
}

fn one_of_racing_writes_wins(store: &impl DocumentStore) {
    let racers: [&[u8]; 4] = [b"a", b"bb", b"ccc", b"dddd"];
    let winners: Vec<&[u8]> = thread::scope(|scope| {
        let racers = racers.map(|bytes| {
            scope.spawn(move || store.put(client(1), &document(bytes), bytes).map(|()| bytes))
        });
        racers.into_iter().filter_map(|racer| racer.join().expect("no panic").ok()).collect()
    });
    let [winner] = winners.as_slice() else {
        panic!("one of the racing writes under one id wins, not {}", winners.len());
    };
    assert_reads_back(store, client(1), &document(winner), winner);
}

#[track_caller]
fn assert_reads_back(
    store: &impl DocumentStore,
    client: ClientId,
    document: &Document,
    bytes: &[u8],
) {
    let id = document.handle.id();
    let found = store.find(client, id).expect("find").expect("a stored document");
    assert_eq!(&found, document, "the document is read back as it was stored");
    let found = store.bytes(client, id).expect("bytes").expect("a stored document");
    assert!(found == bytes, "the bytes are read back as they were stored");
}
