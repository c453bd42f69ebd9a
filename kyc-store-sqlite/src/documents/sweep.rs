//! Removing the files of uploads that a crash cut short.

use std::fs::{self, DirEntry};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use kyc_core::{ClientId, DocumentId, StoreError};

use super::{Files, is_there};
use crate::OpenError;
use crate::error::unavailable;
use crate::folder::{DATABASE_COPY, DataFolder, client_of};
use crate::options::{Report, tell};
use crate::readers::Readers;

/// One pass over all files in the background. Dropping it ends the pass.
pub(crate) struct Sweep {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Sweep {
    /// Starts to remove files without a row that were last written before `started`.
    pub(crate) fn start(
        files: Arc<Files>,
        folder: DataFolder,
        readers: Arc<Readers>,
        started: SystemTime,
        report: Report,
    ) -> Result<Self, OpenError> {
        let ends = Arc::new(AtomicBool::new(false));
        let pass = Pass { files, folder, readers, started, ends: Arc::clone(&ends) };
        let thread = thread::Builder::new()
            .name("kyc-store-sweep".to_owned())
            .spawn(move || {
                if let Err(error) = pass.run() {
                    tell(&report, &error);
                }
            })
            .map_err(OpenError::folder("start a thread"))?;
        Ok(Self { ends, thread: Some(thread) })
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Pass {
    files: Arc<Files>,
    folder: DataFolder,
    readers: Arc<Readers>,
    started: SystemTime,
    ends: Arc<AtomicBool>,
}

impl Pass {
    fn run(&self) -> Result<(), StoreError> {
        for file in fs::read_dir(&self.files.uploads).map_err(unavailable)? {
            let file = file.map_err(unavailable)?;
            if self.is_old(&file) && !self.is_of_backup(&file)? {
                remove(&file)?;
            }
        }
        for client in folders(self.files.documents.clone())? {
            let client = client?;
            // What has another name is not ours. A client's row is there before its first upload,
            // so no crash leaves files of one that is unknown: there the database is another one.
            if let Some(id) = client_of(&client.file_name())
                && self.is_known(id)?
            {
                self.sweep_client(id, &client)?;
            }
        }
        Ok(())
    }

    /// Whether a backup that another process makes just now needs the file.
    fn is_of_backup(&self, file: &DirEntry) -> Result<bool, StoreError> {
        let name = file.file_name();
        let is_copy = name.to_str().is_some_and(|name| name.starts_with(DATABASE_COPY));
        Ok(is_copy && self.folder.lock_backup().map_err(unavailable)?.is_none())
    }

    fn sweep_client(&self, client: ClientId, folder: &DirEntry) -> Result<(), StoreError> {
        for part in folders(folder.path())? {
            for file in fs::read_dir(part?.path()).map_err(unavailable)? {
                if self.ends.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let file = file.map_err(unavailable)?;
                let name = file.file_name();
                if let Some(id) = name.to_str().and_then(|name| name.parse().ok())
                    && self.is_old(&file)
                    && !self.is_needed(client, id)?
                {
                    remove(&file)?;
                }
            }
        }
        Ok(())
    }

    fn is_known(&self, client: ClientId) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(CLIENT).map_err(unavailable)?;
            statement.exists([client.get()]).map_err(unavailable)
        })
    }

    /// Whether the file has a row, or is about to have one.
    ///
    /// In this order: a file that is met here and no longer under way has its row by now, if it
    /// ever gets one.
    fn is_needed(&self, client: ClientId, id: DocumentId) -> Result<bool, StoreError> {
        if self.files.is_under_way(client, id) {
            return Ok(true);
        }
        self.readers.read(|connection| is_there(connection, client, id))
    }

    fn is_old(&self, file: &DirEntry) -> bool {
        let written = file.metadata().and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| written < self.started)
    }
}

/// The folders in a folder. What else lies there is not ours.
pub(crate) fn folders(
    path: PathBuf,
) -> Result<impl Iterator<Item = Result<DirEntry, StoreError>>, StoreError> {
    let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let entries = fs::read_dir(path).map_err(unavailable)?;
    Ok(entries
        .map(|entry| entry.map_err(unavailable))
        .filter(move |entry| entry.as_ref().map_or(true, is_folder)))
}

/// Removes a file. A folder is not ours.
fn remove(file: &DirEntry) -> Result<(), StoreError> {
    if file.file_type().is_ok_and(|kind| kind.is_dir()) {
        return Ok(());
    }
    match fs::remove_file(file.path()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unavailable(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

const CLIENT: &str = "
    SELECT 1 FROM client WHERE number = :number";
