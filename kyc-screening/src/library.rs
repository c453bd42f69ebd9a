//! A folder of imported lists.

mod durable;
mod edition;
mod error;
mod import;
mod manifest;
mod prepared;

use std::fs;
use std::io;
use std::path::PathBuf;

use kyc_core::{ListVersion, Timestamp};

pub use error::LibraryError;
pub use import::PUBLISHED_LISTS;

use crate::digest::sha256_hex;
use crate::{Counts, Engine, ListStatus, Options, Snapshot};
use durable::{Lock, write_durably};
use import::Source;
use manifest::{Entry, Manifest};
use prepared::Prepared;

/// A folder of imported lists: the raw files of every edition, and a manifest that says which one
/// is current.
///
/// ```text
/// <folder>/manifest.json               which edition of each list is current
/// <folder>/<list>/<version>/<file>     the files as they were imported, never changed
/// <folder>/prepared.image              the engine of the current lists; made again when it is lost
/// <folder>/lock                        held while importing
/// ```
///
/// # Contract
///
/// * An import parses everything before it changes anything; a list that is cut off, empty or
///   suspiciously small leaves the old edition current.
/// * The manifest is replaced at once, after the files are on disk: whenever the machine stops,
///   the old or the new edition is current.
/// * What [`load`](Self::load) searches is what was imported: a changed file of a list is an error,
///   and a damaged or older prepared engine is made again.
/// * Imports of several processes wait for each other; reading needs no lock.
///
/// ```
/// use kyc_core::Timestamp;
/// use kyc_screening::{Library, Options, Shrinkage};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("watch.csv");
/// std::fs::write(&file, "id,name\n1,Mira Kole\n")?;
///
/// let library = Library::new(folder.path().join("lists"));
/// let imported = library.import(&[file], Timestamp::EARLIEST, Shrinkage::Refuse)?;
/// assert_eq!((imported[0].version.list.as_str(), imported[0].counts.persons), ("watch", 1));
/// assert!(!library.load(&Options::default())?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    folder: PathBuf,
}

/// Whether an edition may become current that is a step back: it lost more than a fifth of the
/// entities, persons, names or wallets (of 20 or more), or its publisher dated it before the current
/// one.
///
/// ```
/// use kyc_screening::Shrinkage;
///
/// assert_ne!(Shrinkage::Refuse, Shrinkage::Accept);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shrinkage {
    /// It may not: the file was probably cut off, or is an old one.
    Refuse,
    /// It may: somebody has looked.
    Accept,
}

/// What one import made current.
///
/// ```
/// use kyc_core::Timestamp;
/// use kyc_screening::{Library, Shrinkage};
///
/// let folder = tempfile::tempdir()?;
/// let sdn = folder.path().join("sdn.csv");
/// std::fs::write(&sdn, "7,\"KOLE, Mira\",\"individual\",-0-,-0-,-0-,-0-,-0-,-0-,-0-,-0-,-0-")?;
///
/// let library = Library::new(folder.path().join("lists"));
/// let imported = &library.import(&[sdn], Timestamp::EARLIEST, Shrinkage::Refuse)?[0];
/// assert_eq!(imported.version.list, "OFAC-SDN");
/// assert_eq!(imported.absent, ["alt.csv", "add.csv", "sdn_comments.csv"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Which edition it is.
    pub version: ListVersion,
    /// How much it holds.
    pub counts: Counts,
    /// Files of an OFAC set that were not beside the main file: without them names are missing.
    pub absent: Vec<&'static str>,
    /// The edition that was current before; `None` for a list that was not there.
    pub replaced: Option<ListStatus>,
}

/// A mark of what is current: it changes with every import and removal.
///
/// ```
/// use kyc_screening::Library;
///
/// let library = Library::new("/nonexistent");
/// assert_eq!(library.revision()?, library.revision()?);
/// # Ok::<(), kyc_screening::LibraryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision(String);

impl Library {
    /// The library in a folder, which the first import makes.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Makes the lists in these files current as of `at`.
    ///
    /// Formats are found from the content. Beside the main file of an OFAC set its siblings are
    /// taken along (D54); they may be among `paths`, too. Operators' own lists are named after
    /// their files.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] names the file or list; nothing has changed then.
    pub fn import(
        &self,
        paths: &[PathBuf],
        at: Timestamp,
        shrinkage: Shrinkage,
    ) -> Result<Vec<Imported>, LibraryError> {
        self.take(&import::sources(paths)?, at, shrinkage)
    }

    /// As [`import`](Self::import), of files that have to be one list of this name: what was
    /// fetched as the list of one publisher must not become that of another.
    ///
    /// # Errors
    ///
    /// [`LibraryError::OtherList`] when they are another list; otherwise as there.
    pub fn import_list(
        &self,
        list: &str,
        paths: &[PathBuf],
        at: Timestamp,
        shrinkage: Shrinkage,
    ) -> Result<Imported, LibraryError> {
        let sources = import::sources(paths)?;
        let other = |found: &str| LibraryError::OtherList {
            expected: list.to_owned(),
            found: found.to_owned(),
        };
        if let Some(stray) = sources.iter().find(|source| source.name != list) {
            return Err(other(&stray.name));
        }
        self.take(&sources, at, shrinkage)?.pop().ok_or_else(|| other("no file"))
    }

