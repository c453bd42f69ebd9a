//! What a client may use (D103).
//!
//! The bytes of documents and the uploads of a day are counted by triggers in `usage`, in the
//! transaction that stores or removes a document. Submissions of a day need no count of their own:
//! the keys of a client have no gaps, so how many there are since midnight follows from the last
//! key of the day before.

use std::collections::HashMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::{Arc, Mutex, PoisonError};

use kyc_core::{ClientId, Document, StoreError, Timestamp, UsedUp};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::unavailable;
use crate::submissions::{client_range, standings_since};

/// What each client may use at most; `None` does not limit. By default nothing is limited.
///
/// A day is one of UTC, by the times of what is stored.
///
/// ```
/// use std::num::NonZeroU64;
///
/// use kyc_store_sqlite::{Options, Quotas};
///
/// let quotas = Quotas { document_bytes: NonZeroU64::new(1 << 40), ..Quotas::default() };
/// let options = Options { quotas, ..Options::default() };
/// assert!(options.quotas.uploads_per_day.is_none());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quotas {
    /// Bytes of all stored documents together.
    pub document_bytes: Option<NonZeroU64>,
    /// Documents stored on one day.
    pub uploads_per_day: Option<NonZeroU32>,
    /// Submissions stored on one day, renewals among them.
    pub submissions_per_day: Option<NonZeroU32>,
}

/// Keeps the quotas. Cheap to clone into a change.
#[derive(Debug, Clone)]
pub(crate) struct Keeper {
    quotas: Quotas,
    days: Arc<Mutex<HashMap<ClientId, Day>>>,
}

/// The day of a client's most recent submission.
#[derive(Debug, Clone, Copy)]
struct Day {
    number: i64,
    /// The last key of the days before.
    last_before: i64,
}

impl Keeper {
    pub(crate) fn new(quotas: Quotas) -> Self {
        Self { quotas, days: Arc::default() }
    }

    /// Whether a client may store a document of so many bytes.
    pub(crate) fn check_upload(
        &self,
        connection: &Connection,
        client: ClientId,
        at: Timestamp,
        bytes: u32,
    ) -> Result<(), StoreError> {
        let Quotas { document_bytes, uploads_per_day, .. } = self.quotas;
        if document_bytes.is_none() && uploads_per_day.is_none() {
            return Ok(());
        }
        let usage = Usage::of(connection, client)?;
        if let Some(max) = uploads_per_day
            && usage.uploads_on(day(at)) >= i64::from(max.get())
        {
            return Err(UsedUp::UploadsOfDay { max: max.get() }.into());
        }
        let with_it = u64::try_from(usage.document_bytes).unwrap_or(0).saturating_add(bytes.into());
        if document_bytes.is_some_and(|max| with_it > max.get()) {
            return Err(UsedUp::Storage.into());
        }
        Ok(())
    }

    /// As [`check_upload`](Self::check_upload), for a document that is there.
    pub(crate) fn check_document(
        &self,
        connection: &Connection,
        client: ClientId,
        document: &Document,
    ) -> Result<(), StoreError> {
        self.check_upload(connection, client, document.created_at, document.size_bytes)
    }

    /// The largest key that a submission of this time may get.
    pub(crate) fn last_key(
        &self,
        connection: &Connection,
        client: ClientId,
        at: Timestamp,
    ) -> Result<i64, StoreError> {
        let (_, last) = client_range(client);
        let Some(max) = self.quotas.submissions_per_day else { return Ok(last) };
        let mut days = self.days.lock().unwrap_or_else(PoisonError::into_inner);
        let day = match days.get(&client) {
            // One that is stored after midnight with a time before counts for the new day.
            Some(known) if known.number >= day(at) => *known,
            Some(_) | None => {
                let day = Day::begin(connection, client, day(at))?;
                days.insert(client, day);
                day
            }
        };
        Ok(last.min(day.last_before.saturating_add(max.get().into())))
    }

