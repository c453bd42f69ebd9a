//! Prepared words, side by side in memory.

use crate::letters::Writing;
use crate::query::QueryKind;
use crate::rank::Rank;
use crate::sound::{skeleton, sounds};
use crate::tally::Tally;
use crate::variant::{self, Usual};
use crate::word::{JOINED_BYTES_MIN, WORD_BYTES_MAX, Word, are_hangul};

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
    /// Adds a word of lower-case ASCII letters and digits, cut to [`WORD_BYTES_MAX`].
    pub(crate) fn push(&mut self, text: &str, writing: Writing, kind: QueryKind) {
        let text = text.get(..text.len().min(WORD_BYTES_MAX)).unwrap_or_default();
        let (sounds, skeleton) = heard(text.as_bytes());
        let usual = if kind == QueryKind::Person { variant::usual(text) } else { None };
        self.push_word(Word {
            text: text.as_bytes(),
            sounds: &sounds,
            skeleton: &skeleton,
            usual,
            tally: Tally::of(&sounds),
            writing,
            rank: if writing.is_syllable() {
                Rank::of_syllable(text)
            } else {
                Rank::of(text, usual, kind)
            },
        });
    }

    /// The letters of several words written as one; `None` when they are too long or too short for that.
    fn joined_text(words: &[Word<'_>]) -> Option<Vec<u8>> {
        let bytes: usize = words.iter().map(|word| word.text.len()).sum();
        let has_initial = words.iter().any(|word| word.is_initial());
        let bytes_min = if are_hangul(words) { 0 } else { JOINED_BYTES_MIN };
        let is_sensible =
            words.len() > 1 && !has_initial && (bytes_min..=WORD_BYTES_MAX).contains(&bytes);
        let letters = words.iter().flat_map(|word| word.text.iter().copied());
        is_sensible.then(|| letters.collect())
    }

    /// The skeleton of several words written as one, which is quicker to see than the word.
    pub(crate) fn joined_skeleton(words: &[Word<'_>]) -> Option<Vec<u8>> {
        let (_, skeleton) = heard(&Self::joined_text(words)?);
        Some(skeleton)
    }

    /// Several words written as one; `None` when they are too long or too short for that.
    pub(crate) fn joined(words: &[Word<'_>]) -> Option<Self> {
        let text = Self::joined_text(words)?;
        let is_bare = words.iter().any(|word| word.writing == Writing::Consonants);
        let writing = if is_bare { Writing::Consonants } else { Writing::Alphabet };
        let mut joined = Self::default();
        joined.push(str::from_utf8(&text).ok()?, writing, QueryKind::Person);
        Some(joined)
    }

    /// Adds a word that is prepared already.
    pub(crate) fn push_word(&mut self, word: Word<'_>) {
        self.shapes.extend_from_slice(&Shape::write(word, self.bytes.len()));
        self.bytes.reserve(word.text.len() + word.sounds.len() + word.skeleton.len());
        for part in [word.text, word.sounds, word.skeleton] {
            self.bytes.extend_from_slice(part);
        }
    }

    pub(crate) fn view(&self) -> WordsView<'_> {
        WordsView::new([&self.bytes, &self.shapes])
    }

    /// Everything, as [`WordsView::new`] takes it.
    pub(crate) fn into_parts(self) -> [Vec<u8>; 2] {
        [self.bytes, self.shapes]
    }
}

/// The sounds of a word, cut to [`WORD_BYTES_MAX`], and its skeleton.
fn heard(text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut sounds = sounds(text);
    sounds.truncate(WORD_BYTES_MAX);
    let skeleton = skeleton(&sounds);
    (sounds, skeleton)
}

/// Prepared words that somebody else owns.
#[derive(Clone, Copy, Default)]
pub(crate) struct WordsView<'a> {
    bytes: &'a [u8],
    shapes: &'a [[u8; SHAPE_BYTES]],
}

impl<'a> WordsView<'a> {
    pub(crate) fn new([bytes, shapes]: [&'a [u8]; 2]) -> Self {
        Self { bytes, shapes: shapes.as_chunks().0 }
    }

    pub(crate) fn len(self) -> usize {
        self.shapes.len()
    }

    pub(crate) fn shape(self, number: usize) -> Option<Shape<'a>> {
        self.shapes.get(number).map(Shape)
    }

    pub(crate) fn get(self, number: usize) -> Option<Word<'a>> {
        self.of_shape(self.shape(number)?)
    }

    /// The word of this shape.
    pub(crate) fn of_shape(self, shape: Shape<'_>) -> Option<Word<'a>> {
        let [text, sounds, skeleton] = shape.lengths();
        let rest = self.bytes.get(shape.start()..)?;
        let (text, rest) = rest.split_at_checked(text)?;
        let (sounds, rest) = rest.split_at_checked(sounds)?;
        Some(Word {
            text,
            sounds,
            skeleton: rest.get(..skeleton)?,
            usual: Usual::of_number(shape.usual()),
            tally: shape.tally(),
            writing: Writing::of_number(shape.writing()),
            rank: shape.rank(),
        })
    }

    /// Text and sounds of a word of this shape.
    pub(crate) fn spelling(self, shape: Shape<'_>) -> (&'a [u8], &'a [u8]) {
        let [text, sounds, _] = shape.lengths();
        let start = shape.start();
        let spelling = self.bytes.get(start..start + text + sounds).unwrap_or_default();
        spelling.split_at_checked(text).unwrap_or_default()
    }

    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = Word<'a>> + Clone {
        (0..self.len()).filter_map(move |number| self.get(number))
    }
}

