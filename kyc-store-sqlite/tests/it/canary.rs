//! Values that occur nowhere else are stored in every field and looked for in every file.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use kyc_core::conformance::fixture::{
    approved, client, form_full, inspector, replay, submission, time, valid,
};
use kyc_core::{
    Answer, AnswerStore, Applicant, Beside, DocumentStore, Form, Identification, Kept, Lookup,
    PartialAddress, Preference, Scope, Submission, SubmissionStore,
};
use kyc_core::{Directory, Evidence};
use kyc_store_sqlite::{InClear, OpenError, Options, SqliteStore};
use tempfile::TempDir;

use crate::support::{by_id, database, document, folder, open, open_sealed, wait_until};

/// What is stored, and nothing but that.
const CANARIES: [&str; 16] = [
    "qx7canaryemail", // a part of the address
    "qx7canaryuser",
    "Qxcanaryfirst",
    "Qxcanarymiddle",
    "Qxcanarylast",
    "QX7CANARYID",
    "Qx7canarystreet",
    "Qx7canarycity",
    "QX7CANARYZIP",
    "QX7CANARYTYPE",
    "qx7canarywallet",
    "qx7canaryamount",
    "qx7canarycustom",
    "Qx7canarycomment",
    "qx7canarydocument",
    "qx7canaryanswer",
];

fn form() -> Form {
    let form = form_full();
    let Scope::Identity(identification) = form.scope else { panic!("an identity") };
    let Evidence::L1 { photo_id, selfie, address, proof } = identification.evidence else {
        panic!("level 1")
    };
    let address = PartialAddress {
        street: Some(valid("Qx7canarystreet 1")),
        city: Some(valid("Qx7canarycity")),
        zipcode: Some(valid("QX7CANARYZIP")),
        ..address
    };
    let identification = Identification {
        id_number: Some(valid("QX7CANARYID")),
        contribution_type: Some(valid("QX7CANARYTYPE")),
        wallet_address: Some(valid("qx7canarywallet")),
        estimated_amount: Some(valid("qx7canaryamount")),
        custom: [Some(valid("qx7canarycustom")), None, None],
        evidence: Evidence::L1 { photo_id, selfie, address, proof },
        ..*identification
    };
    Form {
        email: valid("qx7canaryemail@example.org"),
        user_id: Some(valid("qx7canaryuser")),
        applicant: Applicant {
            first_name: valid("Qxcanaryfirst"),
            middle_name: Some(valid("Qxcanarymiddle")),
            last_name: valid("Qxcanarylast"),
            ..form.applicant
        },
        scope: Scope::Identity(Box::new(identification)),
    }
}

/// Long enough that it has pages of its own.
fn bytes() -> Vec<u8> {
    b"qx7canarydocument ".repeat(4_000)
}

fn answered() -> kyc_core::Replay {
    let answer = Answer { status: 200, body: b"{\"email\":\"qx7canaryanswer\"}".to_vec() };
    kyc_core::Replay { answer, ..replay("order-1", time(0)) }
}

fn rejected(submission: Submission) -> Submission {
    let comment = valid("Qx7canarycomment: the photo is blurred");
    submission.reject(&inspector(), time(60), comment, Vec::new()).unwrap()
}

/// Everything that can be stored, in several rows, some of which are replaced.
fn fill(store: &SqliteStore) {
    let bytes = bytes();
    store.put(client(1), &document(1, &bytes), &bytes).unwrap();
    for number in 1..=40 {
        let submission = submission(number, form());
        let beside = match number {
            1 => Beside::answer(answered()),
            _ => Beside::NOTHING,
        };
        store.insert_with(client(1), &submission, beside).unwrap();
        let decided = if number % 2 == 0 { rejected(submission) } else { approved(submission) };
        store.replace(client(1), &decided).unwrap();
    }
}

fn check_filled(store: &SqliteStore) {
    let bytes = bytes();
    let document = document(1, &bytes);
    let id = document.handle.id();
    assert_eq!(DocumentStore::find(store, client(1), id).unwrap(), Some(document));
    assert_eq!(store.bytes(client(1), id).unwrap(), Some(bytes));
    for number in 1..=40 {
        let submission = submission(number, form());
        let lookup = by_id(&submission);
        let found = SubmissionStore::find(store, client(1), &lookup, Preference::Best).unwrap();
        let expected = if number % 2 == 0 { rejected(submission) } else { approved(submission) };
        assert_eq!(found, Some(expected));
    }
    let email = form().email;
    let lookup = Lookup { email: Some(&email), ..Lookup::default() };
    assert!(SubmissionStore::find(store, client(1), &lookup, Preference::Best).unwrap().is_some());
    let kept = store.find_answer(&answered().request, time(0)).unwrap();
    assert!(matches!(kept, Some(Kept::Answer { answer, .. }) if answer == answered().answer));
}

