//! What came of updates, kept beside the lists: when, why not, and what names the editions.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kyc_core::Timestamp;
use serde::{Deserialize, Serialize};

use super::download::Validators;
use super::error::FetchError;
use super::feed::RemoteFile;
use crate::folder;

/// What is known of the updates of every list.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    lists: BTreeMap<String, Attempts>,
}

/// What is known of the updates of one list.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempts {
    attempted_at_unix_millis: i64,
    failing: Option<Failing>,
    edition: Option<Edition>,
}

/// Since when updates fail, and why the last one did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failing {
    since_unix_millis: i64,
    pub(crate) reason: String,
}

/// The edition that was fetched last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Edition {
    /// As the library calls it.
    version: String,
    files: Vec<FetchedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FetchedFile {
    address: String,
    validators: Validators,
}

impl Record {
    /// The record in a folder. One that is not there or not readable is one of nothing: at worst,
    /// lists are fetched once more.
    pub(crate) fn read(folder: &Path) -> Self {
        let bytes = fs::read(path(folder)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), FetchError> {
        let path = path(folder);
        let written = serde_json::to_string_pretty(self)
            .map_err(io::Error::other)
            .and_then(|text| folder::write_private(&path, &text));
        written.map_err(FetchError::disk(&path))
    }

    /// What is known of a list; `None` if it was never fetched.
    pub(crate) fn of(&self, list: &str) -> Option<&Attempts> {
        self.lists.get(list)
    }

    /// Every list that somebody tried to fetch.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Attempts)> {
        self.lists.iter().map(|(list, attempts)| (list.as_str(), attempts))
    }

    /// Forgets what is known of a list; whether there was anything.
    pub(super) fn forget(&mut self, list: &str) -> bool {
        self.lists.remove(list).is_some()
    }

    pub(super) fn succeeded(&mut self, list: &str, at: Timestamp, edition: Option<Edition>) {
        let attempts = self.attempt(list, at);
        attempts.failing = None;
        if edition.is_some() {
            attempts.edition = edition;
        }
    }

    pub(super) fn failed(&mut self, list: &str, at: Timestamp, reason: String) {
        let attempts = self.attempt(list, at);
        let since = attempts.failing.as_ref().map(|failing| failing.since_unix_millis);
        let since_unix_millis = since.unwrap_or(at.unix_millis());
        attempts.failing = Some(Failing { since_unix_millis, reason });
    }

    fn attempt(&mut self, list: &str, at: Timestamp) -> &mut Attempts {
        let attempts = self.lists.entry(list.to_owned()).or_default();
        attempts.attempted_at_unix_millis = at.unix_millis();
        attempts
    }
}

impl Attempts {
    pub(crate) fn attempted_at(&self) -> Timestamp {
        time(self.attempted_at_unix_millis)
    }

    pub(crate) fn failing(&self) -> Option<&Failing> {
        self.failing.as_ref()
    }

    /// What names the files of this edition, where it is the one that was fetched last, from the
    /// same addresses.
    pub(super) fn known(&self, version: &str, files: &[RemoteFile]) -> Option<Vec<Validators>> {
        let edition = self.edition.as_ref().filter(|edition| edition.version == version)?;
        let addresses = edition.files.iter().map(|file| file.address.as_str());
        if !addresses.eq(files.iter().map(|file| file.address.secret())) {
            return None;
        }
        Some(edition.files.iter().map(|file| file.validators.clone()).collect())
    }
}

impl Failing {
    pub(crate) fn since(&self) -> Timestamp {
        time(self.since_unix_millis)
    }
}

impl Edition {
    pub(super) fn new(version: &str, files: &[RemoteFile], validators: Vec<Validators>) -> Self {
        let file = |(file, validators): (&RemoteFile, _)| FetchedFile {
            address: file.address.secret().to_owned(),
            validators,
        };
        Self {
            version: version.to_owned(),
            files: files.iter().zip(validators).map(file).collect(),
        }
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join("record.json")
}

fn time(unix_millis: i64) -> Timestamp {
    Timestamp::from_unix_millis(unix_millis).unwrap_or(Timestamp::EARLIEST)
}
