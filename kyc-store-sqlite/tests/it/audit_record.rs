//! Rows of the audit that somebody else has written.

use std::fs;
use std::path::Path;

use kyc_store_sqlite::fuzzing::{decode_audit_record, encode_audit_record};
use proptest::prelude::*;

/// The inputs that the fuzz target starts from.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/audit_record");
    let read = |file: fs::DirEntry| {
        let name = file.file_name().into_string().unwrap();
        (name, fs::read(file.path()).unwrap())
    };
    fs::read_dir(folder).unwrap().map(|file| read(file.unwrap())).collect()
}

#[track_caller]
fn check(record: &[u8]) {
    let Some((chain, row)) = decode_audit_record(record) else { return };
    let written = encode_audit_record(chain, &row);
    assert!(written.len() <= record.len());
    assert_eq!(decode_audit_record(&written), Some((chain, row)));
}

#[test]
fn what_is_written_has_one_spelling() {
    let whole = seeds().into_iter().filter(|(name, _)| name != "truncated" && name != "damaged");
    for (name, record) in whole {
        let (chain, row) = decode_audit_record(&record).expect(&name);
        assert_eq!(encode_audit_record(chain, &row), record, "{name}");
    }
}

proptest! {
    #[test]
    fn whatever_stands_in_a_row_is_read_as_one_row_or_not_at_all(
        record in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        check(&record);
    }

    #[test]
    fn so_is_what_is_almost_a_row(
        seed in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (_, mut record) = seed.get(&seeds()).clone();
        let at = at.index(record.len());
        record[at] = byte;
        check(&record);
        check(&record[..cut.index(record.len())]);
    }
}
