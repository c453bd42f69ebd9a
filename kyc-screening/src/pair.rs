//! Words of two names that answer to each other: one to one, or several to one.

use crate::hangul::are_written;
use crate::word::{INITIAL_SIMILARITY, JOINED_BYTES_MIN, SAME_NAME, Word, are_hangul, cost_max};
use crate::words::Words;

/// What joined words are worth at least.
const JOINED_SIMILARITY_MIN: u16 = 800;
/// With so few consonants many words share them by chance.
const FEW_CONSONANTS: usize = 2;
/// What joined words are worth at least then.
const FEW_CONSONANTS_SIMILARITY_MIN: u16 = 900;
/// The same where one of them has no consonants: it would be swallowed though it differs.
const SWALLOWED_SIMILARITY_MIN: u16 = 960;

/// Words that are less alike when joined are as good as one.
const JOINED_TELLING_FROM: u16 = 950;

/// So many words in a row may be written as one (`Abd al-Rahman`, `Abdulrahman`).
pub(crate) const JOINED_MAX: usize = 3;

/// Some words in a row.
#[derive(Clone, Copy)]
pub(crate) struct Span<'n> {
    /// The place of the first one.
    pub(crate) start: usize,
    pub(crate) words: &'n [Word<'n>],
}

impl<'n> Span<'n> {
    /// Every span of two to [`JOINED_MAX`] words, ordered by its start.
    pub(crate) fn several(words: &'n [Word<'n>]) -> impl Iterator<Item = Self> {
        (0..words.len()).flat_map(move |start| {
            let rest = words.get(start..).unwrap_or_default();
            (2..=JOINED_MAX)
                .filter_map(move |count| Some(Self { start, words: rest.get(..count)? }))
        })
    }

    /// Its places as bits.
    pub(crate) fn mask(self) -> u32 {
        ((1 << self.words.len()) - 1) << self.start
    }

    pub(crate) fn weight(self) -> u32 {
        self.words.iter().map(|word| word.weight()).sum()
    }

    /// What they weigh without particles.
    pub(crate) fn weight_of_names(self) -> u32 {
        let names = self.words.iter().filter(|word| !word.is_particle());
        names.map(|word| word.weight()).sum()
    }

    /// As one word they have so many.
    pub(crate) fn letters(self) -> usize {
        self.words.iter().map(|word| word.text.len()).sum()
    }

    /// The skeleton of the words written as one; `None` where that makes no sense.
    pub(crate) fn skeleton(self) -> Option<Vec<u8>> {
        Words::joined_skeleton(self.words)
    }

    /// The words written as one; `None` where that makes no sense.
    pub(crate) fn joined(self) -> Option<Words> {
        Words::joined(self.words)
    }

    /// How alike a word is to them, when they are joined.
    pub(crate) fn similarity(self, word: Word<'_>, joined: Word<'_>) -> Option<u16> {
        let least = self.similarity_min(joined);
        let is_romanised = self.is_romanised_as(word) && may_be_joined(word, joined);
        let romanised = is_romanised.then_some(SAME_NAME);
        similarity_joined(word, joined, least).max(romanised)
    }

    /// How alike a word is at least that is them when they are joined, unless they are syllables and it
    /// is how these are romanised.
    pub(crate) fn similarity_min(self, joined: Word<'_>) -> u16 {
        let is_swallowed = self.words.iter().any(|word| word.skeleton.is_empty());
        if is_swallowed { SWALLOWED_SIMILARITY_MIN } else { joined_similarity_min(joined) }
    }

    /// Whether a word is these syllables of Hangul.
    fn is_romanised_as(self, word: Word<'_>) -> bool {
        let syllables = self.words.iter().map(|word| word.hangul());
        syllables.collect::<Option<Vec<char>>>().is_some_and(|all| are_written(&all, word.text))
    }

    /// Whether all are syllables of Hangul.
    pub(crate) fn is_hangul(self) -> bool {
        are_hangul(self.words)
    }

    /// Whether a word is as long as they are and begins as they do, which is quicker to see than whether
    /// it is them.
    pub(crate) fn may_be_written_as(self, word: Word<'_>) -> bool {
        may_be_as_long(word.text.len(), self.letters())
            && self.words.first().is_some_and(|first| word.skeleton.starts_with(first.skeleton))
    }

    fn ordinary(self) -> u32 {
        self.words.iter().map(|word| u32::from(word.is_ordinary())).sum()
    }
}

