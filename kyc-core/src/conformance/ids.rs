use std::collections::BTreeSet;

use super::fixture::time;
use crate::{IdSource, Timestamp};

/// The contract of [`IdSource`], as far as a test can see it.
///
/// ```
/// use kyc_core::OsIds;
/// use kyc_core::conformance::id_source;
///
/// id_source(&OsIds);
/// ```
///
/// # Panics
///
/// When the source breaks its contract.
pub fn id_source(ids: &impl IdSource) {
    check(&|at| ids.submission_id(at).to_bytes());
    check(&|at| ids.document_id(at).to_bytes());
}

fn check(id: &dyn Fn(Timestamp) -> [u8; 16]) {
    const COUNT: usize = 4_096;
    let given: Vec<u128> = (0..COUNT).map(|_| u128::from_be_bytes(id(time(0)))).collect();
    let distinct: BTreeSet<u128> = given.iter().copied().collect();
    assert_eq!(distinct.len(), COUNT, "no id is given out twice");

    let times = [Timestamp::EARLIEST, time(0), time(0).plus_millis(1), time(1), Timestamp::LATEST];
    assert!(times.map(id).is_sorted_by(|left, right| left < right), "ids order by time");

    // Each bit of an id differs from the one in the id before in about half of all cases, so
    // neither is known from ids that were given out. Out of 4,096 fair tosses, fewer than 1,600
    // are never seen.
    let flips: Vec<u128> =
        given.iter().zip(given.iter().skip(1)).map(|(one, next)| one ^ next).collect();
    let is_fair = |bit: &u32| {
        let flipped = flips.iter().filter(|flip| *flip >> bit & 1 == 1).count();
        (1_600..COUNT - 1_600).contains(&flipped)
    };
    let fair_bits = (0..u128::BITS).filter(is_fair).count();
    assert!(fair_bits >= 64, "nobody can guess an id: only {fair_bits} bits are random");
}
