//! The columns of a submission.

use kyc_core::{
    ClientId, DocumentId, Event, HistoryEntry, ScreeningQueue, Status, StoreError, Submission,
    SubmissionId, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, params};
use time::{Date, UtcDateTime};

use crate::SqliteStore;
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{corrupt, encode};
use crate::sealing::{KeyColumn, RowKey, Sealing, place};

/// How many bits of a key count the position within a client.
const POSITION_BITS: u32 = 40;
/// How many bits of a standing hold the creation.
const CREATION_BITS: u32 = 48;

/// A submission as it is stored: the columns by which it is found, and the record.
pub(crate) struct Row {
    pub(super) client: ClientId,
    pub(super) id: SubmissionId,
    pub(super) columns: Columns,
    pub(super) record: Vec<u8>,
    pub(super) documents: Vec<DocumentId>,
    /// Whether it refers to documents that the previous version did not refer to.
    pub(super) has_new_documents: bool,
    /// The document that the previous version referred to, and this one does not.
    pub(super) without: Option<DocumentId>,
    sealing: Sealing,
    key: RowKey,
}

/// The columns by which it is found: they follow from the record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    pub(super) created_at: Timestamp,
    pub(super) version: u32,
    pub(super) standing: i64,
    pub(super) screening: Option<i64>,
    pub(super) needs_look: Option<i64>,
    pub(super) ended: Option<i64>,
    pub(super) email_key: i64,
    pub(super) user_key: Option<i64>,
    pub(super) person_key: i64,
}

impl Columns {
    pub(super) fn of(pepper: &Pepper, client: ClientId, submission: &Submission) -> Self {
        let form = submission.form();
        let user_id = form.user_id.as_ref();
        Self {
            created_at: submission.created_at(),
            version: submission.version(),
            standing: standing(submission.status(), submission.created_at()),
            screening: ScreeningQueue::of(submission).map(screening_code),
            needs_look: submission.needs_look().then_some(1),
            ended: submission.ended().map(day_number),
            email_key: pepper.email(client, &form.email),
            user_key: user_id.map(|user_id| pepper.user(client, user_id)),
            person_key: pepper.person(client, &submission.person_key()),
        }
    }
}

impl Row {
    /// Seals the record, so not on the writer's thread.
    pub(crate) fn of(
        store: &SqliteStore,
        client: ClientId,
        submission: &Submission,
    ) -> Result<Self, StoreError> {
        let sealing = store.sealing();
        let id = submission.id().to_bytes();
        let place = place(client, TABLE, &id);
        let key = sealing.row_key(store.writer(), place)?;
        Ok(Self {
            client,
            id: submission.id(),
            columns: Columns::of(store.pepper(), client, submission),
            record: key.seal(place, RECORD, encode(submission))?,
            documents: submission.documents(),
            has_new_documents: submission.news().iter().any(is_supply),
            without: submission.news().iter().find_map(erased),
            sealing: sealing.clone(),
            key,
        })
    }

    /// Whether another version refers to other documents.
    pub(super) fn changes_uses(&self) -> bool {
        self.has_new_documents || self.without.is_some()
    }

    /// The column `data_key`, in the transaction that writes the row.
    pub(super) fn data_key(
        &self,
        connection: &Connection,
    ) -> Result<Option<KeyColumn>, StoreError> {
        let id = self.id.to_bytes();
        self.sealing.settle(connection, place(self.client, TABLE, &id), &self.key)
    }
}

fn is_supply(entry: &HistoryEntry) -> bool {
    matches!(entry.event, Event::Supplied { .. })
}

fn erased(entry: &HistoryEntry) -> Option<DocumentId> {
    if let Event::DocumentErased { document, .. } = entry.event { Some(document) } else { None }
}

/// Days since 1970.
pub(super) fn day_number(day: Date) -> i64 {
    (day - UtcDateTime::UNIX_EPOCH.date()).whole_days()
}

