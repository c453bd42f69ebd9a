//! Lists brought up to date: fetched, then taken by the library or refused by it.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::slice;

use kyc_core::{Clock, Timestamp};
use kyc_screening::{Imported, Library, LibraryError, ListStatus, Shrinkage};
use tokio::time::timeout;

use super::connect::Connector;
use super::download::{Downloads, Validators};
use super::error::FetchError;
use super::feed::{Feed, RemoteFile};
use super::limits::Limits;
use super::record::{Edition, Record};
use crate::config::Updates;
use crate::exit::{Failure, chain};
use crate::{folder, wiring};

/// Fetches lists into a library.
#[derive(Debug)]
pub(crate) struct Updater {
    library: Library,
    /// Of the library, for what is on its way.
    folder: PathBuf,
    connector: Connector,
    limits: Limits,
}

/// What came of one list.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) list: String,
    pub(crate) result: Result<Update, FetchError>,
}

/// How a list is up to date.
#[derive(Debug)]
pub(crate) enum Update {
    /// Another edition is in use now.
    New(Box<Imported>),
    /// Its publisher has what was in use.
    Same(Box<ListStatus>),
}

/// How lists are fetched.
pub(crate) struct Manner<'a> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) shrinkage: Shrinkage,
    /// Hears how many bytes of a file of a list have come.
    pub(crate) progress: &'a dyn Fn(&str, u64),
    /// Hears what came of each list.
    pub(crate) done: &'a dyn Fn(&Outcome),
}

impl Updater {
    /// Fetches into the library of a data folder.
    pub(crate) fn new(data: &Path, updates: &Updates) -> Result<Self, Failure> {
        Ok(Self {
            library: wiring::library(data),
            folder: folder_of(data),
            connector: Connector::new(updates.ca_file.as_deref())?,
            limits: updates.limits,
        })
    }

    /// What came of updates so far.
    pub(crate) fn record(&self) -> Record {
        Record::read(&self.folder)
    }

