//! Bytes that are searched where they lie: in memory, or in a file that is mapped into it.

use std::ops::Range;
use std::sync::Arc;

/// Whoever owns the bytes of an index.
pub(crate) type Owner = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A range of bytes that somebody owns.
#[derive(Clone)]
pub(crate) struct Slab {
    owner: Owner,
    range: Range<usize>,
}

impl Slab {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self { owner: Arc::new(bytes), range }
    }

    pub(crate) fn of_owner(owner: Owner) -> Self {
        let range = 0..(*owner).as_ref().len();
        Self { owner, range }
    }

    /// What follows the first bytes.
    pub(crate) fn behind(&self, count: usize) -> Self {
        let start = (self.range.start + count).min(self.range.end);
        Self { owner: Arc::clone(&self.owner), range: start..self.range.end }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        (*self.owner).as_ref().get(self.range.clone()).unwrap_or_default()
    }

    /// The sections that [`pack`] has joined, as slabs of the same owner.
    pub(crate) fn parts<const N: usize>(&self) -> [Self; N] {
        ranges::<N>(self.bytes()).map(|range| {
            let (start, end) = (self.range.start + range.start, self.range.start + range.end);
            Self { owner: Arc::clone(&self.owner), range: start..end }
        })
    }
}

/// Joins sections, behind the table of where each ends.
pub(crate) fn pack<const N: usize>(sections: [&[u8]; N]) -> Vec<u8> {
    let mut end = N * END_BYTES;
    let mut packed =
        Vec::with_capacity(end + sections.iter().map(|part| part.len()).sum::<usize>());
    for section in &sections {
        end += section.len();
        packed.extend_from_slice(&(end as u64).to_le_bytes());
    }
    packed.extend(sections.into_iter().flatten());
    packed
}

/// The sections that [`pack`] has joined; those that are not there are empty.
pub(crate) fn unpack<const N: usize>(bytes: &[u8]) -> [&[u8]; N] {
    ranges::<N>(bytes).map(|range| bytes.get(range).unwrap_or_default())
}

fn ranges<const N: usize>(bytes: &[u8]) -> [Range<usize>; N] {
    let (ends, _) = bytes.as_chunks::<END_BYTES>();
    let mut start = N * END_BYTES;
    std::array::from_fn(|number| {
        let end = ends.get(number).map_or(0, |end| u64::from_le_bytes(*end));
        let end = usize::try_from(end).unwrap_or(usize::MAX).clamp(start, bytes.len().max(start));
        std::mem::replace(&mut start, end)..end
    })
}

const END_BYTES: usize = size_of::<u64>();

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_packed_is_unpacked(one: Vec<u8>, other: Vec<u8>, last: Vec<u8>) {
            let packed = pack([&one, &other, &last]);
            prop_assert_eq!(unpack(&packed), [&one[..], &other, &last]);
            let slab = Slab::of(packed);
            let parts: [Slab; 3] = slab.parts();
            prop_assert_eq!(parts.map(|part| part.bytes().to_vec()), [one, other, last]);
        }

        #[test]
        fn any_bytes_can_be_unpacked(bytes: Vec<u8>) {
            let sections: [&[u8]; 5] = unpack(&bytes);
            prop_assert!(sections.iter().map(|part| part.len()).sum::<usize>() <= bytes.len());
        }
    }
}