/// Words that answer to each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    /// The places in either name, one bit each.
    pub(crate) one: u32,
    pub(crate) other: u32,
    /// Thousandths.
    pub(crate) similarity: u16,
    /// What it answers for on each side: all its words, but an initial only for its own weight.
    pub(crate) one_weight: u32,
    pub(crate) other_weight: u32,
    /// How many ordinary words answer to each other.
    pub(crate) ordinary: u32,
    /// How many words that say something do: ordinary ones and initials, no particles.
    pub(crate) telling: u32,
}

impl Pair {
    /// Two words that are this similar.
    pub(crate) fn of_words(
        (at, word): (usize, Word<'_>),
        (other_at, other): (usize, Word<'_>),
        similarity: u16,
    ) -> Self {
        let (one_weight, other_weight) = (word.weight(), other.weight());
        Self {
            one: 1 << at,
            other: 1 << other_at,
            similarity,
            one_weight,
            other_weight,
            ordinary: u32::from(word.is_ordinary() && other.is_ordinary()),
            telling: u32::from(word.rank.is_telling() && other.rank.is_telling()),
        }
    }

    /// An initial and the word that it may stand for.
    pub(crate) fn of_initial(
        (at, word): (usize, Word<'_>),
        (other_at, other): (usize, Word<'_>),
    ) -> Self {
        let weight = word.weight().min(other.weight());
        Self {
            one: 1 << at,
            other: 1 << other_at,
            similarity: INITIAL_SIMILARITY,
            one_weight: weight,
            other_weight: weight,
            ordinary: 0,
            telling: u32::from(word.rank.is_telling() && other.rank.is_telling()),
        }
    }

    /// Every pair of several words of one name and a word of the other.
    pub(crate) fn joined(one: &[Word<'_>], other: &[Word<'_>]) -> Vec<Self> {
        let mut pairs = Vec::new();
        for span in Span::several(one) {
            let words = other.iter().copied().enumerate();
            pairs.extend(words.filter_map(|word| Self::of_joined(span, word)));
        }
        pairs
    }

    /// Several words and one, if they are alike.
    pub(crate) fn of_joined(span: Span<'_>, (at, word): (usize, Word<'_>)) -> Option<Self> {
        if !span.may_be_written_as(word) {
            return None;
        }
        let joined = span.joined()?;
        let similarity = span.similarity(word, joined.view().get(0)?)?;
        Some(Self::of_span(span, (at, word), similarity))
    }

    /// Several words and one that are this similar.
    pub(crate) fn of_span(span: Span<'_>, (at, word): (usize, Word<'_>), similarity: u16) -> Self {
        let ordinary = span.ordinary().max(u32::from(word.is_ordinary()));
        Self {
            one: span.mask(),
            other: 1 << at,
            similarity,
            one_weight: span.weight(),
            other_weight: word.weight(),
            ordinary,
            telling: if similarity < JOINED_TELLING_FROM { 1 } else { ordinary },
        }
    }

    pub(crate) fn is_joined(&self) -> bool {
        self.one.count_ones() + self.other.count_ones() > 2
    }

    pub(crate) fn turned(self) -> Self {
        Self {
            one: self.other,
            other: self.one,
            one_weight: self.other_weight,
            other_weight: self.one_weight,
            ..self
        }
    }

    pub(crate) fn weight(&self) -> u32 {
        self.one_weight + self.other_weight
    }

    /// What it adds to the worth of a pairing.
    pub(crate) fn value(&self) -> u32 {
        self.weight() * u32::from(self.similarity)
    }
}

/// Whether a word and several joined ones can be alike with so many letters.
pub(crate) fn may_be_as_long(letters: usize, joined_letters: usize) -> bool {
    letters.abs_diff(joined_letters) <= cost_max(letters.max(joined_letters))
}

/// How alike a word and several joined ones are at least, unless they are not alike at all.
pub(crate) fn joined_similarity_min(word: Word<'_>) -> u16 {
    match word.skeleton.len() {
        0..=FEW_CONSONANTS => FEW_CONSONANTS_SIMILARITY_MIN,
        _ => JOINED_SIMILARITY_MIN,
    }
}

/// How alike a word and several joined ones are, if that much.
pub(crate) fn similarity_joined(word: Word<'_>, joined: Word<'_>, least: u16) -> Option<u16> {
    let similarity = may_be_joined(word, joined).then(|| word.similarity_from(least, joined));
    similarity.filter(|similarity| *similarity >= least)
}

/// Whether a word and several joined ones can be alike. Their skeletons must be equal, so that an index
/// can look them up.
fn may_be_joined(word: Word<'_>, joined: Word<'_>) -> bool {
    word.text.len() >= JOINED_BYTES_MIN
        && joined.skeleton == word.skeleton
        && may_be_as_long(word.text.len(), joined.text.len())
}
