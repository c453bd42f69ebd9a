//! Sealing documents that were stored in clear.

use std::fs::File;
use std::io::{self, ErrorKind};

use kyc_core::{ClientId, DocumentId, StoreError};

use super::row::{NewRow, find};
use super::{Files, TABLE, is_there, sealed_file};
use crate::error::unavailable;
use crate::folder::overwrite;
use crate::readers::Readers;
use crate::record::corrupt;
use crate::sealing::Sealing;
use crate::writer::{Extent, Writer};

/// Gives a row its key, if it has none.
pub(crate) fn seal_row(
    writer: &Writer,
    readers: &Readers,
    sealing: &Sealing,
    client: ClientId,
    id: DocumentId,
) -> Result<(), StoreError> {
    let found = readers.read_now(|connection| find(connection, sealing, client, id))?;
    let Some(found) = found.filter(|found| found.key.is_clear()) else { return Ok(()) };
    let row = NewRow::sealed(writer, sealing, client, &found.document, found.checksum)?;
    writer.change(Extent::Statement, move |connection| row.replace_clear(connection))
}

/// Seals a file whose row has a key, if it is in clear.
pub(crate) fn seal_file(
    files: &Files,
    readers: &Readers,
    sealing: &Sealing,
    client: ClientId,
    id: DocumentId,
) -> Result<(), StoreError> {
    let find = || readers.read_now(|connection| find(connection, sealing, client, id));
    let Some(row) = find()?.filter(|row| !row.key.is_clear()) else { return Ok(()) };
    let bytes = match files.read(client, id, row.document.size_bytes) {
        Ok(bytes) => bytes,
        // It was erased, or is lost, which whoever asks for it is told.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unavailable(error)),
    };
    if sealed_file::is_sealed(&bytes) {
        return Ok(());
    }
    let sealed = sealed_file::seal_again(&row.key, client, id, &bytes)?;
    let replace = || -> io::Result<()> {
        let mut clear = File::options().write(true).open(files.path(client, id))?;
        files.write(client, id, &sealed)?;
        // Whoever has it open reads again: its checksum is wrong now.
        overwrite(&mut clear)
    };
    replace().map_err(|error| corrupt(TABLE, &id, error))?;
    if !readers.read_now(|connection| is_there(connection, client, id))? {
        // The row was erased meanwhile, and its file just came back.
        files.remove(client, id);
    }
    Ok(())
}

/// Whether a document's file is there, and in clear.
pub(crate) fn is_in_clear(
    files: &Files,
    client: ClientId,
    id: DocumentId,
) -> Result<bool, StoreError> {
    // As much as tells it.
    match files.read(client, id, 0) {
        Ok(start) => Ok(!sealed_file::is_sealed(&start)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unavailable(error)),
    }
}
