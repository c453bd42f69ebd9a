use kyc_core::StoreError;
use rusqlite::{Connection, ErrorCode, params};

use super::row::{Row, client_range, key_of};
use crate::error::unavailable;
use crate::quotas::Keeper;
use crate::retention::uses;

/// Stores a row behind all others of its client, while the quota of its day lasts.
pub(super) fn insert(
    connection: &Connection,
    row: &Row,
    quotas: &Keeper,
) -> Result<(), StoreError> {
    let (first, last) = client_range(row.client);
    let last_of_day = quotas.last_key(connection, row.client, row.columns.created_at)?;
    let data_key = row.data_key(connection)?;
    let mut statement = connection.prepare_cached(INSERT).map_err(unavailable)?;
    let inserted = statement.execute(params![
        row.client.get(),
        row.id.to_bytes(),
        row.columns.created_at.unix_millis(),
        row.columns.version,
        row.columns.standing,
        row.columns.screening,
        row.columns.needs_look,
        row.columns.email_key,
        row.columns.user_key,
        row.columns.person_key,
        row.columns.ended,
        row.record,
        data_key,
        first,
        last,
        last_of_day,
    ]);
    match inserted {
        Ok(0) => Err(quotas.no_key().into()),
        Ok(_) => uses::add(connection, row.client, connection.last_insert_rowid(), &row.documents),
        Err(error) if is_unique_violation(&error) => Err(StoreError::Duplicate),
        Err(error) => Err(unavailable(error)),
    }
}

/// Stores a row in the place of its previous version.
pub(crate) fn replace(connection: &Connection, row: &Row) -> Result<(), StoreError> {
    let data_key = row.data_key(connection)?;
    let mut statement = connection.prepare_cached(REPLACE).map_err(unavailable)?;
    let replaced = statement.execute(params![
        row.columns.version,
        row.columns.standing,
        row.columns.screening,
        row.columns.needs_look,
        row.columns.ended,
        row.record,
        data_key,
        row.id.to_bytes(),
        row.client.get(),
        row.columns.version.checked_sub(1),
    ]);
    match replaced {
        Ok(0) => Err(StoreError::Stale),
        Ok(_) if row.changes_uses() => {
            let key = key_of(connection, row.client, row.id)?.ok_or(StoreError::Stale)?;
            if let Some(document) = row.without {
                uses::remove(connection, row.client, key, document)?;
            }
            uses::add(connection, row.client, key, &row.documents)
        }
        Ok(_) => Ok(()),
        Err(error) => Err(unavailable(error)),
    }
}

/// Whether the row was refused because of a key that is taken.
pub(crate) fn is_unique_violation(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi;
    let Some(error) = error.sqlite_error() else { return false };
    error.code == ErrorCode::ConstraintViolation
        && [ffi::SQLITE_CONSTRAINT_UNIQUE, ffi::SQLITE_CONSTRAINT_PRIMARYKEY]
            .contains(&error.extended_code)
}

// The limit of one row keeps the condition on it out of the search for the newest key, which would
// then look at every row of the client.
pub(crate) const INSERT: &str = "
    INSERT INTO submission (
        key, client, id, created_ms, version, standing, screening, needs_look,
        email_key, user_key, person_key, ended, record, data_key
    )
    SELECT
        1 + newest, :client, :id, :created_ms, :version, :standing, :screening, :needs_look,
        :email_key, :user_key, :person_key, :ended, :record, :data_key
    FROM (
        SELECT coalesce(max(key), :first) AS newest FROM submission
        WHERE key > :first AND key <= :last
        LIMIT 1
    )
    WHERE newest < :last_of_day";

// Compare-and-set: the version in WHERE makes a lost update impossible.
pub(crate) const REPLACE: &str = "
    UPDATE submission
    SET version = :version, standing = :standing, screening = :screening,
        needs_look = :needs_look, ended = :ended, record = :record, data_key = :data_key
    WHERE id = :id AND client = :client AND version = :previous";
