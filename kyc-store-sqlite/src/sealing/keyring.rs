use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use kyc_core::StoreError;
use kyc_vault::{DoesNotOpen, MasterKey, OpeningKey, SealingKey, Source, SourceError, USES_MAX};
use rusqlite::{Connection, OptionalExtension};

use super::Closed;
use super::keys::{self, StoredKey};
use crate::error::unavailable;
use crate::writer::{Extent, Writer};

/// The open keys of a store.
///
/// Clients' keys are kept once they were unwrapped, so that a read unwraps a data key and no more. What
/// other processes change is noticed at the start of the next transaction that writes, and by a
/// reader where a row names a version that is unknown.
pub(crate) struct Keyring {
    source: Source,
    /// The current one, and at most one before it.
    masters: Mutex<Vec<MasterKey>>,
    known: RwLock<Known>,
    /// Held by the thread that reserves uses.
    preparing: Mutex<()>,
    /// Whether rows in clear may be met: those from before there was a vault.
    clear: AtomicBool,
}

#[derive(Default)]
struct Known {
    /// As of which change of the table of keys.
    revision: i64,
    /// By client.
    active: HashMap<u32, Arc<SealingKey>>,
    /// By client and version.
    opening: HashMap<(u32, u32), Arc<OpeningKey>>,
}

/// Uses of a client's key that are written down and can be allowed once that is committed.
pub(crate) struct Reserved {
    key: OpeningKey,
    uses: u32,
    revision: i64,
}

impl Keyring {
    pub(super) fn new(source: Source, master: MasterKey, may_be_clear: bool) -> Self {
        Self {
            source,
            masters: Mutex::new(vec![master]),
            known: RwLock::default(),
            preparing: Mutex::default(),
            clear: AtomicBool::new(may_be_clear),
        }
    }

