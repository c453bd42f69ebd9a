mod faults;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard};

use kyc_core::conformance::{submission_store, submission_store_survives};
use kyc_core::memory::MemoryAnswers;
use kyc_core::{
    Aml, AnswerStore, Beside, ClientId, Duplicate, Form, HistoryEntry, Kept, KeyedRequest, Listed,
    Listing, Lookup, PageKey, Preference, QueueFilter, Queued, ScreeningQueue, StoreError,
    Submission, SubmissionParts, SubmissionStore, Timestamp, Visit,
};

use super::finds;
use faults::{FAULTS, Fault};

/// A store like the one in memory, but for its fault.
#[derive(Clone, Default)]
struct Broken {
    fault: Option<Fault>,
    rows: Arc<Mutex<Vec<Queued>>>,
    answers: Arc<Mutex<MemoryAnswers>>,
}

impl Broken {
    fn with(fault: Fault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Queued>> {
        self.rows.lock().unwrap()
    }

    /// What is stored in the place of a submission.
    fn kept(&self, submission: &Submission) -> Submission {
        let mut parts: SubmissionParts = submission.clone().into_parts();
        if self.has(Fault::EmailLosesItsSpelling) {
            let email = parts.form.email.canonical().parse().unwrap();
            parts.form = Form { email, ..parts.form };
        }
        if self.has(Fault::HistoryIsLost) {
            let entries: Vec<HistoryEntry> = parts.history.drain(..).collect();
            parts.history.extend(entries.into_iter().next_back());
        }
        Submission::from_parts(parts).unwrap()
    }

    fn of(&self, rows: &[Queued], client: ClientId) -> Vec<Submission> {
        rows.iter()
            .filter(|row| row.client == client || self.has(Fault::ClientsAreMixed))
            .map(|row| row.submission.clone())
            .collect()
    }

    fn is_meant(&self, lookup: &Lookup<'_>, submission: &Submission) -> bool {
        let is_spelled =
            lookup.email.is_none_or(|email| email.as_str() == submission.form().email.as_str());
        if self.has(Fault::FindComparesSpellings) && !is_spelled {
            return false;
        }
        let email = lookup.email.filter(|_| !self.has(Fault::FindIgnoresTheEmail));
        let user_id = lookup.user_id.filter(|_| !self.has(Fault::FindIgnoresTheUserId));
        let id = lookup.id.filter(|_| !self.has(Fault::FindIgnoresTheId));
        Lookup { email, user_id, id }.matches(submission)
    }

    fn page(&self, mut rows: Vec<Queued>, limit: usize, unlimited: Fault) -> Vec<Queued> {
        rows.truncate(if self.has(unlimited) { usize::MAX } else { limit });
        rows
    }
}

fn is_same(row: &Queued, client: ClientId, submission: &Submission) -> bool {
    row.client == client && row.submission.id() == submission.id()
}

impl AnswerStore for Broken {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        Ok(self.answers.lock().unwrap().find(request, now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        Ok(self.answers.lock().unwrap().forget(now, count_max))
    }
}

impl SubmissionStore for Broken {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        let (mut rows, mut answers) = (self.rows(), self.answers.lock().unwrap());
        answers.check(&beside)?;
        let is_taken = rows.iter().any(|row| {
            is_same(row, client, submission)
                || self.has(Fault::InsertTakesAnIdOnceForAllClients)
                    && row.submission.id() == submission.id()
        });
        let is_refused = is_taken && !self.has(Fault::InsertTakesAnIdTwice);
        if !is_refused || self.has(Fault::InsertRefusesAndStores) {
            rows.push(Queued { client, submission: self.kept(submission) });
        }
        if is_refused {
            return Err(StoreError::Duplicate);
        }
        answers.keep(client, submission.id().to_bytes(), beside);
        Ok(())
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        let (mut rows, mut answers) = (self.rows(), self.answers.lock().unwrap());
        answers.check(&beside)?;
        let kept = Queued { client, submission: self.kept(submission) };
        let Some(place) = rows.iter().position(|row| is_same(row, client, submission)) else {
            if self.has(Fault::ReplaceInserts) {
                rows.push(kept);
                return Ok(());
            }
            return Err(StoreError::Stale);
        };
        let stored = rows[place].submission.version();
        let is_next = stored + 1 == submission.version()
            || self.has(Fault::ReplaceTakesAnyVersion)
            || self.has(Fault::ReplaceTakesLaterVersions) && stored < submission.version();
        if !is_next && !self.has(Fault::ReplaceRefusesAndStores) {
            let is_ok = self.has(Fault::ReplaceAnswersOkAndStoresNothing);
            return if is_ok { Ok(()) } else { Err(StoreError::Stale) };
        }
        rows[place] = kept;
        if self.has(Fault::ReplaceMovesToTheEnd) {
            let row = rows.remove(place);
            rows.push(row);
        }
        if !is_next {
            return Err(StoreError::Stale);
        }
        answers.keep(client, submission.id().to_bytes(), beside);
        Ok(())
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        let all = self.of(&self.rows(), client);
        let mut matches = all.iter().filter(|submission| self.is_meant(lookup, submission));
        let found = if self.has(Fault::FindTakesTheLastInserted) {
            matches.next_back()
        } else if self.has(Fault::FindTakesAlwaysTheLatest) {
            Preference::Latest.pick(matches)
        } else if self.has(Fault::FindTakesAlwaysTheBest) {
            Preference::Best.pick(matches)
        } else {
            preference.pick(matches)
        };
        Ok(found.cloned())
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        let Some(found) = self.find(client, lookup, preference)? else { return Ok(None) };
        let model = if self.has(Fault::DuplicatesAreOfTheLatest) {
            self.find(client, lookup, Preference::Latest)?.unwrap()
        } else {
            found.clone()
        };
        let rows = self.rows();
        let mut same: Vec<&Submission> = rows
            .iter()
            .filter(|row| row.client == client || self.has(Fault::DuplicatesAreOfOtherClients))
            .map(|row| &row.submission)
            .filter(|other| {
                other.person_key() == model.person_key() || self.has(Fault::DuplicatesAreOfAnybody)
            })
            .filter(|other| {
                other.form().email != model.form().email
                    || self.has(Fault::DuplicatesHaveTheSameEmail) && other.id() != model.id()
            })
            .collect();
        same.sort_by_key(|other| Reverse(Preference::Latest.precedence(other)));
        if self.has(Fault::DuplicatesComeOldestFirst) {
            same.reverse();
        }
        let is_bounded = !self.has(Fault::DuplicatesAreUnbounded);
        let count = if is_bounded { Duplicate::COUNT_MAX } else { usize::MAX };
        let duplicates = same.iter().take(count).map(|other| other.as_duplicate()).collect();
        Ok(Some((found, duplicates)))
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        let mut all = self.of(&self.rows(), client);
        if self.has(Fault::ListIsByCreation) {
            all.sort_by_key(Submission::created_at);
        }
        let is_last = |row: &Submission, key: &PageKey| {
            row.id() == key.id
                && (row.form().email == key.email || self.has(Fault::ListIgnoresTheEmailOfTheKey))
        };
        let skipped = match after {
            None => 0,
            Some(key) => match all.iter().position(|row| is_last(row, key)) {
                Some(place) if self.has(Fault::ListRepeatsTheKey) => place,
                Some(place) => place + 1,
                None if self.has(Fault::ListShowsAllForAnUnknownKey) => 0,
                None => return Ok(Listing::UnknownKey),
            },
        };
        for submission in &all[skipped..] {
            let flow = visit(&Listed::from(submission));
            if flow == ControlFlow::Break(()) && !self.has(Fault::ListDoesNotBreak) {
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
        let rows = self.rows();
        let waits = |row: &Queued| match row.submission.review().aml() {
            Some(Aml::Queued) => queue == ScreeningQueue::New || self.has(Fault::QueuesAreOne),
            Some(Aml::Stalled(_)) => {
                queue == ScreeningQueue::Stalled || self.has(Fault::QueuesAreOne)
            }
            Some(Aml::Screened(_)) => match queue {
                ScreeningQueue::Screened => !self.has(Fault::QueueHasNobodyScreened),
                ScreeningQueue::New | ScreeningQueue::Stalled => {
                    self.has(Fault::QueueKeepsTheScreened)
                }
            },
            None => false,
        };
        let place = |after: &Queued| {
            let place =
                rows.iter().position(|row| is_same(row, after.client, &after.submission))?;
            let is_gone = self.has(Fault::QueueStartsAnewBehindWhatLeft) && !waits(&rows[place]);
            (!is_gone && !self.has(Fault::QueueStartsAnew)).then_some(place + 1)
        };
        let skipped = after.and_then(place).unwrap_or(0);
        let due = rows[skipped..].iter().filter(|row| waits(row)).cloned().collect();
        Ok(self.page(due, limit, Fault::QueueHasNoLimit))
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        let place = |row: &Queued| (row.submission.created_at(), row.client, row.submission.id());
        let is_meant = |row: &&Queued| {
            (filter.clients.contains(&row.client) || self.has(Fault::ReviewsOfAllClients))
                && (filter.status.is_none_or(|status| status == row.submission.status())
                    || self.has(Fault::ReviewsOfAnyStatus))
                && (filter.email.is_none_or(|email| *email == row.submission.form().email)
                    || self.has(Fault::ReviewsOfAnyEmail))
                && (!filter.needs_look
                    || self.has(Fault::ReviewsOfAnyScreening)
                    || (row.submission.needs_look()
                        && !(self.has(Fault::ReviewsOfOpenHitsAlone)
                            && row
                                .submission
                                .result()
                                .is_some_and(|result| result.screening.hits.is_empty()))))
                && (after.is_none_or(|after| place(row) > place(after))
                    || self.has(Fault::ReviewsStartAnew))
        };
        let mut meant: Vec<Queued> = self.rows().iter().filter(is_meant).cloned().collect();
        if !self.has(Fault::ReviewsInOrderOfInsertion) {
            meant.sort_by_key(place);
        }
        Ok(self.page(meant, limit, Fault::ReviewsHaveNoLimit))
    }

    fn reads_are_local(&self) -> bool {
        true
    }
}

#[test]
fn a_store_without_a_fault_passes() {
    submission_store(Broken::default);
    let kept = Broken::default();
    submission_store_survives(|| kept.clone());
}

#[test]
fn every_fault_of_a_store_is_found() {
    for fault in FAULTS {
        finds(&format!("{fault:?}"), || submission_store(|| Broken::with(fault)));
    }
    let distinct: BTreeSet<String> = FAULTS.iter().map(|fault| format!("{fault:?}")).collect();
    assert_eq!(distinct.len(), FAULTS.len());
}

#[test]
fn a_store_that_forgets_does_not_survive() {
    finds("everything is lost", || submission_store_survives(Broken::default));
    for fault in [Fault::EmailLosesItsSpelling, Fault::InsertTakesAnIdTwice] {
        let kept = Broken::with(fault);
        finds(&format!("{fault:?}"), || submission_store_survives(|| kept.clone()));
    }
}
