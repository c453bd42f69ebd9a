use kyc_store_sqlite::{Options, SqliteStore};
use tempfile::TempDir;

/// A folder in memory where the system has one, since a test is not about the speed of a disk.
pub(crate) fn folder() -> TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.unwrap()
}

pub(crate) fn open(folder: &TempDir) -> SqliteStore {
    SqliteStore::open(folder.path(), Options::default()).unwrap()
}
