//! Whether it matters that a word is alike, by who bears it.

use crate::glance::Era;

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
    fn a_contradiction_is_outweighed_by_equal_words_alone() {
        let born = |year: u32| Era::of(Glance::of_bits((year - 1850) << 23));
        let wanted = Wanted { alike: born(1950), equal: Era::ANY };
        assert!(wanted.meets(born(1950), false));
        assert!(!wanted.meets(born(1990), false));
        assert!(wanted.meets(born(1990), true));
        assert!(!Wanted { equal: born(1950), ..wanted }.meets(born(1990), true));
    }
}
