//! Memory that searches use again.

use crate::plain_hash::PlainMap;
use crate::word::Word;

use super::bearers::{Bearers, Wanted};
use super::keys::Of;
use super::known::Known;
use super::marks::Marks;
use super::posting::Posting;
use super::view::{JoinedNote, JoinedSpan, Rest, View};

/// Memory that searches use again: empty, or that of a search under way.
#[derive(Default)]
pub(super) struct Scratch {
    entries: Vec<Entry>,
    /// The listed words that have entries, and the last one of each, from 1.
    alike: Marks,
    last_of: PlainMap<u32, u32>,
    /// The listed words that were met since buffers were taken, and those that were added.
    met: Marks,
    added: Marks,
    is_seen: Marks,
    pub(super) seen: Vec<Candidate>,
    pub(super) joined: Vec<JoinedName>,
    pub(super) buffers: Buffers,
    known: Known,
}

/// What is looked at together, since it lies all over memory.
#[derive(Default)]
pub(super) struct Buffers {
    /// Listed words found by a key.
    pub(super) found: Vec<(u32, Of)>,
    /// What is like the word.
    pub(super) likes: Vec<Like>,
    /// Those of them that are not too far.
    pub(super) near: Vec<(u32, Of)>,
    /// Where listed names have words in a row that may be one of the search, and those names.
    pub(super) spans: Vec<(JoinedNote, JoinedSpan)>,
    pub(super) names: Vec<Option<Posting>>,
}

/// A listed name that is worth being compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) position: u32,
    pub(super) needed: u16,
}

/// A listed name with some words in a row that may be one of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JoinedName {
    pub(super) position: u32,
    /// The place of that one.
    pub(super) at: usize,
    /// As one word they have so many.
    pub(super) letters: usize,
    /// What the other words of the listed name weigh.
    pub(super) rest: Rest,
}

/// A listed word that is like another one.
#[derive(Clone, Copy)]
pub(super) struct Like {
    pub(super) word: u32,
    pub(super) similarity: u16,
    pub(super) bearers: Bearers,
    pub(super) weight: u8,
    pub(super) is_particle: bool,
    pub(super) is_common: bool,
}

impl Like {
    /// Whether it matters.
    pub(super) fn is_wanted(self, wanted: Wanted) -> bool {
        wanted.meets(self.bearers.era, self.similarity == 1_000)
    }
}

/// A listed word that is like one of the search.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) like: Like,
    /// Which one of the search.
    pub(super) probe: u8,
    before: u32,
}

impl Scratch {
    /// Makes room for an index.
    pub(super) fn fit(&mut self, view: View<'_>) {
        for marks in [&mut self.alike, &mut self.met, &mut self.added] {
            marks.fit(view.words.len());
        }
        self.is_seen.fit(view.len());
        self.known.fit(view.words.len());
    }

    /// Whether a listed word has entries.
    pub(super) fn is_like_any(&self, word: u32) -> bool {
        self.alike.has(word)
    }

    /// Takes the buffers, emptied. Whoever takes them puts them back.
    pub(super) fn take_buffers(&mut self) -> Buffers {
        let mut buffers = std::mem::take(&mut self.buffers);
        let near = || buffers.near.iter().map(|(word, _)| *word);
        self.met.forget(near());
        self.added.forget(near());
        buffers.found.clear();
        buffers.likes.clear();
        buffers.near.clear();
        buffers.spans.clear();
        buffers.names.clear();
        buffers
    }

    /// Whether a listed word is met for the first time since buffers were taken.
    pub(super) fn is_first(&mut self, listed: u32) -> bool {
        self.met.add(listed)
    }

    /// Whether a listed word was added since then.
    pub(super) fn is_added(&self, listed: u32) -> bool {
        self.added.has(listed)
    }

    pub(super) fn mark_added(&mut self, listed: u32) {
        self.added.add(listed);
    }

    pub(super) fn add(&mut self, probe: u8, like: Like) {
        push((&mut self.entries, &mut self.last_of, &mut self.alike), probe, like);
    }

    /// Adds what was found for a word before and is wanted; `false` where nothing is known.
    pub(super) fn recall(&mut self, probe: u8, word: Word<'_>, wanted: Wanted) -> bool {
        let Some(known) = self.known.get(word) else { return false };
        for like in known.iter().filter(|like| like.is_wanted(wanted)) {
            push((&mut self.entries, &mut self.last_of, &mut self.alike), probe, *like);
        }
        true
    }

    /// Keeps what is like a word, wanted or not.
    pub(super) fn remember(&mut self, word: Word<'_>, likes: &[Like]) {
        self.known.keep(word, likes);
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries of a listed word.
    pub(super) fn entries_of(&self, word: u32) -> impl Iterator<Item = Entry> {
        let mut next = self.last_of.get(&word).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let entry = *self.entries.get(next.checked_sub(1)? as usize)?;
            next = entry.before;
            Some(entry)
        })
    }

    /// Notes a name, unless it is noted already.
    pub(super) fn see(&mut self, candidate: Candidate) {
        if self.is_seen.add(candidate.position) {
            self.seen.push(candidate);
        }
    }

    pub(super) fn clear(&mut self) {
        self.alike.forget(self.entries.drain(..).map(|entry| entry.like.word));
        self.last_of.clear();
        self.is_seen.forget(self.seen.drain(..).map(|candidate| candidate.position));
        self.joined.clear();
    }
}

fn push(
    (entries, last_of, alike): (&mut Vec<Entry>, &mut PlainMap<u32, u32>, &mut Marks),
    probe: u8,
    like: Like,
) {
    alike.add(like.word);
    let number = u32::try_from(entries.len() + 1).unwrap_or(0);
    let before = last_of.insert(like.word, number).unwrap_or(0);
    entries.push(Entry { like, probe, before });
}
