//! Each document, and files that are none.

use std::fs;
use std::io;
use std::path::Path;

use kyc_core::{DocumentStore, StoreError};
use rusqlite::params;

use super::{Check, Tally};
use crate::SqliteStore;
use crate::documents::{DocumentFile, TABLE, file_of, folders, is_in_clear, is_there};
use crate::error::unavailable;
use crate::folder::client_of;
use crate::record::corrupt;

/// Reads each document whole, as for whoever asks for it.
pub(super) fn verify(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    if !is_folder(&store.folder().documents()) {
        let what = "it is missing, or no folder of its own";
        tally.fault(Check::Documents, "documents/", "", what);
    }
    let mut after: Option<DocumentFile> = None;
    loop {
        let portion = portion(store, after)?;
        for document in &portion {
            match one(store, *document) {
                Ok(()) => {}
                // What is in its place may be no file, and others may be well.
                Err(StoreError::Unavailable(cause)) if cause.is::<io::Error>() => {
                    tally.fault(Check::Documents, TABLE, document.id, cause);
                }
                Err(error) => tally.corrupt(Check::Documents, error)?,
            }
            tally.looked(Check::Documents, 1);
        }
        match portion.last() {
            Some(last) => after = Some(*last),
            None => return Ok(()),
        }
    }
}

fn portion(
    store: &SqliteStore,
    after: Option<DocumentFile>,
) -> Result<Vec<DocumentFile>, StoreError> {
    let (client, id) = after.map_or((0, [0; 16]), |last| (last.client.get(), last.id.to_bytes()));
    store.readers().read_now(|reader| {
        let mut statement = reader.prepare_cached(PORTION).map_err(unavailable)?;
        let mut rows = statement.query(params![client, id]).map_err(unavailable)?;
        let mut portion = Vec::new();
        while let Some(row) = rows.next().map_err(unavailable)? {
            portion.push(file_of(row)?);
        }
        Ok(portion)
    })
}

fn one(store: &SqliteStore, document: DocumentFile) -> Result<(), StoreError> {
    let DocumentFile { client, id } = document;
    let Err(error) = store.bytes(client, id).and_then(|_| sealed(store, document)) else {
        return Ok(());
    };
    // It may have been erased since its portion was read.
    if store.readers().read_now(|reader| is_there(reader, client, id))? {
        Err(error)
    } else {
        Ok(())
    }
}

/// A file in clear can be read like any other, so it takes a look of its own to notice it.
fn sealed(store: &SqliteStore, document: DocumentFile) -> Result<(), StoreError> {
    let DocumentFile { client, id } = document;
    let is_complete = store.readers().read(|reader| store.sealing().is_complete(reader))?;
    if is_complete && is_in_clear(store.files(), client, id)? {
        return Err(corrupt(TABLE, &id, "its file is in clear"));
    }
    Ok(())
}

/// Counts the files that have no row. Those of an upload under way are among them.
pub(super) fn left_overs(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    // One that is missing was told of.
    if !is_folder(&store.folder().documents()) {
        return Ok(());
    }
    for client in folders(store.folder().documents())? {
        let client = client?;
        let Some(id) = client_of(&client.file_name()) else { continue };
        for part in folders(client.path())? {
            for file in entries(&part?.path())? {
                let Some(document) = file.to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                if !store.readers().read(|reader| is_there(reader, id, document))? {
                    tally.looked(Check::LeftOvers, 1);
                }
            }
        }
    }
    Ok(())
}

/// Not by a link: what is elsewhere is in no backup.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}

fn entries(path: &Path) -> Result<impl Iterator<Item = std::ffi::OsString>, StoreError> {
    let names: io::Result<Vec<_>> = fs::read_dir(path)
        .and_then(|all| all.map(|file| file.map(|file| file.file_name())).collect());
    Ok(names.map_err(unavailable)?.into_iter())
}

const PORTION: &str = "
    SELECT client, id FROM document WHERE (client, id) > (:client, :id)
    ORDER BY client, id LIMIT 256";
