//! Which submissions refer to which documents.

use kyc_core::{ClientId, DocumentId, StoreError, SubmissionId};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::error::unavailable;
use crate::record::{corrupt, decode};
use crate::{OpenError, state};

/// Notes that a submission refers to documents.
///
/// Fails as stale if one of them was erased meanwhile.
pub(crate) fn add(
    connection: &Connection,
    client: ClientId,
    submission: i64,
    documents: &[DocumentId],
) -> Result<(), StoreError> {
    let mut add = connection.prepare_cached(ADD).map_err(unavailable)?;
    for document in documents {
        let columns = params![client.get(), document.to_bytes(), submission];
        let added = add.execute(columns).map_err(unavailable)?;
        if added == 0 && is_erased(connection, client, *document)? {
            return Err(StoreError::Stale);
        }
    }
    Ok(())
}

/// Takes back that a submission refers to a document, and says whether another one does.
pub(crate) fn remove(
    connection: &Connection,
    client: ClientId,
    submission: i64,
    document: DocumentId,
) -> Result<bool, StoreError> {
    let mut remove = connection.prepare_cached(REMOVE).map_err(unavailable)?;
    remove.execute(params![client.get(), document.to_bytes(), submission]).map_err(unavailable)?;
    is_used(connection, client, document)
}

/// The submissions that refer to a document.
pub(super) fn referring(
    connection: &Connection,
    client: ClientId,
    document: DocumentId,
) -> Result<Vec<SubmissionId>, StoreError> {
    let mut referring = connection.prepare_cached(REFERRING).map_err(unavailable)?;
    let ids = referring
        .query_map(params![client.get(), document.to_bytes()], |row| row.get(0))
        .map_err(unavailable)?;
    ids.map(|id| id.map(SubmissionId::from_bytes)).collect::<Result<_, _>>().map_err(unavailable)
}

/// Whether a submission refers to a document.
pub(super) fn is_used(
    connection: &Connection,
    client: ClientId,
    document: DocumentId,
) -> Result<bool, StoreError> {
    let mut used = connection.prepare_cached(IS_USED).map_err(unavailable)?;
    used.exists(params![client.get(), document.to_bytes()]).map_err(unavailable)
}

fn is_erased(
    connection: &Connection,
    client: ClientId,
    document: DocumentId,
) -> Result<bool, StoreError> {
    let mut erased = connection.prepare_cached(IS_ERASED).map_err(unavailable)?;
    erased.exists(params![client.get(), document.to_bytes()]).map_err(unavailable)
}

/// Enters the submissions of a database that an older release wrote, all or none. Does nothing
/// where that is done.
pub(crate) fn fill(connection: &mut Connection) -> Result<(), OpenError> {
    let is_missing = |connection: &Connection| -> Result<bool, OpenError> {
        let is_missing = connection.query_row(ARE_MISSING, [], |row| row.get(0)).optional()?;
        Ok(is_missing.ok_or_else(|| state::missing("uses_missing"))?)
    };
    if !is_missing(connection)? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_missing(&transaction)? {
        enter_all(&transaction)?;
        transaction.execute(ARE_THERE, [])?;
    }
    Ok(transaction.commit()?)
}

fn enter_all(connection: &Connection) -> Result<(), StoreError> {
    let mut statement = connection.prepare(EVERY).map_err(unavailable)?;
    let mut rows = statement.query([]).map_err(unavailable)?;
    while let Some(row) = rows.next().map_err(unavailable)? {
        let (key, client): (i64, u32) =
            (row.get(0).map_err(unavailable)?, row.get(1).map_err(unavailable)?);
        let record = row.get_ref(2).and_then(|value| Ok(value.as_blob()?));
        let submission = decode(record.map_err(unavailable)?)
            .map_err(|damage| corrupt("submission", &key, damage))?;
        if let Some(client) = ClientId::new(client) {
            add(connection, client, key, &submission.documents())?;
        }
    }
    Ok(())
}

pub(crate) const ADD: &str = "
    INSERT INTO document_use (client, document, submission)
    SELECT :client, :document, :submission
    WHERE NOT EXISTS (SELECT 1 FROM erased_document WHERE client = :client AND id = :document)
    ON CONFLICT DO NOTHING";

pub(crate) const REMOVE: &str = "
    DELETE FROM document_use
    WHERE client = :client AND document = :document AND submission = :submission";

pub(crate) const REFERRING: &str = "
    SELECT stored.id FROM document_use AS used
    JOIN submission AS stored ON stored.key = used.submission
    WHERE used.client = :client AND used.document = :document
    ORDER BY used.submission";

pub(crate) const IS_USED: &str = "
    SELECT 1 FROM document_use WHERE client = :client AND document = :document";

pub(crate) const IS_ERASED: &str = "
    SELECT 1 FROM erased_document WHERE client = :client AND id = :document";

const ARE_MISSING: &str = "
    SELECT value = 1 FROM state WHERE name = 'uses_missing'";

const ARE_THERE: &str = "
    UPDATE state SET value = 0 WHERE name = 'uses_missing'";

const EVERY: &str = "
    SELECT key, client, record FROM submission";
