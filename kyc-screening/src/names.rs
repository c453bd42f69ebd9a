//! The listed names of one kind of entities, and whose they are.

use crate::codec::take;
use crate::glance::Glance;
use crate::index::{Index, IndexBuilder};
use crate::name::NameKey;
use crate::numbers::{Table, TableBuilder};
use crate::slab::Slab;
use crate::{AliasKind, Birth, Person, mates};

/// The names of one kind of entities.
pub(crate) struct Names {
    bearers: Slab,
    /// The names of those who were born on each day or in each month.
    born: [Slab; 2],
    pub(crate) index: Index,
}

/// Whose a name is.
#[derive(Clone, Copy)]
pub(crate) struct Bearer {
    /// The number of the entity.
    pub(crate) entity: u32,
    /// Which of its aliases; `None` for the primary name.
    pub(crate) alias: Option<u32>,
    /// Of which kind that one is.
    pub(crate) kind: Option<AliasKind>,
}

impl Names {
    pub(crate) fn new([bearers, buckets, born, index]: [Slab; 4]) -> Self {
        Self { bearers, born: [buckets, born], index: Index::new(index) }
    }

    /// The names of those who may be born on that day, or in that month where no day is known.
    pub(crate) fn mates(&self, birth: Birth) -> Vec<u32> {
        let [buckets, born] = &self.born;
        let born = Table::new([buckets.bytes(), born.bytes()]);
        let mut mates = Vec::new();
        mates::looked_up(birth, |key| mates.extend(born.get(key)));
        mates
    }

    /// Whose name stands there.
    pub(crate) fn bearer(&self, position: u32) -> Option<Bearer> {
        let (bearers, _) = self.bearers.bytes().as_chunks();
        bearers.get(position as usize).map(Bearer::read)
    }
}

impl Bearer {
    const BYTES: usize = 9;

    fn write(self, out: &mut Vec<u8>) {
        out.extend(self.entity.to_le_bytes());
        out.extend(self.alias.map_or(0, |alias| alias.saturating_add(1)).to_le_bytes());
        out.push(self.kind.map_or(0, |kind| 1 + kind.code()));
    }

    fn read(bytes: &[u8; Self::BYTES]) -> Self {
        let mut bytes = bytes.as_slice();
        let entity = u32::from_le_bytes(take(&mut bytes));
        let alias = u32::from_le_bytes(take(&mut bytes)).checked_sub(1);
        let [kind] = take(&mut bytes);
        Self { entity, alias, kind: kind.checked_sub(1).and_then(AliasKind::of_code) }
    }
}

/// Collects names.
#[derive(Default)]
pub(crate) struct NamesBuilder {
    count: u32,
    bearers: Vec<u8>,
    born: TableBuilder,
    index: IndexBuilder,
}

impl NamesBuilder {
    /// Adds a name of an entity of which so much is known.
    pub(crate) fn push(&mut self, bearer: Bearer, key: &NameKey, person: &Person) {
        bearer.write(&mut self.bearers);
        for birth in &person.births {
            mates::kept(*birth, |key| self.born.push(key, self.count));
        }
        self.index.push(key, Glance::of(person));
        self.count += 1;
    }

    /// As [`Names::new`] takes it.
    pub(crate) fn finish(self) -> [Vec<u8>; 4] {
        let [buckets, born] = self.born.finish();
        [self.bearers, buckets, born, self.index.finish()]
    }
}
