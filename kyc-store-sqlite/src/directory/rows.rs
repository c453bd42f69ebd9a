//! The tables of the directory.

use std::collections::HashMap;
use std::time::Duration;

use kyc_core::{Client, ClientId, Inspector, StoreError, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row};

use crate::credentials::{CredentialId, KeyRecord};
use crate::error::unavailable;
use crate::record::{Damage, corrupt};
use crate::state;

pub(crate) type Hash = [u8; 32];

/// A number that changes with every change of the directory.
pub(super) fn revision(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached(REVISION).map_err(unavailable)?;
    let revision = statement.query_row([], |row| row.get(0)).optional().map_err(unavailable)?;
    revision.ok_or_else(|| state::missing("directory"))
}

/// Every client, ordered by id.
pub(crate) fn clients(connection: &Connection) -> Result<Vec<Client>, StoreError> {
    let rows: Vec<(u32, String, String)> = all(connection, CLIENTS, |row| row.try_into())?;
    let client = |(number, name, prefix): (u32, String, String)| {
        Ok(Client {
            id: ClientId::new(number).ok_or("number")?,
            name: name.parse().map_err(|_| "name")?,
            prefix: prefix.parse().map_err(|_| "prefix")?,
        })
    };
    rows.into_iter().map(|row| read("client", &row.0.to_string(), || client(row))).collect()
}

/// The sandboxes, with how far their clocks are ahead.
pub(super) fn sandboxes(
    connection: &Connection,
) -> Result<HashMap<ClientId, Duration>, StoreError> {
    let rows: Vec<(u32, i64)> = all(connection, SANDBOXES, |row| row.try_into())?;
    let sandbox = |(number, ahead_ms): (u32, i64)| {
        let ahead_ms = u64::try_from(ahead_ms).map_err(|_| "clock")?;
        Ok((ClientId::new(number).ok_or("number")?, Duration::from_millis(ahead_ms)))
    };
    rows.into_iter().map(|row| read("client", &row.0.to_string(), || sandbox(row))).collect()
}

/// Every key with its hash, ordered by client and creation.
pub(crate) fn keys(connection: &Connection) -> Result<Vec<(KeyRecord, Hash)>, StoreError> {
    type Columns = (String, u32, Hash, i64, Option<i64>);
    let key = |(id, client, hash, created_ms, revoked_ms): Columns| {
        let revoked_at = revoked_ms.map(|ms| Timestamp::from_unix_millis(ms).ok_or("revocation"));
        let key = KeyRecord {
            id: id.parse().map_err(|_| "id")?,
            client: ClientId::new(client).ok_or("client")?,
            created_at: Timestamp::from_unix_millis(created_ms).ok_or("creation")?,
            revoked_at: revoked_at.transpose()?,
        };
        Ok((key, hash))
    };
    let rows: Vec<Columns> = all(connection, KEYS, |row| row.try_into())?;
    rows.into_iter().map(|row| read("api_key", &row.0.clone(), || key(row))).collect()
}

/// Every inspector with id and hash of the token, ordered by name.
pub(crate) fn inspectors(
    connection: &Connection,
) -> Result<Vec<(CredentialId, Hash, Inspector)>, StoreError> {
    type Columns = (String, String, Hash, bool);
    let rows: Vec<Columns> = all(connection, INSPECTORS, |row| row.try_into())?;
    let bindings: Vec<(String, u32)> = all(connection, INSPECTOR_CLIENTS, |row| row.try_into())?;
    let inspector = |(name, id, hash, sees_all): Columns| {
        let own = bindings.iter().filter(|(inspector, _)| *inspector == name);
        let bound = own.map(|(_, client)| ClientId::new(*client).ok_or("client"));
        let clients = if sees_all { None } else { Some(bound.collect::<Result<_, _>>()?) };
        let inspector = Inspector { name: name.parse().map_err(|_| "name")?, clients };
        Ok((id.parse().map_err(|_| "id")?, hash, inspector))
    };
    rows.into_iter().map(|row| read("inspector", &row.0.clone(), || inspector(row))).collect()
}

/// Reads a row, or says which one holds no valid what.
fn read<T>(
    table: &'static str,
    key: &str,
    row: impl FnOnce() -> Result<T, &'static str>,
) -> Result<T, StoreError> {
    row().map_err(|what| corrupt(table, &key, Damage::Value(what)))
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    columns: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(unavailable)?;
    let rows = statement.query_map([], columns).map_err(unavailable)?;
    rows.collect::<Result<_, _>>().map_err(unavailable)
}

pub(crate) const REVISION: &str = "
    SELECT value FROM state WHERE name = 'directory'";

const CLIENTS: &str = "
    SELECT number, name, prefix FROM client ORDER BY number";

const SANDBOXES: &str = "
    SELECT number, sandbox_ms FROM client WHERE sandbox_ms IS NOT NULL";

const KEYS: &str = "
    SELECT id, client, hash, created_ms, revoked_ms FROM api_key ORDER BY client, created_ms, id";

const INSPECTORS: &str = "
    SELECT name, id, hash, sees_all FROM inspector ORDER BY name";

const INSPECTOR_CLIENTS: &str = "
    SELECT inspector, client FROM inspector_client ORDER BY inspector, client";
