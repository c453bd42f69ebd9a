//! The listed names of one kind of entities, and whose they are.

use crate::AliasKind;
use crate::codec::take;
use crate::glance::Glance;
use crate::index::{Index, IndexBuilder};
use crate::name::NameKey;
use crate::slab::Slab;

/// The names of one kind of entities.
pub(crate) struct Names {
    bearers: Slab,
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
    pub(crate) fn new([bearers, index]: [Slab; 2]) -> Self {
        Self { bearers, index: Index::new(index) }
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
    bearers: Vec<u8>,
    index: IndexBuilder,
}

impl NamesBuilder {
    /// Adds a name.
    pub(crate) fn push(&mut self, bearer: Bearer, key: &NameKey, glance: Glance) {
        bearer.write(&mut self.bearers);
        self.index.push(key, glance);
    }

    /// As [`Names::new`] takes it.
    pub(crate) fn finish(self) -> [Vec<u8>; 2] {
        [self.bearers, self.index.finish()]
    }
}
