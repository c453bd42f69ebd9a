//! The words of names: what they weigh, and how alike two of them are.

use crate::common::is_common;
use crate::compound::SERVANT;
use crate::distance::{distance, distance_without_vowels, is_one_edit};
use crate::letters::Writing;
use crate::sound::{skeleton, sounds};
use crate::variant::usual;
use crate::weight::{COMMON, MINOR, TINY_BYTES, weight, weight_of_organisation};

/// Longer words are cut. The longest real ones have two thirds of it.
pub(crate) const WORD_BYTES_MAX: usize = 32;

/// What an initial is worth against a word that begins with it.
pub(crate) const INITIAL_SIMILARITY: u16 = 700;

/// What two forms of one given name are worth at least.
const SAME_NAME: u16 = 960;
/// What two given names are worth at most that are known to be different.
const OTHER_NAME: u16 = 750;
/// What a servant's name is worth against the same one without the servant.
const WITHOUT_SERVANT: u16 = 850;

/// The most that a word without vowels is worth against one with vowels.
const WITHOUT_VOWELS_MAX: u16 = 960;

/// One word of a prepared name. It has no `Debug`, since it may be the applicant's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word {
    text: Box<str>,
    /// The usual form of a given name that has several.
    usual: Option<&'static str>,
    writing: Writing,
    sounds: Box<[u8]>,
    skeleton: Box<[u8]>,
    weight: u32,
    is_common: bool,
    /// Whether it is an article, a particle or a title of a person's name.
    is_particle: bool,
}

impl Word {
    /// A word of lower-case ASCII letters and digits.
    pub(crate) fn new(text: &str, writing: Writing) -> Self {
        let sounds = sounds(text);
        let skeleton = skeleton(&sounds);
        let usual = usual(text);
        let weight = weight(usual.unwrap_or(text), text.len());
        Self {
            text: text.into(),
            usual,
            writing,
            sounds: sounds.into(),
            skeleton: skeleton.into(),
            weight,
            is_common: is_common(usual.unwrap_or(text)),
            is_particle: weight == MINOR,
        }
    }

    /// As [`new`](Self::new), for a word of an organisation's name.
    pub(crate) fn of_organisation(text: &str, writing: Writing) -> Self {
        let word = Self::new(text, writing);
        let weight = weight_of_organisation(text);
        Self { weight, usual: None, is_common: false, is_particle: false, ..word }
    }

    /// Several words written as one; `None` when they are too long or too short for that.
    pub(crate) fn joined(words: &[&Self]) -> Option<Self> {
        let bytes: usize = words.iter().map(|word| word.text.len()).sum();
        let has_initial = words.iter().any(|word| word.text.len() == 1);
        let is_sensible =
            words.len() > 1 && !has_initial && (JOINED_BYTES_MIN..=WORD_BYTES_MAX).contains(&bytes);
        let is_bare = words.iter().any(|word| word.writing == Writing::Consonants);
        let writing = if is_bare { Writing::Consonants } else { Writing::Alphabet };
        let text = || words.iter().map(|word| &*word.text).collect::<String>();
        is_sensible.then(|| Self::new(&text(), writing))
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What is left without vowels and differences that only romanisation makes.
    pub(crate) fn skeleton(&self) -> &[u8] {
        &self.skeleton
    }

    pub(crate) fn usual(&self) -> Option<&'static str> {
        self.usual
    }

    /// What follows the servant in a servant's name.
    pub(crate) fn master(&self) -> Option<&str> {
        self.text.strip_prefix(SERVANT).filter(|master| master.len() > 2)
    }

    /// Whether it is written with vowels.
    pub(crate) fn is_alphabetic(&self) -> bool {
        self.writing == Writing::Alphabet
    }

    /// Whether one character stands for it.
    pub(crate) fn is_syllable(&self) -> bool {
        matches!(self.writing, Writing::Syllable(_))
    }

    pub(crate) fn sounds(&self) -> &[u8] {
        &self.sounds
    }

    /// Whether several of its letters sound as one.
    pub(crate) fn is_contracted(&self) -> bool {
        self.sounds.len() < self.text.len()
    }

    pub(crate) fn weight(&self) -> u32 {
        self.weight
    }

    /// Whether it is left out, or another one, at will.
    pub(crate) fn is_particle(&self) -> bool {
        self.is_particle
    }

    /// Whether many people bear it, or it says little anyway.
    pub(crate) fn is_common(&self) -> bool {
        self.is_common || !self.is_ordinary()
    }

    /// Whether it says who is meant, at the beginning of a name: not what is often left out there.
    pub(crate) fn is_leading(&self) -> bool {
        self.is_ordinary()
            && !matches!(self.usual, Some("muhammad" | "sayyid" | "jose"))
            && &*self.text != "maria"
    }

    pub(crate) fn is_ordinary(&self) -> bool {
        self.weight() >= COMMON
    }

