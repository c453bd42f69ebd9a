//! Entities whose facts are spread over several rows.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::mem;

use time::Date;

use super::table::Record;
use super::{ENTITIES_MAX, List, ReadError};
use crate::{Alias, AliasKind, Category, Entity, EntityKind, Person};

/// The entities seen so far, by id.
#[derive(Debug, Default)]
pub(super) struct Gathered(HashMap<String, Draft>);

/// What is known of one entity so far.
#[derive(Debug)]
pub(super) struct Draft {
    /// Without a name until it is finished or somebody knows the primary one.
    pub(super) entity: Entity,
    /// Where it was seen first.
    line: u64,
}

impl Gathered {
    /// The draft of an entity, begun when its id is new.
    pub(super) fn entity(
        &mut self,
        record: Record<'_>,
        id: &str,
        kind: &EntityKind,
        category: Category,
    ) -> Result<&mut Draft, ReadError> {
        if self.0.len() == ENTITIES_MAX && !self.0.contains_key(id) {
            return Err(ReadError::TooLarge);
        }
        let draft = self.0.entry(id.to_owned()).or_insert_with(|| {
            let entity = Entity { category, ..Entity::new(id, "", kind.clone()) };
            Draft { entity, line: record.line() }
        });
        if mem::discriminant(&draft.entity.kind) != mem::discriminant(kind) {
            return Err(record.fault("the kind of entity that other rows of this id have"));
        }
        draft.entity.category = draft.entity.category.max(category);
        Ok(draft)
    }

    /// The list, in the order of the file.
    pub(super) fn finish(self, source_date: Option<Date>) -> Result<List, ReadError> {
        let mut drafts: Vec<Draft> = self.0.into_values().collect();
        drafts.sort_unstable_by_key(|draft| draft.line);
        let entities = drafts.into_iter().map(Draft::finish).collect::<Result<_, _>>()?;
        List::new(source_date, entities)
    }
}

impl Draft {
    pub(super) fn add_alias(&mut self, text: &str, kind: AliasKind) {
        if !text.is_empty() {
            self.entity.aliases.push(Alias { text: text.to_owned(), kind });
        }
    }

    /// Makes this the primary name, unless there is one already.
    pub(super) fn add_name(&mut self, text: &str) {
        if self.entity.name.is_empty() {
            text.clone_into(&mut self.entity.name);
        } else {
            self.add_alias(text, AliasKind::Good);
        }
    }

    pub(super) fn person_mut(&mut self) -> Option<&mut Person> {
        match &mut self.entity.kind {
            EntityKind::Person(person) => Some(person),
            EntityKind::Organisation | EntityKind::Vessel | EntityKind::Aircraft => None,
        }
    }

    /// Where no name was marked as the primary one, the best one is.
    fn finish(self) -> Result<Entity, ReadError> {
        let mut entity = self.entity;
        if entity.name.is_empty() {
            let best = entity.aliases.iter().min_by_key(|alias| rank(alias.kind));
            let best = best.ok_or_else(|| ReadError::at_line(self.line, "a name"))?;
            entity.name.clone_from(&best.text);
        }
        let mut names = HashSet::from([entity.name.clone()]);
        entity.aliases.retain(|alias| names.insert(alias.text.clone()));
        keep_first(&mut entity.programmes);
        keep_first(&mut entity.documents);
        keep_first(&mut entity.wallets);
        if let EntityKind::Person(person) = &mut entity.kind {
            keep_first(&mut person.births);
            keep_first(&mut person.nationalities);
        }
        Ok(entity)
    }
}

fn rank(kind: AliasKind) -> u8 {
    match kind {
        AliasKind::Good => 0,
        AliasKind::Original => 1,
        AliasKind::Former => 2,
        AliasKind::Weak => 3,
    }
}

/// Keeps the first of equal values.
fn keep_first<T: Clone + Eq + Hash>(values: &mut Vec<T>) {
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
}
