//! What an erasure takes away, and what it leaves.

use kyc_core::{
    AuditEntry, Certificate, ClientId, DocumentCertificate, DocumentErasure, DocumentId, Erasure,
    StoreError, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::uses;
use crate::SqliteStore;
use crate::audit::Audit;
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{Damage, corrupt, encode_certificate, encode_document_certificate};
use crate::replay;
use crate::sealing::Sealing;
use crate::submissions::{self, Row};

/// What an erasure needs of the store.
pub(super) struct Parts {
    pepper: Pepper,
    audit: Audit,
    sealing: Sealing,
}

impl Parts {
    pub(super) fn of(store: &SqliteStore) -> Self {
        let (pepper, audit) = (store.pepper().clone(), store.audit().clone());
        Self { pepper, audit, sealing: store.sealing().clone() }
    }
}

/// Erases a submission in one change, and leaves its certificate. Without its row nothing can open
/// the record any more: the key that sealed it was in the row.
pub(super) fn submission(
    connection: &Connection,
    Parts { pepper, audit, sealing }: &Parts,
    client: ClientId,
    erasure: &Erasure,
) -> Result<Option<Certificate>, StoreError> {
    let mut statement = connection.prepare_cached(VERSION).map_err(unavailable)?;
    let found: Option<(i64, u32)> = statement
        .query_row(params![erasure.submission.to_bytes(), client.get()], |row| row.try_into())
        .optional()
        .map_err(unavailable)?;
    let Some((key, version)) = found else { return Ok(None) };
    if version != erasure.version {
        return Err(StoreError::Stale);
    }
    let mut documents = Vec::new();
    for id in &erasure.documents {
        if !uses::remove(connection, client, key, *id)? {
            document(connection, sealing, client, *id, erasure.at)?;
            documents.push(*id);
        }
    }
    execute(connection, REMOVE, params![key])?;
    replay::erase(connection, sealing, client, erasure.submission.to_bytes())?;
    let certificate = Certificate::of(client, erasure.clone(), documents);
    let record = encode_certificate(&certificate);
    let tag = pepper.certificate(client, erasure.submission, &record);
    let columns = params![client.get(), erasure.submission.to_bytes(), record, tag];
    execute(connection, CERTIFY, columns)?;
    execute(connection, LEAVES_TRACES, [])?;
    audit.append(connection, Some(client), &AuditEntry::of_erasure(erasure))?;
    Ok(Some(certificate))
}

/// Erases one document in one change: the submissions that refer to it are replaced by these rows.
pub(super) fn one_document(
    connection: &Connection,
    Parts { pepper, audit, sealing }: &Parts,
    client: ClientId,
    erasure: &DocumentErasure,
    rows: &[Row],
) -> Result<Option<DocumentCertificate>, StoreError> {
    let id = erasure.document;
    let mut statement = connection.prepare_cached(UPLOADED).map_err(unavailable)?;
    let uploaded: Option<i64> = statement
        .query_row(params![client.get(), id.to_bytes()], |row| row.get(0))
        .optional()
        .map_err(unavailable)?;
    let Some(uploaded) = uploaded else { return Ok(None) };
    let created_at = Timestamp::from_unix_millis(uploaded)
        .ok_or_else(|| corrupt("document", &id, Damage::Value("time")))?;
    rows.iter().try_for_each(|row| submissions::replace(connection, row))?;
    if uses::is_used(connection, client, id)? {
        return Err(StoreError::Stale);
    }
    document(connection, sealing, client, id, erasure.at)?;
    let certificate = DocumentCertificate::of(client, erasure, created_at);
    let record = encode_document_certificate(&certificate);
    let tag = pepper.document_certificate(client, id, &record);
    execute(connection, CERTIFY_DOCUMENT, params![record, tag, client.get(), id.to_bytes()])?;
    execute(connection, LEAVES_TRACES, [])?;
    for entry in AuditEntry::of_document_erasure(erasure) {
        audit.append(connection, Some(client), &entry)?;
    }
    Ok(Some(certificate))
}

/// Erases those of these documents that no submission refers to.
pub(super) fn unused(
    connection: &Connection,
    Parts { audit, sealing, .. }: &Parts,
    client: ClientId,
    documents: &[DocumentId],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut erased = 0;
    for id in documents {
        if !uses::is_used(connection, client, *id)? {
            document(connection, sealing, client, *id, at)?;
            audit.append(connection, Some(client), &AuditEntry::of_unused(*id, at))?;
            erased += 1;
        }
    }
    if erased > 0 {
        execute(connection, LEAVES_TRACES, [])?;
    }
    Ok(erased)
}

/// Erases a document but for its file, which is noted.
fn document(
    connection: &Connection,
    sealing: &Sealing,
    client: ClientId,
    id: DocumentId,
    at: Timestamp,
) -> Result<(), StoreError> {
    execute(connection, REMOVE_DOCUMENT, params![client.get(), id.to_bytes()])?;
    replay::erase(connection, sealing, client, id.to_bytes())?;
    execute(connection, NOTE, params![client.get(), id.to_bytes(), at.unix_millis()])
}

pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    columns: impl rusqlite::Params,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(unavailable)?;
    statement.execute(columns).map_err(unavailable)?;
    Ok(())
}

pub(crate) const VERSION: &str = "
    SELECT key, version FROM submission WHERE id = :id AND client = :client";

pub(crate) const REMOVE: &str = "
    DELETE FROM submission WHERE key = :key";

pub(crate) const REMOVE_DOCUMENT: &str = "
    DELETE FROM document WHERE client = :client AND id = :id";

const NOTE: &str = "
    INSERT INTO erased_document (client, id, erased_ms, file) VALUES (:client, :id, :erased_ms, 1)
    ON CONFLICT DO NOTHING";

const CERTIFY: &str = "
    INSERT INTO certificate (client, submission, record, tag)
    VALUES (:client, :submission, :record, :tag)
    ON CONFLICT DO UPDATE SET record = excluded.record, tag = excluded.tag";

pub(crate) const UPLOADED: &str = "
    SELECT created_ms FROM document WHERE client = :client AND id = :id";

pub(crate) const CERTIFY_DOCUMENT: &str = "
    UPDATE erased_document SET record = :record, tag = :tag WHERE client = :client AND id = :id";

pub(crate) const LEAVES_TRACES: &str = "
    UPDATE state SET value = value + 1 WHERE name = 'unscrubbed'";
