//! The words of names: what they weigh, and how alike two of them are.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::distance::{distance, signature, skeleton};

/// Longer words are cut. The longest real ones have two thirds of it.
pub(crate) const WORD_BYTES_MAX: usize = 32;

/// The weight of an ordinary word; initials and particles weigh less.
pub(crate) const ORDINARY: u32 = 4;
const INITIAL: u32 = 2;
pub(crate) const MINOR: u32 = 1;

/// What an initial is worth against a word that begins with it.
pub(crate) const INITIAL_SIMILARITY: u16 = 700;

/// One word of a prepared name: lower-case ASCII letters and digits. It has no `Debug`, since it may
/// be the applicant's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word {
    text: Box<str>,
    skeleton: Box<str>,
    signature: u32,
    weight: u8,
}

impl Word {
    /// A word that is already folded.
    pub(crate) fn new(text: &str) -> Self {
        let skeleton = skeleton(text);
        let signature = signature(&skeleton);
        let weight = match text.len() {
            1 => INITIAL,
            _ if MINOR_WORDS.contains(text) => MINOR,
            _ => ORDINARY,
        };
        let weight = u8::try_from(weight).unwrap_or(u8::MAX);
        Self { text: text.into(), skeleton: skeleton.into(), signature, weight }
    }

    /// Several words written as one; `None` when they are too long or too short for that.
    pub(crate) fn joined(words: &[Self]) -> Option<Self> {
        let bytes: usize = words.iter().map(|word| word.text.len()).sum();
        let is_sensible = words.len() > 1 && (JOINED_BYTES_MIN..=WORD_BYTES_MAX).contains(&bytes);
        is_sensible.then(|| Self::new(&words.iter().map(|word| &*word.text).collect::<String>()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What is left without vowels, doubled letters and differences that only spelling makes.
    pub(crate) fn skeleton(&self) -> &str {
        &self.skeleton
    }

    /// The sounds of the skeleton as a set.
    pub(crate) fn signature(&self) -> u32 {
        self.signature
    }

    pub(crate) fn weight(&self) -> u32 {
        self.weight.into()
    }

    pub(crate) fn is_ordinary(&self) -> bool {
        self.weight() == ORDINARY
    }

    /// Whether one of the two is an initial of the other.
    pub(crate) fn is_initial_with(&self, other: &Self) -> bool {
        self.text.len().min(other.text.len()) == 1
            && self.text.as_bytes().first() == other.text.as_bytes().first()
            && self.text.len() != other.text.len()
    }

    /// How alike two words are in thousandths: 0, or at least 750. Symmetric, and 1,000 only for
    /// equal words.
    pub(crate) fn similarity(&self, other: &Self) -> u16 {
        if self.text == other.text {
            return 1_000;
        }
        let (short, long) = if self.text.len() <= other.text.len() {
            (&self.text, &other.text)
        } else {
            (&other.text, &self.text)
        };
        let allowed = cost_max(long.len());
        if signature_cost(self.signature, other.signature) + long.len() - short.len() > allowed {
            return 0;
        }
        match distance(short.as_bytes(), long.as_bytes()) {
            cost if cost <= allowed => u16::try_from(1_000 - 500 * cost / long.len()).unwrap_or(0),
            _ => 0,
        }
    }
}

/// What two words cost at least, besides a cost of 1 for each letter that one has more: an edit
/// that costs 1 leaves the consonants as they are, one that costs 2 changes at most two of them.
pub(crate) fn signature_cost(one: u32, other: u32) -> usize {
    (one ^ other).count_ones() as usize
}

/// What may differ in a word of this length, in half letters. Up to two letters nothing, up to
/// four one matter of spelling; longer ones may differ in a quarter of their letters.
pub(crate) fn cost_max(long: usize) -> usize {
    match long {
        0..=2 => 0,
        3..=4 => 1,
        _ => long / 2,
    }
}

/// Words of one name are joined from this length on, and only compared with words that are as long;
/// shorter ones would meet by chance.
pub(crate) const JOINED_BYTES_MIN: usize = 4;

/// Articles, particles, titles: they say little about who somebody is.
static MINOR_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "al an ar as ash at az ben bin bint binti capt captain col colonel da das de del \
     della den der di do dos dr du el gen general hadji haj haji hajj hajji ibn ii iii jr \
     la le maulavi mawlawi mr mrs ms mullah prof professor qari shaikh shaykh sheikh sr \
     the ul van von"
        .split(' ')
        .collect()
});
