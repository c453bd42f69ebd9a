//! Which of several submissions is meant.

use std::ops::ControlFlow;

use kyc_core::{
    ClientId, Lookup, Preference, Status, StoreError, Submission, SubmissionId, Timestamp,
};
use rusqlite::{CachedStatement, Rows, params};

use super::row::{self, Reading, standing};
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{Damage, decode};

/// A submission and keys of its row.
pub(super) struct Found {
    pub(super) key: i64,
    pub(super) person_key: Option<i64>,
    pub(super) submission: Submission,
}

/// Finds the one submission that a lookup means.
pub(super) fn find(
    reading: Reading<'_>,
    pepper: &Pepper,
    client: ClientId,
    lookup: &Lookup<'_>,
    preference: Preference,
) -> Result<Option<Found>, StoreError> {
    if let Some(id) = lookup.id {
        return by_id(reading, client, id, lookup);
    }
    let search = Search::of(reading, pepper, client, lookup);
    match preference {
        Preference::Best => search.best(i64::MAX),
        Preference::Latest => search.latest(),
    }
}

/// A lookup, with the lists in which the submission has to be.
struct Search<'l> {
    reading: Reading<'l>,
    client: ClientId,
    lookup: &'l Lookup<'l>,
    list: List,
    other: Option<List>,
}

/// The rows with one value in an indexed column, best standing first.
#[derive(Clone, Copy)]
struct List {
    sql: &'static str,
    key: i64,
}

impl<'l> Search<'l> {
    fn of(reading: Reading<'l>, pepper: &Pepper, client: ClientId, lookup: &'l Lookup<'l>) -> Self {
        let by_email = |email| List { sql: BY_EMAIL, key: pepper.email(client, email) };
        let by_user = |user| List { sql: BY_USER, key: pepper.user(client, user) };
        let (list, other) = match (lookup.email, lookup.user_id) {
            (Some(email), Some(user)) => (by_email(email), Some(by_user(user))),
            (Some(email), None) => (by_email(email), None),
            (None, Some(user)) => (by_user(user), None),
            (None, None) => (List { sql: BY_CLIENT, key: i64::from(client.get()) }, None),
        };
        Self { reading, client, lookup, list, other }
    }

    /// Within a status the order is that of creation, so the latest is one of the best of each.
    fn latest(&self) -> Result<Option<Found>, StoreError> {
        let (mut latest, mut highest) = (None, i64::MAX);
        while let Some(best) = self.best(highest)? {
            highest = standing(best.submission.status(), Timestamp::EARLIEST) - 1;
            let both = latest.into_iter().chain([best]);
            latest = both.max_by_key(|found| Preference::Latest.precedence(&found.submission));
        }
        Ok(latest)
    }

    /// The match with the highest standing up to `highest`.
    ///
    /// Two lists are walked in turns, and the one that ends first has the answer: so a search takes
    /// no longer than the shorter one, however long the other is.
    fn best(&self, highest: i64) -> Result<Option<Found>, StoreError> {
        let connection = self.reading.connection;
        let prepare = |list: List| connection.prepare_cached(list.sql).map_err(unavailable);
        let mut statement = prepare(self.list)?;
        let mut other_statement = self.other.map(prepare).transpose()?;
        let mut walk = Walk::start(&mut statement, self.list, highest)?;
        let mut other = match (&mut other_statement, self.other) {
            (Some(statement), Some(list)) => Some(Walk::start(statement, list, highest)?),
            _ => None,
        };
        loop {
            if let ControlFlow::Break(best) = walk.step(self)? {
                return Ok(best);
            }
            if let Some(other) = &mut other
                && let ControlFlow::Break(best) = other.step(self)?
            {
                return Ok(best);
            }
        }
    }
}

/// A walk through a list, down to the best match.
struct Walk<'s> {
    rows: Rows<'s>,
    buffer: Vec<u8>,
    best: Option<(i64, Found)>,
}

impl<'s> Walk<'s> {
    fn start(
        statement: &'s mut CachedStatement<'_>,
        list: List,
        highest: i64,
    ) -> Result<Self, StoreError> {
        let rows = statement.query(params![list.key, highest]).map_err(unavailable)?;
        Ok(Self { rows, buffer: Vec::new(), best: None })
    }

    /// Looks at one row. Ends with the best match of the whole list.
    fn step(&mut self, search: &Search<'_>) -> Result<ControlFlow<Option<Found>>, StoreError> {
        let Some(row) = self.rows.next().map_err(unavailable)? else { return Ok(self.end()) };
        let standing: i64 = row.get(0).map_err(unavailable)?;
        let id = row::id(row, 2)?;
        if let Some((highest, best)) = &self.best {
            if standing < *highest {
                return Ok(self.end());
            }
            // Of one standing, the highest id is meant.
            if id < best.submission.id() {
                return Ok(ControlFlow::Continue(()));
            }
        }
        let record = search.reading.record(row, 4, search.client, id, &mut self.buffer)?;
        let found = Found {
            key: row.get(1).map_err(unavailable)?,
            person_key: row.get(3).map_err(unavailable)?,
            submission: read(id, record)?,
        };
        // Another value may have the same digest.
        if search.lookup.matches(&found.submission) {
            self.best = Some((standing, found));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self) -> ControlFlow<Option<Found>> {
        ControlFlow::Break(self.best.take().map(|(_, found)| found))
    }
}

/// The standings of a status.
pub(super) fn status_range(status: Status) -> (i64, i64) {
    (standing(status, Timestamp::EARLIEST), standing(status, Timestamp::LATEST))
}

/// The submission of that id, if it meets the other conditions too.
pub(super) fn by_id(
    reading: Reading<'_>,
    client: ClientId,
    id: SubmissionId,
    lookup: &Lookup<'_>,
) -> Result<Option<Found>, StoreError> {
    let mut statement = reading.connection.prepare_cached(BY_ID).map_err(unavailable)?;
    let mut rows = statement.query(params![id.to_bytes(), client.get()]).map_err(unavailable)?;
    let Some(row) = rows.next().map_err(unavailable)? else { return Ok(None) };
    let mut buffer = Vec::new();
    let record = reading.record(row, 2, client, id, &mut buffer)?;
    let found = Found {
        key: row.get(0).map_err(unavailable)?,
        person_key: row.get(1).map_err(unavailable)?,
        submission: read(id, record)?,
    };
    Ok(Some(found).filter(|found| lookup.matches(&found.submission)))
}

/// Reads the record of a row.
pub(super) fn read(id: SubmissionId, record: &[u8]) -> Result<Submission, StoreError> {
    let submission = decode(record).map_err(|damage| damage.of(id))?;
    if submission.id() == id { Ok(submission) } else { Err(Damage::OtherRow.of(id)) }
}

pub(crate) const BY_ID: &str = "
    SELECT key, person_key, record, data_key FROM submission WHERE id = :id AND client = :client";

macro_rules! best_first {
    ($column:literal) => {
        concat!(
            "SELECT standing, key, id, person_key, record, data_key FROM submission WHERE ",
            $column,
            " = :key AND standing <= :highest ORDER BY standing DESC",
        )
    };
}

pub(crate) const BY_CLIENT: &str = best_first!("client");
pub(crate) const BY_EMAIL: &str = best_first!("email_key");
pub(crate) const BY_USER: &str = best_first!("user_key");
