//! Memory that searches use again.

use std::num::NonZeroU16;

use crate::plain_hash::PlainMap;
use crate::rank::Rank;
use crate::word::Word;

use super::posting::Posting;
use super::view::View;

/// Memory that searches use again: empty, or that of a search under way.
#[derive(Default)]
pub(super) struct Scratch {
    /// For each listed word the last of its entries, from 1.
    last_of: Vec<u32>,
    entries: Vec<Entry>,
    /// For each listed name which words of the search it may have.
    has: Vec<Has>,
    /// The names that may have any.
    pub(super) seen: Vec<Posting>,
    /// Names with words in a row that may be the words of this mask, written as one.
    pub(super) joined: Vec<(u32, u32)>,
    /// In which round each listed word was met.
    met: Vec<u32>,
    round: u32,
    /// What was like the words of earlier searches: names share many words.
    known: PlainMap<Box<[u8]>, Box<[Known]>>,
    known_count: usize,
}

/// A listed word that may be like one of the search.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) word: u32,
    before: u32,
    /// `None` until somebody wanted to know.
    pub(super) similarity: Option<u16>,
    /// Which one of the search it may be like.
    pub(super) probe: u8,
    pub(super) weight: u8,
    pub(super) is_particle: bool,
}

/// An entry without the search that it belongs to.
#[derive(Clone, Copy)]
struct Known {
    word: u32,
    similarity: Option<NonZeroU16>,
    weight: u8,
    is_particle: bool,
}

/// So much is remembered of earlier searches: 8 MiB.
const KNOWN_MAX: usize = 1 << 20;

impl Scratch {
    /// Makes room for an index.
    pub(super) fn fit(&mut self, view: View<'_>) {
        self.last_of.resize(view.words.len(), 0);
        self.met.resize(view.words.len(), self.round);
        self.forget_words();
        self.has.resize(view.len(), Has::default());
    }

    pub(super) fn add(&mut self, word: u32, probe: u8, rank: Rank, similarity: Option<u16>) {
        let Some(last) = self.last_of.get_mut(word as usize) else { return };
        let (before, Rank { weight, is_particle, .. }) = (*last, rank);
        self.entries.push(Entry { word, before, similarity, probe, weight, is_particle });
        *last = u32::try_from(self.entries.len()).unwrap_or(0);
    }

    /// Adds what was found for a word before; `false` where nothing is known.
    pub(super) fn recall(&mut self, probe: u8, word: Word<'_>) -> bool {
        let Some(known) = self.known.get(word.text).filter(|_| word.is_alphabetic()) else {
            return false;
        };
        for known in known {
            let Some(last) = self.last_of.get_mut(known.word as usize) else { continue };
            self.entries.push(Entry {
                word: known.word,
                before: *last,
                similarity: known.similarity.map(NonZeroU16::get),
                probe,
                weight: known.weight,
                is_particle: known.is_particle,
            });
            *last = u32::try_from(self.entries.len()).unwrap_or(0);
        }
        true
    }

    /// Keeps the entries from there on as what is like a word.
    pub(super) fn remember(&mut self, word: Word<'_>, start: usize) {
        let Some(entries) = self.entries.get(start..).filter(|_| word.is_alphabetic()) else {
            return;
        };
        if self.known_count + entries.len() > KNOWN_MAX {
            self.known.clear();
            self.known_count = 0;
        }
        self.known_count += entries.len() + 1;
        let known = entries.iter().map(|entry| Known {
            word: entry.word,
            similarity: entry.similarity.and_then(NonZeroU16::new),
            weight: entry.weight,
            is_particle: entry.is_particle,
        });
        self.known.insert(word.text.into(), known.collect());
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries of a listed word.
    pub(super) fn entries_of(&self, word: u32) -> impl Iterator<Item = Entry> {
        let mut next = self.last_of.get(word as usize).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let entry = *self.entries.get(next.checked_sub(1)? as usize)?;
            next = entry.before;
            Some(entry)
        })
    }

    /// The entries of a listed word, to be changed.
    pub(super) fn entries_of_mut(&mut self, word: u32) -> EntriesMut<'_> {
        let next = self.last_of.get(word as usize).copied().unwrap_or(0);
        EntriesMut { entries: &mut self.entries, next }
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

    /// Notes what a name may have.
    pub(super) fn see(&mut self, posting: Posting, what: Has) {
        if let Some(has) = self.has.get_mut(posting.position() as usize) {
            *has = what;
            self.seen.push(posting);
        }
    }

    /// Adds what a name may have that was noted before; `false` for others.
    pub(super) fn adds(&mut self, position: u32, what: Has) -> bool {
        let known = self.has.get_mut(position as usize).filter(|has| **has != Has::default());
        known.map(|has| has.0 |= what.0).is_some()
    }

    pub(super) fn has(&self, position: u32) -> Has {
        self.has.get(position as usize).copied().unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            if let Some(last) = self.last_of.get_mut(entry.word as usize) {
                *last = 0;
            }
        }
        for posting in self.seen.drain(..) {
            if let Some(has) = self.has.get_mut(posting.position() as usize) {
                *has = Has::default();
            }
        }
        self.joined.clear();
    }
}

/// Which words of a search a name may have: one bit each, as far as there are bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Has(u8);

impl Has {
    /// Several words written as one, or one of those for which there is no bit.
    pub(super) const ANY: Self = Self(1 << Self::WORDS);
    const WORDS: u32 = u8::BITS - 1;

    pub(super) fn word(at: usize) -> Self {
        u32::try_from(at).ok().filter(|at| *at < Self::WORDS).map_or(Self::ANY, |at| Self(1 << at))
    }

    /// Whether it has that word, or may have it for all that is known.
    pub(super) fn may_have(self, at: usize) -> bool {
        self.0 & (Self::word(at).0 | Self::ANY.0) != 0
    }

    pub(super) fn may_have_any(self) -> bool {
        self.0 & Self::ANY.0 != 0
    }
}

/// The entries of a listed word, one after the other.
pub(super) struct EntriesMut<'s> {
    entries: &'s mut [Entry],
    next: u32,
}

impl EntriesMut<'_> {
    pub(super) fn next(&mut self) -> Option<&mut Entry> {
        let entry = self.entries.get_mut(self.next.checked_sub(1)? as usize)?;
        self.next = entry.before;
        Some(entry)
    }
}
