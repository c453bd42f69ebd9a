//! The built-in list of invented people.

use kyc_core::ListVersion;

use crate::digest::sha256_hex;
use crate::{Snapshot, read_plain};

/// The name of the built-in list. Everything that rests on it is marked as a sample.
pub const SAMPLE_LIST: &str = "SAMPLE";

const TEXT: &str = include_str!("../sample.csv");

#[expect(clippy::expect_used, reason = "the built-in list is read by a test")]
pub(crate) fn snapshot() -> Snapshot {
    let list = read_plain(TEXT.as_bytes()).expect("the built-in list is well formed");
    let version = ListVersion {
        list: SAMPLE_LIST.to_owned(),
        version: sha256_hex(TEXT.as_bytes()),
        source_date: None,
        sample: true,
    };
    Snapshot { version, imported_at: None, checked_at: None, entities: list.into_entities() }
}