/// A text as it may stand in a file.
fn encodings(text: &str) -> Vec<Vec<u8>> {
    let raw = text.as_bytes();
    let hex = |upper: bool| -> String {
        let digits = |byte: &u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
        raw.iter().map(digits).collect()
    };
    let mut all = vec![raw.to_vec(), hex(true).into_bytes(), hex(false).into_bytes()];
    all.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    all.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    // Wherever it begins in a text of base 64, these of its letters are the same.
    for before in 0..3 {
        let encoded = STANDARD_NO_PAD.encode([&vec![0; before], raw].concat());
        let first = (before * 8).div_ceil(6);
        let last = (before + raw.len()) * 8 / 6;
        all.push(encoded.as_bytes()[first..last].to_vec());
    }
    all
}

/// Which canaries any file of a folder has.
fn sung(folder: &Path) -> Vec<&'static str> {
    let mut files = Vec::new();
    read_all(folder, &mut files);
    let has = |needle: &[u8]| {
        files.iter().any(|file| file.windows(needle.len()).any(|window| window == needle))
    };
    let is_sung = |canary: &&str| encodings(canary).iter().any(|needle| has(needle));
    CANARIES.into_iter().filter(is_sung).collect()
}

fn read_all(path: &Path, files: &mut Vec<Vec<u8>>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            read_all(&entry.unwrap().path(), files);
        }
    } else {
        files.push(fs::read(path).unwrap());
    }
}

#[test]
fn the_search_finds_each_encoding() {
    for (place, found) in encodings("qx7canaryemail").iter().enumerate() {
        let folder = folder();
        let text = [b"before".as_slice(), found, b"behind"].concat();
        fs::write(folder.path().join("file"), text).unwrap();
        assert_eq!(sung(folder.path()), ["qx7canaryemail"], "encoding {place}");
    }
}

#[test]
fn t24_no_file_of_a_sealed_store_tells_what_was_stored() {
    let folder = folder();
    let store = open_sealed(&folder);
    fill(&store);
    check_filled(&store);
    // The log is there.
    assert!(folder.path().join("kyc.sqlite-wal").metadata().unwrap().len() > 0);
    assert_eq!(sung(folder.path()), [""; 0]);
    assert_eq!(store.in_clear().unwrap(), InClear::default());
    drop(store);
    assert_eq!(sung(folder.path()), [""; 0]);
    let copy = folder.path().join("backup/copy.sqlite");
    database(&folder).execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    assert_eq!(sung(folder.path()), [""; 0]);
    check_filled(&open_sealed(&folder));
}

#[test]
fn t24_the_same_search_finds_everything_without_a_vault() {
    let folder = folder();
    let store = open(&folder);
    fill(&store);
    assert_eq!(sung(folder.path()), CANARIES);
    assert_eq!(store.in_clear().unwrap(), InClear { records: 41, documents: 1, has_traces: false });
}

#[test]
fn t24_d93_a_store_in_clear_is_sealed_in_the_background() {
    let folder = folder();
    let store = open(&folder);
    let key = store.add_client(&valid("acme"), time(0)).unwrap().id;
    let key = store.create_key(key, time(0)).unwrap();
    fill(&store);
    drop(store);
    let copy = folder.path().join("backup/kyc.schema-3.sqlite");
    database(&folder).execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    assert_eq!(sung(folder.path()), CANARIES);

    let store = open_sealed(&folder);
    // Also on the way.
    check_filled(&store);
    wait_until("all is sealed", || store.in_clear().unwrap() == InClear::default());
    check_filled(&store);
    assert_eq!(sung(folder.path()), [""; 0]);
    assert!(!copy.exists(), "a copy in clear is removed");
    assert!(!folder.path().join("pepper").exists());
    assert!(store.client_of_key(key.as_str()).unwrap().is_some(), "the pepper is the same");
    drop(store);

    assert_eq!(sung(folder.path()), [""; 0]);
    let without = SqliteStore::open(folder.path(), Options::default());
    assert!(matches!(without, Err(OpenError::Sealed)), "{without:?}");
    check_filled(&open_sealed(&folder));
}

#[test]
fn t24_d93_a_vault_is_not_given_under_a_server_without() {
    let folder: TempDir = folder();
    let _serving = open(&folder);
    let vault = crate::support::sealed(&folder);
    let beside = SqliteStore::open_beside(folder.path(), vault);
    assert!(matches!(beside, Err(OpenError::InUse)), "{beside:?}");
}
