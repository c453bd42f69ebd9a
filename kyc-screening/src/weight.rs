//! What words weigh: how much they say about who is meant.

use std::sync::LazyLock;

use crate::common::is_very_common;
use crate::plain_hash::PlainSet;

/// The weight of a word of so many letters that few share it by chance.
pub(crate) const LONG: u8 = 5;
const LONG_BYTES_MIN: usize = 8;
/// The weight of an ordinary word.
const ORDINARY: u8 = 4;
/// The weight of a name that a tenth of some people bears, and of a word of so few letters that many
/// are alike by chance.
pub(crate) const COMMON: u8 = 3;
const SHORT_BYTES: usize = 3;
/// The weight of an initial, and of a word so short that no slip leaves it recognisable.
const INITIAL: u8 = 2;
pub(crate) const TINY_BYTES: usize = 2;
/// The weight of articles, particles and titles.
pub(crate) const MINOR: u8 = 1;

/// What a word of a person's name weighs that has so many letters, given in its usual spelling.
pub(crate) fn weight(usual: &str, bytes: usize) -> u8 {
    match bytes {
        1 => INITIAL,
        _ if MINOR_WORDS.contains(usual) => MINOR,
        _ if is_very_common(usual) => COMMON,
        TINY_BYTES => INITIAL,
        SHORT_BYTES => COMMON,
        LONG_BYTES_MIN.. => LONG,
        _ => ORDINARY,
    }
}

/// What a word of an organisation's name weighs.
pub(crate) fn weight_of_organisation(text: &str) -> u8 {
    match text.len() {
        1 if !text.bytes().all(|b| b.is_ascii_digit()) => INITIAL,
        _ if ORGANISATION_WORDS.contains(text) => MINOR,
        _ => ORDINARY,
    }
}

/// Articles, particles, titles, in their usual spelling: they say little about who somebody is.
static MINOR_WORDS: LazyLock<PlainSet<&str>> = LazyLock::new(|| {
    "abu ag agha akhund akhundzada akhwnd al alhaj alhaji an ar as ash at az bin bint binti \
     brigadier capt captain col colonel commander da das de del della den der di do doctor don dos \
     dr du ed el esq gen general hadji hafiz haj haji hajji hajj hajy hon ii iii ing jr la le \
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
