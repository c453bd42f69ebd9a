//! Rows of the audit: whatever stands in one, it is read as one row or not at all.

#![no_main]

use kyc_store_sqlite::fuzzing::{decode_audit_record, encode_audit_record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|record: &[u8]| {
    let Some((chain, row)) = decode_audit_record(record) else { return };
    // Numbers have several spellings; what is written has one.
    let written = encode_audit_record(chain, &row);
    assert!(written.len() <= record.len());
    assert_eq!(decode_audit_record(&written), Some((chain, row)));
});
