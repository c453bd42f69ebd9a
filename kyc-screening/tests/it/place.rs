use std::fs;
use std::path::{Path, PathBuf};

use kyc_core::{RiskLevel, Timestamp};
use kyc_screening::{Imported, Library, LibraryError, Options, Shrinkage};
use tempfile::TempDir;

use crate::fixtures::{day, named, write};

/// A library and a folder to import from, both empty.
pub(crate) struct Place {
    pub(crate) home: TempDir,
    pub(crate) library: Library,
}

impl Place {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("in")).unwrap();
        let library = Library::new(home.path().join("lists"));
        Self { home, library }
    }

    pub(crate) fn inbox(&self) -> PathBuf {
        self.home.path().join("in")
    }

    pub(crate) fn lists(&self) -> PathBuf {
        self.home.path().join("lists")
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        write(&self.inbox(), name, text)
    }

    pub(crate) fn import(&self, path: &Path, at: Timestamp) -> Result<Vec<Imported>, LibraryError> {
        self.library.import(&[path.to_owned()], at, Shrinkage::Refuse)
    }

    /// The names and versions that are current, and when they were last checked.
    pub(crate) fn current(&self) -> Vec<(String, String, Option<Timestamp>)> {
        let status = self.library.status(day(0)).unwrap().into_iter();
        status.map(|list| (list.version.list, list.version.version, list.checked_at)).collect()
    }

    #[track_caller]
    pub(crate) fn finds(&self, name: &str) -> bool {
        let engine = self.library.load(&Options::default()).unwrap();
        engine
            .screen(&named(name), day(0))
            .is_ok_and(|screening| screening.risk() == RiskLevel::High)
    }
}
