//! The database as of one moment, for backups.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use kyc_core::{BoxError, StoreError};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use crate::connection::open_reading;
use crate::error::unavailable;
use crate::folder::{DataFolder, private};
use crate::schema::STEPS;
use crate::{Checked, DocumentFile, OpenError, SqliteStore, Told, documents, migrate, verify};

/// The database as of one moment, in a file that nobody else writes to.
///
/// Its file can be read as it is: it has no log. Sealed values are as sealed in it as in the
/// database.
///
/// ```
/// use kyc_store_sqlite::{DatabaseCopy, Options, SqliteStore};
///
/// let folder = tempfile::tempdir()?;
/// let store = SqliteStore::open(folder.path(), Options::default())?;
/// let copy = store.copy_database(&mut |_done, _all| ())?;
/// let kept = folder.path().join("kept.sqlite");
/// std::fs::copy(copy.path(), &kept)?;
/// assert_eq!(DatabaseCopy::open(&kept)?.counts()?.submissions, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DatabaseCopy {
    path: PathBuf,
    connection: Connection,
    schema: u32,
    /// What is to be removed in the end, and who may not begin before.
    _temporary: Option<Temporary>,
}

/// How much a copy holds; there is an example at [`DatabaseCopy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyCounts {
    /// Rows of submissions.
    pub submissions: u64,
    /// Rows of documents.
    pub documents: u64,
    /// What their files hold together, in bytes before they are sealed.
    pub document_bytes: u64,
}

/// What has become of the file of a document that a copy refers to.
///
/// ```
/// use kyc_store_sqlite::DocumentState;
///
/// assert!(matches!(DocumentState::Erased, DocumentState::Erased));
/// ```
#[derive(Debug)]
pub enum DocumentState {
    /// It is there. Its content never changes.
    There(File),
    /// It was erased, and its row with it, after the copy was made.
    Erased,
    /// It is missing, though the store has its row.
    Missing,
}

impl SqliteStore {
    /// Copies the database as of now into `tmp/`, beside whoever reads and writes. Everything is in
    /// it that was acknowledged before. `progress` hears how many pages are done, and of how many.
    ///
    /// Until the copy is dropped, which removes it, nobody makes another one.
    ///
    /// # Errors
    ///
    /// [`CopyError::UnderWay`] while somebody else has a copy, [`CopyError::Sealing`] until a store
    /// that was in clear is sealed, [`CopyError::Failed`] when the disk
    /// or the database fails. Nothing is left over.
    pub fn copy_database(
        &self,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<DatabaseCopy, CopyError> {
        let folder = self.folder();
        let lock = folder.lock_backup()?.ok_or(CopyError::UnderWay)?;
        let temporary = Temporary { path: folder.database_copy(), _lock: lock };
        temporary.remove()?;
        let path = temporary.path.clone();
        private().write(true).create_new(true).open(&path)?;
        copy(folder, &path, progress)?;
        let copy = DatabaseCopy::open(&path)?;
        if copy.holds_clear()? {
            return Err(CopyError::Sealing);
        }
        Ok(DatabaseCopy { _temporary: Some(temporary), ..copy })
    }

    /// Opens the file of a document that a copy of this store refers to.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn open_document(&self, document: DocumentFile) -> Result<DocumentState, StoreError> {
        let DocumentFile { client, id } = document;
        match File::open(self.files().path(client, id)) {
            Ok(file) => Ok(DocumentState::There(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let readers = self.readers();
                let is_lost = readers.read_now(|reader| documents::is_there(reader, client, id))?;
                Ok(if is_lost { DocumentState::Missing } else { DocumentState::Erased })
            }
            Err(error) => Err(unavailable(error)),
        }
    }
}

impl DatabaseCopy {
    /// Opens a copy that was kept elsewhere.
    ///
    /// # Errors
    ///
    /// [`OpenError`] where it is no database of this service or of a newer release.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let connection = open_reading(path, Duration::ZERO)?;
        let schema = migrate::version(&connection, STEPS)?;
        if schema == 0 {
            return Err(OpenError::NotOurDatabase);
        }
        Ok(Self { path: path.to_owned(), connection, schema, _temporary: None })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The schema version, which an upgrade to a newer release raises.
    pub fn schema(&self) -> u32 {
        self.schema
    }

    /// Counts the rows, looking at each.
    ///
    /// # Errors
    ///
    /// Only when the copy cannot be read.
    pub fn counts(&self) -> Result<CopyCounts, StoreError> {
        let columns = self.connection.query_row(COUNTS, [], |row| row.try_into());
        let (submissions, documents, bytes): (i64, i64, i64) = columns.map_err(unavailable)?;
        Ok(CopyCounts {
            submissions: submissions.unsigned_abs(),
            documents: documents.unsigned_abs(),
            document_bytes: bytes.unsigned_abs(),
        })
    }

