//! Everything that is searched, in bytes that lie in memory or in a file.

use crate::entities::{Entities, EntitiesBuilder, Listed};
use crate::glance::Glance;
use crate::name::NameKey;
use crate::names::{Bearer, Names, NamesBuilder};
use crate::numbers::{Table, TableBuilder};
use crate::plain_hash::hash;
use crate::slab::{Slab, pack};
use crate::{Entity, Identifier, Options, QueryKind};

/// The entities of all lists, found by names, wallets and identity documents.
pub(crate) struct Catalogue {
    slab: Slab,
    persons: Names,
    others: Names,
    entities: Entities,
    /// The entities of each wallet and identity document.
    identifiers: [Slab; 2],
}

impl Catalogue {
    /// What a [`CatalogueBuilder`] has made.
    pub(crate) fn new(slab: Slab) -> Self {
        let [persons, person_names, others, other_names, ends, records, buckets, numbers] =
            slab.parts();
        Self {
            persons: Names::new([persons, person_names]),
            others: Names::new([others, other_names]),
            entities: Entities::new([ends, records]),
            identifiers: [buckets, numbers],
            slab,
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.slab.bytes()
    }

    pub(crate) fn names(&self, kind: QueryKind) -> &Names {
        match kind {
            QueryKind::Person => &self.persons,
            QueryKind::Other => &self.others,
        }
    }

    pub(crate) fn entity(&self, number: u32) -> Option<Listed> {
        self.entities.get(number)
    }

    /// The entities that have a wallet or document of this spelling, in order.
    pub(crate) fn identified(&self, kind: Identifier, canonical: &str) -> Vec<u32> {
        let [buckets, numbers] = &self.identifiers;
        let table = Table::new([buckets.bytes(), numbers.bytes()]);
        let is_meant = |number: &u32| {
            let listed = self.entity(*number);
            listed.is_some_and(|Listed { entity, .. }| {
                Identifier::of_entity(&entity).any(|own| own == (kind, canonical.to_owned()))
            })
        };
        table.get(key(kind, canonical)).filter(is_meant).collect()
    }
}

/// Collects entities for a catalogue.
pub(crate) struct CatalogueBuilder {
    options: Options,
    count: u32,
    persons: NamesBuilder,
    others: NamesBuilder,
    entities: EntitiesBuilder,
    identifiers: TableBuilder,
}

impl CatalogueBuilder {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            count: 0,
            persons: NamesBuilder::default(),
            others: NamesBuilder::default(),
            entities: EntitiesBuilder::default(),
            identifiers: TableBuilder::default(),
        }
    }

    /// Adds an entity of the list of this number.
    pub(crate) fn push(&mut self, list: usize, entity: &Entity) {
        let number = self.count;
        let (kind, names) = match entity.person() {
            Some(_) => (QueryKind::Person, &mut self.persons),
            None => (QueryKind::Other, &mut self.others),
        };
        let glance = entity.person().map_or_else(Glance::default, Glance::of);
        let mut push = |alias, kind_of_alias, text: &str| {
            let key = NameKey::of_kind(text, kind, self.options);
            if key.is_usable() {
                names.push(Bearer { entity: number, alias, kind: kind_of_alias }, &key, glance);
            }
        };
        push(None, None, &entity.name);
        for (number, alias) in (0..).zip(&entity.aliases) {
            push(Some(number), Some(alias.kind), &alias.text);
        }
        for (kind, canonical) in Identifier::of_entity(entity) {
            self.identifiers.push(key(kind, &canonical), number);
        }
        self.entities.push(list, entity);
        self.count += 1;
    }

    /// The catalogue, in memory.
    pub(crate) fn finish(self) -> Catalogue {
        let [persons, person_names] = self.persons.finish();
        let [others, other_names] = self.others.finish();
        let [ends, records] = self.entities.finish();
        let [buckets, numbers] = self.identifiers.finish();
        let sections =
            [&persons, &person_names, &others, &other_names, &ends, &records, &buckets, &numbers];
        Catalogue::new(Slab::of(pack(sections.map(Vec::as_slice))))
    }
}

fn key(kind: Identifier, canonical: &str) -> u64 {
    match kind {
        Identifier::Wallet => hash(canonical.as_bytes()),
        Identifier::Document => !hash(canonical.as_bytes()),
    }
}
