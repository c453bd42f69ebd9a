use std::io;
use std::path::PathBuf;

use crate::cipher::NoRandomness;
use crate::share::SharesDiffer;
use crate::text::InvalidKeyText;

/// Why there is no master key. Each sentence says what to do about it.
///
/// ```
/// use kyc_vault::{Source, SourceError};
///
/// let nowhere = Source::file("/nowhere/master.key");
/// assert!(matches!(nowhere.fitting(&[0; 32]), Err(SourceError::Missing)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// There is none.
    #[error("the master key is missing: put it back in its place, or name the place of a copy")]
    Missing,
    /// There is one, but not the one that sealed.
    #[error(
        "the master key is not the one that sealed: give the one of that time, which may be older than \
         the last rotation"
    )]
    OtherKey,
    /// The keys are given, and the one to change to is not.
    #[error("the next master key is missing: give it beside the current one")]
    NextMissing,
    /// What is sealed is under the next one already.
    #[error(
        "nothing was changed: the next master key is the one in use; give another one, which \
         nothing is under yet"
    )]
    NextInUse,
    /// A file of that name is there.
    #[error("{} is there, and is kept: name another file", path.display())]
    Exists {
        /// Which file.
        path: PathBuf,
    },
    /// There is no place for a new key.
    #[error(
        "nothing was changed, since no new key can be kept at {}: see that its folder can be \
         written by this user, and that the file is no mount and no link to nowhere", path.display()
    )]
    Unwritable {
        /// Which file.
        path: PathBuf,
        /// The operating system's answer.
        source: io::Error,
    },
    /// The next key is in use, and cannot take the place of the one before.
    #[error("the new master key is in use and waits at {at}.new: move it to {at}", at = path.display())]
    Waits {
        /// Whose place it should take.
        path: PathBuf,
        /// The operating system's answer.
        source: io::Error,
    },
    /// Others could read the file.
    #[error("the key file {} can be read by others: run `chmod 600` on it", path.display())]
    ReadableByOthers {
        /// Which file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("the key file {} cannot be read: check the path and the permissions", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// The operating system's answer.
        source: io::Error,
    },
    /// What is there is no key.
    #[error("the master key was mistyped or cut off: restore it from where it was kept")]
    InvalidText(#[from] InvalidKeyText),
    /// The custodians' shares are not the two halves of one key.
    #[error("the shares of the master key do not belong together: give both halves of one key")]
    Shares(#[from] SharesDiffer),
    /// There is no randomness.
    #[error("the operating system gives no randomness: no key can be made")]
    NoRandomness(#[from] NoRandomness),
}
