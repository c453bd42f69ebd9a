use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use kyc_core::{Directory, StoreError, Timestamp};
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, OptionalExtension, params};

use crate::audit::Audit;
use crate::checkpoint::{Checkpointer, Log, is_busy};
use crate::connection::open_writing;
use crate::database_file::DatabaseFile;
use crate::directory::Cache;
use crate::documents::{Files, Sweep};
use crate::error::unavailable;
use crate::folder::DataFolder;
use crate::migrate::{self, migrate};
use crate::pepper::Pepper;
use crate::quotas::Keeper;
use crate::readers::Readers;
use crate::retention::uses;
use crate::schema::{PAGE_BYTES, STEPS};
use crate::sealing::{Sealing, Takeover, Tools, unlock};
use crate::writer::{Extent, Gate, Writer};
use crate::{OpenError, Options, submissions};

/// The embedded store: submissions, documents and the directory in one data folder.
///
/// Implements [`SubmissionStore`](kyc_core::SubmissionStore),
/// [`DocumentStore`](kyc_core::DocumentStore), [`Directory`] and
/// [`Monitoring`](kyc_core::Monitoring), and records each change in its
/// [`AuditLog`](kyc_core::AuditLog). Cloning is cheap, and all clones are one store; when the last
/// one is dropped, what was queued is finished and the folder is free.
///
/// ```
/// use kyc_core::{Directory, SystemClock, Clock};
/// use kyc_store_sqlite::{Options, SqliteStore};
///
/// let folder = tempfile::tempdir()?;
/// let store = SqliteStore::open(folder.path(), Options::default())?;
/// let client = store.add_client(&"acme".parse()?, SystemClock.now())?;
/// let key = store.create_key(client.id, SystemClock.now())?;
/// assert_eq!(store.client_of_key(key.as_str())?, Some(client));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SqliteStore(Arc<Inner>);

/// In the order in which they end: first who works in the background; the writer is the last to
/// close its connection, and so writes the log back; then the file is closed and the locks are let
/// go.
struct Inner {
    _takeover: Option<Takeover>,
    _sweep: Option<Sweep>,
    directory: Cache,
    readers: Arc<Readers>,
    _checkpointer: Option<Checkpointer>,
    writer: Arc<Writer>,
    gate: Gate,
    database: PathBuf,
    _database: Arc<DatabaseFile>,
    files: Arc<Files>,
    folder: DataFolder,
    audit: Audit,
    quotas: Keeper,
    pepper: Pepper,
    sealing: Sealing,
    _serving: Option<File>,
}

impl SqliteStore {
    /// Opens a data folder for the one process that serves it. Makes it at the first run, and
    /// brings an older one up to date, after copying its database into `backup/`.
    ///
    /// Returns at once, however much the folder holds. Only a long log that a crash left is written back
    /// first ([`Options::log_bytes`]). Files that it left over are removed in the background.
    ///
    /// # Errors
    ///
    /// [`OpenError`] says what to do; [`OpenError::InUse`] while another process serves the folder.
    pub fn open(folder: &Path, options: Options) -> Result<Self, OpenError> {
        let folder = DataFolder::make(folder)?;
        let _setup = folder.lock_setup()?;
        let serving = folder.lock_serving()?.ok_or(OpenError::InUse)?;
        let started = DataFolder::touch(&serving)?;
        let parts = Parts::open(&folder, &options, Some(&serving))?;
        parts.assemble(&folder, options, Some(Serving { lock: serving, started }))
    }

    /// Opens a data folder for administration, also beside a process that serves it. Makes it at
    /// the first run, and brings an older one up to date if nobody serves it.
    ///
    /// Does no work in the background. Documents may be read; storing them is for the process that
    /// serves.
    ///
    /// # Errors
    ///
    /// [`OpenError`] says what to do; [`OpenError::OlderSchema`] while an older release serves the
    /// folder.
    pub fn open_beside(folder: &Path, options: Options) -> Result<Self, OpenError> {
        Self::administer(&DataFolder::make(folder)?, options)
    }