    /// The client's key, which may seal once more. Outside of the writer's thread: now and then it
    /// waits for a commit, which makes the key or reserves uses.
    pub(super) fn ready_key(
        self: &Arc<Self>,
        writer: &Writer,
        client: u32,
    ) -> Result<Arc<SealingKey>, StoreError> {
        if let Some(client_key) = self.ready(client) {
            return Ok(client_key);
        }
        // One thread does it; the others find it done.
        let _one = self.preparing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client_key) = self.ready(client) {
            return Ok(client_key);
        }
        let ring = Arc::clone(self);
        let reserved =
            writer.change(Extent::Several, move |connection| ring.reserve(connection, client))?;
        Ok(self.keep(reserved))
    }

    /// The client's key, if it may seal once more.
    fn ready(&self, client: u32) -> Option<Arc<SealingKey>> {
        let known = self.known();
        let key = known.active.get(&client)?;
        (key.uses_left() > SPARE_USES).then(|| Arc::clone(key))
    }

    pub(super) fn is_active(&self, client: u32, version: u32) -> bool {
        let known = self.known();
        known.active.get(&client).is_some_and(|key| key.opening().version() == version)
    }

    /// The client's key, within a transaction of the writer.
    pub(super) fn within(
        &self,
        connection: &Connection,
        client: u32,
    ) -> Result<Arc<SealingKey>, StoreError> {
        let key = self.known().active.get(&client).map(Arc::clone);
        if let Some(key) = key.filter(|key| key.uses_left() > 0) {
            return Ok(key);
        }
        // Not kept: the transaction may come to nothing.
        self.reserve(connection, client).map(|reserved| Arc::new(reserved.allowed()))
    }

    /// Writes down uses of the client's key. Makes the key if there is none, and a new version when
    /// the uses of the old one are up (T25).
    fn reserve(&self, connection: &Connection, client: u32) -> Result<Reserved, StoreError> {
        let stored = keys::active(connection, client)?;
        if let Some(stored) = &stored {
            let uses = if stored.uses == 0 { USES_FIRST } else { USES_BLOCK };
            if stored.uses + uses <= USES_MAX {
                keys::set_uses(connection, stored, stored.uses + uses)?;
                let key = self.unwrap(connection, stored);
                let key = key.map_err(|closed| closed.of("client_key", &client))?;
                let revision = keys::revision(connection).map_err(unavailable)?;
                return Ok(Reserved { key, uses, revision });
            }
        }
        self.replace(connection, client)
    }

    /// Makes the client's next version, which takes the place of the active one.
    pub(super) fn replace(
        &self,
        connection: &Connection,
        client: u32,
    ) -> Result<Reserved, StoreError> {
        let version = keys::newest(connection, client)? + 1;
        if version > 1 {
            keys::retire(connection, client)?;
            keys::next_revision(connection)?;
        }
        let (key, wrapped) = self.with_master(connection, |master| {
            SealingKey::random(client, version, master).map_err(unavailable)
        })?;
        keys::insert_active(connection, client, version, &wrapped, USES_FIRST)?;
        let revision = keys::revision(connection).map_err(unavailable)?;
        Ok(Reserved { key: key.into_opening(), uses: USES_FIRST, revision })
    }

    /// Keeps a key whose reserved uses are committed.
    fn keep(&self, reserved: Reserved) -> Arc<SealingKey> {
        let (client, version) = (reserved.key.client(), reserved.key.version());
        let mut known = self.known_to_change();
        if known.revision != reserved.revision {
            // It may have been replaced since. What it seals is settled when it is written.
            return Arc::new(reserved.allowed());
        }
        match known.active.get(&client) {
            Some(known) if known.opening().version() == version => {
                known.allow(reserved.uses);
                Arc::clone(known)
            }
            _ => {
                let key = Arc::new(reserved.allowed());
                known.active.insert(client, Arc::clone(&key));
                key
            }
        }
    }

    /// A version of a client's key to open with.
    pub(super) fn opening(
        &self,
        connection: &Connection,
        client: u32,
        version: u32,
    ) -> Result<Arc<OpeningKey>, Closed> {
        if let Some(key) = self.known().opening.get(&(client, version)) {
            return Ok(Arc::clone(key));
        }
        let stored = keys::of_version(connection, client, version)?.ok_or(DoesNotOpen)?;
        let key = Arc::new(self.unwrap(connection, &stored)?);
        self.known_to_change().opening.insert((client, version), Arc::clone(&key));
        Ok(key)
    }

    /// Forgets what was replaced or destroyed since the last time.
    pub(super) fn refresh(&self, connection: &Connection) -> rusqlite::Result<()> {
        let revision = keys::revision(connection)?;
        if self.known().revision == revision {
            return Ok(());
        }
        // Met while it is there: once the next one replaces it, readers of the moment before need it
        // still. A fault comes up again where the key is needed.
        let _ = self.with_master::<_, StoreError>(connection, |_| Ok(()));
        let is_active = keys::versions(connection)?;
        let mut known = self.known_to_change();
        known.active.retain(|client, key| {
            is_active.get(&(*client, key.opening().version())) == Some(&true)
        });
        known.opening.retain(|version, _| is_active.contains_key(version));
        known.revision = revision;
        Ok(())
    }

    /// Whether rows in clear may be met. Once there are none, there never will be.
    pub(super) fn may_be_clear(&self, connection: &Connection) -> Result<bool, StoreError> {
        if !self.clear.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let mut statement = connection.prepare_cached(CLEAR).map_err(unavailable)?;
        let clear: Option<i64> =
            statement.query_row([], |row| row.get(0)).optional().map_err(unavailable)?;
        let may_be = clear == Some(1);
        self.clear.store(may_be, Ordering::Relaxed);
        Ok(may_be)
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// Uses the master key that the database names, which another process may have changed. The one
    /// before is kept for readers who still see the moment before.
    pub(super) fn with_master<T, E: From<StoreError>>(
        &self,
        connection: &Connection,
        work: impl FnOnce(&MasterKey) -> Result<T, E>,
    ) -> Result<T, E> {
        let fingerprint = keys::master(connection).map_err(unavailable)?;
        let fingerprint = fingerprint.ok_or_else(|| unavailable(SourceError::Missing))?;
        let mut masters = self.masters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = masters.iter().find(|known| known.fingerprint() == fingerprint) {
            return work(known);
        }
        let master = self.source.find(&fingerprint).map_err(unavailable)?;
        let outcome = work(&master);
        masters.insert(0, master);
        masters.truncate(2);
        outcome
    }

    fn unwrap(&self, connection: &Connection, stored: &StoredKey) -> Result<OpeningKey, Closed> {
        self.with_master(connection, |master| {
            Ok(master.unwrap(stored.client, stored.version, &stored.wrapped)?)
        })
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_to_change(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reserved {
    pub(super) fn version(&self) -> u32 {
        self.key.version()
    }

    fn allowed(self) -> SealingKey {
        let key = SealingKey::new(self.key);
        key.allow(self.uses);
        key
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").field("source", &self.source).finish_non_exhaustive()
    }
}

pub(crate) const CLEAR: &str = "
    SELECT value FROM state WHERE name = 'clear'";

/// How many uses are written down at once: so many are lost to the count when a process ends.
const USES_BLOCK: u32 = 1 << 14;

/// As many the first time, since many commands use a key once.
const USES_FIRST: u32 = 1 << 8;

/// Left for what is written within a transaction, where nobody can wait for another one.
const SPARE_USES: u64 = 1 << 6;
