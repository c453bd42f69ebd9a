//! Documents: the port.
//!
//! A document exists when its row does. The file is made durable under its name before the row is
//! written, so no row lacks its file, and a crash on the way leaves a file that nothing refers to,
//! which the sweep removes.

mod files;
mod row;
mod sealed_file;
mod sweep;
mod takeover;

pub use files::DocumentFile;
pub(crate) use files::Files;
#[cfg(test)]
pub(crate) use row::{FIND, INSERT};
pub(crate) use row::{TABLE, file_of, is_there};
pub(crate) use sweep::{Sweep, folders};
pub(crate) use takeover::{is_in_clear, seal_file, seal_row};

use std::io::ErrorKind;

use kyc_core::{
    AuditEntry, Beside, ClientId, Document, DocumentId, DocumentStore, StoreError, Timestamp,
};

use crate::SqliteStore;
use crate::beside::BesideRows;
use crate::error::unavailable;
use crate::record::{Damage, corrupt};

use row::{NewRow, Row, find};

impl DocumentStore for SqliteStore {
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError> {
        let id = document.handle.id();
        // Nobody else may write the file of this id until its row is there.
        let _under_way = self.files().begin(client, id).ok_or(StoreError::Duplicate)?;
        if self.row(client, id)?.is_some() {
            return Err(StoreError::Duplicate);
        }
        self.readers()
            .read(|connection| self.quotas().check_document(connection, client, document))?;
        let row = NewRow::of(self, client, document, bytes)?;
        let sealed = sealed_file::seal(&row.key, client, id, bytes)?;
        self.files().write(client, id, sealed.as_deref().unwrap_or(bytes)).map_err(unavailable)?;
        let entry = AuditEntry::of_document(document).by_key(beside.key.as_ref());
        let beside = BesideRows::of(self, client, id.to_bytes(), beside);
        let audit = self.audit().clone();
        let (quotas, document) = (self.quotas().clone(), document.clone());
        let stored = self.writer().change(beside.extent(), move |connection| {
            audit.record(connection, client, &[entry], || {
                beside.insert(connection)?;
                quotas.check_document(connection, client, &document)?;
                row.insert(connection)
            })
        });
        // Any other failure leaves the file: whether the row was written is unknown then.
        if let Err(StoreError::KeyTaken | StoreError::UsedUp(_)) = stored {
            self.files().remove(client, id);
        }
        stored
    }

    fn check_room(&self, client: ClientId, at: Timestamp) -> Result<(), StoreError> {
        self.readers().read(|connection| self.quotas().check_upload(connection, client, at, 1))
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        Ok(self.row(client, id)?.map(|row| row.document))
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        match self.content(client, id) {
            // It may have been sealed since its row was read, or while its file was.
            Err(StoreError::Corrupt { .. }) => self.content(client, id),
            content => content,
        }
    }
}

impl SqliteStore {
    fn row(&self, client: ClientId, id: DocumentId) -> Result<Option<Row>, StoreError> {
        self.readers().read(|connection| find(connection, self.sealing(), client, id))
    }

    /// The content of a document, as its row and its file say.
    fn content(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(row) = self.row(client, id)? else { return Ok(None) };
        let file = self.files().read(client, id, row.document.size_bytes);
        let file = file.map_err(|error| {
            if error.kind() == ErrorKind::NotFound {
                corrupt(TABLE, &id, error)
            } else {
                unavailable(error)
            }
        })?;
        let bytes = if sealed_file::is_sealed(&file) {
            let opened = sealed_file::open(&row.key, client, id, &file);
            opened.map_err(|damage| corrupt(TABLE, &id, damage))?
        } else {
            file
        };
        let checksum = self.pepper().checksum(client, id, &bytes).map_err(unavailable)?;
        if checksum == row.checksum {
            Ok(Some(bytes))
        } else {
            Err(corrupt(TABLE, &id, Damage::Value("checksum")))
        }
    }
}
