//! What the audit tells, compared with what is stored.

use kyc_core::{AuditEvent, ClientId, StoreError, SubmissionId};
use rusqlite::{Connection, params};

use super::certificates::Certificates;
use super::{Check, Tally};
use crate::SqliteStore;
use crate::audit::audited;
use crate::error::unavailable;
use crate::quotas::Usage;

/// Looks for each submission that a chain tells of, for the certificate of each erasure, and at how
/// the uploads are counted. A chain that cannot be read ends it: what is wrong with it is told
/// elsewhere.
pub(super) fn verify(
    store: &SqliteStore,
    client: ClientId,
    certificates: &mut Certificates,
    tally: &mut Tally<'_>,
) -> Result<(), StoreError> {
    let (mut after, mut uploads) = (0, Usage::default());
    loop {
        // Behind the last row nothing was uploaded, as of the same moment.
        let portion = store.readers().read_now(|reader| {
            Ok((audited(reader, Some(client), after, PAGE)?, Usage::of(reader, client)?))
        });
        let (rows, counted) = match portion {
            Ok(portion) => portion,
            Err(StoreError::Corrupt { .. }) => {
                certificates.forget(client);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let Some(last) = rows.last() else {
            if !counted.has_uploads_of(&uploads) {
                let what = "the uploads that are counted are not those that the audit tells of";
                tally.fault(Check::Usage, "usage", client.get(), what);
            }
            return Ok(());
        };
        after = last.position;
        let mut stored = Vec::new();
        for row in &rows {
            if let AuditEvent::Submitted(id) | AuditEvent::Renewed { id, .. } = row.entry.event {
                stored.push(id);
            }
            if let AuditEvent::DocumentUploaded(_) = row.entry.event {
                uploads = uploads.with_upload(row.entry.at);
            }
            certificates.told(store, client, &row.entry, tally)?;
        }
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
