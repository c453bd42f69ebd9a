//! What was like the words of earlier searches.

use std::mem::take;

use crate::plain_hash::PlainMap;
use crate::word::Word;

use super::scratch::Like;

/// What was like the words of earlier searches: names share many words. What is not asked for again is
/// forgotten in the end.
#[derive(Default)]
pub(super) struct Known {
    recent: PlainMap<Box<[u8]>, Box<[Like]>>,
    /// What was recent before there was too much of it.
    before: PlainMap<Box<[u8]>, Box<[Like]>>,
    count: usize,
    count_max: usize,
}

/// So much is recent at most: 8 MiB, and more where more words are listed. As much may be before.
const COUNT_MAX: usize = 1 << 19;
const COUNT_MAX_PER_LISTED: usize = 4;
/// As much as a word takes apart from what is like it.
const COUNT_OF_WORD: usize = 8;

impl Known {
    /// Makes room for an index of so many words.
    pub(super) fn fit(&mut self, listed: usize) {
        self.count_max = COUNT_MAX.max(COUNT_MAX_PER_LISTED * listed);
    }

    /// What is like a word; `None` where that is not known.
    pub(super) fn get(&mut self, word: Word<'_>) -> Option<&[Like]> {
        let spelling = spelling(word);
        if let Some(likes) = self.before.remove(spelling.as_slice()) {
            self.insert(spelling.clone().into(), likes);
        }
        self.recent.get(spelling.as_slice()).map(AsRef::as_ref)
    }

    /// Keeps what is like a word.
    pub(super) fn keep(&mut self, word: Word<'_>, likes: &[Like]) {
        self.insert(spelling(word).into(), likes.into());
    }

    fn insert(&mut self, spelling: Box<[u8]>, likes: Box<[Like]>) {
        let count = COUNT_OF_WORD + likes.len();
        if self.count + count > self.count_max {
            self.before = take(&mut self.recent);
            self.count = 0;
        }
        self.count += count;
        self.recent.insert(spelling, likes);
    }
}

/// What tells a word from any other.
fn spelling(word: Word<'_>) -> Vec<u8> {
    [word.text, &word.writing.number().to_le_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::Writing;
    use crate::words::tests::words_of_one;

    #[test]
    fn what_is_asked_for_again_is_kept_and_the_rest_forgotten() {
        let [asked, other] = ["kole", "vexley"].map(|text| (text.to_owned(), Writing::Alphabet));
        let [asked, other] = [words_of_one(&asked), words_of_one(&other)];
        let [asked, other] = [asked.view().get(0).unwrap(), other.view().get(0).unwrap()];
        let mut known = Known::default();
        known.fit(0);
        assert!(known.get(asked).is_none());
        known.keep(asked, &[]);
        known.keep(other, &[]);
        for number in 0..3 * COUNT_MAX / COUNT_OF_WORD {
            let spelling = number.to_le_bytes();
            known.insert(Box::new(spelling), Box::default());
            assert!(known.get(asked).is_some_and(<[Like]>::is_empty), "after {number}");
        }
        assert!(known.get(other).is_none());
        assert!(known.recent.len() + known.before.len() <= 2 * COUNT_MAX / COUNT_OF_WORD);
    }

    #[test]
    fn the_same_letters_of_another_writing_are_another_word() {
        let [full, bare] = [Writing::Alphabet, Writing::Consonants]
            .map(|writing| words_of_one(&("kole".to_owned(), writing)));
        let mut known = Known::default();
        known.fit(0);
        known.keep(full.view().get(0).unwrap(), &[]);
        assert!(known.get(bare.view().get(0).unwrap()).is_none());
    }
}
