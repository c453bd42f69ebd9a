//! The columns of a submission.

use kyc_core::{ClientId, ScreeningQueue, Status, StoreError, Submission, SubmissionId, Timestamp};
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, params};

use super::find::read;
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{Damage, encode};

/// How many bits of a key count the position within a client.
const POSITION_BITS: u32 = 40;
/// How many bits of a standing hold the creation.
const CREATION_BITS: u32 = 48;

/// A submission as it is stored: the columns by which it is found, and the record.
pub(super) struct Row {
    pub(super) client: ClientId,
    pub(super) id: SubmissionId,
    pub(super) created_at: Timestamp,
    pub(super) version: u32,
    pub(super) standing: i64,
    pub(super) screening: Option<i64>,
    pub(super) needs_look: Option<i64>,
    pub(super) email_key: i64,
    pub(super) user_key: Option<i64>,
    pub(super) person_key: Option<i64>,
    pub(super) record: Vec<u8>,
}

impl Row {
    pub(super) fn of(pepper: &Pepper, client: ClientId, submission: &Submission) -> Self {
        let form = submission.form();
        let user_id = form.user_id.as_ref();
        Self {
            client,
            id: submission.id(),
            created_at: submission.created_at(),
            version: submission.version(),
            standing: standing(submission.status(), submission.created_at()),
            screening: ScreeningQueue::of(submission).map(screening_code),
            needs_look: submission.needs_look().then_some(1),
            email_key: pepper.email(client, &form.email),
            user_key: user_id.map(|user_id| pepper.user(client, user_id)),
            person_key: Some(pepper.person(client, &submission.person_key())),
            record: encode(submission),
        }
    }
}

/// A row as it was read, to be compared with what its record says.
pub(crate) struct Stored {
    pub(crate) id: SubmissionId,
    row: Row,
}

/// A column that may contradict the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Screening,
    NeedsLook,
    Value(&'static str),
}

impl Column {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Screening => "place in the screening queue",
            Self::NeedsLook => "mark for inspectors",
            Self::Value(name) => name,
        }
    }
}

impl Stored {
    /// Reads the columns behind the key: those of a row, in its order.
    pub(crate) fn read(row: &rusqlite::Row<'_>) -> Result<Self, StoreError> {
        let id = id(row, 2)?;
        let column = Columns { row, id };
        let client = ClientId::new(column.get(1, "client")?);
        let created_at = Timestamp::from_unix_millis(column.get(3, "creation")?);
        let row = Row {
            client: client.ok_or_else(|| Damage::Value("client").of(id))?,
            id,
            created_at: created_at.ok_or_else(|| Damage::Value("creation").of(id))?,
            version: column.get(4, "version")?,
            standing: column.get(5, "standing")?,
            screening: column.get(6, "place in the screening queue")?,
            needs_look: column.get(7, "mark for inspectors")?,
            email_key: column.get(8, "digest of the e-mail")?,
            user_key: column.get(9, "digest of the user")?,
            person_key: column.get(10, "digest of the person")?,
            record: column.get(11, "record")?,
        };
        Ok(Self { id, row })
    }

    /// The columns that say something else than the record.
    pub(crate) fn contradictions(&self, pepper: &Pepper) -> Result<Vec<Column>, StoreError> {
        let Self { id, row: found } = self;
        let submission = read(*id, &found.record)?;
        let expected = Row::of(pepper, found.client, &submission);
        let agree = [
            (Column::Value("creation"), found.created_at == expected.created_at),
            (Column::Value("version"), found.version == expected.version),
            (Column::Value("standing"), found.standing == expected.standing),
            (Column::Screening, found.screening == expected.screening),
            (Column::NeedsLook, found.needs_look == expected.needs_look),
            (Column::Value("digest of the e-mail"), found.email_key == expected.email_key),
            (Column::Value("digest of the user"), found.user_key == expected.user_key),
            // Null where the person can never be reported as a duplicate.
            (
                Column::Value("digest of the person"),
                found.person_key.is_none_or(|key| Some(key) == expected.person_key),
            ),
        ];
        Ok(agree.into_iter().filter(|(_, agrees)| !agrees).map(|(column, _)| column).collect())
    }
}

struct Columns<'r> {
    row: &'r rusqlite::Row<'r>,
    id: SubmissionId,
}

impl Columns<'_> {
    fn get<T: FromSql>(&self, column: usize, what: &'static str) -> Result<T, StoreError> {
        self.row.get(column).map_err(|_| Damage::Value(what).of(self.id))
    }
}

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
pub(super) fn client_range(client: ClientId) -> (i64, i64) {
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

/// The bytes in a column, where they lie.
pub(super) fn blob<'r>(row: &'r rusqlite::Row<'_>, column: usize) -> Result<&'r [u8], StoreError> {
    let value = row.get_ref(column).map_err(unavailable)?;
    value.as_blob().map_err(unavailable)
}
