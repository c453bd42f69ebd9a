//! The table of clients' keys.

use std::collections::HashMap;

use kyc_core::StoreError;
use kyc_vault::{Fingerprint, WrappedClientKey};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use crate::error::unavailable;
use crate::record::{Damage, corrupt};

/// A key that was not destroyed.
pub(super) struct StoredKey {
    pub(super) client: u32,
    pub(super) version: u32,
    pub(super) wrapped: WrappedClientKey,
    pub(super) uses: u32,
}

pub(super) fn active(
    connection: &Connection,
    client: u32,
) -> Result<Option<StoredKey>, StoreError> {
    one(connection, ACTIVE, [client])
}

pub(super) fn of_version(
    connection: &Connection,
    client: u32,
    version: u32,
) -> Result<Option<StoredKey>, StoreError> {
    one(connection, OF_VERSION, [client, version])
}

fn one(
    connection: &Connection,
    sql: &str,
    columns: impl Params,
) -> Result<Option<StoredKey>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(unavailable)?;
    let stored: Option<Columns> =
        statement.query_row(columns, |row| row.try_into()).optional().map_err(unavailable)?;
    stored.map(read).transpose()
}

type Columns = (u32, u32, Vec<u8>, i64);

fn read((client, version, wrapped, uses): Columns) -> Result<StoredKey, StoreError> {
    let damaged = |what| corrupt("client_key", &client, Damage::Value(what));
    let wrapped = WrappedClientKey::from_bytes(&wrapped).ok_or_else(|| damaged("key"))?;
    let uses = u32::try_from(uses).map_err(|_| damaged("count of uses"))?;
    Ok(StoredKey { client, version, wrapped, uses })
}

/// Every key that was not destroyed.
pub(super) fn all(connection: &Connection) -> Result<Vec<StoredKey>, StoreError> {
    let mut statement = connection.prepare_cached(ALL).map_err(unavailable)?;
    let rows = statement.query_map([], |row| row.try_into()).map_err(unavailable)?;
    rows.map(|row| row.map_err(unavailable).and_then(read)).collect()
}

/// How many keys can be read, of those that were not destroyed.
pub(crate) fn client_keys(connection: &Connection) -> Result<usize, StoreError> {
    all(connection).map(|keys| keys.len())
}

/// Whether it is active, of every version of every client that was not destroyed.
pub(super) fn versions(connection: &Connection) -> rusqlite::Result<HashMap<(u32, u32), bool>> {
    let mut statement = connection.prepare_cached(VERSIONS)?;
    let version = |row: &Row<'_>| Ok(((row.get(0)?, row.get(1)?), row.get(2)?));
    statement.query_map([], version)?.collect()
}

/// The highest version that a client ever had; 0 for none.
pub(super) fn newest(connection: &Connection, client: u32) -> Result<u32, StoreError> {
    let mut statement = connection.prepare_cached(NEWEST).map_err(unavailable)?;
    statement.query_row([client], |row| row.get(0)).map_err(unavailable)
}

pub(super) fn insert_active(
    connection: &Connection,
    client: u32,
    version: u32,
    wrapped: &WrappedClientKey,
    uses: u32,
) -> Result<(), StoreError> {
    let columns = params![client, version, wrapped.to_bytes(), uses];
    execute(connection, INSERT_ACTIVE, columns).map(|_| ())
}

pub(super) fn set_uses(
    connection: &Connection,
    key: &StoredKey,
    uses: u32,
) -> Result<(), StoreError> {
    execute(connection, SET_USES, params![uses, key.client, key.version]).map(|_| ())
}

pub(super) fn retire(connection: &Connection, client: u32) -> Result<(), StoreError> {
    execute(connection, RETIRE, [client]).map(|_| ())
}

/// Whether a version of the client's key was replaced and not destroyed yet.
pub(super) fn is_replacing(connection: &Connection, client: u32) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached(REPLACED).map_err(unavailable)?;
    statement.exists([client]).map_err(unavailable)
}

/// Counts the rotations of the master key, from the first key on.
pub(super) fn next_master_version(connection: &Connection) -> Result<u32, StoreError> {
    let mut statement = connection.prepare_cached(NEXT_MASTER_VERSION).map_err(unavailable)?;
    statement.query_row([], |row| row.get(0)).map_err(unavailable)
}

/// A number that changes whenever a key is replaced or destroyed.
pub(super) fn revision(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached(REVISION)?.query_row([], |row| row.get(0))
}

pub(super) fn next_revision(connection: &Connection) -> Result<(), StoreError> {
    execute(connection, NEXT_REVISION, []).map(|_| ())
}

/// The fingerprint of the master key; `None` where there is no vault.
pub(super) fn master(connection: &Connection) -> rusqlite::Result<Option<Fingerprint>> {
    connection.prepare_cached(MASTER)?.query_row([], |row| row.get(0)).optional()
}

pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    columns: impl Params,
) -> Result<usize, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(unavailable)?;
    statement.execute(columns).map_err(unavailable)
}

pub(crate) const ACTIVE: &str = "
    SELECT client, version, wrapped, uses FROM client_key
    WHERE client = :client AND state = 'active'";

pub(crate) const OF_VERSION: &str = "
    SELECT client, version, wrapped, uses FROM client_key
    WHERE client = :client AND version = :version AND state <> 'destroyed'";

const ALL: &str = "
    SELECT client, version, wrapped, uses FROM client_key WHERE state <> 'destroyed'";

const VERSIONS: &str = "
    SELECT client, version, state = 'active' FROM client_key WHERE state <> 'destroyed'";

pub(crate) const NEWEST: &str = "
    SELECT coalesce(max(version), 0) FROM client_key WHERE client = :client";

const INSERT_ACTIVE: &str = "
    INSERT INTO client_key (client, version, state, wrapped, uses)
    VALUES (:client, :version, 'active', :wrapped, :uses)";

const SET_USES: &str = "
    UPDATE client_key SET uses = :uses WHERE client = :client AND version = :version";

const RETIRE: &str = "
    UPDATE client_key SET state = 'decrypt-only' WHERE client = :client AND state = 'active'";

pub(crate) const REVISION: &str = "
    SELECT value FROM state WHERE name = 'keys'";

const NEXT_REVISION: &str = "
    UPDATE state SET value = value + 1 WHERE name = 'keys'";

const REPLACED: &str = "
    SELECT 1 FROM client_key WHERE client = :client AND state = 'decrypt-only'";

const NEXT_MASTER_VERSION: &str = "
    INSERT INTO state (name, value) VALUES ('master.version', 2)
    ON CONFLICT (name) DO UPDATE SET value = value + 1
    RETURNING value";

const MASTER: &str = "
    SELECT value FROM state WHERE name = 'master'";
