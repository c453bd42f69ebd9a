//! Connections that read.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kyc_core::StoreError;
use rusqlite::Connection;

use crate::connection::open_reading;
use crate::error::unavailable;

/// Lends connections that read. Nobody waits for one: when all are in use, another one is opened,
/// and closed afterwards.
#[derive(Debug)]
pub(crate) struct Readers {
    database: PathBuf,
    busy: Duration,
    idle_max: usize,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Opens one connection, so that a database that cannot be read is noticed now.
    pub(crate) fn open(
        database: PathBuf,
        busy: Duration,
        idle_max: usize,
    ) -> rusqlite::Result<Self> {
        let first = open_reading(&database, busy)?;
        Ok(Self { database, busy, idle_max, idle: Mutex::new(vec![first]) })
    }

    /// Reads with one statement, which is a transaction of its own.
    pub(crate) fn read_one<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // The last one that came back has the warmest caches.
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open_reading(&self.database, self.busy).map_err(unavailable)?,
        };
        // After a panic in here the connection is closed, not lent again.
        let outcome = read(&connection);
        let mut idle = self.idle();
        if idle.len() < self.idle_max && connection.is_autocommit() {
            idle.push(connection);
        }
        outcome
    }

    /// Reads with several statements in one transaction: all that is read is of one moment.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read_one(|connection| {
            execute(connection, "BEGIN")?;
            let outcome = read(connection);
            // There is nothing to commit: this lets go of the moment that was read.
            execute(connection, "COMMIT")?;
            outcome
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn execute(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(unavailable)?;
    statement.execute([]).map_err(unavailable)?;
    Ok(())
}
