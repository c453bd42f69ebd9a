//! `FollowTheMoney` entities, one JSON object on each line: `entities.ftm.json`.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::mem;

use serde_json::error::Category as JsonFault;

use super::Subject;
use super::record::Record;
use crate::reader::lines::Lines;
use crate::reader::{ENTITIES_MAX, List, ReadError};
use crate::{Document, Entity};

/// Reads the entities of any `OpenSanctions` data set, or of another source in its data model.
///
/// # Syntax
///
/// One JSON object on each line with `id`, `schema` and `properties`. Persons, organisations,
/// vessels and aeroplanes are listed when their `topics` say why or `target` is not `false`. A
/// `LegalEntity` may be a person and is read as one. Wallets, programmes and documents that have
/// records of their own go to their holders; a wallet without one is an entity by itself. All other
/// schemas are passed over. A file that was cut off behind a whole line cannot be told from a
/// shorter list.
///
/// Topics give the [`Category`](crate::Category): `sanction` and its kinds, `role.pep` and
/// `role.rca`, everything else is a [`Watchlist`](crate::Category::Watchlist) entry. A date of
/// birth, nationality or gender that cannot be read is left out, which can raise a false alarm and
/// never hide a person.
///
/// ```
/// use kyc_screening::Category;
///
/// let line = r#"{"id":"Q7","schema":"Person","properties":{"name":["Mira Kole"],"topics":["role.pep"]}}"#;
/// let list = kyc_screening::read_open_sanctions_entities(line.as_bytes())?;
/// assert_eq!(list.entities()[0].category, Category::PoliticallyExposed);
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_open_sanctions_entities(input: impl Read) -> Result<List, ReadError> {
    let mut lines = Lines::new(input);
    let mut ids = HashSet::new();
    let mut entities = Vec::new();
    let mut facts = Facts::new();
    while let Some((line, text)) = lines.next()? {
        let fault = |expected| ReadError::at_line(line, expected);
        let record: Record =
            serde_json::from_str(text).map_err(|error| match error.classify() {
                JsonFault::Data => fault("an object with an id, a schema and properties"),
                JsonFault::Syntax | JsonFault::Eof | JsonFault::Io => fault("a whole JSON object"),
            })?;
        if record.id.trim().is_empty() {
            return Err(fault("an id"));
        }
        if !ids.insert(record.id.clone()) {
            return Err(fault("an id that no other line has"));
        }
        match Subject::of_schema(&record.schema) {
            Subject::Entity(kind) if record.is_listed() => {
                entities.push(record.into_entity(kind).ok_or_else(|| fault("a name"))?);
            }
            Subject::Wallet => facts.add_wallet(record)?,
            Subject::Other => facts.add(record)?,
            Subject::Entity(_) => {}
        }
        if entities.len() > ENTITIES_MAX {
            return Err(ReadError::TooLarge);
        }
    }
    facts.add_to(&mut entities);
    if entities.len() > ENTITIES_MAX {
        return Err(ReadError::TooLarge);
    }
    List::new(None, entities)
}

/// What records say of other entities, until all of them are read.
struct Facts {
    /// The id of whom it is about, and what is said.
    attached: Vec<(String, Fact)>,
    wallets: Vec<Wallet>,
    bytes_left: usize,
}

enum Fact {
    Programme(String),
    Document(Document),
}

/// A wallet that is an entity of its own unless one of its holders is listed.
struct Wallet {
    holders: Vec<String>,
    entity: Entity,
    is_listed: bool,
}

impl Facts {
    fn new() -> Self {
        /// As much as a whole file can say of single ones.
        const FACTS_BYTES_MAX: usize = 256 * 1024 * 1024;
        Self { attached: Vec::new(), wallets: Vec::new(), bytes_left: FACTS_BYTES_MAX }
    }

    /// Every holder gets every value: a short line could say very much.
    fn spend(
        &mut self,
        holders: usize,
        lengths: impl Iterator<Item = usize>,
    ) -> Result<(), ReadError> {
        const OVERHEAD_BYTES: usize = 64;
        let bytes: usize = lengths.map(|length| length + OVERHEAD_BYTES).sum();
        let left = self.bytes_left.checked_sub(holders.saturating_mul(bytes));
        self.bytes_left = left.ok_or(ReadError::TooLarge)?;
        Ok(())
    }

    fn add_wallet(&mut self, mut record: Record) -> Result<(), ReadError> {
        let holders = mem::take(&mut record.properties.holder);
        let is_listed = record.is_listed();
        let Some(entity) = record.into_wallet() else { return Ok(()) };
        self.spend(holders.len(), entity.wallets.iter().map(String::len))?;
        self.wallets.push(Wallet { holders, entity, is_listed });
        Ok(())
    }

    /// Keeps what sanctions and documents say.
    fn add(&mut self, record: Record) -> Result<(), ReadError> {
        let properties = record.properties;
        let documents = properties.documents();
        self.spend(properties.entity.len(), properties.program.iter().map(String::len))?;
        self.spend(
            properties.holder.len(),
            documents.iter().map(|document| document.number.len()),
        )?;
        for id in &properties.entity {
            let programmes = properties.program.iter().cloned().map(Fact::Programme);
            self.attached.extend(programmes.map(|fact| (id.clone(), fact)));
        }
        for id in &properties.holder {
            let documents = documents.iter().cloned().map(Fact::Document);
            self.attached.extend(documents.map(|fact| (id.clone(), fact)));
        }
        Ok(())
    }

    fn add_to(self, entities: &mut Vec<Entity>) {
        let mut by_id: HashMap<String, &mut Entity> =
            entities.iter_mut().map(|entity| (entity.id.clone(), entity)).collect();
        for (id, fact) in self.attached {
            let Some(entity) = by_id.get_mut(&id) else { continue };
            match fact {
                Fact::Programme(programme) => entity.programmes.push(programme),
                Fact::Document(document) => entity.documents.push(document),
            }
        }
        let mut strays = Vec::new();
        for wallet in self.wallets {
            let mut is_held = false;
            for holder in &wallet.holders {
                let Some(entity) = by_id.get_mut(holder) else { continue };
                entity.wallets.extend_from_slice(&wallet.entity.wallets);
                is_held = true;
            }
            if wallet.is_listed && !is_held {
                strays.push(wallet.entity);
            }
        }
        entities.extend(strays);
    }
}
