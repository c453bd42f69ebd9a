//! How much of the service one caller may have (D101–D103). 0 stands for any amount.

use std::num::{NonZeroU32, NonZeroU64};

use kyc_http::throttle::Rates;
use kyc_store_sqlite::Quotas;

use super::Keys;

/// The rates that are set, and the usual ones where none is.
pub(super) fn rates(keys: &Keys) -> Rates {
    let usual = Rates::default();
    let rate = |set: Option<u32>, usual| set.map_or(usual, NonZeroU32::new);
    Rates {
        uploads: rate(keys.uploads_per_minute, usual.uploads),
        submissions: rate(keys.submissions_per_minute, usual.submissions),
        reads: rate(keys.reads_per_minute, usual.reads),
        lists: rate(keys.lists_per_minute, usual.lists),
        reviews: rate(keys.reviews_per_minute, usual.reviews),
        refusals: rate(keys.refusals_per_minute, usual.refusals),
    }
}

/// The quotas that are set, and ours where none is: the store has none of its own.
pub(super) fn quotas(keys: &Keys) -> Quotas {
    let per_day = |set: Option<u32>| NonZeroU32::new(set.unwrap_or(PER_DAY));
    Quotas {
        document_bytes: NonZeroU64::new(keys.document_bytes_per_client.unwrap_or(DOCUMENT_BYTES)),
        uploads_per_day: per_day(keys.uploads_per_day),
        submissions_per_day: per_day(keys.submissions_per_day),
    }
}

/// More than any client of ours will send, and less than what fills a disk unnoticed.
const PER_DAY: u32 = 1_000_000;
/// 1 TiB: the documents of a million applicants.
const DOCUMENT_BYTES: u64 = 1 << 40;
