//! Memory that searches use again.

use std::ops::Range;

use crate::glance::Era;
use crate::numbers::Noted;
use crate::word::Word;

use super::chains::Chains;
use super::keys::Of;
use super::known::Known;
use super::marks::Marks;
use super::posting::Posting;
use super::view::{JoinedNote, JoinedSpan, Rest, View};
use super::wanted::Wanted;

/// Memory that searches use again: empty, or that of a search under way.
#[derive(Default)]
pub(super) struct Scratch {
    /// Of listed words, and which of these have any.
    entries: Chains<Entry>,
    alike: Marks,
    /// The listed words that were met since buffers were taken, and those that were added.
    met: Marks,
    added: Marks,
    is_seen: Marks,
    pub(super) seen: Vec<Candidate>,
    /// Of listed names.
    pub(super) joined: Chains<JoinedName>,
    pub(super) buffers: Buffers,
    /// Where the names are listed that have a word, and the first of each list.
    pub(super) lists: Vec<(Like, Range<usize>)>,
    pub(super) heads: Vec<Option<Posting>>,
    known: Known,
}

/// What is looked at together, since it lies all over memory.
#[derive(Default)]
pub(super) struct Buffers {
    /// Groups of listed words found by a key.
    pub(super) groups: Vec<u32>,
    /// Listed words found by a key.
    pub(super) found: Vec<(u32, Of)>,
    /// Those of them that are not too far.
    pub(super) near: Vec<(u32, Of)>,
    /// What is like the word.
    pub(super) likes: Vec<Like>,
    /// Words in a row of listed names that may be one of the search, by what is quickest to see.
    pub(super) noted: Vec<Noted>,
    /// Those of them that are not too far, and the names they are of.
    pub(super) spans: Vec<FoundSpan>,
    pub(super) names: Vec<Option<Posting>>,
}

/// A listed name that is worth being compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) position: u32,
    pub(super) needed: u16,
}

/// Some words in a row of a listed name that may be one of the search.
#[derive(Clone, Copy, Default)]
pub(super) struct FoundSpan {
    pub(super) note: JoinedNote,
    pub(super) span: JoinedSpan,
}

impl FoundSpan {
    pub(super) fn of(noted: Noted) -> Self {
        let span = JoinedSpan::of_number(noted.number);
        Self { note: JoinedNote::of_bits(noted.note), span }
    }
}

/// A listed name with some words in a row that may be one of the search.
#[derive(Clone, Copy)]
pub(super) struct JoinedName {
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
    pub(super) era: Era,
    pub(super) weight: u8,
    pub(super) is_particle: bool,
    pub(super) is_common: bool,
}

impl Like {
    /// Whether it matters.
    pub(super) fn is_wanted(self, wanted: Wanted) -> bool {
        wanted.meets(self.era, self.similarity == 1_000)
    }
}

/// A listed word that is like one of the search.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) like: Like,
    /// Which one of the search.
    pub(super) probe: u8,
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
        buffers.groups.clear();
        buffers.likes.clear();
        buffers.near.clear();
        buffers.noted.clear();
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
        push((&mut self.entries, &mut self.alike), Entry { like, probe });
    }

    /// Adds what was found for a word before and is wanted; `false` where nothing is known.
    pub(super) fn recall(&mut self, probe: u8, word: Word<'_>, wanted: Wanted) -> bool {
        let Some(known) = self.known.get(word) else { return false };
        for like in known.iter().filter(|like| like.is_wanted(wanted)) {
            push((&mut self.entries, &mut self.alike), Entry { like: *like, probe });
        }
        true
    }

    /// Keeps what is like a word, wanted or not.
    pub(super) fn remember(&mut self, word: Word<'_>, likes: &[Like]) {
        self.known.keep(word, likes);
    }

    /// How many entries there are.
    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The entry that was added there.
    pub(super) fn entry(&self, at: usize) -> Option<Entry> {
        self.entries.get(at)
    }

    /// The entries of a listed word.
    pub(super) fn entries_of(&self, word: u32) -> impl Iterator<Item = Entry> {
        self.entries.of(word)
    }

    /// Notes a name, unless it is noted already.
    pub(super) fn see(&mut self, candidate: Candidate) {
        if self.is_seen.add(candidate.position) {
            self.seen.push(candidate);
        }
    }

    pub(super) fn clear(&mut self) {
        let entries = (0..self.entries.len()).filter_map(|at| self.entries.get(at));
        self.alike.forget(entries.map(|entry| entry.like.word));
        self.entries.clear();
        self.is_seen.forget(self.seen.drain(..).map(|candidate| candidate.position));
        self.joined.clear();
    }
}

fn push((entries, alike): (&mut Chains<Entry>, &mut Marks), entry: Entry) {
    alike.add(entry.like.word);
    entries.push(entry.like.word, entry);
}
