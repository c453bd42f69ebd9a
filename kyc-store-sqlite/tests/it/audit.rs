//! Whoever has the database can damage the audit, and cannot hide it (T26).

use std::fs;

use kyc_core::conformance::fixture::{approved, client, submission_id, time, valid};
use kyc_core::{
    AuditActor, AuditEntry, AuditEvent, AuditLog, ClientId, StoreError, SubmissionStore,
};
use kyc_store_sqlite::{AuditFault, SqliteStore, VerifiedChain};
use proptest::prelude::*;
use rusqlite::{Connection, params};
use tempfile::TempDir;

use crate::support::{database, folder, open, submission_of};

pub(crate) fn read_of(number: u32) -> AuditEntry {
    let (by, event) = (AuditActor::Operator, AuditEvent::CaseRead(submission_id(number)));
    AuditEntry { at: time(number), by, event, about: None }
}

/// A folder with chains of so many rows, for the clients 1, 2, ….
fn chains(lengths: &[u32]) -> (TempDir, SqliteStore) {
    let folder = folder();
    let store = open(&folder);
    for (number, length) in (1..).zip(lengths) {
        let rows: Vec<_> = (0..*length).map(|at| (Some(client(number)), read_of(at))).collect();
        store.append(&rows).unwrap();
    }
    (folder, store)
}

fn fault(store: &SqliteStore, chain: Option<ClientId>) -> Option<AuditFault> {
    let verified = store.verify_audit(&[]).unwrap();
    verified.into_iter().find(|verified| verified.chain == chain).unwrap().fault
}

fn key(client: u32, position: u64) -> i64 {
    (i64::from(client) << 40) | i64::try_from(position).unwrap()
}

fn delete(database: &Connection, client: u32, position: u64) {
    let deleted =
        database.execute("DELETE FROM audit WHERE key = ?1", [key(client, position)]).unwrap();
    assert_eq!(deleted, 1);
}

/// Puts two rows into each other's places.
fn swap(database: &Connection, left: i64, right: i64) {
    for (from, to) in [(left, -1), (right, left), (-1, right)] {
        let moved = "UPDATE audit SET key = ?2 WHERE key = ?1";
        assert_eq!(database.execute(moved, [from, to]).unwrap(), 1);
    }
}

/// Flips one bit of a row's column.
fn flip(database: &Connection, column: &str, key: i64, bit: usize) {
    let select = format!("SELECT {column} FROM audit WHERE key = ?1");
    let mut bytes: Vec<u8> = database.query_row(&select, [key], |row| row.get(0)).unwrap();
    let place = bit / 8 % bytes.len();
    bytes[place] ^= 1 << (bit % 8);
    let update = format!("UPDATE audit SET {column} = ?2 WHERE key = ?1");
    database.execute(&update, params![key, bytes]).unwrap();
}

#[test]
fn t26_a_whole_chain_verifies() {
    let (_folder, store) = chains(&[3, 1_000, 2_001, 1]);
    let verified = store.verify_audit(&store.audit_ends().unwrap()).unwrap();
    let rows: Vec<u64> = verified.iter().map(|chain| chain.rows).collect();
    // The service's chain says that it began, and that the four others did.
    assert_eq!(rows, [5, 3, 1_000, 2_001, 1]);
    assert!(verified.iter().all(|chain| chain.fault.is_none()), "{verified:?}");
}

#[test]
fn t26_each_deleted_row_is_named() {
    for position in 1..=6 {
        let (folder, store) = chains(&[6, 2]);
        delete(&database(&folder), 1, position);
        let expected = match position {
            6 => AuditFault::Truncated { position },
            _ => AuditFault::Missing { position },
        };
        assert_eq!(fault(&store, Some(client(1))), Some(expected));
        assert_eq!(fault(&store, Some(client(2))), None, "the others are as they were");
    }
}

#[test]
fn t26_each_edited_row_is_named() {
    for position in 1..=4 {
        for column in ["record", "hash"] {
            let (folder, store) = chains(&[4]);
            // A bit of the time, and one of the hash.
            flip(&database(&folder), column, key(1, position), 8 * 4);
            assert_eq!(fault(&store, Some(client(1))), Some(AuditFault::Changed { position }));
        }
    }
}

#[test]
fn t26_rows_in_another_order_are_named() {
    for (left, right) in [(1, 2), (2, 5), (4, 5)] {
        let (folder, store) = chains(&[5]);
        swap(&database(&folder), key(1, left), key(1, right));
        let expected = AuditFault::Moved { position: left };
        assert_eq!(fault(&store, Some(client(1))), Some(expected));
    }
}

#[test]
fn t26_rows_of_two_clients_that_are_swapped_are_named() {
    let (folder, store) = chains(&[3, 3]);
    swap(&database(&folder), key(1, 2), key(2, 2));
    for number in [1, 2] {
        let expected = AuditFault::Moved { position: 2 };
        assert_eq!(fault(&store, Some(client(number))), Some(expected));
    }
}

