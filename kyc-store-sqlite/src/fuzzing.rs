//! Reading of records as a function over plain values.
//!
//! For the fuzz targets of this workspace, which state the properties. Not an interface: anything
//! here may change or go at any time.

use kyc_core::{Audited, ClientId, Submission};

use crate::record::{Place, decode, decode_audit, encode, encode_audit, listed};

/// The submission in a stored record, `None` if the record is damaged.
pub fn decode_record(record: &[u8]) -> Option<Submission> {
    decode(record).ok()
}

/// A submission as it is stored.
pub fn encode_record(submission: &Submission) -> Vec<u8> {
    encode(submission)
}

/// Whether a list would show a stored record.
pub fn is_listed(record: &[u8]) -> bool {
    listed(record).is_ok()
}

/// The row of the audit in a stored record with its place, `None` if the record is damaged.
pub fn decode_audit_record(record: &[u8]) -> Option<(Option<ClientId>, Audited)> {
    let (place, entry) = decode_audit(record).ok()?;
    Some((place.chain, Audited { position: place.position, entry }))
}

/// A row of the audit as it is stored.
pub fn encode_audit_record(chain: Option<ClientId>, row: &Audited) -> Vec<u8> {
    encode_audit(Place { chain, position: row.position }, &row.entry)
}
