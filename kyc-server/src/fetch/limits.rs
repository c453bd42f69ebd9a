//! How long and how much a fetch may take.

use std::time::Duration;

use kyc_screening::FILE_BYTES_MAX;

/// What a publisher, or whoever stands in its place, may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// For all files of a list, retries included. What has come by then is kept.
    pub(crate) list: Duration,
    /// Until a connection stands, TLS included.
    pub(super) connect: Duration,
    /// Until an answer begins; publishers make some files when they are asked for.
    pub(super) head: Duration,
    /// In each such time…
    pub(super) pace: Duration,
    /// …at least so much of a file has to come.
    pub(super) pace_bytes_min: u64,
    /// Largest file, as it comes and unpacked.
    pub(super) file_bytes_max: u64,
    /// How often a file is asked for without more of it coming.
    pub(super) attempts_max: u32,
    /// The pause after the first of these; it doubles from then on.
    pub(super) back_off: Duration,
    /// How often one request may be sent on.
    pub(super) redirects_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            list: Duration::from_secs(15 * 60),
            connect: Duration::from_secs(10),
            head: Duration::from_secs(60),
            pace: Duration::from_secs(20),
            // The largest public list, 60 MB, takes a quarter of an hour at twenty times this rate.
            pace_bytes_min: 64 * 1024,
            file_bytes_max: FILE_BYTES_MAX,
            attempts_max: 4,
            back_off: Duration::from_secs(1),
            redirects_max: 5,
        }
    }
}