    /// As [`open_beside`](Self::open_beside), but makes no folder in a data folder that has been in
    /// use: for whoever looks what is missing (D129).
    ///
    /// ```
    /// use kyc_store_sqlite::{Options, SqliteStore};
    ///
    /// let folder = tempfile::tempdir()?;
    /// drop(SqliteStore::open(folder.path(), Options::default())?);
    /// let documents = folder.path().join("documents");
    /// std::fs::remove_dir(&documents)?;
    /// SqliteStore::open_to_look(folder.path(), Options::default())?;
    /// assert!(!documents.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open_beside`](Self::open_beside).
    pub fn open_to_look(folder: &Path, options: Options) -> Result<Self, OpenError> {
        let existing = DataFolder::at(folder);
        if existing.has_content()? {
            Self::administer(&existing, options)
        } else {
            Self::open_beside(folder, options)
        }
    }

    fn administer(folder: &DataFolder, options: Options) -> Result<Self, OpenError> {
        let _setup = folder.lock_setup()?;
        let parts = Parts::open(folder, &options, None)?;
        parts.assemble(folder, options, None)
    }

    /// Checks that the store can read and write, without changing anything.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn check(&self) -> Result<(), StoreError> {
        self.readers().read_now(|_| Ok(()))?;
        self.writer().change(Extent::Statement, |_| Ok(()))
    }

    /// Writes the log back and cuts it to nothing. Says whether it is empty: not while somebody
    /// reads what is behind, or another process writes.
    pub(crate) fn empty_log(&self) -> Result<bool, StoreError> {
        let Inner { gate, database, readers, .. } = &*self.0;
        let own = open_writing(database, LOG_READERS_WAIT).map_err(unavailable)?;
        let _writer_waits = gate.lock().unwrap_or_else(PoisonError::into_inner);
        let mode = CheckpointMode::TRUNCATE;
        match readers.let_go_during(|| own.wal_checkpoint_v2(None::<&str>, mode)) {
            Ok(_) => Ok(true),
            Err(error) if is_busy(&error) => Ok(false),
            Err(error) => Err(unavailable(error)),
        }
    }

    pub(crate) fn quotas(&self) -> &Keeper {
        &self.0.quotas
    }

    pub(crate) fn audit(&self) -> &Audit {
        &self.0.audit
    }

    /// When the newest submission was made, but for those of sandboxes, which have a clock of their
    /// own. `None` in a store without one.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn newest(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut clients = Vec::new();
        for client in self.clients()? {
            if self.sandbox_ahead(client.id)?.is_none() {
                clients.push(client.id);
            }
        }
        self.readers().read_now(|reader| {
            clients.iter().try_fold(None, |newest: Option<Timestamp>, client| {
                Ok(newest.max(submissions::newest(reader, *client)?))
            })
        })
    }

    pub(crate) fn directory(&self) -> &Cache {
        &self.0.directory
    }

    pub(crate) fn files(&self) -> &Files {
        &self.0.files
    }

    pub(crate) fn folder(&self) -> &DataFolder {
        &self.0.folder
    }

    pub(crate) fn pepper(&self) -> &Pepper {
        &self.0.pepper
    }

    /// What seals and opens; see [`crate::sealing`].
    pub(crate) fn sealing(&self) -> &Sealing {
        &self.0.sealing
    }

    pub(crate) fn readers(&self) -> &Readers {
        &self.0.readers
    }

    pub(crate) fn writer(&self) -> &Writer {
        &self.0.writer
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").finish_non_exhaustive()
    }
}

struct Serving {
    lock: File,
    started: SystemTime,
}

/// What every opener needs.
struct Parts {
    pepper: Pepper,
    sealing: Sealing,
    file: DatabaseFile,
    writing: Connection,
}

impl Parts {
    fn open(
        folder: &DataFolder,
        options: &Options,
        serving: Option<&File>,
    ) -> Result<Self, OpenError> {
        // SQLite would throw away the log of a database file without a content.
        if !folder.has_content()? {
            folder.check_unused()?;
            folder.make_database()?;
        }
        let file = DatabaseFile::open(&folder.database());
        let file = file.map_err(OpenError::folder("open kyc.sqlite"))?;
        let mut writing = open_writing(&folder.database(), options.busy_timeout)?;
        let is_new = migrate::is_empty(&writing)?;
        if is_new {
            folder.check_unused()?;
            if options.vault.is_none() {
                folder.make_pepper()?;
            }
        }
        let (found, known) = (migrate::version(&writing, STEPS)?, migrate::newest(STEPS));
        if found < known {
            // Nobody may serve meanwhile.
            let older = OpenError::OlderSchema { found, known };
            let _lock =
                if serving.is_some() { None } else { Some(folder.lock_serving()?.ok_or(older)?) };
            migrate(&mut writing, STEPS, &folder.backups())?;
        }
        uses::fill(&mut writing)?;
        // Who serves without a vault could read nothing any more.
        let alone = || match serving {
            Some(_) => Ok(None),
            None => folder.lock_serving()?.map(Some).ok_or(OpenError::InUse),
        };
        let vault = options.vault.as_ref();
        let (pepper, sealing) = unlock(folder, &mut writing, vault, alone)?;
        check_pepper(&writing, &pepper)?;
        if vault.is_none() {
            folder.keep_pepper()?;
        }
        Ok(Self { pepper, sealing, file, writing })
    }

