//! A quick lower bound of the distance between words.

use crate::word::{Word, signature_cost};

/// One word, prepared to be compared with many.
///
/// Counts plain edits (a letter more, less or other, a swap of neighbours) for all positions at
/// once, one bit each: H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances", 2003. In [`Word::similarity`] every edit costs at least 1, and one that changes
/// consonants costs 1 more.
pub(crate) struct Pattern {
    /// For each letter the positions where the word has it.
    positions: [u32; 128],
    bytes: u32,
    signature: u32,
}

impl Pattern {
    /// Words are ASCII and at most 32 bytes long.
    pub(crate) fn of(word: &Word) -> Self {
        let mut positions = [0; 128];
        for (at, letter) in word.text().bytes().enumerate() {
            if let Some(bits) = positions.get_mut(usize::from(letter)) {
                *bits |= 1 << at;
            }
        }
        let bytes = word.text().bytes().map(|_| 1).sum();
        Self { positions, bytes, signature: word.signature() }
    }

    /// What the words cost at least; their similarity is 0 above [`cost_max`](crate::word::cost_max).
    pub(crate) fn cost_min(&self, other: &Word) -> usize {
        let consonant_edits = signature_cost(self.signature, other.signature()).div_ceil(2);
        self.edits(other) as usize + consonant_edits
    }

    /// How many plain edits lie between the words.
    fn edits(&self, other: &Word) -> u32 {
        let last = 1_u32 << (self.bytes.max(1) - 1);
        let mut edits = self.bytes;
        let (mut up, mut down) = (u32::MAX, 0_u32);
        let (mut diagonal, mut before) = (0_u32, 0_u32);
        for letter in other.text().bytes() {
            let same = self.positions.get(usize::from(letter)).copied().unwrap_or(0);
            let swapped = ((!diagonal & same) << 1) & before;
            diagonal = ((same & up).wrapping_add(up) ^ up) | same | down | swapped;
            let right_up = down | !(diagonal | up);
            let right_down = diagonal & up;
            edits += u32::from(right_up & last != 0);
            edits -= u32::from(right_down & last != 0);
            let right_up = (right_up << 1) | 1;
            up = (right_down << 1) | !(diagonal | right_up);
            down = right_up & diagonal;
            before = same;
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, edits: u32) {
        assert_eq!(Pattern::of(&Word::new(one)).edits(&Word::new(other)), edits, "{one} {other}");
        assert_eq!(Pattern::of(&Word::new(other)).edits(&Word::new(one)), edits, "{other} {one}");
    }

    #[test]
    fn plain_edits_are_counted() {
        check("kole", "kole", 0);
        check("kole", "kol", 1);
        check("kole", "koel", 1);
        check("kole", "mira", 4);
        check("k", "mira", 4);
        check(&"k".repeat(32), &"m".repeat(32), 32);
    }

    proptest! {
        #[test]
        fn words_that_are_alike_have_no_more_edits_than_they_may_cost(
            one in "[aehkmsz]{1,10}",
            other in "[aehkmsz]{1,10}",
        ) {
            let (one, other) = (Word::new(&one), Word::new(&other));
            if one.similarity(&other) > 0 {
                let longer = one.text().len().max(other.text().len());
                let allowed = crate::word::cost_max(longer);
                prop_assert!(Pattern::of(&one).cost_min(&other) <= allowed);
            }
        }
    }
}
