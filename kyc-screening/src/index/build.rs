//! Making an index.

use crate::glance::Glance;
use crate::name::NameKey;
use crate::numbers::{Numbers, TableBuilder, ends};
use crate::pair::Span;
use crate::plain_hash::{PlainMap, hash};
use crate::word::Word;
use crate::words::Words;

use super::keys::keys;
use super::posting::Posting;
use super::stage::Weights;
use super::view::{JoinedSpan, Own, to_bytes};

/// Collects names for an index.
#[derive(Default)]
pub(crate) struct IndexBuilder {
    words: Words,
    numbers: PlainMap<u64, u32>,
    /// The words of names that have many.
    long: Vec<u32>,
    postings: Vec<(u32, Posting)>,
    joined: TableBuilder,
    count: u32,
    /// What is kept of each name.
    own: Vec<u8>,
}

impl IndexBuilder {
    /// Adds a name; its position is how many were added before. Those beyond 134 million are not found.
    pub(crate) fn push(&mut self, name: &NameKey, glance: Glance) {
        let position = self.count;
        self.count += 1;
        if position > Posting::POSITION_MAX {
            return;
        }
        let words: Vec<Word<'_>> = name.words().iter().collect();
        let Weights { names: weight, initials, .. } = Weights::of(&words);
        let posting = Posting::new(position, weight, initials > 0, glance);
        let numbers: Vec<u32> = words.iter().map(|word| self.number(*word)).collect();
        self.postings.extend(numbers.iter().map(|number| (*number, posting)));
        let mut own = Own {
            posting,
            weight: byte(weight),
            initials: byte(initials),
            count: byte(size(words.len())),
            words: [0; Own::WORDS],
        };
        if words.len() > Own::WORDS {
            own.words = [size(self.long.len()); Own::WORDS];
            self.long.extend(numbers);
        } else {
            own.words.iter_mut().zip(numbers).for_each(|(word, number)| *word = number);
        }
        own.write(&mut self.own);
        for span in Span::several(&words) {
            let Some(joined) = span.joined() else { continue };
            if let Some(word) = joined.view().get(0) {
                let span = JoinedSpan { position, letters: word.text.len() };
                self.joined.push(hash(word.skeleton), span.to_number());
            }
        }
    }

    /// The number of a word, which is a new one where it was not met before.
    fn number(&mut self, word: Word<'_>) -> u32 {
        let mut key = hash(word.text) ^ u64::from(word.writing.number());
        let next = size(self.words.view().len());
        loop {
            let number = *self.numbers.entry(key).or_insert(next);
            if number == next {
                self.words.push_word(word);
                return number;
            }
            let known = self.words.view().get(number as usize);
            if known.is_some_and(|known| is_same(known, word)) {
                return number;
            }
            key = key.wrapping_add(1);
        }
    }

    /// The bytes of the index.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut words_of = TableBuilder::default();
        for (number, word) in (0_u32..).zip(self.words.view().iter()) {
            keys(word, |key| words_of.push(key, number));
        }
        self.postings.sort_unstable();
        let posting_ends =
            ends(self.words.view().len(), self.postings.iter().map(|(word, _)| *word));
        let [text, shapes] = self.words.into_parts();
        let [buckets, keyed] = words_of.finish();
        let [spans, joined] = self.joined.finish();
        to_bytes(&[
            text,
            shapes,
            self.own,
            Numbers::to_bytes(&self.long),
            Numbers::to_bytes(&posting_ends),
            self.postings.into_iter().flat_map(|(_, posting)| posting.to_bytes()).collect(),
            buckets,
            keyed,
            spans,
            joined,
        ])
    }
}

fn is_same(one: Word<'_>, other: Word<'_>) -> bool {
    (one.text, one.writing.number()) == (other.text, other.writing.number())
}

fn byte(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
