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
/// Topics give the [`Category`](crate::Category): `sanction` and its kinds, `role.pep` and `role.rca`, everything
/// else is a [`Watchlist`](crate::Category::Watchlist) entry. A date of birth, nationality or gender that
/// cannot be read is left out, which can raise a false alarm and never hide a person.
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
    let mut facts = Facts::default();
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
            Subject::Wallet => facts.add_wallet(record).ok_or_else(|| fault(FEWER))?,
            Subject::Other => facts.add(record).ok_or_else(|| fault(FEWER))?,
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

const FEWER: &str = "fewer holders of the same facts";

/// What records say of other entities, until all of them are read.
#[derive(Default)]
struct Facts {
    facts: Vec<(String, Fact)>,
    wallets: Vec<Wallet>,
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

/// Each fact is kept with each holder; real records have one or two of both.
const PAIRS_MAX: usize = 10_000;

impl Facts {
    /// Keeps a wallet; `None` when it has too many holders.
    fn add_wallet(&mut self, mut record: Record) -> Option<()> {
        let holders = mem::take(&mut record.properties.holder);
        let is_listed = record.is_listed();
        let Some(entity) = record.into_wallet() else { return Some(()) };
        self.wallets.push(Wallet { holders, entity, is_listed });
        let wallet = self.wallets.last()?;
        (wallet.holders.len() * wallet.entity.wallets.len() <= PAIRS_MAX).then_some(())
    }

    /// Keeps what sanctions and documents say; `None` when that is about too many.
    fn add(&mut self, record: Record) -> Option<()> {
        let properties = record.properties;
        let documents = properties.documents();
        let pairs = properties.entity.len() * properties.program.len()
            + properties.holder.len() * documents.len();
        if pairs > PAIRS_MAX {
            return None;
        }
        for id in &properties.entity {
            let programmes = properties.program.iter().cloned().map(Fact::Programme);
            self.facts.extend(programmes.map(|fact| (id.clone(), fact)));
        }
        for id in &properties.holder {
            let documents = documents.iter().cloned().map(Fact::Document);
            self.facts.extend(documents.map(|fact| (id.clone(), fact)));
        }
        Some(())
    }

    fn add_to(self, entities: &mut Vec<Entity>) {
        let mut by_id: HashMap<String, &mut Entity> =
            entities.iter_mut().map(|entity| (entity.id.clone(), entity)).collect();
        for (id, fact) in self.facts {
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
