//! Documents: the port.
//!
//! A document exists when its row does. The file is made durable under its name before the row is
//! written, so no row lacks its file, and a crash on the way leaves a file that nothing refers to,
//! which the sweep removes.

mod files;
mod sweep;

pub use files::DocumentFile;
pub(crate) use files::Files;
pub(crate) use sweep::{Sweep, folders};

use std::io::ErrorKind;

use kyc_core::{
    AuditEntry, ClientId, Document, DocumentId, DocumentStore, FileFormat, StoreError, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, params};

use crate::SqliteStore;
use crate::error::unavailable;
use crate::pepper::Checksum;
use crate::record::{Damage, corrupt};
use crate::submissions::is_unique_violation;
use crate::writer::Extent;

impl DocumentStore for SqliteStore {
    fn put(&self, client: ClientId, document: &Document, bytes: &[u8]) -> Result<(), StoreError> {
        let id = document.handle.id();
        // Nobody else may write the file of this id until its row is there.
        let _under_way = self.files().begin(client, id).ok_or(StoreError::Duplicate)?;
        if self.row(client, id)?.is_some() {
            return Err(StoreError::Duplicate);
        }
        self.files().write(client, id, bytes).map_err(unavailable)?;
        let checksum = self.pepper().checksum(client, id, bytes).map_err(unavailable)?;
        let row = Row { document: document.clone(), checksum };
        let (audit, entry) = (self.audit().clone(), AuditEntry::of_document(document));
        // A failure leaves the file: whether the row was written is unknown then.
        self.writer().change(Extent::Statement, move |connection| {
            audit.record(connection, client, &[entry], || insert(connection, client, &row))
        })
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        Ok(self.row(client, id)?.map(|row| row.document))
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(row) = self.row(client, id)? else { return Ok(None) };
        let size_bytes = row.document.size_bytes;
        let read = self.files().read(client, id, size_bytes);
        let bytes = read.map_err(|error| {
            if error.kind() == ErrorKind::NotFound {
                corrupt("document", &id, error)
            } else {
                unavailable(error)
            }
        })?;
        let checksum = self.pepper().checksum(client, id, &bytes).map_err(unavailable)?;
        if checksum == row.checksum {
            Ok(Some(bytes))
        } else {
            Err(corrupt("document", &id, Damage::Value("checksum")))
        }
    }
}

impl SqliteStore {
    fn row(&self, client: ClientId, id: DocumentId) -> Result<Option<Row>, StoreError> {
        self.readers().read(|connection| find(connection, client, id))
    }
}

pub(crate) struct Row {
    document: Document,
    checksum: Checksum,
}

fn insert(connection: &Connection, client: ClientId, row: &Row) -> Result<(), StoreError> {
    let Document { handle, created_at, format, size_bytes } = &row.document;
    let mut statement = connection.prepare_cached(INSERT).map_err(unavailable)?;
    let inserted = statement.execute(params![
        client.get(),
        handle.id().to_bytes(),
        handle.to_text(),
        word(*format),
        size_bytes,
        row.checksum,
        created_at.unix_millis(),
    ]);
    match inserted {
        Ok(_) => Ok(()),
        Err(error) if is_unique_violation(&error) => Err(StoreError::Duplicate),
        Err(error) => Err(unavailable(error)),
    }
}

pub(crate) fn find(
    connection: &Connection,
    client: ClientId,
    id: DocumentId,
) -> Result<Option<Row>, StoreError> {
    let mut statement = connection.prepare_cached(FIND).map_err(unavailable)?;
    let stored: Option<(String, String, u32, Checksum, i64)> = statement
        .query_row(params![client.get(), id.to_bytes()], |row| row.try_into())
        .optional()
        .map_err(unavailable)?;
    let Some((handle, format, size_bytes, checksum, created_ms)) = stored else { return Ok(None) };
    let damaged = |what| corrupt("document", &id, Damage::Value(what));
    let document = Document {
        handle: handle.parse().map_err(|_| damaged("handle"))?,
        created_at: Timestamp::from_unix_millis(created_ms).ok_or_else(|| damaged("time"))?,
        format: format_of(&format).ok_or_else(|| damaged("format"))?,
        size_bytes,
    };
    if document.handle.id() == id {
        Ok(Some(Row { document, checksum }))
    } else {
        Err(corrupt("document", &id, Damage::OtherRow))
    }
}

/// The document of a row that begins with client and id.
pub(crate) fn file_of(row: &rusqlite::Row<'_>) -> Result<DocumentFile, StoreError> {
    let id = row.get(1).map(DocumentId::from_bytes).map_err(unavailable)?;
    let client = row.get(0).map_err(unavailable)?;
    let client = ClientId::new(client);
    let client = client.ok_or_else(|| corrupt("document", &id, Damage::Value("client")))?;
    Ok(DocumentFile { client, id })
}

fn word(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Jpeg => "jpeg",
        FileFormat::Pdf => "pdf",
        FileFormat::Png => "png",
    }
}

fn format_of(text: &str) -> Option<FileFormat> {
    let all = [FileFormat::Jpeg, FileFormat::Pdf, FileFormat::Png];
    all.into_iter().find(|format| word(*format) == text)
}

pub(crate) const INSERT: &str = "
    INSERT INTO document (client, id, handle, format, size_bytes, checksum, created_ms)
    VALUES (:client, :id, :handle, :format, :size_bytes, :checksum, :created_ms)";

pub(crate) const FIND: &str = "
    SELECT handle, format, size_bytes, checksum, created_ms FROM document
    WHERE client = :client AND id = :id";