    /// Shows every document, ordered by client and id, until `visit` fails.
    ///
    /// # Errors
    ///
    /// What `visit` fails with; and when the copy cannot be read.
    pub fn documents<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(DocumentFile) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = self.connection.prepare(DOCUMENTS).map_err(unavailable)?;
        let mut rows = statement.query([]).map_err(unavailable)?;
        while let Some(row) = rows.next().map_err(unavailable)? {
            visit(documents::file_of(row)?)?;
        }
        Ok(())
    }

    /// Looks at pages, schema, references and the directory, as
    /// [`SqliteStore::verify`](SqliteStore::verify) does: what needs no key to be opened.
    ///
    /// # Errors
    ///
    /// When the copy cannot be read. A fault that was found is no error.
    pub fn verify(&self, tell: &mut dyn FnMut(Told)) -> Result<Vec<Checked>, StoreError> {
        verify::of_database(&self.connection, tell)
    }

    /// Whether a sealed store was being sealed: rows may be in clear whose files are not any more.
    fn holds_clear(&self) -> rusqlite::Result<bool> {
        let left: Option<i64> =
            self.connection.query_row(CLEAR, [], |row| row.get(0)).optional()?;
        Ok(left.is_some_and(|left| left != 0))
    }

    /// Whether it refers to a document.
    ///
    /// # Errors
    ///
    /// Only when the copy cannot be read.
    pub fn has_document(&self, document: DocumentFile) -> Result<bool, StoreError> {
        documents::is_there(&self.connection, document.client, document.id)
    }

    /// Takes out documents that were erased after it was made.
    ///
    /// # Errors
    ///
    /// Only when the copy cannot be written. Nothing has changed then.
    pub fn forget_documents(&mut self, erased: &[DocumentFile]) -> Result<(), StoreError> {
        let writing = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags(&self.path, writing).map_err(unavailable)?;
        let transaction = copy.transaction().map_err(unavailable)?;
        for DocumentFile { client, id } in erased {
            let key = params![client.get(), id.to_bytes()];
            transaction.execute(NOTE_ERASED, key).map_err(unavailable)?;
            transaction.execute(FORGET, key).map_err(unavailable)?;
        }
        transaction.commit().map_err(unavailable)
    }
}

/// Copies under one transaction that reads, so that what is written meanwhile is not in it.
fn copy(
    folder: &DataFolder,
    path: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), CopyError> {
    let source = open_reading(&folder.database(), BUSY)?;
    source.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
    let mut copy = Connection::open(path)?;
    // The whole file is waited for at the end; one that is cut off is never used.
    copy.pragma_update(None, "synchronous", "OFF")?;
    {
        let backup = Backup::new(&source, &mut copy)?;
        loop {
            let step = backup.step(PAGES_A_STEP)?;
            let all = u64::try_from(backup.progress().pagecount).unwrap_or(0);
            let left = u64::try_from(backup.progress().remaining).unwrap_or(0);
            progress(all.saturating_sub(left), all);
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                StepResult::Busy | StepResult::Locked | _ => thread::sleep(PAUSE),
            }
        }
    }
    // So that it needs no log, which would be a file of its own.
    let _: String =
        copy.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0))?;
    drop(copy);
    Ok(File::open(path)?.sync_all()?)
}

/// The files of a copy, until it is dropped.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    _lock: File,
}

impl Temporary {
    /// Removes the copy and what a crash may have left beside it.
    fn remove(&self) -> io::Result<()> {
        for companion in ["", "-journal", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(companion);
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What is not removed now, the next start or the next copy removes.
        let _ = self.remove();
    }
}

/// Why the database was not copied. Nothing is left over.
///
/// ```
/// use kyc_store_sqlite::CopyError;
///
/// assert!(CopyError::UnderWay.to_string().starts_with("another backup"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// Somebody else makes a backup just now.
    #[error("another backup of this data folder is under way: try again when it is done")]
    UnderWay,
    /// The store was in clear and is being sealed, for the first time.
    #[error("the store is being sealed: try again when the service has done that")]
    Sealing,
    /// The disk or the database failed.
    #[error("the database cannot be copied: check the disk")]
    Failed(#[source] BoxError),
}

impl From<io::Error> for CopyError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<rusqlite::Error> for CopyError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<OpenError> for CopyError {
    fn from(error: OpenError) -> Self {
        Self::Failed(error.into())
    }
}

/// Four megabytes: often enough for who watches.
const PAGES_A_STEP: i32 = 1_024;
const PAUSE: Duration = Duration::from_millis(10);
/// Readers of a log wait for nobody but one who recovers it after a crash.
const BUSY: Duration = Duration::from_secs(5);

const COUNTS: &str = "
    SELECT (SELECT count(*) FROM submission), count(*), coalesce(sum(size_bytes), 0) FROM document";

const CLEAR: &str = "
    SELECT value FROM state WHERE name = 'clear'";

const DOCUMENTS: &str = "
    SELECT client, id FROM document ORDER BY client, id";

// When it was erased, the copy does not know: not before it was made.
const NOTE_ERASED: &str = "
    INSERT OR IGNORE INTO erased_document (client, id, erased_ms)
    SELECT client, id, created_ms FROM document WHERE client = :client AND id = :id";

const FORGET: &str = "
    DELETE FROM document WHERE client = :client AND id = :id";
