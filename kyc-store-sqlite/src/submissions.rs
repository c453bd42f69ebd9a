//! Submissions: the port.

mod duplicates;
mod find;
mod over;
mod queues;
mod row;
mod stored;
mod write;

use std::ops::{ControlFlow, RangeInclusive};

use kyc_core::{
    AuditEntry, Beside, ClientId, Duplicate, Email, Listing, Lookup, PageKey, Preference,
    QueueFilter, Queued, ScreeningQueue, StoreError, Submission, SubmissionId, SubmissionStore,
    Then, Visit,
};
use rusqlite::{Connection, params};

use crate::SqliteStore;
use crate::beside::BesideRows;
use crate::error::unavailable;
use crate::record::listed;
use crate::writer::Extent;
pub(crate) use over::{extent, perhaps_over};
pub(crate) use row::{RECORD, Row, TABLE};
pub(crate) use stored::{Contradiction, PORTION, contradictions, newest};
pub(crate) use write::{is_unique_violation, replace};

use row::Reading;
pub(crate) use row::{client_range, standings_since};

impl SubmissionStore for SqliteStore {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.thin_out_now_and_then(client, submission);
        let row = Row::of(self, client, submission)?;
        let (extent, insert) = self.insertion(row, submission, beside);
        self.writer().change(extent, insert)
    }

    fn insert_then(&self, client: ClientId, submission: &Submission, beside: Beside, then: Then) {
        let row = match Row::of(self, client, submission) {
            Ok(row) => row,
            Err(error) => return then(Err(error)),
        };
        let (extent, insert) = self.insertion(row, submission, beside);
        self.thin_out_now_and_then(client, submission);
        self.writer().change_then(extent, insert, then);
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        let row = Row::of(self, client, submission)?;
        let entries: Vec<_> = AuditEntry::of_replacement(submission)
            .map(|entry| entry.by_key(beside.key.as_ref()))
            .collect();
        let beside = BesideRows::of(self, client, submission.id().to_bytes(), beside);
        let audit = self.audit().clone();
        let extent = if row.changes_uses() { Extent::Several } else { beside.extent() };
        self.writer().change(extent, move |connection| {
            audit.record(connection, client, &entries, || {
                beside.insert(connection)?;
                replace(connection, &row)
            })
        })
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        self.readers().read(|connection| {
            let found =
                find::find(self.reading(connection), self.pepper(), client, lookup, preference)?;
            Ok(found.map(|found| found.submission))
        })
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        self.readers().read(|connection| {
            let (reading, pepper) = (self.reading(connection), self.pepper());
            let found = find::find(reading, pepper, client, lookup, preference)?;
            let Some(found) = found else { return Ok(None) };
            let duplicates = duplicates::duplicates(reading, pepper, client, &found)?;
            Ok(Some((found.submission, duplicates)))
        })
    }

    fn of_applicant(
        &self,
        client: ClientId,
        email: &Email,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        self.readers().read_now(|connection| {
            over::of_applicant(self.reading(connection), self.pepper(), client, email)
        })
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        self.readers().read(|connection| {
            let reading = self.reading(connection);
            let (first, last) = client_range(client);
            let after = match after {
                None => first,
                Some(page_key) => match place(reading, client, page_key)? {
                    None => return Ok(Listing::UnknownKey),
                    Some(key) => key,
                },
            };
            list(reading, client, after..=last, visit).map(|()| Listing::Shown)
        })
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.readers()
            .read(|connection| queues::screening(self.reading(connection), queue, after, limit))
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.readers().read(|connection| {
            queues::review(self.reading(connection), self.pepper(), filter, after, limit)
        })
    }

    fn reads_are_local(&self) -> bool {
        true
    }
}

impl SqliteStore {
    fn reading<'r>(&'r self, connection: &'r Connection) -> Reading<'r> {
        Reading { connection, sealing: self.sealing() }
    }

    /// Stores the submission, and the rows that belong to it.
    fn insertion(
        &self,
        row: Row,
        submission: &Submission,
        beside: Beside,
    ) -> (Extent, impl FnOnce(&Connection) -> Result<(), StoreError> + Send + use<>) {
        let client = row.client;
        let key = beside.key.clone();
        let beside = BesideRows::of(self, client, submission.id().to_bytes(), beside);
        let extent = if row.documents.is_empty() { beside.extent() } else { Extent::Several };
        let audit = self.audit().clone();
        let about = audit.hash(Some(client), submission.form().email.canonical());
        let entry = AuditEntry::of_insertion(submission, about).by_key(key.as_ref());
        let quotas = self.quotas().clone();
        let insert = move |connection: &Connection| {
            audit.record(connection, client, &[entry], || {
                beside.insert(connection)?;
                write::insert(connection, &row, &quotas)
            })
        };
        (extent, insert)
    }

    fn thin_out_now_and_then(&self, client: ClientId, submission: &Submission) {
        if duplicates::is_time_to_thin_out(submission.id()) {
            let person = duplicates::Person::of(self.pepper(), client, submission);
            let sealing = self.sealing().clone();
            let thin_out = move |connection: &Connection| {
                duplicates::thin_out(Reading { connection, sealing: &sealing }, &person)
            };
            // Whether it is done matters little: another write will try again.
            self.writer().change_then(Extent::Several, thin_out, |_| ());
        }
    }
}

/// The key of the row that a page key means.
fn place(
    reading: Reading<'_>,
    client: ClientId,
    page_key: &PageKey,
) -> Result<Option<i64>, StoreError> {
    let lookup = Lookup { email: Some(&page_key.email), id: Some(page_key.id), user_id: None };
    let found = find::by_id(reading, client, page_key.id, &lookup)?;
    Ok(found.map(|found| found.key))
}

/// Shows the rows behind the first key, up to the last: straight from the pages of the database where
/// they are in clear.
fn list(
    reading: Reading<'_>,
    client: ClientId,
    keys: RangeInclusive<i64>,
    visit: &mut Visit<'_>,
) -> Result<(), StoreError> {
    let mut buffer = Vec::new();
    let mut statement = reading.connection.prepare_cached(LIST).map_err(unavailable)?;
    let mut rows = statement.query(params![keys.start(), keys.end()]).map_err(unavailable)?;
    while let Some(row) = rows.next().map_err(unavailable)? {
        let id = row::id(row, 0)?;
        let record = reading.record(row, 1, client, id, &mut buffer)?;
        let listed = listed(record).map_err(|damage| damage.of(id))?;
        if let ControlFlow::Break(()) = visit(&listed) {
            break;
        }
    }
    Ok(())
}

pub(crate) const LIST: &str = "
    SELECT id, record, data_key FROM submission
    WHERE key > :after AND key <= :last
    ORDER BY key";

#[cfg(test)]
mod tests;
