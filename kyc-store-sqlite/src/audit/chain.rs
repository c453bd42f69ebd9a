use std::collections::{BTreeSet, HashMap};

use kyc_core::{AuditActor, AuditEntry, AuditEvent, ClientId, StoreError, Timestamp};
use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::keys::{Keys, RowHash};
use crate::error::unavailable;
use crate::record::{Damage, Place, corrupt, decode_audit, encode_audit};

/// How many bits of a key count the position within a chain.
const POSITION_BITS: u32 = 40;

/// What the hash before the first row is.
pub(super) const NOTHING: RowHash = [0; 32];

/// Where the next row is put.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    position: u64,
    hash: RowHash,
}

/// The ends of the chains that were appended to in the open transaction.
pub(crate) type Ends = HashMap<Option<ClientId>, End>;

/// The chains, within the writer's transaction.
pub(super) struct Chains<'a> {
    pub(super) connection: &'a Connection,
    pub(super) keys: &'a Keys,
    pub(super) ends: &'a mut Ends,
}

impl Chains<'_> {
    /// The end of a chain. Writes nothing.
    pub(super) fn end(&self, chain: Option<ClientId>) -> Result<End, StoreError> {
        if let Some(end) = self.ends.get(&chain) {
            return Ok(*end);
        }
        match head(self.connection, chain).map_err(unavailable)? {
            // What is appended vouches for what stands before it.
            Some(head) if head.is_signed(self.keys, chain) => self.checked(chain, &head),
            Some(_) => Err(damaged_end(chain, Damage::Value("signature"))),
            None if rows(self.connection, chain, 0, 1).map_err(unavailable)?.is_empty() => {
                Ok(End { position: 0, hash: NOTHING })
            }
            None => Err(damaged_end(chain, Damage::Truncated)),
        }
    }

    /// The end of a chain, if the last row is the one that was signed.
    fn checked(&self, chain: Option<ClientId>, head: &Head) -> Result<End, StoreError> {
        let before = head.position.saturating_sub(2);
        let last = rows(self.connection, chain, before, 3).map_err(unavailable)?;
        let (last, previous) = match last.as_slice() {
            [only] => (only, NOTHING),
            [previous, last] => (last, previous.hash),
            _ => return Err(damaged_end(chain, Damage::Contradiction)),
        };
        let is_whole = self.keys.row(&previous, &last.record) == head.hash;
        if last.position == head.position && last.hash == head.hash && is_whole {
            Ok(End { position: head.position, hash: head.hash })
        } else {
            Err(damaged_end(chain, Damage::Contradiction))
        }
    }

    /// Appends rows behind the end of a chain. Begins the chain if it is new.
    pub(super) fn append(
        &mut self,
        chain: Option<ClientId>,
        mut end: End,
        entries: &[AuditEntry],
    ) -> Result<(), StoreError> {
        let Some(first) = entries.first() else { return Ok(()) };
        if end.position == 0 {
            self.begin(chain, &mut end, first.at)?;
        }
        let mut insert = self.connection.prepare_cached(INSERT).map_err(unavailable)?;
        for entry in entries {
            end.push(&mut insert, self.keys, chain, entry)?;
        }
        self.ends.insert(chain, end);
        Ok(())
    }

    /// The service's chain says of every chain that it began, and begins with a row of its own.
    fn begin(
        &mut self,
        chain: Option<ClientId>,
        end: &mut End,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let begun = |event| AuditEntry { at, by: AuditActor::Service, event, about: None };
        let Some(client) = chain else {
            let mut insert = self.connection.prepare_cached(INSERT).map_err(unavailable)?;
            return end.push(&mut insert, self.keys, None, &begun(AuditEvent::Begun));
        };
        let own = self.end(None)?;
        self.append(None, own, &[begun(AuditEvent::ChainBegun(client))])
    }
}

impl End {
    fn push(
        &mut self,
        insert: &mut Statement<'_>,
        keys: &Keys,
        chain: Option<ClientId>,
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        self.position += 1;
        let record = encode_audit(Place { chain, position: self.position }, entry);
        self.hash = keys.row(&self.hash, &record);
        let key = first(chain) | i64::try_from(self.position).map_err(unavailable)?;
        insert.execute(params![key, record, self.hash]).map_err(unavailable)?;
        Ok(())
    }

    /// Signs and stores the end.
    pub(super) fn keep(
        &self,
        connection: &Connection,
        keys: &Keys,
        chain: Option<ClientId>,
    ) -> rusqlite::Result<()> {
        let Self { position, hash } = self;
        let signature = keys.head(chain, *position, hash);
        // Never that many: a key has room for 40 bits of position.
        let position = i64::try_from(*position).unwrap_or(i64::MAX);
        let mut keep = connection.prepare_cached(KEEP_HEAD)?;
        keep.execute(params![number(chain), position, hash, signature])?;
        Ok(())
    }
}

