//! What a verification finds (D122, D128).

use std::fs;
use std::time::Duration;

use kyc_core::conformance::fixture::{
    client, document_id, form_aml_only, replay, sample, submission, time, valid,
};
use kyc_core::{
    Beside, Directory, DocumentErasure, DocumentStore, Erasure, ErasureCause, Retention,
    StoreError, SubmissionId, SubmissionStore,
};
use kyc_store_sqlite::fuzzing::make_older;
use kyc_store_sqlite::{Check, OpenError, Options, SqliteStore, Told};
use rustix::fs::{CWD, FileType, Mode};

use crate::support::{database, document, files, folder, open, open_sealed, sealed};

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
fn d128_rows_that_are_not_as_the_audit_says_are_named() {
    let folder = folder();
    let store = open_sealed(&folder);
    let acme = store.add_client(&valid("acme"), time(1)).unwrap().id;
    let other = store.add_client(&valid("other"), time(2)).unwrap().id;
    let trial = store.add_sandbox(&valid("trial"), time(3)).unwrap().id;
    store.advance_sandbox(trial, Duration::from_secs(60), time(4)).unwrap();
    let working = store.create_key(acme, time(5)).unwrap().id();
    let revoked = store.create_key(other, time(6)).unwrap().id();
    store.revoke_key(revoked, time(7)).unwrap();
    store.add_inspector(&valid("ines"), Some(&[other, acme]), time(8)).unwrap();
    store.add_inspector(&valid("gone"), None, time(8)).unwrap();
    store.remove_inspector(&valid("gone"), time(9)).unwrap();
    store.put(acme, &document(1, b"bytes"), b"bytes").unwrap();
    assert_eq!(faults(&store), [""; 0]);

    let document = document_id(1);
    let moved =
        format!("api_key {working}: the audit says that it is this client's, and it is not");
    let clock = |number| format!("client {number}: its clock is not set as the audit says");
    let revocation = format!("api_key {revoked}: it is not revoked as the audit says");
    let sees_others = "inspector ines: the inspector sees others than the audit says".to_owned();
    for (forgery, undo, expected) in [
        (
            "UPDATE api_key SET client = 2 WHERE client = 1",
            "UPDATE api_key SET client = 1 WHERE created_ms = (SELECT min(created_ms) FROM api_key)",
            moved,
        ),
        (
            "CREATE TEMP TABLE was AS SELECT id, revoked_ms FROM api_key;
             UPDATE api_key SET revoked_ms = NULL",
            "UPDATE api_key SET revoked_ms = (SELECT revoked_ms FROM was WHERE was.id = api_key.id)",
            revocation,
        ),
        (
            "UPDATE api_key SET created_ms = created_ms + 1 WHERE client = 1",
            "UPDATE api_key SET created_ms = created_ms - 1 WHERE client = 1",
            format!("api_key {working}: it was not created when the audit says"),
        ),
        (
            "INSERT INTO api_key VALUES ('0a1b2c3d4e5f', 1, zeroblob(32), 0, NULL)",
            "DELETE FROM api_key WHERE id = '0a1b2c3d4e5f'",
            "api_key 0a1b2c3d4e5f: the audit does not tell that it was added".to_owned(),
        ),
        ("UPDATE client SET sandbox_ms = 1 WHERE number = 1", CLOCKS, clock(1)),
        ("UPDATE client SET sandbox_ms = 1 WHERE number = 3", CLOCKS, clock(3)),
        ("UPDATE client SET sandbox_ms = NULL WHERE number = 3", CLOCKS, clock(3)),
        (
            "UPDATE client SET created_ms = created_ms + 1 WHERE number = 2",
            "UPDATE client SET created_ms = created_ms - 1 WHERE number = 2",
            "client 2: it was not added when the audit says".to_owned(),
        ),
        (
            "INSERT INTO client VALUES (9, 'nine', 'ninenine', 0, NULL)",
            "DELETE FROM client WHERE number = 9",
            "client 9: the audit does not tell that it was added".to_owned(),
        ),
        (
            "UPDATE state SET value = 9 WHERE name = 'clients_before_audit'",
            "UPDATE state SET value = 0 WHERE name = 'clients_before_audit'",
            "state clients_before_audit: it does not count a client whose beginning the audit \
             tells of"
                .to_owned(),
        ),
        (
            "UPDATE inspector SET sees_all = 1",
            "UPDATE inspector SET sees_all = 0",
            sees_others.clone(),
        ),
        (
            "DELETE FROM inspector_client WHERE client = 2",
            "INSERT INTO inspector_client VALUES ('ines', 2)",
            sees_others,
        ),
        (
            "UPDATE document SET created_ms = created_ms + 1",
            "UPDATE document SET created_ms = created_ms - 1",
            format!("document {document}: it was not uploaded when the audit says"),
        ),
        (
            "CREATE TEMP TABLE was AS SELECT id FROM inspector;
             UPDATE inspector SET id = '0a1b2c3d4e5f'",
            "UPDATE inspector SET id = (SELECT id FROM was)",
            "inspector ines: the inspector's token is not the one that the audit says".to_owned(),
        ),
        (
            "INSERT INTO inspector VALUES ('nina', '0a1b2c3d4e5f', zeroblob(32), 1, 0)",
            "DELETE FROM inspector WHERE name = 'nina'",
            "inspector nina: the audit does not tell that it was added".to_owned(),
        ),
    ] {
        let database = database(&folder);
        database.execute_batch(forgery).unwrap();
        let found = faults(&store);
        assert!(found.contains(&expected), "{forgery}: {found:?}");
        database.execute_batch(undo).unwrap();
        assert_eq!(faults(&store), [""; 0], "{undo}");
    }
    database(&folder).execute_batch("DELETE FROM inspector").unwrap();
    let gone = "inspector ines: the audit says that the inspector was added, and nobody is there";
    assert!(faults(&store).contains(&gone.to_owned()));
}

