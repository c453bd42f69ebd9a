//! Clients, keys and inspectors, compared with what the audit tells of them (D128).

use std::collections::{BTreeMap, BTreeSet};

use kyc_core::{AuditEntry, AuditEvent, ClientId, StoreError};
use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::{Check, Tally};
use crate::SqliteStore;
use crate::audit::audited;
use crate::error::unavailable;

/// What the chain of a client tells of its rows in the directory.
#[derive(Default)]
pub(super) struct ToldOfClient {
    added_ms: Option<i64>,
    ahead_ms: Option<i64>,
    /// Since when there is a key, and since when it is revoked.
    keys: BTreeMap<Box<str>, (Option<i64>, Option<i64>)>,
}

impl ToldOfClient {
    /// Takes notice of a row of the client's chain.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others tell nothing of the directory")]
    pub(super) fn note(&mut self, entry: &AuditEntry) {
        let at_ms = entry.at.unix_millis();
        match &entry.event {
            AuditEvent::ClientAdded => self.added_ms = Some(at_ms),
            AuditEvent::SandboxClockSet { ahead_ms } => {
                self.ahead_ms = Some(i64::try_from(*ahead_ms).unwrap_or(i64::MAX));
            }
            AuditEvent::KeyCreated { key } => {
                self.keys.entry(key.clone()).or_default().0 = Some(at_ms);
            }
            AuditEvent::KeyRevoked { key } => {
                self.keys.entry(key.clone()).or_default().1 = Some(at_ms);
            }
            _ => {}
        }
    }

    /// Compares it with the rows that there are behind the last row of the chain.
    pub(super) fn compare(
        &self,
        reader: &Connection,
        client: ClientId,
        tally: &mut Tally<'_>,
    ) -> Result<(), StoreError> {
        let may_be_untold = client.get() <= clients_before_audit(reader)?;
        if may_be_untold && self.added_ms.is_some() {
            let what = "it does not count a client whose beginning the audit tells of";
            tally.fault(Check::Directory, "state", "clients_before_audit", what);
        }
        self.compare_client(reader, client, may_be_untold, tally)?;
        let stored = rows(reader, KEYS, [client.get()], |row| row.try_into())?;
        let mut stored: BTreeMap<String, (i64, Option<i64>)> =
            stored.into_iter().map(|(id, created, revoked)| (id, (created, revoked))).collect();
        for (id, (created_ms, revoked_ms)) in &self.keys {
            let what = match stored.remove(&**id) {
                None => "the audit says that it is this client's, and it is not",
                Some((created, _)) if created_ms.is_some_and(|told| told != created) => {
                    "it was not created when the audit says"
                }
                Some((_, revoked)) if revoked != *revoked_ms => {
                    "it is not revoked as the audit says"
                }
                Some(_) => continue,
            };
            tally.fault(Check::Directory, "api_key", id, what);
        }
        for id in stored.keys().filter(|_| !may_be_untold) {
            tally.fault(Check::Directory, "api_key", id, NOT_TOLD);
        }
        Ok(())
    }

    fn compare_client(
        &self,
        reader: &Connection,
        client: ClientId,
        may_be_untold: bool,
        tally: &mut Tally<'_>,
    ) -> Result<(), StoreError> {
        let mut statement = reader.prepare_cached(CLIENT).map_err(unavailable)?;
        let stored = statement.query_row([client.get()], |row| row.try_into()).optional();
        let stored: Option<(i64, Option<i64>)> = stored.map_err(unavailable)?;
        let what = match (stored, self.added_ms) {
            (None, Some(_)) => "the audit says that it was added, and it is not there",
            (Some(_), None) if !may_be_untold => NOT_TOLD,
            (Some((created, _)), Some(told)) if created != told => {
                "it was not added when the audit says"
            }
            (Some((_, ahead)), _) if ahead != self.ahead_ms => {
                "its clock is not set as the audit says"
            }
            _ => return Ok(()),
        };
        tally.fault(Check::Directory, "client", client.get(), what);
        Ok(())
    }
}

