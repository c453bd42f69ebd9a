//! How far two spellings are apart.

use crate::word::WORD_BYTES_MAX;

/// Edit distance in half letters, with swaps of neighbours.
///
/// An edit costs 2, or 1 where only spelling differs: a vowel or `h` more or less, a doubled
/// letter, a vowel for its neighbour, a consonant for one that sounds alike.
#[expect(clippy::indexing_slicing, reason = "i and j stay within both words and the rows")]
pub(crate) fn distance(a: &[u8], b: &[u8]) -> usize {
    let gaps = gaps(b);
    let mut before = [0; WORD_BYTES_MAX + 1];
    let mut last = [0; WORD_BYTES_MAX + 1];
    let mut row = [0; WORD_BYTES_MAX + 1];
    for j in 1..=b.len() {
        last[j] = last[j - 1] + gaps[j - 1];
    }
    for (i, gap) in (1..=a.len()).zip(self::gaps(a)) {
        row[0] = last[0] + gap;
        for j in 1..=b.len() {
            let substituted = last[j - 1] + substitution(a[i - 1], b[j - 1]);
            let mut cost = substituted.min(last[j] + gap).min(row[j - 1] + gaps[j - 1]);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 2);
            }
            row[j] = cost;
        }
        (before, last, row) = (last, row, before);
    }
    last[b.len()].into()
}

/// What it costs to leave out each letter. At most 2, so that a whole row fits into bytes.
fn gaps(word: &[u8]) -> [u8; WORD_BYTES_MAX] {
    let mut gaps = [2; WORD_BYTES_MAX];
    let mut before = None;
    for (gap, letter) in gaps.iter_mut().zip(word) {
        if is_soft(*letter) || before == Some(letter) {
            *gap = 1;
        }
        before = Some(letter);
    }
    gaps
}

fn substitution(a: u8, b: u8) -> u8 {
    match (a == b, sounds(a) & sounds(b)) {
        (true, _) => 0,
        (false, 0) => 2,
        (false, _) => 1,
    }
}

/// Vowels and `h`: transliterations add them, drop them and exchange them.
fn is_soft(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'h' | b'i' | b'o' | b'u' | b'y')
}

#[expect(clippy::indexing_slicing, reason = "the table has an entry for every byte")]
fn sounds(letter: u8) -> u32 {
    SOUNDS[usize::from(letter)]
}

/// One bit for each sound that a letter can stand for; transliterations exchange letters that
/// share one.
#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a bad index stops the build"
)]
static SOUNDS: [u32; 256] = {
    let groups = [
        "ckq", "sz", "vw", "eiy", "ae", "ou", "b", "d", "f", "g", "j", "l", "m", "n", "p", "r",
        "t", "x",
    ];
    let mut sounds = [0; 256];
    let mut group = 0;
    while group < groups.len() {
        let letters = groups[group].as_bytes();
        let mut at = 0;
        while at < letters.len() {
            sounds[letters[at] as usize] |= 1 << group;
            at += 1;
        }
        group += 1;
    }
    sounds
};

/// The sounds of a skeleton as a set. No edit that costs 1 changes it.
pub(crate) fn signature(skeleton: &str) -> u32 {
    skeleton.bytes().map(sounds).fold(0, |all, sound| all | sound)
}

/// The consonants, without vowels, doubled ones, and differences of spelling.
pub(crate) fn skeleton(text: &str) -> String {
    let mut skeleton = String::new();
    for letter in text.bytes().filter(|letter| !is_soft(*letter)) {
        let letter = match letter {
            b'c' | b'q' => 'k',
            b'z' => 's',
            b'w' => 'v',
            _ => char::from(letter),
        };
        if !skeleton.ends_with(letter) {
            skeleton.push(letter);
        }
    }
    skeleton
}