#[test]
fn d128_a_key_that_was_given_the_hash_of_another_one_is_refused() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(1)).unwrap();
    let other = store.add_client(&valid("other"), time(2)).unwrap();
    let (key, victim) =
        (store.create_key(acme.id, time(3)).unwrap(), store.create_key(other.id, time(3)).unwrap());
    assert_eq!(store.client_of_key(key.as_str()).unwrap(), Some(acme));
    drop(store);
    let [key, victim] = [key, victim].map(|key| (key.id(), key));
    let swapped = format!(
        "CREATE TEMP TABLE was AS SELECT id, hash FROM api_key;
         UPDATE api_key SET hash = zeroblob(32) WHERE id = '{0}';
         UPDATE api_key SET hash = (SELECT hash FROM was WHERE was.id = '{0}') WHERE id = '{1}';",
        key.0, victim.0,
    );
    database(&folder).execute_batch(&swapped).unwrap();
    let store = open(&folder);
    assert_eq!(store.client_of_key(key.1.as_str()).unwrap(), None);
    assert_eq!(store.client_of_key(victim.1.as_str()).unwrap(), None);
}

#[test]
fn d128_a_token_that_was_given_to_another_inspector_is_refused() {
    let folder = folder();
    let store = open(&folder);
    let token = store.add_inspector(&valid("ines"), Some(&[]), time(1)).unwrap();
    store.add_inspector(&valid("nina"), None, time(1)).unwrap();
    assert!(store.inspector_of_token(token.as_str()).unwrap().is_some());
    drop(store);
    let moved = "CREATE TEMP TABLE was AS SELECT hash FROM inspector WHERE name = 'ines';
                 UPDATE inspector SET hash = zeroblob(32) WHERE name = 'ines';
                 UPDATE inspector SET hash = (SELECT hash FROM was) WHERE name = 'nina'";
    database(&folder).execute_batch(moved).unwrap();
    assert_eq!(open(&folder).inspector_of_token(token.as_str()).unwrap(), None);
}

