//! `kyc restore`

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use kyc_core::{AuditActor, AuditEntry, AuditEvent, AuditLog, Clock, SystemClock};
use kyc_store_sqlite::{Options, SqliteStore};

use super::backup::Summary;
use crate::backup::{self, Identities, Made, Manifest};
use crate::config::Globals;
use crate::exit::Failure;
use crate::output::{json, talk};
use crate::verification::{Report, bar, bar_of_bytes};

/// Makes a data folder of a backup, where there is none
///
/// The backup is unpacked beside the folder, as FOLDER.restoring, and checked whole: every byte of
/// it, every row and every document. Only then it gets its name, at once. The folder to be has to be
/// empty or not there; nothing is ever replaced.
///
/// A backup with a fault is refused with the exit code 4.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Restore {
    /// The backup
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// File with the secret key of age, where the backup is sealed for a recipient
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    /// Unpacks and checks, and then removes what was unpacked
    #[arg(long)]
    verify_only: bool,
    /// Writes JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kyc restore --from /backup/kyc.tar --data /var/lib/kyc
  kyc restore --from /backup/kyc.tar.age --identity key.txt --data ./trial
  kyc restore --from /backup/kyc.tar --data /var/lib/kyc --verify-only";

pub(super) fn run(globals: &Globals, restore: &Restore) -> Result<(), Failure> {
    let Restore { from, identity, .. } = restore;
    let data = globals.data_folder()?;
    let identities = identity.as_deref().map(Identities::read).transpose()?;
    let begin = Instant::now();
    let manifest = if restore.verify_only {
        check(from, &data, identities.as_ref())?.0
    } else {
        let bar = bar_of_bytes();
        let manifest =
            backup::restore(from, &data, identities.as_ref(), &bar, |unpacked, manifest| {
                bar.finish_and_clear();
                look_at(unpacked, manifest)?;
                note(unpacked)
            })?;
        talk(format_args!("{} is restored; put its master key in place", data.display()));
        manifest
    };
    let bytes = fs::metadata(from).map_or(0, |file| file.len());
    let summary = Summary::of(&Made { bytes, manifest }, begin.elapsed().as_secs_f64());
    if restore.json {
        return json(&summary);
    }
    talk(summary.sentence());
    Ok(())
}

/// Unpacks a backup beside a data folder and looks at everything in it.
pub(super) fn check(
    from: &Path,
    data: &Path,
    identities: Option<&Identities>,
) -> Result<(Manifest, Report), Failure> {
    let scratch = backup::Scratch::beside(data)?;
    let bar = bar_of_bytes();
    let manifest = scratch.unpack(from, identities, &bar)?;
    bar.finish_and_clear();
    let report = look_at(&scratch.data(), &manifest)?;
    Ok((manifest, report))
}

/// The audit goes on with the row that it was restored.
fn note(unpacked: &Path) -> Result<(), Failure> {
    let store = SqliteStore::open_beside(unpacked, Options::default())?;
    let (at, by) = (SystemClock.now(), AuditActor::Operator);
    let entry = AuditEntry { at, by, event: AuditEvent::Restored, about: None };
    Ok(store.append(&[(None, entry)])?)
}

/// Files that were lost before the backup was made are told of, and in nobody's way: there may be
/// no better backup.
fn look_at(unpacked: &Path, manifest: &Manifest) -> Result<Report, Failure> {
    let store = SqliteStore::open_beside(unpacked, Options::default())?;
    let report = Report::of(&store, &bar())?;
    let lost = manifest.absent(false).len() as u64;
    if lost > 0 && report.count() == lost {
        talk(format_args!("warning: {lost} documents were lost before the backup was made"));
    } else {
        report.outcome("the backup")?;
    }
    Ok(report)
}
