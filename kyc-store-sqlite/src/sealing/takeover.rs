//! Sealing what a store has in clear, in the background (D93).
//!
//! Row by row, then file by file; what is done shows in each, so that a pass that was killed goes on. When
//! nothing is in clear, the database is written anew once, since its free space may still hold what
//! was, and copies of it from before are removed.

mod rows;
mod traces;

pub use rows::InClear;
pub(super) use rows::seal_envelopes;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use kyc_core::StoreError;
use rusqlite::{Connection, OptionalExtension};

use super::Sealing;
use super::keyring::CLEAR;
use super::unlock::keep;
use crate::OpenError;
use crate::documents::Files;
use crate::error::unavailable;
use crate::folder::DataFolder;
use crate::options::{Report, tell};
use crate::readers::Readers;
use crate::writer::{Extent, Gate, Writer};

/// One pass over everything, in the background. Dropping it ends the pass.
pub(crate) struct Takeover {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What a pass works with.
pub(crate) struct Tools {
    pub(crate) sealing: Sealing,
    pub(crate) writer: Arc<Writer>,
    pub(crate) readers: Arc<Readers>,
    pub(crate) files: Arc<Files>,
    pub(crate) folder: DataFolder,
    pub(crate) gate: Gate,
}

/// How much is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Rows and files in clear.
    Content = 1,
    /// Free space, and copies, that may hold what was in clear.
    Traces = 2,
}

impl Takeover {
    /// Starts a pass, if something is left to do. `own` is a connection for it alone.
    pub(crate) fn start(
        tools: Tools,
        own: impl FnOnce() -> Result<Connection, OpenError>,
        report: Report,
    ) -> Result<Option<Self>, OpenError> {
        let Some(left) = tools.readers.read_now(left)? else { return Ok(None) };
        let ends = Arc::new(AtomicBool::new(false));
        let pass = Pass { tools, own: own()?, ends: Arc::clone(&ends) };
        let thread = thread::Builder::new()
            .name("kyc-store-seal".to_owned())
            .spawn(move || {
                // What is left to do is done at the next start.
                if let Err(error) = pass.run(left) {
                    tell(&report, &error);
                }
            })
            .map_err(OpenError::folder("start a thread"))?;
        Ok(Some(Self { ends, thread: Some(thread) }))
    }
}

impl Drop for Takeover {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Pass {
    tools: Tools,
    own: Connection,
    ends: Arc<AtomicBool>,
}

impl Pass {
    fn run(&self, left: Left) -> Result<(), StoreError> {
        if left == Left::Content {
            rows::submissions(self)?;
            rows::documents(self)?;
            if self.is_ended() {
                return Ok(());
            }
            self.note(Left::Traces as i64)?;
        }
        traces::remove(self)?;
        self.note(NOTHING_LEFT)
    }

    fn note(&self, left: i64) -> Result<(), StoreError> {
        self.tools.writer.change(Extent::Statement, move |connection| {
            keep(connection, "clear", &left).map_err(unavailable)
        })
    }

    fn is_ended(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }
}

/// What is left to do in a sealed store. `None` also for a store without a vault.
fn left(connection: &Connection) -> Result<Option<Left>, StoreError> {
    let mut statement = connection.prepare_cached(CLEAR).map_err(unavailable)?;
    let left: Option<i64> =
        statement.query_row([], |row| row.get(0)).optional().map_err(unavailable)?;
    Ok([Left::Content, Left::Traces].into_iter().find(|known| left == Some(*known as i64)))
}

const NOTHING_LEFT: i64 = 0;
