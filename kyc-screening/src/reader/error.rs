use std::fmt;
use std::io;

/// Why a list file gave no list.
///
/// ```
/// use kyc_screening::read_plain;
///
/// let fault = read_plain("id,name\n1\n".as_bytes()).unwrap_err();
/// assert_eq!(fault.to_string(), "line 2: expected as many columns as in the header");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is cut off or not what its format asks for.
    #[error("{place}: expected {expected}")]
    Malformed {
        /// Where.
        place: Place,
        /// What should have been there.
        expected: &'static str,
    },
    /// The header row does not name a column that the format has.
    #[error("{place}: expected a column `{column}`")]
    MissingColumn {
        /// Where the header is.
        place: Place,
        /// What the format calls the column.
        column: &'static str,
    },
    /// The file is well formed and names nobody.
    #[error("expected at least one entity")]
    Empty,
    /// More bytes than [`FILE_BYTES_MAX`](crate::FILE_BYTES_MAX), or more entities than
    /// [`ENTITIES_MAX`](crate::ENTITIES_MAX).
    #[error("the list is larger than the limit")]
    TooLarge,
    /// The file could not be read.
    #[error("the file could not be read")]
    Io(#[source] io::Error),
}

impl ReadError {
    pub(super) fn at_line(line: u64, expected: &'static str) -> Self {
        Self::Malformed { place: Place::Line(line), expected }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::FileTooLarge { Self::TooLarge } else { Self::Io(error) }
    }
}

/// A place in a list file.
///
/// ```
/// use kyc_screening::Place;
///
/// assert_eq!(Place::Line(7).to_string(), "line 7");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A line, counted from 1.
    Line(u64),
    /// An XML element.
    Element {
        /// The names from the root inward, `/` between them; repeated records are numbered from 1.
        path: String,
        /// How far into the file, in bytes.
        byte: u64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Element { path, byte } => write!(f, "element {path} at byte {byte}"),
        }
    }
}
