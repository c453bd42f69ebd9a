//! How often each sound occurs in a word: what two words differ in at least.

/// How often each sound occurs in a word, one bit for each time, as far as there are bits: a bit that
/// one of two words lacks is a sound that takes an edit of [`distance`](crate::distance::distance).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tally(u32);

/// Those of sounds that cost a whole letter.
const WHOLE: u32 = (1 << 18) - 1;
/// Those that do in a word without vowels, too: its other consonants stand for several.
const WHOLE_WITHOUT_VOWELS: u32 = (1 << 12) - 1;
const H: u32 = 1 << 19;
/// Those of vowels, half vowels and `h`, but for `w`, stand behind so many others.
const SOFT_FROM: u32 = 19;

impl Tally {
    pub(crate) fn of(sounds: &[u8]) -> Self {
        Self(sounds.iter().fold(0, |tally, sound| {
            let bits = bits(*sound);
            tally | (bits & !tally & (bits & !tally).wrapping_neg())
        }))
    }

    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    /// The reverse of [`to_bits`](Self::to_bits).
    pub(crate) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// How often each vowel, half vowel and `h` occurs: 13 bits.
    pub(crate) fn soft(self) -> u16 {
        (self.0 >> SOFT_FROM) as u16
    }

    /// What the distance of words with these sounds is at least.
    pub(crate) fn cost_min(self, other: Self) -> usize {
        let cost = |lacking: u32| {
            (u64::from(lacking) | u64::from(lacking & WHOLE) << 32).count_ones() as usize
        };
        cost(self.0 & !other.0).max(cost(other.0 & !self.0))
    }

    /// What the distance of words with these sounds is at least, where the vowels of one are not written.
    pub(crate) fn cost_min_without_vowels(self, other: Self) -> usize {
        let cost = |lacking: u32| {
            let whole = lacking & WHOLE_WITHOUT_VOWELS;
            (u64::from(lacking & (WHOLE | H)) | u64::from(whole) << 32).count_ones() as usize
        };
        cost(self.0 & !other.0).max(cost(other.0 & !self.0))
    }

    /// How many edits between such words cost a whole letter at least.
    pub(crate) fn whole_min(self, other: Self) -> usize {
        let whole = |lacking: u32| (lacking & WHOLE).count_ones() as usize;
        whole(self.0 & !other.0).max(whole(other.0 & !self.0))
    }
}

/// The bits of a sound, from the first time it occurs on. Sounds that are exchanged for half a letter
/// have the same bits, or one of them counts for half a letter.
const fn bits(sound: u8) -> u32 {
    match sound {
        b'b' | b'p' => 0b11,
        b'l' => 0b111 << 2,
        b'm' => 0b11 << 5,
        b'n' => 0b111 << 7,
        b'r' => 0b11 << 10,
        b'k' | b'q' | b'g' | b'G' | b'X' => 0b11 << 12,
        b'd' | b't' | b'D' | b'T' => 0b11 << 14,
        b's' | b'z' | b'S' | b'C' | b'Z' | b'j' => 0b11 << 16,
        b'f' | b'v' | b'w' => 1 << 18,
        b'h' => 1 << 19,
        b'a' => 0b111 << 20,
        b'e' => 0b11 << 23,
        b'i' => 0b11 << 25,
        b'o' => 0b11 << 27,
        b'u' => 0b11 << 29,
        b'y' => 1 << 31,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::distance::{Pattern, distance, distance_without_vowels};

    proptest! {
        #[test]
        fn no_words_are_closer_than_their_tallies(
            a in "[a-zCDGSTXZ0]{0,9}",
            b in "[a-zCDGSTXZ0]{0,9}",
        ) {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let [one, other] = [a, b].map(Tally::of);
            prop_assert!(one.cost_min(other) <= distance(a, b, 1_000).unwrap());
            let without_vowels = distance_without_vowels(a, b, 1_000).unwrap();
            prop_assert!(one.cost_min_without_vowels(other) <= without_vowels);
            let edits = Pattern::of(a).edits(b);
            prop_assert!(edits + one.whole_min(other) <= distance(a, b, 1_000).unwrap());
        }
    }

    #[test]
    fn a_consonant_counts_for_a_letter_and_a_vowel_for_half_of_one() {
        let cost_min = |a: &str, b: &str| {
            Tally::of(a.as_bytes()).cost_min(Tally::of(b.as_bytes()))
        };
        assert_eq!(cost_min("karim", "karam"), 1);
        assert_eq!(cost_min("karim", "karin"), 2);
        assert_eq!(cost_min("karim", "salem"), 5);
        assert_eq!(cost_min("maria", "maris"), 2);
    }
}
