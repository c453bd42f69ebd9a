//! A store of one's own, proven by the conformance suite: an append-only journal in which every
//! version of a submission is kept, as an auditor would like it.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use kyc_core::memory::MemoryAnswers;
use kyc_core::{
    AnswerStore, Beside, ClientId, Duplicate, Kept, KeyedRequest, Listed, Listing, Lookup, PageKey,
    Preference, QueueFilter, Queued, ScreeningQueue, StoreError, Submission, SubmissionId,
    SubmissionStore, Timestamp, Visit, conformance,
};

/// Every version of every submission, in the order in which they were written.
#[derive(Debug, Default)]
struct Journal {
    entries: RwLock<Vec<Queued>>,
    /// Taken under the lock of the entries: an answer and its entry are one write.
    answers: Mutex<MemoryAnswers>,
}

/// The current versions, in the order in which their submissions were inserted.
struct Current<'j> {
    entries: RwLockReadGuard<'j, Vec<Queued>>,
    /// For each submission the places of its first and of its last version.
    places: BTreeMap<(ClientId, SubmissionId), (usize, usize)>,
}

impl Journal {
    fn read(&self) -> Current<'_> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let mut places = BTreeMap::new();
        for (place, entry) in entries.iter().enumerate() {
            places.entry(key(entry)).or_insert((place, place)).1 = place;
        }
        Current { entries, places }
    }

    fn answers(&self) -> MutexGuard<'_, MemoryAnswers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends if the last version of the submission, 0 for none, is the expected one.
    fn append(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
        expected: u32,
        otherwise: StoreError,
    ) -> Result<(), StoreError> {
        let entry = Queued { client, submission: submission.clone() };
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let mut answers = self.answers();
        answers.check(&beside)?;
        let last = entries.iter().rev().find(|other| key(other) == key(&entry));
        if last.map_or(0, |last| last.submission.version()) != expected {
            return Err(otherwise);
        }
        entries.push(entry);
        answers.keep(client, submission.id().to_bytes(), beside);
        Ok(())
    }
}

fn key(entry: &Queued) -> (ClientId, SubmissionId) {
    (entry.client, entry.submission.id())
}

impl Current<'_> {
    fn all(&self) -> impl Iterator<Item = &Queued> {
        let mut places: Vec<(usize, usize)> = self.places.values().copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|(_, last)| self.entries.get(last))
    }

    fn of(&self, client: ClientId) -> impl Iterator<Item = &Submission> {
        self.all().filter(move |entry| entry.client == client).map(|entry| &entry.submission)
    }

    fn pick(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Option<&Submission> {
        preference.pick(self.of(client).filter(|submission| lookup.matches(submission)))
    }
}

impl AnswerStore for Journal {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        Ok(self.answers().find(request, now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        Ok(self.answers().forget(now, count_max))
    }
}

impl SubmissionStore for Journal {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.append(client, submission, beside, 0, StoreError::Duplicate)
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        let before = submission.version().checked_sub(1).filter(|version| *version > 0);
        let before = before.ok_or(StoreError::Stale)?;
        self.append(client, submission, beside, before, StoreError::Stale)
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        Ok(self.read().pick(client, lookup, preference).cloned())
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        let current = self.read();
        let Some(found) = current.pick(client, lookup, preference) else { return Ok(None) };
        let mut same: Vec<&Submission> = current
            .of(client)
            .filter(|other| other.person_key() == found.person_key())
            .filter(|other| other.form().email != found.form().email)
            .collect();
        same.sort_by_key(|other| std::cmp::Reverse(Preference::Latest.precedence(other)));
        same.truncate(Duplicate::COUNT_MAX);
        Ok(Some((found.clone(), same.into_iter().map(Submission::as_duplicate).collect())))
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        let current = self.read();
        let mut rest = current.of(client);
        let is_key =
            |row: &Submission, key: &PageKey| row.id() == key.id && row.form().email == key.email;
        if let Some(key) = after
            && !rest.any(|row| is_key(row, key))
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
        let current = self.read();
        let waits = |entry: &&Queued| ScreeningQueue::of(&entry.submission) == Some(queue);
        let mut rest = current.all();
        if let Some(after) = after {
            let _skipped = rest.by_ref().find(|entry| key(entry) == key(after));
        }
        Ok(rest.filter(waits).take(limit).cloned().collect())
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        let place =
            |entry: &Queued| (entry.submission.created_at(), entry.client, entry.submission.id());
        let current = self.read();
        let mut meant: Vec<&Queued> = current
            .all()
            .filter(|entry| filter.matches(entry))
            .filter(|entry| after.is_none_or(|after| place(entry) > place(after)))
            .collect();
        meant.sort_by_key(|entry| place(entry));
        Ok(meant.into_iter().take(limit).cloned().collect())
    }

    fn reads_are_local(&self) -> bool {
        true
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    conformance::submission_store(Journal::default);
    writeln!(stdout(), "the journal keeps the contract of a submission store")?;
    Ok(())
}