    /// Why a submission got no key.
    pub(crate) fn no_key(&self) -> UsedUp {
        UsedUp::SubmissionsOfDay { max: self.quotas.submissions_per_day.map_or(0, NonZeroU32::get) }
    }
}

impl Day {
    /// Counts what the client has stored on this day already: some after a restart, nothing at
    /// midnight.
    fn begin(connection: &Connection, client: ClientId, number: i64) -> Result<Self, StoreError> {
        let (first, last) = client_range(client);
        let mut statement = connection.prepare_cached(NEWEST).map_err(unavailable)?;
        let newest = statement.query_row(params![first, last], |row| row.get::<_, i64>(0));
        let mut statement = connection.prepare_cached(COUNT).map_err(unavailable)?;
        let mut since_midnight = 0;
        for (low, high) in standings_since(number * MILLISECONDS_PER_DAY) {
            let count = statement.query_row(params![client.get(), low, high], |row| row.get(0));
            since_midnight += count.map_err(unavailable).map(|count: i64| count)?;
        }
        Ok(Self { number, last_before: newest.map_err(unavailable)? - since_midnight })
    }
}

/// What is counted in the database.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    document_bytes: i64,
    day: i64,
    uploads: i64,
}

impl Usage {
    pub(crate) fn of(connection: &Connection, client: ClientId) -> Result<Self, StoreError> {
        let mut statement = connection.prepare_cached(USAGE).map_err(unavailable)?;
        let usage = statement.query_row([client.get()], |row| {
            Ok(Self { document_bytes: row.get(0)?, day: row.get(1)?, uploads: row.get(2)? })
        });
        Ok(usage.optional().map_err(unavailable)?.unwrap_or_default())
    }

    /// With one more document, counted as by the trigger.
    pub(crate) fn with_upload(self, at: Timestamp) -> Self {
        Self { day: self.day.max(day(at)), uploads: self.uploads_on(day(at)) + 1, ..self }
    }

    /// Whether as many uploads are counted, on the same day.
    pub(crate) fn has_uploads_of(&self, other: &Self) -> bool {
        (self.day, self.uploads) == (other.day, other.uploads)
    }

    fn uploads_on(&self, day: i64) -> i64 {
        if self.day < day { 0 } else { self.uploads }
    }
}

fn day(at: Timestamp) -> i64 {
    at.unix_millis().div_euclid(MILLISECONDS_PER_DAY)
}

const MILLISECONDS_PER_DAY: i64 = 24 * 60 * 60 * 1_000;

pub(crate) const USAGE: &str = "
    SELECT document_bytes, day, uploads FROM usage WHERE client = :client";

pub(crate) const NEWEST: &str = "
    SELECT coalesce(max(key), :first) FROM submission WHERE key > :first AND key <= :last";

pub(crate) const COUNT: &str = "
    SELECT count(*) FROM submission
    WHERE client = :client AND standing BETWEEN :low AND :high";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::STEPS;

    #[test]
    fn d103_documents_of_an_earlier_release_are_counted() {
        let database = Connection::open_in_memory().unwrap();
        STEPS.iter().take(2).for_each(|step| database.execute_batch(step).unwrap());
        let stored = "
            INSERT INTO document (client, id, handle, format, size_bytes, checksum, created_ms)
            VALUES (1, randomblob(16), '', '', 700, zeroblob(16), 0),
                   (1, randomblob(16), '', '', 50, zeroblob(16), 0),
                   (2, randomblob(16), '', '', 9, zeroblob(16), 0)";
        database.execute_batch(stored).unwrap();
        STEPS.iter().skip(2).for_each(|step| database.execute_batch(step).unwrap());
        let bytes =
            |number| Usage::of(&database, ClientId::new(number).unwrap()).unwrap().document_bytes;
        assert_eq!((bytes(1), bytes(2), bytes(3)), (750, 9, 0));
    }
}
