//! The thread that anchors the audit (D97).

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kyc_core::{Clock, SystemClock};
use kyc_store_sqlite::SqliteStore;

use crate::anchors;
use crate::exit::Failure;

/// Where the ends of the audit's chains are kept, and how often they are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Anchoring {
    pub(crate) file: PathBuf,
    pub(crate) every: Duration,
}

/// A running anchoring. When it is dropped, it anchors once more and ends.
#[derive(Debug)]
pub(super) struct Anchor {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Anchor {
    /// Anchors at once, so that a file that cannot be written is noticed, and then again and again.
    pub(super) fn start(store: SqliteStore, anchoring: Anchoring) -> Result<Self, Failure> {
        anchors::append(&store, SystemClock.now(), &anchoring.file)?;
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("audit-anchor".to_owned())
            .spawn(move || run(&store, &anchoring, &stopped))
            .map_err(|error| Failure::because("cannot start anchoring the audit", &error))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Anchor {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panic was logged where it happened.
            let _ = thread.join();
        }
    }
}

fn run(store: &SqliteStore, anchoring: &Anchoring, stopped: &Receiver<()>) {
    loop {
        let is_over = stopped.recv_timeout(anchoring.every) != Err(RecvTimeoutError::Timeout);
        anchor(store, &anchoring.file);
        if is_over {
            return;
        }
    }
}

fn anchor(store: &SqliteStore, file: &Path) {
    if let Err(Failure { sentence, .. }) = anchors::append(store, SystemClock.now(), file) {
        tracing::error!(reason = sentence.unwrap_or_default(), "the audit cannot be anchored");
    }
}
