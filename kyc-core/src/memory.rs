//! The reference implementation of the stores, in memory.
//!
//! Short and obvious, so that it can serve as the oracle for faster ones. Also the store for tests
//! and for programs that keep nothing.

mod answers;
mod audit;
mod directory;
mod documents;
mod retention;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{
    AnswerStore, AuditEntry, AuditLog, Beside, ClientId, DocumentId, Duplicate, Kept, KeyedRequest,
    Listed, Listing, Lookup, Monitoring, MonitoringState, PageKey, Preference, QueueFilter, Queued,
    ScreeningQueue, StoreError, Submission, SubmissionStore, Timestamp, Visit,
};

pub use answers::MemoryAnswers;
pub use audit::MemoryAudit;
pub use directory::MemoryDirectory;
pub use documents::MemoryDocuments;
pub use retention::MemoryRetention;

/// Locks, also after a panic elsewhere: every change below is checked first and made last, so no
/// panic leaves one half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps submissions in memory, in the order of insertion.
///
/// ```
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{ClientId, Lookup, Preference, SubmissionStore};
///
/// let store = MemorySubmissions::default();
/// let client = ClientId::new(1).ok_or("no number")?;
/// assert!(store.find(client, &Lookup::default(), Preference::Best)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MemorySubmissions {
    rows: Mutex<Submissions>,
    audit: Arc<MemoryAudit>,
}

#[derive(Debug, Default)]
struct Submissions {
    queued: Vec<Queued>,
    answers: MemoryAnswers,
    /// Documents to which no submission may refer any more.
    erased: BTreeSet<(ClientId, DocumentId)>,
}

impl Submissions {
    fn check_documents(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError> {
        let is_erased = |document| self.erased.contains(&(client, document));
        let refers = submission.documents().into_iter().any(is_erased);
        if refers { Err(StoreError::Stale) } else { Ok(()) }
    }
}

impl MemorySubmissions {
    /// Records changes in an audit that others use, too.
    #[must_use]
    pub fn with_audit(mut self, audit: Arc<MemoryAudit>) -> Self {
        self.audit = audit;
        self
    }
}

impl SubmissionStore for MemorySubmissions {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        let mut rows = lock(&self.rows);
        rows.answers.check(&beside)?;
        let is_same = |row: &Queued| row.client == client && row.submission.id() == submission.id();
        if rows.queued.iter().any(is_same) {
            return Err(StoreError::Duplicate);
        }
        rows.check_documents(client, submission)?;
        let about = self.audit.audit_hash(Some(client), submission.form().email.canonical());
        self.audit.push(
            Some(client),
            AuditEntry::of_insertion(submission, about).by_key(beside.key.as_ref()),
        );
        rows.queued.push(Queued { client, submission: submission.clone() });
        rows.answers.keep(client, submission.id().to_bytes(), beside);
        Ok(())
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        let mut rows = lock(&self.rows);
        rows.answers.check(&beside)?;
        rows.check_documents(client, submission)?;
        let stored = rows
            .queued
            .iter_mut()
            .filter(|row| row.client == client && row.submission.id() == submission.id())
            .map(|row| &mut row.submission)
            .find(|stored| stored.version().checked_add(1) == Some(submission.version()))
            .ok_or(StoreError::Stale)?;
        AuditEntry::of_replacement(submission)
            .map(|entry| entry.by_key(beside.key.as_ref()))
            .for_each(|entry| self.audit.push(Some(client), entry));
        *stored = submission.clone();
        rows.answers.keep(client, submission.id().to_bytes(), beside);
        Ok(())
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        let rows = lock(&self.rows);
        let matches = of(&rows.queued, client).filter(|submission| lookup.matches(submission));
        Ok(preference.pick(matches).cloned())
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        let rows = lock(&self.rows);
        let matches = of(&rows.queued, client).filter(|submission| lookup.matches(submission));
        let Some(found) = preference.pick(matches) else { return Ok(None) };
        let (key, email) = (found.person_key(), &found.form().email);
        let mut same: Vec<&Submission> = of(&rows.queued, client)
            .filter(|other| other.person_key() == key && other.form().email != *email)
            .collect();
        same.sort_by_key(|other| Preference::Latest.precedence(other));
        let duplicates =
            same.iter().rev().take(Duplicate::COUNT_MAX).map(|s| s.as_duplicate()).collect();
        Ok(Some((found.clone(), duplicates)))
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        let rows = lock(&self.rows);
        let mut rest = of(&rows.queued, client);
        if let Some(key) = after
            && !rest.any(|row| row.id() == key.id && row.form().email == key.email)
        {
            return Ok(Listing::UnknownKey);
        }
        for submission in rest {
            if let ControlFlow::Break(()) = visit(&Listed::from(submission)) {
                break;
            }
        }
        Ok(Listing::Shown)
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        let rows = lock(&self.rows);
        let is_same = |row: &&Queued, other: &Queued| {
            row.client == other.client && row.submission.id() == other.submission.id()
        };
        let start = after.and_then(|after| rows.queued.iter().position(|row| is_same(&row, after)));
        let waits = |row: &&Queued| ScreeningQueue::of(&row.submission) == Some(queue);
        let skipped = start.map_or(0, |at| at + 1);
        Ok(rows.queued.iter().skip(skipped).filter(waits).take(limit).cloned().collect())
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        let rows = lock(&self.rows);
        let place = |row: &Queued| (row.submission.created_at(), row.client, row.submission.id());
        let mut meant: Vec<&Queued> = rows
            .queued
            .iter()
            .filter(|row| filter.matches(row))
            .filter(|row| after.is_none_or(|after| place(row) > place(after)))
            .collect();
        meant.sort_by_key(|row| place(row));
        Ok(meant.into_iter().take(limit).cloned().collect())
    }

    fn reads_are_local(&self) -> bool {
        true
    }
}

impl AnswerStore for MemorySubmissions {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        Ok(lock(&self.rows).answers.find(request, now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        Ok(lock(&self.rows).answers.forget(now, count_max))
    }
}

fn of(rows: &[Queued], client: ClientId) -> impl Iterator<Item = &Submission> {
    rows.iter().filter(move |row| row.client == client).map(|row| &row.submission)
}

/// Keeps in memory how far monitoring is.
///
/// ```
/// use kyc_core::memory::MemoryMonitoring;
/// use kyc_core::{Monitoring, MonitoringState};
///
/// assert_eq!(MemoryMonitoring::default().monitoring()?, MonitoringState::default());
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryMonitoring {
    state: Mutex<MonitoringState>,
}

impl Monitoring for MemoryMonitoring {
    fn monitoring(&self) -> Result<MonitoringState, StoreError> {
        Ok(lock(&self.state).clone())
    }

    fn advance_monitoring(
        &self,
        before: &MonitoringState,
        after: &MonitoringState,
    ) -> Result<(), StoreError> {
        let mut state = lock(&self.state);
        if *state != *before {
            return Err(StoreError::Stale);
        }
        *state = after.clone();
        Ok(())
    }
}
