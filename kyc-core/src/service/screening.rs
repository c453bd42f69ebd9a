use super::{Error, Service};
use crate::{Aml, Queued, ScreenError, Screener, ScreeningQueue, StoreError, Subject};

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
}
