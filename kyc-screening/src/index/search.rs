//! The search for one name.

use std::ops::Range;

use crate::align::{Alignment, Reach, worth_max};
use crate::distance::Pattern;
use crate::glance::Glance;
use crate::pair::{Pair, Span, may_be_as_long, similarity_joined};
use crate::plain_hash::hash;
use crate::word::{JOINED_BYTES_MIN, Word, cost_max};
use crate::words::Shape;

use super::Similar;
use super::build::initials;
use super::keys::looked_up;
use super::posting::Posting;
use super::scratch::{Entry, Has, Scratch};
use super::stage::{Hope, Stage};
use super::view::{JoinedSpan, Own, View};

/// A search for one name.
pub(super) struct Search<'s, N> {
    view: View<'s>,
    query: &'s [Word<'s>],
    /// Several of its words written as one. Their probes follow those of the words.
    spans: Vec<Span<'s>>,
    /// Where the entries of each probe end.
    ends: Vec<usize>,
    /// Words with which alone no name is looked for.
    unsought: Vec<Word<'s>>,
    floor: u16,
    needed: N,
    scratch: &'s mut Scratch,
}

impl<'s, N: Fn(Glance) -> u16> Search<'s, N> {
    pub(super) fn new(
        view: View<'s>,
        query: &'s [Word<'s>],
        floor: u16,
        needed: N,
        scratch: &'s mut Scratch,
    ) -> Self {
        let spans = Span::several(query).collect();
        Self { view, query, spans, ends: Vec::new(), unsought: Vec::new(), floor, needed, scratch }
    }

    /// Finds the listed words that may be like the words of the name.
    pub(super) fn find_words(&mut self) {
        for (probe, word) in (0_u8..).zip(self.query) {
            self.find_like(probe, *word);
            self.ends.push(self.scratch.entries().len());
        }
        let words = u8::try_from(self.query.len()).unwrap_or(u8::MAX);
        for (probe, span) in (words..).zip(self.spans.clone()) {
            self.find_like_joined(probe, span);
            self.ends.push(self.scratch.entries().len());
        }
    }

    fn find_like(&mut self, probe: u8, word: Word<'_>) {
        if self.scratch.recall(probe, word) {
            return;
        }
        let pattern = word.is_alphabetic().then(|| Pattern::of(word.sounds));
        let View { words, words_of, .. } = self.view;
        let start = self.scratch.entries().len();
        looked_up(word, |key| {
            for number in words_of.get(key) {
                if !self.scratch.is_new(number) {
                    continue;
                }
                let Some(shape) = words.shape(number as usize) else { continue };
                let pattern = pattern.as_ref().filter(|_| !shape.may_be_like_otherwise(word));
                if pattern.is_some_and(|pattern| is_far(pattern, word, shape, words.sounds(shape)))
                {
                    continue;
                }
                let listed = words.get(number as usize).filter(|_| word.is_alphabetic());
                let similarity = listed.map(|listed| word.similarity(listed));
                if similarity != Some(0) {
                    self.scratch.add(number, probe, shape.weight, similarity);
                }
            }
        });
        self.scratch.forget_words();
        self.scratch.remember(word, start);
    }

    fn find_like_joined(&mut self, probe: u8, span: Span<'_>) {
        let Some(joined) = span.joined() else { return };
        let Some(joined) = joined.view().get(0) else { return };
        for number in self.view.words_of.get(hash(joined.skeleton)) {
            let word = self.view.words.get(number as usize);
            let Some(word) = word.filter(|word| span.may_be_written_as(*word)) else { continue };
            if let Some(similarity) = similarity_joined(word, joined, span.is_swallowed()) {
                self.scratch.add(number, probe, word.weight, Some(similarity));
            }
        }
    }

    /// Finds the names that may reach what they need, by the rarest words first: a name that has none
    /// of these is looked at only if the others can be enough.
    pub(super) fn find_names(&mut self) {
        let words = self.query.len();
        let mut order: Vec<usize> = (0..words).collect();
        order.sort_by_cached_key(|probe| {
            let entries = self.scratch.entries().get(self.entries_of(*probe)).unwrap_or_default();
            entries.iter().map(|entry| self.view.postings(entry.word).len()).sum::<usize>()
        });
        let all = Stage::of_all(self.query, self.floor);
        for (at, word) in self.query.iter().enumerate() {
            if word.text.len() >= JOINED_BYTES_MIN {
                self.find_names_joined(at, *word, &all);
            }
        }
        for probe in words..words + self.spans.len() {
            self.find_names_with(probe, &all);
        }
        let mut left = order.as_slice();
        while let [probe, rest @ ..] = left {
            let words = left.iter().filter_map(|at| self.query.get(*at).copied());
            let stage = Stage::of(self.query, words, self.floor);
            if !stage.is_enough() {
                self.unsought.extend(self.query.get(*probe));
            }
            self.find_names_with(*probe, &stage);
            left = rest;
        }
    }

    /// A word may be several words in a row of a listed name.
    fn find_names_joined(&mut self, at: usize, word: Word<'_>, stage: &Stage) {
        for number in self.view.joined.get(hash(word.skeleton)) {
            let JoinedSpan { position, letters } = JoinedSpan::of_number(number);
            if may_be_as_long(word.text.len(), letters)
                && let Some(own) = self.view.own(position)
            {
                self.scratch.joined.push((position, 1 << at));
                self.look_at(own.posting, stage, 0, Has::ANY);
            }
        }
    }

    fn entries_of(&self, probe: usize) -> Range<usize> {
        let start = probe.checked_sub(1).and_then(|before| self.ends.get(before));
        start.copied().unwrap_or(0)..self.ends.get(probe).copied().unwrap_or(0)
    }

    fn find_names_with(&mut self, probe: usize, stage: &Stage) {
        for at in self.entries_of(probe) {
            let Some(entry) = self.scratch.entries().get(at).copied() else { continue };
            let lost = self.query.get(probe).map_or(0, |word| entry.lost_beside(*word));
            let what = self.query.get(probe).map_or(Has::ANY, |_| Has::word(probe));
            for posting in self.view.postings(entry.word) {
                if !posting.has_initials() && !stage.is_enough() {
                    break;
                }
                self.look_at(posting, stage, lost, what);
            }
        }
    }

    /// Notes what a name may have if that may be enough, when a pair of its words has lost so much.
    fn look_at(&mut self, posting: Posting, stage: &Stage, lost: u32, what: Has) {
        if self.scratch.adds(posting.position(), what) {
            return;
        }
        let known = stage.known(posting.weight()).filter(|_| !posting.has_initials());
        let is_enough = match known {
            Some(worth) => {
                worth.reaches(self.floor, lost)
                    && worth.reaches((self.needed)(posting.glance()), lost)
            }
            None => {
                self.view.own(posting.position()).is_some_and(|Own { weight, initials, .. }| {
                    let worth = stage.beside(weight, initials);
                    worth.reaches((self.needed)(posting.glance()), 0)
                })
            }
        };
        if is_enough {
            self.scratch.see(posting, what);
        }
    }

    /// Whether the words that a name may have are enough.
    fn is_likely(&self, posting: Posting, needed: u16) -> bool {
        let has = self.scratch.has(posting.position());
        let is_simple = posting.weight() < Posting::WEIGHT_MAX && !posting.has_initials();
        if has.may_have_any() || !is_simple {
            return true;
        }
        let words = self.query.iter().copied().enumerate();
        let words = words.filter_map(|(at, word)| has.may_have(at).then_some(word));
        let hope = Hope::of(self.query, words.chain(self.unsought.iter().copied()));
        hope.beside(posting.weight(), 0).reaches(needed, 0)
    }

    /// The names that reach what they need.
    pub(super) fn align(&mut self) -> Vec<Similar> {
        self.scratch.joined.sort_unstable();
        let seen = std::mem::take(&mut self.scratch.seen);
        let mut likely: Vec<(u32, u16, bool)> = Vec::new();
        for posting in &seen {
            let needed = (self.needed)(posting.glance());
            if self.is_likely(*posting, needed)
                && let Some(is_joined) = self.may_reach(posting.position(), needed)
            {
                likely.push((posting.position(), needed, is_joined));
            }
        }
        self.scratch.seen = seen;
        likely.sort_unstable();
        let (mut pairs, mut words, mut similar) = (Vec::new(), Vec::new(), Vec::new());
        for (position, needed, is_joined) in likely {
            pairs.clear();
            words.clear();
            self.pair(position, &mut words, &mut pairs);
            if is_joined {
                pairs.extend(Pair::joined(&words, self.query).into_iter().map(Pair::turned));
            }
            let alignment = Alignment::from_pairs(&mut pairs, self.query, &words);
            if alignment.score().thousandths() >= needed {
                similar.push(Similar { position, alignment });
            }
        }
        similar
    }

    /// Whether the words that may answer to each other are enough, and whether several of the listed
    /// name's in a row may be one; `None` where they are not.
    fn may_reach(&self, position: u32, needed: u16) -> Option<bool> {
        let own = self.view.own(position)?;
        let weight = own.weight;
        let (mut mask, mut listed, mut telling, mut has_span) = (0_u32, 0_u32, 0_u32, false);
        for word in own.words(self.view) {
            let mut entries = self.scratch.entries_of(word).peekable();
            if let Some(entry) = entries.peek() {
                listed += u32::from(entry.weight);
                telling += u32::from(Reach::is_telling(entry.weight));
            }
            for entry in entries {
                match usize::from(entry.probe).checked_sub(self.query.len()) {
                    None => mask |= 1 << entry.probe,
                    Some(span) => {
                        mask |= self.spans.get(span).map_or(0, |span| span.mask());
                        has_span = true;
                    }
                }
            }
        }
        let joined = self.scratch.joined.partition_point(|(other, _)| *other < position);
        let joined = self.scratch.joined.get(joined..).unwrap_or_default().iter();
        let joined = joined.take_while(|(other, _)| *other == position);
        let joined = joined.fold(0, |mask, (_, word)| mask | word);
        if joined != 0 {
            (mask, listed) = (mask | joined, weight.into());
        }
        let words = self.query.iter().enumerate().filter(|(at, _)| mask & (1 << at) != 0);
        let covered = words.clone().map(|(_, word)| word.weight()).sum::<u32>();
        let own_telling = words.filter(|(_, word)| Reach::is_telling(word.weight)).count();
        let initials = initials(self.query) + u32::from(own.initials);
        let all: u32 = self.query.iter().map(|word| word.weight()).sum();
        let reach = Reach {
            covered: [(covered + initials).min(all), (listed + initials).min(weight.into())],
            weights: [all, weight.into()],
            telling: if has_span || joined != 0 {
                u32::MAX
            } else {
                telling.min(u32::try_from(own_telling).unwrap_or(u32::MAX)) + initials
            },
        };
        worth_max(reach).reaches(needed, 0).then_some(joined != 0)
    }

    /// The words of a listed name, and its pairs with the words of the name.
    fn pair(&mut self, position: u32, words: &mut Vec<Word<'s>>, pairs: &mut Vec<Pair>) {
        let Some(own) = self.view.own(position) else { return };
        for (other_at, number) in own.words(self.view).enumerate() {
            let Some(other) = self.view.words.get(number as usize) else { continue };
            words.push(other);
            let right = (other_at, other);
            let initials = self.query.iter().copied().enumerate();
            let initials = initials.filter(|(_, word)| word.is_initial_with(other));
            pairs.extend(initials.map(|left| Pair::of_initial(left, right)));
            let mut entries = self.scratch.entries_of_mut(number);
            while let Some(entry) = entries.next() {
                let probe = usize::from(entry.probe);
                let Some(word) = self.query.get(probe).copied() else {
                    let span = self.spans.get(probe - self.query.len());
                    let pair = span.zip(entry.similarity);
                    pairs.extend(
                        pair.map(|(span, similarity)| Pair::of_span(*span, right, similarity)),
                    );
                    continue;
                };
                let similarity = *entry.similarity.get_or_insert_with(|| word.similarity(other));
                if similarity > 0 && !word.is_initial_with(other) {
                    pairs.push(Pair::of_words((probe, word), right, similarity));
                }
            }
        }
    }
}

impl Entry {
    /// What a pair with this word of the name is worth less than one of equal words.
    fn lost_beside(self, word: Word<'_>) -> u32 {
        let lost = 1_000 - u32::from(self.similarity.unwrap_or(1_000));
        lost * (word.weight() + u32::from(self.weight))
    }
}

/// Whether two words written with vowels differ too much, by their letters.
fn is_far(pattern: &Pattern, word: Word<'_>, shape: Shape, sounds: &[u8]) -> bool {
    let most = cost_max(word.text.len().max(shape.text.into()));
    word.sounds.len().abs_diff(sounds.len()) > most || pattern.edits(sounds) as usize > most
}