fn damaged_end(chain: Option<ClientId>, damage: Damage) -> StoreError {
    corrupt("audit_head", &number(chain), damage)
}

/// What is kept of the end of a chain.
pub(super) struct Head {
    pub(super) position: u64,
    pub(super) hash: RowHash,
    signature: RowHash,
}

impl Head {
    pub(super) fn is_signed(&self, keys: &Keys, chain: Option<ClientId>) -> bool {
        let Self { position, hash, signature } = self;
        keys.head(chain, *position, hash) == *signature
    }
}

pub(super) fn head(
    connection: &Connection,
    chain: Option<ClientId>,
) -> rusqlite::Result<Option<Head>> {
    let mut statement = connection.prepare_cached(HEAD)?;
    let head = statement.query_row([number(chain)], |row| {
        let position = u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
        Ok(Head { position, hash: hash(row, 1)?, signature: hash(row, 2)? })
    });
    head.optional()
}

/// A row as it is stored.
pub(super) struct Row {
    pub(super) position: u64,
    pub(super) record: Vec<u8>,
    pub(super) hash: RowHash,
}

impl Row {
    /// What it says, if it stands in its place.
    pub(super) fn entry(&self, chain: Option<ClientId>) -> Result<AuditEntry, Damage> {
        let (place, entry) = decode_audit(&self.record)?;
        let own = Place { chain, position: self.position };
        if place == own { Ok(entry) } else { Err(Damage::OtherRow) }
    }
}

/// At most `limit` rows of a chain behind a position.
pub(super) fn rows(
    connection: &Connection,
    chain: Option<ClientId>,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<Row>> {
    let (first, last) = (first(chain), first(chain) | POSITION_MAX);
    let after = i64::try_from(after).unwrap_or(POSITION_MAX).min(POSITION_MAX);
    let mut statement = connection.prepare_cached(ROWS)?;
    let columns = params![first | after, last, i64::try_from(limit).unwrap_or(i64::MAX)];
    let rows = statement.query_map(columns, |row| {
        let key: i64 = row.get(0)?;
        let position = u64::try_from(key & POSITION_MAX).unwrap_or(0);
        Ok(Row { position, record: row.get(1)?, hash: hash(row, 2)? })
    })?;
    rows.collect()
}

/// The end of every chain, the service's own first.
pub(super) fn heads(connection: &Connection) -> rusqlite::Result<Vec<(Option<ClientId>, Head)>> {
    let mut statement = connection.prepare_cached(HEADS)?;
    let chains = statement.query_map([], |row| row.get(0).map(ClientId::new))?;
    let mut heads = Vec::new();
    for chain in chains {
        let chain = chain?;
        heads.extend(head(connection, chain)?.map(|head| (chain, head)));
    }
    Ok(heads)
}

/// The clients with a row or an end of a chain.
pub(super) fn clients(connection: &Connection) -> rusqlite::Result<BTreeSet<ClientId>> {
    let mut clients: BTreeSet<ClientId> =
        heads(connection)?.into_iter().filter_map(|(chain, _)| chain).collect();
    let mut statement = connection.prepare_cached(NEXT)?;
    let mut last = first(None) | POSITION_MAX;
    let mut next = |last| statement.query_row([last], |row| row.get::<_, i64>(0)).optional();
    while let Some(key) = next(last)? {
        clients.extend(u32::try_from(key >> POSITION_BITS).ok().and_then(ClientId::new));
        last = key | POSITION_MAX;
    }
    Ok(clients)
}

/// A column with a hash; one of another length fits nothing.
fn hash(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<RowHash> {
    let bytes: Vec<u8> = row.get(column)?;
    Ok(bytes.try_into().unwrap_or(NOTHING))
}

pub(super) fn number(chain: Option<ClientId>) -> u32 {
    chain.map_or(0, ClientId::get)
}

fn first(chain: Option<ClientId>) -> i64 {
    i64::from(number(chain)) << POSITION_BITS
}

const POSITION_MAX: i64 = (1 << POSITION_BITS) - 1;

const INSERT: &str = "
    INSERT INTO audit (key, record, hash) VALUES (:key, :record, :hash)";

const KEEP_HEAD: &str = "
    INSERT INTO audit_head (client, position, hash, signature)
    VALUES (:client, :position, :hash, :signature)
    ON CONFLICT (client) DO UPDATE
    SET position = excluded.position, hash = excluded.hash, signature = excluded.signature";

const HEAD: &str = "
    SELECT position, hash, signature FROM audit_head WHERE client = :client";

const HEADS: &str = "
    SELECT client FROM audit_head ORDER BY client";

const ROWS: &str = "
    SELECT key, record, hash FROM audit
    WHERE key > :after AND key <= :last
    ORDER BY key
    LIMIT :limit";

const NEXT: &str = "
    SELECT key FROM audit WHERE key > :last ORDER BY key LIMIT 1";
