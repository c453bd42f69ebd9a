//! Which listed names can be alike at all, without looking at every one.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use crate::align::score_max;
use crate::name::NameKey;
use crate::pair::{JOINED_MAX, Span, similarity_joined};
use crate::pattern::Pattern;
use crate::word::{JOINED_BYTES_MIN, WORD_BYTES_MAX, Word, cost_max, signature_cost};

/// Every word of every listed name, and where it occurs.
///
/// [`candidates`](Self::candidates) never loses a name that [`NameKey::similarity`] would score
/// high enough; a property test holds it to that.
#[derive(Default)]
pub(crate) struct Index {
    /// The different words, ordered by length.
    words: Vec<Word>,
    /// The signature of each word, side by side in memory.
    signatures: Vec<u32>,
    /// The words of each length.
    lengths: Vec<Range<usize>>,
    /// The names that have each word, once per occurrence.
    names_of: Vec<Vec<u32>>,
    /// The words of each skeleton.
    words_of_skeleton: HashMap<Box<str>, Vec<usize>>,
    /// Several words in a row by the skeleton of their joined form: the name, and their weight.
    joined: HashMap<Box<str>, Vec<(u32, u32)>>,
    /// The size of each name.
    sizes: Vec<Size>,
}

#[derive(Clone, Copy)]
struct Size {
    words: usize,
    weight: u32,
}

impl Index {
    /// Indexes names; the answer of a search is their positions.
    pub(crate) fn of<'n>(names: impl Iterator<Item = &'n NameKey>) -> Self {
        let mut index = Self::default();
        let mut names_of: HashMap<&Word, Vec<u32>> = HashMap::new();
        for (position, name) in (0_u32..).zip(names) {
            index.sizes.push(Size { words: name.words().len(), weight: name.weight() });
            for word in name.words() {
                names_of.entry(word).or_default().push(position);
            }
            for span in Span::all(name.words()) {
                let Some(joined) = span.joined() else { continue };
                let names = index.joined.entry(joined.skeleton().into()).or_default();
                names.push((position, span.weight()));
            }
        }
        let mut words: Vec<(&Word, Vec<u32>)> = names_of.into_iter().collect();
        words.sort_unstable_by_key(|(word, _)| (word.text().len(), *word));
        for (number, (word, names)) in words.into_iter().enumerate() {
            index.words_of_skeleton.entry(word.skeleton().into()).or_default().push(number);
            index.signatures.push(word.signature());
            index.words.push(word.clone());
            index.names_of.push(names);
        }
        let shorter_than = |bytes| index.words.partition_point(|word| word.text().len() < bytes);
        let ranges = (0..=WORD_BYTES_MAX).map(|bytes| shorter_than(bytes)..shorter_than(bytes + 1));
        index.lengths = ranges.collect();
        index
    }

    /// The positions of all names whose similarity with `name` can reach `floor`, in order.
    pub(crate) fn candidates(&self, name: &NameKey, floor: u16) -> Vec<u32> {
        let mut sightings = Sightings::new(self.sizes.len());
        for (number, partner) in self.partners(name) {
            let weight = self.words.get(number).map_or(0, Word::weight);
            for position in self.names_of.get(number).into_iter().flatten() {
                sightings.note(*position, Sighting { weight, ..partner });
            }
        }
        for (bit, word) in name.words().iter().enumerate() {
            if word.text().len() < JOINED_BYTES_MIN {
                continue;
            }
            for (position, weight) in self.joined.get(word.skeleton()).into_iter().flatten() {
                let sighting = Sighting { query: 1 << bit, weight: *weight, joined: 0 };
                sightings.note(*position, sighting);
            }
        }
        let mut candidates = sightings.seen;
        candidates.retain(|position| {
            let position = *position as usize;
            let (Some(size), Some(sighting)) =
                (self.sizes.get(position), sightings.of_name.get(position))
            else {
                return false;
            };
            let covered = [sighting.query_weight(name, *size), sighting.weight.min(size.weight)];
            score_max(covered, [name.weight(), size.weight]) >= floor.into()
        });
        candidates.sort_unstable();
        candidates
    }

    /// The words that may answer to words of the query, each once, with those.
    fn partners(&self, name: &NameKey) -> Vec<(usize, Sighting)> {
        let mut partners = Vec::new();
        for (bit, word) in name.words().iter().enumerate() {
            let sighting = Sighting { query: 1 << bit, ..Sighting::default() };
            let found = self.similar_to(word).into_iter().chain(self.initials_of(word));
            partners.extend(found.map(|number| (number, sighting)));
        }
        for span in Span::all(name.words()) {
            let Some(joined) = span.joined() else { continue };
            let sighting = Sighting { query: span.mask(), joined: 1, ..Sighting::default() };
            let found = self.words_of_skeleton.get(joined.skeleton()).into_iter().flatten();
            partners.extend(found.filter_map(|number| {
                similarity_joined(self.words.get(*number)?, span.words)?;
                Some((*number, sighting))
            }));
        }
        partners.sort_unstable_by_key(|(number, _)| *number);
        partners.dedup_by(|(number, next), (kept_number, kept)| {
            let is_same = number == kept_number;
            if is_same {
                kept.query |= next.query;
                kept.joined = kept.joined.max(next.joined);
            }
            is_same
        });
        partners
    }

    /// The words that are alike, but for initials.
    fn similar_to(&self, word: &Word) -> Vec<usize> {
        let pattern = Pattern::of(word);
        let mut similar = Vec::new();
        for (bytes, range) in self.lengths.iter().enumerate() {
            let allowed = cost_max(bytes.max(word.text().len()));
            let Some(left) = allowed.checked_sub(bytes.abs_diff(word.text().len())) else {
                continue;
            };
            let signatures = self.signatures.get(range.clone()).unwrap_or_default();
            for (number, signature) in range.clone().zip(signatures) {
                if signature_cost(word.signature(), *signature) > left {
                    continue;
                }
                let is_alike =
                    |listed| pattern.cost_min(listed) <= allowed && word.similarity(listed) > 0;
                similar.extend(
                    self.words.get(number).filter(|listed| is_alike(listed)).map(|_| number),
                );
            }
        }
        similar
    }

    /// The initials of a word, or the words that an initial may stand for.
    fn initials_of(&self, word: &Word) -> impl Iterator<Item = usize> {
        let initials = self.lengths.get(1).cloned().unwrap_or_default();
        let range = if word.text().len() == 1 { initials.end..self.words.len() } else { initials };
        let is_one = |number: &usize| {
            self.words.get(*number).is_some_and(|listed| word.is_initial_with(listed))
        };
        range.filter(is_one)
    }
}

