//! What a backup says about itself.

use kyc_core::Timestamp;
use kyc_store_sqlite::{CopyCounts, DocumentFile};
use serde::{Deserialize, Serialize};

/// The format of backups that this release writes and reads.
const FORMAT: u32 = 1;

/// What a backup says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    /// The release that wrote it.
    pub(crate) program: String,
    /// The schema version of the database.
    pub(crate) schema: u32,
    /// Everything that was acknowledged before is in it.
    pub(crate) made_at_unix_millis: i64,
    pub(crate) submissions: u64,
    /// Documents whose files are in it.
    pub(crate) documents: u64,
    /// Files of editions of lists.
    pub(crate) lists: u64,
    /// Documents that the database refers to, and whose files are not in it.
    pub(crate) absent: Vec<Absent>,
}

/// A document without its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Absent {
    pub(crate) path: String,
    /// Whether it was erased while the backup was made. Otherwise it was lost before.
    pub(crate) erased: bool,
}

impl Manifest {
    pub(super) fn new(schema: u32, counts: CopyCounts, at: Timestamp) -> Self {
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            schema,
            made_at_unix_millis: at.unix_millis(),
            submissions: counts.submissions,
            documents: 0,
            lists: 0,
            absent: Vec::new(),
        }
    }

    pub(super) fn is_of_this_format(&self) -> bool {
        self.format == FORMAT
    }

    /// The absent documents of one kind. A path that is none of a document is left out.
    pub(crate) fn absent(&self, erased: bool) -> Vec<DocumentFile> {
        let absent = self.absent.iter().filter(|absent| absent.erased == erased);
        absent.filter_map(|absent| DocumentFile::of_path(&absent.path)).collect()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Only maps with keys that are no text cannot be written.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}
