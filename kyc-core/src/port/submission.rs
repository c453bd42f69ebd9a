use std::ops::ControlFlow;

use crate::{
    AnswerStore, Beside, ClientId, Duplicate, Email, Listed, Preference, QueueFilter, Queued,
    ScreeningQueue, StoreError, Submission, SubmissionId, UserId,
};

/// What is done when a submission was stored, or with the reason why it was not.
pub type Then = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// Keeps submissions.
///
/// # Contract
///
/// * A write is visible to every later read, is all or nothing, and once acknowledged survives a
///   crash of the process and of the machine.
/// * An absent submission, and another client's, is `Ok(None)`, never an error.
/// * Two clients may have submissions of the same id.
/// * [`find`](Self::find) selects by every condition of the [`Lookup`] at once; e-mails compare by
///   their canonical form, and of several matches the [`Preference`] decides.
/// * [`list`](Self::list) visits in the order of insertion, which later insertions extend only at
///   the end.
/// * [`replace`](Self::replace) is compare-and-set on the version.
///
/// Methods block. A server calls them where blocking is allowed.
///
/// ```
/// use kyc_core::conformance::fixture::{approved, client, rejected, sample};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{Lookup, Preference, StoreError, SubmissionStore};
///
/// let store = MemorySubmissions::default();
/// store.insert(client(1), &sample())?;
///
/// // Two decide on the same version; the second is told.
/// store.replace(client(1), &approved(sample()))?;
/// let late = store.replace(client(1), &rejected(sample()));
/// assert!(matches!(late, Err(StoreError::Stale)));
///
/// let any = Lookup::default();
/// assert_eq!(store.find(client(1), &any, Preference::Best)?, Some(approved(sample())));
/// assert_eq!(store.find(client(2), &any, Preference::Best)?, None);
/// # Ok::<(), StoreError>(())
/// ```
pub trait SubmissionStore: AnswerStore {
    /// Stores a submission under a new id.
    ///
    /// # Errors
    ///
    /// [`StoreError::Duplicate`] if the client has a submission of this id, and
    /// [`StoreError::UsedUp`] if it may not store any more; nothing is stored then.
    fn insert(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError> {
        self.insert_with(client, submission, Beside::NOTHING)
    }

    /// As [`insert`](Self::insert), with something in the same write.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyTaken`] if it brings an answer under a key that has one, else
    /// [`StoreError::Duplicate`]; nothing is stored then.
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError>;

    /// As [`insert_with`](Self::insert_with), but tells the outcome to `then`, once, when it is known: maybe
    /// later, on a thread of the store. A store that [answers at once](Self::reads_are_local) does
    /// not wait in here.
    fn insert_then(&self, client: ClientId, submission: &Submission, beside: Beside, then: Then) {
        then(self.insert_with(client, submission, beside));
    }

    /// Stores a changed submission in the place of its previous version. Id, creation, e-mail,
    /// user id and person are those of the stored one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] unless the stored version is the one before; nothing is stored then.
    fn replace(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError> {
        self.replace_with(client, submission, Beside::NOTHING)
    }

    /// As [`replace`](Self::replace), with something in the same write.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyTaken`] if it brings an answer under a key that has one, else
    /// [`StoreError::Stale`]; nothing is stored then.
    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError>;

    /// Finds the one submission that a lookup means.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError>;

    /// As [`find`](Self::find), together with the submissions of the same person under other
    /// e-mail addresses of the client: the most recent [`Duplicate::COUNT_MAX`], most recent first
    /// (D39). Both are of one moment.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError>;

    /// Shows submissions in the order of insertion, those behind `after` or all, until `visit`
    /// breaks.
    ///
    /// # Errors
    ///
    /// Only when the storage fails; some may have been shown by then.
    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError>;

    /// At most `limit` approved submissions of one queue, of all clients, in an order that no
    /// change of a submission alters, behind `after` or from the start. `after` may have left the
    /// queue.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError>;

    /// The inspectors' queue: at most `limit` submissions, ordered by creation, then client, then
    /// id, behind `after` or from the start.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError>;

    /// Whether reads are answered from this machine in microseconds. A server may then call
    /// [`find`](Self::find), [`find_with_duplicates`](Self::find_with_duplicates) and
    /// [`insert_then`](Self::insert_then) where others wait.
    fn reads_are_local(&self) -> bool;
}

/// What [`SubmissionStore::list`] shows submissions to.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use kyc_core::conformance::fixture::{client, sample};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{Listed, SubmissionStore};
///
/// let store = MemorySubmissions::default();
/// store.insert(client(1), &sample())?;
/// let mut names = Vec::new();
/// let mut visit = |listed: &Listed<'_>| {
///     names.push(listed.last_name.to_owned());
///     ControlFlow::Continue(())
/// };
/// store.list(client(1), None, &mut visit)?;
/// assert_eq!(names, ["Kole"]);
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
pub type Visit<'v> = dyn FnMut(&Listed<'_>) -> ControlFlow<()> + 'v;

/// Which submissions are meant: all conditions that are set must hold.
///
/// ```
/// use kyc_core::{Email, Lookup};
///
/// let email: Email = "mira@example.org".parse()?;
/// let lookup = Lookup { email: Some(&email), ..Lookup::default() };
/// assert!(lookup.id.is_none());
/// # Ok::<(), kyc_core::InvalidEmail>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Lookup<'a> {
    /// The applicant's address, in any spelling.
    pub email: Option<&'a Email>,
    /// The caller's own id of the applicant.
    pub user_id: Option<&'a UserId>,
    /// The submission's id.
    pub id: Option<SubmissionId>,
}

impl Lookup<'_> {
    /// Whether a submission meets every condition.
    ///
    /// ```
    /// use kyc_core::Lookup;
    /// use kyc_core::conformance::fixture::{sample, submission_id};
    ///
    /// assert!(Lookup::default().matches(&sample()), "no condition, so every one is met");
    /// let other = Lookup { id: Some(submission_id(9)), ..Lookup::default() };
    /// assert!(!other.matches(&sample()));
    /// ```
    pub fn matches(&self, submission: &Submission) -> bool {
        let form = submission.form();
        self.email.is_none_or(|email| *email == form.email)
            && self.user_id.is_none_or(|user_id| Some(user_id) == form.user_id.as_ref())
            && self.id.is_none_or(|id| id == submission.id())
    }
}

/// Where a page ended: the last submission on it (D41).
///
/// ```
/// use kyc_core::PageKey;
/// use kyc_core::conformance::fixture::sample;
///
/// let last = sample();
/// let key = PageKey { email: last.form().email.clone(), id: last.id() };
/// assert_eq!(key.email, "MIRA.KOLE@example.org".parse()?, "in any spelling");
/// # Ok::<(), kyc_core::InvalidEmail>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Its e-mail address.
    pub email: Email,
    /// Its id.
    pub id: SubmissionId,
}

/// Whether a page key was known.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use kyc_core::conformance::fixture::{client, sample};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{Listing, PageKey, SubmissionStore};
///
/// let store = MemorySubmissions::default();
/// let key = PageKey { email: sample().form().email.clone(), id: sample().id() };
/// let listing = store.list(client(1), Some(&key), &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(listing, Listing::UnknownKey);
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// The submissions were shown.
    Shown,
    /// The client has no submission of that id, or it has another e-mail address; nothing was
    /// shown.
    UnknownKey,
}
