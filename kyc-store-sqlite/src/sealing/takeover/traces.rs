use std::fs;
use std::path::Path;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use kyc_core::StoreError;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, OpenFlags};

use super::Pass;
use crate::checkpoint::is_busy;
use crate::error::unavailable;
use crate::folder::overwrite_and_remove;
use crate::sealing::keys;

/// Removes what may still tell what was in clear: free space of the database, its log, and copies.
pub(super) fn remove(pass: &Pass) -> Result<(), StoreError> {
    for copy in fs::read_dir(pass.tools.folder.backups()).map_err(unavailable)? {
        let path = copy.map_err(unavailable)?.path();
        if !is_sealed(&path) {
            overwrite_and_remove(&path).map_err(unavailable)?;
        }
    }
    {
        // Writes wait for this, about a second for a gigabyte. Reads do not.
        let _writer_waits = pass.tools.gate.lock().unwrap_or_else(PoisonError::into_inner);
        pass.own.pragma_update(None, "temp_store", "FILE").map_err(unavailable)?;
        pass.own.execute_batch("VACUUM").map_err(unavailable)?;
    }
    empty_log(pass)
}

/// A copy that cannot be read as a sealed one is taken for one in clear.
fn is_sealed(path: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copy = Connection::open_with_flags(path, flags);
    copy.and_then(|copy| keys::master(&copy)).is_ok_and(|master| master.is_some())
}

/// Cuts the log to nothing, once no reader holds on to it.
fn empty_log(pass: &Pass) -> Result<(), StoreError> {
    loop {
        let emptied = pass
            .tools
            .readers
            .let_go_during(|| pass.own.wal_checkpoint_v2(None::<&str>, CheckpointMode::TRUNCATE));
        match emptied {
            Ok(_) => return Ok(()),
            Err(error) if is_busy(&error) && !pass.is_ended() => thread::sleep(PAUSE),
            Err(error) => return Err(unavailable(error)),
        }
    }
}

/// Between two tries to empty the log.
const PAUSE: Duration = Duration::from_millis(50);