#[test]
fn t26_rows_that_close_up_are_named() {
    let (folder, store) = chains(&[5]);
    let database = database(&folder);
    delete(&database, 1, 2);
    for position in 3..=5 {
        let close = "UPDATE audit SET key = key - 1 WHERE key = ?1";
        database.execute(close, [key(1, position)]).unwrap();
    }
    assert_eq!(fault(&store, Some(client(1))), Some(AuditFault::Moved { position: 2 }));
}

#[test]
fn t26_the_end_cannot_be_cut_off_with_its_record() {
    for count in 1..=3 {
        let (folder, store) = chains(&[4]);
        let database = database(&folder);
        for position in 5 - count..=4 {
            delete(&database, 1, position);
        }
        let last = 4 - count;
        assert_eq!(
            fault(&store, Some(client(1))),
            Some(AuditFault::Truncated { position: last + 1 }),
        );
        // With the record of the end made to fit, as far as that can be done without the secret.
        let fit = "UPDATE audit_head
                   SET position = ?1, hash = (SELECT hash FROM audit WHERE key = ?2)
                   WHERE client = 1";
        database.execute(fit, params![last.cast_signed(), key(1, last)]).unwrap();
        let expected = AuditFault::EndChanged { position: last };
        assert_eq!(fault(&store, Some(client(1))), Some(expected));
    }
}

#[test]
fn t26_a_chain_that_is_gone_or_begins_anew_is_noticed() {
    let (folder, store) = chains(&[3, 3]);
    let database = database(&folder);
    database.execute("DELETE FROM audit WHERE key >> 40 = 1", []).unwrap();
    let expected = AuditFault::Truncated { position: 1 };
    assert_eq!(fault(&store, Some(client(1))), Some(expected));
    database.execute("DELETE FROM audit_head WHERE client = 1", []).unwrap();
    assert_eq!(fault(&store, Some(client(1))), Some(AuditFault::Gone));

    // What comes then begins the chain anew, which the service's chain knows.
    store.append(&[(Some(client(1)), read_of(9))]).unwrap();
    assert_eq!(fault(&store, Some(client(1))), Some(AuditFault::Gone));
    assert_eq!(fault(&store, Some(client(2))), None);

    // And so does the service's own.
    database
        .execute_batch(
            "DELETE FROM audit WHERE key >> 40 = 0; DELETE FROM audit_head WHERE client = 0",
        )
        .unwrap();
    assert_eq!(fault(&store, None), Some(AuditFault::Gone));
    store.append(&[(None, read_of(9))]).unwrap();
    assert_eq!(fault(&store, None), Some(AuditFault::Gone));
}

#[test]
fn t26_an_audit_that_is_wiped_is_missed() {
    let (folder, store) = chains(&[]);
    store.add_client(&valid("acme"), time(0)).unwrap();
    database(&folder).execute_batch("DELETE FROM audit; DELETE FROM audit_head").unwrap();
    assert_eq!(fault(&store, None), Some(AuditFault::Gone));
}

#[test]
fn t26_nothing_is_written_behind_an_end_that_was_changed() {
    let submission = submission_of(1, "mira@example.org");
    for damage in [
        "UPDATE audit_head SET signature = zeroblob(32) WHERE client = 1",
        "DELETE FROM audit_head WHERE client = 1",
        "DELETE FROM audit WHERE key = (1 << 40) + 3",
        "UPDATE audit SET record = x'00' WHERE key = (1 << 40) + 3",
        "INSERT INTO audit SELECT key + 1, record, hash FROM audit WHERE key = (1 << 40) + 3",
    ] {
        let (folder, store) = chains(&[3, 3]);
        let database = database(&folder);
        database.execute(damage, []).unwrap();
        let refused = store.insert(client(1), &submission);
        assert!(
            matches!(&refused, Err(StoreError::Corrupt { table: "audit_head", key, .. }) if key == "1"),
            "{refused:?}"
        );
        store.insert(client(2), &submission_of(2, "leo@example.org")).unwrap();
        let count = "SELECT count(*) FROM submission WHERE client = 1";
        let stored: i64 = database.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(stored, 0, "no row, no submission");
    }
}

#[test]
fn t26_a_change_whose_row_cannot_be_written_does_not_take_place() {
    let (folder, store) = chains(&[1]);
    let submission = submission_of(1, "mira@example.org");
    store.insert(client(1), &submission).unwrap();
    let forbid = "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(FAIL, 'full'); END";
    database(&folder).execute_batch(forbid).unwrap();
    let other = submission_of(2, "leo@example.org");
    for refused in [
        store.insert(client(1), &other),
        store.replace(client(1), &approved(submission.clone())),
        store.append(&[(None, read_of(1))]),
    ] {
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    }
    assert!(store.add_client(&valid("acme"), time(0)).is_err());
    database(&folder).execute_batch("DROP TRIGGER full").unwrap();
    store.insert(client(1), &other).unwrap();
    store.replace(client(1), &approved(submission)).unwrap();
    let expected = VerifiedChain { chain: Some(client(1)), rows: 4, fault: None };
    assert!(store.verify_audit(&[]).unwrap().contains(&expected));
}

