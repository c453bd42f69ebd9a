//! Whether it matters that a word is alike, by who bears it.

use crate::glance::Era;

/// What is seen of those whose names have a word.
#[derive(Clone, Copy, Default)]
pub(super) struct Bearers {
    /// When they were born.
    pub(super) era: Era,
    /// Whether the name of one has initials, too.
    pub(super) have_initials: bool,
}

impl Bearers {
    pub(super) const BYTES: usize = 2;
    const HAVE_INITIALS: u16 = 1 << Era::BITS;

    pub(super) fn with(self, other: Self) -> Self {
        Self {
            era: self.era.with(other.era),
            have_initials: self.have_initials || other.have_initials,
        }
    }

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let initials = if self.have_initials { Self::HAVE_INITIALS } else { 0 };
        (self.era.to_bits() | initials).to_le_bytes()
    }

    pub(super) fn of_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let bits = u16::from_le_bytes(bytes);
        Self { era: Era::of_bits(bits), have_initials: bits & Self::HAVE_INITIALS != 0 }
    }
}

/// When the bearers of a word have to be born: the date of birth of all others contradicts, and their
/// names cannot be enough.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Where the word is alike.
    pub(super) alike: Era,
    /// Where it is equal: a name of nothing but equal words may be enough in spite of a contradiction.
    pub(super) equal: Era,
}

impl Wanted {
    pub(super) fn meets(self, era: Era, is_equal: bool) -> bool {
        // Both are worked out: a branch would cost more.
        era.meets(self.alike) | (is_equal & era.meets(self.equal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Glance;

    #[test]
    fn what_is_seen_of_bearers_is_read_back() {
        for era in [Era::default(), Era::of(Glance::of_bits(0b1010 << 20)), Era::ANY] {
            for have_initials in [false, true] {
                let bearers = Bearers { era, have_initials };
                let read = Bearers::of_bytes(bearers.to_bytes());
                assert_eq!((read.era, read.have_initials), (era, have_initials));
            }
        }
    }

    #[test]
    fn a_contradiction_is_outweighed_by_equal_words_alone() {
        let born = |year: u32| Era::of(Glance::of_bits((year - 1850) << 23));
        let wanted = Wanted { alike: born(1950), equal: Era::ANY };
        assert!(wanted.meets(born(1950), false));
        assert!(!wanted.meets(born(1990), false));
        assert!(wanted.meets(born(1990), true));
        assert!(!Wanted { equal: born(1950), ..wanted }.meets(born(1990), true));
    }
}
