//! Which edition of each list is current: JSON, replaced as a whole.

use kyc_core::{ListVersion, Timestamp, day};
use serde::{Deserialize, Serialize};

use super::import::Role;
use super::{LibraryError, Shrinkage};
use crate::{Counts, ListStatus};

/// The format of the manifest that this release writes and reads.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// Ordered by name, each name once.
    pub(super) lists: Vec<Entry>,
}

/// The current edition of one list.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) list: String,
    pub(super) version: String,
    source_date: Option<String>,
    imported_at_unix_millis: i64,
    /// As for the import; manifests from before lists were checked have none.
    checked_at_unix_millis: Option<i64>,
    pub(super) files: Vec<Role>,
    #[serde(with = "CountsRecord")]
    pub(super) counts: Counts,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Counts")]
struct CountsRecord {
    persons: usize,
    others: usize,
    names: usize,
    wallets: usize,
}

impl Entry {
    pub(super) fn new(
        list: &str,
        version: &str,
        source_date: Option<time::Date>,
        imported_at: Timestamp,
        files: Vec<Role>,
        counts: Counts,
    ) -> Self {
        Self {
            list: list.to_owned(),
            version: version.to_owned(),
            source_date: source_date.map(|date| date.to_string()),
            imported_at_unix_millis: imported_at.unix_millis(),
            checked_at_unix_millis: Some(imported_at.unix_millis()),
            files,
            counts,
        }
    }

    pub(super) fn version(&self) -> ListVersion {
        ListVersion {
            list: self.list.clone(),
            version: self.version.clone(),
            source_date: self.source_date.as_deref().and_then(|date| day::parse(date).ok()),
            sample: false,
        }
    }

    /// What is known of it at `at`.
    pub(super) fn status(&self, at: Timestamp) -> ListStatus {
        let (imported, checked) = (Some(self.imported_at()), Some(self.checked_at()));
        ListStatus::new(self.version(), imported, checked, self.counts, at)
    }

    /// Fails where this edition was published before `old`, or lost more than a fifth of its
    /// entities, persons, names or (of many) wallets.
    fn check_succeeds(&self, old: &Self) -> Result<(), LibraryError> {
        /// Most lists have few: one of them less would be a fifth of them.
        const WALLETS_MIN: usize = 20;
        let list = || self.list.clone();
        if let (Some(before), Some(after)) = (old.version().source_date, self.version().source_date)
            && after < before
        {
            return Err(LibraryError::Older { list: list(), before, after });
        }
        let wallets = Some(("wallets", old.counts.wallets, self.counts.wallets));
        let sizes = [
            Some(("entities", old.counts.entities(), self.counts.entities())),
            Some(("persons", old.counts.persons, self.counts.persons)),
            Some(("names", old.counts.names, self.counts.names)),
            wallets.filter(|_| old.counts.wallets >= WALLETS_MIN),
        ];
        match sizes.into_iter().flatten().find(|(_, before, after)| after * 5 < before * 4) {
            Some((what, before, after)) => {
                Err(LibraryError::Shrank { list: list(), what, before, after })
            }
            None => Ok(()),
        }
    }

    pub(super) fn imported_at(&self) -> Timestamp {
        time(self.imported_at_unix_millis)
    }

    pub(super) fn checked_at(&self) -> Timestamp {
        time(self.checked_at_unix_millis.unwrap_or(self.imported_at_unix_millis))
    }

    /// Its publisher has nothing newer at this time (D75).
    pub(super) fn check(&mut self, at: Timestamp) {
        self.checked_at_unix_millis = Some(at.unix_millis());
    }
}

impl Manifest {
    /// The manifest of a library without lists.
    pub(super) fn empty() -> Self {
        Self { format: FORMAT, lists: Vec::new() }
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Result<Self, LibraryError> {
        let manifest: Self =
            serde_json::from_slice(bytes).map_err(|error| LibraryError::Manifest(error.into()))?;
        if manifest.format != FORMAT {
            return Err(LibraryError::Manifest("expected format 1".into()));
        }
        let is_name = |entry: &Entry| is_folder_name(&entry.list) && is_folder_name(&entry.version);
        if !manifest.lists.iter().all(is_name) {
            return Err(LibraryError::Manifest("expected names of folders".into()));
        }
        Ok(manifest)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Only maps with keys that are no text cannot be written.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Refuses an edition that is a step back, unless somebody insists.
    pub(super) fn check_growth(
        &self,
        new: &Entry,
        shrinkage: Shrinkage,
    ) -> Result<(), LibraryError> {
        let old = self.lists.iter().find(|entry| entry.list == new.list);
        match (old, shrinkage) {
            (Some(old), Shrinkage::Refuse) => new.check_succeeds(old),
            (None, _) | (_, Shrinkage::Accept) => Ok(()),
        }
    }

    /// Makes an edition current, and gives the one that was. The same edition again is checked
    /// again, and stays imported when it was.
    pub(super) fn set(&mut self, mut new: Entry) -> Option<Entry> {
        let old = self.take(&new.list);
        if let Some(same) = old.as_ref().filter(|old| old.version == new.version) {
            new.imported_at_unix_millis = same.imported_at_unix_millis;
        }
        self.lists.push(new);
        self.lists.sort_by(|one, other| one.list.cmp(&other.list));
        old
    }

    /// Takes a list out.
    pub(super) fn take(&mut self, list: &str) -> Option<Entry> {
        let place = self.lists.iter().position(|entry| entry.list == list)?;
        Some(self.lists.remove(place))
    }
}

/// An impossible time counts as the earliest one, so that the list is too old.
fn time(unix_millis: i64) -> Timestamp {
    Timestamp::from_unix_millis(unix_millis).unwrap_or(Timestamp::EARLIEST)
}

/// Whether a name or a version leads to a folder of the library, and nowhere else.
pub(super) fn is_folder_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '\\', '.'])
}
