use std::sync::Arc;
use std::time::Duration;

use kyc_core::{
    AccountName, AuditActor, AuditEntry, AuditEvent, Client, ClientId, ClientPrefix, Directory,
    Inspector, StoreError, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, Params, params};

use super::rows;
use crate::credentials::{Credential, CredentialId, KeyRecord, Kind};
use crate::error::unavailable;
use crate::folder::fill_random;
use crate::submissions::is_unique_violation;
use crate::writer::Extent;
use crate::{AdminError, SqliteStore};

/// Administration. Every change takes effect at once here, and within a second in other processes
/// that have the data folder open. When a method fails, nothing has changed.
impl SqliteStore {
    /// Adds a client.
    ///
    /// # Errors
    ///
    /// [`AdminError::NameTaken`].
    pub fn add_client(&self, name: &AccountName, at: Timestamp) -> Result<Arc<Client>, AdminError> {
        self.add(name, at, false)
    }

    /// Adds a sandbox: a client with a clock of its own, which shows everybody's time until it is
    /// [advanced](Self::advance_sandbox) (D108). A client is a sandbox from the beginning and for
    /// ever, or never.
    ///
    /// # Errors
    ///
    /// [`AdminError::NameTaken`].
    pub fn add_sandbox(
        &self,
        name: &AccountName,
        at: Timestamp,
    ) -> Result<Arc<Client>, AdminError> {
        self.add(name, at, true)
    }

    /// Advances the clock of a sandbox at everybody's time `at`, never back, and says how far it is
    /// ahead from now on.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSandbox`].
    pub fn advance_sandbox(
        &self,
        client: ClientId,
        by: Duration,
        at: Timestamp,
    ) -> Result<Duration, AdminError> {
        let audit = self.audit().clone();
        let by_ms = i64::try_from(by.as_millis()).unwrap_or(i64::MAX).min(SANDBOX_AHEAD_MAX_MS);
        self.change_directory(move |connection| {
            let columns = params![by_ms, SANDBOX_AHEAD_MAX_MS, client.get()];
            let ahead_ms = connection.query_row(ADVANCE_SANDBOX, columns, |row| row.get(0));
            let ahead_ms: Option<i64> = ahead_ms.optional().map_err(unavailable)?;
            let ahead_ms = ahead_ms.ok_or(AdminError::NoSandbox)?.unsigned_abs();
            let set = AuditEvent::SandboxClockSet { ahead_ms };
            audit.append(connection, Some(client), &by_operator(at, set))?;
            Ok(Duration::from_millis(ahead_ms))
        })
    }

    fn add(
        &self,
        name: &AccountName,
        at: Timestamp,
        is_sandbox: bool,
    ) -> Result<Arc<Client>, AdminError> {
        let mut random = [0; 16];
        fill_random(&mut random).map_err(unavailable)?;
        let (name, prefix) = (name.clone(), ClientPrefix::from_random(random));
        let audit = self.audit().clone();
        self.change_directory(move |connection| {
            let number = query(connection, "SELECT coalesce(max(number), 0) + 1 FROM client", [])?;
            let id = number.and_then(ClientId::new).ok_or(AdminError::TooManyClients)?;
            let at_ms = at.unix_millis();
            let ahead_ms = is_sandbox.then_some(0);
            let columns = params![id.get(), name.as_str(), prefix.as_str(), at_ms, ahead_ms];
            execute(connection, INSERT_CLIENT, columns)?;
            audit.append(connection, Some(id), &by_operator(at, AuditEvent::ClientAdded))?;
            if is_sandbox {
                let begun = AuditEvent::SandboxClockSet { ahead_ms: 0 };
                audit.append(connection, Some(id), &by_operator(at, begun))?;
            }
            Ok(Arc::new(Client { id, name, prefix }))
        })
    }

