//! Making an index.

use crate::glance::{Era, Glance};
use crate::name::NameKey;
use crate::numbers::{Numbers, TableBuilder, ends};
use crate::pair::Span;
use crate::plain_hash::{PlainMap, hash};
use crate::word::Word;
use crate::words::{Words, WordsView};

use super::bearers::Bearers;
use super::hint::Hint;
use super::keys::kept;
use super::posting::Posting;
use super::stage::Weights;
use super::view::{JoinedNote, JoinedSpan, Own, Rest, to_bytes};

/// Collects names for an index.
#[derive(Default)]
pub(crate) struct IndexBuilder {
    words: Words,
    /// What is seen of those whose names have each.
    bearers: Vec<Bearers>,
    numbers: PlainMap<u64, u32>,
    /// The words of names that have many.
    long: Vec<u32>,
    postings: Vec<(u32, Posting)>,
    joined: TableBuilder,
    count: u32,
    /// What is seen of each name.
    names: Vec<Posting>,
    /// What else is kept of it.
    own: Vec<Own>,
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
        let Weights { names: weight, initials, particles, .. } = Weights::of(&words);
        let posting = Posting::new(position, weight, initials > 0, glance);
        let numbers: Vec<u32> = words.iter().map(|word| self.number(*word)).collect();
        let bearer = Bearers { era: Era::of(glance), have_initials: initials > 0 };
        for number in &numbers {
            if let Some(bearers) = self.bearers.get_mut(*number as usize) {
                *bearers = bearers.with(bearer);
            }
        }
        self.postings.extend(numbers.iter().map(|number| (*number, posting)));
        let mut own = Own {
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
        self.names.push(posting);
        self.own.push(own);
        for span in Span::several(&words) {
            let Some(joined) = span.joined() else { continue };
            if let Some(word) = joined.view().get(0) {
                let hint = Hint::of_joined(span, word);
                let rest = Rest::of(
                    weight.saturating_sub(span.weight_of_names()),
                    particles > span.weight() - span.weight_of_names(),
                );
                let note = JoinedNote { hint, era: bearer.era, rest };
                let span = JoinedSpan { position, letters: word.text.len() };
                self.joined.push_noted(hash(word.skeleton), note.to_bits(), span.to_number());
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
                self.bearers.push(Bearers::default());
                return number;
            }
            let known = self.words.view().get(number as usize);
            if known.is_some_and(|known| is_same(known, word)) {
                return number;
            }
            key = key.wrapping_add(1);
        }
    }

    /// Puts words of one skeleton side by side: a search looks at all of them.
    fn put_in_order(&mut self) {
        let (words, numbers) = in_order(self.words.view());
        let renumber =
            |word: &mut u32| *word = numbers.get(*word as usize).copied().unwrap_or(*word);
        self.words = words;
        let mut bearers = vec![Bearers::default(); self.bearers.len()];
        for (number, old) in numbers.iter().zip(&self.bearers) {
            if let Some(new) = bearers.get_mut(*number as usize) {
                *new = *old;
            }
        }
        self.bearers = bearers;
        self.long.iter_mut().for_each(renumber);
        self.postings.iter_mut().for_each(|(word, _)| renumber(word));
        let short = self.own.iter_mut().filter(|own| usize::from(own.count) <= Own::WORDS);
        for own in short {
            own.words.iter_mut().take(own.count.into()).for_each(renumber);
        }
    }

    /// The bytes of the index.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.put_in_order();
        let mut words_of = TableBuilder::default();
        for (number, word) in (0_u32..).zip(self.words.view().iter()) {
            kept(word, |key| words_of.push(key, number));
        }
        self.postings.sort_unstable();
        let posting_ends =
            ends(self.words.view().len(), self.postings.iter().map(|(word, _)| *word));
        let [text, shapes] = self.words.into_parts();
        let [buckets, keyed] = words_of.finish();
        let [spans, joined] = self.joined.finish();
        let mut own = Vec::new();
        self.own.iter().for_each(|name| name.write(&mut own));
        to_bytes(&[
            text,
            shapes,
            self.bearers.into_iter().flat_map(Bearers::to_bytes).collect(),
            bytes_of(self.names.into_iter()),
            own,
            Numbers::to_bytes(&self.long),
            Numbers::to_bytes(&posting_ends),
            bytes_of(self.postings.into_iter().map(|(_, posting)| posting)),
            buckets,
            keyed,
            spans,
            joined,
        ])
    }
}

/// Words in the order of their skeletons, and the new number of each.
fn in_order(words: WordsView<'_>) -> (Words, Vec<u32>) {
    let mut order: Vec<(u32, Word<'_>)> = (0..).zip(words.iter()).collect();
    order.sort_unstable_by_key(|(_, word)| (word.skeleton, word.text, word.writing));
    let (mut ordered, mut numbers) = (Words::default(), vec![0; order.len()]);
    for (new, (old, word)) in (0..).zip(order) {
        ordered.push_word(word);
        if let Some(number) = numbers.get_mut(old as usize) {
            *number = new;
        }
    }
    (ordered, numbers)
}

fn bytes_of(postings: impl Iterator<Item = Posting>) -> Vec<u8> {
    postings.flat_map(Posting::to_bytes).collect()
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
