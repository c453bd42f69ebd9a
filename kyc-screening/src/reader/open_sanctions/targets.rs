//! `targets.simple.csv`: one row for each entity.

use std::collections::HashSet;
use std::io::Read;

use csv::{ReaderBuilder, StringRecord};

use super::Subject;
use crate::reader::birth::iso;
use crate::reader::table::{Known, Record, Table};
use crate::reader::{ENTITIES_MAX, List, ReadError, is_latin};
use crate::{Alias, AliasKind, Category, Document, Entity, EntityKind};

/// Reads `targets.simple.csv` of any `OpenSanctions` data set.
///
/// # Syntax
///
/// UTF-8, comma-separated, with a header row; several values of a field are separated by `;`, with
/// `"` around those that hold one. Columns are found by their titles, unknown ones are ignored. A
/// file that was cut off behind a whole row, or inside the last field of one, cannot be told from a
/// shorter list.
///
/// Records of a `LegalEntity` may be persons and are read as such. What is under sanctions is a
/// [`Sanction`](Category::Sanction), everything else a [`Watchlist`](Category::Watchlist) entry:
/// the table does not say who is politically exposed. It does not tell nationalities from other
/// countries either, so none is compared.
/// [`read_open_sanctions_entities`](crate::read_open_sanctions_entities) knows both.
///
/// ```
/// let text = "id,schema,name,aliases,birth_date,countries,identifiers,sanctions,dataset\n\
///     Q7,Person,Mira Kole,Mirjana Kole;Mira Zul,1971-04,al,X1,Utopia freeze,Utopia list\n";
/// let list = kyc_screening::read_open_sanctions_targets(text.as_bytes())?;
/// assert_eq!(list.counts().names, 3);
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_open_sanctions_targets(input: impl Read) -> Result<List, ReadError> {
    let mut table = Table::new(input, b',', &COLUMNS)?;
    let mut ids = HashSet::new();
    let mut entities = Vec::new();
    while let Some(record) = table.next()? {
        let id = record.required("id", "an id")?;
        if !ids.insert(id.to_owned()) {
            return Err(record.fault("an id that no other row has"));
        }
        if entities.len() == ENTITIES_MAX {
            return Err(ReadError::TooLarge);
        }
        entities.extend(entity(id, record)?);
    }
    List::new(None, entities)
}

/// The columns of this format that are read.
pub(in crate::reader) const COLUMNS: Known = Known {
    required: &["id", "schema", "name", "aliases", "sanctions"],
    optional: &["birth_date", "identifiers", "program_ids"],
};

/// `None` for what nobody screens.
fn entity(id: &str, record: Record<'_>) -> Result<Option<Entity>, ReadError> {
    let schema = record.required("schema", "a schema")?;
    let name = record.required("name", "a name")?;
    let field = |column: &str| {
        let expected = "values separated by `;`";
        values(record.get(column)).ok_or_else(|| record.fault(expected))
    };
    let (identifiers, aliases) = (field("identifiers")?, field("aliases")?);
    let (sanctions, programmes) = (field("sanctions")?, field("program_ids")?);
    let is_sanctioned = !(sanctions.is_empty() && programmes.is_empty());
    let category = if is_sanctioned { Category::Sanction } else { Category::Watchlist };
    let mut kind = match Subject::of_schema(schema) {
        Subject::Entity(kind) => kind,
        Subject::Wallet => return Ok(Some(wallet(id, name, identifiers, category))),
        Subject::Other => return Ok(None),
    };
    if let EntityKind::Person(person) = &mut kind {
        person.births = field("birth_date")?.iter().filter_map(|text| iso(text)).collect();
    }
    let document = |number| Document { kind: String::new(), number };
    Ok(Some(Entity {
        category,
        aliases: aliases.into_iter().map(alias).collect(),
        programmes: if programmes.is_empty() { sanctions } else { programmes },
        documents: identifiers.into_iter().map(document).collect(),
        ..Entity::new(id, name, kind)
    }))
}

/// The unknown holder of a wallet: only the wallet is compared.
fn wallet(id: &str, name: &str, identifiers: Vec<String>, category: Category) -> Entity {
    let wallets = if identifiers.is_empty() { vec![name.to_owned()] } else { identifiers };
    Entity { category, wallets, ..Entity::new(id, name, EntityKind::Organisation) }
}

fn alias(text: String) -> Alias {
    let kind = if is_latin(&text) { AliasKind::Good } else { AliasKind::Original };
    Alias { text, kind }
}

/// `None` when the quotes of a field are not whole.
fn values(field: &str) -> Option<Vec<String>> {
    let mut row = StringRecord::new();
    if field.contains('"') {
        let reader =
            ReaderBuilder::new().has_headers(false).delimiter(b';').from_reader(field.as_bytes());
        let mut rows = reader.into_records();
        row = rows.next()?.ok()?;
        if rows.next().is_some() {
            return None;
        }
    } else {
        row.extend(field.split(';'));
    }
    Some(row.iter().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect())
}
