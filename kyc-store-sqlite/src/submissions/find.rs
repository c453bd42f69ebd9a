//! Which of several submissions is meant.

use kyc_core::{
    ClientId, Lookup, Preference, Status, StoreError, Submission, SubmissionId, Timestamp,
};
use rusqlite::{Connection, params};

use super::row::{self, blob, standing};
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{Damage, decode};

/// A lookup, with the index that answers it.
pub(super) struct Search<'l> {
    client: ClientId,
    lookup: &'l Lookup<'l>,
    by: By,
}

/// Every combination of conditions has an index, so that no search passes over rows that it does
/// not mean, however many there are.
#[derive(Clone, Copy)]
enum By {
    Id(SubmissionId),
    /// The statement, and the value of its first column.
    Key(&'static str, i64),
}

impl<'l> Search<'l> {
    pub(super) fn of(pepper: &Pepper, client: ClientId, lookup: &'l Lookup<'l>) -> Self {
        let by = match (lookup.id, lookup.email, lookup.user_id) {
            (Some(id), _, _) => By::Id(id),
            (None, Some(email), Some(user)) => By::Key(BY_PAIR, pepper.pair(client, email, user)),
            (None, Some(email), None) => By::Key(BY_EMAIL, pepper.email(client, email)),
            (None, None, Some(user)) => By::Key(BY_USER, pepper.user(client, user)),
            (None, None, None) => By::Key(BY_CLIENT, i64::from(client.get())),
        };
        Self { client, lookup, by }
    }

    pub(super) fn run(
        &self,
        connection: &Connection,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        let (sql, key) = match self.by {
            By::Id(id) => return by_id(connection, self.client, id, self.lookup),
            By::Key(sql, key) => (sql, key),
        };
        let all = (standing(Status::Incomplete, Timestamp::EARLIEST), i64::MAX);
        match preference {
            Preference::Best => self.best(connection, sql, key, all),
            // Within a status, the order is that of creation.
            Preference::Latest => {
                let mut latest = None;
                for status in Status::ALL {
                    let range = status_range(status);
                    let best = self.best(connection, sql, key, range)?;
                    latest =
                        best.into_iter().chain(latest).max_by_key(|s| preference.precedence(s));
                }
                Ok(latest)
            }
        }
    }

    /// The match with the highest standing in a range; of several, the one with the highest id.
    fn best(
        &self,
        connection: &Connection,
        sql: &str,
        key: i64,
        (from, to): (i64, i64),
    ) -> Result<Option<Submission>, StoreError> {
        let mut statement = connection.prepare_cached(sql).map_err(unavailable)?;
        let mut rows = statement.query(params![key, from, to]).map_err(unavailable)?;
        let mut best: Option<(i64, Submission)> = None;
        while let Some(row) = rows.next().map_err(unavailable)? {
            let standing: i64 = row.get(0).map_err(unavailable)?;
            let id = row::id(row, 1)?;
            if let Some((highest, submission)) = &best {
                if standing < *highest {
                    break;
                }
                if id < submission.id() {
                    continue;
                }
            }
            let submission = read(id, blob(row, 2)?)?;
            // Another address may have the same digest.
            if self.lookup.matches(&submission) {
                best = Some((standing, submission));
            }
        }
        Ok(best.map(|(_, submission)| submission))
    }
}

/// The standings of a status.
pub(super) fn status_range(status: Status) -> (i64, i64) {
    (standing(status, Timestamp::EARLIEST), standing(status, Timestamp::LATEST))
}

/// The submission of that id, if it meets the other conditions too.
pub(super) fn by_id(
    connection: &Connection,
    client: ClientId,
    id: SubmissionId,
    lookup: &Lookup<'_>,
) -> Result<Option<Submission>, StoreError> {
    let mut statement = connection.prepare_cached(BY_ID).map_err(unavailable)?;
    let mut rows = statement.query(params![id.to_bytes(), client.get()]).map_err(unavailable)?;
    let Some(row) = rows.next().map_err(unavailable)? else { return Ok(None) };
    let submission = read(id, blob(row, 0)?)?;
    Ok(Some(submission).filter(|submission| lookup.matches(submission)))
}

/// Reads the record of a row.
pub(super) fn read(id: SubmissionId, record: &[u8]) -> Result<Submission, StoreError> {
    let submission = decode(record).map_err(|damage| damage.of(id))?;
    if submission.id() == id { Ok(submission) } else { Err(Damage::OtherRow.of(id)) }
}

pub(crate) const BY_ID: &str = "
    SELECT record FROM submission WHERE id = :id AND client = :client";

/// Best standing first.
macro_rules! best_first {
    ($column:literal) => {
        concat!(
            "SELECT standing, id, record FROM submission ",
            "WHERE ",
            $column,
            " = :key AND standing BETWEEN :from AND :to ",
            "ORDER BY standing DESC",
        )
    };
}

pub(crate) const BY_CLIENT: &str = best_first!("client");
pub(crate) const BY_EMAIL: &str = best_first!("email_key");
pub(crate) const BY_USER: &str = best_first!("user_key");
pub(crate) const BY_PAIR: &str = best_first!("pair_key");
