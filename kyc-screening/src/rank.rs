//! What words weigh: how much they say about who is meant.

use std::sync::LazyLock;

use crate::common::{is_common, is_very_common};
use crate::plain_hash::PlainSet;
use crate::query::QueryKind;
use crate::variant::Usual;

/// The weight of a word of so many letters that few share it by chance.
pub(crate) const LONG: u8 = 5;
const LONG_BYTES_MIN: usize = 8;
/// The weight of an ordinary word.
const ORDINARY: u8 = 4;
/// The weight of a name that a tenth of some people bears, and of a word of so few letters that many
/// are alike by chance.
const COMMON: u8 = 3;
const SHORT_BYTES: usize = 3;
/// The weight of an initial, and of a word so short that no slip leaves it recognisable.
const INITIAL: u8 = 2;
pub(crate) const TINY_BYTES_MAX: usize = 2;
/// The weight of articles, particles and titles.
pub(crate) const MINOR: u8 = 1;

/// How much a word says about who is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rank {
    pub(crate) weight: u8,
    /// Many people bear it.
    pub(crate) is_common: bool,
    /// It is an article, a particle or a title of a person's name.
    pub(crate) is_particle: bool,
}

impl Rank {
    pub(crate) fn of(text: &str, usual: Option<Usual>, kind: QueryKind) -> Self {
        match kind {
            QueryKind::Person => Self::in_person(usual.map_or(text, |usual| usual.as_str()), text),
            QueryKind::Other => Self::in_organisation(text),
        }
    }

    fn in_person(usual: &str, text: &str) -> Self {
        if text.len() > 1 && MINOR_WORDS.contains(usual) {
            return Self { weight: MINOR, is_common: is_common(usual), is_particle: true };
        }
        Self::of_name(usual, text)
    }

    /// Of a syllable of Han or Hangul, which is no article or title, however it is read.
    pub(crate) fn of_syllable(text: &str) -> Self {
        Self::of_name(text, text)
    }

    fn of_name(usual: &str, text: &str) -> Self {
        let weight = match text.len() {
            1 => INITIAL,
            _ if is_very_common(usual) => COMMON,
            0..=TINY_BYTES_MAX => INITIAL,
            SHORT_BYTES => COMMON,
            LONG_BYTES_MIN.. => LONG,
            _ => ORDINARY,
        };
        Self { weight, is_common: is_common(usual), is_particle: false }
    }

    fn in_organisation(text: &str) -> Self {
        let weight = match text.len() {
            1 if !text.bytes().all(|b| b.is_ascii_digit()) => INITIAL,
            _ if ORGANISATION_WORDS.contains(text) => MINOR,
            _ => ORDINARY,
        };
        Self { weight, is_common: false, is_particle: false }
    }

    /// Whether many people bear it, or it says little anyway.
    pub(crate) fn tells_little(self) -> bool {
        self.is_common || !self.is_ordinary()
    }

    /// Whether it is a name, and no initial or title.
    pub(crate) fn is_ordinary(self) -> bool {
        self.weight >= COMMON
    }

    /// Whether the word says something.
    pub(crate) fn is_telling(self) -> bool {
        self.weight > MINOR
    }
}

/// Articles, particles, titles, in their usual spelling: they say little about who somebody is.
static MINOR_WORDS: LazyLock<PlainSet<&str>> = LazyLock::new(|| {
    "abu ag agha akhund akhundzada akhwnd al alhaj alhaji an ar as ash at az ben bin bint binti bn \
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::usual;

    #[test]
    fn longer_and_rarer_words_say_more() {
        for (text, weight, is_common, is_particle) in [
            ("y", 2, false, false),
            ("al", 1, false, true),
            ("mullah", 1, false, true),
            ("akhundzada", 1, false, true),
            ("mo", 2, false, false),
            ("tal", 3, false, false),
            ("muhammad", 3, true, false),
            ("kole", 4, false, false),
            ("ashgrov", 4, false, false),
            ("ashgrove", 5, false, false),
        ] {
            let rank = Rank::of(text, None, QueryKind::Person);
            assert!(rank == Rank { weight, is_common, is_particle }, "{text}");
            assert_eq!(rank.is_telling(), weight > 1, "{text}");
            assert_eq!(rank.is_ordinary(), weight > 2, "{text}");
        }
    }

    #[test]
    fn a_form_of_a_common_name_is_as_common() {
        let usual = usual("mohd");
        assert_eq!(usual.map(Usual::as_str), Some("muhammad"));
        assert!(
            Rank::of("mohd", usual, QueryKind::Person)
                == Rank::of("muhammad", None, QueryKind::Person)
        );
    }

    #[test]
    fn legal_forms_say_little_of_an_organisation() {
        for (text, weight) in
            [("ltd", 1), ("a", 2), ("b", 2), ("7", 4), ("sdn", 4), ("petrelgroup", 4)]
        {
            let rank = Rank::of(text, None, QueryKind::Other);
            assert!(rank == Rank { weight, is_common: false, is_particle: false }, "{text}");
        }
    }
}
