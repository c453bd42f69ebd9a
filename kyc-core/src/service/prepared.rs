use std::fmt;

use super::{Error, Service};
use crate::{
    Answer, AuditEvent, Beside, Caller, ClientId, Document, Kept, KeyedRequest, StoreError,
    Submission,
};

/// A change that was decided and is not stored yet, so that what is told of it can be stored
/// [beside](Beside) it. Dropping it changes nothing.
///
/// ```
/// use kyc_core::conformance::fixture::{client, replay, sent, time};
/// use kyc_core::conformance::stand_in::service;
/// use kyc_core::{Answer, Beside, CountrySyntax, Replay};
///
/// let (service, first) = (service(), replay("order-17", time(0)));
/// let prepared = service.prepare_aml_only(client(1), &sent, CountrySyntax::Combined)?;
/// let answer = Answer { status: 200, body: prepared.value().id().to_string().into_bytes() };
/// let replay = Replay { answer: answer.clone(), ..first };
/// let request = replay.request.clone();
/// assert!(service.answered(&request)?.is_none());
///
/// prepared.store_with(Beside::answer(replay))?;
/// assert_eq!(service.answered(&request)?, Some(answer));
/// # Ok::<(), kyc_core::service::Error>(())
/// ```
#[must_use = "nothing is stored yet"]
pub struct Prepared<'s, T> {
    pub(super) service: &'s Service,
    pub(super) client: ClientId,
    pub(super) value: T,
    pub(super) write: Write<'s, T>,
}

/// How a value is stored, and what of it.
pub(super) enum Write<'s, T> {
    Insert(fn(&T) -> &Submission),
    Put(fn(&T) -> &Document, &'s [u8]),
    Replace(fn(&T) -> &Submission),
    /// As `Replace`, after what was decided on keeping it was said of the applicant's others.
    Keep(fn(&T) -> &Submission),
}

impl<T> Prepared<'_, T> {
    /// What there will be when it is stored.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Makes the change.
    ///
    /// # Errors
    ///
    /// [`Error::Stale`] if somebody else changed the submission in between; nothing has changed
    /// then.
    pub fn store(self) -> Result<T, Error> {
        self.store_with(Beside::NOTHING)
    }

    /// Makes the change, with something in the same write.
    ///
    /// # Errors
    ///
    /// As for [`store`](Self::store); before that [`Error::KeyTaken`] if an answer is brought under
    /// a key that has one. Nothing has changed then.
    pub fn store_with(self, beside: Beside) -> Result<T, Error> {
        let Self { service, client, value, write } = self;
        match write {
            Write::Insert(of) => service.submissions.insert_with(client, of(&value), beside),
            Write::Put(of, bytes) => service.documents.put_with(client, of(&value), bytes, beside),
            Write::Keep(of) => {
                service.spread(client, of(&value))?;
                service.submissions.replace_with(client, of(&value), beside)
            }
            Write::Replace(of) => service.submissions.replace_with(client, of(&value), beside),
        }?;
        Ok(value)
    }

    /// As [`store_with`](Self::store_with), but tells `then`, once, when the outcome is known:
    /// a new submission maybe later, on a thread of the store, without waiting here where
    /// [reads are local](Service::reads_are_local).
    pub fn store_then(self, beside: Beside, then: impl FnOnce(Result<(), Error>) + Send + 'static) {
        let Write::Insert(of) = self.write else {
            return then(self.store_with(beside).map(|_| ()));
        };
        let then = Box::new(move |stored: Result<_, StoreError>| {
            then(stored.map_err(Error::from));
        });
        let submissions = &self.service.submissions;
        submissions.insert_then(self.client, of(&self.value), beside, then);
    }
}

impl<T> fmt::Debug for Prepared<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Service {
    /// What a request was answered when it was sent for the first time; `None` if it was not, or
    /// if that is too long ago (D98).
    ///
    /// # Errors
    ///
    /// [`Error::KeyReused`] if another request was answered under its key; [`Error::KeyErased`] if
    /// what was stored then was erased since (D131); [`Error::NotFound`] if
    /// the answer is about a client whom the inspector no longer sees.
    pub fn answered(&self, request: &KeyedRequest) -> Result<Option<Answer>, Error> {
        let now = self.clock.now();
        let kept = match self.submissions.find_answer(request, now)? {
            Some(kept) => Some(kept),
            None => self.documents.find_answer(request, now)?,
        };
        match kept {
            None => Ok(None),
            Some(Kept::OtherRequest) => Err(Error::KeyReused),
            Some(Kept::Erased) => Err(Error::KeyErased),
            Some(Kept::Answer { client, .. }) if !request.caller.sees(client) => {
                Err(Error::NotFound)
            }
            Some(Kept::Answer { client, answer }) => {
                if let Caller::Inspector(inspector) = &request.caller {
                    self.record_read(client, inspector, AuditEvent::AnswerRepeated)?;
                }
                Ok(Some(answer))
            }
        }
    }

    /// Removes answers that are no longer kept, at most `count_max` of each store (D99). Says
    /// whether there may be more.
    ///
    /// ```
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// assert!(!service().forget_answers(100)?);
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn forget_answers(&self, count_max: usize) -> Result<bool, Error> {
        let now = self.clock.now();
        let of_submissions = self.submissions.forget_answers(now, count_max)?;
        let of_documents = self.documents.forget_answers(now, count_max)?;
        Ok(of_submissions.max(of_documents) >= count_max)
    }
}
