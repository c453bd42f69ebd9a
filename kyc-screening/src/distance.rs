//! How far two words are apart, by their sounds.

use crate::sound::{group, is_soft, is_vowel};
use crate::word::WORD_BYTES_MAX;

/// Edit distance in half letters, with swaps of neighbours; `None` above `most`.
///
/// An edit costs 2, or 1 where only the romanisation differs: a vowel, half vowel or `h` more or less,
/// a vowel for another, a consonant for one of its group, two neighbours swapped.
pub(crate) fn distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    // What both begin and end with costs nothing, since no edit is dearer than two others in its place.
    let (a, b) = without_common_ends(a, b);
    lowest_cost(a, b, &ALPHABETIC, most)
}

/// As [`distance`], where `bare` is written without most vowels: those of `full` cost nothing.
pub(crate) fn distance_without_vowels(bare: &[u8], full: &[u8], most: usize) -> Option<usize> {
    lowest_cost(bare, full, &BARE, most)
}

/// Whether one letter more, less or other, or a swap of neighbours, leads from one to the other.
pub(crate) fn is_one_edit(a: &[u8], b: &[u8]) -> bool {
    match without_common_ends(a, b) {
        ([a1, a2], [b1, b2]) => a1 == b2 && a2 == b1,
        (a, b) => a.len() <= 1 && b.len() <= 1,
    }
}

fn without_common_ends<'a, 'b>(a: &'a [u8], b: &'b [u8]) -> (&'a [u8], &'b [u8]) {
    let begin = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(begin..).unwrap_or_default(), b.get(begin..).unwrap_or_default());
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let without = |word: &[u8]| word.len() - end;
    (a.get(..without(a)).unwrap_or_default(), b.get(..without(b)).unwrap_or_default())
}

/// What edits cost.
struct Costs {
    gap: [u8; SOUNDS],
    gap_of_other: [u8; SOUNDS],
    substitution: [[u8; SOUNDS]; SOUNDS],
}

/// Sounds are ASCII.
const SOUNDS: usize = 128;

#[expect(clippy::indexing_slicing, reason = "no more than seven bits are left")]
impl Costs {
    fn gap_of_other(&self, sound: u8) -> u8 {
        self.gap_of_other[usize::from(sound & 127)]
    }

    fn gap(&self, sound: u8) -> u8 {
        self.gap[usize::from(sound & 127)]
    }

    fn substitution(&self, sound: u8, other: u8) -> u8 {
        self.substitution[usize::from(sound & 127)][usize::from(other & 127)]
    }
}

fn lowest_cost(a: &[u8], b: &[u8], costs: &Costs, most: usize) -> Option<usize> {
    let (a, b) = (a.get(..a.len().min(WORD_BYTES_MAX))?, b.get(..b.len().min(WORD_BYTES_MAX))?);
    // What the first sounds of `a` cost against none of `b`, and against its first one, two, …; and what
    // those without the last one did.
    let (mut against_none, mut against_none_before) = (0, 0);
    let (mut row, mut row_before) = ([0; WORD_BYTES_MAX], [0; WORD_BYTES_MAX]);
    let mut sum = 0;
    for (other, cost) in b.iter().zip(&mut row) {
        sum += costs.gap_of_other(*other);
        *cost = sum;
    }
    let mut sound_before = None;
    for sound in a.iter().copied() {
        let gap = costs.gap(sound);
        let (mut diagonal, mut left) = (against_none, against_none + gap);
        let (mut unswapped, mut next_unswapped) = (0, against_none_before);
        (against_none_before, against_none) = (against_none, left);
        let mut row_min = left;
        let mut other_before = None;
        for ((other, cost), cost_before) in b.iter().copied().zip(&mut row).zip(&mut row_before) {
            let substituted = diagonal + costs.substitution(sound, other);
            let mut least = substituted.min(*cost + gap).min(left + costs.gap_of_other(other));
            if other_before == Some(sound) && sound_before == Some(other) {
                least = least.min(unswapped + 1);
            }
            (unswapped, next_unswapped) = (next_unswapped, *cost_before);
            (*cost_before, diagonal, left) = (*cost, *cost, least);
            *cost = least;
            row_min = row_min.min(least);
            other_before = Some(other);
        }
        sound_before = Some(sound);
        // A swap may still save 1 over what this row says.
        if usize::from(row_min) > most + 1 {
            return None;
        }
    }
    let last = b.len().checked_sub(1).and_then(|last| row.get(last).copied());
    Some(usize::from(last.unwrap_or(against_none))).filter(|cost| *cost <= most)
}

