//! Memory that searches use again.

use crate::name::NameKey;
use crate::plain_hash::PlainMap;

use super::Partners;

/// Memory that searches use again.
pub(super) struct Scratch {
    /// The partners of words that were met before.
    pub(super) known: PlainMap<Box<str>, Partners>,
    pub(super) sightings: Vec<Sighting>,
    /// The names of which something is known.
    pub(super) seen: Vec<u32>,
    /// In which round each word was met.
    met: Vec<u32>,
    round: u32,
}

impl Scratch {
    pub(super) fn new(words: usize, names: usize) -> Self {
        Self {
            known: PlainMap::default(),
            sightings: vec![Sighting::default(); names],
            seen: Vec::new(),
            met: vec![0; words],
            round: 1,
        }
    }

    pub(super) fn note(&mut self, position: u32, sighting: Sighting, is_enough: bool) {
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

    pub(super) fn is_new(&mut self, word: u32) -> bool {
        let Some(met) = self.met.get_mut(word as usize) else { return false };
        std::mem::replace(met, self.round) != self.round
    }

    pub(super) fn forget_words(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.met.fill(0);
            1
        });
    }

    pub(super) fn clear(&mut self) {
        for position in self.seen.drain(..) {
            if let Some(known) = self.sightings.get_mut(position as usize) {
                *known = Sighting::default();
            }
        }
    }
}

/// What is known of one name so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Sighting {
    /// The words of the query that may have a partner in it, one bit each.
    pub(super) query: u32,
    /// What its own words with a possible partner weigh, or more.
    pub(super) weight: u16,
    pub(super) is_joined: bool,
}

impl Sighting {
    pub(super) fn query_weight(self, name: &NameKey) -> u32 {
        let words = name.words().iter().enumerate();
        words.filter(|(at, _)| self.query & (1 << at) != 0).map(|(_, word)| word.weight()).sum()
    }
}
