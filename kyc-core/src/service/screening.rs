use super::{Error, Service};
use crate::{
    Aml, Lookup, Preference, QueuePlace, Queued, Rescreening, ScreenError, Screener,
    ScreeningQueue, StoreError, Subject,
};

/// What one pass over the screening queue did. What somebody else changed in the meantime is not
/// counted.
///
/// ```
/// use kyc_core::service::Pass;
///
/// assert_eq!(Pass::default().screened, 0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pass {
    /// Submissions that it gave a result.
    pub screened: usize,
    /// Submissions that it tried and that still have none.
    pub stalled: usize,
}

/// What screening an applicant anew came to.
///
/// ```
/// use kyc_core::service::Rescreened;
///
/// assert_ne!(Rescreened::Unchanged, Rescreened::NoResult);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rescreened {
    /// The stored result has the hits of the new one.
    Unchanged,
    /// Something that matters changed: an inspector will look.
    Changed,
    /// There was no new result; the earlier one stands.
    NoResult,
    /// The submission has no result any more: it was reopened.
    Gone,
}

impl Service {
    /// Screens what waits, until the queue is empty or `stop` says so (D40).
    ///
    /// A crash on the way repeats a screening at worst: a result is stored only on the version
    /// that was screened, so exactly one is kept. `failed` hears why a screening gave no result.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::{SameAnswer, service};
    /// use kyc_core::service::Pass;
    /// use kyc_core::{CountrySyntax, RiskLevel, ScreeningQueue, Stall};
    ///
    /// let service = service();
    /// service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let pass = |queue, answer| {
    ///     service.screen_queue(queue, &SameAnswer(answer), &|| false, &|error| println!("{error}"))
    /// };
    /// let failed = pass(ScreeningQueue::New, Err(Stall::ListTooOld))?;
    /// assert_eq!(failed, Pass { screened: 0, stalled: 1 });
    /// let repeated = pass(ScreeningQueue::Stalled, Ok(RiskLevel::NotApplicable))?;
    /// assert_eq!(repeated, Pass { screened: 1, stalled: 0 });
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails; the results so far are stored.
    pub fn screen_queue(
        &self,
        queue: ScreeningQueue,
        screener: &dyn Screener,
        stop: &dyn Fn() -> bool,
        failed: &dyn Fn(&ScreenError),
    ) -> Result<Pass, Error> {
        /// Enough to keep a query from dominating, few enough to stop soon.
        const BATCH: usize = 64;
        let mut pass = Pass::default();
        let mut after: Option<Queued> = None;
        while !stop() {
            let batch = self.submissions.awaiting_screening(queue, after.as_ref(), BATCH)?;
            for queued in &batch {
                if stop() {
                    return Ok(pass);
                }
                self.screen_one(queued, screener, failed, &mut pass)?;
            }
            match batch.into_iter().next_back() {
                Some(last) => after = Some(last),
                None => break,
            }
        }
        Ok(pass)
    }

