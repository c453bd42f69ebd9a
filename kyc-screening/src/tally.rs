//! How often each sound occurs in a word: what two words differ in at least.

/// How often each sound occurs in a word, one bit for each time, as far as there are bits.
///
/// A bit that one of two words lacks is a sound that takes an edit between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally(u32);

/// Consonants that always cost a whole letter: not `f` and `v`, which share their bit with `w`.
const WHOLE: u32 = (1 << 18) - 1;
/// Those that cost one beside a word without vowels, too: others stand for several there.
const WHOLE_WITHOUT_VOWELS: u32 = (1 << 12) - 1;
/// `h`. The bits above it are those of the vowels.
const H: u32 = 1 << H_BIT;
const H_BIT: u32 = 19;

impl Tally {
    pub(crate) fn of(sounds: &[u8]) -> Self {
        Self(sounds.iter().fold(0, |tally, sound| {
            let free = bits(*sound) & !tally;
            let lowest = free & free.wrapping_neg();
            tally | lowest
        }))
    }

    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    /// The reverse of [`to_bits`](Self::to_bits).
    pub(crate) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// How often each vowel occurs, and `h`, in 13 bits.
    pub(crate) fn soft(self) -> u16 {
        (self.0 >> H_BIT) as u16
    }

    /// What the [`distance`](crate::distance::distance) of words with these sounds is at least.
    pub(crate) fn cost_min(self, other: Self) -> usize {
        self.sum_min(other, [u32::MAX, WHOLE])
    }

    /// The same [without the vowels](crate::distance::distance_without_vowels) of one.
    pub(crate) fn cost_min_without_vowels(self, other: Self) -> usize {
        self.sum_min(other, [WHOLE | H, WHOLE_WITHOUT_VOWELS])
    }

    /// How many half letters differ, where bits of either mask count for one.
    fn sum_min(self, other: Self, [half, other_half]: [u32; 2]) -> usize {
        let sum = |lacking: u32| {
            (u64::from(lacking & half) << 32 | u64::from(lacking & other_half)).count_ones()
        };
        sum(self.0 & !other.0).max(sum(other.0 & !self.0)) as usize
    }

    /// How many edits between such words cost a whole letter at least.
    pub(crate) fn whole_min(self, other: Self) -> usize {
        self.sum_min(other, [WHOLE, 0])
    }
}

/// The bits of a sound, from the first time it occurs on. Consonants that are exchanged for half a
/// letter have the same bits, or one of them counts for half a letter.
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
        let cost_min = |a: &str, b: &str| Tally::of(a.as_bytes()).cost_min(Tally::of(b.as_bytes()));
        assert_eq!(cost_min("karim", "karam"), 1);
        assert_eq!(cost_min("karim", "karin"), 2);
        assert_eq!(cost_min("karim", "salem"), 5);
        assert_eq!(cost_min("maria", "maris"), 2);
    }

    #[test]
    fn each_group_of_sounds_has_bits_of_its_own() {
        let counts = [
            ("bp", 2),
            ("l", 3),
            ("m", 2),
            ("n", 3),
            ("r", 2),
            ("kqgGX", 2),
            ("dtDT", 2),
            ("szSCZj", 2),
            ("fvw", 1),
            ("h", 1),
            ("a", 3),
            ("e", 2),
            ("i", 2),
            ("o", 2),
            ("u", 2),
            ("y", 1),
        ];
        let mut taken = 0;
        for (group, count) in counts {
            let [first, ..] = *group.as_bytes() else { unreachable!("no group is empty") };
            let own = Tally::of(&[first; 4]).to_bits();
            assert_eq!(own.count_ones(), count, "{group}");
            for sound in group.bytes() {
                assert_eq!(Tally::of(&[sound; 4]).to_bits(), own, "{group}");
            }
            assert_eq!(own & taken, 0, "{group}");
            taken |= own;
        }
        assert_eq!(taken, u32::MAX);
        assert_eq!(Tally::of(b"07").to_bits(), 0);
    }
}
