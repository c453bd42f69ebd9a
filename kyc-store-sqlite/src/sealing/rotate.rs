//! Replacing keys while the store is in use (D92).
//!
//! A client's key: the next version is made and becomes the active one, in one transaction. From then
//! on no row comes in under the one before, since every transaction that writes
//! [settles](super::Sealing::settle) its keys first. Then the data keys are wrapped anew, in
//! portions, and when a pass over all of them finds none left, the old version is destroyed. Killed on
//! the way, the next call goes on: it finds a version that was replaced and not destroyed.
//!
//! The master key: the next one is written down and read back, then one transaction wraps every
//! client's key with it, opens them with it and names it, then it takes the place of the one before
//! (D117).

use kyc_core::{AuditEvent, ClientId, RotatedKey, StoreError, Timestamp};
use kyc_vault::{DoesNotOpen, MasterKey, SourceError, WrappedDataKey};
use rusqlite::{Connection, params};

use super::keys::{self, execute};
use super::unlock::{self, keep};
use super::{Closed, ENVELOPES, Keyed, Keyring, keyed, place};
use crate::directory::by_operator;
use crate::error::unavailable;
use crate::writer::Extent;
use crate::{AdminError, SqliteStore};

/// How far a rotation is.
///
/// ```
/// use kyc_store_sqlite::RotationProgress;
///
/// let progress = RotationProgress::default();
/// assert_eq!((progress.looked_at, progress.wrapped), (0, 0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RotationProgress {
    /// How many data keys were looked at, in all passes.
    pub looked_at: u64,
    /// How many of them were wrapped anew.
    pub wrapped: u64,
}

impl SqliteStore {
    /// Replaces a client's key, beside whoever serves the folder, and destroys the one before. Goes
    /// on with a rotation that was cut short. Answers with the version that is active now.
    ///
    /// `progress` hears now and then how far it is. Copies of the database from before keep the old
    /// key, wrapped by the master key of then.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoVault`], [`AdminError::NoSuchClient`]. When the storage fails, everything
    /// can be read as before, and calling again goes on.
    pub fn rotate_client_key(
        &self,
        client: ClientId,
        at: Timestamp,
        progress: &mut dyn FnMut(RotationProgress),
    ) -> Result<u32, AdminError> {
        let keyring = self.sealing().keyring().ok_or(AdminError::NoVault)?;
        let (ring, audit) = (keyring.clone(), self.audit().clone());
        let version = self.writer().change(Extent::Several, move |connection| {
            crate::directory::check_client(connection, client)?;
            if let Some(active) = keys::active(connection, client.get())?
                && keys::is_replacing(connection, client.get())?
            {
                return Ok(active.version);
            }
            let version = ring.replace(connection, client.get())?.version();
            let event = AuditEvent::KeyRotated { key: RotatedKey::Client, version };
            audit.append(connection, Some(client), &by_operator(at, event))?;
            Ok::<_, AdminError>(version)
        })?;
        let so_far = RotationProgress::default();
        let mut walk = Walk { store: self, keyring, client, version, progress, so_far };
        while walk.pass()? > 0 {}
        self.writer().change(Extent::Several, move |connection| {
            still_active(connection, client, version)?;
            execute(connection, DESTROY, [client.get()])?;
            keys::next_revision(connection)
        })?;
        Ok(version)
    }

    /// Replaces the master key, beside whoever serves the folder. Where keys are given as texts, the
    /// next one has to be given too, also to whoever serves.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoVault`], [`AdminError::MasterKey`]. Nothing has changed then, or with
    /// [`Waits`](SourceError::Waits) the next key is in use where it waits. Whatever happens, the next
    /// opening takes the key that fits.
    pub fn rotate_master_key(&self, at: Timestamp) -> Result<(), AdminError> {
        let keyring = self.sealing().keyring().ok_or(AdminError::NoVault)?;
        // Of two at once, the second would write its next key over that of the first.
        let _alone = self.folder().lock_setup().map_err(unavailable)?;
        // The key in use may still wait where the next one is going to.
        let in_use = self.readers().read_now(|reader| keys::master(reader).map_err(unavailable))?;
        if let Some(in_use) = in_use {
            keyring.source().keep(&in_use).map_err(AdminError::MasterKey)?;
        }
        let next = keyring.source().next().map_err(AdminError::MasterKey)?;
        let fingerprint = next.fingerprint();
        let (ring, audit) = (keyring.clone(), self.audit().clone());
        self.writer().change(Extent::Several, move |connection| {
            if keys::master(connection).map_err(unavailable)? == Some(fingerprint) {
                return Err(AdminError::MasterKey(SourceError::NextInUse));
            }
            ring.with_master(connection, |master| {
                for key in keys::all(connection)? {
                    let wrapped = master.rewrap(key.client, key.version, &key.wrapped, &next);
                    let wrapped = wrapped
                        .map_err(|damage| Closed::from(damage).of("client_key", &key.client))?;
                    let columns = params![wrapped.to_bytes(), key.client, key.version];
                    execute(connection, REWRAP, columns)?;
                }
                let secret = unlock::pepper_secret(connection, master)?;
                unlock::keep_pepper(connection, &next, &secret)
            })?;
            prove(connection, &next)?;
            keep(connection, "master", &fingerprint).map_err(unavailable)?;
            keys::next_revision(connection)?;
            let version = keys::next_master_version(connection)?;
            let event = AuditEvent::KeyRotated { key: RotatedKey::Master, version };
            Ok(audit.append(connection, None, &by_operator(at, event))?)
        })?;
        keyring.source().keep(&fingerprint).map_err(AdminError::MasterKey)
    }
}

