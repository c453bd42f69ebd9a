//! Single values that only the one who knows them may replace.

use kyc_core::StoreError;
use rusqlite::{Connection, OptionalExtension, params};

use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::corrupt;
use crate::writer::Extent;

/// The value of that name.
pub(crate) fn value(connection: &Connection, name: &str) -> Result<Vec<u8>, StoreError> {
    let mut statement = connection.prepare_cached(VALUE).map_err(unavailable)?;
    let value = statement.query_row([name], |row| row.get(0)).optional().map_err(unavailable)?;
    value.ok_or_else(|| missing(name))
}

/// A value that was there from the first start on, and is not any more.
pub(crate) fn missing(name: &str) -> StoreError {
    corrupt("state", &name, "it is missing: restore the data folder from a backup")
}

/// Replaces a value that is still the one before.
pub(crate) fn advance(
    store: &SqliteStore,
    name: &'static str,
    before: Vec<u8>,
    after: Vec<u8>,
) -> Result<(), StoreError> {
    store.writer().change(Extent::Statement, move |connection| {
        let mut statement = connection.prepare_cached(ADVANCE).map_err(unavailable)?;
        match statement.execute(params![after, name, before]) {
            Ok(0) => Err(StoreError::Stale),
            Ok(_) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    })
}

pub(crate) const VALUE: &str = "
    SELECT value FROM state WHERE name = :name";

// Compare-and-set, as of a submission.
pub(crate) const ADVANCE: &str = "
    UPDATE state SET value = :after WHERE name = :name AND value = :before";
