//! Erasing what is over: by itself, and when somebody asks.

mod document;

use std::fmt;
use std::sync::Arc;

use super::{Error, Service};
use crate::{
    Certificate, ClientId, Doubt, Erasure, ErasureCause, Keep, ReasonCode, Retention,
    RetentionPolicy, RetentionRuns, RunFacts, RunLimits, StoreError, Submission, SubmissionId,
    Timestamp,
};

pub use document::EraseDocumentError;

/// Erases what is over, and nothing else (D106, D107).
///
/// ```
/// use kyc_core::conformance::fixture::client;
/// use kyc_core::conformance::stand_in::keeper;
/// use kyc_core::service::EraseError;
/// use kyc_core::conformance::fixture::submission_id;
///
/// let keeper = keeper();
/// assert_eq!(keeper.run(None)?.erased, 0, "nothing is there");
/// let unknown = keeper.erase(client(1), submission_id(1), "asked_for".parse()?);
/// assert!(matches!(unknown, Err(EraseError::NotFound)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Keeper {
    service: Service,
    store: Arc<dyn Retention>,
    policy: RetentionPolicy,
    limits: RunLimits,
}

/// A submission that is to be erased.
///
/// ```
/// use kyc_core::conformance::fixture::{client, submission_id, time};
/// use kyc_core::service::Overdue;
///
/// let [early, late] = [60, 90].map(|seconds| Overdue {
///     since: time(seconds),
///     client: client(1),
///     submission: submission_id(1),
/// });
/// assert!(early < late, "the one that is due for longer first");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overdue {
    /// When its period was over.
    pub since: Timestamp,
    /// Whose it is.
    pub client: ClientId,
    /// Which.
    pub submission: SubmissionId,
}

/// What a run did.
///
/// ```
/// use kyc_core::service::Run;
///
/// assert_eq!(Run::default().doubt, None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Run {
    /// How many submissions were due, but for those of sandboxes.
    pub due: u64,
    /// How many of them were erased.
    pub erased: u64,
    /// How many unused uploads were erased.
    pub uploads: u64,
    /// How many submissions of sandboxes were erased.
    pub of_sandboxes: u64,
    /// Why nothing was erased but in sandboxes, if so: it waits for a confirmation. Of
    /// [another number](Doubt::OtherNumber) not even there.
    pub doubt: Option<Doubt>,
}

/// Why a submission is not erased. Nothing has changed.
///
/// ```
/// use kyc_core::Keep;
/// use kyc_core::conformance::fixture::time;
/// use kyc_core::service::EraseError;
///
/// let refused = EraseError::Kept(Keep::Until(time(0)));
/// assert_eq!(refused.to_string(), "it is to be kept until 2026-11-20T08:00:00.000Z");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// There is no such submission.
    #[error("there is no such submission")]
    NotFound,
    /// It must be kept (article 17(3)(b) of Regulation (EU) 2016/679).
    #[error("it is to be kept {}", kept(*.0))]
    Kept(Keep),
    /// It changes all the time.
    #[error("the submission changed in between")]
    Stale,
    /// The storage failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

fn kept(keep: Keep) -> String {
    match keep {
        Keep::Relationship => {
            "until its period after the end of the relationship, which nobody has told, is over"
                .to_owned()
        }
        Keep::Hold => "while it is held".to_owned(),
        Keep::Until(due) => format!("until {due}"),
    }
}

impl From<StoreError> for EraseError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Keeper {
    /// Erases from the stores of a service.
    pub fn new(
        service: Service,
        store: Arc<dyn Retention>,
        policy: RetentionPolicy,
        limits: RunLimits,
    ) -> Self {
        Self { service, store, policy, limits }
    }

    /// How long records are kept.
    pub fn policy(&self) -> RetentionPolicy {
        self.policy
    }

