//! Names that are ready to be compared.

use std::fmt;

use any_ascii::any_ascii_char;
use kyc_core::Score;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::align::Alignment;
use crate::options::Options;
use crate::word::{WORD_BYTES_MAX, Word};

/// A name that is ready to be compared: Latin letters without case and accents, single spaces.
///
/// The comparison takes only `NameKey`s, so a raw name cannot reach it by accident. `Debug` is
/// masked: names on a list are public, the applicant's is not.
///
/// ```
/// use kyc_screening::{NameKey, Options};
///
/// let options = Options::default();
/// let key = |name| NameKey::of(name, &options);
/// assert_eq!(key("  Zoë  O’Neill-Kòle").as_str(), "zoe oneill kole");
/// assert_eq!(key("Мира").as_str(), "mira");
/// assert_eq!(key("Kole, Mira").similarity(&key("Mira KOLE")).thousandths(), 1_000);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameKey {
    text: Box<str>,
    words: Vec<Word>,
}

/// Real names have a third of it; aligning costs the product of both counts.
pub(crate) const WORDS_MAX: usize = 32;

impl NameKey {
    /// Prepares a name, cut to [`Options::name_chars_max`] characters and 32 words.
    pub fn of(name: &str, options: &Options) -> Self {
        let text = fold(name, usize::from(options.name_chars_max));
        let words = text.split_whitespace().map(Word::new).collect();
        Self { text: text.into(), words }
    }

    /// The prepared text. Preparing it again changes nothing.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether there is a letter to compare. Emoji, digits alone and scripts without a Latin form
    /// have none.
    pub fn is_usable(&self) -> bool {
        self.text.bytes().any(|b| b.is_ascii_alphabetic())
    }

    /// How alike two names are: order-free, symmetric, and [`Score::MAX`] for equal ones.
    pub fn similarity(&self, other: &Self) -> Score {
        Alignment::of(self, other).score()
    }

    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    pub(crate) fn weight(&self) -> u32 {
        self.words.iter().map(Word::weight).sum()
    }
}

impl fmt::Debug for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameKey(***)")
    }
}

/// Lower-case Latin words, at most `chars_max` characters before and after.
fn fold(name: &str, chars_max: usize) -> String {
    let mut folded = Folded { text: String::new(), word_bytes: 0, words: 0, chars_max };
    for c in name.chars().take(chars_max).nfkc() {
        if is_silent(c) {
            continue;
        }
        if !c.is_alphanumeric() || is_a_word(c) {
            folded.end_word();
        }
        if c.is_alphanumeric() {
            any_ascii_char(c).bytes().for_each(|byte| folded.push(byte));
        }
        if is_a_word(c) {
            folded.end_word();
        }
    }
    folded.text
}

/// The folded text as it grows within its limits.
struct Folded {
    text: String,
    word_bytes: usize,
    words: usize,
    chars_max: usize,
}

impl Folded {
    fn push(&mut self, byte: u8) {
        let space = usize::from(self.word_bytes == 0 && self.words > 0);
        let is_full = self.text.len() + space >= self.chars_max
            || self.word_bytes == WORD_BYTES_MAX
            || (self.word_bytes == 0 && self.words == WORDS_MAX);
        if !byte.is_ascii_alphanumeric() || is_full {
            return;
        }
        if self.word_bytes == 0 {
            self.words += 1;
        }
        if space == 1 {
            self.text.push(' ');
        }
        self.text.push(char::from(byte.to_ascii_lowercase()));
        self.word_bytes += 1;
    }

    fn end_word(&mut self) {
        self.word_bytes = 0;
    }
}

/// Apostrophes, accents that did not compose, and characters without width: they neither end a
/// word nor belong to it.
fn is_silent(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | 'ʻ' | 'ʿ' | 'ʾ')
        || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
        || (is_combining_mark(c) && !c.is_alphanumeric())
}

/// Whether the script writes a syllable as one character and no spaces: Han and Hangul.
fn is_a_word(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}
