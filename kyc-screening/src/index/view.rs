//! What an index is made of.

use std::ops::Range;

use crate::codec::take;
use crate::glance::Era;
use crate::name::WORDS_MAX;
use crate::numbers::{Numbers, Table};
use crate::rank::MINOR;
use crate::slab::{pack, unpack};
use crate::words::WordsView;

use super::group::{Gist, Group};
use super::hint::Hint;
use super::posting::Posting;

/// The sections of an index.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// The different words.
    pub(super) words: WordsView<'a>,
    /// When the bearers of each were born.
    eras: &'a [[u8; Era::BYTES]],
    /// What is seen of each name, apart from its words: more of them lie in a cache.
    names: &'a [[u8; Posting::BYTES]],
    own: &'a [[u8; Own::BYTES]],
    /// The words of long names.
    long: Numbers<'a>,
    ends: Numbers<'a>,
    postings: &'a [[u8; Posting::BYTES]],
    /// What is seen of each word without looking there.
    gists: &'a [[u8; Gist::BYTES]],
    /// Where the words of each group end.
    group_ends: Numbers<'a>,
    /// The groups under each key of a skeleton.
    pub(super) groups_of: Table<'a>,
    /// The words under each key.
    pub(super) words_of: Table<'a>,
    /// The names with some words in a row that would have this skeleton as one.
    pub(super) joined: Table<'a>,
}

pub(super) type Sections = [Vec<u8>; 16];

pub(super) fn to_bytes(sections: &Sections) -> Vec<u8> {
    pack(sections.each_ref().map(Vec::as_slice))
}

/// What is kept of a name, side by side.
#[derive(Clone, Copy)]
pub(super) struct Own {
    /// What its words weigh, without particles.
    pub(super) weight: u8,
    /// What its initials weigh.
    pub(super) initials: u8,
    /// How many words it has.
    pub(super) count: u8,
    /// Their numbers. The first is where they begin among those of long names, if there are more.
    pub(super) words: [u32; Self::WORDS],
}

impl Own {
    /// Few names have more.
    pub(super) const WORDS: usize = 5;
    const BYTES: usize = 3 + 4 * Self::WORDS;

    pub(super) fn write(self, out: &mut Vec<u8>) {
        out.extend([self.weight, self.initials, self.count]);
        out.extend(self.words.into_iter().flat_map(u32::to_le_bytes));
    }

    fn read(bytes: &[u8; Self::BYTES]) -> Self {
        let mut bytes = bytes.as_slice();
        let [weight, initials, count] = take(&mut bytes);
        let words = std::array::from_fn(|_| u32::from_le_bytes(take(&mut bytes)));
        Self { weight, initials, count, words }
    }

    /// The numbers of its words, in their order.
    pub(super) fn words(&self, view: View<'_>) -> impl Iterator<Item = u32> {
        let count = usize::from(self.count);
        let long = self.words[0] as usize;
        // A forged image may say more.
        (0..count.min(WORDS_MAX)).filter_map(move |at| {
            match self.words.get(at).filter(|_| count <= Self::WORDS) {
                Some(word) => Some(*word),
                None => view.long.get(long + at),
            }
        })
    }
}

impl<'a> View<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let [
            text,
            shapes,
            eras,
            names,
            own,
            long,
            ends,
            postings,
            gists,
            group_ends,
            group_buckets,
            group_keys,
            buckets,
            keys,
            spans,
            joined,
        ] = unpack(bytes);
        Self {
            words: WordsView::new([text, shapes]),
            eras: eras.as_chunks().0,
            names: names.as_chunks().0,
            own: own.as_chunks().0,
            long: Numbers::new(long),
            ends: Numbers::new(ends),
            postings: postings.as_chunks().0,
            gists: gists.as_chunks().0,
            group_ends: Numbers::new(group_ends),
            groups_of: Table::new([group_buckets, group_keys]),
            words_of: Table::new([buckets, keys]),
            joined: Table::new([spans, joined]),
        }
    }

    /// How many names there are.
    pub(super) fn len(self) -> usize {
        self.own.len()
    }

    /// When those whose names have a word were born.
    pub(super) fn era(self, word: u32) -> Era {
        let era = self.eras.get(word as usize).copied();
        era.map(|bytes| Era::of_bits(u16::from_le_bytes(bytes))).unwrap_or_default()
    }

    /// Groups of words, each once. None has a word that another one has, whatever a forged image says.
    pub(super) fn groups(self, numbers: &mut Vec<u32>) -> impl Iterator<Item = Group<'a>> {
        numbers.sort_unstable();
        numbers.dedup();
        let mut end = 0;
        numbers.iter().filter_map(move |number| {
            let range = self.group_ends.range_of(*number as usize);
            let first = u32::try_from(range.start).ok().filter(|_| range.start >= end)?;
            let gists = self.gists.get(range.clone())?;
            end = range.end;
            Some(Group { first, gists })
        })
    }

    pub(super) fn name(self, position: u32) -> Option<Posting> {
        self.names.get(position as usize).map(|bytes| Posting::of_bytes(*bytes))
    }

    pub(super) fn own(self, position: u32) -> Option<Own> {
        self.own.get(position as usize).map(Own::read)
    }

    /// Where the names are listed that have a word.
    pub(super) fn list(self, word: u32) -> Range<usize> {
        self.ends.range_of(word as usize)
    }

    pub(super) fn posting(self, at: usize) -> Option<Posting> {
        self.postings.get(at).map(|bytes| Posting::of_bytes(*bytes))
    }

    /// The names of a list, once for each occurrence; those with initials first.
    pub(super) fn postings(self, list: Range<usize>) -> &'a [[u8; Posting::BYTES]] {
        self.postings.get(list).unwrap_or_default()
    }
}

