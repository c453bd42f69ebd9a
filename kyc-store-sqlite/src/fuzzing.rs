//! Reading of records as a function over plain values.
//!
//! For the fuzz targets of this workspace, which state the properties. Not an interface: anything
//! here may change or go at any time.

use kyc_core::Submission;

use crate::record::{decode, encode, listed};

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
