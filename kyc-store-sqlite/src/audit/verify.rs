use std::collections::BTreeSet;
use std::fmt;

use kyc_core::{AuditEvent, ClientId, StoreError};

use super::chain::{self, Head, NOTHING, Row};
use super::keys::RowHash;
use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::Damage;

/// The end of a chain at some moment, to be kept where nobody can change it together with the
/// database.
///
/// ```
/// use kyc_core::{Clock, SystemClock};
/// use kyc_store_sqlite::{Options, SqliteStore};
///
/// let folder = tempfile::tempdir()?;
/// let store = SqliteStore::open(folder.path(), Options::default())?;
/// store.add_client(&"acme".parse()?, SystemClock.now())?;
/// let anchors = store.audit_ends()?;
/// assert_eq!(anchors.len(), 2, "the service's and the client's");
/// assert!(store.verify_audit(&anchors)?.iter().all(|chain| chain.fault.is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditAnchor {
    /// Whose chain; `None`: the service's own.
    pub chain: Option<ClientId>,
    /// The position of its last row.
    pub position: u64,
    /// The hash of that row, which covers every row before it.
    pub hash: [u8; 32],
}

/// What verifying a chain came to.
///
/// ```
/// use kyc_store_sqlite::{Options, SqliteStore};
///
/// let folder = tempfile::tempdir()?;
/// let store = SqliteStore::open(folder.path(), Options::default())?;
/// let chains = store.verify_audit(&[])?;
/// assert_eq!(chains.len(), 1, "the service has one, even if nothing happened yet");
/// assert_eq!((chains[0].rows, chains[0].fault), (0, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedChain {
    /// Whose chain; `None`: the service's own.
    pub chain: Option<ClientId>,
    /// How many rows are as they were written: all, or those before the fault.
    pub rows: u64,
    /// The first thing that is not as it was written.
    pub fault: Option<AuditFault>,
}

/// The first thing in a chain that is not as it was written. What stands behind it may be damaged,
/// too.
///
/// ```
/// use kyc_store_sqlite::AuditFault;
///
/// assert_eq!(AuditFault::Missing { position: 7 }.to_string(), "row 7 is missing");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditFault {
    /// The chain is gone as a whole, or was and began anew.
    Gone,
    /// A row is missing before others.
    Missing {
        /// Where.
        position: u64,
    },
    /// A row is not the one that was written.
    Changed {
        /// Where.
        position: u64,
    },
    /// A row stands in the place of another one: rows were put into another order, or come from
    /// another chain.
    Moved {
        /// Where it stands.
        position: u64,
    },
    /// The last rows are missing.
    Truncated {
        /// The first missing row.
        position: u64,
    },
    /// What is kept of the end of the chain is missing, changed, or of an earlier time.
    EndChanged {
        /// The last row that is there.
        position: u64,
    },
    /// The chain is not the one that was anchored.
    OtherThanAnchored {
        /// Which row the anchor knows with another hash, or not at all.
        position: u64,
    },
}

impl fmt::Display for AuditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("the chain is missing as a whole, or was and began anew"),
            Self::Missing { position } => write!(f, "row {position} is missing"),
            Self::Changed { position } => write!(f, "row {position} was changed"),
            Self::Moved { position } => {
                write!(f, "row {position} is another row, put into its place")
            }
            Self::Truncated { position } => write!(f, "the rows from {position} on are missing"),
            Self::EndChanged { position } => {
                write!(f, "the record of its end, at row {position}, was changed")
            }
            Self::OtherThanAnchored { position } => {
                write!(f, "row {position} is not the one that was anchored")
            }
        }
    }
}

impl SqliteStore {
    /// The end of every chain as it is now.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn audit_ends(&self) -> Result<Vec<AuditAnchor>, StoreError> {
        self.readers().read_now(|connection| {
            let ends = chain::heads(connection).map_err(unavailable)?;
            let anchor = |(chain, end): (_, Head)| AuditAnchor {
                chain,
                position: end.position,
                hash: end.hash,
            };
            Ok(ends.into_iter().map(anchor).collect())
        })
    }

    /// Checks every row of every chain, and that the chains are the anchored ones: the service's
    /// own first, then by client. Works beside a process that serves, and keeps no transaction open
    /// for longer than a thousand rows.
    ///
    /// Who can replace the whole database by an earlier copy of it, or wipes every trace of the
    /// audit and of what it tells, is found out by an anchor alone.
    ///
    /// # Errors
    ///
    /// Only when the storage fails. What was tampered with is no error but a
    /// [fault](VerifiedChain::fault).
    pub fn verify_audit(&self, anchors: &[AuditAnchor]) -> Result<Vec<VerifiedChain>, StoreError> {
        // Before the service's chain is read, which then speaks of each of them.
        let mut chains = self
            .readers()
            .read_now(|connection| chain::clients(connection).map_err(unavailable))?;
        let mut service = Walk::new(self, None, anchors);
        service.is_expected = !chains.is_empty() || self.has_audited_clients()?;
        let mut fault = service.verify()?;
        if fault.is_none() && !chains.is_subset(&service.begun) {
            // It began anew, since it does not know them.
            fault = Some(AuditFault::Gone);
        }
        let mut verified = vec![VerifiedChain { chain: None, rows: service.position, fault }];
        chains.extend(&service.begun);
        chains.extend(anchors.iter().filter_map(|anchor| anchor.chain));
        for client in chains {
            let chain = Some(client);
            let mut walk = Walk::new(self, chain, anchors);
            walk.is_expected = service.begun.contains(&client);
            let mut fault = walk.verify()?;
            if service.begun_anew.contains(&client) {
                fault = fault.or(Some(AuditFault::Gone));
            }
            verified.push(VerifiedChain { chain, rows: walk.position, fault });
        }
        Ok(verified)
    }

    /// Whether there are clients of whom the service's chain tells that they were added.
    fn has_audited_clients(&self) -> Result<bool, StoreError> {
        self.readers().read_now(|connection| {
            let mut statement = connection.prepare_cached(AUDITED_CLIENTS).map_err(unavailable)?;
            statement.query_row([], |row| row.get(0)).map_err(unavailable)
        })
    }
}

