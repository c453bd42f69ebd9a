//! The audit: the port, and what every change appends to it (D95–D97).

mod chain;
mod keys;
mod verify;

use std::sync::Arc;

use kyc_core::{AuditEntry, AuditHash, AuditLog, Audited, ClientId, StoreError};
use rusqlite::Connection;

use crate::SqliteStore;
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::corrupt;
use crate::writer::Extent;

use chain::{Head, Tail};
use keys::{Keys, RowHash};

pub use verify::{AuditAnchor, AuditFault, VerifiedChain};

impl AuditLog for SqliteStore {
    fn append(&self, entries: &[(Option<ClientId>, AuditEntry)]) -> Result<(), StoreError> {
        let (audit, entries) = (self.audit().clone(), entries.to_vec());
        self.writer().change(Extent::Several, move |connection| {
            entries.iter().try_for_each(|(chain, entry)| audit.append(connection, *chain, entry))
        })
    }

    fn audited(
        &self,
        chain: Option<ClientId>,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Audited>, StoreError> {
        let rows = self.readers().read_now(|connection| {
            chain::rows(connection, chain, after, limit).map_err(unavailable)
        })?;
        let read = |row: chain::Row| {
            let entry = row.entry(chain).map_err(|damage| corrupt("audit", &row.position, damage));
            Ok(Audited { position: row.position, entry: entry? })
        };
        rows.into_iter().map(read).collect()
    }

    fn audit_hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        self.audit().0.value(chain, value)
    }
}

/// What is needed to append to the chains. Cheap to clone into a change.
#[derive(Clone)]
pub(crate) struct Audit(Arc<Keys>);

impl Audit {
    pub(crate) fn new(pepper: &Pepper) -> Self {
        Self(Arc::new(Keys::new(pepper)))
    }

    pub(crate) fn hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        self.0.value(chain, value)
    }

    fn row_hash(&self, previous: &RowHash, record: &[u8]) -> RowHash {
        self.0.row(previous, record)
    }

    fn is_signed(&self, head: &Head, chain: Option<ClientId>) -> bool {
        head.is_signed(&self.0, chain)
    }

    /// Appends a row within a change of [several statements](Extent::Several), which is undone as a
    /// whole if this fails.
    pub(crate) fn append(
        &self,
        connection: &Connection,
        chain: Option<ClientId>,
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        Tail::read(connection, &self.0, chain)?.append(std::slice::from_ref(entry))
    }

    /// Makes a change of one statement and appends the rows that belong to it, without the cost of
    /// a savepoint: what could fail is looked at before, and should the rest fail, the whole
    /// transaction is undone, as upon a full disk.
    pub(crate) fn record<T, E: From<StoreError>>(
        &self,
        connection: &Connection,
        chain: ClientId,
        entries: &[AuditEntry],
        change: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let tail = Tail::read(connection, &self.0, Some(chain))?;
        let changed = change()?;
        let mut undo = Undo { connection, is_needed: true };
        tail.append(entries)?;
        undo.is_needed = false;
        Ok(changed)
    }
}

/// Undoes the transaction unless everything went well, also after a panic.
struct Undo<'c> {
    connection: &'c Connection,
    is_needed: bool,
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        if self.is_needed && !self.connection.is_autocommit() {
            // If it fails, so does the commit.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}

#[cfg(test)]
mod tests;