/// Some words in a row of a listed name.
#[derive(Clone, Copy, Default)]
pub(super) struct JoinedSpan {
    pub(super) position: u32,
    /// As one word they have so many.
    pub(super) letters: usize,
}

impl JoinedSpan {
    /// A word has 32 letters at most; the rest of the bits are those of a position.
    const LETTERS_BITS: u32 = 5;

    pub(super) fn to_number(self) -> u32 {
        let letters = u32::try_from(self.letters).unwrap_or(u32::MAX).saturating_sub(1);
        self.position << Self::LETTERS_BITS | letters & Self::mask()
    }

    pub(super) fn of_number(number: u32) -> Self {
        let letters = (number & Self::mask()) as usize + 1;
        Self { position: number >> Self::LETTERS_BITS, letters }
    }

    const fn mask() -> u32 {
        (1 << Self::LETTERS_BITS) - 1
    }
}

/// What is seen of some words in a row of a listed name without looking there.
#[derive(Clone, Copy, Default)]
pub(super) struct JoinedNote {
    pub(super) hint: Hint,
    /// When the bearer was born.
    pub(super) era: Era,
    pub(super) rest: Rest,
}

const _: () = assert!(Hint::BITS + Era::BITS + Rest::BITS <= u32::BITS);

impl JoinedNote {
    pub(super) fn to_bits(self) -> u32 {
        let bits = self.rest.0 << Era::BITS | u32::from(self.era.to_bits());
        bits << Hint::BITS | u32::from(self.hint.to_bits())
    }

    pub(super) fn of_bits(bits: u32) -> Self {
        let [a, b, c, d] = bits.to_le_bytes();
        Self {
            hint: Hint::of_bits(u16::from_le_bytes([a, b])),
            era: Era::of_bits(u16::from_le_bytes([c, d])),
            rest: Rest(bits >> (Hint::BITS + Era::BITS)),
        }
    }
}

/// What the words of a listed name weigh beside some of them: nothing, that of particles alone, or that
/// of names as far as there are bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rest(u32);

impl Rest {
    const BITS: u32 = 3;
    const MAX: u32 = (1 << Self::BITS) - 1;
    /// No name of a person weighs so little.
    const PARTICLES: u32 = MINOR as u32;

    pub(super) fn of(names: u32, has_particles: bool) -> Self {
        Self(names.max(if has_particles { Self::PARTICLES } else { 0 }).min(Self::MAX))
    }

    pub(super) fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// What names among them weigh at least.
    pub(super) fn names(self) -> u32 {
        if self.0 == Self::PARTICLES { 0 } else { self.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Glance;

    #[test]
    fn a_note_is_read_back() {
        for names in [0, 2, 5, 7, 30] {
            for has_particles in [false, true] {
                let note = JoinedNote {
                    hint: Hint::of_bits(0xa55a),
                    era: Era::of(Glance::of_bits(0x5a5a_5a5a)),
                    rest: Rest::of(names, has_particles),
                };
                let read = JoinedNote::of_bits(note.to_bits());
                assert_eq!(read.hint.to_bits(), 0xa55a);
                assert_eq!(read.era, note.era);
                assert_eq!(read.rest.names(), names.min(7));
                assert_eq!(read.rest.is_nothing(), names == 0 && !has_particles);
            }
        }
    }
}
