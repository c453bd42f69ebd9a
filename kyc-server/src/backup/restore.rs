//! From a backup to a data folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::age::{Identities, Opener};
use super::manifest::Manifest;
use super::unpack::{sync_all, unpack};
use crate::exit::{Code, Failure};
use crate::folder;

/// A folder beside a data folder, in which a backup is unpacked and looked at. It is removed when it
/// is dropped.
///
/// The data folder to be is one level deeper, so that what a kill leaves over is none. A folder of
/// somebody else is told by what it lacks: the file that marks ours (D118).
#[derive(Debug)]
pub(crate) struct Scratch {
    outer: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes the folder, in the place of one that a kill left over.
    pub(crate) fn beside(data: &Path) -> Result<Self, Failure> {
        let data = std::path::absolute(data).map_err(|error| cannot("find", data, &error))?;
        let mut name = data.file_name().unwrap_or_default().to_owned();
        name.push(SUFFIX);
        let outer = data.with_file_name(name);
        folder::make(&outer)?;
        let mark = outer.join(MARK);
        if !mark.exists() && !is_empty(&outer)? {
            let sentence =
                format!("{} is no restore's, and is kept: move it away", outer.display());
            return Err(Failure::new(Code::Failed, sentence));
        }
        let mut options = OpenOptions::new();
        let lock = options.write(true).create(true).truncate(false).mode(0o600).open(&mark);
        let lock = lock.map_err(|error| cannot("write to", &outer, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let sentence = format!("another restore works in {}", outer.display());
                return Err(Failure::new(Code::Failed, sentence));
            }
            Err(TryLockError::Error(error)) => return Err(cannot("lock", &outer, &error)),
        }
        let scratch = Self { outer, _lock: lock };
        match fs::remove_dir_all(scratch.data()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(cannot("remove", &scratch.data(), &error));
            }
            Ok(()) | Err(_) => {}
        }
        folder::make(&scratch.data())?;
        Ok(scratch)
    }

    /// What is to become the data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.outer.join("data")
    }

    /// Unpacks a backup into it.
    pub(crate) fn unpack(
        &self,
        from: &Path,
        identities: Option<&Identities>,
        bar: &ProgressBar,
    ) -> Result<Manifest, Failure> {
        let file = File::open(from).map_err(|error| cannot("open", from, &error))?;
        bar.set_length(file.metadata().map_or(0, |file| file.len()));
        unpack(Opener::new(bar.wrap_read(file), identities)?, &self.data())
    }

    /// Makes it the data folder, at once.
    fn become_data(self, data: &Path) -> Result<(), Failure> {
        sync_all(&self.outer).map_err(|error| cannot("write", &self.outer, &error))?;
        fs::rename(self.data(), data).map_err(|error| cannot("make", data, &error))?;
        let above = self.outer.parent().unwrap_or(Path::new("."));
        File::open(above).and_then(|above| above.sync_all()).map_err(|e| cannot("write", above, &e))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left over, the next one removes: the mark goes last. What somebody else put there
        // stays, and the folder with it.
        let _ = fs::remove_dir_all(self.data());
        let _ = fs::remove_file(self.outer.join(MARK));
        let _ = fs::remove_dir(&self.outer);
    }
}

/// Makes a data folder of a backup, where there is none. `check` looks at it before.
pub(crate) fn restore(
    from: &Path,
    data: &Path,
    identities: Option<&Identities>,
    bar: &ProgressBar,
    check: impl FnOnce(&Path, &Manifest) -> Result<(), Failure>,
) -> Result<Manifest, Failure> {
    refuse_contents(data)?;
    let scratch = Scratch::beside(data)?;
    let manifest = scratch.unpack(from, identities, bar)?;
    check(&scratch.data(), &manifest)?;
    scratch.become_data(data)?;
    Ok(manifest)
}

fn refuse_contents(data: &Path) -> Result<(), Failure> {
    // Behind a slash at the end is what a link leads to.
    let what = match fs::symlink_metadata(data.components().as_path()) {
        Ok(found) if found.is_symlink() => "a link, not the folder that it leads to",
        Ok(found) if !found.is_dir() => "no folder",
        // Where it is not there, or cannot be looked at.
        Ok(_) | Err(_) if is_empty(data)? => return Ok(()),
        Ok(_) | Err(_) => "not empty",
    };
    let sentence = format!(
        "{} is {what}, and a restore replaces nothing: name another folder with --data, or move \
         this one away",
        data.display()
    );
    Err(Failure::new(Code::Failed, sentence))
}

/// Whether nothing is in a folder, or it is not there.
fn is_empty(folder: &Path) -> Result<bool, Failure> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(cannot("read", folder, &error)),
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::because(&format!("cannot {what} {}", path.display()), error)
}

/// How the name of the folder ends in which a backup is unpacked.
const SUFFIX: &str = ".restoring";
/// The file in it that tells that it is ours, and is locked while somebody works in it.
const MARK: &str = "kyc-restore.lock";
