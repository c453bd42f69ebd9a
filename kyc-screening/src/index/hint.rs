//! Whether two words of one skeleton may be alike, from afar.

use crate::pair::Span;
use crate::word::{SLIP, Word, cost_from};

/// What tells from afar that two words of one skeleton differ too much: how often each vowel occurs,
/// and `h`, in sixteen bits.
#[derive(Clone, Copy)]
pub(super) struct Hint(u16);

impl Hint {
    pub(super) const BITS: u32 = u16::BITS;
}

const SOFT: u16 = (1 << 13) - 1;
/// Several of its letters sound as one: a slip of the pen may make other sounds of them.
const IS_CONTRACTED: u16 = 1 << 13;
/// It has a usual form, which another one may have, too.
const HAS_USUAL: u16 = 1 << 14;
/// It may be like another word whatever their sounds.
const IS_LIKE_ANY: u16 = 1 << 15;

/// So many vowels and `h` may differ after one other letter.
const SLIP_SOUNDS: u32 = 4;

impl Hint {
    /// Of several words, and of the one that they are when joined.
    pub(super) fn of_joined(span: Span<'_>, joined: Word<'_>) -> Self {
        let Self(bits) = Self::of(joined);
        Self(if span.is_hangul() { bits | IS_LIKE_ANY } else { bits })
    }

    pub(super) fn of(word: Word<'_>) -> Self {
        let is_like_any = !word.is_alphabetic() || word.master().is_some();
        let when = |is_so: bool, bit: u16| if is_so { bit } else { 0 };
        Self(
            word.tally.soft()
                | when(word.is_contracted(), IS_CONTRACTED)
                | when(word.usual.is_some(), HAS_USUAL)
                | when(is_like_any, IS_LIKE_ANY),
        )
    }

    /// Whether two words of as many letters may be equal.
    pub(super) fn may_be_same(self, other: Self) -> bool {
        (self.0 ^ other.0) & SOFT == 0
    }

    pub(super) fn to_bits(self) -> u16 {
        self.0
    }

    /// The reverse of [`to_bits`](Self::to_bits).
    pub(super) fn of_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Whether two words, the longer one of so many letters, may be this similar.
    pub(super) fn may_reach(self, similarity: u16, other: Self, letters: usize) -> bool {
        let either = self.0 | other.0;
        let lacking = |of: Self, by: Self| (of.0 & !by.0 & SOFT).count_ones();
        let cost = lacking(self, other).max(lacking(other, self));
        let most = cost_from(similarity, letters);
        either & IS_LIKE_ANY != 0
            || self.0 & other.0 & HAS_USUAL != 0
            || cost as usize <= most
            || most >= SLIP && either & IS_CONTRACTED != 0 && cost <= SLIP_SOUNDS
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pair::{joined_similarity_min, similarity_joined};
    use crate::words::tests::{like_words, words_of_one};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn joined_words_that_are_alike_are_not_turned_away(words in like_words()) {
            let words = words.each_ref().map(words_of_one);
            let [one, other] = words.each_ref().map(|words| words.view().get(0).unwrap());
            let least = joined_similarity_min(one);
            if similarity_joined(one, other, least).is_some() {
                let letters = one.text.len().max(other.text.len());
                prop_assert!(Hint::of(one).may_reach(least, Hint::of(other), letters));
            }
        }
    }
}
