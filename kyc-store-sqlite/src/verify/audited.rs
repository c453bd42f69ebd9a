//! What the audit tells, compared with what is stored.

use kyc_core::{AuditEvent, ClientId, DocumentId, StoreError, SubmissionId, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::certificates::Certificates;
use super::directory::ToldOfClient;
use super::{Check, Tally};
use crate::SqliteStore;
use crate::audit::audited;
use crate::error::unavailable;
use crate::quotas::Usage;

/// Looks for each submission that a chain tells of, for the certificate of each erasure, at the
/// times of documents, at how the uploads are counted, and at the client's rows in the directory. A
/// chain that cannot be read ends it: what is wrong with it is told elsewhere.
pub(super) fn verify(
    store: &SqliteStore,
    client: ClientId,
    certificates: &mut Certificates,
    tally: &mut Tally<'_>,
) -> Result<(), StoreError> {
    let (mut after, mut uploads, mut told) = (0, Usage::default(), ToldOfClient::default());
    loop {
        // Behind the last row nothing was changed, as of the same moment.
        let portion = store.readers().read_now(|reader| {
            let rows = audited(reader, Some(client), after, PAGE)?;
            if rows.is_empty() {
                told.compare(reader, client, tally)?;
            }
            Ok((rows, Usage::of(reader, client)?))
        });
        let (rows, counted) = match portion {
            Err(StoreError::Corrupt { table: "audit", .. }) => {
                certificates.forget(client);
                return Ok(());
            }
            portion => portion?,
        };
        let Some(last) = rows.last() else {
            if !counted.has_uploads_of(&uploads) {
                let what = "the uploads that are counted are not those that the audit tells of";
                tally.fault(Check::Usage, "usage", client.get(), what);
            }
            return Ok(());
        };
        after = last.position;
        let (mut stored, mut uploaded) = (Vec::new(), Vec::new());
        for row in &rows {
            if let AuditEvent::Submitted(id) | AuditEvent::Renewed { id, .. } = row.entry.event {
                stored.push(id);
            }
            if let AuditEvent::DocumentUploaded(id) = row.entry.event {
                uploads = uploads.with_upload(row.entry.at);
                uploaded.push((id, row.entry.at));
            }
            told.note(&row.entry);
            certificates.told(store, client, &row.entry, tally)?;
        }
        store.readers().read_now(|reader| {
            for id in stored {
                if !is_there_or_erased(reader, client, id)? {
                    let what = "the audit says that it was stored, and it is not there";
                    tally.fault(Check::References, "submission", id, what);
                }
            }
            for (id, at) in uploaded {
                if !is_of_or_gone(reader, client, id, at)? {
                    let what = "it was not uploaded when the audit says";
                    tally.fault(Check::Documents, "document", id, what);
                }
            }
            Ok::<_, StoreError>(())
        })?;
    }
}

/// Whether a document has that time. One that is not there may have been erased.
fn is_of_or_gone(
    reader: &Connection,
    client: ClientId,
    id: DocumentId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let mut statement = reader.prepare_cached(CREATED).map_err(unavailable)?;
    let created = statement.query_row(params![client.get(), id.to_bytes()], |row| row.get(0));
    let created: Option<i64> = created.optional().map_err(unavailable)?;
    Ok(created.is_none_or(|created| created == at.unix_millis()))
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

const CREATED: &str = "
    SELECT created_ms FROM document WHERE client = :client AND id = :id";

pub(super) const PAGE: usize = 1_000;
