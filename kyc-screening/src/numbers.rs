//! Numbers, and tables from keys to them, in bytes that somebody else owns.

use std::ops::Range;

/// Numbers, one behind the other.
#[derive(Clone, Copy, Default)]
pub(crate) struct Numbers<'a>(&'a [[u8; 4]]);

impl<'a> Numbers<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(self, at: usize) -> Option<u32> {
        self.0.get(at).map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// Where a list is, when these are the ends of lists that lie one behind the other.
    pub(crate) fn range_of(self, list: usize) -> Range<usize> {
        let start = list.checked_sub(1).map_or(Some(0), |before| self.get(before));
        let range = start.zip(self.get(list));
        range.map_or(0..0, |(start, end)| start as usize..end as usize)
    }

    pub(crate) fn to_bytes(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }
}

/// The end of each of `count` lists, when these are the lists that each item belongs to, in order.
pub(crate) fn ends(count: usize, lists: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ends = vec![0; count];
    for list in lists {
        if let Some(end) = ends.get_mut(list as usize) {
            *end += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    ends
}

/// Numbers under keys of 64 bits, each with a note of 32 bits. The note of most is a fingerprint of the
/// key, so now and then there is a number more than there should be.
#[derive(Clone, Copy, Default)]
pub(crate) struct Table<'a> {
    /// Where the entries of each bucket begin: each has an equal share of all fingerprints, in their
    /// order.
    buckets: Numbers<'a>,
    entries: &'a [[u8; Noted::BYTES]],
}

/// A number and its note.
#[derive(Clone, Copy, Default)]
pub(crate) struct Noted {
    pub(crate) number: u32,
    pub(crate) note: u32,
}

impl Noted {
    pub(crate) const BYTES: usize = 8;

    pub(crate) fn of_bytes([a, b, c, d, note @ ..]: [u8; Self::BYTES]) -> Self {
        Self { number: u32::from_le_bytes([a, b, c, d]), note: u32::from_le_bytes(note) }
    }

    fn to_bytes(self) -> impl Iterator<Item = u8> {
        [self.number, self.note].into_iter().flat_map(u32::to_le_bytes)
    }
}

impl<'a> Table<'a> {
    pub(crate) fn new([buckets, entries]: [&'a [u8]; 2]) -> Self {
        Self { buckets: Numbers::new(buckets), entries: entries.as_chunks().0 }
    }

    /// The numbers that were added without a note. They do not depend on how many buckets there are.
    pub(crate) fn get(self, key: u64) -> impl Iterator<Item = u32> + 'a {
        let own = fingerprint(key);
        let noted = self.get_noted(key).iter().map(|bytes| Noted::of_bytes(*bytes));
        noted.filter(move |noted| noted.note == own).map(|noted| noted.number)
    }

    /// The numbers that were added with a note, and some that were added under other keys; as bytes, of
    /// which [`Noted::of_bytes`] makes them.
    pub(crate) fn get_noted(self, key: u64) -> &'a [[u8; Noted::BYTES]] {
        let bucket = bucket(fingerprint(key), self.buckets.len().saturating_sub(1));
        let range = self.buckets.get(bucket).zip(self.buckets.get(bucket + 1));
        let range = range.map_or(0..0, |(start, end)| start as usize..end as usize);
        self.entries.get(range).unwrap_or_default()
    }
}

/// Collects the entries of a [`Table`].
#[derive(Default)]
pub(crate) struct TableBuilder(Vec<Entry>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    print: u32,
    number: u32,
    note: u32,
}

impl TableBuilder {
    pub(crate) fn push(&mut self, key: u64, number: u32) {
        self.push_noted(key, fingerprint(key), number);
    }

    pub(crate) fn push_noted(&mut self, key: u64, note: u32, number: u32) {
        self.0.push(Entry { print: fingerprint(key), number, note });
    }

    /// As [`Table::new`] takes it.
    pub(crate) fn finish(mut self) -> [Vec<u8>; 2] {
        self.0.sort_unstable();
        self.0.dedup();
        let count = (self.0.len() / ENTRIES_PER_BUCKET).max(1);
        let mut buckets = Vec::with_capacity(count + 1);
        let mut entries = Vec::with_capacity(Noted::BYTES * self.0.len());
        for (at, Entry { print, number, note }) in (0_u32..).zip(&self.0) {
            let own = bucket(*print, count);
            while buckets.len() <= own {
                buckets.push(at);
            }
            entries.extend(Noted { number: *number, note: *note }.to_bytes());
        }
        buckets.resize(count + 1, u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        [Numbers::to_bytes(&buckets), entries]
    }
}

/// Few enough to look at, many enough to be worth the four bytes.
const ENTRIES_PER_BUCKET: usize = 3;

/// The upper half of a product depends on every bit of the key.
fn fingerprint(key: u64) -> u32 {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// The bucket of a fingerprint among so many: they are in the same order.
fn bucket(print: u32, count: usize) -> usize {
    ((u64::from(print) * count as u64) >> 32) as usize
}
