//! What is counted of each client.

use std::collections::BTreeSet;

use kyc_core::{ClientId, StoreError};
use rusqlite::Connection;

use super::{Check, Tally};
use crate::SqliteStore;
use crate::error::unavailable;

/// Compares the bytes that are counted of each client with its documents. The uploads of a day are
/// compared with what the audit tells of them, where that is read.
pub(super) fn verify(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    store.readers().read_now(|reader| bytes(reader, tally))
}

fn bytes(reader: &Connection, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut statement = reader.prepare_cached(BYTES).map_err(unavailable)?;
    let mut rows = statement.query([]).map_err(unavailable)?;
    while let Some(row) = rows.next().map_err(unavailable)? {
        let (client, counted, stored): (i64, Option<i64>, i64) =
            row.try_into().map_err(unavailable)?;
        tally.looked(Check::Usage, 1);
        if counted != Some(stored) {
            let what = "the bytes that are counted are not those of the documents";
            tally.fault(Check::Usage, "usage", client, what);
        }
    }
    Ok(())
}

/// The clients of whom something is counted.
pub(super) fn clients(reader: &Connection) -> Result<BTreeSet<ClientId>, StoreError> {
    let mut statement = reader.prepare_cached(CLIENTS).map_err(unavailable)?;
    let clients = statement.query_map([], |row| row.get(0)).map_err(unavailable)?;
    let clients: Vec<u32> = clients.collect::<Result<_, _>>().map_err(unavailable)?;
    Ok(clients.into_iter().filter_map(ClientId::new).collect())
}

const CLIENTS: &str = "
    SELECT client FROM usage";

const BYTES: &str = "
    SELECT coalesce(counted.client, stored.client), counted.document_bytes,
        coalesce(stored.bytes, 0)
    FROM usage AS counted
    FULL JOIN (SELECT client, sum(size_bytes) AS bytes FROM document GROUP BY client) AS stored
        ON stored.client = counted.client";
