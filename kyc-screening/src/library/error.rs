use std::io;
use std::path::{Path, PathBuf};

use kyc_core::BoxError;
use time::Date;

use crate::ReadError;

/// Why lists were not imported or not loaded.
///
/// ```
/// use kyc_core::Timestamp;
/// use kyc_screening::{Library, LibraryError, Shrinkage};
///
/// let library = Library::new("/nonexistent");
/// let result = library.import(&["/nonexistent.csv".into()], Timestamp::EARLIEST, Shrinkage::Refuse);
/// assert!(matches!(result, Err(LibraryError::Io { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// A file is cut off, malformed or empty.
    #[error("the list file {} is not usable", file.display())]
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// The place, and what was expected there.
        source: ReadError,
    },
    /// A file is no list.
    #[error(
        "{} is no list: expected the UN consolidated XML, the CSV files of the EU, the UK or the US \
         consolidated screening list, an OFAC sdn.csv or cons_prim.csv, OpenSanctions data, or CSV \
         with a header row",
        file.display()
    )]
    UnknownFormat {
        /// Which file.
        file: PathBuf,
    },
    /// A sibling of an OFAC set came without its main file, or under another name.
    #[error(
        "{} belongs to an OFAC set: under its published name beside sdn.csv or cons_prim.csv it is \
         imported with that file",
        file.display()
    )]
    Sibling {
        /// Which file.
        file: PathBuf,
    },
    /// A list cannot be named after its file.
    #[error(
        "{} cannot name a list: expected letters, digits, - and _, and none of the names un, \
         eu, uk, us-csl, ofac-sdn, ofac-cons, sample",
        file.display()
    )]
    UnusableName {
        /// Which file.
        file: PathBuf,
    },
    /// Two files of one import are the same list.
    #[error("the list {list} is given twice")]
    Twice {
        /// The list's short name.
        list: String,
    },
    /// The files are another list than was asked for.
    #[error("expected the list {expected}, and found {found}")]
    OtherList {
        /// The list that was asked for.
        expected: String,
        /// What the files are.
        found: String,
    },
    /// A list lost more than a fifth; see [`Shrinkage`](crate::Shrinkage).
    #[error("the list {list} shrank from {before} to {after} {what}")]
    Shrank {
        /// The list's short name.
        list: String,
        /// Entities or names.
        what: &'static str,
        /// How many there are in the current edition.
        before: usize,
        /// How many there are in the refused one.
        after: usize,
    },
    /// An edition was published before the current one; see [`Shrinkage`](crate::Shrinkage).
    #[error("the list {list} of {after} is older than the current one of {before}")]
    Older {
        /// The list's short name.
        list: String,
        /// The day that the publisher put on the current edition.
        before: Date,
        /// The day on the refused one.
        after: Date,
    },
    /// No list of this name is current.
    #[error("there is no list {list}")]
    NoSuchList {
        /// The name that was asked for.
        list: String,
    },
    /// A stored file is not what was imported.
    #[error("the stored files of the list {list} have changed: import it again")]
    Changed {
        /// The list's short name.
        list: String,
    },
    /// An edition that results rest on is not there any more, or not readable.
    #[error("the edition {version} of the list {list}, which results rest on, cannot be read")]
    EarlierEdition {
        /// The list's short name.
        list: String,
        /// The hash of its content.
        version: String,
        /// Why.
        source: Box<Self>,
    },
    /// The manifest is not what this release writes.
    #[error("the manifest of the list folder is not readable by this release")]
    Manifest(#[source] BoxError),
    /// A file or folder could not be read or written.
    #[error("cannot read or write {}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl LibraryError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    pub(super) fn unreadable(file: &Path) -> impl FnOnce(ReadError) -> Self + use<> {
        let file = file.to_owned();
        move |source| Self::Unreadable { file, source }
    }
}
