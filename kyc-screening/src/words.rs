//! Prepared words, side by side in memory.

use crate::codec::take;
use crate::letters::Writing;
use crate::query::QueryKind;
use crate::rank::Rank;
use crate::sound::{skeleton, sounds};
use crate::variant::{self, Usual};
use crate::word::{JOINED_BYTES_MIN, WORD_BYTES_MAX, Word};

/// Prepared words, one behind the other: those of a name, or all of a list. It has no `Debug`, since
/// they may be the applicant's.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Words {
    /// Text, sounds and skeleton of each.
    bytes: Vec<u8>,
    /// The [`Shape`] of each.
    shapes: Vec<u8>,
}

impl Words {
    /// Adds a word of lower-case ASCII letters and digits.
    pub(crate) fn push(&mut self, text: &str, writing: Writing, kind: QueryKind) {
        let sounds = sounds(text.as_bytes());
        let skeleton = skeleton(&sounds);
        let usual = if kind == QueryKind::Person { variant::usual(text) } else { None };
        self.push_word(Word {
            text: text.as_bytes(),
            sounds: &sounds,
            skeleton: &skeleton,
            usual,
            writing,
            rank: Rank::of(text, usual, kind),
        });
    }

    /// Several words written as one; `None` when they are too long or too short for that.
    pub(crate) fn joined(words: &[Word<'_>]) -> Option<Self> {
        let bytes: usize = words.iter().map(|word| word.text.len()).sum();
        let has_initial = words.iter().any(|word| word.is_initial());
        let is_sensible =
            words.len() > 1 && !has_initial && (JOINED_BYTES_MIN..=WORD_BYTES_MAX).contains(&bytes);
        if !is_sensible {
            return None;
        }
        let is_bare = words.iter().any(|word| word.writing == Writing::Consonants);
        let writing = if is_bare { Writing::Consonants } else { Writing::Alphabet };
        let text: String =
            words.iter().flat_map(|word| word.text).map(|b| char::from(*b)).collect();
        let mut joined = Self::default();
        joined.push(&text, writing, QueryKind::Person);
        Some(joined)
    }

    /// Adds a word that is prepared already.
    pub(crate) fn push_word(&mut self, word: Word<'_>) {
        let byte = |length| u8::try_from(length).unwrap_or(u8::MAX);
        let shape = Shape {
            start: u32::try_from(self.bytes.len()).unwrap_or(u32::MAX),
            text: byte(word.text.len()),
            sounds: byte(word.sounds.len()),
            skeleton: byte(word.skeleton.len()),
            rank: word.rank,
            usual: word.usual.map_or(0, Usual::number),
            has_master: word.master().is_some(),
            writing: word.writing,
        };
        for part in [word.text, word.sounds, word.skeleton] {
            self.bytes.extend_from_slice(part);
        }
        shape.write(&mut self.shapes);
    }

    pub(crate) fn view(&self) -> WordsView<'_> {
        WordsView::new([&self.bytes, &self.shapes])
    }

    /// Everything, as [`WordsView::new`] takes it.
    pub(crate) fn into_parts(self) -> [Vec<u8>; 2] {
        [self.bytes, self.shapes]
    }
}

/// Prepared words that somebody else owns.
#[derive(Clone, Copy, Default)]
pub(crate) struct WordsView<'a> {
    bytes: &'a [u8],
    shapes: &'a [[u8; Shape::BYTES]],
}

impl<'a> WordsView<'a> {
    pub(crate) fn new([bytes, shapes]: [&'a [u8]; 2]) -> Self {
        Self { bytes, shapes: shapes.as_chunks().0 }
    }

    pub(crate) fn len(self) -> usize {
        self.shapes.len()
    }

    pub(crate) fn shape(self, number: usize) -> Option<Shape> {
        self.shapes.get(number).map(Shape::read)
    }

    pub(crate) fn get(self, number: usize) -> Option<Word<'a>> {
        self.of_shape(self.shape(number)?)
    }

    /// The word of this shape.
    pub(crate) fn of_shape(self, shape: Shape) -> Option<Word<'a>> {
        let rest = self.bytes.get(shape.start as usize..)?;
        let (text, rest) = rest.split_at_checked(shape.text.into())?;
        let (sounds, rest) = rest.split_at_checked(shape.sounds.into())?;
        Some(Word {
            text,
            sounds,
            skeleton: rest.get(..shape.skeleton.into())?,
            usual: Usual::of_number(shape.usual),
            writing: shape.writing,
            rank: shape.rank,
        })
    }

    /// Text and sounds of a word of this shape.
    pub(crate) fn spelling(self, shape: Shape) -> (&'a [u8], &'a [u8]) {
        let start = shape.start as usize;
        let end = start + usize::from(shape.text) + usize::from(shape.sounds);
        let spelling = self.bytes.get(start..end).unwrap_or_default();
        spelling.split_at_checked(shape.text.into()).unwrap_or_default()
    }

    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = Word<'a>> + Clone {
        (0..self.len()).filter_map(move |number| self.get(number))
    }
}

/// What is quick to compare of a word.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Where its text begins.
    start: u32,
    /// How many letters, sounds and consonants it has.
    pub(crate) text: u8,
    sounds: u8,
    skeleton: u8,
    pub(crate) rank: Rank,
    /// The number of the usual form of a name that has several; 0 for other words.
    usual: u8,
    has_master: bool,
    writing: Writing,
}

impl Shape {
    const BYTES: usize = 14;

    /// Whether the word may be like another one whatever their letters.
    pub(crate) fn may_be_like_otherwise(self, other: Word<'_>) -> bool {
        self.writing != Writing::Alphabet
            || self.usual != 0 && other.usual.is_some()
            || self.has_master != other.master().is_some()
    }

    fn write(self, out: &mut Vec<u8>) {
        out.extend(self.start.to_le_bytes());
        out.extend(self.writing.number().to_le_bytes());
        let Self { text, sounds, skeleton, rank, usual, has_master, .. } = self;
        let Rank { weight, is_common, is_particle } = rank;
        let flags = [has_master, is_common, is_particle];
        let flags = flags.into_iter().fold(0, |flags, flag| flags << 1 | u8::from(flag));
        out.extend([text, sounds, skeleton, weight, usual, flags]);
    }

    fn read(bytes: &[u8; Self::BYTES]) -> Self {
        let mut bytes = bytes.as_slice();
        let start = u32::from_le_bytes(take(&mut bytes));
        let writing = Writing::of_number(u32::from_le_bytes(take(&mut bytes)));
        let [text, sounds, skeleton, weight, usual, flags] = take(&mut bytes);
        let [has_master, is_common, is_particle] = [4, 2, 1].map(|flag| flags & flag != 0);
        let rank = Rank { weight, is_common, is_particle };
        Self { start, text, sounds, skeleton, rank, usual, has_master, writing }
    }
}
