use super::prepared::Write;
use super::{Error, Prepared, Service};
use crate::{
    Actor, Certificate, ClientId, Event, HistoryEntry, Inspector, Lookup, Preference,
    RetentionDecision, StoreError, Submission, SubmissionId,
};

impl Service {
    /// Somebody but an inspector says how long the records of an applicant are kept (D105). It holds
    /// for the submission, and for the client's others under the same e-mail address as far as it
    /// can: an end for those that were handed in until then, a release for those that are held.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{TODAY, client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{Actor, CountrySyntax, RetentionDecision};
    ///
    /// let service = service();
    /// let old = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let renewed = service.renew(client(1), &old.form().email, old.id())?;
    ///
    /// let end = RetentionDecision::End { on: Some(TODAY) };
    /// service.decide_retention(client(1), renewed.id(), &Actor::Client, &end)?;
    /// let lookup = kyc_core::Lookup { id: Some(old.id()), ..Default::default() };
    /// assert_eq!(service.latest(client(1), &lookup)?.ended(), Some(TODAY));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::Forbidden`] if it cannot be said of it. The submission has not changed then; but for
    /// the last, others of the applicant may have, and it is to be said again.
    pub fn decide_retention(
        &self,
        client: ClientId,
        id: SubmissionId,
        by: &Actor,
        decision: &RetentionDecision,
    ) -> Result<Submission, Error> {
        loop {
            let submission = self.by_id(client, id)?.ok_or(Error::NotFound)?;
            let at = self.now_of(client)?;
            let value = submission.decide_retention(by.clone(), at, decision.clone())?;
            let write = Write::Keep(|value| value);
            match (Prepared { service: self, client, value, write }.store()) {
                // It holds for what somebody else made of it meanwhile, too.
                Err(Error::Stale) => {}
                decided => return decided,
            }
        }
    }

    /// What is left of an erased submission.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], also for submissions of clients that the inspector does not see, and
    /// [without retention](Self::with_retention).
    pub fn certificate(
        &self,
        inspector: &Inspector,
        id: SubmissionId,
    ) -> Result<Certificate, Error> {
        let retention = self.retention.as_ref().ok_or(Error::NotFound)?;
        for client in self.clients_of(inspector)? {
            if let Some(certificate) = retention.certificate(client.id, id)? {
                return Ok(certificate);
            }
        }
        Err(Error::NotFound)
    }

    /// Says of the applicant's other submissions what was just decided on one.
    pub(super) fn spread(&self, client: ClientId, decided: &Submission) -> Result<(), StoreError> {
        let Some(HistoryEntry { at, by, event: Event::Retention(decision) }) =
            decided.history().last()
        else {
            return Ok(());
        };
        for id in self.submissions.of_applicant(client, &decided.form().email)? {
            while id != decided.id()
                && let Some(other) = self.by_id(client, id)?
                && !stands_already(&other, decision)
                && let Ok(other) = other.decide_retention(by.clone(), *at, decision.clone())
            {
                match self.submissions.replace(client, &other) {
                    Ok(()) => break,
                    // Somebody else changed it: theirs stands, and this holds for it, too.
                    Err(StoreError::Stale) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    pub(super) fn by_id(
        &self,
        client: ClientId,
        id: SubmissionId,
    ) -> Result<Option<Submission>, StoreError> {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        self.submissions.find(client, &lookup, Preference::Latest)
    }
}

/// Whether a submission need not be told again.
fn stands_already(submission: &Submission, decision: &RetentionDecision) -> bool {
    match decision {
        RetentionDecision::End { on } => submission.ended() == *on,
        RetentionDecision::Hold { reason, until } => {
            submission.hold().is_some_and(|hold| (hold.reason, hold.until) == (reason, *until))
        }
        RetentionDecision::Release { .. } => submission.hold().is_none(),
    }
}
