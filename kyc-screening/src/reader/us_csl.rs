//! The consolidated screening list of the United States, CSV.

use std::io::Read;

use super::birth::{iso, spelled};
use super::gather::{Draft, Gathered};
use super::table::{Known, Record, Table};
use super::{List, ReadError, document};
use crate::country::country_of_alpha2;
use crate::{AliasKind, Category, EntityKind, Person};

/// Reads the consolidated screening list of the International Trade Administration: sanctions of
/// the Treasury and the State Department, export controls of the Department of Commerce.
///
/// # Syntax
///
/// UTF-8, comma-separated, with a header row; several values of a field are separated by `; `. An
/// entity that is on several of its lists has a row for each, with the same `_id`. Columns are
/// found by their titles, unknown ones are ignored. A file that was cut off behind a whole row
/// cannot be told from a shorter list.
///
/// Most lists do not say what is a person: whoever may be one is read as a
/// [`Person`](EntityKind::Person), and so screened. Export controls are a
/// [`Watchlist`](Category::Watchlist). A date of birth, nationality or gender that cannot be read
/// is left out, which can raise a false alarm and never hide a person.
///
/// ```
/// let text = "_id,source,type,programs,name,alt_names,dates_of_birth,nationalities,ids\n\
///     7,SDN - Treasury Department,Individual,SDGT,\"KOLE, Mira\",,1971-04-03,AL,\"Passport, X1, AL\"\n";
/// let list = kyc_screening::read_us_csl(text.as_bytes())?;
/// assert_eq!(list.entities()[0].documents[0].number, "X1");
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_us_csl(input: impl Read) -> Result<List, ReadError> {
    let mut table = Table::new(input, b',', &COLUMNS)?;
    let mut gathered = Gathered::default();
    while let Some(record) = table.next()? {
        // Editions have been published with the header twice.
        if record.get("_id") == "_id" {
            continue;
        }
        let id = record.required("_id", "an id")?;
        let name = record.required("name", "a name")?;
        let draft = gathered.entity(record, id, &kind(record)?, category(record))?;
        draft.add_name(name);
        add(draft, record);
    }
    gathered.finish(None)
}

/// The columns of this format that are read.
pub(super) const COLUMNS: Known = Known {
    required: &["_id", "source", "type", "name", "alt_names"],
    optional: &["programs", "citizenships", "nationalities", "dates_of_birth", "ids"],
};

fn kind(record: Record<'_>) -> Result<EntityKind, ReadError> {
    match record.get("type").to_lowercase().as_str() {
        "individual" | "" => Ok(EntityKind::Person(Person::default())),
        "entity" => Ok(EntityKind::Organisation),
        "vessel" => Ok(EntityKind::Vessel),
        "aircraft" => Ok(EntityKind::Aircraft),
        _ => Err(record.fault("individual, entity, vessel, aircraft or nothing as type")),
    }
}

fn category(record: Record<'_>) -> Category {
    let source = record.get("source");
    let is_sanction = source.contains("Treasury") || source.contains("Sanctions");
    if is_sanction { Category::Sanction } else { Category::Watchlist }
}

fn add(draft: &mut Draft, record: Record<'_>) {
    for alias in values(record.get("alt_names")) {
        draft.add_alias(alias, AliasKind::Good);
    }
    draft.entity.programmes.extend(values(record.get("programs")).map(str::to_owned));
    for fact in values(record.get("ids")) {
        let mut parts = fact.split(", ");
        let (kind, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if kind == "Gender" {
            let Some(person) = draft.person_mut() else { continue };
            person.gender = person.gender.or_else(|| value.parse().ok());
        } else if kind.starts_with("Digital Currency Address") {
            draft.entity.wallets.extend(value.split_whitespace().last().map(str::to_owned));
        } else {
            draft.entity.documents.extend(document::of(kind, value));
        }
    }
    let Some(person) = draft.person_mut() else { return };
    let births = values(record.get("dates_of_birth"));
    person.births.extend(births.filter_map(|text| iso(text).or_else(|| spelled(text))));
    let nationalities = ["nationalities", "citizenships"].map(|column| values(record.get(column)));
    person.nationalities.extend(nationalities.into_iter().flatten().filter_map(country_of_alpha2));
}

fn values(field: &str) -> impl Iterator<Item = &str> {
    field.split(';').map(str::trim).filter(|value| !value.is_empty())
}
