//! Whether the columns of a row say what its record says.

use kyc_core::{ClientId, StoreError, SubmissionId, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::find::read;
use super::row::{self, Columns};
use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::Damage;

/// A column that says something else than the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// It decides in which queue the submission stands.
    Queue(&'static str),
    /// It decides how the submission is found.
    Lookup(&'static str),
    /// A row of another table, which the record refers to.
    Reference(&'static str),
}

/// Compares a row of [`PORTION`] with its record.
pub(crate) fn contradictions(
    store: &SqliteStore,
    connection: &Connection,
    row: &rusqlite::Row<'_>,
) -> Result<(SubmissionId, Vec<Contradiction>), StoreError> {
    let id = row::id(row, 2)?;
    let client = ClientId::new(row.get(1).map_err(unavailable)?);
    let client = client.ok_or_else(|| Damage::Value("client").of(id))?;
    let mut buffer = Vec::new();
    let record = store.reading(connection).record(row, 3, client, id, &mut buffer)?;
    let submission = read(id, record)?;
    let expected = Columns::of(store.pepper(), client, &submission);
    // The person of a row that can never be reported as a duplicate is null.
    let person: Option<i64> = row.get(12).map_err(unavailable)?;
    let person_key = person.map(|_| expected.person_key);
    let columns = [
        (5, Some(expected.created_at.unix_millis()), Contradiction::Lookup("creation")),
        (6, Some(i64::from(expected.version)), Contradiction::Lookup("version")),
        (7, Some(expected.standing), Contradiction::Lookup("standing")),
        (8, expected.screening, Contradiction::Queue("place in the screening queue")),
        (9, expected.needs_look, Contradiction::Queue("mark for inspectors")),
        (10, Some(expected.email_key), Contradiction::Lookup("digest of the e-mail")),
        (11, expected.user_key, Contradiction::Lookup("digest of the user")),
        (12, person_key, Contradiction::Lookup("digest of the person")),
        (13, expected.ended, Contradiction::Lookup("end of the relationship")),
    ];
    let mut found = Vec::new();
    for (column, expected, contradiction) in columns {
        if row.get::<_, Option<i64>>(column).map_err(unavailable)? != expected {
            found.push(contradiction);
        }
    }
    let key: i64 = row.get(0).map_err(unavailable)?;
    for document in submission.documents() {
        let mut statement = connection.prepare_cached(REFERENCES).map_err(unavailable)?;
        let columns = params![client.get(), document.to_bytes(), key];
        let references = statement.query_row(columns, |row| Ok((row.get(0)?, row.get(1)?)));
        let (is_there, is_noted): (bool, bool) = references.map_err(unavailable)?;
        if !is_there {
            found.push(Contradiction::Reference("document"));
        }
        if !is_noted {
            found.push(Contradiction::Reference("note of the use of a document"));
        }
    }
    Ok((id, found))
}

// While the uses of an older schema are being noted, they are all taken for noted.
const REFERENCES: &str = "
    SELECT EXISTS (SELECT 1 FROM document WHERE client = :client AND id = :document)
        OR EXISTS (SELECT 1 FROM erased_document WHERE client = :client AND id = :document),
        EXISTS (SELECT 1 FROM document_use
            WHERE client = :client AND document = :document AND submission = :submission)
        OR EXISTS (SELECT 1 FROM state WHERE name = 'uses_missing' AND value = 1)";

/// When the last submission of a client was made.
pub(crate) fn newest(
    connection: &Connection,
    client: ClientId,
) -> Result<Option<Timestamp>, StoreError> {
    let (first, last) = row::client_range(client);
    let mut statement = connection.prepare_cached(NEWEST).map_err(unavailable)?;
    let newest = statement.query_row(params![first, last], |row| row.get(0)).optional();
    Ok(newest.map_err(unavailable)?.and_then(Timestamp::from_unix_millis))
}

const NEWEST: &str = "
    SELECT created_ms FROM submission WHERE key > :first AND key <= :last
    ORDER BY key DESC LIMIT 1";

/// Rows behind a key. What [`contradictions`] compares follows it.
pub(crate) const PORTION: &str = "
    SELECT key, client, id, record, data_key, created_ms, version, standing, screening, needs_look,
        email_key, user_key, person_key, ended
    FROM submission WHERE key > :after ORDER BY key LIMIT :limit";
