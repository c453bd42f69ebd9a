//! Memory that searches use again.

use crate::plain_hash::PlainMap;
use crate::word::Word;

use super::hint::Hint;
use super::keys::Of;
use super::posting::Posting;
use super::view::{JoinedSpan, View};

/// Memory that searches use again: empty, or that of a search under way.
#[derive(Default)]
pub(super) struct Scratch {
    /// For each listed word the last of its entries, from 1.
    last_of: Vec<u32>,
    entries: Vec<Entry>,
    /// For each listed word in which of the takings of buffers it was met last.
    met: Vec<u32>,
    takings: u32,
    /// One bit for each listed name: whether it is among those seen.
    is_seen: Vec<u64>,
    pub(super) seen: Vec<Posting>,
    pub(super) joined: Vec<JoinedName>,
    pub(super) buffers: Buffers,
    /// What was like the words of earlier searches: names share many words.
    known: PlainMap<Box<[u8]>, Box<[Like]>>,
    known_count: usize,
}

/// What is looked at together, since it lies all over memory.
#[derive(Default)]
pub(super) struct Buffers {
    /// Listed words found by a key.
    pub(super) found: Vec<(u32, Of)>,
    /// Those of them that are not too far.
    pub(super) near: Vec<(u32, Of)>,
    /// Where listed names have words in a row that may be one of the search, and those names.
    pub(super) spans: Vec<(Hint, JoinedSpan)>,
    pub(super) names: Vec<Option<Posting>>,
}

/// A listed name with some words in a row that may be one of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JoinedName {
    pub(super) position: u32,
    /// The place of that one.
    pub(super) at: usize,
    /// As one word they have so many.
    pub(super) letters: usize,
}

/// A listed word that is like another one.
#[derive(Clone, Copy)]
pub(super) struct Like {
    pub(super) word: u32,
    pub(super) similarity: u16,
    pub(super) weight: u8,
    pub(super) is_particle: bool,
}

/// A listed word that is like one of the search.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) like: Like,
    /// Which one of the search.
    pub(super) probe: u8,
    before: u32,
}

/// So much is remembered of earlier searches: 8 MiB.
const KNOWN_MAX: usize = 1 << 20;
/// As much as a word takes apart from what is like it.
const KNOWN_WORD: usize = 8;

impl Scratch {
    /// Makes room for an index.
    pub(super) fn fit(&mut self, view: View<'_>) {
        self.last_of.resize(view.words.len(), 0);
        self.met.resize(view.words.len(), 0);
        self.is_seen.resize(view.len().div_ceil(64), 0);
    }

    /// Whether the last entry of a listed word is of this word of the search.
    pub(super) fn has(&self, word: u32, probe: u8) -> bool {
        self.entries_of(word).next().is_some_and(|entry| entry.probe == probe)
    }

    /// Takes the buffers, emptied. Whoever takes them puts them back.
    pub(super) fn take_buffers(&mut self) -> Buffers {
        self.takings = self.takings.checked_add(1).unwrap_or_else(|| {
            self.met.fill(0);
            1
        });
        let mut buffers = std::mem::take(&mut self.buffers);
        buffers.found.clear();
        buffers.near.clear();
        buffers.spans.clear();
        buffers.names.clear();
        buffers
    }

    /// Whether a listed word is met for the first time since buffers were taken.
    pub(super) fn is_first(&mut self, listed: u32) -> bool {
        let met = self.met.get_mut(listed as usize);
        met.is_some_and(|met| std::mem::replace(met, self.takings) != self.takings)
    }

    pub(super) fn add(&mut self, probe: u8, like: Like) {
        push((&mut self.entries, &mut self.last_of), probe, like);
    }

    /// Adds what was found for a word before; `false` where nothing is known.
    pub(super) fn recall(&mut self, probe: u8, word: Word<'_>) -> bool {
        let Some(known) = self.known.get(spelling(word).as_slice()) else { return false };
        for like in known {
            push((&mut self.entries, &mut self.last_of), probe, *like);
        }
        true
    }

    /// Keeps the entries from there on as what is like a word.
    pub(super) fn remember(&mut self, word: Word<'_>, start: usize) {
        let Some(entries) = self.entries.get(start..) else { return };
        let count = KNOWN_WORD + entries.len();
        if self.known_count + count > KNOWN_MAX {
            self.known.clear();
            self.known_count = 0;
        }
        self.known_count += count;
        let known = entries.iter().map(|entry| entry.like).collect();
        self.known.insert(spelling(word).into(), known);
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

    /// Notes a name, unless it is noted already.
    pub(super) fn see(&mut self, posting: Posting) {
        let position = posting.position();
        let bit = 1 << (position % 64);
        let names = self.is_seen.get_mut(position as usize / 64);
        if let Some(names) = names.filter(|names| **names & bit == 0) {
            *names |= bit;
            self.seen.push(posting);
        }
    }

    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            if let Some(last) = self.last_of.get_mut(entry.like.word as usize) {
                *last = 0;
            }
        }
        for posting in self.seen.drain(..) {
            if let Some(names) = self.is_seen.get_mut(posting.position() as usize / 64) {
                *names = 0;
            }
        }
        self.joined.clear();
    }
}

fn push((entries, last_of): (&mut Vec<Entry>, &mut [u32]), probe: u8, like: Like) {
    if let Some(last) = last_of.get_mut(like.word as usize) {
        entries.push(Entry { like, probe, before: *last });
        *last = u32::try_from(entries.len()).unwrap_or(0);
    }
}

/// What tells a word from any other.
fn spelling(word: Word<'_>) -> Vec<u8> {
    [word.text, &word.writing.number().to_le_bytes()].concat()
}
