//! Submissions: the port.

mod duplicates;
mod find;
mod queues;
mod row;
mod write;

use std::ops::ControlFlow;

use kyc_core::{
    AuditEntry, ClientId, Duplicate, Listing, Lookup, PageKey, Preference, QueueFilter, Queued,
    ScreeningQueue, StoreError, Submission, SubmissionStore, Then, Visit,
};
use rusqlite::{Connection, params};

use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::listed;
use crate::writer::Extent;
pub(crate) use row::{Column, Stored};
pub(crate) use write::is_unique_violation;

use row::{Row, blob, client_range};

impl SubmissionStore for SqliteStore {
    fn insert(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError> {
        self.thin_out_now_and_then(client, submission);
        self.writer().change(Extent::Statement, self.insertion(client, submission))
    }

    fn insert_then(&self, client: ClientId, submission: Submission, then: Then) {
        self.thin_out_now_and_then(client, &submission);
        let insert = self.insertion(client, &submission);
        let answer = move |inserted: Result<(), _>| then(inserted.map(|()| submission));
        self.writer().change_then(Extent::Statement, insert, answer);
    }

    fn replace(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError> {
        let row = Row::of(self.pepper(), client, submission);
        let entries: Vec<_> = AuditEntry::of_replacement(submission).collect();
        let audit = self.audit().clone();
        self.writer().change(Extent::Statement, move |connection| {
            audit.record(connection, client, &entries, || write::replace(connection, &row))
        })
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        self.readers().read(|connection| {
            let found = find::find(connection, self.pepper(), client, lookup, preference)?;
            Ok(found.map(|found| found.submission))
        })
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        let pepper = self.pepper();
        self.readers().read(|connection| {
            let found = find::find(connection, pepper, client, lookup, preference)?;
            let Some(found) = found else { return Ok(None) };
            let duplicates = duplicates::duplicates(connection, pepper, client, &found)?;
            Ok(Some((found.submission, duplicates)))
        })
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        self.readers().read(|connection| {
            let (first, last) = client_range(client);
            let after = match after {
                None => first,
                Some(page_key) => match place(connection, client, page_key)? {
                    None => return Ok(Listing::UnknownKey),
                    Some(key) => key,
                },
            };
            list(connection, after, last, visit).map(|()| Listing::Shown)
        })
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.readers().read(|connection| queues::screening(connection, queue, after, limit))
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        let pepper = self.pepper();
        self.readers().read(|connection| queues::review(connection, pepper, filter, after, limit))
    }

    fn reads_are_local(&self) -> bool {
        true
    }
}

impl SqliteStore {
    /// Stores the submission and the row that says so.
    fn insertion(
        &self,
        client: ClientId,
        submission: &Submission,
    ) -> impl FnOnce(&Connection) -> Result<(), StoreError> + Send + use<> {
        let row = Row::of(self.pepper(), client, submission);
        let audit = self.audit().clone();
        let about = audit.hash(Some(client), submission.form().email.canonical());
        let entry = AuditEntry::of_insertion(submission, about);
        move |connection| {
            audit.record(connection, client, &[entry], || write::insert(connection, &row))
        }
    }

    fn thin_out_now_and_then(&self, client: ClientId, submission: &Submission) {
        if duplicates::is_time_to_thin_out(submission.id()) {
            let person = duplicates::Person::of(self.pepper(), client, submission);
            let thin_out = move |connection: &Connection| duplicates::thin_out(connection, &person);
            // Whether it is done matters little: another write will try again.
            self.writer().change_then(Extent::Several, thin_out, |_| ());
        }
    }
}

/// The key of the row that a page key means.
fn place(
    connection: &Connection,
    client: ClientId,
    page_key: &PageKey,
) -> Result<Option<i64>, StoreError> {
    let lookup = Lookup { email: Some(&page_key.email), id: Some(page_key.id), user_id: None };
    let found = find::by_id(connection, client, page_key.id, &lookup)?;
    Ok(found.map(|found| found.key))
}

/// Shows the rows behind `after`, up to `last`, straight from the pages of the database.
fn list(
    connection: &Connection,
    after: i64,
    last: i64,
    visit: &mut Visit<'_>,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(LIST).map_err(unavailable)?;
    let mut rows = statement.query(params![after, last]).map_err(unavailable)?;
    while let Some(row) = rows.next().map_err(unavailable)? {
        let id = row::id(row, 0)?;
        let listed = listed(blob(row, 1)?).map_err(|damage| damage.of(id))?;
        if let ControlFlow::Break(()) = visit(&listed) {
            break;
        }
    }
    Ok(())
}

pub(crate) const LIST: &str = "
    SELECT id, record FROM submission
    WHERE key > :after AND key <= :last
    ORDER BY key";

#[cfg(test)]
mod tests;
