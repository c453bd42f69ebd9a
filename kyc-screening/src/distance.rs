//! How far two words are apart, by their sounds.

use crate::sound::{group, is_soft, is_vowel};
use crate::word::WORD_BYTES_MAX;

/// Edit distance in half letters, with swaps of neighbours; `None` above `most`.
///
/// An edit costs 2, or 1 where only the romanisation differs: a vowel, half vowel or `h` more or less,
/// a vowel for another, a consonant for one of its group, two neighbours swapped.
pub(crate) fn distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    lowest_cost(a, b, &ALPHABETIC, most)
}

/// As [`distance`], where `bare` is written without most vowels: those of `full` cost nothing.
pub(crate) fn distance_without_vowels(bare: &[u8], full: &[u8], most: usize) -> Option<usize> {
    lowest_cost(bare, full, &BARE, most)
}

/// Whether one letter more, less or other, or a swap of neighbours, leads from one to the other.
pub(crate) fn is_one_edit(a: &[u8], b: &[u8]) -> bool {
    let begin = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(begin..).unwrap_or_default(), b.get(begin..).unwrap_or_default());
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (a.get(..a.len() - end), b.get(..b.len() - end)) {
        (Some([a1, a2]), Some([b1, b2])) => a1 == b2 && a2 == b1,
        (Some(a), Some(b)) => a.len() <= 1 && b.len() <= 1,
        _ => false,
    }
}

/// What edits cost.
struct Costs {
    gap: [u8; SOUNDS],
    gap_of_other: [u8; SOUNDS],
    substitution: [[u8; SOUNDS]; SOUNDS],
}

/// Sounds are ASCII.
const SOUNDS: usize = 128;

#[expect(clippy::indexing_slicing, reason = "i and j stay within both words and the rows")]
fn lowest_cost(a: &[u8], b: &[u8], costs: &Costs, most: usize) -> Option<usize> {
    let (a, b) = (a.get(..a.len().min(WORD_BYTES_MAX))?, b.get(..b.len().min(WORD_BYTES_MAX))?);
    let mut before = [0_u8; WORD_BYTES_MAX + 1];
    let mut last = [0_u8; WORD_BYTES_MAX + 1];
    let mut row = [0_u8; WORD_BYTES_MAX + 1];
    let gap_of_other = |sound: u8| costs.gap_of_other[usize::from(sound & 127)];
    for j in 1..=b.len() {
        last[j] = last[j - 1] + gap_of_other(b[j - 1]);
    }
    for i in 1..=a.len() {
        let sound = usize::from(a[i - 1] & 127);
        let (gap, substitution) = (costs.gap[sound], &costs.substitution[sound]);
        row[0] = last[0] + gap;
        let mut row_min = row[0];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + substitution[usize::from(b[j - 1] & 127)];
            let mut cost = substituted.min(last[j] + gap).min(row[j - 1] + gap_of_other(b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row[j] = cost;
            row_min = row_min.min(cost);
        }
        // A swap may still save 1 over what this row says.
        if usize::from(row_min) > most + 1 {
            return None;
        }
        (before, last, row) = (last, row, before);
    }
    Some(usize::from(last[b.len()])).filter(|cost| *cost <= most)
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
    length: u32,
}

impl Pattern {
    /// Words have at most 32 sounds.
    pub(crate) fn of(sounds: &[u8]) -> Self {
        let mut positions = [0; SOUNDS];
        let mut length = 0;
        for sound in sounds.iter().take(WORD_BYTES_MAX) {
            if let Some(bits) = positions.get_mut(usize::from(*sound)) {
                *bits |= 1 << length;
            }
            length += 1;
        }
        Self { positions, length }
    }

    /// How many plain edits lie between the words.
    pub(crate) fn edits(&self, other: &[u8]) -> u32 {
        let last = 1_u32 << (self.length.max(1) - 1);
        let mut edits = self.length;
        let (mut up, mut down) = (u32::MAX, 0_u32);
        let (mut diagonal, mut before) = (0_u32, 0_u32);
        for sound in other {
            let same = self.positions.get(usize::from(*sound)).copied().unwrap_or(0);
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
