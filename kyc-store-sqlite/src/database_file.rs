//! The database file, held open to wait for the disk outside of SQLite.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file of a database that this process has open.
///
/// Closing a file lets go of all locks that the process has on it, also of SQLite's: they belong to
/// process and file, not to one opening of it. So it is opened once for all stores on it, and closed
/// when the last of them has closed its connections.
#[derive(Debug)]
pub(crate) struct DatabaseFile(Key);

/// Device and number of a file.
type Key = (u64, u64);

/// What is open, and for how many.
static OPEN: Mutex<BTreeMap<Key, (Arc<File>, usize)>> = Mutex::new(BTreeMap::new());

impl DatabaseFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let key = (metadata.dev(), metadata.ino());
        let mut open = all_open();
        if let Some((_, count)) = open.get_mut(&key) {
            *count += 1;
        } else {
            open.insert(key, (Arc::new(File::open(path)?), 1));
        }
        Ok(Self(key))
    }

    /// Waits until the disk has what was written to the file.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let file = all_open().get(&self.0).map(|(file, _)| Arc::clone(file));
        file.map_or(Ok(()), |file| file.sync_data())
    }
}

impl Drop for DatabaseFile {
    fn drop(&mut self) {
        // Closed under the lock, so that nobody opens the database meanwhile.
        let mut open = all_open();
        if let Some((_, count)) = open.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.0);
            }
        }
    }
}

fn all_open() -> MutexGuard<'static, BTreeMap<Key, (Arc<File>, usize)>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}
