//! The queues of the screening worker, of monitoring, and of the inspectors.

use kyc_core::{
    ClientId, Email, Lookup, QueueFilter, Queued, ScreeningQueue, Status, StoreError, SubmissionId,
};
use rusqlite::params;

use super::find::{by_id, read, status_range};
use super::row::{self, Reading, created_ms};
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{Damage, listed};

/// What waits for screening or has a result, the oldest first, whichever client has it.
pub(super) fn screening(
    reading: Reading<'_>,
    queue: ScreeningQueue,
    after: Option<&Queued>,
    limit: usize,
) -> Result<Vec<Queued>, StoreError> {
    let queue = row::screening_code(queue);
    let place = match after {
        None => None,
        Some(Queued { client, submission }) => {
            let key = row::key_of(reading.connection, *client, submission.id())?;
            key.map(|key| (submission.created_at().unix_millis(), key))
        }
    };
    let (created_ms, key) = place.unwrap_or((-1, -1));
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = reading.connection.prepare_cached(SCREENING).map_err(unavailable)?;
    let mut rows = statement.query(params![queue, created_ms, key, limit]).map_err(unavailable)?;
    let (mut queued, mut buffer) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next().map_err(unavailable)? {
        queued.push(self::queued(reading, row, &mut buffer)?);
    }
    Ok(queued)
}

/// What inspectors see, ordered by creation, client and id.
///
/// The rows of each client and status are one range of an index, in the order of creation. The
/// ranges are merged: each gives as many as are asked for at most, and none that is behind the last
/// one of a full page.
pub(super) fn review(
    reading: Reading<'_>,
    pepper: &Pepper,
    filter: &QueueFilter<'_>,
    after: Option<&Queued>,
    limit: usize,
) -> Result<Vec<Queued>, StoreError> {
    let after = after.map(|after| Place {
        created_ms: after.submission.created_at().unix_millis(),
        client: after.client,
        id: after.submission.id(),
    });
    let mut page = Page { after, limit, places: Vec::new() };
    for client in filter.clients {
        let (sql, key) = match (filter.email, filter.needs_look) {
            (Some(email), false) => (REVIEW_BY_EMAIL, pepper.email(*client, email)),
            (Some(email), true) => (REVIEW_TO_LOOK_AT_BY_EMAIL, pepper.email(*client, email)),
            (None, false) => (REVIEW_BY_CLIENT, i64::from(client.get())),
            (None, true) => (REVIEW_TO_LOOK_AT, i64::from(client.get())),
        };
        for status in Status::ALL {
            if filter.status.is_none_or(|wanted| wanted == status) {
                page.add(reading, Range { sql, key, client: *client, status }, filter.email)?;
            }
        }
    }
    page.places.iter().map(|place| place.load(reading)).collect()
}

/// The rows of one client and status, as far as a filter means them.
#[derive(Clone, Copy)]
struct Range {
    sql: &'static str,
    key: i64,
    client: ClientId,
    status: Status,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Place {
    created_ms: i64,
    client: ClientId,
    id: SubmissionId,
}

struct Page {
    after: Option<Place>,
    limit: usize,
    /// The first ones so far, in order.
    places: Vec<Place>,
}

impl Page {
    fn add(
        &mut self,
        reading: Reading<'_>,
        range: Range,
        email: Option<&Email>,
    ) -> Result<(), StoreError> {
        let Range { sql, key, client, status } = range;
        let (lowest, highest) = status_range(status);
        let from = self.after.map_or(lowest, |after| lowest | after.created_ms);
        let mut statement = reading.connection.prepare_cached(sql).map_err(unavailable)?;
        let mut rows = statement.query(params![key, from, highest]).map_err(unavailable)?;
        let (mut found, mut buffer) = (Vec::new(), Vec::new());
        while let Some(row) = rows.next().map_err(unavailable)? {
            let created_ms = created_ms(row.get(0).map_err(unavailable)?);
            if self.ends_before(created_ms, &found) || self.ends_before(created_ms, &self.places) {
                break;
            }
            let place = Place { created_ms, client, id: row::id(row, 1)? };
            if self.after.is_some_and(|after| place <= after) {
                continue;
            }
            if let Some(email) = email {
                let record = reading.record(row, 2, client, place.id, &mut buffer)?;
                if !has_email(record, place.id, email)? {
                    continue;
                }
            }
            found.push(place);
        }
        self.places.extend(found);
        self.places.sort_unstable();
        self.places.truncate(self.limit);
        Ok(())
    }

    /// Whether these places fill the page and lie before that time. Rows of one instant are ordered
    /// by id, so all of them have to be seen.
    fn ends_before(&self, created_ms: i64, places: &[Place]) -> bool {
        let Some(last) = self.limit.checked_sub(1) else { return true };
        places.get(last).is_some_and(|last| last.created_ms < created_ms)
    }
}

/// Another address may have the same digest.
fn has_email(record: &[u8], id: SubmissionId, email: &Email) -> Result<bool, StoreError> {
    let listed = listed(record).map_err(|damage| damage.of(id))?;
    let stored: Email = listed.email.parse().map_err(|_| Damage::Value("e-mail").of(id))?;
    Ok(stored == *email)
}

impl Place {
    fn load(&self, reading: Reading<'_>) -> Result<Queued, StoreError> {
        let lookup = Lookup { id: Some(self.id), ..Lookup::default() };
        let found = by_id(reading, self.client, self.id, &lookup)?;
        let found = found.ok_or_else(|| unavailable("a row vanished while it was read"))?;
        Ok(Queued { client: self.client, submission: found.submission })
    }
}

fn queued(
    reading: Reading<'_>,
    row: &rusqlite::Row<'_>,
    buffer: &mut Vec<u8>,
) -> Result<Queued, StoreError> {
    let id = row::id(row, 1)?;
    let number = row.get(0).map_err(unavailable)?;
    let client = ClientId::new(number).ok_or_else(|| Damage::Value("client").of(id))?;
    let record = reading.record(row, 2, client, id, buffer)?;
    Ok(Queued { client, submission: read(id, record)? })
}

pub(crate) const SCREENING: &str = "
    SELECT client, id, record, data_key FROM submission
    WHERE screening = :queue AND (created_ms, key) > (:created_ms, :key)
    ORDER BY created_ms, key
    LIMIT :limit";

pub(crate) const REVIEW_BY_CLIENT: &str = "
    SELECT standing, id FROM submission
    WHERE client = :client AND standing BETWEEN :from AND :to
    ORDER BY standing";

pub(crate) const REVIEW_BY_EMAIL: &str = "
    SELECT standing, id, record, data_key FROM submission
    WHERE email_key = :email_key AND standing BETWEEN :from AND :to
    ORDER BY standing";

pub(crate) const REVIEW_TO_LOOK_AT: &str = "
    SELECT standing, id FROM submission
    WHERE needs_look = 1 AND client = :client AND standing BETWEEN :from AND :to
    ORDER BY standing";

pub(crate) const REVIEW_TO_LOOK_AT_BY_EMAIL: &str = "
    SELECT standing, id, record, data_key FROM submission
    WHERE needs_look = 1 AND email_key = :email_key AND standing BETWEEN :from AND :to
    ORDER BY standing";
