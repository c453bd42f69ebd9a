//! The record column: a whole submission in one compact value, opaque to SQL.
//!
//! # Layout of format 2
//!
//! All numbers are little-endian. A `number` is a `u64` in base 128, low group first; a `text` is
//! a `number` of bytes and as many bytes of UTF-8.
//!
//! | part | bytes |
//! |---|---|
//! | format, `2` | 1 |
//! | id | 16 |
//! | creation, milliseconds since 1970 | 8 |
//! | version | 4 |
//! | state of review and screening | 1 |
//! | gender, id type, whether there is an IP address | 1 |
//! | date of birth, days since 1900 | 4 |
//! | nationality, country of the address or three zeros | 3 + 3 |
//! | IP address or zeros | 4 |
//! | lengths of the listed texts, 0 for none | 13 × 2 |
//! | the listed texts, joined | |
//! | the rest: evidence, review, history, decisions on hits | |
//!
//! What lists show stands first, so that a list borrows it from the row and looks at nothing else.
//! A change of the layout is a new format: rows of the old one stay as they are and stay readable.
//! In format 1 hits had no risk and no evidence, results nothing that was left out or seen before,
//! and there were no decisions on hits.

mod audit;
mod codes;
mod damage;
mod decode;
mod encode;
mod hits;
mod input;
mod listed;
mod monitoring;
mod output;
mod retention;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use audit::{Place, decode_audit, encode_audit};
pub(crate) use damage::{Damage, corrupt};
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use listed::listed;
pub(crate) use monitoring::{decode_monitoring, encode_monitoring};
pub(crate) use retention::{
    decode_certificate, decode_document_certificate, decode_runs, encode_certificate,
    encode_document_certificate, encode_runs,
};

/// The format that is written.
const FORMAT: u8 = 2;
/// The first one, which is read still.
const FORMAT_1: u8 = 1;

/// How many texts [`listed()`] shows.
const LISTED_TEXTS: usize = 13;
