//! Each document, and files that are none.

use std::fs;
use std::io;

use kyc_core::{DocumentStore, StoreError};
use rusqlite::params;

use super::{Check, Tally};
use crate::documents::{DocumentFile, file_of, find, folders};
use crate::error::unavailable;
use crate::folder::client_of;
use crate::{SqliteStore, documents};

/// Reads each document whole, as for whoever asks for it.
pub(super) fn verify(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut after: Option<DocumentFile> = None;
    loop {
        let portion = portion(store, after)?;
        for document in &portion {
            if let Err(error) = one(store, *document) {
                tally.corrupt(Check::Documents, error)?;
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
    let Err(error) = store.bytes(client, id) else { return Ok(()) };
    let is_there = store.readers().read_now(|reader| {
        let mut statement = reader.prepare_cached(documents::FIND).map_err(unavailable)?;
        statement.exists(params![client.get(), id.to_bytes()]).map_err(unavailable)
    })?;
    // It may have been erased since its portion was read.
    if is_there { Err(error) } else { Ok(()) }
}

/// Counts the files that have no row. Those of an upload under way are among them.
pub(super) fn left_overs(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    for client in folders(store.folder().documents())? {
        let client = client?;
        let Some(id) = client_of(&client.file_name()) else { continue };
        for part in folders(client.path())? {
            for file in entries(&part?.path())? {
                let Some(document) = file.to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                let row = store.readers().read(|reader| find(reader, id, document));
                if let Ok(None) = row {
                    tally.looked(Check::LeftOvers, 1);
                }
            }
        }
    }
    Ok(())
}

fn entries(path: &std::path::Path) -> Result<impl Iterator<Item = std::ffi::OsString>, StoreError> {
    let names: io::Result<Vec<_>> = fs::read_dir(path)
        .and_then(|all| all.map(|file| file.map(|file| file.file_name())).collect());
    Ok(names.map_err(unavailable)?.into_iter())
}

const PORTION: &str = "
    SELECT client, id FROM document WHERE (client, id) > (:client, :id)
    ORDER BY client, id LIMIT 256";