/// What is known of one name so far.
#[derive(Clone, Copy, Default)]
struct Sighting {
    /// The words of the query that may have a partner in it, one bit each.
    query: u32,
    /// What its own words with a possible partner weigh, or more.
    weight: u32,
    /// How many of its own words may answer to several of the query, or more.
    joined: usize,
}

impl Sighting {
    fn add(&mut self, other: Self) {
        self.query |= other.query;
        self.weight += other.weight;
        self.joined += other.joined;
    }

    /// What the words of the query that can have a partner weigh at most: each listed word answers
    /// to one, or to [`JOINED_MAX`] where joined ones were seen.
    fn query_weight(self, name: &NameKey, size: Size) -> u32 {
        let words_max = size.words + self.joined * (JOINED_MAX - 1);
        let words = name.words().iter().enumerate();
        let seen = words.filter(|(bit, _)| self.query & (1 << bit) != 0);
        let mut weights: Vec<u32> = seen.map(|(_, word)| word.weight()).collect();
        if weights.len() > words_max {
            weights.sort_unstable_by_key(|weight| Reverse(*weight));
        }
        weights.into_iter().take(words_max).sum()
    }
}

/// What is known of every name so far.
struct Sightings {
    of_name: Vec<Sighting>,
    /// The names of which something is known.
    seen: Vec<u32>,
}

impl Sightings {
    fn new(names: usize) -> Self {
        Self { of_name: vec![Sighting::default(); names], seen: Vec::new() }
    }

    fn note(&mut self, position: u32, sighting: Sighting) {
        let Some(known) = self.of_name.get_mut(position as usize) else { return };
        if known.query == 0 {
            self.seen.push(position);
        }
        known.add(sighting);
    }
}