#[test]
fn d128_what_is_older_than_the_audit_is_no_finding() {
    let folder = folder();
    make_older(folder.path(), 2).unwrap();
    let older = "INSERT INTO client VALUES (1, 'acme', 'k3v9x0q2ab', 0);
                 INSERT INTO api_key VALUES ('0a1b2c3d4e5f', 1, zeroblob(32), 0, NULL);
                 INSERT INTO inspector VALUES ('ines', '0a1b2c3d4e5f', zeroblob(32), 0, 0);
                 INSERT INTO inspector_client VALUES ('ines', 1)";
    database(&folder).execute_batch(older).unwrap();
    let store = open_sealed(&folder);
    assert_eq!(faults(&store), [""; 0]);
    let id = valid("0a1b2c3d4e5f");
    store.revoke_key(id, time(1)).unwrap();
    store.create_key(client(1), time(2)).unwrap();
    store.add_client(&valid("other"), time(3)).unwrap();
    store.put(client(1), &document(1, b"bytes"), b"bytes").unwrap();
    assert_eq!(faults(&store), [""; 0]);
    database(&folder).execute_batch("UPDATE api_key SET client = 2").unwrap();
    let moved = format!("api_key {id}: the audit says that it is this client's, and it is not");
    assert!(faults(&store).contains(&moved));
}

/// The clocks as they were set.
const CLOCKS: &str = "UPDATE client SET sandbox_ms = iif(number = 3, 60000, NULL)";

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
fn d129_what_cannot_be_read_is_a_finding_and_the_other_checks_go_on() {
    let folder = folder();
    let store = open_sealed(&folder);
    for number in [1, 2] {
        store.put(client(1), &document(number, b"bytes"), b"bytes").unwrap();
    }
    store.insert(client(1), &sample()).unwrap();
    drop(store);
    let look = || SqliteStore::open_to_look(folder.path(), sealed(&folder)).unwrap();
    let expect = |expected: &str| {
        let found = faults(&look());
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected}: {found:?}");
        found
    };
    assert_eq!(faults(&look()), [""; 0]);

    let documents = folder.path().join("documents");
    let file = files(&documents).remove(0);
    let name = file.file_name().unwrap().to_str().unwrap();
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(expect(&format!("document {name}: ")).len(), 1);
    fs::remove_dir(&file).unwrap();
    // Reading a pipe waits for somebody who writes.
    rustix::fs::mknodat(CWD, &file, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    assert_eq!(expect(&format!("document {name}: ")).len(), 1);
    fs::remove_file(&file).unwrap();

    fs::rename(&documents, folder.path().join("aside")).unwrap();
    for _ in 0..2 {
        assert_eq!(expect("documents/: it is missing, or no folder of its own").len(), 3);
        assert!(!documents.exists());
    }
    fs::write(&documents, "").unwrap();
    assert_eq!(expect("documents/: it is missing, or no folder of its own").len(), 3);
    fs::remove_file(&documents).unwrap();
    fs::rename(folder.path().join("aside"), &documents).unwrap();

    let database = database(&folder);
    database.execute_batch("DELETE FROM state WHERE name IN ('retention', 'unscrubbed')").unwrap();
    expect("state retention: it is missing");
    expect("state unscrubbed: it is missing");
    database.execute_batch("UPDATE client_key SET uses = -1").unwrap();
    expect("client_key 1: the record holds no valid count of uses");
    database.execute_batch("UPDATE usage SET uploads = 1 << 40").unwrap();
    expect("usage 1: the uploads");
    database.execute_batch("DELETE FROM state").unwrap();
    let opened = SqliteStore::open_to_look(folder.path(), sealed(&folder));
    assert!(matches!(opened, Err(OpenError::Damaged(_))), "{opened:?}");
    let values = database.query_row("SELECT count(*) FROM state", [], |row| row.get(0));
    assert_eq!(values, Ok(0), "a vault was made anew");
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
