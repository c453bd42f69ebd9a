//! Answers that are given again (D98): the port, and what is written beside a change.
//!
//! Neither a caller's key nor a digest of what was asked is stored in a form that could be guessed
//! and tried: both are keyed. The body is what the caller was told, personal data included: it is
//! sealed.

use kyc_core::{Answer, AnswerStore, ClientId, Kept, KeyedRequest, Replay, StoreError, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::{Damage, corrupt};
use crate::sealing::{Keyed, Sealing, keyed, place};
use crate::writer::Extent;

impl AnswerStore for SqliteStore {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        let key = self.pepper().idempotency_key(request);
        let fingerprint = self.pepper().request(request);
        // A command beside the service may just have erased what it tells of (D131).
        self.readers()
            .read_now(|connection| find(connection, self.sealing(), &key, &fingerprint, now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        let (over_ms, limit) = (over_ms(now), i64::try_from(count_max).unwrap_or(i64::MAX));
        self.writer().change(Extent::Statement, move |connection| {
            let mut statement = connection.prepare_cached(FORGET).map_err(unavailable)?;
            statement.execute(params![over_ms, limit]).map_err(unavailable)
        })
    }
}

/// An answer as it is stored.
pub(crate) struct Row {
    key: Digest,
    fingerprint: Digest,
    client: ClientId,
    about: [u8; 16],
    at: Timestamp,
    answer: Answer,
    sealing: Sealing,
}

type Digest = [u8; 16];

impl Row {
    /// The answer tells of a record of the client with the id `about`.
    pub(crate) fn of(
        store: &SqliteStore,
        client: ClientId,
        about: [u8; 16],
        replay: Replay,
    ) -> Self {
        let Replay { request, answer, at } = replay;
        Self {
            key: store.pepper().idempotency_key(&request),
            fingerprint: store.pepper().request(&request),
            client,
            about,
            at,
            answer,
            sealing: store.sealing().clone(),
        }
    }

    /// Stores the answer, in the place of one that is no longer kept.
    pub(crate) fn insert(&self, connection: &Connection) -> Result<(), StoreError> {
        let place = place(self.client, TABLE, &self.key);
        let body = self.sealing.seal(connection, place, BODY, &self.answer.body)?;
        let mut statement = connection.prepare_cached(INSERT).map_err(unavailable)?;
        let inserted = statement.execute(params![
            self.key,
            self.fingerprint,
            self.client.get(),
            self.about,
            self.at.unix_millis(),
            self.answer.status,
            body,
            over_ms(self.at),
        ]);
        match inserted.map_err(unavailable)? {
            0 => Err(StoreError::KeyTaken),
            _ => Ok(()),
        }
    }
}

/// Takes away what was answered about a record that is erased. The key stays taken, so that a
/// request that is sent again does not bring the record back (D131).
pub(crate) fn erase(
    connection: &Connection,
    sealing: &Sealing,
    client: ClientId,
    about: [u8; 16],
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(ABOUT).map_err(unavailable)?;
    let keys = statement.query_map(params![about, client.get()], |row| row.get(0));
    let keys: Vec<Digest> = keys.and_then(Iterator::collect).map_err(unavailable)?;
    let mut statement = connection.prepare_cached(ERASE).map_err(unavailable)?;
    for key in keys {
        let nothing = sealing.seal(connection, place(client, TABLE, &key), BODY, &[])?;
        statement.execute(params![ERASED, nothing, key]).map_err(unavailable)?;
    }
    Ok(())
}

fn find(
    connection: &Connection,
    sealing: &Sealing,
    key: &Digest,
    fingerprint: &Digest,
    now: Timestamp,
) -> Result<Option<Kept>, StoreError> {
    let mut statement = connection.prepare_cached(FIND).map_err(unavailable)?;
    let stored: Option<(i64, Digest, u32, u16, Vec<u8>)> = statement
        .query_row(params![key, over_ms(now)], |row| row.try_into())
        .optional()
        .map_err(unavailable)?;
    let Some((number, of, client, status, body)) = stored else { return Ok(None) };
    if of != *fingerprint {
        return Ok(Some(Kept::OtherRequest));
    }
    if status == ERASED {
        return Ok(Some(Kept::Erased));
    }
    let client =
        ClientId::new(client).ok_or_else(|| corrupt(TABLE, &number, Damage::Value("client")))?;
    let body = sealing.open(connection, place(client, TABLE, key), BODY, body);
    let body = body.map_err(|closed| closed.of(TABLE, &number))?;
    Ok(Some(Kept::Answer { client, answer: Answer { status, body } }))
}

/// Whether the body of a stored answer opens: its client, key and body are columns 1 to 3.
pub(crate) fn opened(
    connection: &Connection,
    sealing: &Sealing,
    number: i64,
    row: &rusqlite::Row<'_>,
) -> Result<(), StoreError> {
    let client = ClientId::new(row.get(1).map_err(unavailable)?);
    let client = client.ok_or_else(|| corrupt(TABLE, &number, Damage::Value("client")))?;
    let key: Digest = row.get(2).map_err(unavailable)?;
    let body = row.get(3).map_err(unavailable)?;
    let body = sealing.open(connection, place(client, TABLE, &key), BODY, body);
    body.map(|_| ()).map_err(|closed| closed.of(TABLE, &number))
}

const TABLE: &str = "replay";
const BODY: &str = "body";
/// The status, which no answer has, where the record that was told of is erased.
pub(crate) const ERASED: u16 = 0;

/// The body is sealed, and holds its key.
pub(crate) const SEALED: Keyed = keyed!("replay", "body", "key");

/// What was answered then or before is no longer kept.
fn over_ms(now: Timestamp) -> i64 {
    now.unix_millis() - i64::from(Replay::KEPT_MILLIS)
}

pub(crate) const FIND: &str = "
    SELECT number, fingerprint, client, status, body FROM replay
    WHERE key = :key AND at_ms > :over_ms";

pub(crate) const ABOUT: &str = "
    SELECT key FROM replay WHERE about = :about AND client = :client";

pub(crate) const ERASE: &str = "
    UPDATE replay SET status = :status, body = :body WHERE key = :key";

pub(crate) const FORGET: &str = "
    DELETE FROM replay WHERE number IN (
        SELECT number FROM replay WHERE at_ms <= :over_ms ORDER BY at_ms LIMIT :limit
    )";

// Where the key is taken by an answer that is still kept, nothing is changed.
pub(crate) const INSERT: &str = "
    INSERT INTO replay (key, fingerprint, client, about, at_ms, status, body)
    VALUES (:key, :fingerprint, :client, :about, :at_ms, :status, :body)
    ON CONFLICT (key) DO UPDATE
    SET fingerprint = excluded.fingerprint, client = excluded.client, about = excluded.about,
        at_ms = excluded.at_ms, status = excluded.status, body = excluded.body
    WHERE at_ms <= :over_ms";
