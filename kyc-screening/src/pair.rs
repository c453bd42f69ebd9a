//! Words of two names that answer to each other: one to one, or several to one.

use crate::word::{INITIAL_SIMILARITY, JOINED_BYTES_MIN, MINOR, Word};

/// So many words in a row may be written as one (`Abd al-Rahman`, `Abdulrahman`).
pub(crate) const JOINED_MAX: usize = 3;

/// Some words in a row.
#[derive(Clone, Copy)]
pub(crate) struct Span<'n> {
    /// The place of the first one.
    pub(crate) start: usize,
    pub(crate) words: &'n [Word],
}

impl<'n> Span<'n> {
    /// Every span of up to [`JOINED_MAX`] words, ordered by its start.
    pub(crate) fn all(words: &'n [Word]) -> impl Iterator<Item = Self> {
        (0..words.len()).flat_map(move |start| {
            let rest = words.get(start..).unwrap_or_default();
            (1..=JOINED_MAX)
                .filter_map(move |count| Some(Self { start, words: rest.get(..count)? }))
        })
    }

    /// The place behind the last word.
    pub(crate) fn end(self) -> usize {
        self.start + self.words.len()
    }

    /// Its places as bits.
    pub(crate) fn mask(self) -> u32 {
        ((1 << self.words.len()) - 1) << self.start
    }

    pub(crate) fn weight(self) -> u32 {
        self.words.iter().map(Word::weight).sum()
    }

    /// The words written as one; `None` for a single word and where that makes no sense.
    pub(crate) fn joined(self) -> Option<Word> {
        Word::joined(self.words)
    }

    fn ordinary(self) -> u32 {
        self.words.iter().map(|word| u32::from(word.is_ordinary())).sum()
    }
}

/// Words that answer to each other.
pub(crate) struct Pair<'n> {
    pub(crate) long: Span<'n>,
    pub(crate) short: Span<'n>,
    /// Thousandths.
    pub(crate) similarity: u16,
    /// What it answers for on each side: all its words, but an initial only for its own weight.
    pub(crate) long_weight: u32,
    pub(crate) short_weight: u32,
    /// How many ordinary words answer to each other.
    pub(crate) ordinary: u32,
    /// How many words that say something do: ordinary ones and initials, no particles.
    pub(crate) telling: u32,
}

impl<'n> Pair<'n> {
    /// Every pair with something in common, ordered by its start in `long`.
    pub(crate) fn all(long: &'n [Word], short: &'n [Word]) -> Vec<Self> {
        let pairs = |long| Span::all(short).filter_map(move |short| Self::of(long, short));
        Span::all(long).flat_map(pairs).collect()
    }

    fn of(long: Span<'n>, short: Span<'n>) -> Option<Self> {
        let (long_weight, short_weight) = (long.weight(), short.weight());
        let full =
            Self { long, short, similarity: 0, long_weight, short_weight, ordinary: 0, telling: 0 };
        match (long.words, short.words) {
            ([one], [other]) if one.is_initial_with(other) => {
                let weight = long_weight.min(short_weight);
                let similarity = INITIAL_SIMILARITY;
                let telling = u32::from(weight > MINOR);
                Some(Self {
                    similarity,
                    long_weight: weight,
                    short_weight: weight,
                    telling,
                    ..full
                })
            }
            ([one], [other]) => {
                let similarity =
                    Some(one.similarity(other)).filter(|similarity| *similarity > 0)?;
                let ordinary = long.ordinary().min(short.ordinary());
                let telling = u32::from(long_weight.min(short_weight) > MINOR);
                Some(Self { similarity, ordinary, telling, ..full })
            }
            ([word], parts) | (parts, [word]) => {
                let similarity = similarity_joined(word, parts)?;
                let ordinary = long.ordinary().max(short.ordinary());
                Some(Self { similarity, ordinary, telling: ordinary, ..full })
            }
            _ => None,
        }
    }

    pub(crate) fn weight(&self) -> u32 {
        self.long_weight + self.short_weight
    }

    /// What it adds to the worth of a pairing.
    pub(crate) fn value(&self) -> u32 {
        self.weight() * u32::from(self.similarity)
    }
}

/// How alike a word and several joined ones are. Their skeletons must be equal, so that an index
/// can look them up.
pub(crate) fn similarity_joined(word: &Word, parts: &[Word]) -> Option<u16> {
    let sounds = parts.iter().fold(0, |sounds, part| sounds | part.signature());
    if sounds != word.signature() || word.text().len() < JOINED_BYTES_MIN {
        return None;
    }
    let joined = Word::joined(parts).filter(|joined| joined.skeleton() == word.skeleton())?;
    Some(word.similarity(&joined)).filter(|similarity| *similarity > 0)
}
