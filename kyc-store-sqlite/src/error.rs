//! Why a data folder cannot be opened, and why an administration command was refused.

use std::io;

use kyc_core::{BoxError, StoreError};
use kyc_vault::SourceError;
use rusqlite::ErrorCode;

use crate::record::corrupt;

/// Why a data folder cannot be opened. Each sentence says what to do about it. Nothing has changed.
///
/// ```
/// use kyc_store_sqlite::OpenError;
///
/// let error = OpenError::InUse;
/// assert_eq!(
///     error.to_string(),
///     "another process serves this data folder: stop it, or choose another folder",
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process has opened the folder for serving.
    #[error("another process serves this data folder: stop it, or choose another folder")]
    InUse,
    /// The folder or a file in it cannot be made, read or written.
    #[error("cannot {action} in the data folder: check the path, the permissions and the disk")]
    Folder {
        /// What was tried, such as `make the folder documents`.
        action: String,
        /// The operating system's answer.
        source: io::Error,
    },
    /// A part of the folder is a link or a file.
    #[error(
        "{name} in the data folder is a link or a file: move it away, or mount there what it links \
         to, so that it is a folder"
    )]
    NoFolder {
        /// Which part.
        name: &'static str,
    },
    /// The file `kyc.sqlite` is no database of this service.
    #[error(
        "kyc.sqlite is no database of this service: choose another folder, or restore a backup"
    )]
    NotOurDatabase,
    /// The folder has been in use, but its database has no content.
    #[error(
        "kyc.sqlite is missing or empty, though this data folder has been in use: \
         restore it from a backup together with pepper and documents, or choose an empty folder"
    )]
    DatabaseMissing,
    /// The database was cut off or changed by something else than SQLite.
    #[error("kyc.sqlite is damaged: restore it from a backup together with pepper and documents")]
    Damaged(#[source] BoxError),
    /// The file system has no memory that processes share, which the database's log needs.
    #[error("the data folder is on no disk of this machine: choose a folder on a local disk")]
    NotLocal,
    /// A newer release wrote the database.
    #[error(
        "a newer release wrote the database (schema {found}, this release knows {known}): \
         run that release, or restore the backup from before its upgrade"
    )]
    NewerSchema {
        /// The database's schema version.
        found: u32,
        /// The newest schema version that this release knows.
        known: u32,
    },
    /// The database has an older schema, and a running server uses it.
    #[error(
        "an older release serves this data folder (schema {found}, this release needs {known}): \
         restart the server with this release first"
    )]
    OlderSchema {
        /// The database's schema version.
        found: u32,
        /// The schema version that this release needs.
        known: u32,
    },
    /// A schema step that was applied is not the one of this release.
    #[error(
        "schema step {version} of the database differs from this release's: \
         the release or the database was tampered with; use an official release, or a backup"
    )]
    ChangedStep {
        /// Which step.
        version: u32,
    },
    /// The pepper could be read by others.
    #[error("the file pepper can be read by others: run `chmod 600` on it")]
    PepperReadable,
    /// There is a database, but no pepper.
    #[error("the file pepper is missing: restore it from the backup of this data folder")]
    PepperMissing,
    /// The pepper is not the one that the database was written with.
    #[error("the file pepper does not belong to this database: restore both from the same backup")]
    PepperWrong,
    /// The store is sealed, and was opened without a vault.
    #[error("this data folder is sealed: open it with its master key")]
    Sealed,
    /// The master key cannot be had, or is not the one that sealed.
    #[error(transparent)]
    MasterKey(SourceError),
    /// The copy of the database before an upgrade cannot be made.
    #[error("cannot copy the database before its upgrade: check the permissions and the disk")]
    Backup(#[source] BoxError),
    /// SQLite failed.
    #[error("the database cannot be opened: check the disk, or restore a backup")]
    Database(#[source] BoxError),
}

impl OpenError {
    pub(crate) fn folder(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let action = action.into();
        move |source| Self::Folder { action, source }
    }
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotOurDatabase,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.into()),
            _ if missing_part(&error).is_some() => Self::Damaged(error.into()),
            _ if unfit_value(&error).is_some() => Self::Damaged(error.into()),
            _ => Self::Database(error.into()),
        }
    }
}

impl From<SourceError> for OpenError {
    fn from(error: SourceError) -> Self {
        Self::MasterKey(error)
    }
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt { .. } => Self::Damaged(error.into()),
            StoreError::Unavailable(cause) => match cause.downcast::<rusqlite::Error>() {
                Ok(error) => Self::from(*error),
                Err(cause) => Self::Database(cause),
            },
            StoreError::Duplicate | StoreError::Stale | _ => Self::Database(error.into()),
        }
    }
}

/// Why an administration command was refused. Nothing has changed.
///
/// ```
/// use kyc_store_sqlite::AdminError;
///
/// assert_eq!(AdminError::NameTaken.to_string(), "the name is taken");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdminError {
    /// Somebody has that name already.
    #[error("the name is taken")]
    NameTaken,
    /// There is no such client.
    #[error("there is no such client")]
    NoSuchClient,
    /// The client is no sandbox: its clock is everybody's.
    #[error("the client is no sandbox, so its clock is everybody's")]
    NoSandbox,
    /// There is no key of that id.
    #[error("there is no key of that id")]
    NoSuchKey,
    /// There is no inspector of that name.
    #[error("there is no inspector of that name")]
    NoSuchInspector,
    /// The store has no vault, so it has no keys to replace.
    #[error("the store has no vault")]
    NoVault,
    /// The next master key cannot be made, read or kept.
    #[error(transparent)]
    MasterKey(SourceError),
    /// Every client number is given away.
    #[error("there can be no more clients")]
    TooManyClients,
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A failure of SQLite or of a file as what the ports report. A table or column that the schema has
/// and the database has not is damage: somebody removed it. So is a value that
/// nothing here writes.
pub(crate) fn unavailable(cause: impl Into<BoxError>) -> StoreError {
    let cause = cause.into();
    let Some(error) = cause.downcast_ref() else { return StoreError::Unavailable(cause) };
    if let Some(part) = missing_part(error) {
        return corrupt("schema", &part, "it is missing: restore the data folder from a backup");
    }
    match unfit_value(error) {
        Some(what) => corrupt("database", &"row", what),
        None => StoreError::Unavailable(cause),
    }
}

/// What is wrong with a row that the schema allows, and that nothing here writes. Never the value.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others tell nothing of a row")]
fn unfit_value(error: &rusqlite::Error) -> Option<&'static str> {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, QueryReturnedNoRows,
    };
    match error {
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) => {
            Some("a value of it is none that its column may have")
        }
        QueryReturnedNoRows => Some("one that has to be there is missing"),
        _ => None,
    }
}

fn missing_part(error: &rusqlite::Error) -> Option<&str> {
    use rusqlite::Error::{SqlInputError, SqliteFailure};
    let (SqlInputError { msg, .. } | SqliteFailure(_, Some(msg))) = error else { return None };
    ["no such table: ", "no such column: "].iter().find_map(|prefix| msg.strip_prefix(prefix))
}