    fn assemble(
        self,
        folder: &DataFolder,
        options: Options,
        serving: Option<Serving>,
    ) -> Result<SqliteStore, OpenError> {
        let Self { pepper, sealing, file, mut writing } = self;
        let file = Arc::new(file);
        let database = folder.database();
        let gate = Gate::default();
        let files = Arc::new(Files::new(folder));
        let kept = if serving.is_some() { READERS_KEEP } else { Duration::ZERO };
        let readers = Readers::open(database.clone(), options.busy_timeout, options.readers, kept)?;
        let readers = Arc::new(readers);
        let directory = Cache::load(&readers)?;
        let audit = Audit::new(&pepper, &options);
        let (mut checkpointer, mut sweep, mut lock) = (None, None, None);
        if let Some(Serving { lock: held, started }) = serving {
            let own = open_writing(&database, LOG_READERS_WAIT)?;
            let log_pages = u32::try_from(options.log_bytes / u64::from(PAGE_BYTES));
            let report = Arc::clone(&options.report);
            let log = Log {
                gate: Arc::clone(&gate),
                readers: Arc::clone(&readers),
                file: Arc::clone(&file),
                pages_max: log_pages.unwrap_or(u32::MAX),
            };
            checkpointer = Some(Checkpointer::start(&mut writing, own, log, report)?);
            let (files, readers) = (Arc::clone(&files), Arc::clone(&readers));
            let report = Arc::clone(&options.report);
            sweep = Some(Sweep::start(files, folder.clone(), readers, started, report)?);
            lock = Some(held);
        }
        let commits = readers.commits();
        let writer =
            Writer::start(writing, Arc::clone(&gate), commits, sealing.clone(), audit.clone())
                .map_err(OpenError::folder("start a thread"))?;
        let writer = Arc::new(writer);
        let mut takeover = None;
        if lock.is_some() {
            let tools = Tools {
                sealing: sealing.clone(),
                writer: Arc::clone(&writer),
                readers: Arc::clone(&readers),
                files: Arc::clone(&files),
                folder: folder.clone(),
                gate: Arc::clone(&gate),
            };
            let own = || open_writing(&database, options.busy_timeout);
            takeover = Takeover::start(tools, own, options.report)?;
        }
        Ok(SqliteStore(Arc::new(Inner {
            _takeover: takeover,
            _sweep: sweep,
            directory,
            readers,
            _checkpointer: checkpointer,
            writer,
            gate,
            database,
            _database: file,
            files,
            folder: folder.clone(),
            audit,
            quotas: Keeper::new(options.quotas),
            pepper,
            sealing,
            _serving: lock,
        })))
    }
}

/// Refuses a pepper with which nothing in the database could be found.
pub(crate) fn check_pepper(connection: &Connection, pepper: &Pepper) -> Result<(), OpenError> {
    let fingerprint = pepper.fingerprint();
    let kept: Option<[u8; 32]> =
        connection.query_row(FINGERPRINT, [], |row| row.get(0)).optional()?;
    match kept {
        Some(kept) if kept == fingerprint => Ok(()),
        Some(_) => Err(OpenError::PepperWrong),
        None => Ok(connection.execute(KEEP_FINGERPRINT, params![fingerprint]).map(|_| ())?),
    }
}

const KEEP_FINGERPRINT: &str = "
    INSERT INTO state (name, value) VALUES ('pepper', :fingerprint)";

const FINGERPRINT: &str = "
    SELECT value FROM state WHERE name = 'pepper'";

/// So long the writer is held off, at most, for readers that hold on to the log.
const LOG_READERS_WAIT: Duration = Duration::from_millis(10);

/// So long what another process wrote may be missed, except in the directory. Other processes only
/// administer, and few people notice a tenth of a second.
const READERS_KEEP: Duration = Duration::from_millis(100);
