//! Which listed words may be like the words of the name.

use crate::index::Needed;
use crate::index::group::Group;
use crate::index::hint::{FarSight, Hint};
use crate::index::keep::keep;
use crate::index::keys::{Of, looked_up};
use crate::index::scratch::{Buffers, Like};
use crate::index::sight::Sight;
use crate::index::view::View;
use crate::pair::Span;
use crate::plain_hash::hash;
use crate::rank::Rank;
use crate::word::Word;

use super::Search;

impl<N: Needed> Search<'_, N> {
    /// Finds the listed words that may be like the words of the name.
    pub(in crate::index) fn find_words(&mut self) {
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
}