static ALPHABETIC: Costs = costs(false);
static BARE: Costs = costs(true);

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time"
)]
const fn costs(is_bare: bool) -> Costs {
    let mut costs =
        Costs { gap: [2; SOUNDS], gap_of_other: [2; SOUNDS], substitution: [[2; SOUNDS]; SOUNDS] };
    let mut a = 0;
    while a < SOUNDS {
        if is_soft(a as u8) {
            costs.gap[a] = 1;
            costs.gap_of_other[a] = if is_bare && is_vowel(a as u8) { 0 } else { 1 };
        }
        let mut b = 0;
        while b < SOUNDS {
            costs.substitution[a][b] = if is_bare {
                substitution_in_bare(a as u8, b as u8)
            } else {
                substitution(a as u8, b as u8)
            };
            b += 1;
        }
        a += 1;
    }
    costs
}

const fn substitution(a: u8, b: u8) -> u8 {
    if a == b {
        return 0;
    }
    match (a, b) {
        (b'l', b'r') | (b'r', b'l') => 2,
        (b'C', b'S') | (b'S', b'C') | (b'w', b'v' | b'u' | b'o') | (b'v' | b'u' | b'o', b'w') => 1,
        _ if is_vowel(a) && is_vowel(b) || group(a) == group(b) => 1,
        _ => 2,
    }
}

/// A weak letter stands for any vowel, and some letters for two sounds.
const fn substitution_in_bare(bare: u8, full: u8) -> u8 {
    match (bare, full) {
        (b'a' | b'w' | b'y', _) if is_vowel(full) => 0,
        (b'w', b'v' | b'w') => 0,
        (b'j', b'g') | (b'T' | b'D' | b'd', b's' | b'z') | (b'X', b'h') => 1,
        _ => substitution(bare, full),
    }
}

/// One word, prepared to be compared with many.
///
/// Counts plain edits (a letter more, less or other, a swap of neighbours) for all positions at
/// once, one bit each: H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances", 2003. Every edit of [`distance`] costs at least 1.
pub(crate) struct Pattern {
    /// For each sound the positions where the word has it.
    positions: [u32; SOUNDS],
    /// All its positions.
    all: u32,
}

impl Pattern {
    /// Words have at most 32 sounds.
    pub(crate) fn of(sounds: &[u8]) -> Self {
        let mut positions = [0; SOUNDS];
        let mut all = 0;
        for (at, sound) in sounds.iter().take(WORD_BYTES_MAX).enumerate() {
            all |= 1 << at;
            if let Some(bits) = positions.get_mut(usize::from(*sound)) {
                *bits |= 1 << at;
            }
        }
        Self { positions, all }
    }

