//! What retention asks of submissions.

use kyc_core::{ClientId, Email, Status, StoreError, SubmissionId, Timestamp};
use rusqlite::{Connection, params};
use time::Date;

use super::find::{BY_EMAIL, status_range};
use super::queues::has_email;
use super::row::{self, Reading, client_range, created_ms, day_number, standing};
use crate::error::unavailable;
use crate::pepper::Pepper;

/// As [`Retention::perhaps_over`](kyc_core::Retention::perhaps_over).
pub(crate) fn perhaps_over(
    connection: &Connection,
    client: ClientId,
    counted_to: Date,
) -> Result<Vec<SubmissionId>, StoreError> {
    let mut over = Vec::new();
    let mut ended = connection.prepare_cached(ENDED).map_err(unavailable)?;
    let mut rows =
        ended.query(params![client.get(), day_number(counted_to)]).map_err(unavailable)?;
    while let Some(row) = rows.next().map_err(unavailable)? {
        over.push((row.get(0).map_err(unavailable)?, row::id(row, 1)?));
    }
    let Some(behind) = counted_to.next_day() else { return Ok(Vec::new()) };
    let behind = Timestamp::from_utc(behind.midnight().as_utc());
    for status in Status::ALL.into_iter().filter(|status| *status != Status::Approved) {
        let range = (standing(status, Timestamp::EARLIEST), standing(status, behind));
        let mut open = connection.prepare_cached(OPEN).map_err(unavailable)?;
        let mut rows = open.query(params![client.get(), range.0, range.1]).map_err(unavailable)?;
        while let Some(row) = rows.next().map_err(unavailable)? {
            let standing: i64 = row.get(0).map_err(unavailable)?;
            over.push((created_ms(standing) / DAY_MS, row::id(row, 1)?));
        }
    }
    over.sort_unstable();
    Ok(over.into_iter().map(|(_, id)| id).collect())
}

/// As [`SubmissionStore::of_applicant`](kyc_core::SubmissionStore::of_applicant).
pub(super) fn of_applicant(
    reading: Reading<'_>,
    pepper: &Pepper,
    client: ClientId,
    email: &Email,
) -> Result<Vec<SubmissionId>, StoreError> {
    let mut buffer = Vec::new();
    let mut statement = reading.connection.prepare_cached(BY_EMAIL).map_err(unavailable)?;
    let columns = params![pepper.email(client, email), i64::MAX];
    let mut rows = statement.query(columns).map_err(unavailable)?;
    let (first, last) = client_range(client);
    let mut ids = Vec::new();
    while let Some(row) = rows.next().map_err(unavailable)? {
        let (key, id): (i64, _) = (row.get(1).map_err(unavailable)?, row::id(row, 2)?);
        // Another value may have the same digest.
        if key > first && key <= last {
            let record = reading.record(row, 4, client, id, &mut buffer)?;
            if has_email(record, id, email)? {
                ids.push(id);
            }
        }
    }
    Ok(ids)
}

/// As [`Retention::extent`](kyc_core::Retention::extent).
pub(crate) fn extent(
    connection: &Connection,
    client: ClientId,
) -> Result<(u64, Option<Timestamp>), StoreError> {
    let mut count = connection.prepare_cached(COUNT).map_err(unavailable)?;
    let count: i64 = count.query_row([client.get()], |row| row.get(0)).map_err(unavailable)?;
    let mut newest: Option<i64> = None;
    for status in Status::ALL {
        let (lowest, highest) = status_range(status);
        let mut statement = connection.prepare_cached(NEWEST).map_err(unavailable)?;
        let standing: Option<i64> = statement
            .query_row(params![client.get(), lowest, highest], |row| row.get(0))
            .map_err(unavailable)?;
        newest = newest.max(standing.map(created_ms));
    }
    let mut statement = connection.prepare_cached(NEWEST_DOCUMENT).map_err(unavailable)?;
    let document: Option<i64> =
        statement.query_row([client.get()], |row| row.get(0)).map_err(unavailable)?;
    Ok((count.unsigned_abs(), newest.max(document).and_then(Timestamp::from_unix_millis)))
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(crate) const ENDED: &str = "
    SELECT ended, id FROM submission WHERE client = :client AND ended <= :counted_to";

pub(crate) const OPEN: &str = "
    SELECT standing, id FROM submission
    WHERE client = :client AND standing >= :from AND standing < :to AND ended IS NULL";

pub(crate) const COUNT: &str = "
    SELECT count(*) FROM submission WHERE client = :client";

pub(crate) const NEWEST: &str = "
    SELECT max(standing) FROM submission
    WHERE client = :client AND standing BETWEEN :from AND :to";

// Ids begin with the time.
pub(crate) const NEWEST_DOCUMENT: &str = "
    SELECT (
        SELECT created_ms FROM document WHERE client = :client ORDER BY id DESC LIMIT 1
    )";
