//! The row of a document.

use kyc_core::{ClientId, Document, DocumentId, FileFormat, StoreError, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::unavailable;
use crate::pepper::Checksum;
use crate::record::{Damage, corrupt};
use crate::sealing::{OpenRowKey, RowKey, Sealing, place};
use crate::submissions::is_unique_violation;
use crate::writer::Writer;
use crate::{DocumentFile, SqliteStore};

pub(crate) const TABLE: &str = "document";

/// The sealed column: handle and format.
const HEAD: &str = "head";

/// A row before it is stored.
pub(super) struct NewRow {
    client: ClientId,
    document: Document,
    checksum: Checksum,
    sealing: Sealing,
    pub(super) key: RowKey,
    head: Option<Vec<u8>>,
}

impl NewRow {
    pub(super) fn of(
        store: &SqliteStore,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
    ) -> Result<Self, StoreError> {
        let checksum = store.pepper().checksum(client, document.handle.id(), bytes);
        let checksum = checksum.map_err(unavailable)?;
        Self::sealed(store.writer(), store.sealing(), client, document, checksum)
    }

    /// In clear, where there is no vault.
    pub(super) fn sealed(
        writer: &Writer,
        sealing: &Sealing,
        client: ClientId,
        document: &Document,
        checksum: Checksum,
    ) -> Result<Self, StoreError> {
        let id = document.handle.id().to_bytes();
        let place = place(client, TABLE, &id);
        let key = sealing.row_key(writer, place)?;
        let head = if key.is_clear() {
            None
        } else {
            let head = [document.handle.to_text().as_str(), word(document.format)].join(" ");
            Some(key.seal(place, HEAD, head.into_bytes())?)
        };
        let (document, sealing) = (document.clone(), sealing.clone());
        Ok(Self { client, document, checksum, sealing, key, head })
    }

    /// Takes the place of the row that is in clear, if it still is.
    pub(super) fn replace_clear(&self, connection: &Connection) -> Result<(), StoreError> {
        let id = self.document.handle.id().to_bytes();
        let place = place(self.client, TABLE, &id);
        let data_key = self.sealing.settle(connection, place, &self.key)?;
        let mut statement = connection.prepare_cached(SEAL).map_err(unavailable)?;
        let columns = params![data_key, self.head, self.client.get(), id];
        statement.execute(columns).map_err(unavailable)?;
        Ok(())
    }

    pub(super) fn insert(&self, connection: &Connection) -> Result<(), StoreError> {
        let Document { handle, created_at, format, size_bytes } = &self.document;
        let id = handle.id().to_bytes();
        let place = place(self.client, TABLE, &id);
        let data_key = self.sealing.settle(connection, place, &self.key)?;
        let (handle, format) = match &self.head {
            None => (handle.to_text(), word(*format)),
            Some(_) => (String::new(), ""),
        };
        let mut statement = connection.prepare_cached(INSERT).map_err(unavailable)?;
        let inserted = statement.execute(params![
            self.client.get(),
            id,
            handle,
            format,
            size_bytes,
            self.checksum,
            created_at.unix_millis(),
            data_key,
            self.head,
        ]);
        match inserted {
            Ok(_) => Ok(()),
            Err(error) if is_unique_violation(&error) => Err(StoreError::Duplicate),
            Err(error) => Err(unavailable(error)),
        }
    }
}

/// A row that was read.
pub(super) struct Row {
    pub(super) document: Document,
    pub(super) checksum: Checksum,
    pub(super) key: OpenRowKey,
}

type Columns = (String, String, u32, Checksum, i64, Option<Vec<u8>>, Option<Vec<u8>>);

pub(super) fn find(
    connection: &Connection,
    sealing: &Sealing,
    client: ClientId,
    id: DocumentId,
) -> Result<Option<Row>, StoreError> {
    let mut statement = connection.prepare_cached(FIND).map_err(unavailable)?;
    let stored: Option<Columns> = statement
        .query_row(params![client.get(), id.to_bytes()], |row| row.try_into())
        .optional()
        .map_err(unavailable)?;
    let Some((handle, format, size_bytes, checksum, created_ms, data_key, head)) = stored else {
        return Ok(None);
    };
    let damaged = |what| corrupt(TABLE, &id, Damage::Value(what));
    let id_bytes = id.to_bytes();
    let place = place(client, TABLE, &id_bytes);
    let key = sealing.open_key(connection, place, data_key.as_deref());
    let key = key.map_err(|closed| closed.of(TABLE, &id))?;
    let mut buffer = Vec::new();
    let (handle, format) = match &head {
        None => (&*handle, &*format),
        Some(head) => {
            let head = key.open(place, HEAD, head, &mut buffer);
            let head = head.map_err(|damage| corrupt(TABLE, &id, damage))?;
            let head = str::from_utf8(head).map_err(|_| damaged("handle"))?;
            head.split_once(' ').ok_or_else(|| damaged("handle"))?
        }
    };
    let document = Document {
        handle: handle.parse().map_err(|_| damaged("handle"))?,
        created_at: Timestamp::from_unix_millis(created_ms).ok_or_else(|| damaged("time"))?,
        format: format_of(format).ok_or_else(|| damaged("format"))?,
        size_bytes,
    };
    if document.handle.id() == id {
        Ok(Some(Row { document, checksum, key }))
    } else {
        Err(corrupt(TABLE, &id, Damage::OtherRow))
    }
}

/// Whether there is a row.
pub(crate) fn is_there(
    connection: &Connection,
    client: ClientId,
    id: DocumentId,
) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached(FIND).map_err(unavailable)?;
    statement.exists(params![client.get(), id.to_bytes()]).map_err(unavailable)
}

/// The document of a row that begins with client and id.
pub(crate) fn file_of(row: &rusqlite::Row<'_>) -> Result<DocumentFile, StoreError> {
    let id = row.get(1).map(DocumentId::from_bytes).map_err(unavailable)?;
    let client = ClientId::new(row.get(0).map_err(unavailable)?);
    let client = client.ok_or_else(|| corrupt(TABLE, &id, Damage::Value("client")))?;
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
    INSERT INTO document (
        client, id, handle, format, size_bytes, checksum, created_ms, data_key, head
    ) VALUES (
        :client, :id, :handle, :format, :size_bytes, :checksum, :created_ms, :data_key, :head
    )";

const SEAL: &str = "
    UPDATE document SET handle = '', format = '', data_key = :data_key, head = :head
    WHERE client = :client AND id = :id AND data_key IS NULL";

pub(crate) const FIND: &str = "
    SELECT handle, format, size_bytes, checksum, created_ms, data_key, head FROM document
    WHERE client = :client AND id = :id";
