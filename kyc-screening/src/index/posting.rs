//! Where a word occurs, with what decides whether the name is worth a look.

use crate::glance::Glance;

/// A name that has a word: its position, and what is seen of it without looking there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting(u64);

/// Names with initials stand first, and then lighter ones.
const INITIALS_BITS: u32 = 1;
const POSITION_BITS: u32 = 27;
const WEIGHT_BITS: u32 = 5;
const _: () = assert!(INITIALS_BITS + POSITION_BITS + WEIGHT_BITS + Glance::BITS <= u64::BITS);

impl Posting {
    pub(super) const BYTES: usize = 8;
    /// 134 million names.
    pub(super) const POSITION_MAX: u32 = (1 << POSITION_BITS) - 1;
    /// Heavier names are taken for as heavy as any.
    pub(super) const WEIGHT_MAX: u32 = (1 << WEIGHT_BITS) - 1;

    pub(super) fn new(position: u32, weight: u32, has_initials: bool, glance: Glance) -> Self {
        let has_none = u64::from(!has_initials) << WEIGHT_BITS;
        let place = (has_none | u64::from(weight.min(Self::WEIGHT_MAX))) << POSITION_BITS;
        let place = (place | u64::from(position)) << Glance::BITS;
        Self(place | u64::from(glance.to_bits()))
    }

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        self.0.to_le_bytes()
    }

    pub(super) fn of_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    pub(super) fn has_initials(self) -> bool {
        self.bits(Glance::BITS + WEIGHT_BITS + POSITION_BITS, INITIALS_BITS) == 0
    }

    pub(super) fn position(self) -> u32 {
        self.bits(Glance::BITS, POSITION_BITS)
    }

    /// What the words of the name weigh without particles, up to [`Posting::WEIGHT_MAX`].
    pub(super) fn weight(self) -> u32 {
        self.bits(Glance::BITS + POSITION_BITS, WEIGHT_BITS)
    }

    pub(super) fn glance(self) -> Glance {
        Glance::of_bits(self.bits(0, Glance::BITS))
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most 31 bits are asked for")]
    fn bits(self, from: u32, count: u32) -> u32 {
        (self.0 >> from) as u32 & ((1 << count) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_read_back_and_heavy_names_stay_apart() {
        let glance = Glance::of_bits((1 << Glance::BITS) - 1);
        for position in [0, 1, Posting::POSITION_MAX] {
            for (weight, kept) in [(0, 0), (30, 30), (31, 31), (32, 31), (33, 31), (900, 31)] {
                for has_initials in [false, true] {
                    let posting = Posting::new(position, weight, has_initials, glance);
                    let posting = Posting::of_bytes(posting.to_bytes());
                    assert_eq!((posting.position(), posting.weight()), (position, kept));
                    assert_eq!((posting.has_initials(), posting.glance()), (has_initials, glance));
                }
            }
        }
        let [first, last] = [true, false].map(|initials| Posting::new(9, 9, initials, glance));
        assert!(first < last, "names with initials stand first");
        let [light, heavy] = [(9, 4), (1, 8)]
            .map(|(position, weight)| Posting::new(position, weight, false, glance));
        assert!(light < heavy, "and then lighter ones");
    }
}
