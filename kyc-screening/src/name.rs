//! Names that are ready to be compared.

use std::fmt;
use std::ops::Range;

use kyc_core::Score;

use crate::align::Alignment;
use crate::compound::{Token, compounds};
use crate::legal::organisation;
use crate::letters::{Letter, Writing, characters, letter};
use crate::options::Options;
use crate::query::QueryKind;
use crate::script::add_behind;
use crate::word::WORD_BYTES_MAX;
use crate::words::{Words, WordsView};

/// A name that is ready to be compared: Latin words without case and accents, names of one person
/// in one spelling.
///
/// The comparison takes only `NameKey`s, so a raw name cannot reach it by accident. `Debug` is
/// masked: names on a list are public, the applicant's is not.
///
/// ```
/// use kyc_screening::{NameKey, Options};
///
/// let options = Options::default();
/// let key = |name| NameKey::of(name, &options);
/// assert_eq!(key("  Zoë  O’Neill-Kòle").to_string(), "zoe oneill kole");
/// assert_eq!(key("Мира").to_string(), "mira");
/// assert_eq!(key("Kole, Mira"), key("Mira KOLE"));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameKey {
    words: Words,
}

/// Real names have a third of it; aligning costs the product of both counts.
pub(crate) const WORDS_MAX: usize = 32;

impl NameKey {
    /// Prepares a name, cut to [`Options::name_chars_max`] characters and 32 words.
    pub fn of(name: &str, options: &Options) -> Self {
        Self::of_kind(name, QueryKind::Person, *options)
    }

    /// Prepares the name of an organisation, a ship or an aircraft: legal forms and numbers in one
    /// spelling.
    ///
    /// ```
    /// use kyc_screening::{NameKey, Options};
    ///
    /// let key = |name| NameKey::of_organisation(name, &Options::default());
    /// assert_eq!(key("Ashgrove Mills G.m.b.H."), key("Ashgrove Mills GmbH"));
    /// assert_eq!(key("Brigade Forty-Four"), key("Brigade 44"));
    /// ```
    pub fn of_organisation(name: &str, options: &Options) -> Self {
        Self::of_kind(name, QueryKind::Other, *options)
    }

    /// Prepares a name of either kind.
    pub(crate) fn of_kind(name: &str, kind: QueryKind, options: Options) -> Self {
        let mut words = Words::default();
        for token in tokens_of_kind(name, kind, options) {
            words.push(&token.text, token.writing, kind);
        }
        Self { words }
    }

    /// Which characters of a name each of its words covers.
    pub(crate) fn places(name: &str, kind: QueryKind, options: Options) -> Vec<Range<u16>> {
        tokens_of_kind(name, kind, options).map(|token| token.from..token.to).collect()
    }

    /// Whether there is a letter to compare. Emoji, digits alone and scripts without a Latin form
    /// have none.
    pub fn is_usable(&self) -> bool {
        self.words().iter().any(|word| word.text.iter().any(u8::is_ascii_alphabetic))
    }

    /// How alike two names are: symmetric, and [`Score::MAX`] for equal ones.
    pub fn similarity(&self, other: &Self) -> Score {
        Alignment::of(self, other).score()
    }

    pub(crate) fn words(&self) -> WordsView<'_> {
        self.words.view()
    }
}

/// The prepared words.
impl fmt::Display for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> =
            self.words().iter().map(|word| String::from_utf8_lossy(word.text)).collect();
        f.write_str(&words.join(" "))
    }
}

impl fmt::Debug for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NameKey(***)")
    }
}

fn tokens_of_kind(name: &str, kind: QueryKind, options: Options) -> impl Iterator<Item = Token> {
    let chars_max = usize::from(options.name_chars_max);
    let tokens = match kind {
        QueryKind::Person => compounds(tokens(name, chars_max)),
        QueryKind::Other => organisation(words(name, chars_max).0),
    };
    tokens.into_iter().take(WORDS_MAX)
}

