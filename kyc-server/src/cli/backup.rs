//! `kyc backup`

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use kyc_core::AuditActor;
use serde::Serialize;

use crate::backup::{self, Made, Pace, Recipient};
use crate::cli::{data_folder, open, refuse_dash};
use crate::config::Globals;
use crate::exit::{Code, Failure};
use crate::output::{json, talk};
use crate::verification::bar_of_bytes;

/// Writes a backup of the data folder into one file, also beside a running service
///
/// The file holds everything that was acknowledged before the command began: the database, the
/// documents, the lists and the pepper. It never holds the master key, the configuration or the
/// server's certificate and key: keep those elsewhere.
///
/// It appears under its name when the disk has it whole and has given it back as it was written. It
/// is a tar, which `kyc restore` and `kyc verify --backup` check bit by bit.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Backup {
    /// Where to; one that is there is kept, unless --force is given
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Seals the backup for the owner of this public key of age, so that nobody else can open it;
    /// may be given several times
    #[arg(long = "recipient", value_name = "AGE-KEY")]
    recipients: Vec<Recipient>,
    /// Replaces a file that is there
    #[arg(long)]
    force: bool,
    /// Writes JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kyc backup --to /backup/kyc.tar
  kyc backup --to /backup/kyc.tar.age --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/// What was done, or restored.
#[derive(Serialize)]
pub(super) struct Summary {
    bytes: u64,
    submissions: u64,
    documents: u64,
    /// Erased while the backup was made.
    erased: usize,
    /// Lost before.
    missing: usize,
    seconds: f64,
    megabytes_per_second: f64,
}

pub(super) fn run(globals: &Globals, backup: &Backup) -> Result<(), Failure> {
    let Backup { to, recipients, force, .. } = backup;
    if !force && to.exists() {
        let sentence =
            format!("{} is there, and is kept: name another file, or --force", to.display());
        return Err(Failure::new(Code::Failed, sentence));
    }
    let data = data_folder(globals)?;
    check_target(to, &data)?;
    let store = open(globals)?;
    let begin = Instant::now();
    let bar = bar_of_bytes();
    let pace = Pace { bar: &bar, stops: &|| false };
    let made = backup::make(&store, &data, to, recipients, AuditActor::Operator, pace)?;
    bar.finish_and_clear();
    let summary = Summary::of(&made, begin.elapsed().as_secs_f64());
    if backup.json {
        json(&summary)?;
    } else {
        talk(format_args!("{}: {}", to.display(), summary.sentence()));
    }
    talk("note: the master key is in no backup: keep it elsewhere, or nothing can be opened");
    if recipients.is_empty() && !data.join("sealed").exists() {
        talk("note: the store has no vault, so the backup holds everything in clear: seal it");
    }
    tell_of_absent(&made)
}

/// Refuses to write over what is no backup: devices, and what the data folder holds.
fn check_target(to: &Path, data: &Path) -> Result<(), Failure> {
    refuse_dash(to)?;
    if to.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        let sentence = format!("{} is no file: name another one", to.display());
        return Err(Failure::new(Code::Failed, sentence));
    }
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    // A folder that is not there is told where the backup is made.
    let Ok((folder, data)) = folder.and_then(|folder| Ok((folder, data.canonicalize()?))) else {
        return Ok(());
    };
    if folder.starts_with(&data) {
        let sentence = "a backup inside the data folder would be lost with it: name another folder";
        return Err(Failure::new(Code::Failed, sentence));
    }
    Ok(())
}

/// A backup without a file of a row is made all the same: it has everything that there is.
fn tell_of_absent(made: &Made) -> Result<(), Failure> {
    let missing = made.manifest.absent(false);
    for document in &missing {
        talk(format_args!("fault: document {}: its file is missing", document.id));
    }
    match missing.len() {
        0 => Ok(()),
        count => {
            let sentence = format!("the backup was made, and the store has {count} faults");
            Err(Failure::new(Code::Fault, sentence))
        }
    }
}

impl Summary {
    pub(super) fn of(Made { bytes, manifest }: &Made, seconds: f64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
        let megabytes = *bytes as f64 / 1e6;
        Self {
            bytes: *bytes,
            submissions: manifest.submissions,
            documents: manifest.documents,
            erased: manifest.absent(true).len(),
            missing: manifest.absent(false).len(),
            seconds,
            megabytes_per_second: megabytes / seconds.max(f64::EPSILON),
        }
    }

    pub(super) fn sentence(&self) -> String {
        let Self { bytes, submissions, documents, seconds, megabytes_per_second, .. } = self;
        let megabytes = bytes / 1_000_000;
        format!(
            "{submissions} submissions, {documents} documents, {megabytes} MB in {seconds:.1} s \
             ({megabytes_per_second:.0} MB/s)"
        )
    }
}
