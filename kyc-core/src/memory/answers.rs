use std::collections::BTreeMap;

use crate::{Beside, ClientId, IdempotencyKey, Kept, KeyedRequest, Replay, StoreError, Timestamp};

/// Answers in memory, for stores that keep everything there: behind the lock of their other rows,
/// an answer and its change are one write.
///
/// ```
/// use kyc_core::conformance::fixture::{client, replay, submission_id, time};
/// use kyc_core::memory::MemoryAnswers;
/// use kyc_core::{Beside, Kept, Replay, StoreError};
///
/// let mut answers = MemoryAnswers::default();
/// let first = replay("order-17", time(0));
/// let (beside, about) = (Beside::answer(first.clone()), submission_id(1).to_bytes());
/// answers.check(&beside)?;
/// answers.keep(client(1), about, beside.clone());
/// assert!(matches!(answers.check(&beside), Err(StoreError::KeyTaken)));
///
/// answers.erase(client(1), about);
/// assert_eq!(answers.find(&first.request, time(1)), Some(Kept::Erased));
///
/// let tomorrow = time(0).plus_millis(Replay::KEPT_MILLIS);
/// assert!(answers.find(&first.request, tomorrow).is_none());
/// assert_eq!(answers.forget(tomorrow, 10), 1);
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryAnswers(BTreeMap<Place, Row>);

/// Who asked, and the key.
type Place = (String, IdempotencyKey);

#[derive(Debug)]
struct Row {
    client: ClientId,
    about: [u8; 16],
    replay: Replay,
    is_erased: bool,
}

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

    /// Keeps what comes beside a change of the client's record with the id `about`; it was
    /// [checked](Self::check).
    pub fn keep(&mut self, client: ClientId, about: [u8; 16], beside: Beside) {
        if let Some(replay) = beside.answer {
            let place = place(&replay.request);
            self.0.insert(place, Row { client, about, replay, is_erased: false });
        }
    }

    /// Takes away what was answered about a record that is erased. The keys stay taken (D131).
    pub fn erase(&mut self, client: ClientId, about: [u8; 16]) {
        for row in self.0.values_mut() {
            if (row.client, row.about) == (client, about) {
                row.replay.answer.body = Vec::new();
                row.is_erased = true;
            }
        }
    }

    /// As [`AnswerStore::find_answer`](crate::AnswerStore::find_answer).
    pub fn find(&self, request: &KeyedRequest, now: Timestamp) -> Option<Kept> {
        let row = self.0.get(&place(request))?;
        row.replay.is_kept(now).then(|| {
            if row.replay.request.fingerprint != request.fingerprint {
                Kept::OtherRequest
            } else if row.is_erased {
                Kept::Erased
            } else {
                Kept::Answer { client: row.client, answer: row.replay.answer.clone() }
            }
        })
    }

    /// As [`AnswerStore::forget_answers`](crate::AnswerStore::forget_answers).
    pub fn forget(&mut self, now: Timestamp, count_max: usize) -> usize {
        let is_over =
            |(place, row): (&Place, &Row)| (!row.replay.is_kept(now)).then(|| place.clone());
        let over: Vec<Place> = self.0.iter().filter_map(is_over).take(count_max).collect();
        over.iter().filter(|place| self.0.remove(place).is_some()).count()
    }
}

fn place(request: &KeyedRequest) -> Place {
    (request.caller.scope(), request.key.clone())
}
