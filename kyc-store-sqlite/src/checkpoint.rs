//! Writing the log back into the database, off the writer's path.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::hooks::Wal;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, ErrorCode};

use crate::database_file::DatabaseFile;
use crate::options::{Report, tell};
use crate::readers::Readers;
use crate::writer::Gate;

/// Writes the log back whenever it has grown.
///
/// Most of it is written back while others write. That alone would never let the log start over,
/// since others keep adding to it: so the writer is held off at the end, for the little that came
/// in meanwhile.
pub(crate) struct Checkpointer {
    signal: Signal,
    thread: Option<JoinHandle<()>>,
}

/// What the writer and the thread share.
#[derive(Clone)]
struct Signal {
    wake: SyncSender<()>,
    /// At how many pages the thread is woken.
    wake_at: Arc<AtomicU32>,
    ends: Arc<AtomicBool>,
}

impl Checkpointer {
    /// Starts to look after the log that `writing` adds to, with a connection of its own.
    pub(crate) fn start(
        writing: &mut Connection,
        own: Connection,
        log: Log,
        report: Report,
    ) -> Result<Self, crate::OpenError> {
        let log_pages = log.pages_max;
        let (wake, woken) = mpsc::sync_channel(1);
        let (wake_at, ends) = (Arc::new(AtomicU32::new(log_pages)), Arc::default());
        let signal = Signal { wake, wake_at, ends };
        let hooked = signal.clone();
        let state = State { connection: own, log, report, signal: signal.clone() };
        state.begin();
        let mut last_resort_at = log_pages.saturating_mul(LAST_RESORT);
        writing.wal_hook(Some(move |log: &mut Wal, pages| {
            let pages = u32::try_from(pages).unwrap_or(0);
            if pages >= hooked.wake_at.load(Ordering::Relaxed) {
                // A signal that is there already is as good.
                let _ = hooked.wake.try_send(());
            }
            if pages < log_pages {
                last_resort_at = log_pages.saturating_mul(LAST_RESORT);
            } else if pages >= last_resort_at {
                // The thread cannot keep up: better the writer waits than a log without end.
                last_resort_at = pages.saturating_add(log_pages);
                let _ = log.checkpoint_v2(CheckpointMode::PASSIVE);
            }
            Ok(())
        }))?;
        let thread = thread::Builder::new()
            .name("kyc-store-log".to_owned())
            .spawn(move || state.run(&woken))
            .map_err(crate::OpenError::folder("start a thread"))?;
        Ok(Self { signal, thread: Some(thread) })
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.signal.ends.store(true, Ordering::Relaxed);
        let _ = self.signal.wake.try_send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The log, and those who use it.
pub(crate) struct Log {
    pub(crate) gate: Gate,
    pub(crate) readers: Arc<Readers>,
    pub(crate) file: Arc<DatabaseFile>,
    /// How far it grows before it is written back.
    pub(crate) pages_max: u32,
}

struct State {
    connection: Connection,
    log: Log,
    report: Report,
    signal: Signal,
}

impl State {
    /// Empties a long log that a crash has left: what had been written back of it is forgotten, so who
    /// crashes soon after each start would have a longer one each time.
    fn begin(&self) {
        if let Err(error) = self.empty() {
            tell(&self.report, &error);
        }
    }

    fn empty(&self) -> Result<(), Fault> {
        if self.pages()? < self.log.pages_max {
            return Ok(());
        }
        // While others write; little is left to hold them off for.
        self.copy()?;
        match self.checkpoint(CheckpointMode::TRUNCATE) {
            Err(error) if !is_busy(&error) => Err(error.into()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn run(self, woken: &Receiver<()>) {
        while woken.recv().is_ok() && !self.signal.ends.load(Ordering::Relaxed) {
            let left = match self.write_back() {
                Ok(left) => left,
                Err(error) => {
                    tell(&self.report, &error);
                    self.log.pages_max
                }
            };
            // While a reader holds on to the log it cannot start over. It is tried again after
            // another quarter of growth, not at every commit.
            let wake_at = if left == 0 { 0 } else { left.saturating_add(self.log.pages_max / 4) };
            self.signal.wake_at.store(wake_at.max(self.log.pages_max), Ordering::Relaxed);
        }
    }

    /// Says how many pages the log still has; none if the next write starts it over.
    fn write_back(&self) -> Result<u32, Fault> {
        // What comes in during one round is written back in the next, each shorter than the last.
        for _ in 0..ROUNDS_MAX {
            if self.copy()? < SMALL_PAGES {
                break;
            }
        }
        let _writer_waits = self.log.gate.lock().unwrap_or_else(PoisonError::into_inner);
        match self.checkpoint(CheckpointMode::RESTART) {
            Ok(_) => Ok(0),
            Err(error) if is_busy(&error) => self.pages(),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the log back while others write, and says how many pages have come in since.
    ///
    /// SQLite waits for the disk only in the last checkpoint, which the writer waits for. Here the
    /// disk is waited for each time, so that little is left to wait for then.
    fn copy(&self) -> Result<u32, Fault> {
        let done = match self.checkpoint(CheckpointMode::PASSIVE) {
            Ok((_, done)) => u32::try_from(done).unwrap_or(0),
            Err(error) if is_busy(&error) => 0,
            Err(error) => return Err(error.into()),
        };
        self.log.file.sync()?;
        Ok(self.pages()?.saturating_sub(done))
    }

    fn checkpoint(&self, mode: CheckpointMode) -> rusqlite::Result<(i32, i32)> {
        let readers = &self.log.readers;
        readers.let_go_during(|| self.connection.wal_checkpoint_v2(None::<&str>, mode))
    }

    /// How many pages the log has.
    fn pages(&self) -> Result<u32, Fault> {
        let (all, _) = self.connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::NOOP)?;
        Ok(u32::try_from(all).unwrap_or(0))
    }
}

/// Why the log was not written back. It is tried again.
#[derive(Debug, thiserror::Error)]
#[error("the log of the database cannot be written back")]
enum Fault {
    Database(#[from] rusqlite::Error),
    Disk(#[from] std::io::Error),
}

pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// How many times too long the log is when the writer itself writes it back.
const LAST_RESORT: u32 = 3;

/// After so many rounds the writer is held off, however much is left.
const ROUNDS_MAX: usize = 4;

/// So few pages are written back in less time than the disk takes to confirm a commit.
const SMALL_PAGES: u32 = 256;
