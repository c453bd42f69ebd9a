//! Things of which several belong to one number.

use crate::plain_hash::PlainMap;

/// Things in the order in which they came, of which several may belong to one number: a few of many
/// numbers.
pub(super) struct Chains<T> {
    things: Vec<Link<T>>,
    /// The last one of each number, from 1.
    last: PlainMap<u32, u32>,
}

struct Link<T> {
    thing: T,
    /// The one before of the same number, from 1.
    before: u32,
}

impl<T> Default for Chains<T> {
    fn default() -> Self {
        Self { things: Vec::new(), last: PlainMap::default() }
    }
}

impl<T: Copy> Chains<T> {
    pub(super) fn push(&mut self, number: u32, thing: T) {
        let own = u32::try_from(self.things.len() + 1).unwrap_or(0);
        let before = self.last.insert(number, own).unwrap_or(0);
        self.things.push(Link { thing, before });
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    /// The one that came there.
    pub(super) fn get(&self, at: usize) -> Option<T> {
        self.things.get(at).map(|link| link.thing)
    }

    /// Those of a number, the last one first.
    pub(super) fn of(&self, number: u32) -> impl Iterator<Item = T> {
        let mut next = self.last.get(&number).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let link = self.things.get(next.checked_sub(1)? as usize)?;
            next = link.before;
            Some(link.thing)
        })
    }

    pub(super) fn clear(&mut self) {
        self.things.clear();
        self.last.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_one_number_are_found_together() {
        let mut chains = Chains::default();
        for (number, thing) in [(7, 'a'), (0, 'b'), (7, 'c'), (u32::MAX, 'd'), (7, 'e')] {
            chains.push(number, thing);
        }
        let of = |chains: &Chains<char>, number| chains.of(number).collect::<String>();
        assert_eq!([7, 0, u32::MAX, 1].map(|number| of(&chains, number)), ["eca", "b", "d", ""]);
        assert_eq!((chains.len(), chains.get(2), chains.get(5)), (5, Some('c'), None));
        chains.clear();
        assert_eq!((chains.len(), of(&chains, 7)), (0, String::new()));
    }
}
