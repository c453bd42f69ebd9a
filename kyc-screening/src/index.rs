//! Which listed names can be alike at all, without looking at every one.

use std::collections::HashMap;
use std::ops::Range;

use crate::align::{JOINED_MAX, joined, score_max};
use crate::name::NameKey;
use crate::pattern::Pattern;
use crate::word::{WORD_BYTES_MAX, Word, cost_max, signature_cost};

/// Every word of every listed name, and where it occurs.
///
/// [`candidates`](Self::candidates) never loses a name that [`NameKey::similarity`] would score
/// high enough; a property test holds it to that.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The different words, ordered by length.
    words: Vec<Word>,
    /// The signature of each word, side by side in memory.
    signatures: Vec<u32>,
    /// The words of each length.
    lengths: Vec<Range<usize>>,
    /// Of each word the names that have it, once per occurrence.
    names_of: Vec<Vec<u32>>,
    /// The words by their skeletons.
    words_of_skeleton: HashMap<Box<str>, Vec<u32>>,
    /// Words in a row, by the skeleton of their joined form: the name, and what they weigh.
    joined: HashMap<Box<str>, Vec<(u32, u32)>>,
    /// Of each name what its words weigh.
    weights: Vec<u32>,
}

/// What is known of a name so far.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// The words of the query that may have a partner in it, one bit each.
    query: u32,
    /// What its own words with a possible partner weigh, or more.
    covered: u32,
}

impl Index {
    /// Indexes names; the answer of a search is their positions.
    pub(crate) fn of<'n>(names: impl Iterator<Item = &'n NameKey>) -> Self {
        let mut index = Self::default();
        let mut occurrences: HashMap<&Word, Vec<u32>> = HashMap::new();
        for (position, name) in (0_u32..).zip(names) {
            index.weights.push(name.weight());
            for word in name.words() {
                occurrences.entry(word).or_default().push(position);
            }
            for (_, parts) in spans(name.words()) {
                let Some(run) = Word::joined(parts) else { continue };
                let weight = parts.iter().map(Word::weight).sum();
                index.joined.entry(run.skeleton().into()).or_default().push((position, weight));
            }
        }
        let mut words: Vec<(&Word, Vec<u32>)> = occurrences.into_iter().collect();
        words.sort_unstable_by_key(|(word, _)| (word.text().len(), *word));
        for (number, (word, names)) in (0_u32..).zip(words) {
            index.words_of_skeleton.entry(word.skeleton().into()).or_default().push(number);
            index.signatures.push(word.signature());
            index.words.push(word.clone());
            index.names_of.push(names);
        }
        index.lengths = (0..=WORD_BYTES_MAX)
            .map(|bytes| {
                let start = index.words.partition_point(|word| word.text().len() < bytes);
                start..index.words.partition_point(|word| word.text().len() <= bytes)
            })
            .collect();
        index
    }

    /// The positions of all names whose similarity with `name` can reach `floor`, in order.
    pub(crate) fn candidates(&self, name: &NameKey, floor: u16) -> Vec<u32> {
        let mut seen = vec![Seen::default(); self.weights.len()];
        let mut touched = Vec::new();
        let mut note = |position: u32, query: u32, covered: u32| {
            let Some(entry) = seen.get_mut(position as usize) else { return };
            if entry.query == 0 {
                touched.push(position);
            }
            entry.query |= query;
            entry.covered += covered;
        };
        for (number, query) in self.partners(name) {
            let weight = self.words.get(number as usize).map_or(0, Word::weight);
            for position in self.names_of.get(number as usize).into_iter().flatten() {
                note(*position, query, weight);
            }
        }
        for (bit, word) in name.words().iter().enumerate() {
            for (position, weight) in self.joined.get(word.skeleton()).into_iter().flatten() {
                note(*position, 1 << bit, *weight);
            }
        }
        touched.retain(|position| {
            let position = *position as usize;
            let (Some(seen), Some(weight)) = (seen.get(position), self.weights.get(position))
            else {
                return false;
            };
            let query = weight_of(name, seen.query);
            let covered = [query, seen.covered.min(*weight)];
            score_max(covered, [name.weight(), *weight]) >= floor.into()
        });
        touched.sort_unstable();
        touched
    }

    /// The words that may answer to words of the query, each with those as bits.
    fn partners(&self, name: &NameKey) -> Vec<(u32, u32)> {
        let mut partners = Vec::new();
        for (bit, word) in name.words().iter().enumerate() {
            let found = self.similar_to(word).into_iter().chain(self.initials_of(word));
            partners.extend(found.map(|number| (number, 1 << bit)));
        }
        for (bits, parts) in spans(name.words()) {
            let Some(run) = Word::joined(parts) else { continue };
            for number in self.words_of_skeleton.get(run.skeleton()).into_iter().flatten() {
                let listed = self.words.get(*number as usize);
                if listed.is_some_and(|listed| joined(listed, parts).is_some()) {
                    partners.push((*number, bits));
                }
            }
        }
        partners.sort_unstable();
        partners.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 |= next.1;
            }
            is_same
        });
        partners
    }

    /// The words that are alike, but for initials.
    fn similar_to(&self, word: &Word) -> Vec<u32> {
        let pattern = Pattern::of(word);
        let mut similar = Vec::new();
        for (bytes, range) in self.lengths.iter().enumerate() {
            let length = word.text().len();
            let (allowed, gap) = (cost_max(length.max(bytes)), length.abs_diff(bytes));
            let signatures = self.signatures.get(range.clone()).unwrap_or_default();
            if gap > allowed {
                continue;
            }
            for (number, signature) in range.clone().zip(signatures) {
                if signature_cost(word.signature(), *signature) + gap > allowed {
                    continue;
                }
                let listed = self.words.get(number);
                if listed.is_some_and(|listed| {
                    pattern.cost_min(listed) <= allowed && word.similarity(listed) > 0
                }) {
                    similar.extend(u32::try_from(number));
                }
            }
        }
        similar
    }

    /// The initials of a word, or the words that an initial may stand for.
    fn initials_of(&self, word: &Word) -> impl Iterator<Item = u32> {
        let is_initial = word.text().len() == 1;
        let start = self.lengths.get(1).map_or(0, |range| range.start);
        let end = if is_initial {
            self.words.len()
        } else {
            self.lengths.get(1).map_or(0, |range| range.end)
        };
        let words = self.words.get(start..end).unwrap_or_default();
        let numbered = (start..).zip(words);
        numbered
            .filter(|(_, other)| word.is_initial_with(other))
            .filter_map(|(number, _)| u32::try_from(number).ok())
    }
}

/// Two or three words in a row, with their places as bits.
fn spans(words: &[Word]) -> impl Iterator<Item = (u32, &[Word])> {
    (2..=JOINED_MAX).flat_map(|count| {
        let mask = (1 << count) - 1;
        words.windows(count).enumerate().map(move |(start, parts)| (mask << start, parts))
    })
}

fn weight_of(name: &NameKey, bits: u32) -> u32 {
    let words = name.words().iter().enumerate();
    words.filter(|(bit, _)| bits & (1 << bit) != 0).map(|(_, word)| word.weight()).sum()
}
