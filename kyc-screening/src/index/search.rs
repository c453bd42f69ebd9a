//! The search for one name.

use std::mem::take;
use std::ops::Range;

use crate::align::Alignment;
use crate::numbers::Noted;
use crate::pair::{Pair, Span, joined_similarity_min};
use crate::plain_hash::hash;
use crate::rank::Rank;
use crate::word::{JOINED_BYTES_MIN, Word};

use super::cover::Cover;
use super::group::Group;
use super::hint::{FarSight, Hint};
use super::keep::keep;
use super::keys::{Of, looked_up};
use super::posting::Posting;
use super::scratch::{Buffers, Candidate, Entry, FoundSpan, JoinedName, Like, Scratch};
use super::sight::Sight;
use super::stage::{Hope, Stage, Weights};
use super::view::{JoinedSpan, Own, View};
use super::wanted::Wanted;
use super::{Needed, Similar};

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

    /// Finds the listed words that may be like the words of the name.
    pub(super) fn find_words(&mut self) {
        for (probe, word) in (0_u8..).zip(self.query) {
            self.find_like(probe, *word);
            self.ends.push(self.scratch.entry_count());
        }
        let words = u8::try_from(self.query.len()).unwrap_or(u8::MAX);
        for (probe, span) in (words..).zip(self.spans.clone()) {
            self.find_like_joined(probe, span);
            self.ends.push(self.scratch.entry_count());
        }
        let light =
            (0..self.ends.len()).filter(|probe| self.may_answer_to_particle(*probe)).count();
        self.weights = self.weights.with_light_partners(light);
    }

    fn find_like(&mut self, probe: u8, word: Word<'_>) {
        if self.scratch.recall(probe, word, self.wanted) {
            return;
        }
        let sight = Sight::of(word);
        let mut buffers = self.scratch.take_buffers();
        self.look_up(word, &sight, &mut buffers);
        for (number, of) in buffers.near.iter().copied() {
            let Some(shape) = self.view.words.shape(number as usize) else { continue };
            let spelling = self.view.words.spelling(shape);
            // A word has several keys, and may be found by each.
            let may_be_like = sight.is_slip(shape, spelling.0, of)
                || self.scratch.is_first(number) && sight.is_like(shape, spelling);
            if !may_be_like || self.scratch.is_added(number) {
                continue;
            }
            let listed = self.view.words.of_shape(shape);
            let similarity = listed.map_or(0, |listed| word.similarity(listed));
            if similarity > 0 {
                self.scratch.mark_added(number);
                let like = self.like(number, similarity, shape.rank());
                buffers.likes.push(like);
                if like.is_wanted(self.wanted) {
                    self.scratch.add(probe, like);
                }
            }
        }
        self.scratch.remember(word, &buffers.likes);
        self.scratch.buffers = buffers;
    }

    /// Collects the listed words that share a key with a word and are not too far.
    fn look_up(&self, word: Word<'_>, sight: &Sight<'_>, buffers: &mut Buffers) {
        let View { words, words_of, groups_of, .. } = self.view;
        let Buffers { groups, found, near, .. } = buffers;
        looked_up(word, |key, of| match of {
            Of::Skeleton => groups.extend(groups_of.get(key)),
            Of::Sounds | Of::Letters => {
                found.extend(words_of.get(key).map(|number| (number, of)));
            }
        });
        for group in self.view.groups(groups) {
            if sight.is_spelled {
                sight.keep_near(group, near);
            } else {
                found.extend(group.words().map(|number| (number, Of::Skeleton)));
            }
        }
        let may_be_like = |&(number, of): &(u32, Of)| {
            words.shape(number as usize).is_some_and(|shape| sight.may_be_like(shape, of))
        };
        keep(near, found, may_be_like, |_, found| *found);
    }

    /// Whether a listed particle is like what is no particle of the name.
    fn may_answer_to_particle(&self, probe: usize) -> bool {
        let is_particle = self.query.get(probe).is_some_and(|word| word.is_particle());
        let mut entries = self.entries_of(probe).filter_map(|at| self.scratch.entry(at));
        !is_particle && entries.any(|entry| entry.like.is_particle)
    }

    /// What is known of a listed word that is this similar.
    fn like(&self, word: u32, similarity: u16, rank: Rank) -> Like {
        let Rank { weight, is_particle, .. } = rank;
        let (era, is_common) = (self.view.era(word), rank.tells_little());
        Like { word, similarity, era, weight, is_particle, is_common }
    }

    /// A listed word may be several words in a row of the name.
    fn find_like_joined(&mut self, probe: u8, span: Span<'_>) {
        let View { words, groups_of, .. } = self.view;
        let Some(key) = span.skeleton().map(|skeleton| hash(&skeleton)) else { return };
        let mut groups: Vec<u32> = groups_of.get(key).collect();
        if groups.is_empty() {
            return;
        }
        let Some(joined) = span.joined() else { return };
        let Some(joined) = joined.view().get(0) else { return };
        let (hint, letters) = (Hint::of_joined(span, joined), joined.text.len());
        let sight = FarSight::new(hint, letters, span.similarity_min(joined));
        for number in self.view.groups(&mut groups).flat_map(Group::words) {
            let shape = words.shape(number as usize).filter(|shape| {
                let letters = shape.letters();
                sight.may_be_as_long(letters) && sight.may_be_like(Hint::of_shape(*shape), letters)
            });
            let word = shape.and_then(|shape| words.of_shape(shape));
            let Some(word) = word.filter(|word| span.may_be_written_as(*word)) else { continue };
            if let Some(similarity) = span.similarity(word, joined) {
                self.scratch.add(probe, self.like(number, similarity, word.rank));
            }
        }
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
            let postings = self.view.postings(list).iter().map(|bytes| Posting::of_bytes(*bytes));
            for posting in postings.take_while(|posting| !is_past(*posting)) {
                self.look_at(posting, stage, lost);
            }
        }
        (self.scratch.lists, self.scratch.heads) = (lists, heads);
    }

    /// Notes a name if it may be enough, when a pair of its words has lost so much.
    fn look_at(&mut self, posting: Posting, stage: &Stage, lost: u32) {
        let known = stage.known(posting.weight()).filter(|_| !posting.has_initials());
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

    /// The names that reach what they need, in order; those at `mates` need less.
    pub(super) fn align(&mut self, mates: &[u32]) -> Vec<Similar> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for position in mates {
            let name = self.view.name(*position);
            let needed = name.map(|posting| self.needed.by_mate(posting.glance()));
            candidates.extend(needed.map(|needed| Candidate { position: *position, needed }));
        }
        candidates.extend_from_slice(&self.scratch.seen);
        // They lie all over memory: many are read at once if nothing depends on any.
        let mut owns = Vec::with_capacity(candidates.len());
        owns.extend(candidates.iter().map(|candidate| self.view.own(candidate.position)));
        let mut owns = owns.into_iter();
        candidates.retain(|candidate| {
            owns.next().flatten().is_some_and(|own| self.may_be_enough(*candidate, own))
        });
        candidates.sort_unstable();
        candidates.dedup_by_key(|candidate| candidate.position);
        let (mut pairs, mut words, mut similar) = (Vec::new(), Vec::new(), Vec::new());
        for Candidate { position, needed } in candidates {
            pairs.clear();
            words.clear();
            self.pair(position, &mut words, &mut pairs);
            self.pair_joined(position, &words, &mut pairs);
            let alignment = Alignment::from_pairs(&mut pairs, self.query, &words);
            if alignment.score().thousandths() >= needed {
                similar.push(Similar { position, alignment });
            }
        }
        similar
    }

    /// Whether the words of a name that may answer to each other are enough.
    fn may_be_enough(&self, Candidate { position, needed }: Candidate, own: Own) -> bool {
        let mut cover = Cover::default();
        for word in own.words(self.view).filter(|word| self.scratch.is_like_any(*word)) {
            let entries = self.scratch.entries_of(word);
            cover.add(entries.map(|entry| (self.places(entry.probe), entry.like)));
        }
        for joined in self.scratch.joined.of(position) {
            cover.add_joined(joined, own);
        }
        cover.reaches(needed, (self.query, self.weights), own)
    }

    /// The words of the search that a probe is for, one bit each, and whether it is for several.
    fn places(&self, probe: u8) -> (u32, bool) {
        match usize::from(probe).checked_sub(self.query.len()) {
            None => (1 << probe, false),
            Some(span) => (self.spans.get(span).map_or(0, |span| span.mask()), true),
        }
    }

    /// The pairs of several words of a listed name in a row and one of the name.
    fn pair_joined(&self, position: u32, words: &[Word<'s>], pairs: &mut Vec<Pair>) {
        for JoinedName { at, letters, .. } in self.scratch.joined.of(position) {
            let Some(word) = self.query.get(at).copied() else { continue };
            let spans = Span::several(words).filter(|span| span.letters() == letters);
            pairs.extend(
                spans.filter_map(|span| Pair::of_joined(span, (at, word))).map(Pair::turned),
            );
        }
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
            for Entry { probe, like, .. } in self.scratch.entries_of(number) {
                let probe = usize::from(probe);
                let Some(word) = self.query.get(probe).copied() else {
                    let span = self.spans.get(probe - self.query.len());
                    pairs.extend(span.map(|span| Pair::of_span(*span, right, like.similarity)));
                    continue;
                };
                if !word.is_initial_with(other) {
                    pairs.push(Pair::of_words((probe, word), right, like.similarity));
                }
            }
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

/// No name scores more.
const SCORE_MAX: u16 = 1_000;
