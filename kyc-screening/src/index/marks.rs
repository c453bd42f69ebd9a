//! Which of many things are meant.

/// Which of many things are meant, one bit each, so that most of them lie in a cache.
#[derive(Default)]
pub(super) struct Marks(Vec<u64>);

const BITS: u32 = u64::BITS;

impl Marks {
    /// Makes room for so many things.
    pub(super) fn fit(&mut self, count: usize) {
        self.0.resize(count.div_ceil(BITS as usize), 0);
    }

    pub(super) fn has(&self, thing: u32) -> bool {
        self.0.get((thing / BITS) as usize).is_some_and(|bits| bits & bit(thing) != 0)
    }

    /// Whether it is meant from now on only. `false` for what there is no room for.
    pub(super) fn add(&mut self, thing: u32) -> bool {
        let bits = self.0.get_mut((thing / BITS) as usize).filter(|bits| **bits & bit(thing) == 0);
        bits.map(|bits| *bits |= bit(thing)).is_some()
    }

    /// Forgets these, and maybe others.
    pub(super) fn forget(&mut self, things: impl Iterator<Item = u32>) {
        for thing in things {
            if let Some(bits) = self.0.get_mut((thing / BITS) as usize) {
                *bits = 0;
            }
        }
    }
}

fn bit(thing: u32) -> u64 {
    1 << (thing % BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_meant_from_when_it_is_added_until_it_is_forgotten() {
        let mut marks = Marks::default();
        assert!(!marks.add(0), "there is no room");
        marks.fit(130);
        for thing in [0, 63, 64, 129] {
            assert!(!marks.has(thing) && marks.add(thing) && marks.has(thing));
            assert!(!marks.add(thing), "it is meant already");
        }
        assert!(!marks.has(1) && !marks.has(128) && !marks.has(1_000));
        marks.forget([63, 1_000].into_iter());
        assert!(!marks.has(63) && marks.has(64) && marks.has(129));
    }
}
