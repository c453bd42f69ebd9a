//! What has come of a file so far, kept so that the next attempt can go on there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::address::Address;
use super::error::FetchError;
use crate::folder;

/// The beginning of a file, and beside it what it is the beginning of.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    note: PathBuf,
}

/// What a beginning is the beginning of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// Whole, so that the folder is for its owner's eyes alone.
    pub(super) address: String,
    /// Names the edition: a strong `ETag`, or the time of its last change.
    pub(super) validator: String,
    /// Whether it was compressed on its way.
    pub(super) is_encoded: bool,
    /// How much the whole file has, if that was announced.
    pub(super) bytes: Option<u64>,
}

impl Partial {
    pub(super) fn of(file: &Path) -> Self {
        let beside = |ending: &str| {
            let mut name = file.file_name().unwrap_or_default().to_owned();
            name.push(ending);
            file.with_file_name(name)
        };
        Self { path: beside(".part"), note: beside(".part.json") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How much has come.
    pub(super) fn bytes(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |part| part.len())
    }

    /// How much has come of which edition, if it can go on.
    pub(super) fn resumable(&self, address: &Address) -> Option<(u64, Note)> {
        let note: Note = serde_json::from_slice(&fs::read(&self.note).ok()?).ok()?;
        let bytes = self.bytes();
        (bytes > 0 && note.address == address.secret()).then_some((bytes, note))
    }

    /// Begins anew. Without a note what comes cannot go on later.
    pub(super) fn begin(&self, note: Option<&Note>) -> Result<File, FetchError> {
        self.clear()?;
        let file = File::create(&self.path).map_err(FetchError::disk(&self.path))?;
        if let Some(text) = note.and_then(|note| serde_json::to_string(note).ok()) {
            folder::write_private(&self.note, &text).map_err(FetchError::disk(&self.note))?;
        }
        Ok(file)
    }

    pub(super) fn go_on(&self) -> Result<File, FetchError> {
        File::options().append(true).open(&self.path).map_err(FetchError::disk(&self.path))
    }

    /// Forgets what came.
    pub(super) fn clear(&self) -> Result<(), FetchError> {
        // The note first: without it the rest is the beginning of nothing.
        for path in [&self.note, &self.path] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(FetchError::disk(path)(error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Unpacks the whole file to where it belongs.
    pub(super) fn finish(
        &self,
        address: &Address,
        is_encoded: bool,
        file: &Path,
        bytes_max: u64,
    ) -> Result<(), FetchError> {
        let unpacked = super::unpack::unpack(&self.path, is_encoded, file, bytes_max);
        // What cannot be unpacked would not go on either.
        self.clear()?;
        unpacked.map_err(|source| FetchError::Packed { address: address.clone(), source })
    }
}