const AUDITED_CLIENTS: &str = "
    SELECT EXISTS (
        SELECT 1 FROM client
        WHERE number > coalesce((SELECT value FROM state WHERE name = 'clients_before_audit'), 0)
    )";

/// One chain, as far as it was checked.
struct Walk<'a> {
    store: &'a SqliteStore,
    chain: Option<ClientId>,
    anchors: &'a [AuditAnchor],
    /// Whether the chain has to be there.
    is_expected: bool,
    position: u64,
    hash: RowHash,
    /// The clients whose chains began, as the service's own chain says.
    begun: BTreeSet<ClientId>,
    /// Those of them whose chains began twice: the first one is gone.
    begun_anew: BTreeSet<ClientId>,
}

impl<'a> Walk<'a> {
    fn new(store: &'a SqliteStore, chain: Option<ClientId>, anchors: &'a [AuditAnchor]) -> Self {
        Self {
            store,
            chain,
            anchors,
            is_expected: false,
            position: 0,
            hash: NOTHING,
            begun: BTreeSet::new(),
            begun_anew: BTreeSet::new(),
        }
    }

    /// Goes to the end of the chain, or to the first fault.
    fn verify(&mut self) -> Result<Option<AuditFault>, StoreError> {
        loop {
            // The end and the rows before it are of one moment; more may come behind it.
            let (end, rows) = self.store.readers().read_now(|connection| {
                let end = chain::head(connection, self.chain).map_err(unavailable)?;
                let rows = chain::rows(connection, self.chain, self.position, PAGE);
                Ok((end, rows.map_err(unavailable)?))
            })?;
            if let Some(fault) = rows.iter().find_map(|row| self.step(row)) {
                return Ok(Some(fault));
            }
            if rows.len() < PAGE {
                return Ok(self.end(end.as_ref()));
            }
        }
    }

    fn step(&mut self, row: &Row) -> Option<AuditFault> {
        let position = self.position + 1;
        if row.position != position {
            return Some(AuditFault::Missing { position });
        }
        let entry = match row.entry(self.chain) {
            Ok(entry) => entry,
            Err(Damage::OtherRow) => return Some(AuditFault::Moved { position }),
            Err(_) => return Some(AuditFault::Changed { position }),
        };
        if self.store.audit().row_hash(&self.hash, &row.record) != row.hash {
            return Some(AuditFault::Changed { position });
        }
        if self.anchored().any(|anchor| anchor.position == position && anchor.hash != row.hash) {
            return Some(AuditFault::OtherThanAnchored { position });
        }
        if let AuditEvent::ChainBegun(client) = entry.event
            && !self.begun.insert(client)
        {
            self.begun_anew.insert(client);
        }
        (self.position, self.hash) = (position, row.hash);
        None
    }

    fn end(&self, end: Option<&Head>) -> Option<AuditFault> {
        let (position, next) = (self.position, self.position + 1);
        match end {
            None if position > 0 => return Some(AuditFault::EndChanged { position }),
            None if self.is_expected => return Some(AuditFault::Gone),
            Some(end) if !self.store.audit().is_signed(end, self.chain) => {
                return Some(AuditFault::EndChanged { position });
            }
            Some(end) if end.position > position => {
                return Some(AuditFault::Truncated { position: next });
            }
            Some(end) if end.position < position || end.hash != self.hash => {
                return Some(AuditFault::EndChanged { position });
            }
            None | Some(_) => {}
        }
        let is_behind = self.anchored().any(|anchor| anchor.position > position);
        is_behind.then_some(AuditFault::Truncated { position: next })
    }

    fn anchored(&self) -> impl Iterator<Item = &'a AuditAnchor> {
        let chain = self.chain;
        self.anchors.iter().filter(move |anchor| anchor.chain == chain)
    }
}

/// How many rows are read in one transaction.
const PAGE: usize = 1_000;
