//! The master key: made, split between custodians, replaced (D91, D116, D117).

use std::path::{Path, PathBuf};

use kyc_core::{Clock, SystemClock};
use kyc_store_sqlite::{OpenError, Options, SqliteStore};
use kyc_vault::{MasterKey, Source, SourceError};

use crate::cli::{open, refuse_dash};
use crate::config::Globals;
use crate::exit::{Code, Failure};
use crate::output::talk;

pub(super) fn make(file: &Path) -> Result<(), Failure> {
    refuse_dash(file)?;
    let key = MasterKey::random().map_err(SourceError::from)?;
    Source::write_file(file.to_owned(), &key)?;
    talk(format_args!(
        "{} holds a new master key: keep a copy of it apart from the data and from backups",
        file.display()
    ));
    Ok(())
}

pub(super) fn split(globals: &Globals, files: [PathBuf; 2]) -> Result<(), Failure> {
    files.iter().try_for_each(|file| refuse_dash(file))?;
    let [one, other] = files.each_ref().map(std::path::absolute);
    if let (Ok(one), Ok(other)) = (one, other)
        && one == other
    {
        let sentence = "two different files are needed, one for each custodian";
        return Err(Failure::new(Code::Usage, sentence));
    }
    let data = globals.data_folder()?;
    let source = globals.vault(&data)?;
    let is_sealed = data.join("sealed").exists();
    if is_sealed {
        // Ends a rotation that was cut short.
        opens(&data, &source)?;
    }
    let [one, other] = files.each_ref().map(|file| file.display().to_string());
    let shares = Source::write_share_files(files, &source.current()?)?;
    talk(format_args!("{one} and {other} hold a share each: give them to two custodians"));
    // It may be the next key, or one for another folder.
    if is_sealed && opens(&data, &shares)? {
        talk(format_args!("together they open {}", data.display()));
    } else {
        talk(format_args!("note: nothing in {} is under this key", data.display()));
    }
    Ok(())
}

/// Whether a data folder opens with the key.
fn opens(data: &Path, source: &Source) -> Result<bool, Failure> {
    match SqliteStore::open_beside(data, Options::default().with_vault(source.clone())) {
        Ok(_) => Ok(true),
        Err(OpenError::MasterKey(SourceError::OtherKey)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn rotate(globals: &Globals) -> Result<(), Failure> {
    let source = globals.vault(&globals.data_folder()?)?;
    open(globals)?.rotate_master_key(SystemClock.now())?;
    talk(
        "the master key was replaced: keep a copy of the new one apart from the data and from \
         backups; backups from before open with the old one alone",
    );
    if source.is_given() {
        talk("next: give the new one as the current one, to the service too");
    }
    Ok(())
}
