//! Files that are whole or not there, also when the machine stops.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use super::LibraryError;

/// Replaces a file at once: written beside it, synced, renamed, folder synced.
pub(super) fn write_durably(path: &Path, bytes: &[u8]) -> Result<(), LibraryError> {
    let temporary = path.with_extension("tmp");
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let written = written.map_err(LibraryError::io(&temporary));
    let renamed =
        written.and_then(|()| fs::rename(&temporary, path).map_err(LibraryError::io(path)));
    if renamed.is_err() {
        // On a full disk its room is needed; the fault that counts is the first one.
        let _ = fs::remove_file(&temporary);
    }
    renamed?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Makes the entries of a folder durable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), LibraryError> {
    if cfg!(not(unix)) {
        return Ok(()); // Elsewhere folders cannot be opened, and renames are durable by themselves.
    }
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(LibraryError::io(folder))
}

/// The right to change the folder, held until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "dropping the file releases the lock")] File);

impl Lock {
    /// Waits for other holders.
    pub(super) fn hold(path: &Path) -> Result<Self, LibraryError> {
        let lock = || {
            let file = File::options().create(true).truncate(false).write(true).open(path)?;
            file.lock()?;
            Ok(Self(file))
        };
        lock().map_err(LibraryError::io(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.xml");
        fs::create_dir(&path).unwrap();
        assert!(write_durably(&path, b"<").is_err());
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
