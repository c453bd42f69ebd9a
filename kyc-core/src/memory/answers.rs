use std::collections::BTreeMap;

use crate::{Beside, ClientId, IdempotencyKey, Kept, KeyedRequest, Replay, StoreError, Timestamp};

/// Answers in memory, for stores that keep everything there: behind the lock of their other rows,
/// an answer and its change are one write.
///
/// ```
/// use kyc_core::conformance::fixture::{client, replay, time};
/// use kyc_core::memory::MemoryAnswers;
/// use kyc_core::{Beside, Replay, StoreError};
///
/// let mut answers = MemoryAnswers::default();
/// let first = replay("order-17", time(0));
/// let beside = Beside::answer(first.clone());
/// answers.check(&beside)?;
/// answers.keep(client(1), beside.clone());
/// assert!(matches!(answers.check(&beside), Err(StoreError::KeyTaken)));
///
/// let tomorrow = time(0).plus_millis(Replay::KEPT_MILLIS);
/// assert!(answers.find(&first.request, tomorrow).is_none());
/// assert_eq!(answers.forget(tomorrow, 10), 1);
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryAnswers(BTreeMap<Place, (ClientId, Replay)>);

/// Who asked, and the key.
type Place = (String, IdempotencyKey);

impl MemoryAnswers {
    /// Whether what comes beside a change can be kept.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyTaken`].
    pub fn check(&self, beside: &Beside) -> Result<(), StoreError> {
        let Some(replay) = &beside.answer else { return Ok(()) };
        let is_taken = self.find(&replay.request, replay.at).is_some();
        if is_taken { Err(StoreError::KeyTaken) } else { Ok(()) }
    }

    /// Keeps what comes beside a change of something that is the client's; it was
    /// [checked](Self::check).
    pub fn keep(&mut self, client: ClientId, beside: Beside) {
        if let Some(replay) = beside.answer {
            self.0.insert(place(&replay.request), (client, replay));
        }
    }

    /// As [`AnswerStore::find_answer`](crate::AnswerStore::find_answer).
    pub fn find(&self, request: &KeyedRequest, now: Timestamp) -> Option<Kept> {
        let (client, replay) = self.0.get(&place(request))?;
        replay.is_kept(now).then(|| {
            if replay.request.fingerprint == request.fingerprint {
                Kept::Answer { client: *client, answer: replay.answer.clone() }
            } else {
                Kept::OtherRequest
            }
        })
    }

    /// As [`AnswerStore::forget_answers`](crate::AnswerStore::forget_answers).
    pub fn forget(&mut self, now: Timestamp, count_max: usize) -> usize {
        let is_over = |(place, (_, replay)): (&Place, &(_, Replay))| {
            (!replay.is_kept(now)).then(|| place.clone())
        };
        let over: Vec<Place> = self.0.iter().filter_map(is_over).take(count_max).collect();
        over.iter().filter(|place| self.0.remove(place).is_some()).count()
    }
}

fn place(request: &KeyedRequest) -> Place {
    (request.caller.scope(), request.key.clone())
}
