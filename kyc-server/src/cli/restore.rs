//! `kyc restore`

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use kyc_core::{AuditActor, AuditEntry, AuditEvent, AuditLog, Clock, SystemClock};
use kyc_store_sqlite::{DatabaseCopy, OpenError, Options, SqliteStore};
use kyc_vault::{Source, SourceError};

use super::backup::Summary;
use crate::backup::{self, Identities, Made, Manifest};
use crate::config::Globals;
use crate::exit::{Code, Failure};
use crate::output::{json, talk};
use crate::verification::{Report, bar, bar_of_bytes};

/// Makes a data folder of a backup, where there is none
///
/// The backup is unpacked beside the folder, as FOLDER.restoring, and checked whole: every byte of
/// it, every row and every document. Only then it gets its name, at once. The folder to be has to be
/// empty or not there; nothing is ever replaced.
///
/// Records and documents that are sealed can be checked with the master key of the backup's time
/// alone. Without one they are restored unopened, which is told.
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
    let vault = globals.vault(&data)?;
    let begin = Instant::now();
    let manifest = if restore.verify_only {
        check(from, &data, identities.as_ref(), &vault)?.0
    } else {
        let bar = bar_of_bytes();
        let manifest =
            backup::restore(from, &data, identities.as_ref(), &bar, |unpacked, manifest| {
                bar.finish_and_clear();
                look_at(unpacked, manifest, &vault)?;
                note(unpacked, &vault)
            })?;
        talk(format_args!("{} is restored", data.display()));
        if is_sealed(&data) {
            let place = data.join("master.key");
            talk(format_args!(
                "next: put its master key at {}, unless it is kept elsewhere; then {}",
                place.display(),
                globals.command("doctor"),
            ));
        }
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
    vault: &Source,
) -> Result<(Manifest, Report), Failure> {
    let scratch = backup::Scratch::beside(data)?;
    let bar = bar_of_bytes();
    let manifest = scratch.unpack(from, identities, &bar)?;
    bar.finish_and_clear();
    let report = look_at(&scratch.data(), &manifest, vault)?;
    Ok((manifest, report))
}

/// Files that were lost before the backup was made are told of, and in nobody's way: there may be
/// no better backup. Without the master key, what it opens is not looked at.
fn look_at(unpacked: &Path, manifest: &Manifest, vault: &Source) -> Result<Report, Failure> {
    let report = if let Some(store) = open(unpacked, vault)? {
        Report::of(|tell| store.verify(tell), &bar())?
    } else {
        talk(
            "note: the master key is not there, so records and documents were not opened: name a \
             copy of it with --master-key-file",
        );
        let copy = DatabaseCopy::open(&unpacked.join("kyc.sqlite"))?;
        Report::of(|tell| copy.verify(tell), &bar())?
    };
    let lost = manifest.absent(false).len() as u64;
    if lost > 0 && report.count() == lost {
        talk(format_args!("warning: {lost} documents were lost before the backup was made"));
    } else {
        report.outcome("the backup")?;
    }
    Ok(report)
}

/// The audit goes on with the row that it was restored.
fn note(unpacked: &Path, vault: &Source) -> Result<(), Failure> {
    let Some(store) = open(unpacked, vault)? else { return Ok(()) };
    let (at, by) = (SystemClock.now(), AuditActor::Operator);
    let entry = AuditEntry { at, by, event: AuditEvent::Restored, about: None };
    Ok(store.append(&[(None, entry)])?)
}

/// `None` where the master key of a sealed store is not there. One in clear stays so.
fn open(unpacked: &Path, vault: &Source) -> Result<Option<SqliteStore>, Failure> {
    let options = Options::default();
    let options = if is_sealed(unpacked) { options.with_vault(vault.clone()) } else { options };
    match SqliteStore::open_beside(unpacked, options) {
        Ok(store) => Ok(Some(store)),
        Err(OpenError::MasterKey(SourceError::Missing)) => Ok(None),
        Err(OpenError::MasterKey(SourceError::OtherKey)) => Err(Failure::new(
            Code::Fault,
            "the backup was sealed under another master key than the one given, as before a rotation: \
             give that one to `kyc restore --verify-only --master-key-file FILE`",
        )),
        Err(error) => Err(error.into()),
    }
}

fn is_sealed(data: &Path) -> bool {
    data.join("sealed").exists()
}
