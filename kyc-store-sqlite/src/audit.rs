//! The audit: the port, and what every change appends to it (D95–D97).

mod chain;
mod keys;
mod verify;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kyc_core::{AuditEntry, AuditHash, AuditLog, Audited, ClientId, StoreError};
use rusqlite::Connection;

use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::corrupt;
use crate::writer::Extent;
use crate::{Options, SqliteStore};

use chain::{Chains, Ends, Head};
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
        self.readers().read_now(|connection| audited(connection, chain, after, limit))
    }

    fn audit_hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        self.audit().hash(chain, value)
    }
}

impl SqliteStore {
    /// As [`AuditLog::audited`], also of a chain that is damaged: each position, with what it says
    /// where that can be read. What was changed is told by [`verify_audit`](Self::verify_audit)
    /// alone.
    ///
    /// ```
    /// use kyc_core::{Clock, SystemClock};
    /// use kyc_store_sqlite::{Options, SqliteStore};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let store = SqliteStore::open(folder.path(), Options::default())?;
    /// let acme = store.add_client(&"acme".parse()?, SystemClock.now())?;
    /// let rows = store.audited_as_it_stands(Some(acme.id), 0, 10)?;
    /// assert!(matches!(rows.as_slice(), [(1, Some(_))]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn audited_as_it_stands(
        &self,
        chain: Option<ClientId>,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, Option<AuditEntry>)>, StoreError> {
        let rows = self.readers().read_now(|connection| {
            chain::rows(connection, chain, after, limit).map_err(unavailable)
        })?;
        Ok(rows.into_iter().map(|row| (row.position, row.entry(chain).ok())).collect())
    }
}

/// The rows of a chain behind a position.
pub(crate) fn audited(
    connection: &Connection,
    chain: Option<ClientId>,
    after: u64,
    limit: usize,
) -> Result<Vec<Audited>, StoreError> {
    let rows = chain::rows(connection, chain, after, limit).map_err(unavailable)?;
    let read = |row: chain::Row| {
        let entry = row.entry(chain).map_err(|damage| corrupt("audit", &row.position, damage));
        Ok(Audited { position: row.position, entry: entry? })
    };
    rows.into_iter().map(read).collect()
}

/// What is needed to append to the chains. Cheap to clone into a change.
///
/// Within a transaction of the writer the ends of the chains are kept here, and written once before
/// the commit: a group of changes appends many rows to few chains.
#[derive(Clone)]
pub(crate) struct Audit {
    keys: Arc<Keys>,
    ends: Arc<Mutex<Ends>>,
    #[cfg(feature = "measure")]
    is_left_out: bool,
}

impl Audit {
    #[cfg_attr(not(feature = "measure"), expect(unused_variables, reason = "for measuring"))]
    pub(crate) fn new(pepper: &Pepper, options: &Options) -> Self {
        Self {
            keys: Arc::new(Keys::new(pepper)),
            ends: Arc::default(),
            #[cfg(feature = "measure")]
            is_left_out: options.is_audit_left_out,
        }
    }

    pub(crate) fn hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        self.keys.value(chain, value)
    }

    fn row_hash(&self, previous: &RowHash, record: &[u8]) -> RowHash {
        self.keys.row(previous, record)
    }

    fn is_signed(&self, head: &Head, chain: Option<ClientId>) -> bool {
        head.is_signed(&self.keys, chain)
    }

    /// Appends a row within a change of [several statements](Extent::Several), which is undone as a
    /// whole if this fails.
    pub(crate) fn append(
        &self,
        connection: &Connection,
        chain: Option<ClientId>,
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        let mut ends = self.ends();
        let mut chains = Chains { connection, keys: &self.keys, ends: &mut ends };
        let end = chains.end(chain)?;
        chains.append(chain, end, std::slice::from_ref(entry))
    }

    /// Makes a change of one statement and appends the rows that belong to it, without the cost of
    /// a savepoint: what could fail is looked at before, and should the rest fail, the whole
    /// transaction is undone, as upon a full disk. `change` appends nothing itself.
    pub(crate) fn record<T, E: From<StoreError>>(
        &self,
        connection: &Connection,
        chain: ClientId,
        entries: &[AuditEntry],
        change: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        #[cfg(feature = "measure")]
        if self.is_left_out {
            return change();
        }
        let chain = Some(chain);
        let mut ends = self.ends();
        let mut chains = Chains { connection, keys: &self.keys, ends: &mut ends };
        let end = chains.end(chain)?;
        let changed = change()?;
        let mut undo = Undo { connection, is_needed: true };
        chains.append(chain, end, entries)?;
        undo.is_needed = false;
        Ok(changed)
    }

    /// Writes the ends of the chains that were appended to. The writer calls it before each commit.
    pub(crate) fn settle(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.ends().drain().try_for_each(|(chain, end)| end.keep(connection, &self.keys, chain))
    }

    /// Where the chains end now, for [`back_to`](Self::back_to).
    pub(crate) fn mark(&self) -> Ends {
        self.ends().clone()
    }

    /// Takes back what was appended since the mark, and was undone in the database.
    pub(crate) fn back_to(&self, mark: Ends) {
        *self.ends() = mark;
    }

    /// Forgets ends of chains that were undone, or that others may have moved.
    pub(crate) fn forget(&self) {
        self.ends().clear();
    }

    /// Also after a panic: the transaction of it is undone, and its ends are forgotten.
    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
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
