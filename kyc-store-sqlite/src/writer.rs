//! The one thread that writes.
//!
//! It takes what has queued, runs it in one transaction, commits (which waits once for the disk),
//! and only then answers. So one wait serves all who wait, and nobody waits for a timer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use kyc_core::StoreError;
use rusqlite::Connection;

use crate::audit::Audit;
use crate::error::unavailable;
use crate::readers::Commits;
use crate::sealing::Sealing;

/// How many changes may wait. Whoever comes then waits for a place.
const QUEUE_MAX: usize = 1_024;

/// How many changes one commit may hold, so that the first of them need not wait for ever.
const GROUP_MAX: usize = 512;

/// Held by the writer while a transaction of it is open.
pub(crate) type Gate = Arc<Mutex<()>>;

pub(crate) struct Writer {
    queue: Option<SyncSender<Box<dyn Change>>>,
    thread: Option<JoinHandle<()>>,
}

/// What a change may do when it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One statement, which SQLite itself undoes when it fails.
    Statement,
    /// Several statements, which are undone together.
    Several,
}

impl Writer {
    pub(crate) fn start(
        connection: Connection,
        gate: Gate,
        commits: Commits,
        sealing: Sealing,
        audit: Audit,
    ) -> std::io::Result<Self> {
        let (queue, changes) = mpsc::sync_channel(QUEUE_MAX);
        let thread = thread::Builder::new()
            .name("kyc-store-writer".to_owned())
            .spawn(move || run(&connection, &changes, &gate, &commits, &sealing, &audit))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    /// Makes a change and waits until it is durable.
    ///
    /// A change that fails leaves nothing behind, and the others in its transaction stand. When the
    /// commit fails, all of them have failed.
    pub(crate) fn change<T, E>(
        &self,
        extent: Extent,
        change: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let answered = self.queue(extent, change)?;
        answered.recv().map_err(|_| stopped())?
    }

    /// Queues a change, waiting for a place. The outcome comes when the change is durable.
    fn queue<T, E>(
        &self,
        extent: Extent,
        change: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<Receiver<Result<T, E>>, StoreError>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (sender, answered) = mpsc::sync_channel(1);
        // Nobody may be waiting.
        let then = move |outcome| drop(sender.send(outcome));
        let queued = Queued { extent, change: Some(change), outcome: None, then };
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(Box::new(queued)).map_err(|_| stopped())?;
        Ok(answered)
    }

    /// Makes a change without waiting for it: `then` is told on the writer's thread once it is
    /// durable, or here if there is no place in the queue.
    pub(crate) fn change_then<T, E>(
        &self,
        extent: Extent,
        change: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        then: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let queued: Box<dyn Change> =
            Box::new(Queued { extent, change: Some(change), outcome: None, then });
        let refused = match &self.queue {
            None => Some(queued),
            Some(queue) => match queue.try_send(queued) {
                Ok(()) => None,
                Err(TrySendError::Full(queued) | TrySendError::Disconnected(queued)) => {
                    Some(queued)
                }
            },
        };
        if let Some(refused) = refused {
            refused.answer(Err((&Arc::new(Failure::NoPlace), 0)));
        }
    }
}

impl Drop for Writer {
    /// Finishes what has queued and closes the connection.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // It catches the panics of changes; if it died of another, all is answered already.
            let _ = thread.join();
        }
    }
}

fn stopped() -> StoreError {
    unavailable("the writer has stopped")
}

fn run(
    connection: &Connection,
    changes: &Receiver<Box<dyn Change>>,
    gate: &Gate,
    commits: &Commits,
    sealing: &Sealing,
    audit: &Audit,
) {
    let mut group = Vec::with_capacity(GROUP_MAX);
    while let Ok(first) = changes.recv() {
        group.push(first);
        group.extend(changes.try_iter().take(GROUP_MAX - 1));
        let committed = {
            let _open = gate.lock().unwrap_or_else(PoisonError::into_inner);
            commit(connection, sealing, audit, &mut group)
        };
        // Also after a failure: whether the commit took place may be unknown then.
        commits.count();
        for (place, change) in group.drain(..).enumerate() {
            let committed = committed.as_ref().map_err(|failure| (failure, place));
            // A panic in what comes then is not the writer's.
            let _ = catch_unwind(AssertUnwindSafe(|| change.answer(committed)));
        }
    }
}