    /// Whether one of the two is an initial of the other.
    pub(crate) fn is_initial_with(&self, other: &Self) -> bool {
        self.text.len().min(other.text.len()) == 1
            && self.text.as_bytes().first() == other.text.as_bytes().first()
            && self.text.len() != other.text.len()
    }

    /// How alike two words are in thousandths: 0, or at least 700. Symmetric, and 1,000 only for
    /// equal words.
    pub(crate) fn similarity(&self, other: &Self) -> u16 {
        let spelled = self.similarity_of_spelling(other);
        match (self.usual, other.usual) {
            _ if spelled == 1_000 => spelled,
            (Some(one), Some(other)) if one == other => spelled.max(SAME_NAME),
            (Some(_), Some(_)) if self.writing != other.writing => 0,
            (Some(_), Some(_)) => spelled.min(OTHER_NAME),
            _ => spelled.max(self.similarity_of_servant(other)),
        }
    }

    /// The servant is left out now and then.
    fn similarity_of_servant(&self, other: &Self) -> u16 {
        let is_master = |one: &Self, other: &Self| one.master() == Some(&*other.text);
        if is_master(self, other) || is_master(other, self) { WITHOUT_SERVANT } else { 0 }
    }

    fn similarity_of_spelling(&self, other: &Self) -> u16 {
        match (self.writing, other.writing) {
            (Writing::Syllable(one), Writing::Syllable(other_one)) if one != other_one => {
                return if self.text == other.text { 900 } else { 0 };
            }
            (Writing::Syllable(_), Writing::Alphabet)
            | (Writing::Alphabet, Writing::Syllable(_))
                if self.sounds != other.sounds =>
            {
                return 0;
            }
            (Writing::Consonants, Writing::Alphabet) => return self.similarity_to_full(other),
            (Writing::Alphabet, Writing::Consonants) => return other.similarity_to_full(self),
            _ => {}
        }
        if self.text == other.text {
            return 1_000;
        }
        let length = self.text.len().max(other.text.len());
        let most = cost_max(length);
        // A slip of the pen falls on letters, and may make or break what sounds as one.
        let is_slip = || {
            most >= SLIP
                && (self.is_contracted() || other.is_contracted())
                && is_one_edit(self.text.as_bytes(), other.text.as_bytes())
        };
        if length == TINY_BYTES && !self.is_like_tiny(other) {
            return 0;
        }
        let cost =
            distance(&self.sounds, &other.sounds, most).or_else(|| is_slip().then_some(SLIP));
        let cost = cost
            .map(|cost| cost + usize::from(self.is_other_gender(other)))
            .filter(|cost| *cost <= most);
        cost.map_or(0, |cost| u16::try_from(1_000 - 500 * cost / length).unwrap_or(0).min(990))
    }

    /// Whether in two words of two letters nothing but one consonant is spelled otherwise (`Xi`, `Si`).
    fn is_like_tiny(&self, other: &Self) -> bool {
        let last = |word: &Self| word.sounds.get(1).copied();
        last(self).is_some()
            && last(self) == last(other)
            && !self.skeleton.is_empty()
            && self.skeleton == other.skeleton
    }

    /// Whether they end as a man's and a woman's name do in Romance languages (`Mario`, `Maria`).
    fn is_other_gender(&self, other: &Self) -> bool {
        matches!(
            (self.sounds.last(), other.sounds.last()),
            (Some(b'o'), Some(b'a')) | (Some(b'a'), Some(b'o'))
        )
    }

    /// This word is written without vowels, the other one with.
    fn similarity_to_full(&self, full: &Self) -> u16 {
        let bare = &self.sounds;
        let length = bare.len().max(full.sounds.len());
        let most = (self.skeleton.len() / 2).max(1);
        let mut cost = distance_without_vowels(bare, &full.sounds, most);
        if self.is_contracted() {
            // Vowels that are not written may stand between what sounds as one.
            let letters = distance_without_vowels(self.text.as_bytes(), full.text.as_bytes(), most);
            cost = cost.into_iter().chain(letters).min();
        }
        cost.map_or(0, |cost| {
            u16::try_from(1_000 - 500 * cost / length).unwrap_or(0).min(WITHOUT_VOWELS_MAX)
        })
    }
}

/// What one other letter costs, in half letters.
const SLIP: usize = 2;

/// What may differ in a word of so many letters, in half letters. Up to four one matter of spelling;
/// longer ones may differ in a quarter of their letters.
pub(crate) fn cost_max(long: usize) -> usize {
    match long {
        0..=1 => 0,
        2..=4 => 1,
        _ => long / 2,
    }
}

/// Words of one name are joined from this length on, and only compared with words that are as long;
/// shorter ones would meet by chance.
pub(crate) const JOINED_BYTES_MIN: usize = 4;
