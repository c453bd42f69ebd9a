//! Which of the names that were found reach what they need.

use crate::align::Alignment;
use crate::index::cover::Cover;
use crate::index::scratch::{Candidate, Entry, JoinedName};
use crate::index::view::Own;
use crate::index::{Needed, Similar};
use crate::pair::{Pair, Span};
use crate::word::Word;

use super::Search;

impl<'s, N: Needed> Search<'s, N> {
    /// The names that reach what they need, in order; those at `mates` need less.
    pub(in crate::index) fn align(&mut self, mates: &[u32]) -> Vec<Similar> {
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
