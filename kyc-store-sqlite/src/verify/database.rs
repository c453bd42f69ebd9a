//! What SQLite can tell of the database, and the tables that are small.

use kyc_core::StoreError;
use rusqlite::Connection;

use super::{Check, Tally};
use crate::directory::rows;
use crate::error::unavailable;
use crate::schema::STEPS;
use crate::sealing::client_keys;
use crate::{migrate, monitoring, state};

pub(super) fn verify(reader: &Connection, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    pages(reader, tally)?;
    schema(reader, tally)?;
    references(reader, tally)?;
    directory(reader, tally)
}

/// What SQLite itself says of pages, indexes and constraints. Its words hold numbers and names of
/// tables, no values.
fn pages(reader: &Connection, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let pages = reader.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0));
    tally.looked(Check::Pages, pages.map_err(unavailable)?.unsigned_abs());
    let mut statement = reader.prepare("PRAGMA integrity_check").map_err(unavailable)?;
    let mut rows = statement.query([]).map_err(unavailable)?;
    loop {
        match rows.next() {
            Ok(None) => return Ok(()),
            Ok(Some(row)) => {
                let what: String = row.get(0).map_err(unavailable)?;
                if what != "ok" {
                    tally.fault(Check::Pages, "kyc.sqlite", "", what);
                }
            }
            // A page that is torn may end the check itself.
            Err(error) if is_damage(&error) => {
                tally.fault(Check::Pages, "kyc.sqlite", "", error);
                return Ok(());
            }
            Err(error) => return Err(unavailable(error)),
        }
    }
}

/// No trigger, view or table that the steps do not make: they could do anything.
fn schema(reader: &Connection, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let found = migrate::objects(reader).map_err(unavailable)?;
    let version = reader.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
    let steps = migrate::up_to(STEPS, version.map_err(unavailable)?);
    let expected = migrate::expected_objects(steps).map_err(unavailable)?;
    tally.looked(Check::Schema, found.len() as u64);
    for (name, sql) in &found {
        if expected.get(name) != Some(sql) {
            tally.fault(Check::Schema, name, "", "it is not as this release makes it");
        }
    }
    for name in expected.keys().filter(|name| !found.contains_key(*name)) {
        tally.fault(
            Check::Schema,
            name,
            "",
            "it is missing: restore the data folder from a backup",
        );
    }
    Ok(())
}

fn references(reader: &Connection, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut statement = reader.prepare("PRAGMA foreign_key_check").map_err(unavailable)?;
    let mut rows = statement.query([]).map_err(unavailable)?;
    while let Some(row) = rows.next().map_err(unavailable)? {
        let table: String = row.get(0).map_err(unavailable)?;
        let number: Option<i64> = row.get(1).map_err(unavailable)?;
        let parent: String = row.get(2).map_err(unavailable)?;
        let key = number.map_or_else(String::new, |number| number.to_string());
        let what = format!("the {parent} that it refers to is missing");
        tally.fault(Check::References, table, key, what);
    }
    Ok(())
}

fn directory(reader: &Connection, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let parts = [
        rows::clients(reader).map(|rows| rows.len()),
        rows::keys(reader).map(|rows| rows.len()),
        rows::inspectors(reader).map(|rows| rows.len()),
        monitoring_state(reader),
        client_keys(reader),
    ];
    for part in parts {
        match part {
            Ok(count) => tally.looked(Check::Directory, count as u64),
            Err(error) => tally.corrupt(Check::Directory, error)?,
        }
    }
    let mut is_there = reader.prepare(HAS_STATE).map_err(unavailable)?;
    for name in STATE {
        if !is_there.exists([name]).map_err(unavailable)? {
            tally.corrupt(Check::Directory, state::missing(name))?;
        }
    }
    Ok(())
}

/// How far monitoring is: one value.
fn monitoring_state(reader: &Connection) -> Result<usize, StoreError> {
    monitoring::stored(reader).map(|_| 1)
}

/// The values that are there from the first start on.
const STATE: [&str; 7] = [
    "clients_before_audit",
    "directory",
    "keys",
    "monitoring",
    "pepper",
    "retention",
    "unscrubbed",
];

const HAS_STATE: &str = "
    SELECT 1 FROM state WHERE name = :name";

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}
