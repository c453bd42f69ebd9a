//! The search for one name.

mod likes;
mod pairs;

use std::mem::take;
use std::ops::Range;

use crate::numbers::Noted;
use crate::pair::{Span, joined_similarity_min};
use crate::plain_hash::hash;
use crate::word::{JOINED_BYTES_MIN, Word};

use super::Needed;
use super::hint::{FarSight, Hint};
use super::keep::keep;
use super::posting::Posting;
use super::scratch::{Buffers, Candidate, FoundSpan, JoinedName, Like, Scratch};
use super::stage::{Hope, Stage, Weights};
use super::view::{JoinedSpan, View};
use super::wanted::Wanted;

/// A search for one name.
pub(super) struct Search<'s, N> {
    view: View<'s>,
    query: &'s [Word<'s>],
    weights: Weights,
    /// Several of its words written as one. Their probes follow those of the words.
    spans: Vec<Span<'s>>,
    /// Where the entries of each probe end.
    ends: Vec<usize>,
    needed: &'s N,
    /// What any name needs.
    least: u16,
    wanted: Wanted,
    scratch: &'s mut Scratch,
}

impl<'s, N: Needed> Search<'s, N> {
    pub(super) fn new(
        view: View<'s>,
        query: &'s [Word<'s>],
        needed: &'s N,
        scratch: &'s mut Scratch,
    ) -> Self {
        let (weights, spans) = (Weights::of(query), Span::several(query).collect());
        let wanted = Wanted { alike: needed.era(SCORE_MAX - 1), equal: needed.era(SCORE_MAX) };
        let least = needed.least();
        Self { view, query, weights, spans, ends: Vec::new(), needed, least, wanted, scratch }
    }

    /// Finds the names that may reach what they need, by the rarest words first: a name that has none
    /// of these is looked at only if the others can be enough.
    pub(super) fn find_names(&mut self) {
        let words = self.query.len();
        let mut order: Vec<usize> = (0..words).collect();
        order.sort_by_cached_key(|probe| {
            let entries = self.entries_of(*probe).filter_map(|at| self.scratch.entry(at));
            entries.map(|entry| self.view.list(entry.like.word).len()).sum::<usize>()
        });
        let all = Stage::of_all(self.weights, self.least);
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
            let stage = Stage::of(self.weights, words, self.least);
            self.find_names_with(*probe, &stage);
            left = rest;
        }
    }

    /// A word may be several words in a row of a listed name.
    fn find_names_joined(&mut self, at: usize, word: Word<'_>, stage: &Stage) {
        let mut buffers = self.scratch.take_buffers();
        self.find_spans(word, &mut buffers);
        let Buffers { spans, names, .. } = &mut buffers;
        // They lie all over memory: many are read at once if nothing depends on any.
        names.extend(spans.iter().map(|found| self.view.name(found.span.position)));
        let alone = Hope::of_whole(self.weights, word);
        for (FoundSpan { note, span }, name) in spans.iter().zip(names) {
            let JoinedSpan { position, letters } = *span;
            let Some(posting) = *name else { continue };
            let needed = self.needed.by_mate(posting.glance());
            let is_enough = needed <= SCORE_MAX
                && (!note.rest.is_nothing()
                    || alone.beside(posting.weight(), 0).reaches(needed, 0));
            if is_enough {
                let rest = note.rest;
                self.scratch.joined.push(position, JoinedName { at, letters, rest });
                self.look_at(posting, stage, 0);
            }
        }
        self.scratch.buffers = buffers;
    }

    /// Collects the words in a row of listed names that may be one word of the name.
    fn find_spans(&self, word: Word<'_>, buffers: &mut Buffers) {
        let (hint, letters) = (Hint::of(word), word.text.len());
        let sight = FarSight::new(hint, letters, joined_similarity_min(word));
        let all = self.view.joined.get_noted(hash(word.skeleton));
        let may_be_enough = |bytes: &[u8; Noted::BYTES]| {
            let FoundSpan { note, span } = FoundSpan::of(Noted::of_bytes(*bytes));
            let may_be_same = sight.may_be_same(note.hint, span.letters);
            self.wanted.meets(note.era, may_be_same) & sight.may_be_as_long(span.letters)
        };
        keep(&mut buffers.noted, all, may_be_enough, |_, bytes| Noted::of_bytes(*bytes));
        let may_be_like = |noted: &Noted| {
            let FoundSpan { note, span } = FoundSpan::of(*noted);
            sight.may_be_like(note.hint, span.letters)
        };
        keep(&mut buffers.spans, &buffers.noted, may_be_like, |_, noted| FoundSpan::of(*noted));
    }

    fn entries_of(&self, probe: usize) -> Range<usize> {
        let start = probe.checked_sub(1).and_then(|before| self.ends.get(before));
        start.copied().unwrap_or(0)..self.ends.get(probe).copied().unwrap_or(0)
    }

    fn find_names_with(&mut self, probe: usize, stage: &Stage) {
        let word = self.query.get(probe).copied();
        let mut lists = take(&mut self.scratch.lists);
        let entries = self.entries_of(probe).filter_map(|at| self.scratch.entry(at));
        lists.extend(entries.map(|entry| (entry.like, self.view.list(entry.like.word))));
        // They lie all over memory: many are read at once if nothing depends on any.
        let mut heads = take(&mut self.scratch.heads);
        heads.extend(lists.iter().map(|(_, list)| self.view.posting(list.start)));
        for ((like, list), head) in lists.drain(..).zip(heads.drain(..)) {
            let lost = word.map_or(0, |word| like.lost_beside(word));
            let is_enough = match word {
                Some(_) => stage.is_enough_with(like.weight, lost, self.least),
                None => stage.is_enough(),
            };
            let least = self.least;
            let is_past = |posting: Posting| {
                let ends = || stage.ends_at(posting.weight(), lost, least);
                !posting.has_initials() && (!is_enough || ends())
            };
            if head.is_none_or(is_past) {
                continue;
            }
            let mut left = self.view.postings(list);
            while let Some((first, rest)) = left.split_first() {
                let first = Posting::of_bytes(*first);
                if is_past(first) {
                    break;
                }
                left = if let Some(worth) = stage.known_of(first) {
                    self.look_at_as_heavy(left, worth.needed_max(lost))
                } else {
                    self.look_at(first, stage, lost);
                    rest
                };
            }
        }
        (self.scratch.lists, self.scratch.heads) = (lists, heads);
    }

    /// Notes those of the names that are as heavy as the first one and need no more than so much. Returns
    /// the others.
    fn look_at_as_heavy<'p>(&mut self, postings: &'p Postings, most: u16) -> &'p Postings {
        let weight = |bytes: &[u8; Posting::BYTES]| Posting::of_bytes(*bytes).weight();
        let Some((first, rest)) = postings.split_first() else { return postings };
        let is_as_heavy = |bytes: &[u8; Posting::BYTES]| weight(bytes) == weight(first);
        let (as_heavy, heavier) = postings.split_at(1 + rest.partition_point(is_as_heavy));
        if most >= self.least {
            for posting in as_heavy.iter().map(|bytes| Posting::of_bytes(*bytes)) {
                let (position, needed) = (posting.position(), self.needed.by(posting.glance()));
                if needed <= most {
                    self.scratch.see(Candidate { position, needed });
                }
            }
        }
        heavier
    }

    /// Notes a name if it may be enough, when a pair of its words has lost so much.
    fn look_at(&mut self, posting: Posting, stage: &Stage, lost: u32) {
        let known = stage.known_of(posting);
        // Quicker to see than what this one needs.
        if known.is_some_and(|worth| !worth.reaches(self.least, lost)) {
            return;
        }
        let (position, needed) = (posting.position(), self.needed.by(posting.glance()));
        let own = || self.view.own(position).filter(|_| needed <= SCORE_MAX);
        let is_enough = match known {
            Some(worth) => worth.reaches(needed, lost),
            None => {
                own().is_some_and(|own| stage.beside(own.weight, own.initials).reaches(needed, 0))
            }
        };
        if is_enough {
            self.scratch.see(Candidate { position, needed });
        }
    }
}

impl Like {
    /// What a pair with this word of the name is worth less than one of equal words.
    fn lost_beside(self, word: Word<'_>) -> u32 {
        let lost = 1_000 - u32::from(self.similarity);
        lost * (word.weight() + u32::from(self.weight))
    }
}

/// Postings side by side.
type Postings = [[u8; Posting::BYTES]];

/// No name scores more.
const SCORE_MAX: u16 = 1_000;