/// Opens everything that a master key has wrapped, as it is stored.
fn prove(connection: &Connection, master: &MasterKey) -> Result<(), StoreError> {
    for key in keys::all(connection)? {
        let opened = master.unwrap(key.client, key.version, &key.wrapped);
        opened.map_err(|damage| Closed::from(damage).of("client_key", &key.client))?;
    }
    unlock::pepper_secret(connection, master).map(|_| ())
}

/// The walk over everything that a client's key has wrapped.
struct Walk<'s> {
    store: &'s SqliteStore,
    keyring: &'s std::sync::Arc<Keyring>,
    client: ClientId,
    /// What is to be wrapped with.
    version: u32,
    progress: &'s mut dyn FnMut(RotationProgress),
    so_far: RotationProgress,
}

/// One value of a column: the row, and what stands there.
type Value = (Vec<u8>, Vec<u8>);

impl Walk<'_> {
    /// Wraps anew what is not, and says how much that was.
    fn pass(&mut self) -> Result<u64, AdminError> {
        let before = self.so_far.wrapped;
        for keyed in KEYED.iter().chain(ENVELOPES) {
            let mut after = Vec::new();
            while let Some(last) = self.portion(keyed, &after)? {
                after = last;
                (self.progress)(self.so_far);
            }
        }
        Ok(self.so_far.wrapped - before)
    }

    /// Looks at the next rows, and says which one was the last.
    fn portion(&mut self, keyed: &Keyed, after: &[u8]) -> Result<Option<Vec<u8>>, AdminError> {
        let Self { store, client, version, .. } = *self;
        let (values, changes) = store.readers().read_now(|connection| {
            let values = values(connection, keyed, client, after)?;
            let change = |(row, old): &Value| -> Result<Option<Change>, StoreError> {
                let corrupt = |damage| Closed::of(damage, keyed.table, &"of a rotation");
                let new = self.wrapped_anew(connection, keyed, row, old).map_err(corrupt)?;
                Ok(new.map(|new| Change { row: row.clone(), old: old.clone(), new }))
            };
            let changes = values.iter().filter_map(|value| change(value).transpose());
            let changes = changes.collect::<Result<Vec<_>, _>>()?;
            Ok((values, changes))
        })?;
        self.so_far.looked_at += values.len() as u64;
        if !changes.is_empty() {
            let sql = keyed.update;
            self.so_far.wrapped += changes.len() as u64;
            store.writer().change(Extent::Several, move |connection| {
                still_active(connection, client, version)?;
                for Change { row, old, new } in &changes {
                    // A row that was written anew meanwhile is under the new version already.
                    execute(connection, sql, params![new, client.get(), row, old])?;
                }
                Ok::<_, StoreError>(())
            })?;
        }
        Ok(values.into_iter().next_back().map(|(row, _)| row))
    }

    /// The value with its key under the active version; `None` if it is.
    fn wrapped_anew(
        &self,
        connection: &Connection,
        keyed: &Keyed,
        row: &[u8],
        value: &[u8],
    ) -> Result<Option<Vec<u8>>, Closed> {
        let (wrapped, rest) = value.split_at_checked(WrappedDataKey::BYTES).ok_or(DoesNotOpen)?;
        let wrapped = WrappedDataKey::from_bytes(wrapped).ok_or(DoesNotOpen)?;
        if wrapped.version() == self.version {
            return Ok(None);
        }
        let place = place(self.client, keyed.table, row);
        let old = self.keyring.opening(connection, place.client, wrapped.version())?;
        let data_key = old.unwrap(place, &wrapped)?;
        let new = self.keyring.ready_key(self.store.writer(), place.client)?;
        let wrapped = new.wrap(place, &data_key).map_err(unavailable)?;
        Ok(Some([&wrapped.to_bytes(), rest].concat()))
    }
}

struct Change {
    row: Vec<u8>,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// Rows of a client, ordered, from the one behind `after` on.
fn values(
    connection: &Connection,
    keyed: &Keyed,
    client: ClientId,
    after: &[u8],
) -> Result<Vec<Value>, StoreError> {
    let mut statement = connection.prepare_cached(keyed.select).map_err(unavailable)?;
    let columns = params![client.get(), after, PORTION];
    let values = statement.query_map(columns, |row| row.try_into()).map_err(unavailable)?;
    values.collect::<Result<_, _>>().map_err(unavailable)
}

/// Ends a rotation that another one has overtaken.
fn still_active(connection: &Connection, client: ClientId, version: u32) -> Result<(), StoreError> {
    let active = keys::active(connection, client.get())?;
    let is_active = active.is_some_and(|active| active.version == version);
    if is_active { Ok(()) } else { Err(unavailable("another rotation goes on")) }
}

/// The columns that hold a wrapped key and nothing else.
const KEYED: &[Keyed] =
    &[keyed!("submission", "data_key", "id"), keyed!("document", "data_key", "id")];

/// So many rows are looked at before others may write.
const PORTION: u32 = 256;

const REWRAP: &str = "
    UPDATE client_key SET wrapped = :wrapped WHERE client = :client AND version = :version";

const DESTROY: &str = "
    UPDATE client_key SET state = 'destroyed', wrapped = NULL
    WHERE client = :client AND state = 'decrypt-only'";
