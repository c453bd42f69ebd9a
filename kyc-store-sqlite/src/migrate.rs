//! Bringing the schema up to date.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use aws_lc_rs::digest::{SHA256, digest};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::OpenError;
use crate::folder::sync_folder;
use crate::schema::APPLICATION_ID;

/// The schema version that these steps lead to.
pub(crate) fn newest(steps: &[&str]) -> u32 {
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

/// The steps that lead to a schema version.
pub(crate) fn up_to<'s>(steps: &'s [&'s str], version: u32) -> &'s [&'s str] {
    let count = usize::try_from(version).unwrap_or(usize::MAX);
    steps.get(..count).unwrap_or(steps)
}

/// Whether nothing was ever written to a database.
pub(crate) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(!connection.prepare("SELECT 1 FROM sqlite_schema")?.exists([])?)
}

/// The schema version of a database, 0 for an empty one.
///
/// # Errors
///
/// When the database is not one of this service, or a step of it is not one of `steps`.
pub(crate) fn version(connection: &Connection, steps: &[&str]) -> Result<u32, OpenError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    let found = pragma("user_version")?;
    let application_id: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if is_empty(connection)? && found == 0 && application_id == 0 {
        return Ok(0);
    }
    if application_id != APPLICATION_ID {
        return Err(OpenError::NotOurDatabase);
    }
    let known = newest(steps);
    if found > known {
        return Err(OpenError::NewerSchema { found, known });
    }
    for (version, step) in (1..=found).zip(steps) {
        let recorded: Option<Vec<u8>> = connection
            .query_row("SELECT checksum FROM schema_step WHERE version = ?1", [version], |row| {
                row.get(0)
            })
            .optional()?;
        if recorded.as_deref() != Some(checksum(step).as_ref()) {
            return Err(OpenError::ChangedStep { version });
        }
    }
    Ok(found)
}

/// Applies the steps that a database lacks, all or none. Doing it twice changes nothing.
///
/// A database with a content is copied into the folder `backups` first.
pub(crate) fn migrate(
    connection: &mut Connection,
    steps: &[&str],
    backups: &Path,
) -> Result<(), OpenError> {
    let done = version(connection, steps)?;
    if done == newest(steps) {
        return Ok(());
    }
    if done > 0 {
        back_up(connection, done, backups)?;
    }
    let upgrade = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let missing = (1..).zip(steps).filter(|(version, _)| *version > done);
    for (version, step) in missing {
        apply(&upgrade, version, step)?;
    }
    upgrade.commit()?;
    Ok(())
}

fn apply(upgrade: &Transaction<'_>, version: u32, step: &str) -> rusqlite::Result<()> {
    upgrade.execute_batch(step)?;
    upgrade.execute(
        "INSERT INTO schema_step (version, checksum) VALUES (?1, ?2)",
        params![version, checksum(step).as_ref()],
    )?;
    upgrade.pragma_update(None, "application_id", APPLICATION_ID)?;
    upgrade.pragma_update(None, "user_version", version)
}

/// What a database consists of: the statement that made each table, index, view and trigger, by its
/// name.
pub(crate) fn objects(connection: &Connection) -> rusqlite::Result<BTreeMap<String, String>> {
    let mut statement = connection.prepare(OBJECTS)?;
    let rows = statement.query_map([], |row| row.try_into())?;
    rows.collect()
}

/// What a database consists of that these steps have made.
pub(crate) fn expected_objects(steps: &[&str]) -> rusqlite::Result<BTreeMap<String, String>> {
    let made = Connection::open_in_memory()?;
    for step in steps {
        made.execute_batch(step)?;
    }
    objects(&made)
}

const OBJECTS: &str = "
    SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL";

fn checksum(step: &str) -> impl AsRef<[u8]> {
    digest(&SHA256, step.as_bytes())
}

/// Copies the database as it is now. The name of the copy appears when it is whole.
fn back_up(connection: &Connection, version: u32, backups: &Path) -> Result<(), OpenError> {
    let whole = backups.join(format!("kyc.schema-{version}.sqlite"));
    let unfinished = whole.with_extension("unfinished");
    let remove = || match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    };
    let backup = |error: std::io::Error| OpenError::Backup(error.into());
    remove().map_err(backup)?;
    let name =
        unfinished.to_str().ok_or_else(|| OpenError::Backup("the path is no text".into()))?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(|e| OpenError::Backup(e.into()))?;
    let finish = || {
        fs::File::open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, &whole)?;
        sync_folder(backups)
    };
    finish().map_err(backup)
}

#[cfg(test)]
mod tests;