/// Runs a group in one transaction. After a failure no transaction is open, so that the next group
/// starts afresh: a full disk or a lock that is held too long passes.
fn commit(
    connection: &Connection,
    sealing: &Sealing,
    audit: &Audit,
    group: &mut [Box<dyn Change>],
) -> Result<(), Arc<Failure>> {
    let committed = transact(connection, sealing, audit, group);
    // Another process may write before the next transaction.
    audit.forget();
    committed.map_err(|failure| {
        if !connection.is_autocommit() {
            // Nothing can be done about a rollback that fails; the next BEGIN tells.
            let _ = connection.execute_batch("ROLLBACK");
        }
        Arc::new(failure)
    })
}

fn transact(
    connection: &Connection,
    sealing: &Sealing,
    audit: &Audit,
    group: &mut [Box<dyn Change>],
) -> Result<(), Failure> {
    execute(connection, "BEGIN IMMEDIATE")?;
    sealing.refresh(connection)?;
    for (place, change) in group.iter_mut().enumerate() {
        run_one(connection, change.as_mut(), audit)?;
        if connection.is_autocommit() {
            return Err(Failure::Undone { by: place });
        }
    }
    audit.settle(connection)?;
    execute(connection, "COMMIT")?;
    Ok(())
}

/// Runs one change, and undoes it if it fails. Upon some failures, such as a full disk, SQLite
/// undoes the whole transaction.
fn run_one(
    connection: &Connection,
    change: &mut dyn Change,
    audit: &Audit,
) -> rusqlite::Result<()> {
    let is_several = change.extent() == Extent::Several;
    let ends = is_several.then(|| audit.mark());
    if is_several {
        execute(connection, "SAVEPOINT change")?;
    }
    let is_done = catch_unwind(AssertUnwindSafe(|| change.run(connection))).unwrap_or(false);
    if is_several && !connection.is_autocommit() {
        if !is_done {
            execute(connection, "ROLLBACK TO change")?;
            audit.back_to(ends.unwrap_or_default());
        }
        execute(connection, "RELEASE change")?;
    }
    Ok(())
}

fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// Why a transaction was not committed; every change in it is told.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the transaction cannot be committed")]
    Commit(#[from] rusqlite::Error),
    #[error("too many changes wait already")]
    NoPlace,
    #[error("another change broke the transaction")]
    Undone {
        /// The place of the change in its group.
        by: usize,
    },
}

impl Failure {
    fn is_by(&self, place: usize) -> bool {
        matches!(self, Self::Undone { by } if *by == place)
    }
}

/// A change with its types erased.
trait Change: Send {
    fn extent(&self) -> Extent;
    /// Runs the change and keeps the outcome to itself. Says whether it succeeded.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Answers with the outcome, or with the failure of the transaction and the place in it.
    fn answer(self: Box<Self>, committed: Result<&(), (&Arc<Failure>, usize)>);
}

struct Queued<F, T, E, A> {
    extent: Extent,
    change: Option<F>,
    outcome: Option<Result<T, E>>,
    then: A,
}

impl<F, T, E, A> Change for Queued<F, T, E, A>
where
    F: FnOnce(&Connection) -> Result<T, E> + Send,
    A: FnOnce(Result<T, E>) + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn extent(&self) -> Extent {
        self.extent
    }

    fn run(&mut self, connection: &Connection) -> bool {
        self.outcome = self.change.take().map(|change| change(connection));
        self.outcome.as_ref().is_some_and(Result::is_ok)
    }

    fn answer(self: Box<Self>, committed: Result<&(), (&Arc<Failure>, usize)>) {
        let answer = match (committed, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(unavailable("the change panicked").into()),
            // The others are told of the failure: also what they failed for may be undone by it.
            (Err((failure, place)), Some(Err(error))) if failure.is_by(place) => Err(error),
            (Err((failure, _)), _) => Err(unavailable(Arc::clone(failure)).into()),
        };
        (self.then)(answer);
    }
}

#[cfg(test)]
mod tests;
