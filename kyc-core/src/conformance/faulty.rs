//! A store whose storage fails now and then (D114).

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{
    AnswerStore, Beside, ClientId, Document, DocumentId, DocumentStore, Duplicate, Kept,
    KeyedRequest, Listing, Lookup, PageKey, Preference, QueueFilter, Queued, ScreeningQueue,
    StoreError, Submission, SubmissionStore, Timestamp, Visit,
};

/// What goes wrong in one call of a store.
///
/// ```
/// use kyc_core::conformance::faulty::Fault;
///
/// assert_ne!(Fault::Refused, Fault::AnswerLost);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The call fails, and nothing was done.
    Refused,
    /// The call does what it should, and reports a failure all the same: the caller cannot know.
    AnswerLost,
    /// This call and so many behind it are refused, as while another process holds a lock.
    Busy(u32),
    /// The call takes so much longer; what it answers is right.
    Slow(Duration),
}

/// What is asked of a store.
///
/// ```
/// use kyc_core::conformance::faulty::Call;
///
/// assert_ne!(Call::Read, Call::Write);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Something is looked for.
    Read,
    /// Something is stored.
    Write,
}

/// A store around another one, of which each call may fail.
///
/// What a caller is told then is [`StoreError::Unavailable`]. Anything else that the store says is
/// passed on, so a `Faulty` without faults keeps the contract that the inner one keeps.
///
/// ```
/// use kyc_core::conformance::fixture::{client, sample};
/// use kyc_core::conformance::faulty::{Fault, Faulty};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{Lookup, Preference, StoreError, SubmissionStore};
///
/// let mut faults = [Fault::AnswerLost].into_iter();
/// let store = Faulty::new(MemorySubmissions::default(), move |_| faults.next());
/// let lost = store.insert(client(1), &sample());
/// assert!(matches!(lost, Err(StoreError::Unavailable(_))));
/// // It is there, and who tries again is told so.
/// assert!(matches!(store.insert(client(1), &sample()), Err(StoreError::Duplicate)));
/// # Ok::<(), StoreError>(())
/// ```
pub struct Faulty<S> {
    inner: S,
    plan: Mutex<Plan>,
}

struct Plan {
    next: Box<dyn FnMut(Call) -> Option<Fault> + Send>,
    /// How many calls are refused still.
    busy: u32,
}

impl<S> Faulty<S> {
    /// A store whose calls go wrong as `next` says of each.
    pub fn new(inner: S, next: impl FnMut(Call) -> Option<Fault> + Send + 'static) -> Self {
        Self { inner, plan: Mutex::new(Plan { next: Box::new(next), busy: 0 }) }
    }

    /// A store of whose calls so many of a hundred go wrong, in every way. The same seed and the
    /// same calls fail alike.
    ///
    /// ```
    /// use kyc_core::conformance::faulty::Faulty;
    /// use kyc_core::memory::MemorySubmissions;
    /// use kyc_core::{Lookup, Preference, SubmissionStore};
    /// use kyc_core::conformance::fixture::client;
    ///
    /// let failures = |seed| {
    ///     let store = Faulty::seeded(MemorySubmissions::default(), seed, 30);
    ///     let read = || store.find(client(1), &Lookup::default(), Preference::Best).is_err();
    ///     (0..50).map(|_| read()).collect::<Vec<bool>>()
    /// };
    /// assert_eq!(failures(1), failures(1));
    /// assert_ne!(failures(1), failures(2));
    /// ```
    pub fn seeded(inner: S, seed: u64, percent: u64) -> Self {
        let mut state = seed;
        let mut below = move |end: u64| {
            // The generator `SplitMix64`.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ (mixed >> 31)) % end
        };
        Self::new(inner, move |_| {
            (below(100) < percent).then(|| match below(8) {
                0..=2 => Fault::Refused,
                3..=5 => Fault::AnswerLost,
                6 => Fault::Busy(1),
                _ => Fault::Slow(Duration::from_micros(1)),
            })
        })
    }

    /// The store itself, which never fails.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn call<T>(
        &self,
        call: Call,
        act: impl FnOnce(&S) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self.fault(call) {
            None => act(&self.inner),
            Some(Fault::Refused | Fault::Busy(_)) => Err(told_to("it was refused")),
            Some(Fault::AnswerLost) => {
                act(&self.inner)?;
                Err(told_to("the answer was lost"))
            }
            Some(Fault::Slow(time)) => {
                thread::sleep(time);
                act(&self.inner)
            }
        }
    }

    fn fault(&self, call: Call) -> Option<Fault> {
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        if plan.busy > 0 {
            plan.busy -= 1;
            return Some(Fault::Refused);
        }
        let fault = (plan.next)(call);
        if let Some(Fault::Busy(calls)) = fault {
            plan.busy = calls;
        }
        fault
    }
}

fn told_to(what: &'static str) -> StoreError {
    StoreError::Unavailable(what.into())
}

impl<S: AnswerStore> AnswerStore for Faulty<S> {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        self.call(Call::Read, |store| store.find_answer(request, now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        self.call(Call::Write, |store| store.forget_answers(now, count_max))
    }
}

impl<S: SubmissionStore> SubmissionStore for Faulty<S> {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.call(Call::Write, |store| store.insert_with(client, submission, beside))
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.call(Call::Write, |store| store.replace_with(client, submission, beside))
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        self.call(Call::Read, |store| store.find(client, lookup, preference))
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        self.call(Call::Read, |store| store.find_with_duplicates(client, lookup, preference))
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        self.call(Call::Read, |store| store.list(client, after, visit))
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.call(Call::Read, |store| store.awaiting_screening(queue, after, limit))
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.call(Call::Read, |store| store.review_queue(filter, after, limit))
    }

    fn reads_are_local(&self) -> bool {
        self.inner.reads_are_local()
    }
}

impl<S: DocumentStore> DocumentStore for Faulty<S> {
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.call(Call::Write, |store| store.put_with(client, document, bytes, beside))
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        self.call(Call::Read, |store| store.find(client, id))
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        self.call(Call::Read, |store| store.bytes(client, id))
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for Faulty<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Faulty").field("inner", &self.inner).finish_non_exhaustive()
    }
}
