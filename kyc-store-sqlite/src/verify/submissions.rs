//! Each submission, and where it stands.

use kyc_core::StoreError;
use rusqlite::params;

use super::{Check, Tally};
use crate::SqliteStore;
use crate::error::unavailable;
use crate::submissions::{Column, Stored};

/// Compares the columns of each row with its record.
pub(super) fn verify(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    loop {
        let portion = store.readers().read_now(|reader| {
            let mut statement = reader.prepare_cached(PORTION).map_err(unavailable)?;
            let mut rows = statement.query(params![after, PORTION_ROWS]).map_err(unavailable)?;
            let mut seen = 0_u64;
            while let Some(row) = rows.next().map_err(unavailable)? {
                after = row.get(0).map_err(unavailable)?;
                seen += 1;
                if let Err(error) = one(store, row, tally) {
                    tally.corrupt(Check::Submissions, error)?;
                }
            }
            Ok(seen)
        })?;
        tally.looked(Check::Submissions, portion);
        tally.looked(Check::Queues, portion);
        if portion == 0 {
            return Ok(());
        }
    }
}

fn one(
    store: &SqliteStore,
    row: &rusqlite::Row<'_>,
    tally: &mut Tally<'_>,
) -> Result<(), StoreError> {
    let stored = Stored::read(row)?;
    for column in stored.contradictions(store.pepper())? {
        let check = match column {
            Column::Screening | Column::NeedsLook => Check::Queues,
            Column::Value(_) => Check::Submissions,
        };
        let what = format!("its {} is not what its record says", column.name());
        tally.fault(check, "submission", stored.id, what);
    }
    Ok(())
}

const PORTION_ROWS: i64 = 1_000;

const PORTION: &str = "
    SELECT key, client, id, created_ms, version, standing, screening, needs_look,
        email_key, user_key, person_key, record
    FROM submission WHERE key > :after ORDER BY key LIMIT :limit";
