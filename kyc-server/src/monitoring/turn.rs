//! One process at a time walks over the results of a data folder.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::exit::Failure;
use crate::output::talk;

/// The right to walk, until it is dropped or the process ends.
///
/// It saves work and is no safeguard: that is the compare-and-set of the state and of each result.
#[derive(Debug)]
pub(crate) struct Turn(#[expect(dead_code, reason = "dropping the file releases the lock")] File);

impl Turn {
    /// `None` while somebody else has it.
    pub(crate) fn take(data: &Path) -> Result<Option<Self>, Failure> {
        let file = open(data).map_err(|error| unlockable(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(unlockable(&error)),
        }
    }

    /// Waits for somebody else.
    pub(crate) fn wait(data: &Path) -> Result<Self, Failure> {
        if let Some(turn) = Self::take(data)? {
            return Ok(turn);
        }
        talk("waiting: somebody else is screening again");
        let lock = || {
            let file = open(data)?;
            file.lock()?;
            Ok(Self(file))
        };
        lock().map_err(|error| unlockable(&error))
    }
}

fn open(data: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600).open(data.join("rescreen.lock"))
}

fn unlockable(error: &io::Error) -> Failure {
    Failure::because("cannot lock rescreen.lock in the data folder", error)
}