    /// Notes that the publishers of these lists had nothing newer at `at` than these editions, so
    /// that their age counts from then (D75). An edition that is not current any more is left out.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when the manifest cannot be read or written. Nothing has changed then.
    pub fn confirm(&self, editions: &[ListVersion], at: Timestamp) -> Result<(), LibraryError> {
        // Without a folder there is nothing to confirm, and none is made.
        if editions.is_empty() || self.manifest_bytes()?.is_none() {
            return Ok(());
        }
        let _lock = Lock::hold(&self.folder.join("lock"))?;
        let mut manifest = self.manifest()?;
        for edition in editions {
            let is_it =
                |entry: &&mut Entry| entry.list == edition.list && entry.version == edition.version;
            if let Some(entry) = manifest.lists.iter_mut().find(is_it) {
                entry.check(at);
            }
        }
        write_durably(&self.manifest_path(), &manifest.to_bytes())
    }

    fn take(
        &self,
        sources: &[Source],
        at: Timestamp,
        shrinkage: Shrinkage,
    ) -> Result<Vec<Imported>, LibraryError> {
        fs::create_dir_all(&self.folder).map_err(LibraryError::io(&self.folder))?;
        let _lock = Lock::hold(&self.folder.join("lock"))?;
        let mut manifest = self.manifest()?;
        let mut imported = Vec::new();
        for source in sources {
            let entry = source.entry(at);
            manifest.check_growth(&entry, shrinkage)?;
            let (version, counts) = (entry.version(), entry.counts);
            let replaced = manifest.set(entry).map(|old| old.status(at));
            imported.push(Imported { version, counts, absent: source.absent.clone(), replaced });
        }
        for source in sources {
            self.store(source)?;
        }
        write_durably(&self.manifest_path(), &manifest.to_bytes())?;
        Ok(imported)
    }

    /// Takes a list out of the current ones, and tells what it was. Its files stay, because results
    /// refer to them; importing it again makes it current again.
    ///
    /// # Errors
    ///
    /// [`LibraryError::NoSuchList`] when no list of this name is current; other [`LibraryError`]s
    /// when the manifest cannot be read or written. Nothing has changed then.
    pub fn remove(&self, list: &str, at: Timestamp) -> Result<ListStatus, LibraryError> {
        let absent = || LibraryError::NoSuchList { list: list.to_owned() };
        // Without a folder there is nothing to remove, and none is made.
        if self.manifest_bytes()?.is_none() {
            return Err(absent());
        }
        let _lock = Lock::hold(&self.folder.join("lock"))?;
        let mut manifest = self.manifest()?;
        let removed = manifest.take(list).ok_or_else(absent)?;
        write_durably(&self.manifest_path(), &manifest.to_bytes())?;
        Ok(removed.status(at))
    }

    /// Which lists are current, and how old they are at `at`.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when the manifest cannot be read.
    pub fn status(&self, at: Timestamp) -> Result<Vec<ListStatus>, LibraryError> {
        Ok(self.manifest()?.lists.iter().map(|entry| entry.status(at)).collect())
    }

    /// Reads every current list and prepares it for searching. Without any list the engine is
    /// empty and screens nobody. What was prepared is kept in the folder and taken again as long as
    /// lists and options are the same.
    ///
    /// # Errors
    ///
    /// [`LibraryError::Changed`] when a file is not what was imported; other [`LibraryError`]s when
    /// it cannot be read.
    pub fn load(&self, options: &Options) -> Result<Engine, LibraryError> {
        let manifest = self.manifest()?;
        let prepared = Prepared::in_folder(&self.folder);
        if let Some(engine) = prepared.read(&manifest, *options) {
            return Ok(engine);
        }
        let entries = manifest.lists.iter();
        let snapshots = entries.map(|entry| self.snapshot(entry)).collect::<Result<_, _>>()?;
        let engine = Engine::new(snapshots, *options);
        if !engine.is_empty() {
            prepared.keep(&engine);
        }
        Ok(engine)
    }

    /// A mark of what is current, so that a running server sees that another process imported
    /// something. Reads one small file.
    ///
    /// # Errors
    ///
    /// [`LibraryError::Io`] when the manifest cannot be read.
    pub fn revision(&self) -> Result<Revision, LibraryError> {
        Ok(Revision(sha256_hex(&self.manifest_bytes()?.unwrap_or_default())))
    }

    fn store(&self, source: &Source) -> Result<(), LibraryError> {
        let list = self.folder.join(&source.name);
        let edition = list.join(&source.version);
        fs::create_dir_all(&edition).map_err(LibraryError::io(&edition))?;
        for file in &source.files {
            write_durably(&edition.join(file.role.file_name()), &file.bytes)?;
        }
        for folder in [&list, &self.folder] {
            durable::sync_folder(folder)?;
        }
        Ok(())
    }

    fn snapshot(&self, entry: &Entry) -> Result<Snapshot, LibraryError> {
        let folder = self.folder.join(&entry.list).join(&entry.version);
        let source = Source::stored(&folder, &entry.list, &entry.version, &entry.files)?;
        Ok(Snapshot {
            version: entry.version(),
            imported_at: Some(entry.imported_at()),
            checked_at: Some(entry.checked_at()),
            entities: source.list.into_entities(),
        })
    }

    fn manifest(&self) -> Result<Manifest, LibraryError> {
        self.manifest_bytes()?
            .map_or_else(|| Ok(Manifest::empty()), |bytes| Manifest::of_bytes(&bytes))
    }

    /// `None` before the first import.
    fn manifest_bytes(&self) -> Result<Option<Vec<u8>>, LibraryError> {
        let path = self.manifest_path();
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some).map_err(LibraryError::io(&path)),
        }
    }

    fn manifest_path(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }
}
