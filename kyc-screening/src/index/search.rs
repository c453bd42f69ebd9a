//! The search for one name.

use crate::align::{Alignment, score_max};
use crate::name::NameKey;
use crate::pair::{Pair, Span};
use crate::plain_hash::hash;
use crate::word::{JOINED_BYTES_MIN, Word, cost_max};

use super::scratch::{Scratch, Sighting};
use super::{Index, Partners, Similar, light};

/// A search for one name.
pub(super) struct Search<'s> {
    index: &'s Index,
    name: &'s NameKey,
    query: &'s [&'s Word],
    /// What is like each word of the name.
    words: Vec<Partners>,
    /// What is like several of its words written as one.
    spans: Vec<(Span<'s>, Partners)>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
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
    pub(super) fn sight(&self, floor: u16, scratch: &mut Scratch) {
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

    pub(super) fn align(
        &self,
        floor: u16,
        floor_of: impl Fn(u32) -> u16,
        scratch: &mut Scratch,
    ) -> Vec<Similar> {
        let query = self.query;
        let (query_weight, query_light) = (self.name.weight(), light(self.name));
        let (mut similar, mut pairs, mut words) = (Vec::new(), Vec::new(), Vec::new());
        scratch.seen.sort_unstable();
        for position in &scratch.seen {
            let at = *position as usize;
            let Some(sighting) = scratch.sightings.get(at) else { continue };
            let Some((weight, light)) = self.index.weights.get(at) else { continue };
            let (weight, light) = (u32::from(*weight), u32::from(*light) + query_light);
            let covered = [
                (sighting.query_weight(self.name) + light).min(query_weight),
                (u32::from(sighting.weight) + light).min(weight),
            ];
            let most = score_max(covered, [query_weight, weight]);
            if most < floor.into() || most < floor_of(*position).into() {
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
