//! `kyc verify`

use std::path::{Path, PathBuf};

use clap::Args;
use kyc_store_sqlite::{DatabaseCopy, OpenError, Options, SqliteStore};
use serde::Serialize;

use super::restore::check;
use crate::backup::Identities;
use crate::cli::data_folder;
use crate::config::Globals;
use crate::exit::Failure;
use crate::output::{data, json, talk};
use crate::verification::{Report, bar};

/// Proves that everything in the data folder is whole
///
/// Checks the pages of the database, that every row can be read and agrees with itself, that what
/// it refers to is there, that what is to be screened is queued, that every document has its file
/// and its checksum, that what is counted of each client is what there is, that kept answers can be
/// opened, that the audit is as it was written, and that it tells of what was stored and erased,
/// and of who may do what.
/// Each fault is named by table and id; with one, the exit code is 4.
///
/// It works beside a running service, and changes nothing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Verify {
    /// A backup to check as well: it is unpacked beside the data folder, and removed again. One that
    /// is sealed under an older master key: `kyc restore --verify-only` with that key
    #[arg(long, value_name = "FILE")]
    backup: Option<PathBuf>,
    /// File with the secret key of age, where the backup is sealed for a recipient
    #[arg(long, value_name = "FILE", requires = "backup")]
    identity: Option<PathBuf>,
    /// Writes JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kyc verify
  kyc verify --backup /backup/kyc.tar --json";

#[derive(Serialize)]
struct Reports {
    store: Report,
    backup: Option<Report>,
}

pub(super) fn run(globals: &Globals, verify: &Verify) -> Result<(), Failure> {
    let folder = data_folder(globals)?;
    let identities = verify.identity.as_deref().map(Identities::read).transpose()?;
    let vault = globals.vault(&folder)?;
    let options = Options::default().with_vault(vault.clone());
    let store = match SqliteStore::open_to_look(&folder, options) {
        Ok(opened) => Report::of(|tell| opened.verify(tell), &bar())?,
        Err(damage @ OpenError::Damaged(_)) => without_opening(&folder, damage)?,
        Err(error) => return Err(error.into()),
    };
    let backup = verify.backup.as_deref();
    let backup =
        backup.map(|backup| check(backup, &folder, identities.as_ref(), &vault)).transpose();
    let (backup, failure) = match backup {
        Ok(checked) => (checked.map(|(_, report)| report), None),
        Err(failure) => (None, Some(failure)),
    };
    let reports = Reports { store, backup };
    if verify.json {
        json(&reports)?;
    } else {
        data(reports.store.table())?;
        if let Some(backup) = &reports.backup {
            data(format_args!("\nbackup\n{}", backup.table()))?;
        }
    }
    reports.store.outcome("the data folder")?;
    failure.map_or(Ok(()), Err)
}

/// What needs no key can be told also of a store that does not open.
fn without_opening(folder: &Path, damage: OpenError) -> Result<Report, Failure> {
    let failure = Failure::from(damage);
    let report = DatabaseCopy::open(&folder.join("kyc.sqlite"))
        .map_err(Failure::from)
        .and_then(|database| Report::of(|tell| database.verify(tell), &bar()));
    let (Ok(report), Some(sentence)) = (report, &failure.sentence) else { return Err(failure) };
    if report.count() == 0 {
        return Err(failure);
    }
    talk(format_args!("note: records and documents were not looked at: {sentence}"));
    Ok(report)
}