    /// Brings lists up to date, one after the other. One that fails stops no other, and stays as it
    /// is.
    ///
    /// Can be dropped at any time: what is in use stays, and what has come is gone on with.
    pub(crate) async fn update(
        &self,
        feeds: &[Feed],
        manner: &Manner<'_>,
    ) -> Result<Vec<Outcome>, FetchError> {
        folder::try_make(&self.folder).map_err(FetchError::disk(&self.folder))?;
        let _lock = lock(&self.folder)?;
        let mut record = Record::read(&self.folder);
        let mut outcomes = Vec::new();
        for feed in feeds {
            let result = timeout(self.limits.list, self.one(feed, &mut record, manner)).await;
            let seconds = self.limits.list.as_secs();
            let mut result = result.unwrap_or(Err(FetchError::Late { seconds }));
            if let Err(error) = &result {
                record.failed(&feed.list, manner.clock.now(), chain(error));
            }
            if let Err(unwritten) = record.write(&self.folder) {
                result = Err(result.err().unwrap_or(unwritten));
            }
            let outcome = Outcome { list: feed.list.clone(), result };
            (manner.done)(&outcome);
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    async fn one(
        &self,
        feed: &Feed,
        record: &mut Record,
        manner: &Manner<'_>,
    ) -> Result<Update, FetchError> {
        let list = feed.list.as_str();
        let folder = self.folder.join(list);
        folder::try_make(&folder).map_err(FetchError::disk(&folder))?;
        let downloads = Downloads {
            connector: &self.connector,
            limits: &self.limits,
            progress: &|bytes| (manner.progress)(list, bytes),
        };
        let in_use = self.in_use(feed, record, manner.clock.now())?;
        let fetched = fetch(&downloads, &feed.files, &folder, in_use).await?;
        let at = manner.clock.now();
        let (update, edition) = match fetched {
            Fetched::Nothing(status) => {
                let confirmed = self.library.confirm(slice::from_ref(&status.version), at);
                confirmed.map_err(FetchError::Library)?;
                (Update::Same(Box::new(status)), None)
            }
            Fetched::Everything(validators) => {
                // The library finds the others of a set beside its main file.
                let main = feed.files.iter().take(1).map(|file| folder.join(&file.name));
                let paths: Vec<PathBuf> = main.collect();
                let imported = self
                    .library
                    .import_list(list, &paths, at, manner.shrinkage)
                    .map_err(|source| refused(feed, &folder, source))?;
                let edition = Edition::new(&imported.version.version, &feed.files, validators);
                (Update::of(imported), Some(edition))
            }
        };
        record.succeeded(list, at, edition);
        fs::remove_dir_all(&folder).map_err(FetchError::disk(&folder))?;
        Ok(update)
    }

    /// The edition in use and what names its files, if it is the one that was fetched last.
    fn in_use(
        &self,
        feed: &Feed,
        record: &Record,
        at: Timestamp,
    ) -> Result<Option<InUse>, FetchError> {
        let mut lists = self.library.status(at).map_err(FetchError::Library)?.into_iter();
        let status = lists.find(|status| status.version.list == feed.list);
        Ok(status.and_then(|status| {
            let version = &status.version.version;
            let validators = record.of(&feed.list)?.known(version, &feed.files)?;
            Some(InUse { status, validators })
        }))
    }
}

impl Update {
    fn of(imported: Imported) -> Self {
        match imported.replaced {
            Some(same) if same.version == imported.version => Self::Same(Box::new(same)),
            replaced => Self::New(Box::new(Imported { replaced, ..imported })),
        }
    }
}

/// The folder of a data folder for what is on its way, and for the record of updates. No list can
/// be called so.
pub(crate) fn folder_of(data: &Path) -> PathBuf {
    data.join("lists").join(".updates")
}

/// Forgets what came of updates of a list; whether anything was known.
pub(crate) fn forget(data: &Path, list: &str) -> Result<bool, FetchError> {
    let folder = folder_of(data);
    // Without a record there is nothing to forget, and no folder is made.
    if Record::read(&folder).of(list).is_none() {
        return Ok(false);
    }
    let _lock = lock(&folder)?;
    let mut record = Record::read(&folder);
    let was_known = record.forget(list);
    record.write(&folder)?;
    Ok(was_known)
}

/// The right to update, and to change the record of updates, held until it is dropped.
fn lock(folder: &Path) -> Result<File, FetchError> {
    let path = folder.join("lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(FetchError::disk(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FetchError::Busy),
        Err(TryLockError::Error(error)) => Err(FetchError::disk(&path)(error)),
    }
}

struct InUse {
    status: ListStatus,
    /// Of each file.
    validators: Vec<Validators>,
}

enum Fetched {
    /// Every file is as it is in use.
    Nothing(ListStatus),
    /// Every file is there.
    Everything(Vec<Validators>),
}

/// Fetches the files of a list: all of them, or none.
async fn fetch(
    downloads: &Downloads<'_>,
    files: &[RemoteFile],
    folder: &Path,
    in_use: Option<InUse>,
) -> Result<Fetched, FetchError> {
    let path = |file: &RemoteFile| folder.join(&file.name);
    let mut fetched = Vec::new();
    if let Some(InUse { status, validators }) = in_use {
        for (file, known) in files.iter().zip(&validators) {
            fetched.push(downloads.fetch_unless(&file.address, &path(file), known).await?);
        }
        if fetched.iter().all(Option::is_none) {
            return Ok(Fetched::Nothing(status));
        }
    }
    // A set is taken whole, so what has not changed is fetched along with what has.
    let mut validators = Vec::new();
    for (number, file) in files.iter().enumerate() {
        validators.push(match fetched.get(number).cloned().flatten() {
            Some(validators) => validators,
            None => downloads.fetch(&file.address, &path(file)).await?,
        });
    }
    Ok(Fetched::Everything(validators))
}

/// What to do about a list that was fetched and not taken.
fn refused(feed: &Feed, folder: &Path, source: LibraryError) -> FetchError {
    let folder = folder.to_owned();
    match source {
        LibraryError::UnknownFormat { .. }
        | LibraryError::UnusableName { .. }
        | LibraryError::OtherList { .. } => {
            FetchError::NoList { address: feed.address.clone(), folder, source }
        }
        LibraryError::Shrank { .. } | LibraryError::Older { .. } => {
            let hint = ", and `kyc list update` takes it with --accept-shrinkage";
            FetchError::Refused { folder, hint, source }
        }
        LibraryError::Unreadable { .. } => FetchError::Refused { folder, hint: "", source },
        LibraryError::Sibling { .. }
        | LibraryError::Twice { .. }
        | LibraryError::NoSuchList { .. }
        | LibraryError::Changed { .. }
        | LibraryError::Manifest(_)
        | LibraryError::Io { .. }
        | _ => FetchError::Library(source),
    }
}
