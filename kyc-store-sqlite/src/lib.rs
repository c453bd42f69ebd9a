//! The embedded store of the KYC service: one folder, no server beside it.
//!
//! [`SqliteStore`] implements the ports of [`kyc_core`]: submissions and the directory of clients,
//! keys and inspectors in an SQLite database, documents as files beside it. It knows no HTTP and no
//! screening.
//!
//! ```
//! use std::path::Path;
//!
//! use kyc_core::{Clock, SystemClock};
//! use kyc_store_sqlite::{OpenError, Options, SqliteStore};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder: &Path = folder.path();
//! let store = SqliteStore::open(folder, Options::default())?;
//! let acme = store.add_client(&"acme".parse()?, SystemClock.now())?;
//! let key = store.create_key(acme.id, SystemClock.now())?;
//! assert!(key.as_str().starts_with("kyc_"));
//!
//! // One process serves a folder; others may administer it meanwhile.
//! assert!(matches!(SqliteStore::open(folder, Options::default()), Err(OpenError::InUse)));
//! let beside = SqliteStore::open_beside(folder, Options::default())?;
//! beside.revoke_key(key.id(), SystemClock.now())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it promises
//!
//! * What is acknowledged survives a crash of the process and of the machine: a write returns when
//!   the disk has it.
//! * One thread writes, and commits what has queued in one go. A change that fails does not touch
//!   the others; when a commit fails, all of it is told, and the next one starts afresh.
//! * Reads wait for nobody, see one moment each, and cost the same however much is stored.
//! * Rows are foreign input: a damaged one is [`StoreError::Corrupt`](kyc_core::StoreError), with
//!   its table and id, never a wrong answer.
//! * Credentials are kept as keyed hashes, and looked up by digests under a secret that is not in
//!   clear in the database.
//! * With a [vault](Options::with_vault), records and documents are sealed, in the database, its log,
//!   the files and every copy of them. Without one they are in clear: encrypt the disk.

mod audit;
mod beside;
mod checkpoint;
mod connection;
mod copy;
mod credentials;
mod database_file;
mod directory;
mod documents;
mod error;
mod folder;
#[doc(hidden)]
pub mod fuzzing;
mod migrate;
mod monitoring;
mod options;
mod pepper;
mod quotas;
mod readers;
mod record;
mod replay;
mod retention;
mod schema;
mod sealing;
mod state;
mod store;
mod submissions;
mod verify;
mod writer;

pub use audit::{AuditAnchor, AuditFault, VerifiedChain};
pub use copy::{CopyCounts, CopyError, DatabaseCopy, DocumentState};
pub use credentials::{Credential, CredentialId, InvalidCredentialId, KeyRecord};
pub use documents::DocumentFile;
pub use error::{AdminError, OpenError};
pub use options::{Options, Report};
pub use quotas::Quotas;
pub use sealing::{InClear, RotationProgress};
pub use store::SqliteStore;
pub use verify::{Check, Checked, Fault, Told};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tempfile::TempDir;

    /// A folder in memory where the system has one, for what is not about the disk.
    pub(crate) fn folder() -> TempDir {
        let memory = Path::new("/dev/shm");
        let folder =
            if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        folder.unwrap()
    }
}