    /// The client of that name.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn client_named(&self, name: &AccountName) -> Result<Option<Arc<Client>>, StoreError> {
        let snapshot = self.directory().snapshot(self.readers())?;
        Ok(snapshot.clients.iter().find(|client| client.name == *name).cloned())
    }

    /// Makes an API key for a client. Its text is known only now: the store keeps a keyed hash.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSuchClient`].
    pub fn create_key(&self, client: ClientId, at: Timestamp) -> Result<Credential, AdminError> {
        let kind = if self.sandbox_ahead(client)?.is_some() { Kind::TestKey } else { Kind::Key };
        let key = Credential::random(kind).map_err(unavailable)?;
        let (id, hash) = (key.id(), self.pepper().credential(key.as_str()));
        let audit = self.audit().clone();
        self.change_directory(move |connection| {
            check_client(connection, client)?;
            let columns = params![id.as_str(), client.get(), hash, at.unix_millis()];
            execute(connection, INSERT_KEY, columns)?;
            let created = AuditEvent::KeyCreated { key: id.as_str().into() };
            Ok(audit.append(connection, Some(client), &by_operator(at, created))?)
        })?;
        Ok(key)
    }

    /// Every API key, revoked ones too, ordered by client and creation.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        let keys = self.readers().read_now(rows::keys)?;
        Ok(keys.into_iter().map(|(key, _)| key).collect())
    }

    /// Revokes an API key. One that is revoked already keeps its time.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSuchKey`].
    pub fn revoke_key(&self, id: CredentialId, at: Timestamp) -> Result<(), AdminError> {
        let audit = self.audit().clone();
        self.change_directory(move |connection| {
            let owner = query(connection, OWNER, [id.as_str()])?.ok_or(AdminError::NoSuchKey)?;
            if execute(connection, REVOKE_KEY, params![at.unix_millis(), id.as_str()])? > 0 {
                let revoked = AuditEvent::KeyRevoked { key: id.as_str().into() };
                let chain = ClientId::new(owner);
                audit.append(connection, chain, &by_operator(at, revoked))?;
            }
            Ok(())
        })
    }

    /// Adds an inspector, who sees the given clients, or all (D53). The token's text is known only
    /// now: the store keeps a keyed hash.
    ///
    /// # Errors
    ///
    /// [`AdminError::NameTaken`], [`AdminError::NoSuchClient`].
    pub fn add_inspector(
        &self,
        name: &AccountName,
        clients: Option<&[ClientId]>,
        at: Timestamp,
    ) -> Result<Credential, AdminError> {
        let token = Credential::random(Kind::Token).map_err(unavailable)?;
        let (id, hash) = (token.id(), self.pepper().credential(token.as_str()));
        let (name, clients) = (name.clone(), clients.map(<[ClientId]>::to_vec));
        let audit = self.audit().clone();
        self.change_directory(move |connection| {
            let sees_all = clients.is_none();
            let columns = params![name.as_str(), id.as_str(), hash, sees_all, at.unix_millis()];
            execute(connection, INSERT_INSPECTOR, columns)?;
            for client in clients.iter().flatten() {
                check_client(connection, *client)?;
                execute(connection, BIND_INSPECTOR, params![name.as_str(), client.get()])?;
            }
            let added = AuditEvent::InspectorAdded { name, clients, token: id.as_str().into() };
            Ok(audit.append(connection, None, &by_operator(at, added))?)
        })?;
        Ok(token)
    }

    /// Every inspector, ordered by name.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn inspectors(&self) -> Result<Vec<Arc<Inspector>>, StoreError> {
        let inspectors = self.readers().read_now(rows::inspectors)?;
        Ok(inspectors.into_iter().map(|(_, _, inspector)| Arc::new(inspector)).collect())
    }

    /// Removes an inspector, whose token stops working. What the inspector did stays in the
    /// histories of submissions.
    ///
    /// # Errors
    ///
    /// [`AdminError::NoSuchInspector`].
    pub fn remove_inspector(&self, name: &AccountName, at: Timestamp) -> Result<(), AdminError> {
        let (name, audit) = (name.clone(), self.audit().clone());
        self.change_directory(move |connection| {
            if execute(connection, REMOVE_INSPECTOR, [name.as_str()])? == 0 {
                return Err(AdminError::NoSuchInspector);
            }
            let removed = AuditEvent::InspectorRemoved { name };
            Ok(audit.append(connection, None, &by_operator(at, removed))?)
        })
    }

    fn change_directory<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, AdminError> + Send + 'static,
    ) -> Result<T, AdminError> {
        let changed = self.writer().change(Extent::Several, |connection| {
            let changed = change(connection)?;
            execute(connection, NEXT_REVISION, [])?;
            Ok(changed)
        });
        // Also after a failure: whether the change took place may be unknown then.
        self.directory().expire();
        changed
    }
}

/// Whoever administers may use the data folder, and has no other name.
pub(crate) fn by_operator(at: Timestamp, event: AuditEvent) -> AuditEntry {
    AuditEntry { at, by: AuditActor::Operator, event, about: None }
}

pub(crate) fn check_client(connection: &Connection, client: ClientId) -> Result<(), AdminError> {
    let known = query(connection, "SELECT number FROM client WHERE number = ?1", [client.get()])?;
    known.map(|_| ()).ok_or(AdminError::NoSuchClient)
}

fn query(
    connection: &Connection,
    sql: &str,
    columns: impl Params,
) -> Result<Option<u32>, StoreError> {
    connection.query_row(sql, columns, |row| row.get(0)).optional().map_err(unavailable)
}

/// Says how many rows were changed.
fn execute(connection: &Connection, sql: &str, columns: impl Params) -> Result<usize, AdminError> {
    connection.execute(sql, columns).map_err(|error| {
        if is_unique_violation(&error) { AdminError::NameTaken } else { unavailable(error).into() }
    })
}

const INSERT_CLIENT: &str = "
    INSERT INTO client (number, name, prefix, created_ms, sandbox_ms)
    VALUES (:number, :name, :prefix, :created_ms, :sandbox_ms)";

const ADVANCE_SANDBOX: &str = "
    UPDATE client SET sandbox_ms = min(sandbox_ms + :by_ms, :max_ms)
    WHERE number = :number AND sandbox_ms IS NOT NULL
    RETURNING sandbox_ms";

/// A thousand years.
const SANDBOX_AHEAD_MAX_MS: i64 = 1_000 * 366 * 24 * 60 * 60 * 1_000;

const INSERT_KEY: &str = "
    INSERT INTO api_key (id, client, hash, created_ms) VALUES (:id, :client, :hash, :created_ms)";

const REVOKE_KEY: &str = "
    UPDATE api_key SET revoked_ms = :revoked_ms WHERE id = :id AND revoked_ms IS NULL";

const OWNER: &str = "
    SELECT client FROM api_key WHERE id = :id";

const INSERT_INSPECTOR: &str = "
    INSERT INTO inspector (name, id, hash, sees_all, created_ms)
    VALUES (:name, :id, :hash, :sees_all, :created_ms)";

const BIND_INSPECTOR: &str = "
    INSERT INTO inspector_client (inspector, client) VALUES (:inspector, :client)
    ON CONFLICT DO NOTHING";

const REMOVE_INSPECTOR: &str = "
    DELETE FROM inspector WHERE name = :name";

const NEXT_REVISION: &str = "
    UPDATE state SET value = value + 1 WHERE name = 'directory'";
