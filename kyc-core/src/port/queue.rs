use crate::{Aml, ClientId, Email, Status, Submission, SubmissionId};

/// Which of the approved submissions.
///
/// ```
/// use kyc_core::conformance::fixture::{client, form_aml_only, submission};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{ScreeningQueue, SubmissionStore};
///
/// let store = MemorySubmissions::default();
/// store.insert(client(1), &submission(1, form_aml_only()))?;
/// assert_eq!(store.awaiting_screening(ScreeningQueue::New, None, 10)?.len(), 1);
/// assert_eq!(store.awaiting_screening(ScreeningQueue::Stalled, None, 10)?.len(), 0);
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScreeningQueue {
    /// Those never tried.
    New,
    /// Those tried without a result.
    Stalled,
    /// Those with a result, for monitoring (D84).
    Screened,
}

impl ScreeningQueue {
    /// The queue that a submission is in; `None` unless it is approved.
    ///
    /// ```
    /// use kyc_core::ScreeningQueue;
    /// use kyc_core::conformance::fixture::{approved, sample};
    ///
    /// assert_eq!(ScreeningQueue::of(&sample()), None);
    /// assert_eq!(ScreeningQueue::of(&approved(sample())), Some(ScreeningQueue::New));
    /// ```
    pub fn of(submission: &Submission) -> Option<Self> {
        Some(match submission.review().aml()? {
            Aml::Queued => Self::New,
            Aml::Stalled(_) => Self::Stalled,
            Aml::Screened(_) => Self::Screened,
        })
    }
}

/// A submission in a queue, and whose it is.
///
/// ```
/// use kyc_core::Queued;
/// use kyc_core::conformance::fixture::{client, sample};
///
/// let queued = Queued { client: client(1), submission: sample() };
/// assert_eq!(queued.client.get(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queued {
    /// The client that owns it.
    pub client: ClientId,
    /// The submission.
    pub submission: Submission,
}

impl Queued {
    /// Which one it is, short enough to be kept.
    pub fn place(&self) -> QueuePlace {
        QueuePlace { client: self.client, submission: self.submission.id() }
    }
}

/// Which submission a walk over a queue reached.
///
/// ```
/// use kyc_core::conformance::fixture::{client, sample};
/// use kyc_core::{QueuePlace, Queued};
///
/// let queued = Queued { client: client(1), submission: sample() };
/// let place = QueuePlace { client: client(1), submission: sample().id() };
/// assert_eq!(queued.place(), place);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QueuePlace {
    /// The client that owns it.
    pub client: ClientId,
    /// The submission's id.
    pub submission: SubmissionId,
}

/// What an inspector wants to see (D53).
///
/// ```
/// use kyc_core::conformance::fixture::{client, sample};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{QueueFilter, Status, SubmissionStore};
///
/// let store = MemorySubmissions::default();
/// store.insert(client(1), &sample())?;
/// let clients = [client(1), client(2)];
/// let pending =
///     QueueFilter { status: Some(Status::Pending), ..QueueFilter::all(&clients) };
/// assert_eq!(store.review_queue(&pending, None, 10)?.len(), 1);
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct QueueFilter<'a> {
    /// The clients whose submissions are meant, in ascending order.
    pub clients: &'a [ClientId],
    /// The state they are in; `None`: any.
    pub status: Option<Status>,
    /// The applicant's address; `None`: any.
    pub email: Option<&'a Email>,
    /// Only those that an inspector should [look at](Submission::needs_look) (D83).
    pub needs_look: bool,
}

impl<'a> QueueFilter<'a> {
    /// Every submission of these clients, which are in ascending order.
    pub fn all(clients: &'a [ClientId]) -> Self {
        Self { clients, status: None, email: None, needs_look: false }
    }

    /// Whether a submission is meant.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sample};
    /// use kyc_core::{QueueFilter, Queued, Status};
    ///
    /// let clients = [client(1)];
    /// let queued = Queued { client: client(1), submission: sample() };
    /// assert!(QueueFilter::all(&clients).matches(&queued));
    /// let approved = QueueFilter { status: Some(Status::Approved), ..QueueFilter::all(&clients) };
    /// assert!(!approved.matches(&queued));
    /// ```
    pub fn matches(&self, queued: &Queued) -> bool {
        let Queued { client, submission } = queued;
        self.clients.contains(client)
            && self.status.is_none_or(|status| status == submission.status())
            && self.email.is_none_or(|email| *email == submission.form().email)
            && (!self.needs_look || submission.needs_look())
    }
}