    /// How many plain edits lie between the words.
    #[expect(clippy::indexing_slicing, reason = "no more than seven bits are left")]
    pub(crate) fn edits(&self, other: &[u8]) -> usize {
        let (mut up, mut down) = (u32::MAX, 0_u32);
        let (mut diagonal, mut before) = (0_u32, 0_u32);
        for sound in other {
            let same = self.positions[usize::from(sound & 127)];
            let swapped = ((!diagonal & same) << 1) & before;
            diagonal = ((same & up).wrapping_add(up) ^ up) | same | down | swapped;
            let right_up = down | !(diagonal | up);
            let right_down = diagonal & up;
            let right_up = (right_up << 1) | 1;
            up = (right_down << 1) | !(diagonal | right_up);
            down = right_up & diagonal;
            before = same;
        }
        // What it takes from none of the word's sounds, and by how much more or less from each further one.
        other.len() + (up & self.all).count_ones() as usize
            - (down & self.all).count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The lowest cost of all ways from one word to the other, without any short cut.
    fn lowest(
        (a, b): (&[u8], &[u8]),
        gap: impl Fn(u8) -> usize,
        gap_of_other: impl Fn(u8) -> usize,
        instead: impl Fn(u8, u8) -> usize,
    ) -> usize {
        let mut costs = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let mut ways = Vec::new();
                if i > 0 {
                    ways.push(costs[i - 1][j] + gap(a[i - 1]));
                }
                if j > 0 {
                    ways.push(costs[i][j - 1] + gap_of_other(b[j - 1]));
                }
                if i > 0 && j > 0 {
                    ways.push(costs[i - 1][j - 1] + instead(a[i - 1], b[j - 1]));
                }
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    ways.push(costs[i - 2][j - 2] + 1);
                }
                costs[i][j] = ways.into_iter().min().unwrap_or(0);
            }
        }
        costs[a.len()][b.len()]
    }

    fn plain(a: &[u8], b: &[u8], is_bare: bool) -> usize {
        let gap = |sound| if is_soft(sound) { 1 } else { 2 };
        let gap_of_other = |sound| if is_bare && is_vowel(sound) { 0 } else { gap(sound) };
        let instead = if is_bare { substitution_in_bare } else { substitution };
        lowest((a, b), gap, gap_of_other, |one, other| instead(one, other).into())
    }

    fn every_two() -> impl Iterator<Item = (u8, u8)> {
        let all = b"abcdefghijklmnopqrstuvwxyzCDGSTXZ0";
        all.iter().flat_map(|one| all.iter().map(|other| (*one, *other)))
    }

    #[test]
    fn what_romanisations_exchange_costs_half_a_letter() {
        let exchanged =
            ["kqXGg", "CZj", "szS", "tdTD", "bp", "fv", "aeiouy", "CS", "wv", "wu", "wo"];
        for (one, other) in every_two() {
            let has =
                |group: &&str| [one, other].iter().all(|sound| group.as_bytes().contains(sound));
            let expected = match exchanged.iter().any(has) {
                _ if one == other => 0,
                true => 1,
                false => 2,
            };
            assert_eq!(substitution(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn what_is_written_without_vowels_stands_for_more() {
        for (bare, full) in every_two() {
            let expected = match (bare, full) {
                (b'a' | b'w' | b'y', b'a' | b'e' | b'i' | b'o' | b'u' | b'y') | (b'w', b'v') => 0,
                (b'j', b'g') | (b'T' | b'D' | b'd', b's' | b'z') | (b'X', b'h') => 1,
                _ => substitution(bare, full),
            };
            assert_eq!(substitution_in_bare(bare, full), expected, "{bare} {full}");
        }
    }

    #[test]
    fn a_swap_saves_what_its_first_letter_seemed_to_cost() {
        for (one, other, most, expected) in [
            ("mn", "nm", 1, Some(1)),
            ("karmn", "karnm", 1, Some(1)),
            ("mn", "nm", 0, None),
            ("mnk", "nmt", 2, None),
            ("mnk", "nmt", 3, Some(3)),
        ] {
            assert_eq!(distance(one.as_bytes(), other.as_bytes(), most), expected, "{one} {other}");
        }
    }

    #[test]
    fn one_letter_more_less_or_other_or_two_swapped_are_one_edit() {
        for (one, other, is_one) in [
            ("kole", "kole", true),
            ("kole", "kolde", true),
            ("kole", "koe", true),
            ("kole", "kale", true),
            ("kole", "okle", true),
            ("kole", "kloe", true),
            ("kole", "koel", true),
            ("kole", "kaler", false),
            ("kole", "klue", false),
            ("kole", "loke", false),
            ("kole", "ko", false),
            ("", "k", true),
            ("", "ko", false),
        ] {
            assert_eq!(is_one_edit(one.as_bytes(), other.as_bytes()), is_one, "{one} {other}");
            assert_eq!(is_one_edit(other.as_bytes(), one.as_bytes()), is_one, "{other} {one}");
        }
    }

    proptest! {
        #[test]
        fn a_distance_is_the_lowest_cost_of_all(
            a in "[abehiklmorsuvwyCSX]{0,9}",
            b in "[abehiklmorsuvwyCSX]{0,9}",
            most in 0..12_usize,
        ) {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let within = |cost: usize| Some(cost).filter(|cost| *cost <= most);
            prop_assert_eq!(distance(a, b, most), within(plain(a, b, false)));
            prop_assert_eq!(distance_without_vowels(a, b, most), within(plain(a, b, true)));
        }

        #[test]
        fn no_edit_is_cheaper_than_a_plain_one(a in "[abmnrtu]{0,9}", b in "[abmnrtu]{0,9}") {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let edits = Pattern::of(a).edits(b);
            prop_assert_eq!(edits, lowest((a, b), |_| 1, |_| 1, |one, other| (one != other).into()));
            prop_assert!(edits <= plain(a, b, false));
        }
    }
}
