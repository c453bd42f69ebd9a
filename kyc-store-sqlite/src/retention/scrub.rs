//! Making what was erased impossible to find on the disk.
//!
//! What is deleted from the database is overwritten there, but the write-ahead log still has it, and
//! the files of documents are still there. All that is left to do is in the database, so that a crash
//! on the way loses nothing of it.

use kyc_core::{ClientId, DocumentId, StoreError};
use rusqlite::{Connection, params};

use super::erase::execute;
use crate::SqliteStore;
use crate::error::unavailable;
use crate::writer::Extent;

impl SqliteStore {
    /// As [`Retention::scrub`](kyc_core::Retention::scrub).
    pub(super) fn scrub_all(&self) -> Result<bool, StoreError> {
        let (erasures, files) = self.readers().read_now(|connection| {
            let mut erasures = connection.prepare_cached(ERASURES).map_err(unavailable)?;
            let erasures: i64 = erasures.query_row([], |row| row.get(0)).map_err(unavailable)?;
            Ok((erasures, files(connection)?))
        })?;
        if erasures == 0 {
            return Ok(true);
        }
        for (client, id) in &files {
            self.files().erase(*client, *id).map_err(unavailable)?;
        }
        if !self.empty_log()? {
            return Ok(false);
        }
        self.writer().change(Extent::Several, move |connection| {
            for (client, id) in &files {
                execute(connection, FILE_GONE, params![client.get(), id.to_bytes()])?;
            }
            // More may have been erased meanwhile: that is left to the next time.
            execute(connection, SCRUBBED, [erasures])
        })?;
        Ok(true)
    }
}

/// The documents whose files may still be there.
fn files(connection: &Connection) -> Result<Vec<(ClientId, DocumentId)>, StoreError> {
    let mut statement = connection.prepare_cached(FILES).map_err(unavailable)?;
    let rows = statement
        .query_map([], |row| Ok((row.get::<_, u32>(0)?, DocumentId::from_bytes(row.get(1)?))))
        .map_err(unavailable)?;
    let mut files = Vec::new();
    for row in rows {
        let (client, id) = row.map_err(unavailable)?;
        files.extend(ClientId::new(client).map(|client| (client, id)));
    }
    Ok(files)
}

pub(crate) const ERASURES: &str = "
    SELECT value FROM state WHERE name = 'unscrubbed'";

pub(crate) const FILES: &str = "
    SELECT client, id FROM erased_document INDEXED BY erased_document_file WHERE file = 1";

pub(crate) const FILE_GONE: &str = "
    UPDATE erased_document SET file = NULL WHERE client = :client AND id = :id";

pub(crate) const SCRUBBED: &str = "
    UPDATE state SET value = 0 WHERE name = 'unscrubbed' AND value = :erasures";
