//! Which listed names can be alike at all, without looking at every one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::align::{Alignment, score_max};
use crate::distance::Pattern;
use crate::name::NameKey;
use crate::pair::{Pair, Span, similarity_joined};
use crate::plain_hash::{BASE, PlainMap, hash, mix};
use crate::sound::{skeleton, sounds};
use crate::word::{JOINED_BYTES_MIN, Word, cost_max};

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
    /// What the words of each name weigh, and its initials.
    weights: Vec<(u8, u8)>,
    /// Memory of searches that have ended.
    scratches: Mutex<Vec<Scratch>>,
}

/// A listed name that is alike.
#[derive(Clone, Copy)]
pub(crate) struct Similar {
    pub(crate) position: u32,
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
            index.weights.push((byte(name.weight()), byte(initials(name))));
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

    /// The names whose similarity with `name` reaches `floor`, in order.
    pub(crate) fn similar(&self, name: &NameKey, floor: u16) -> Vec<Similar> {
        let mut scratch = self.scratch();
        let query: Vec<&Word> = name.words().iter().collect();
        let search = Search::new(self, name, &query, &mut scratch);
        search.sight(floor, &mut scratch);
        let similar = search.align(floor, &mut scratch);
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

/// A search for one name.
struct Search<'s> {
    index: &'s Index,
    name: &'s NameKey,
    query: &'s [&'s Word],
    /// What is like each word of the name.
    words: Vec<Partners>,
    /// What is like several of its words written as one.
    spans: Vec<(Span<'s>, Partners)>,
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

impl<'s> Search<'s> {
    fn new(
        index: &'s Index,
        name: &'s NameKey,
        query: &'s [&'s Word],
        scratch: &mut Scratch,
    ) -> Self {
        let words = name.words().iter().map(|word| index.partners(word, scratch)).collect();
        let spans = Span::several(query)
            .filter_map(|span| {
                let partners = index.partners_of_joined(span)?;
                (!partners.0.is_empty()).then_some((span, partners))
            })
            .collect();
        Self { index, name, query, words, spans }
    }

    /// Notes which names have which words, the rarest words first: names that have nothing but
    /// frequent ones are looked at only if that can be enough.
    fn sight(&self, floor: u16, scratch: &mut Scratch) {
        let index = self.index;
        for (at, word) in self.name.words().iter().enumerate() {
            if word.text().len() >= JOINED_BYTES_MIN {
                let letters = word.text().len();
                for joined in index.joined.get(&hash(word.skeleton())).into_iter().flatten() {
                    let apart = letters.abs_diff(joined.letters.into());
                    if apart <= cost_max(letters.max(joined.letters.into())) {
                        let weight = joined.weight.into();
                        let sighting = Sighting { query: 1 << at, weight, is_joined: true };
                        scratch.note(joined.position, sighting, true);
                    }
                }
            }
        }
        for (span, partners) in &self.spans {
            self.note_all(span.mask(), partners, true, scratch);
        }
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        order.sort_by_cached_key(|at| {
            let partners = self.words.get(*at).map_or(&[][..], |partners| &partners.0);
            partners.iter().map(|(word, _)| index.names_of.get(*word as usize).len()).sum::<usize>()
        });
        let weight = |at: &usize| self.name.words().get(*at).map_or(0, Word::weight);
        let all: u32 = order.iter().map(weight).sum();
        let mut left = all;
        for at in order {
            let is_enough = score_max([left, left], [all, left]) >= floor.into();
            left -= weight(&at);
            if let Some(partners) = self.words.get(at) {
                self.note_all(1 << at, partners, is_enough, scratch);
            }
        }
    }

    fn note_all(&self, query: u32, partners: &Partners, is_enough: bool, scratch: &mut Scratch) {
        for (word, _) in partners.0.iter() {
            let weight = self.index.word(*word).map_or(0, Word::weight);
            let weight = u16::try_from(weight).unwrap_or(u16::MAX);
            for position in self.index.names_of.get(*word as usize) {
                scratch.note(*position, Sighting { query, weight, is_joined: false }, is_enough);
            }
        }
    }

    fn align(&self, floor: u16, scratch: &mut Scratch) -> Vec<Similar> {
        let query = self.query;
        let (query_weight, query_initials) = (self.name.weight(), initials(self.name));
        let (mut similar, mut pairs, mut words) = (Vec::new(), Vec::new(), Vec::new());
        scratch.seen.sort_unstable();
        for position in &scratch.seen {
            let at = *position as usize;
            let Some(sighting) = scratch.sightings.get(at) else { continue };
            let Some((weight, initials)) = self.index.weights.get(at) else { continue };
            let (weight, initials) = (u32::from(*weight), u32::from(*initials) + query_initials);
            let covered = [
                (sighting.query_weight(self.name) + initials).min(query_weight),
                (u32::from(sighting.weight) + initials).min(weight),
            ];
            if score_max(covered, [query_weight, weight]) < floor.into() {
                continue;
            }
            let listed = self.index.names.get(at);
            pairs.clear();
            words.clear();
            words.extend(listed.iter().filter_map(|number| self.index.word(*number)));
            self.pair(listed, &words, &mut pairs);
            if sighting.is_joined {
                pairs.extend(Pair::joined(&words, query).into_iter().map(Pair::turned));
            }
            let alignment = Alignment::from_pairs(&mut pairs, query, &words);
            if alignment.score().thousandths() >= floor {
                similar.push(Similar { position: *position, alignment });
            }
        }
        similar
    }

    /// The pairs of words of the name and of a listed one.
    fn pair(&self, listed: &[u32], words: &[&Word], pairs: &mut Vec<Pair>) {
        for (other_at, (number, other)) in listed.iter().zip(words).enumerate() {
            for (at, (word, partners)) in self.name.words().iter().zip(&self.words).enumerate() {
                let (left, right) = ((at, word), (other_at, *other));
                if word.is_initial_with(other) {
                    pairs.push(Pair::of_initial(left, right));
                } else if let Some(similarity) = partners.similarity(*number) {
                    pairs.push(Pair::of_words(left, right, similarity));
                }
            }
            for (span, partners) in &self.spans {
                if let Some(similarity) = partners.similarity(*number) {
                    pairs.push(Pair::of_span(*span, (other_at, other), similarity));
                }
            }
        }
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

/// What is quick to compare of each word, side by side in memory.
#[derive(Default)]
struct Shapes {
    shapes: Vec<Shape>,
    sounds: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Shape {
    /// Where its sounds begin.
    start: u32,
    sounds: u8,
    letters: u8,
    is_alphabetic: bool,
    has_usual: bool,
    has_master: bool,
}

impl Shapes {
    fn push(&mut self, word: &Word) {
        let byte = |length| u8::try_from(length).unwrap_or(u8::MAX);
        self.shapes.push(Shape {
            start: size(self.sounds.len()),
            sounds: byte(word.sounds().len()),
            letters: byte(word.text().len()),
            is_alphabetic: word.is_alphabetic(),
            has_usual: word.usual().is_some(),
            has_master: word.master().is_some(),
        });
        self.sounds.extend_from_slice(word.sounds());
    }

    /// Whether two words can be alike at all.
    fn may_be_like(&self, number: u32, word: &Word, pattern: Option<&Pattern>) -> bool {
        let Some(shape) = self.shapes.get(number as usize) else { return false };
        let Some(pattern) = pattern.filter(|_| shape.is_alphabetic) else { return true };
        let is_other_way_alike = shape.has_usual && word.usual().is_some()
            || shape.has_master != word.master().is_some();
        if is_other_way_alike {
            return true;
        }
        let most = cost_max(word.text().len().max(shape.letters.into()));
        if word.sounds().len().abs_diff(shape.sounds.into()) > most {
            return false;
        }
        let start = shape.start as usize;
        let sounds = self.sounds.get(start..start + usize::from(shape.sounds)).unwrap_or_default();
        pattern.edits(sounds) as usize <= most
    }
}

/// Memory that searches use again.
struct Scratch {
    /// The partners of words that were met before.
    known: PlainMap<Box<str>, Partners>,
    sightings: Vec<Sighting>,
    /// The names of which something is known.
    seen: Vec<u32>,
    /// In which round each word was met.
    met: Vec<u32>,
    round: u32,
}

impl Scratch {
    fn new(words: usize, names: usize) -> Self {
        Self {
            known: PlainMap::default(),
            sightings: vec![Sighting::default(); names],
            seen: Vec::new(),
            met: vec![0; words],
            round: 1,
        }
    }

    fn note(&mut self, position: u32, sighting: Sighting, is_enough: bool) {
        let Some(known) = self.sightings.get_mut(position as usize) else { return };
        if known.query == 0 {
            if !is_enough {
                return;
            }
            self.seen.push(position);
        }
        known.query |= sighting.query;
        known.weight = known.weight.saturating_add(sighting.weight);
        known.is_joined |= sighting.is_joined;
    }

    fn is_new(&mut self, word: u32) -> bool {
        let Some(met) = self.met.get_mut(word as usize) else { return false };
        std::mem::replace(met, self.round) != self.round
    }

    fn forget_words(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.met.fill(0);
            1
        });
    }

    fn clear(&mut self) {
        for position in self.seen.drain(..) {
            if let Some(known) = self.sightings.get_mut(position as usize) {
                *known = Sighting::default();
            }
        }
    }
}

fn initials(name: &NameKey) -> u32 {
    name.words().iter().filter(|word| word.text().len() == 1).map(Word::weight).sum()
}

/// Shows the keys of a word. Words that are alike share one, as far as they differ in one consonant
/// at most: then what is left of their skeletons without it is the same.
fn keys(word: &Word, mut show: impl FnMut(u64)) {
    let consonants = word.skeleton();
    show(hash(consonants));
    if let Some(usual) = word.usual() {
        show(hash(usual.as_bytes()) ^ 1);
    }
    if let Some(master) = word.master() {
        show(hash(&skeleton(&sounds(master))));
    }
    // In shorter words nothing may differ besides a consonant.
    if consonants.len() > 2 && word.sounds().len() > 5 {
        for left_out in 0..consonants.len() {
            show(hash_without(consonants, left_out));
        }
    }
    if (consonants.len() <= 3 || word.sounds().len() <= 6) && word.sounds().len() > 2 {
        show(!hash(word.sounds()));
        // Of words with few consonants too many share what is left.
        for left_out in 0..word.sounds().len() {
            show(!hash_without(word.sounds(), left_out));
        }
    }
}

fn hash_without(sounds: &[u8], left_out: usize) -> u64 {
    let mut last = 0;
    let mut hash = BASE;
    for (at, sound) in sounds.iter().enumerate() {
        // Neighbours that become the same are one, as everywhere.
        if at != left_out && *sound != last {
            hash = mix(hash, *sound);
            last = *sound;
        }
    }
    hash
}

fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Many short lists, one behind the other.
#[derive(Default)]
struct Lists {
    items: Vec<u32>,
    ends: Vec<u32>,
}

impl Lists {
    /// The second of each pair, in order, by the first.
    fn grouped(count: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut lists = Self::default();
        let mut pairs = pairs.into_iter().peekable();
        for number in 0..size(count) {
            while let Some((_, item)) = pairs.next_if(|(first, _)| *first == number) {
                lists.items.push(item);
            }
            lists.ends.push(size(lists.items.len()));
        }
        lists
    }

    fn get(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = start.map_or(0, |start| *start as usize);
        let end = self.ends.get(number).map_or(start, |end| *end as usize);
        self.items.get(start..end).unwrap_or_default()
    }
}

/// The words under each key.
#[derive(Default)]
struct Keyed {
    numbers: PlainMap<u64, u32>,
    lists: Lists,
}

impl Keyed {
    fn of(words: &[Word]) -> Self {
        let mut numbers: PlainMap<u64, u32> = PlainMap::default();
        let mut pairs = Vec::new();
        for (number, word) in (0_u32..).zip(words) {
            keys(word, |key| {
                let next = size(numbers.len());
                pairs.push((*numbers.entry(key).or_insert(next), number));
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        let lists = Lists::grouped(numbers.len(), pairs);
        Self { numbers, lists }
    }

    fn get(&self, key: u64) -> &[u32] {
        self.numbers.get(&key).map_or(&[], |number| self.lists.get(*number as usize))
    }
}

/// What is known of one name so far.
#[derive(Clone, Copy, Default)]
struct Sighting {
    /// The words of the query that may have a partner in it, one bit each.
    query: u32,
    /// What its own words with a possible partner weigh, or more.
    weight: u16,
    is_joined: bool,
}

impl Sighting {
    fn query_weight(self, name: &NameKey) -> u32 {
        let words = name.words().iter().enumerate();
        words.filter(|(at, _)| self.query & (1 << at) != 0).map(|(_, word)| word.weight()).sum()
    }
}