/// A connection, and what opens the records that it reads.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    pub(super) connection: &'r Connection,
    pub(super) sealing: &'r Sealing,
}

impl Reading<'_> {
    /// The record in a column, with the key of the row in the next. It lies in `buffer` if it was
    /// sealed, where it takes the place of what is there.
    pub(super) fn record<'b>(
        self,
        row: &'b rusqlite::Row<'_>,
        column: usize,
        client: ClientId,
        id: SubmissionId,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], StoreError> {
        let (stored, data_key) = (blob(row, column)?, optional_blob(row, column + 1)?);
        let id_bytes = id.to_bytes();
        let place = place(client, TABLE, &id_bytes);
        let key = self.sealing.open_key(self.connection, place, data_key);
        let key = key.map_err(|closed| closed.of(TABLE, &id))?;
        key.open(place, RECORD, stored, buffer).map_err(|damage| corrupt(TABLE, &id, damage))
    }
}

pub(crate) const TABLE: &str = "submission";
pub(crate) const RECORD: &str = "record";

/// The value of the column for each queue.
pub(super) fn screening_code(queue: ScreeningQueue) -> i64 {
    match queue {
        ScreeningQueue::New => 1,
        ScreeningQueue::Stalled => 2,
        ScreeningQueue::Screened => 3,
    }
}

/// What orders submissions by the best-status rule: the rank of the status above the creation.
/// Submissions of one standing are told apart by id (D31).
pub(super) fn standing(status: Status, created_at: Timestamp) -> i64 {
    (rank(status) << CREATION_BITS) | created_at.unix_millis()
}

/// The time in a standing, in milliseconds since 1970.
pub(super) fn created_ms(standing: i64) -> i64 {
    standing & ((1 << CREATION_BITS) - 1)
}

/// The standings of what was created at a time or later, a range for each rank.
pub(crate) fn standings_since(created_ms: i64) -> [(i64, i64); 4] {
    [0, 1, 2, 3].map(|rank| {
        let first = rank << CREATION_BITS;
        (first | created_ms, first | ((1 << CREATION_BITS) - 1))
    })
}

/// Higher is better.
fn rank(status: Status) -> i64 {
    match status {
        Status::Incomplete => 0,
        Status::Rejected => 1,
        Status::Pending => 2,
        Status::Approved => 3,
    }
}

/// The keys of a client lie above the first and up to the second number.
pub(crate) fn client_range(client: ClientId) -> (i64, i64) {
    let first = i64::from(client.get()) << POSITION_BITS;
    (first, first | ((1 << POSITION_BITS) - 1))
}

/// The key of a row.
pub(super) fn key_of(
    connection: &Connection,
    client: ClientId,
    id: SubmissionId,
) -> Result<Option<i64>, StoreError> {
    let mut statement = connection.prepare_cached(KEY_OF).map_err(unavailable)?;
    let key = statement.query_row(params![id.to_bytes(), client.get()], |row| row.get(0));
    key.optional().map_err(unavailable)
}

pub(crate) const KEY_OF: &str = "
    SELECT key FROM submission WHERE id = :id AND client = :client";

/// The id in a column.
pub(super) fn id(row: &rusqlite::Row<'_>, column: usize) -> Result<SubmissionId, StoreError> {
    row.get(column).map(SubmissionId::from_bytes).map_err(unavailable)
}

/// The bytes in a column that may have none.
fn optional_blob<'r>(
    row: &'r rusqlite::Row<'_>,
    column: usize,
) -> Result<Option<&'r [u8]>, StoreError> {
    let value = row.get_ref(column).map_err(unavailable)?;
    value.as_blob_or_null().map_err(unavailable)
}

/// The bytes in a column, where they lie.
fn blob<'r>(row: &'r rusqlite::Row<'_>, column: usize) -> Result<&'r [u8], StoreError> {
    let value = row.get_ref(column).map_err(unavailable)?;
    value.as_blob().map_err(unavailable)
}
