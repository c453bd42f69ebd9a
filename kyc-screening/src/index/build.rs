//! Making an index.

use crate::glance::{Era, Glance};
use crate::name::NameKey;
use crate::numbers::{Numbers, TableBuilder, ends};
use crate::pair::Span;
use crate::plain_hash::{PlainMap, hash};
use crate::word::Word;
use crate::words::{Words, WordsView};

use super::group::Gist;
use super::hint::Hint;
use super::keys::{Of, kept, may_lack_consonant};
use super::posting::Posting;
use super::stage::Weights;
use super::view::{JoinedNote, JoinedSpan, Own, Rest, to_bytes};

/// Collects names for an index.
#[derive(Default)]
pub(crate) struct IndexBuilder {
    words: Words,
    /// What is seen of those whose names have each.
    eras: Vec<Era>,
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
        let born = Era::of(glance);
        for number in &numbers {
            if let Some(era) = self.eras.get_mut(*number as usize) {
                *era = era.with(born);
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
                let note = JoinedNote { hint, era: born, rest };
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
                self.eras.push(Era::default());
                return number;
            }
            let known = self.words.view().get(number as usize);
            if known.is_some_and(|known| is_same(known, word)) {
                return number;
            }
            key = key.wrapping_add(1);
        }
    }

    /// Puts the words of a group side by side: a search looks at all of them.
    fn put_in_order(&mut self) {
        let (words, numbers) = in_order(self.words.view());
        let renumber =
            |word: &mut u32| *word = numbers.get(*word as usize).copied().unwrap_or(*word);
        self.words = words;
        let mut eras = vec![Era::default(); self.eras.len()];
        for (number, old) in numbers.iter().zip(&self.eras) {
            if let Some(new) = eras.get_mut(*number as usize) {
                *new = *old;
            }
        }
        self.eras = eras;
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
        let (mut groups_of, mut words_of) = (TableBuilder::default(), TableBuilder::default());
        let (mut group_ends, mut group) = (Vec::new(), None);
        for (number, word) in (0_u32..).zip(self.words.view().iter()) {
            let is_first = group != Some(group_of(word));
            group = Some(group_of(word));
            if is_first && number > 0 {
                group_ends.push(number);
            }
            kept(word, |key, of| match of {
                Of::Skeleton if is_first => groups_of.push(key, size(group_ends.len())),
                Of::Skeleton => {}
                Of::Sounds | Of::Letters => words_of.push(key, number),
            });
        }
        group_ends.push(size(self.words.view().len()));
        let gists = self.words.view().iter().flat_map(|word| Gist::of(word).to_bytes()).collect();
        self.postings.sort_unstable();
        let posting_ends =
            ends(self.words.view().len(), self.postings.iter().map(|(word, _)| *word));
        let [text, shapes] = self.words.into_parts();
        let [group_buckets, group_keys] = groups_of.finish();
        let [buckets, keyed] = words_of.finish();
        let [spans, joined] = self.joined.finish();
        let mut own = Vec::new();
        self.own.iter().for_each(|name| name.write(&mut own));
        to_bytes(&[
            text,
            shapes,
            self.eras.into_iter().flat_map(|era| era.to_bits().to_le_bytes()).collect(),
            bytes_of(self.names.into_iter()),
            own,
            Numbers::to_bytes(&self.long),
            Numbers::to_bytes(&posting_ends),
            bytes_of(self.postings.into_iter().map(|(_, posting)| posting)),
            gists,
            Numbers::to_bytes(&group_ends),
            group_buckets,
            group_keys,
            buckets,
            keyed,
            spans,
            joined,
        ])
    }
}

/// Words in the order of their groups, and the new number of each.
fn in_order(words: WordsView<'_>) -> (Words, Vec<u32>) {
    let mut order: Vec<(u32, Word<'_>)> = (0..).zip(words.iter()).collect();
    order.sort_unstable_by_key(|(_, word)| (group_of(*word), word.text, word.writing));
    let (mut ordered, mut numbers) = (Words::default(), vec![0; order.len()]);
    for (new, (old, word)) in (0..).zip(order) {
        ordered.push_word(word);
        if let Some(number) = numbers.get_mut(old as usize) {
            *number = new;
        }
    }
    (ordered, numbers)
}

/// What words have in common that are found together.
fn group_of(word: Word<'_>) -> (&[u8], bool) {
    (word.skeleton, may_lack_consonant(word))
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
