use std::path::PathBuf;

/// Tells files apart, whatever their names.
///
/// ```
/// use faults::FileNumber;
///
/// assert_ne!(FileNumber(1), FileNumber(2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNumber(pub u64);

/// Something that happened in a folder. Paths are relative to it; the folder itself is the empty
/// path.
///
/// ```
/// use faults::{Event, FileNumber};
///
/// let event = Event::Cut { file: FileNumber(1), length: 0 };
/// assert_eq!(event.clone(), event);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A new file was met under a name.
    Made {
        /// Which.
        file: FileNumber,
        /// Its name.
        path: PathBuf,
    },
    /// A folder was made.
    FolderMade {
        /// Its name.
        path: PathBuf,
    },
    /// Bytes were written.
    Written {
        /// To which file.
        file: FileNumber,
        /// From where on.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file was cut off, or filled up with zeros.
    Cut {
        /// Which.
        file: FileNumber,
        /// How long it is now.
        length: u64,
    },
    /// A file took another name, maybe of another file, which is gone then.
    Renamed {
        /// Which.
        file: FileNumber,
        /// The name before.
        from: PathBuf,
        /// The name now.
        to: PathBuf,
    },
    /// A name was removed.
    Removed {
        /// Which.
        path: PathBuf,
    },
    /// A sync of a file has ended.
    Synced {
        /// Which.
        file: FileNumber,
        /// What happened before this number is durable.
        from: usize,
    },
    /// A sync of a folder has ended.
    FolderSynced {
        /// Which.
        folder: PathBuf,
        /// What happened before this number is durable.
        from: usize,
    },
}
