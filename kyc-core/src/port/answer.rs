use crate::{ApiKeyId, Kept, KeyedRequest, Replay, StoreError, Timestamp};

/// What is stored in the same write as a change: all of it together with the change, or none.
///
/// ```
/// use kyc_core::Beside;
/// use kyc_core::conformance::fixture::{replay, time};
///
/// let beside = Beside::answer(replay("order-17", time(0)));
/// assert!(beside.answer.is_some());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    /// The answer to the request that asked for the change.
    pub answer: Option<Replay>,
    /// Which of the client's keys asked for it, for the audit; `None` where it has no id, and where
    /// somebody else asked.
    pub key: Option<ApiKeyId>,
}

impl Beside {
    /// The change alone.
    pub const NOTHING: Self = Self { answer: None, key: None };

    /// The answer to the request.
    pub fn answer(replay: Replay) -> Self {
        Self { answer: Some(replay), key: None }
    }
}

/// Keeps answers beside changes, so that a request that is sent again gets the first answer (D98).
///
/// # Contract
///
/// * An answer is stored in the same write as the change that it tells, or neither is.
/// * A key that has an answer already is [`StoreError::KeyTaken`], whatever else is wrong with the
///   write, and nothing is stored.
/// * An answer is found from the moment its change is visible, for [`Replay::KEPT_MILLIS`] by the
///   times that are passed in; then the key is free. Where what it tells of is erased before, the
///   answer goes at once, and the key stays taken until then ([`Kept::Erased`]).
/// * Keys of two callers have nothing to do with each other.
///
/// Part of every store that takes changes; a store that takes both submissions and documents may
/// keep their answers in one place. Methods block.
///
/// ```
/// use kyc_core::conformance::fixture::{client, replay, sample, submission, time};
/// use kyc_core::memory::MemorySubmissions;
/// use kyc_core::{AnswerStore, Beside, StoreError, SubmissionStore};
///
/// let (store, replay) = (MemorySubmissions::default(), replay("order-17", time(0)));
/// let beside = || Beside::answer(replay.clone());
/// store.insert_with(client(1), &sample(), beside())?;
///
/// let again = store.insert_with(client(1), &submission(2, sample().form().clone()), beside());
/// assert!(matches!(again, Err(StoreError::KeyTaken)));
/// assert!(store.find_answer(&replay.request, time(1))?.is_some());
/// # Ok::<(), StoreError>(())
/// ```
pub trait AnswerStore: Send + Sync {
    /// What is kept at the time `now` under the caller and the key of a request.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError>;

    /// Removes answers that are no longer kept at the time `now`, at most `count_max` of them. Says
    /// how many: fewer than that means that none is left.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError>;
}
