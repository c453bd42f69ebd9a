//! What a verification finds (D122).

use kyc_core::conformance::fixture::{
    client, document_id, form_aml_only, replay, sample, submission, time, valid,
};
use kyc_core::{
    Beside, DocumentErasure, DocumentStore, Erasure, ErasureCause, Retention, StoreError,
    SubmissionId, SubmissionStore,
};
use kyc_store_sqlite::{Check, OpenError, Options, SqliteStore, Told};

use crate::support::{database, document, folder, open, open_sealed};

/// The faults of a store, as text.
pub(crate) fn faults(store: &SqliteStore) -> Vec<String> {
    let mut faults = Vec::new();
    let checked = store.verify(&mut |told| {
        if let Told::Fault(fault) = told {
            faults.push(fault.to_string());
        }
    });
    let counted: u64 = checked.unwrap().iter().map(|checked| checked.faults).sum();
    assert_eq!(counted, faults.len() as u64);
    faults
}

#[test]
fn d122_forged_counts_answers_and_certificates_are_named() {
    let folder = folder();
    let store = open_sealed(&folder);
    let (kept, gone) = (sample(), submission(2, form_aml_only()));
    let answer = Beside::answer(replay("order-17", time(0)));
    store.put(client(1), &document(1, b"bytes"), b"bytes").unwrap();
    store.put(client(1), &document(2, b"more bytes"), b"more bytes").unwrap();
    store.put(client(1), &document(3, b"not the applicant"), b"not the applicant").unwrap();
    store.insert_with(client(1), &kept, answer).unwrap();
    store.insert(client(1), &gone).unwrap();
    let erasure = Erasure::of(&gone, ErasureCause::Period, time(9_000));
    store.erase(client(1), &erasure).unwrap();
    let (document, reason) = (document_id(3), valid("not_the_applicant"));
    let erasure = DocumentErasure { document, changed: Vec::new(), reason, at: time(60) };
    store.erase_document(client(1), &erasure).unwrap();
    assert_eq!(faults(&store), [""; 0]);

    let (gone, document) = (gone.id(), document_id(3));
    let other = "SELECT client, zeroblob(16), record, tag FROM certificate";
    let nobody = SubmissionId::from_bytes([0; 16]);
    for (forgery, undo, expected) in [
        (
            "UPDATE usage SET document_bytes = document_bytes + 1",
            "UPDATE usage SET document_bytes = document_bytes - 1",
            "usage 1: the bytes that are counted are not those of the documents".to_owned(),
        ),
        (
            "UPDATE usage SET uploads = uploads - 1",
            "UPDATE usage SET uploads = uploads + 1",
            "usage 1: the uploads that are counted are not those that the audit tells of"
                .to_owned(),
        ),
        (
            "INSERT INTO usage VALUES (2, 0, 0, 1)",
            "DELETE FROM usage WHERE client = 2",
            "usage 2: the uploads that are counted are not those that the audit tells of"
                .to_owned(),
        ),
        (
            "UPDATE replay SET client = 2",
            "UPDATE replay SET client = 1",
            "replay 1: the sealed bytes were changed, moved, or sealed with another key".to_owned(),
        ),
        (
            "UPDATE replay SET about = zeroblob(16)",
            "UPDATE replay SET about = (SELECT id FROM submission)",
            "replay 1: what it tells of is not there".to_owned(),
        ),
        (
            &format!("INSERT INTO certificate {other}"),
            "DELETE FROM certificate WHERE submission = zeroblob(16)",
            format!("certificate {nobody}: the record holds no valid tag"),
        ),
        (
            "UPDATE certificate SET tag = zeroblob(32)",
            "",
            format!("certificate {gone}: the record holds no valid tag"),
        ),
        (
            "DELETE FROM certificate",
            "",
            format!(
                "certificate {gone}: the audit says that it was erased, and there is no certificate"
            ),
        ),
        (
            "UPDATE erased_document SET record = NULL, tag = NULL",
            "",
            format!(
                "erased_document {document}: the audit says that it was erased, and there is no \
                 certificate"
            ),
        ),
    ] {
        database(&folder).execute_batch(forgery).unwrap();
        let found = faults(&store);
        assert!(found.contains(&expected), "{forgery}: {found:?}");
        database(&folder).execute_batch(undo).unwrap();
    }
}

#[test]
fn d122_a_certificate_of_which_the_audit_does_not_tell_is_named() {
    let folder = folder();
    let store = open(&folder);
    let one = submission(2, form_aml_only());
    store.insert(client(1), &one).unwrap();
    store.erase(client(1), &Erasure::of(&one, ErasureCause::Period, time(9_000))).unwrap();
    // The end of the chain goes with its last row, as somebody does who has the secret, too.
    database(&folder).execute("DELETE FROM audit WHERE key = (1 << 40) + 2", []).unwrap();
    let expected = format!("certificate {}: the audit does not tell of its erasure", one.id());
    assert!(faults(&store).contains(&expected));
}

#[test]
fn d122_a_table_that_is_missing_is_a_finding_and_the_other_checks_go_on() {
    let folder = folder();
    let store = open(&folder);
    store.insert(client(1), &sample()).unwrap();
    database(&folder).execute_batch("DROP TABLE audit").unwrap();
    let found = faults(&store);
    let missing = "audit: it is missing: restore the data folder from a backup";
    assert!(found.iter().any(|fault| fault == missing), "{found:?}");
    assert!(found.iter().any(|fault| fault.starts_with("submission ")), "{found:?}");
    let refused = store.verify_audit(&[]);
    assert!(matches!(refused, Err(StoreError::Corrupt { table: "schema", .. })), "{refused:?}");
    let column = "DROP INDEX replay_about; ALTER TABLE replay DROP COLUMN about";
    database(&folder).execute_batch(column).unwrap();
    let missing = "schema about: it is missing: restore the data folder from a backup";
    assert!(faults(&store).contains(&missing.to_owned()));

    // Without some tables no store opens.
    database(&folder).execute_batch("DROP TABLE inspector_client").unwrap();
    drop(store);
    let opened = SqliteStore::open(folder.path(), Options::default());
    assert!(matches!(opened, Err(OpenError::Damaged(_))), "{opened:?}");
}

#[test]
fn every_check_is_made_and_counted() {
    let folder = folder();
    let store = open(&folder);
    store.insert(client(1), &sample()).unwrap();
    store.put(client(1), &document(1, b"bytes"), b"bytes").unwrap();
    let checked = store.verify(&mut |_| ()).unwrap();
    assert_eq!(checked.iter().map(|checked| checked.check).collect::<Vec<_>>(), Check::ALL);
    let count = |check: Check| checked.iter().find(|checked| checked.check == check).unwrap().count;
    assert_eq!(count(Check::Submissions), 1);
    assert_eq!(count(Check::Documents), 1);
    assert!(count(Check::Pages) > 10 && count(Check::Schema) > 10 && count(Check::Audit) > 1);
}