#[test]
fn t26_what_fails_midway_leaves_the_chains_of_others_whole() {
    let (folder, store) = chains(&[1, 1]);
    let damage = "UPDATE audit_head SET signature = zeroblob(32) WHERE client = 2";
    database(&folder).execute(damage, []).unwrap();
    // In one transaction with each other, as it comes.
    std::thread::scope(|scope| {
        for first in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in (first..200).step_by(4) {
                    store.append(&[(Some(client(1)), read_of(number))]).unwrap();
                    let both = [(Some(client(1)), read_of(999)), (Some(client(2)), read_of(999))];
                    assert!(store.append(&both).is_err());
                }
            });
        }
    });
    let expected = VerifiedChain { chain: Some(client(1)), rows: 201, fault: None };
    assert!(store.verify_audit(&[]).unwrap().contains(&expected));
}

#[test]
fn t26_an_anchor_finds_out_an_earlier_copy_of_the_database() {
    let (folder, store) = chains(&[3]);
    let earlier = store.audit_ends().unwrap();
    drop(store);
    let copy = fs::read(folder.path().join("kyc.sqlite")).unwrap();
    let store = open(&folder);
    store.append(&[(Some(client(1)), read_of(7)), (None, read_of(8))]).unwrap();
    let later = store.audit_ends().unwrap();
    let is_whole = |store: &SqliteStore, anchors| {
        store.verify_audit(anchors).unwrap().iter().all(|chain| chain.fault.is_none())
    };
    assert!(is_whole(&store, &earlier) && is_whole(&store, &later));
    drop(store);

    fs::write(folder.path().join("kyc.sqlite"), copy).unwrap();
    let store = open(&folder);
    assert!(is_whole(&store, &[]), "in itself the copy is whole");
    let faults: Vec<_> =
        store.verify_audit(&later).unwrap().iter().map(|chain| chain.fault).collect();
    let cut = |position| Some(AuditFault::Truncated { position });
    assert_eq!(faults, [cut(3), cut(4)]);

    // And also when it has grown since.
    store.append(&[(Some(client(1)), read_of(9)), (None, read_of(9))]).unwrap();
    let faults: Vec<_> =
        store.verify_audit(&later).unwrap().iter().map(|chain| chain.fault).collect();
    let other = |position| Some(AuditFault::OtherThanAnchored { position });
    assert_eq!(faults, [other(3), other(4)]);
}

/// What somebody may do to a chain of at least two rows.
#[derive(Debug, Clone)]
enum Damage {
    Delete(usize),
    Flip(&'static str, usize, usize),
    Swap(usize, usize),
    Cut(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<usize>;
    prop_oneof![
        at().prop_map(Damage::Delete),
        (prop_oneof![Just("record"), Just("hash")], at(), at())
            .prop_map(|(column, row, bit)| Damage::Flip(column, row, bit)),
        (at(), at()).prop_map(|(left, right)| Damage::Swap(left, right)),
        at().prop_map(Damage::Cut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn t26_no_damage_of_a_chain_is_overlooked(
        length in 2_u32..12,
        other in 0_u32..3,
        damage in damage(),
    ) {
        let (folder, store) = chains(&[length, other]);
        let database = database(&folder);
        let place = |number: usize| u64::try_from(number % length as usize).unwrap() + 1;
        let first = match damage {
            Damage::Delete(row) => {
                delete(&database, 1, place(row));
                place(row)
            }
            Damage::Flip(column, row, bit) => {
                flip(&database, column, key(1, place(row)), bit);
                place(row)
            }
            Damage::Swap(left, right) => {
                prop_assume!(place(left) != place(right));
                swap(&database, key(1, place(left)), key(1, place(right)));
                place(left).min(place(right))
            }
            Damage::Cut(row) => {
                database.execute("DELETE FROM audit WHERE key BETWEEN ?1 AND ?2", [
                    key(1, place(row)),
                    key(1, u64::from(length)),
                ]).unwrap();
                place(row)
            }
        };
        let verified = store.verify_audit(&[]).unwrap();
        let found = verified.iter().find(|found| found.chain == Some(client(1))).unwrap();
        prop_assert_eq!(found.rows, first - 1, "the rows before are whole: {:?}", found.fault);
        prop_assert!(found.fault.is_some());
        let is_whole = |found: &&VerifiedChain| found.fault.is_none();
        prop_assert_eq!(verified.iter().filter(is_whole).count(), verified.len() - 1);
    }
}
