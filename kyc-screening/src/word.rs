//! The words of names: what they weigh, and how alike two of them are.

use std::sync::LazyLock;

use crate::compound::SERVANT;
use crate::distance::{distance, distance_without_vowels};
use crate::letters::Writing;
use crate::plain_hash::PlainSet;
use crate::query::QueryKind;
use crate::variant::Usual;

/// Longer words are cut. The longest real ones have two thirds of it.
pub(crate) const WORD_BYTES_MAX: usize = 32;

/// The weight of an ordinary word.
pub(crate) const ORDINARY: u8 = 4;
/// The weight of a name that a tenth of some people bears.
const COMMON: u8 = 3;
const INITIAL: u8 = 2;
/// The weight of articles, particles and titles.
pub(crate) const MINOR: u8 = 1;

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
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    /// Lower-case ASCII letters and digits.
    pub(crate) text: &'a [u8],
    pub(crate) sounds: &'a [u8],
    /// What is left without vowels and differences that only romanisation makes.
    pub(crate) skeleton: &'a [u8],
    /// The usual form of a given name that has several.
    pub(crate) usual: Option<Usual>,
    pub(crate) writing: Writing,
    pub(crate) weight: u8,
}

/// What a word of a name weighs.
pub(crate) fn weight(text: &str, usual: Option<Usual>, kind: QueryKind) -> u8 {
    match kind {
        QueryKind::Person => weight_in_person(text, usual),
        QueryKind::Other => weight_in_organisation(text),
    }
}

fn weight_in_person(text: &str, usual: Option<Usual>) -> u8 {
    match text.len() {
        1 => INITIAL,
        _ if MINOR_WORDS.contains(text) => MINOR,
        _ if COMMON_NAMES.contains(usual.map_or(text, |usual| usual.as_str())) => COMMON,
        _ => ORDINARY,
    }
}

fn weight_in_organisation(text: &str) -> u8 {
    match text.len() {
        1 if !text.bytes().all(|b| b.is_ascii_digit()) => INITIAL,
        _ if ORGANISATION_WORDS.contains(text) => MINOR,
        _ => ORDINARY,
    }
}

impl<'a> Word<'a> {
    /// What follows the servant in a servant's name.
    pub(crate) fn master(self) -> Option<&'a [u8]> {
        self.text.strip_prefix(SERVANT.as_bytes()).filter(|master| master.len() > 2)
    }

    /// Whether it is written with vowels.
    pub(crate) fn is_alphabetic(self) -> bool {
        self.writing == Writing::Alphabet
    }

    pub(crate) fn is_initial(self) -> bool {
        self.text.len() == 1
    }

    pub(crate) fn weight(self) -> u32 {
        self.weight.into()
    }

    /// Whether it says who is meant, at the beginning of a name: not what is often left out there.
    pub(crate) fn is_leading(self) -> bool {
        self.is_ordinary()
            && !matches!(
                self.usual.map(Usual::as_str),
                Some("muhammad" | "sayyid" | "jose" | "abu")
            )
            && self.text != b"maria"
    }

    pub(crate) fn is_ordinary(self) -> bool {
        self.weight >= COMMON
    }

    /// Whether one of the two is an initial of the other.
    pub(crate) fn is_initial_with(self, other: Word<'_>) -> bool {
        self.text.len().min(other.text.len()) == 1
            && self.text.first() == other.text.first()
            && self.text.len() != other.text.len()
    }

    /// How alike two words are in thousandths: 0, or at least 700. Symmetric, and 1,000 only for
    /// equal words.
    pub(crate) fn similarity(self, other: Word<'_>) -> u16 {
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
    fn similarity_of_servant(self, other: Word<'_>) -> u16 {
        let is_master = |one: Word<'_>, other: Word<'_>| one.master() == Some(other.text);
        if is_master(self, other) || is_master(other, self) { WITHOUT_SERVANT } else { 0 }
    }

    fn similarity_of_spelling(self, other: Word<'_>) -> u16 {
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
        let cost = distance(self.sounds, other.sounds, cost_max(length));
        cost.map_or(0, |cost| u16::try_from(1_000 - 500 * cost / length).unwrap_or(0).min(990))
    }

    /// This word is written without vowels, the other one with.
    fn similarity_to_full(self, full: Word<'_>) -> u16 {
        let bare = self.sounds;
        let length = bare.len().max(full.sounds.len());
        let cost = distance_without_vowels(bare, full.sounds, (self.skeleton.len() / 2).max(1));
        cost.map_or(0, |cost| {
            u16::try_from(1_000 - 500 * cost / length).unwrap_or(0).min(WITHOUT_VOWELS_MAX)
        })
    }
}

/// What may differ in a word of so many sounds, in half letters. Up to two nothing, up to four one
/// matter of spelling; longer ones may differ in a quarter of their letters.
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
static MINOR_WORDS: LazyLock<PlainSet<&str>> = LazyLock::new(|| {
    "ag agha akhund akhundzada akhwnd al alhaj alhaji an ar as ash at az ben bin bint binti bn \
     brigadier capt captain col colonel commander da das de del della den der di do doctor don dos \
     dr du ed el esq gen general hadji hafiz haj haji hajji hajj hajy hon ibn ii iii ing jr la le \
     lady llc lord lt ltd madame major maulana maulavi mawlana mawlavi mawlawi mla mr mrs ms mufti mulla \
     mullah mwlwy ould ph phd praesident president prasident prince princess prof professor qari qary qazi \
     sa sheik shaikh shaykh sheikh shykh sir sr ter the ud ul ur ustad van von wld y"
        .split_whitespace()
        .collect()
});

/// Legal forms and fillers of organisations' names.
static ORGANISATION_WORDS: LazyLock<PlainSet<&str>> = LazyLock::new(|| {
    "a ab ag al and as asa bhd bv co corp de del der des di do du e et for fze fzc fzco gmbh group holding \
     holdings i inc jsc kg kk la le les llc llp lp ltd mbh nv of ou oy plc pt pte pty pvt sa sae sarl sas se \
     sl spa srl tbk the und y"
        .split_whitespace()
        .collect()
});

/// Names that many people bear, in their canonical spelling.
static COMMON_NAMES: LazyLock<PlainSet<&str>> = LazyLock::new(|| {
    "abd abu ahmad ali hasan husayn ibrahim jose juan khan kim maria muhammad"
        .split_whitespace()
        .collect()
});