    fn screen_one(
        &self,
        queued: &Queued,
        screener: &dyn Screener,
        failed: &dyn Fn(&ScreenError),
        pass: &mut Pass,
    ) -> Result<(), Error> {
        let submission = queued.submission.clone();
        let subject = Subject::of(queued.submission.form());
        let (changed, count) = match screener.screen(&subject, self.clock.now()) {
            Ok(screening) => (submission.screened(screening)?, &mut pass.screened),
            Err(error) => {
                failed(&error);
                let stall = error.stall();
                if submission.review().aml() == Some(&Aml::Stalled(stall)) {
                    pass.stalled += 1;
                    return Ok(());
                }
                (submission.stalled(stall)?, &mut pass.stalled)
            }
        };
        match self.submissions.replace(queued.client, &changed) {
            Ok(()) => *count += 1,
            // Somebody else decided or screened in the meantime; theirs stands.
            Err(StoreError::Stale) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// At most `limit` submissions with a screening result, of all clients, in a fixed order,
    /// behind the place that a walk reached or from the start (D84).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::{SameAnswer, service};
    /// use kyc_core::{CountrySyntax, RiskLevel, ScreeningQueue};
    ///
    /// let service = service();
    /// for _ in 0..3 {
    ///     service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// }
    /// let engine = SameAnswer(Ok(RiskLevel::Low));
    /// service.screen_queue(ScreeningQueue::New, &engine, &|| false, &|_| ())?;
    ///
    /// let first = service.screened_behind(None, 2)?;
    /// let rest = service.screened_behind(first.last().map(|last| last.place()), 2)?;
    /// assert_eq!((first.len(), rest.len()), (2, 1));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn screened_behind(
        &self,
        after: Option<QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued>, Error> {
        let after = match after {
            // A walk behind one that was erased meanwhile begins again.
            Some(place) => self.queued_at(place)?,
            None => None,
        };
        let queue = ScreeningQueue::Screened;
        Ok(self.submissions.awaiting_screening(queue, after.as_ref(), limit)?)
    }

    /// Screens an applicant who has a result anew, and stores what differs (D82). Decisions that
    /// inspectors make meanwhile are kept; without a new result the earlier one stands, and
    /// `failed` hears why.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::{SameAnswer, service};
    /// use kyc_core::service::Rescreened;
    /// use kyc_core::{CountrySyntax, RiskLevel, ScreeningQueue, Stall};
    ///
    /// let service = service();
    /// service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let clear = SameAnswer(Ok(RiskLevel::NotApplicable));
    /// service.screen_queue(ScreeningQueue::New, &clear, &|| false, &|_| ())?;
    ///
    /// let queued = &service.screened_behind(None, 1)?[0];
    /// let rescreen = |answer| service.rescreen_one(queued, &SameAnswer(answer), &|_| ());
    /// assert_eq!(rescreen(Ok(RiskLevel::NotApplicable))?, Rescreened::Unchanged);
    /// assert_eq!(rescreen(Err(Stall::ListTooOld))?, Rescreened::NoResult);
    /// assert_eq!(rescreen(Ok(RiskLevel::High))?, Rescreened::Changed);
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails; nothing has changed then.
    pub fn rescreen_one(
        &self,
        queued: &Queued,
        screener: &dyn Screener,
        failed: &dyn Fn(&ScreenError),
    ) -> Result<Rescreened, Error> {
        let subject = Subject::of(queued.submission.form());
        let screening = match screener.screen(&subject, self.clock.now()) {
            Ok(screening) => screening,
            Err(error) => {
                failed(&error);
                return Ok(Rescreened::NoResult);
            }
        };
        let mut current = queued.submission.clone();
        loop {
            let (next, outcome) = match current.rescreened(screening.clone()) {
                Ok(Rescreening::Same) => return Ok(Rescreened::Unchanged),
                Ok(Rescreening::Refreshed(next)) => (next, Rescreened::Unchanged),
                Ok(Rescreening::Changed(next)) => (next, Rescreened::Changed),
                Err(_no_result) => return Ok(Rescreened::Gone),
            };
            match self.submissions.replace(queued.client, &next) {
                Ok(()) => return Ok(outcome),
                // Somebody decided in the meantime: what was found holds for their version, too.
                Err(StoreError::Stale) => match self.queued_at(queued.place())? {
                    Some(stored) => current = stored.submission,
                    None => return Ok(Rescreened::Gone),
                },
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The submission at a place of a queue, as it is now; `None` if it is not there.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{CountrySyntax, QueuePlace};
    ///
    /// let service = service();
    /// let submission = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?.id();
    /// let at = |client| service.queued_at(QueuePlace { client, submission });
    /// assert!(at(client(1))?.is_some() && at(client(2))?.is_none());
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn queued_at(&self, place: QueuePlace) -> Result<Option<Queued>, Error> {
        let lookup = Lookup { id: Some(place.submission), ..Lookup::default() };
        let found = self.submissions.find(place.client, &lookup, Preference::Latest)?;
        Ok(found.map(|submission| Queued { client: place.client, submission }))
    }
}
