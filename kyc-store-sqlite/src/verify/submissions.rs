//! Each submission, and where it stands.

use kyc_core::StoreError;
use rusqlite::{Connection, params};

use super::{Check, Tally};
use crate::SqliteStore;
use crate::error::unavailable;
use crate::submissions::{Contradiction, PORTION, contradictions};

/// Compares the columns of each row with its record.
pub(super) fn verify(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    loop {
        let mut portion = 0;
        store.readers().read_now(|reader| {
            let mut statement = reader.prepare_cached(PORTION).map_err(unavailable)?;
            let mut rows = statement.query(params![after, PORTION_ROWS]).map_err(unavailable)?;
            while let Some(row) = rows.next().map_err(unavailable)? {
                after = row.get(0).map_err(unavailable)?;
                portion += 1;
                one(store, reader, row, tally)?;
            }
            Ok::<_, StoreError>(())
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
    reader: &Connection,
    row: &rusqlite::Row<'_>,
    tally: &mut Tally<'_>,
) -> Result<(), StoreError> {
    let (id, contradictions) = match contradictions(store, reader, row) {
        Ok(compared) => compared,
        Err(error) => return tally.corrupt(Check::Submissions, error),
    };
    for contradiction in contradictions {
        let (check, what) = match contradiction {
            Contradiction::Queue(column) => (Check::Queues, not_as_recorded(column)),
            Contradiction::Lookup(column) => (Check::Submissions, not_as_recorded(column)),
            Contradiction::Reference(to) => {
                (Check::References, format!("a {to} that it refers to is missing"))
            }
        };
        tally.fault(check, "submission", id, what);
    }
    Ok(())
}

fn not_as_recorded(column: &str) -> String {
    format!("its {column} is not what its record says")
}

const PORTION_ROWS: i64 = 1_000;
