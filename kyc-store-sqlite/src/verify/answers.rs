//! Each answer that is kept for a request that is sent again.

use kyc_core::StoreError;
use rusqlite::{Connection, params};

use super::{Check, Tally};
use crate::SqliteStore;
use crate::error::unavailable;
use crate::replay;

/// Opens each answer, and looks for what it tells of.
pub(super) fn verify(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    loop {
        let mut portion = 0;
        store.readers().read_now(|reader| {
            let mut statement = reader.prepare_cached(PORTION).map_err(unavailable)?;
            let mut rows = statement.query([after]).map_err(unavailable)?;
            while let Some(row) = rows.next().map_err(unavailable)? {
                after = row.get(0).map_err(unavailable)?;
                portion += 1;
                match replay::opened(reader, store.sealing(), after, row) {
                    Ok(()) if is_erased(row)? => {}
                    Ok(()) => about(reader, after, row, tally)?,
                    Err(error) => tally.corrupt(Check::Answers, error)?,
                }
            }
            Ok::<_, StoreError>(())
        })?;
        tally.looked(Check::Answers, portion);
        if portion == 0 {
            return Ok(());
        }
    }
}

/// Whether what it told of was erased, so that only its key is left.
fn is_erased(row: &rusqlite::Row<'_>) -> Result<bool, StoreError> {
    let status: u16 = row.get(5).map_err(unavailable)?;
    Ok(status == replay::ERASED)
}

fn about(
    reader: &Connection,
    number: i64,
    row: &rusqlite::Row<'_>,
    tally: &mut Tally<'_>,
) -> Result<(), StoreError> {
    let client: u32 = row.get(1).map_err(unavailable)?;
    let about: [u8; 16] = row.get(4).map_err(unavailable)?;
    let mut statement = reader.prepare_cached(IS_THERE).map_err(unavailable)?;
    let is_there = statement.query_row(params![about, client], |row| row.get(0));
    if !is_there.map_err(unavailable)? {
        tally.fault(Check::Answers, "replay", number, "what it tells of is not there");
    }
    Ok(())
}

const PORTION: &str = "
    SELECT number, client, key, body, about, status FROM replay WHERE number > :after
    ORDER BY number LIMIT 256";

// A document that was erased while the backup was made which this store comes from.
const IS_THERE: &str = "
    SELECT EXISTS (SELECT 1 FROM submission WHERE id = :about AND client = :client)
        OR EXISTS (SELECT 1 FROM document WHERE client = :client AND id = :about)
        OR EXISTS (SELECT 1 FROM erased_document WHERE client = :client AND id = :about)";