/// The words of a name in their natural order: `Kole, Mira` is `Mira Kole`.
fn tokens(name: &str, chars_max: usize) -> Vec<Token> {
    let (mut tokens, comma) = words(name, chars_max);
    if let Some(comma) = comma.filter(|comma| !tokens.get(*comma..).is_none_or(is_suffix)) {
        tokens.rotate_left(comma);
    }
    tokens
}

/// The words of a name as they are written, and where the only comma is.
fn words(name: &str, chars_max: usize) -> (Vec<Token>, Option<usize>) {
    let mut reading = Reading::default();
    let (mut comma, mut commas) = (0, 0);
    for (place, c) in characters(name).take(chars_max) {
        if reading.add_behind(&place, c) {
            continue;
        }
        match letter(c) {
            Letter::Silent => {}
            Letter::Gap => {
                reading.end_word();
                if matches!(c, ',' | '،') {
                    (comma, commas) = (reading.tokens.len(), commas + 1);
                }
            }
            Letter::Latin(text, writing) => reading.push((place, c), &text, writing),
        }
    }
    reading.end_word();
    (reading.tokens, (commas == 1).then_some(comma))
}

/// Whether what follows a comma is no given name.
fn is_suffix(words: &[Token]) -> bool {
    words.iter().all(|word| matches!(word.text.as_str(), "jr" | "sr" | "ii" | "iii" | "phd" | "md"))
}

/// Digits among letters stand for the letters that they look like.
fn undisguise(word: &mut String) {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    if letters > 0 && letters < word.len() {
        *word = word
            .chars()
            .map(|c| match c {
                '0' => 'o',
                '1' => 'i',
                '3' => 'e',
                '4' => 'a',
                '5' => 's',
                '7' => 't',
                '8' => 'b',
                '9' => 'g',
                other => other,
            })
            .collect();
    }
}

#[derive(Default)]
struct Reading {
    tokens: Vec<Token>,
    /// The last character of the word that has not ended, in lower case.
    before: Option<char>,
}

impl Reading {
    /// Adds a character, unless it is none that sounds otherwise behind the one before it.
    fn add_behind(&mut self, place: &Range<u16>, c: char) -> bool {
        let (Some(before), Some(token)) = (self.before, self.tokens.last_mut()) else {
            return false;
        };
        let is_added = !c.is_ascii() && add_behind(&mut token.text, before, lower_case(c));
        if is_added {
            token.to = place.end;
            self.before = Some(lower_case(c));
        }
        is_added
    }

    fn push(&mut self, (place, c): (Range<u16>, char), text: &str, writing: Writing) {
        let is_syllable = writing.is_syllable();
        if is_syllable {
            self.end_word();
        }
        let text = text.bytes().filter(u8::is_ascii_alphanumeric);
        let text = text.map(|b| char::from(b.to_ascii_lowercase()));
        if self.before.is_none() {
            let token = Token { text: String::new(), writing, from: place.start, to: place.end };
            self.tokens.push(token);
        }
        self.before = Some(lower_case(c));
        if let Some(token) = self.tokens.last_mut() {
            let room = WORD_BYTES_MAX.saturating_sub(token.text.len());
            token.text.extend(text.take(room));
            token.to = place.end;
        }
        if is_syllable {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        self.before = None;
        if self.tokens.last().is_some_and(|token| token.text.is_empty()) {
            self.tokens.pop();
            return;
        }
        if let Some(token) = self.tokens.last_mut() {
            undisguise(&mut token.text);
        }
        // The article of Arabic is written as part of its word.
        if let Some(token) = self.tokens.last_mut()
            && token.writing == Writing::Consonants
            && token.text.len() > 3
            && token.text != "allh"
            && let Some(rest) = token.text.strip_prefix("al")
        {
            let noun = Token { text: rest.to_owned(), ..token.clone() };
            "al".clone_into(&mut token.text);
            token.writing = Writing::Alphabet;
            self.tokens.push(noun);
        }
    }
}

fn lower_case(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}
