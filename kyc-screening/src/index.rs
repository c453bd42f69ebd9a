//! Which listed names can be alike at all, without looking at every one.

mod keys;
mod lists;
mod scratch;
mod search;
mod shapes;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::align::Alignment;
use crate::distance::Pattern;
use crate::name::NameKey;
use crate::pair::{Span, similarity_joined};
use crate::plain_hash::{PlainMap, hash};
use crate::word::Word;
use keys::{Keyed, keys};
use lists::{Lists, size};
use scratch::Scratch;
use search::Search;
use shapes::Shapes;

/// Every word of every listed name, and where it occurs.
#[derive(Default)]
pub(crate) struct Index {
    /// The different words.
    words: Vec<Word>,
    shapes: Shapes,
    /// The words of each name, one name behind the other.
    names: Lists,
    /// The names that have each word, once for each occurrence.
    names_of: Lists,
    /// The words under each key.
    words_of: Keyed,
    /// The names with some words in a row that would have this skeleton as one.
    joined: PlainMap<u64, Vec<JoinedSpan>>,
    /// What the words of each name weigh, and its initials and particles.
    weights: Vec<(u8, u8)>,
    /// Memory of searches that have ended.
    scratches: Mutex<Vec<Scratch>>,
}

/// A listed name that seems to be alike.
#[derive(Clone, Copy)]
pub(crate) struct Similar {
    pub(crate) position: u32,
    /// At least as good as this.
    pub(crate) alignment: Alignment,
}

impl Index {
    /// Indexes names; the answer of a search is their positions.
    pub(crate) fn of<'n>(names: impl Iterator<Item = &'n NameKey>) -> Self {
        let mut index = Self::default();
        let mut numbers: HashMap<&Word, u32> = HashMap::new();
        let mut occurrences = Vec::new();
        for (position, name) in (0_u32..).zip(names) {
            let byte = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
            index.weights.push((byte(name.weight()), byte(light(name))));
            for word in name.words() {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(word).or_insert_with(|| {
                    index.words.push(word.clone());
                    index.shapes.push(word);
                    next
                });
                index.names.items.push(number);
                occurrences.push((number, position));
            }
            index.names.ends.push(size(index.names.items.len()));
            let words: Vec<&Word> = name.words().iter().collect();
            for span in Span::several(&words) {
                if let Some(joined) = span.joined() {
                    let spans = index.joined.entry(hash(joined.skeleton())).or_default();
                    let (letters, weight) = (byte(size(joined.text().len())), byte(span.weight()));
                    spans.push(JoinedSpan { position, letters, weight });
                }
            }
        }
        index.names_of = Lists::grouped(index.words.len(), occurrences);
        index.words_of = Keyed::of(&index.words);
        index
    }

    /// The names whose similarity with `name` seems to reach what `floor_of` says of their position,
    /// in order. That is nowhere less than `floor`.
    pub(crate) fn similar(
        &self,
        name: &NameKey,
        floor: u16,
        floor_of: impl Fn(u32) -> u16,
    ) -> Vec<Similar> {
        let mut scratch = self.scratch();
        let query: Vec<&Word> = name.words().iter().collect();
        let search = Search::new(self, name, &query, &mut scratch);
        search.sight(floor, &mut scratch);
        let similar = search.align(floor, floor_of, &mut scratch);
        scratch.clear();
        self.scratches().push(scratch);
        similar
    }

    fn scratch(&self) -> Scratch {
        let kept = self.scratches().pop();
        kept.unwrap_or_else(|| Scratch::new(self.words.len(), self.weights.len()))
    }

    fn scratches(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn word(&self, number: u32) -> Option<&Word> {
        self.words.get(number as usize)
    }
}

/// Listed words that are like one word, in order, and how similar they are.
#[derive(Clone)]
struct Partners(Arc<[(u32, u16)]>);

impl Partners {
    fn similarity(&self, number: u32) -> Option<u16> {
        let at = self.0.binary_search_by_key(&number, |(word, _)| *word).ok()?;
        self.0.get(at).map(|(_, similarity)| *similarity)
    }
}

impl Index {
    /// The listed words that are like a word.
    fn partners(&self, word: &Word, scratch: &mut Scratch) -> Partners {
        if let Some(known) = scratch.known.get(word.text()).filter(|_| word.is_alphabetic()) {
            return known.clone();
        }
        let pattern = word.is_alphabetic().then(|| Pattern::of(word.sounds()));
        let mut partners = Vec::new();
        keys(word, |key| {
            for number in self.words_of.get(key) {
                if !scratch.is_new(*number)
                    || !self.shapes.may_be_like(*number, word, pattern.as_ref())
                {
                    continue;
                }
                let Some(listed) = self.word(*number) else { continue };
                let similarity = word.similarity(listed);
                if similarity > 0 {
                    partners.push((*number, similarity));
                }
            }
        });
        scratch.forget_words();
        partners.sort_unstable();
        let partners = Partners(partners.into());
        if scratch.known.len() == KNOWN_MAX {
            scratch.known.clear();
        }
        if word.is_alphabetic() {
            scratch.known.insert(word.text().into(), partners.clone());
        }
        partners
    }

    /// The listed words that are like several words written as one.
    fn partners_of_joined(&self, span: Span<'_>) -> Option<Partners> {
        let joined = span.joined()?;
        let similar = |number: &u32| {
            let similarity = similarity_joined(self.word(*number)?, &joined, span.is_swallowed())?;
            Some((*number, similarity))
        };
        Some(Partners(
            self.words_of.get(hash(joined.skeleton())).iter().filter_map(similar).collect(),
        ))
    }
}

/// Some words in a row of a listed name.
#[derive(Clone, Copy)]
struct JoinedSpan {
    position: u32,
    letters: u8,
    weight: u8,
}

/// Of so many words a search remembers the partners: names share many words.
const KNOWN_MAX: usize = 4_096;

/// What the words weigh that may have a partner anywhere, or need none.
fn light(name: &NameKey) -> u32 {
    let is_light = |word: &&Word| word.text().len() == 1 || word.is_particle();
    name.words().iter().filter(is_light).map(Word::weight).sum()
}
