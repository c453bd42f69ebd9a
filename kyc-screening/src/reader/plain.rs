//! Operators' own lists: CSV with a header row.

use std::collections::HashSet;
use std::io::Read;

use super::birth::{iso, year};
use super::table::{Known, Record, Table};
use super::{ENTITIES_MAX, List, ReadError};
use crate::country::country_of;
use crate::{Alias, AliasKind, Birth, Category, Document, Entity, EntityKind, Person};

/// Reads an operator's own list.
///
/// # Syntax
///
/// UTF-8, comma-separated, `"` around fields that hold commas, the first row names the columns in
/// any order and case. Fields with several values separate them by `;`. Unknown columns are
/// ignored. A file that was cut off behind a whole row, or inside the last field of one, cannot be
/// told from a shorter list.
///
/// | column | what |
/// |---|---|
/// | `id` | required; unique in the file |
/// | `name` | required; the primary name |
/// | `kind` | `person` (default), `organisation`, `vessel`, `aircraft` |
/// | `category` | `sanction` (default), `pep`, `watchlist` |
/// | `aliases`, `weak_aliases` | other names; weak ones are nicknames |
/// | `birth_date` | `YYYY-MM-DD`, `YYYY-MM`, `YYYY`, `~YYYY` (about), `YYYY..YYYY` |
/// | `nationality` | name, alpha-3 code, or `name, code` |
/// | `gender` | `male` or `female` |
/// | `wallets` | addresses of digital currencies |
/// | `documents` | numbers of identity documents, each alone or as `kind: number` |
/// | `programme` | why the entity is listed |
///
/// ```
/// let text = "name,id,birth_date,nationality\nMira Kole,7,1971;1972-03,Albania\n";
/// let list = kyc_screening::read_plain(text.as_bytes())?;
/// assert_eq!(list.entities()[0].person().map(|person| person.births.len()), Some(2));
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_plain(input: impl Read) -> Result<List, ReadError> {
    let mut table = Table::new(input, b',', &COLUMNS)?;
    let mut ids = HashSet::new();
    let mut entities = Vec::new();
    while let Some(record) = table.next()? {
        let entity = entity(record)?;
        if !ids.insert(entity.id.clone()) {
            return Err(record.fault("an id that no other row has"));
        }
        if entities.len() == ENTITIES_MAX {
            return Err(ReadError::TooLarge);
        }
        entities.push(entity);
    }
    List::new(None, entities)
}

/// The columns of this format.
pub(super) const COLUMNS: Known = Known {
    required: &["id", "name"],
    optional: &[
        "kind",
        "category",
        "aliases",
        "weak_aliases",
        "birth_date",
        "nationality",
        "gender",
        "wallets",
        "documents",
        "programme",
    ],
};

fn entity(record: Record<'_>) -> Result<Entity, ReadError> {
    let id = record.required("id", "an id")?;
    let name = record.required("name", "a name")?;
    let aliases = |column, kind| {
        values(record.get(column)).map(move |text| Alias { text: text.to_owned(), kind })
    };
    let good = aliases("aliases", AliasKind::Good);
    Ok(Entity {
        category: category(record)?,
        aliases: good.chain(aliases("weak_aliases", AliasKind::Weak)).collect(),
        wallets: values(record.get("wallets")).map(str::to_owned).collect(),
        documents: values(record.get("documents")).map(document).collect(),
        programmes: values(record.get("programme")).map(str::to_owned).collect(),
        ..Entity::new(id, name, kind(record)?)
    })
}

fn kind(record: Record<'_>) -> Result<EntityKind, ReadError> {
    // What is said of a person is read for everything, so that a fault there is never passed over.
    let person = person(record)?;
    match record.get("kind").to_lowercase().as_str() {
        "" | "person" => Ok(EntityKind::Person(person)),
        "organisation" => Ok(EntityKind::Organisation),
        "vessel" => Ok(EntityKind::Vessel),
        "aircraft" => Ok(EntityKind::Aircraft),
        _ => Err(record.fault("a kind: person, organisation, vessel, aircraft or nothing")),
    }
}

fn person(record: Record<'_>) -> Result<Person, ReadError> {
    let births = parse_all(record.get("birth_date"), birth);
    let births = births.ok_or_else(|| {
        record.fault(
            "a date of birth: YYYY-MM-DD, YYYY-MM, YYYY, ~YYYY or YYYY..YYYY, `;` between several",
        )
    })?;
    let nationalities = parse_all(record.get("nationality"), country_of);
    let nationalities =
        nationalities.ok_or_else(|| record.fault("a nationality of the country list"))?;
    let gender = match record.get("gender") {
        "" => None,
        word => {
            let gender = word.parse();
            Some(gender.map_err(|_| record.fault("a gender: male, female or nothing"))?)
        }
    };
    Ok(Person { births, nationalities, gender })
}

fn category(record: Record<'_>) -> Result<Category, ReadError> {
    match record.get("category").to_lowercase().as_str() {
        "" | "sanction" => Ok(Category::Sanction),
        "pep" => Ok(Category::PoliticallyExposed),
        "watchlist" => Ok(Category::Watchlist),
        _ => Err(record.fault("a category: sanction, pep, watchlist or nothing")),
    }
}

fn document(text: &str) -> Document {
    let (kind, number) = text.split_once(':').unwrap_or(("", text));
    Document { kind: kind.trim().to_owned(), number: number.trim().to_owned() }
}

fn values(field: &str) -> impl Iterator<Item = &str> {
    field.split(';').map(str::trim).filter(|value| !value.is_empty())
}

/// All values of a field; `None` when one of them cannot be read.
fn parse_all<T>(field: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    values(field).map(parse).collect()
}

fn birth(text: &str) -> Option<Birth> {
    if let Some((from, to)) = text.split_once("..") {
        return Some(Birth::years(year(from)?, year(to)?));
    }
    match text.strip_prefix('~') {
        Some(about) => year(about).map(Birth::About),
        None => iso(text),
    }
}