/// What is quick to compare of a word: where its text begins; its writing; how often each sound occurs;
/// how many letters, sounds and consonants it has; its rank and the usual form of a name that has several.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'a>(&'a [u8; SHAPE_BYTES]);

const SHAPE_BYTES: usize = 18;

impl Shape<'_> {
    fn write(word: Word<'_>, start: usize) -> [u8; SHAPE_BYTES] {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let numbers = [start, word.writing.number(), word.tally.to_bits()].map(u32::to_le_bytes);
        let [text, sounds, skeleton] = [word.text, word.sounds, word.skeleton]
            .map(|part| u8::try_from(part.len()).unwrap_or(u8::MAX));
        let Rank { weight, is_common, is_particle } = word.rank;
        let flags = [word.master().is_some(), is_common, is_particle];
        let flags = flags.into_iter().fold(0, |flags, flag| flags << 1 | u8::from(flag));
        let usual = word.usual.map_or(0, Usual::number);
        let mut shape = [0; SHAPE_BYTES];
        let (head, tail) = shape.split_at_mut(numbers.as_flattened().len());
        head.copy_from_slice(numbers.as_flattened());
        tail.copy_from_slice(&[text, sounds, skeleton, weight, usual, flags]);
        shape
    }

    fn start(self) -> usize {
        let [a, b, c, d, ..] = *self.0;
        u32::from_le_bytes([a, b, c, d]) as usize
    }

    pub(crate) fn writing(self) -> u32 {
        let [_, _, _, _, a, b, c, d, ..] = *self.0;
        u32::from_le_bytes([a, b, c, d])
    }

    /// As [`Word::is_spelled`].
    pub(crate) fn is_spelled(self) -> bool {
        self.writing() == Writing::Alphabet.number() && !self.has_master()
    }

    /// How often each sound occurs in it.
    pub(crate) fn tally(self) -> Tally {
        let [_, _, _, _, _, _, _, _, a, b, c, d, ..] = *self.0;
        Tally::of_bits(u32::from_le_bytes([a, b, c, d]))
    }

    /// How many letters it has.
    pub(crate) fn letters(self) -> usize {
        let [letters, _, _] = self.lengths();
        letters
    }

    /// How many consonants it has.
    pub(crate) fn consonants(self) -> usize {
        let [_, _, consonants] = self.lengths();
        consonants
    }

    /// Whether several of its letters sound as one.
    pub(crate) fn is_contracted(self) -> bool {
        let [letters, sounds, _] = self.lengths();
        sounds < letters
    }

    fn lengths(self) -> [usize; 3] {
        let [.., text, sounds, skeleton, _, _, _] = *self.0;
        [text, sounds, skeleton].map(usize::from)
    }

    pub(crate) fn rank(self) -> Rank {
        let [.., weight, _, flags] = *self.0;
        Rank { weight, is_common: flags & 2 != 0, is_particle: flags & 1 != 0 }
    }

    /// 0 where there is none.
    pub(crate) fn usual(self) -> u8 {
        let [.., usual, _] = *self.0;
        usual
    }

    pub(crate) fn has_master(self) -> bool {
        let [.., flags] = *self.0;
        flags & 4 != 0
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A word as it is written.
    pub(crate) type Written = (String, Writing);

    pub(crate) fn words_of_one((text, writing): &Written) -> Words {
        let mut words = Words::default();
        words.push(text, *writing, QueryKind::Person);
        words
    }

    fn writing() -> impl Strategy<Value = Writing> {
        prop_oneof![
            8 => Just(Writing::Alphabet),
            3 => Just(Writing::Consonants),
            1 => Just(Writing::Syllable('林')),
        ]
    }

    /// Few letters, so that many are alike, and what is treated in a way of its own.
    pub(crate) fn some_word() -> impl Strategy<Value = Written> {
        let special = "rachid rashidov schmid sahmid abdali abdabdali mohamed mehmet yusuf joseph sahrawi \
            shrwy thaqib saqib rajab ragab adbelilah abdelilah maryam";
        let special: Vec<&str> = special.split_whitespace().collect();
        let text = prop_oneof![
            3 => "[aehkmrs]{1,9}",
            3 => "[a-z][aehiouyckgszlrtmn]{3,9}",
            2 => prop::sample::select(special).prop_map(str::to_owned),
        ];
        (text, writing())
    }

    prop_compose! {
        /// Two words of which one is the other after some edits.
        pub(crate) fn like_words()(
            (text, writing) in some_word(),
            edits in prop::collection::vec((0..9_usize, 0..4_u8, "[aehiouyckgszxtm]"), 0..4),
            other_writing in writing(),
        ) -> [Written; 2] {
            let mut other = text.clone();
            for (at, kind, letter) in edits {
                let at = at.min(other.len() - 1);
                match kind {
                    0 => other.insert_str(at, &letter),
                    1 if other.len() > 1 => drop(other.remove(at)),
                    2 => {
                        let last = other.remove(at);
                        other.push(last);
                    }
                    _ => other.replace_range(at..=at, &letter),
                }
            }
            [(text, writing), (other, other_writing)]
        }
    }

    #[test]
    fn long_words_are_cut() {
        let words = words_of_one(&("x".repeat(300), Writing::Alphabet));
        let word = words.view().get(0).unwrap();
        assert_eq!((word.text.len(), word.sounds.len() <= WORD_BYTES_MAX), (WORD_BYTES_MAX, true));
    }
}
