//! Listed words that are found together, side by side.

use crate::tally::Tally;
use crate::word::{Word, cost_max};

/// The listed words that have a skeleton and agree in whether they
/// [may lack a consonant](super::keys::may_lack_consonant): they are kept under the same keys.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    /// The number of the first one.
    pub(super) first: u32,
    /// What is seen of each without looking there: a [`Gist`].
    pub(super) gists: &'a [[u8; Gist::BYTES]],
}

impl<'a> Group<'a> {
    /// Their numbers.
    pub(super) fn words(self) -> impl Iterator<Item = u32> + 'a {
        (self.first..).take(self.gists.len())
    }
}

/// What is seen of a listed word without looking there.
#[derive(Clone, Copy)]
pub(super) struct Gist {
    pub(super) tally: Tally,
    /// What may differ in it, in half letters; [`Gist::ANY`] if it is not spelled in letters with vowels
    /// or is a servant's name.
    pub(super) cost_max: u8,
}

impl Gist {
    /// A power of two, so that several are tested at once.
    pub(super) const BYTES: usize = 8;
    pub(super) const ANY: u8 = u8::MAX;

    pub(super) fn of(word: Word<'_>) -> Self {
        let [cost, ..] = cost_max(word.text.len()).to_le_bytes();
        Self { tally: word.tally, cost_max: if word.is_spelled() { cost } else { Self::ANY } }
    }

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.tally.to_bits().to_le_bytes();
        [a, b, c, d, self.cost_max, 0, 0, 0]
    }

    pub(super) fn of_bytes([a, b, c, d, cost_max, ..]: [u8; Self::BYTES]) -> Self {
        Self { tally: Tally::of_bits(u32::from_le_bytes([a, b, c, d])), cost_max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_of_a_word_is_read_back() {
        for cost_max in [0, 4, Gist::ANY] {
            let gist = Gist { tally: Tally::of(b"karim"), cost_max };
            let read = Gist::of_bytes(gist.to_bytes());
            assert_eq!((read.tally, read.cost_max), (gist.tally, cost_max));
        }
    }
}
