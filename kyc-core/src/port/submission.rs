use std::ops::ControlFlow;

use crate::{
    ClientId, Duplicate, Email, Listed, Preference, Status, StoreError, Submission, SubmissionId,
    UserId,
};

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
pub trait SubmissionStore: Send + Sync {
    /// Stores a submission under a new id.
    ///
    /// # Errors
    ///
    /// [`StoreError::Duplicate`] if the client has a submission of this id; nothing is stored then.
    fn insert(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError>;

    /// Stores a changed submission in the place of its previous version. Id, creation, e-mail,
    /// user id and person are those of the stored one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] unless the stored version is the one before; nothing is stored then.
    fn replace(&self, client: ClientId, submission: &Submission) -> Result<(), StoreError>;

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

    /// At most `limit` approved submissions without a screening result, of all clients, in a fixed
    /// order, behind `after` or from the start.
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
    /// [`find`](Self::find) and [`find_with_duplicates`](Self::find_with_duplicates) where others
    /// wait.
    fn reads_are_local(&self) -> bool;
}

/// What [`SubmissionStore::list`] shows submissions to.
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
    pub fn matches(&self, submission: &Submission) -> bool {
        let form = submission.form();
        self.email.is_none_or(|email| *email == form.email)
            && self.user_id.is_none_or(|user_id| Some(user_id) == form.user_id.as_ref())
            && self.id.is_none_or(|id| id == submission.id())
    }
}

/// Where a page ended: the last submission on it (D41).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Its e-mail address.
    pub email: Email,
    /// Its id.
    pub id: SubmissionId,
}

/// Whether a page key was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// The submissions were shown.
    Shown,
    /// The client has no submission of that id, or it has another e-mail address; nothing was
    /// shown.
    UnknownKey,
}

/// Which of the submissions without a screening result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScreeningQueue {
    /// Those never tried.
    New,
    /// Those tried without a result.
    Stalled,
}

/// A submission in a queue, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queued {
    /// The client that owns it.
    pub client: ClientId,
    /// The submission.
    pub submission: Submission,
}

/// What an inspector wants to see (D53).
#[derive(Debug, Clone)]
pub struct QueueFilter<'a> {
    /// The clients whose submissions are meant, in ascending order.
    pub clients: &'a [ClientId],
    /// The state they are in; `None`: any.
    pub status: Option<Status>,
    /// The applicant's address; `None`: any.
    pub email: Option<&'a Email>,
}