/// Compares the inspectors with what the service's chain tells of them. A chain that cannot be read
/// ends it: what is wrong with it is told elsewhere.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others tell of no inspector")]
pub(super) fn inspectors(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    let mut told = Inspectors::new();
    let mut after = 0;
    loop {
        let portion = store.readers().read_now(|reader| {
            let rows = audited(reader, None, after, super::audited::PAGE)?;
            // Behind the last row nobody was added, as of the same moment.
            let stored = if rows.is_empty() { Some(stored_inspectors(reader)?) } else { None };
            Ok((rows, stored))
        });
        let (rows, stored) = match portion {
            Err(StoreError::Corrupt { table: "audit", .. }) => return Ok(()),
            portion => portion?,
        };
        for row in rows {
            after = row.position;
            match row.entry.event {
                AuditEvent::InspectorAdded { name, clients, token } => {
                    let numbers = |clients: Vec<ClientId>| {
                        clients.into_iter().map(ClientId::get).collect::<BTreeSet<_>>()
                    };
                    let seen = clients.map(numbers);
                    let at_ms = row.entry.at.unix_millis();
                    told.insert(name.to_string(), (at_ms, token.into(), seen));
                }
                AuditEvent::InspectorRemoved { name } => {
                    told.remove(name.as_str());
                }
                _ => {}
            }
        }
        if let Some((stored, may_be_untold)) = stored {
            compare_inspectors(told, stored, may_be_untold, tally);
            return Ok(());
        }
    }
}

/// Since when they are there, the id of their token, and whom they see; `None`: everybody.
type Inspectors = BTreeMap<String, (i64, String, Option<BTreeSet<u32>>)>;

/// Also says whether there may be some of whom the audit does not know.
fn stored_inspectors(reader: &Connection) -> Result<(Inspectors, bool), StoreError> {
    let bindings: Vec<(String, u32)> = rows(reader, SEEN, [], |row| row.try_into())?;
    let inspectors: Vec<(String, i64, String, bool)> =
        rows(reader, INSPECTORS, [], |row| row.try_into())?;
    let with_seen = |(name, created_ms, token, sees_all): (String, i64, String, bool)| {
        let own = bindings.iter().filter(|(inspector, _)| *inspector == name);
        let own = own.map(|(_, client)| *client).collect();
        (name, (created_ms, token, if sees_all { None } else { Some(own) }))
    };
    let inspectors = inspectors.into_iter().map(with_seen).collect();
    Ok((inspectors, clients_before_audit(reader)? > 0))
}

fn compare_inspectors(
    told: Inspectors,
    mut stored: Inspectors,
    may_be_untold: bool,
    tally: &mut Tally<'_>,
) {
    for (name, (added_ms, token, seen)) in told {
        let what = match stored.remove(&name) {
            None => "the audit says that the inspector was added, and nobody is there",
            Some((_, _, stored)) if stored != seen => {
                "the inspector sees others than the audit says"
            }
            Some((_, stored, _)) if stored != token => {
                "the inspector's token is not the one that the audit says"
            }
            Some((created_ms, ..)) if created_ms != added_ms => {
                "the inspector was not added when the audit says"
            }
            Some(_) => continue,
        };
        tally.fault(Check::Directory, "inspector", name, what);
    }
    for name in stored.into_keys().filter(|_| !may_be_untold) {
        tally.fault(Check::Directory, "inspector", name, NOT_TOLD);
    }
}

/// The number of the last client of whom the audit may not know.
fn clients_before_audit(reader: &Connection) -> Result<u32, StoreError> {
    let mut statement = reader.prepare_cached(CLIENTS_BEFORE_AUDIT).map_err(unavailable)?;
    let number = statement.query_row([], |row| row.get(0)).optional().map_err(unavailable)?;
    Ok(number.unwrap_or(0))
}

/// The clients that there are.
pub(super) fn clients(reader: &Connection) -> Result<Vec<ClientId>, StoreError> {
    let numbers: Vec<u32> = rows(reader, CLIENTS, [], |row| row.get(0))?;
    Ok(numbers.into_iter().filter_map(ClientId::new).collect())
}

fn rows<T>(
    reader: &Connection,
    sql: &str,
    parameters: impl Params,
    columns: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = reader.prepare_cached(sql).map_err(unavailable)?;
    let rows = statement.query_map(parameters, columns).map_err(unavailable)?;
    rows.collect::<Result<_, _>>().map_err(unavailable)
}

const NOT_TOLD: &str = "the audit does not tell that it was added";

const CLIENTS: &str = "
    SELECT number FROM client";

const CLIENT: &str = "
    SELECT created_ms, sandbox_ms FROM client WHERE number = :number";

const KEYS: &str = "
    SELECT id, created_ms, revoked_ms FROM api_key WHERE client = :client";

const INSPECTORS: &str = "
    SELECT name, created_ms, id, sees_all FROM inspector";

const SEEN: &str = "
    SELECT inspector, client FROM inspector_client";

const CLIENTS_BEFORE_AUDIT: &str = "
    SELECT value FROM state WHERE name = 'clients_before_audit'";
