//! What the audit says was stored, and is neither there nor erased.

use kyc_core::{AuditEvent, AuditLog, ClientId, StoreError, SubmissionId};
use rusqlite::{Connection, params};

use super::{Check, Tally};
use crate::SqliteStore;
use crate::error::unavailable;

/// Looks for each submission that a chain tells of. A chain that cannot be read ends it: what is
/// wrong with it is told elsewhere.
pub(super) fn verify(
    store: &SqliteStore,
    client: ClientId,
    tally: &mut Tally<'_>,
) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let rows = match store.audited(Some(client), after, PAGE) {
            Ok(rows) => rows,
            Err(StoreError::Corrupt { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.position;
        let stored = rows.iter().filter_map(|row| {
            if let AuditEvent::Submitted(id) | AuditEvent::Renewed { id, .. } = row.entry.event {
                Some(id)
            } else {
                None
            }
        });
        store.readers().read_now(|reader| {
            for id in stored {
                if !is_there_or_erased(reader, client, id)? {
                    let what = "the audit says that it was stored, and it is not there";
                    tally.fault(Check::References, "submission", id, what);
                }
            }
            Ok::<_, StoreError>(())
        })?;
    }
}

fn is_there_or_erased(
    reader: &Connection,
    client: ClientId,
    id: SubmissionId,
) -> Result<bool, StoreError> {
    let mut statement = reader.prepare_cached(IS_THERE_OR_ERASED).map_err(unavailable)?;
    statement.query_row(params![id.to_bytes(), client.get()], |row| row.get(0)).map_err(unavailable)
}

const IS_THERE_OR_ERASED: &str = "
    SELECT EXISTS (SELECT 1 FROM submission WHERE id = :id AND client = :client)
        OR EXISTS (SELECT 1 FROM certificate WHERE client = :client AND submission = :id)";

const PAGE: usize = 1_000;
