//! Whether two words of one skeleton may be alike, from afar.

use std::ops::RangeInclusive;

use crate::pair::{Span, may_be_as_long};
use crate::tally::Tally;
use crate::word::{SLIP, WORD_BYTES_MAX, Word, cost_from};
use crate::words::Shape;

/// What tells from afar that two words of one skeleton differ too much: how often each vowel occurs,
/// and `h`, in sixteen bits.
#[derive(Clone, Copy, Default)]
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
const SLIP_SOUNDS: usize = 4;

impl Hint {
    /// Of several words, and of the one that they are when joined.
    pub(super) fn of_joined(span: Span<'_>, joined: Word<'_>) -> Self {
        let Self(bits) = Self::of(joined);
        Self(if span.is_hangul() { bits | IS_LIKE_ANY } else { bits })
    }

    pub(super) fn of(word: Word<'_>) -> Self {
        Self::new(word.tally, [word.is_contracted(), word.usual.is_some(), !word.is_spelled()])
    }

    /// Of a word of this shape.
    pub(super) fn of_shape(shape: Shape<'_>) -> Self {
        Self::new(shape.tally(), [shape.is_contracted(), shape.usual() != 0, !shape.is_spelled()])
    }

    fn new(tally: Tally, [is_contracted, has_usual, is_like_any]: [bool; 3]) -> Self {
        let when = |is_so: bool, bit: u16| if is_so { bit } else { 0 };
        Self(
            tally.soft()
                | when(is_contracted, IS_CONTRACTED)
                | when(has_usual, HAS_USUAL)
                | when(is_like_any, IS_LIKE_ANY),
        )
    }

    pub(super) fn to_bits(self) -> u16 {
        self.0
    }

    /// The reverse of [`to_bits`](Self::to_bits).
    pub(super) fn of_bits(bits: u16) -> Self {
        Self(bits)
    }
}

/// A word, ready to be held against the hints of many others.
pub(super) struct FarSight {
    own: Hint,
    letters: usize,
    /// Words of other lengths are not joined to it.
    lengths: RangeInclusive<usize>,
    similarity: u16,
}

impl FarSight {
    /// Of a word with so many letters, for others that are at least so similar.
    pub(super) fn new(own: Hint, letters: usize, similarity: u16) -> Self {
        let is_long = |other: &usize| may_be_as_long(letters, *other);
        let shortest = (1..letters).find(is_long).unwrap_or(letters);
        let longest = (letters..=WORD_BYTES_MAX).rev().find(is_long).unwrap_or(letters);
        Self { own, letters, lengths: shortest..=longest, similarity }
    }

    // Everywhere all is worked out, though one part is enough: a branch would cost more.

    pub(super) fn may_be_as_long(&self, letters: usize) -> bool {
        let (is_short, is_long) = (letters < *self.lengths.start(), letters > *self.lengths.end());
        !(is_short | is_long)
    }

    /// Whether another word of so many letters may be equal.
    pub(super) fn may_be_same(&self, other: Hint, letters: usize) -> bool {
        let other_sounds = (self.own.0 ^ other.0) & SOFT;
        let (is_same, is_as_long) = (other_sounds == 0, letters == self.letters);
        is_same & is_as_long
    }

    /// Whether another word of so many letters may be as similar.
    pub(super) fn may_be_like(&self, other: Hint, letters: usize) -> bool {
        let Hint(own) = self.own;
        let either = own | other.0;
        let cost = most_lacking(own & SOFT, other.0 & SOFT);
        let most = cost_from(self.similarity, letters.max(self.letters));
        let (is_near, has_few) = (cost <= most, cost <= SLIP_SOUNDS);
        let (is_contracted, is_like_any) = (either & IS_CONTRACTED != 0, either & IS_LIKE_ANY != 0);
        let (is_slip, is_form) = (most >= SLIP, own & other.0 & HAS_USUAL != 0);
        let is_as_long = letters.abs_diff(self.letters) <= 1;
        let is_slip = is_slip & is_contracted & has_few & is_as_long;
        is_near | is_slip | is_like_any | is_form
    }
}

/// How many bits of the other one either lacks, whichever lacks more. Both are counted at once, in the
/// halves of a number (H. S. Warren, "Hacker's Delight", 2002, figure 5-2): the instruction that most
/// processors have for it may not be taken for granted.
fn most_lacking(one: u16, other: u16) -> usize {
    let mut counts = u32::from(one & !other) | u32::from(other & !one) << u16::BITS;
    counts -= counts >> 1 & 0x5555_5555;
    counts = (counts & 0x3333_3333) + (counts >> 2 & 0x3333_3333);
    counts = (counts + (counts >> 4)) & 0x0f0f_0f0f;
    counts = (counts + (counts >> 8)) & 0x00ff_00ff;
    (counts & 0xff).max(counts >> u16::BITS) as usize
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
        fn bits_are_counted_for_the_one_that_lacks_more(one: u16, other: u16) {
            let lacking = |one: u16, other: u16| (one & !other).count_ones();
            let expected = lacking(one, other).max(lacking(other, one));
            prop_assert_eq!(most_lacking(one, other), expected as usize);
        }

        #[test]
        fn joined_words_that_are_alike_are_not_turned_away(words in like_words()) {
            let words = words.each_ref().map(words_of_one);
            let [one, other] = words.each_ref().map(|words| words.view().get(0).unwrap());
            let least = joined_similarity_min(one);
            if similarity_joined(one, other, least).is_some() {
                let sight = FarSight::new(Hint::of(one), one.text.len(), least);
                let letters = other.text.len();
                prop_assert!(sight.may_be_as_long(letters));
                prop_assert!(sight.may_be_like(Hint::of(other), letters));
                let is_same = sight.may_be_same(Hint::of(other), letters);
                prop_assert!(is_same || one.text != other.text);
            }
        }
    }
}
