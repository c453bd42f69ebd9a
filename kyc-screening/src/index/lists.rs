//! Many short lists, side by side in memory.

/// Many short lists, one behind the other.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) items: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

impl Lists {
    /// The second of each pair, in order, by the first.
    pub(super) fn grouped(count: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut lists = Self::default();
        let mut pairs = pairs.into_iter().peekable();
        for number in 0..size(count) {
            while let Some((_, item)) = pairs.next_if(|(first, _)| *first == number) {
                lists.items.push(item);
            }
            lists.ends.push(size(lists.items.len()));
        }
        lists
    }

    pub(super) fn get(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = start.map_or(0, |start| *start as usize);
        let end = self.ends.get(number).map_or(start, |end| *end as usize);
        self.items.get(start..end).unwrap_or_default()
    }
}

pub(super) fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
