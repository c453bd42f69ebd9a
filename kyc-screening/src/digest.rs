//! SHA-256 in hexadecimal digits.

use std::fmt::Write;

use aws_lc_rs::digest::{SHA256, digest};

/// The SHA-256 of some bytes, 64 lower-case hexadecimal digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
