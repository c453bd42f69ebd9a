//! SHA-256 of bytes and of values.

use std::fmt::Write;
use std::hash::Hasher;

use aws_lc_rs::digest::{Context, SHA256, digest};

/// The SHA-256 of some bytes, 64 lower-case hexadecimal digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a [`Sha256Hasher`] was fed, as good as itself to tell values apart: unlike the short hashes
/// of tables, it never takes one for another. It is the same within this process alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest([u8; 32]);

/// Hashes values with SHA-256.
pub(crate) struct Sha256Hasher(Context);

impl Sha256Hasher {
    pub(crate) fn digest(self) -> Digest {
        Digest(self.0.finish().as_ref().first_chunk().copied().unwrap_or_default())
    }
}

impl Default for Sha256Hasher {
    fn default() -> Self {
        Self(Context::new(&SHA256))
    }
}

impl Hasher for Sha256Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let start = self.0.clone().finish().as_ref().first_chunk().copied();
        u64::from_le_bytes(start.unwrap_or_default())
    }
}
