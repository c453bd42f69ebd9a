//! Connections that read.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kyc_core::StoreError;
use rusqlite::Connection;

use crate::connection::open_reading;
use crate::error::unavailable;

/// Counts the commits of this process, each before anybody is told of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Commits(Arc<AtomicU64>);

impl Commits {
    /// Whoever reads from now on sees what was committed until now.
    pub(crate) fn count(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    fn so_far(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// Lends connections that read. Nobody waits for one: when all are in use, another one is opened,
/// and closed afterwards.
///
/// To begin and end a transaction takes four calls to the operating system, under a lock that all
/// readers share, and so costs more than the read itself. So a transaction stays open from read to
/// read, until a commit of this process makes it stale, or until it is as old as `kept`: so long it
/// may miss what another process has committed.
#[derive(Debug)]
pub(crate) struct Readers {
    database: PathBuf,
    busy: Duration,
    idle_max: usize,
    kept: Duration,
    commits: Commits,
    /// How many wait for transactions to end.
    lets_go: AtomicUsize,
    idle: Mutex<Vec<Reader>>,
}

impl Readers {
    /// Opens one connection, so that a database that cannot be read is noticed now.
    pub(crate) fn open(
        database: PathBuf,
        busy: Duration,
        idle_max: usize,
        kept: Duration,
    ) -> rusqlite::Result<Self> {
        let first = Reader { connection: open_reading(&database, busy)?, moment: None };
        let idle = Mutex::new(vec![first]);
        let (commits, lets_go) = (Commits::default(), AtomicUsize::default());
        Ok(Self { database, busy, idle_max, kept, commits, lets_go, idle })
    }

    /// What makes open transactions stale.
    pub(crate) fn commits(&self) -> Commits {
        self.commits.clone()
    }

    /// Reads in one transaction: all that is read is of one moment, in which everything had its
    /// effect that this process was told of.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let moment = Moment { commits: self.commits.so_far(), since: Instant::now() };
        let mut reader = self.take()?;
        if reader.moment.is_none_or(|kept| !kept.is_as_good_as(moment, self.kept)) {
            reader.begin(moment)?;
        }
        self.read_with(reader, read)
    }

    /// Reads as [`read`](Self::read) does, and also sees all that other processes were told of.
    pub(crate) fn read_now<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let moment = Moment { commits: self.commits.so_far(), since: Instant::now() };
        let mut reader = self.take()?;
        reader.begin(moment)?;
        self.read_with(reader, read)
    }

    /// Does some work while no transaction stays open longer than it is used: as long as one is
    /// open, the log cannot start over.
    pub(crate) fn let_go_during<T>(&self, work: impl FnOnce() -> T) -> T {
        self.lets_go.fetch_add(1, Ordering::SeqCst);
        // One that cannot even end its transaction is closed.
        self.idle().retain_mut(|reader| reader.end().is_ok());
        let outcome = work();
        self.lets_go.fetch_sub(1, Ordering::SeqCst);
        outcome
    }

    fn take(&self) -> Result<Reader, StoreError> {
        // The last one that came back has the warmest caches.
        let idle = self.idle().pop();
        if let Some(reader) = idle {
            return Ok(reader);
        }
        let connection = open_reading(&self.database, self.busy).map_err(unavailable)?;
        Ok(Reader { connection, moment: None })
    }

    /// After a panic or a failure in `read` the connection is closed, not lent again.
    fn read_with<T>(
        &self,
        mut reader: Reader,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let outcome = read(&reader.connection)?;
        let mut idle = self.idle();
        let is_stale = reader.moment.is_some_and(|kept| kept.commits != self.commits.so_far());
        let ends = is_stale || self.kept.is_zero() || self.lets_go.load(Ordering::SeqCst) > 0;
        if idle.len() < self.idle_max && (!ends || reader.end().is_ok()) {
            idle.push(reader);
        }
        Ok(outcome)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Reader {
    connection: Connection,
    /// Of the open transaction, if there is one.
    moment: Option<Moment>,
}

impl Reader {
    /// What is read from now on is at least as new as `moment`.
    fn begin(&mut self, moment: Moment) -> Result<(), StoreError> {
        self.end()?;
        self.execute("BEGIN")?;
        self.moment = Some(moment);
        Ok(())
    }

    fn end(&mut self) -> Result<(), StoreError> {
        if self.moment.take().is_some() {
            // There is nothing to commit: this lets go of the moment that was read.
            self.execute("COMMIT")?;
        }
        Ok(())
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(unavailable)?;
        statement.execute([]).map_err(unavailable)?;
        Ok(())
    }
}

/// What a transaction shows: everything from before it began.
#[derive(Debug, Clone, Copy)]
struct Moment {
    commits: u64,
    since: Instant,
}

impl Moment {
    fn is_as_good_as(self, now: Self, kept: Duration) -> bool {
        self.commits == now.commits && now.since.duration_since(self.since) < kept
    }
}

#[cfg(test)]
mod tests;