    /// How the runs have gone.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn runs(&self) -> Result<RetentionRuns, Error> {
        Ok(self.store.runs()?)
    }

    /// What is due of everybody but sandboxes, the longest first, and what a run would make of it.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn due(&self) -> Result<(Vec<Overdue>, Result<u64, Doubt>), Error> {
        let now = self.service.clock.now();
        let (mut due, mut total, mut newest) = (Vec::new(), 0, None);
        for client in self.service.directory.clients()? {
            if self.service.directory.sandbox_ahead(client.id)?.is_none() {
                due.extend(self.overdue(client.id, now)?);
                let (count, last) = self.store.extent(client.id)?;
                total += count;
                newest = newest.max(last);
            }
        }
        due.sort_unstable();
        let before = self.store.runs()?.last.or(newest);
        let count = u64::try_from(due.len()).unwrap_or(u64::MAX);
        let allowed = self.limits.check(&RunFacts { now, before, total, due: count });
        Ok((due, allowed))
    }

    /// Erases what is due: at most as many as the limits say, those that are due for longest. In
    /// doubt nothing is erased and the doubt is noted, unless `confirmed` is just the number of what
    /// is due: then all of it is erased. Another number than that is refused, and nothing happens.
    ///
    /// Sandboxes are not part of that: what is due there by their own clocks is erased.
    ///
    /// # Errors
    ///
    /// [`Error::Stale`] if another run is under way. When the storage fails, what was erased so far
    /// stays erased.
    pub fn run(&self, confirmed: Option<u64>) -> Result<Run, Error> {
        let before = self.store.runs()?;
        let now = self.service.clock.now();
        let (overdue, allowed) = self.due()?;
        let due = u64::try_from(overdue.len()).unwrap_or(u64::MAX);
        if confirmed.is_some_and(|confirmed| confirmed != due) {
            let doubt = allowed.err().unwrap_or(Doubt::OtherNumber);
            return Ok(Run { due, doubt: Some(doubt), ..Run::default() });
        }
        let mut run = Run { due, of_sandboxes: self.run_sandboxes()?, ..Run::default() };
        let allowed = match (confirmed, allowed) {
            (Some(confirmed), _) => confirmed,
            (None, Ok(allowed)) => allowed,
            (None, Err(doubt)) => {
                let after = RetentionRuns { waiting: Some(due), ..before };
                self.store.advance_runs(&before, &after)?;
                return Ok(Run { doubt: Some(doubt), ..run });
            }
        };
        // Before anything is erased, so that of two runs one goes on.
        let after = RetentionRuns { last: Some(now), waiting: None };
        self.store.advance_runs(&before, &after)?;
        let allowed = usize::try_from(allowed).unwrap_or(usize::MAX);
        for Overdue { client, submission, .. } in overdue.into_iter().take(allowed) {
            run.erased += u64::from(self.erase_due(client, submission, now)?);
        }
        for client in self.service.directory.clients()? {
            if self.service.directory.sandbox_ahead(client.id)?.is_none() {
                run.uploads += self.erase_unused(client.id, now)?;
            }
        }
        self.store.scrub()?;
        Ok(run)
    }

    /// Erases what is due in sandboxes, and says how many submissions that were.
    ///
    /// # Errors
    ///
    /// Only when the storage fails; what was erased so far stays erased.
    pub fn run_sandboxes(&self) -> Result<u64, Error> {
        let mut erased = 0;
        for client in self.service.directory.clients()? {
            if self.service.directory.sandbox_ahead(client.id)?.is_none() {
                continue;
            }
            let now = self.service.now_of(client.id)?;
            for Overdue { client, submission, .. } in self.overdue(client.id, now)? {
                erased += u64::from(self.erase_due(client, submission, now)?);
            }
            self.erase_unused(client.id, now)?;
        }
        self.store.scrub()?;
        Ok(erased)
    }

    /// Finishes what earlier erasures left to do, if there is something.
    ///
    /// # Errors
    ///
    /// Only when the storage fails; it is to be called again.
    pub fn finish(&self) -> Result<(), Error> {
        self.store.scrub()?;
        Ok(())
    }

    /// How long a submission is kept.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`].
    pub fn keep(&self, client: ClientId, id: SubmissionId) -> Result<Keep, Error> {
        let submission = self.service.by_id(client, id)?.ok_or(Error::NotFound)?;
        Ok(self.policy.keep(&submission))
    }

    /// Whether [`erase`](Self::erase) would erase a submission. Changes nothing.
    ///
    /// # Errors
    ///
    /// As for [`erase`](Self::erase).
    pub fn check(&self, client: ClientId, id: SubmissionId) -> Result<(), EraseError> {
        self.erasable(client, id).map(|_| ())
    }

    /// Erases a submission because somebody asks for it.
    ///
    /// # Errors
    ///
    /// [`EraseError::Kept`] while it must be kept, with the reason.
    pub fn erase(
        &self,
        client: ClientId,
        id: SubmissionId,
        reason: ReasonCode,
    ) -> Result<Certificate, EraseError> {
        let (submission, now) = self.erasable(client, id)?;
        let erasure = Erasure::of(&submission, ErasureCause::Request(reason), now);
        let erased = match self.store.erase(client, &erasure) {
            Err(StoreError::Stale) => return Err(EraseError::Stale),
            erased => erased?.ok_or(EraseError::NotFound)?,
        };
        self.store.scrub()?;
        Ok(erased)
    }

    /// A submission that need not be kept any more, and the time.
    fn erasable(
        &self,
        client: ClientId,
        id: SubmissionId,
    ) -> Result<(Submission, Timestamp), EraseError> {
        let now = self.service.now_of(client)?;
        let submission = self.service.by_id(client, id)?.ok_or(EraseError::NotFound)?;
        let keep = self.policy.keep(&submission);
        if keep.is_over(now) { Ok((submission, now)) } else { Err(EraseError::Kept(keep)) }
    }

    /// What is due of a client.
    fn overdue(&self, client: ClientId, now: Timestamp) -> Result<Vec<Overdue>, Error> {
        let Some(counted_to) = self.policy.counted_to(now) else { return Ok(Vec::new()) };
        let mut overdue = Vec::new();
        for id in self.store.perhaps_over(client, counted_to)? {
            if let Some(submission) = self.service.by_id(client, id)?
                && let Keep::Until(since) = self.policy.keep(&submission)
                && since <= now
            {
                overdue.push(Overdue { since, client, submission: id });
            }
        }
        Ok(overdue)
    }

    /// Erases a submission if it is still due.
    fn erase_due(&self, client: ClientId, id: SubmissionId, now: Timestamp) -> Result<bool, Error> {
        let Some(submission) = self.service.by_id(client, id)? else { return Ok(false) };
        if !self.policy.keep(&submission).is_over(now) {
            return Ok(false);
        }
        match self.store.erase(client, &Erasure::of(&submission, ErasureCause::Period, now)) {
            // Somebody changed it a moment ago: the next run sees what it is now.
            Err(StoreError::Stale) | Ok(None) => Ok(false),
            Ok(Some(_)) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    fn erase_unused(&self, client: ClientId, now: Timestamp) -> Result<u64, Error> {
        let limit = usize::try_from(self.limits.records_max).unwrap_or(usize::MAX);
        let before = self.policy.unused_before(now);
        let unused = self.store.unused_documents(client, before, limit)?;
        Ok(self.store.erase_unused(client, &unused, now)?)
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, limits, .. } = self;
        f.debug_struct("Keeper")
            .field("policy", policy)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}
