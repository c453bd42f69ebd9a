use std::fmt;

use time::Date;

use super::prepared::Write;
use super::{CaseFile, Error, Prepared, Service};
use crate::{
    Actor, EnglishComment, FreeText, HitKey, HitVerdict, Inspector, ReasonCode, RetentionDecision,
    Slots, SubmissionId,
};

/// What an inspector decides. `Debug` is masked.
///
/// ```
/// use kyc_core::service::Decision;
/// use time::macros::date;
///
/// let decision =
///     Decision::Approve { id_expires: date!(2031 - 02 - 28), address_issued: None };
/// assert_eq!(format!("{decision:?}"), "Approve(***)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Decision {
    /// Accept the documents.
    Approve {
        /// Expiry date printed on the photo id.
        id_expires: Date,
        /// Issue date of the proof of address; required for level 2.
        address_issued: Option<Date>,
    },
    /// Turn the submission down.
    Reject {
        /// For the client to read.
        comment: EnglishComment,
        /// Machine-readable reasons.
        reason_codes: Vec<ReasonCode>,
    },
    /// Ask for documents again.
    Retake {
        /// Which.
        documents: Slots,
        /// For the history.
        comment: Option<FreeText>,
    },
    /// Take a final decision back.
    Reopen {
        /// For the history.
        reason: FreeText,
    },
    /// Say whether the applicant is the one whom a hit lists (D80).
    Hit {
        /// Which.
        hit: HitKey,
        /// `None` takes an earlier decision back.
        verdict: Option<HitVerdict>,
        /// Why.
        note: FreeText,
    },
    /// Have looked at what a later screening changed (D82).
    Acknowledge,
    /// Say how long records of the applicant are kept (D105).
    Retention(RetentionDecision),
}

impl fmt::Debug for Decision {
    // What is printed on an applicant's documents is personal data, and so is what is written
    // about them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Approve { .. } => "Approve(***)",
            Self::Reject { .. } => "Reject(***)",
            Self::Retake { .. } => "Retake(***)",
            Self::Reopen { .. } => "Reopen(***)",
            Self::Hit { .. } => "Hit(***)",
            Self::Acknowledge => "Acknowledge",
            Self::Retention(_) => "Retention(***)",
        })
    }
}

impl Service {
    /// Carries out a decision on the version that the inspector saw. The audit's row of the
    /// decision also stands for the case in the answer (D96); its duplicates have one of their own.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, inspector, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::service::{Decision, Error};
    /// use kyc_core::{CountrySyntax, Forbidden};
    ///
    /// let service = service();
    /// let id = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?.id();
    /// let reopen = || Ok::<_, kyc_core::InvalidText>(Decision::Reopen { reason: "?".parse()? });
    ///
    /// let late = service.decide(&inspector(), id, 7, reopen()?);
    /// assert!(matches!(late, Err(Error::Stale)));
    /// let refused = service.decide(&inspector(), id, 1, reopen()?);
    /// assert!(matches!(refused, Err(Error::Forbidden(Forbidden::AmlOnly))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::Stale`] if `version` is not the current one;
    /// [`Error::Forbidden`] if the state does not allow it. Nothing has changed then.
    pub fn decide(
        &self,
        inspector: &Inspector,
        id: SubmissionId,
        version: u32,
        decision: Decision,
    ) -> Result<CaseFile, Error> {
        self.prepare_decision(inspector, id, version, decision)?.store()
    }

    /// As [`decide`](Self::decide), without storing it yet. The row of the duplicates that its answer
    /// shows is there already.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], [`Error::Stale`] and [`Error::Forbidden`].
    pub fn prepare_decision(
        &self,
        inspector: &Inspector,
        id: SubmissionId,
        version: u32,
        decision: Decision,
    ) -> Result<Prepared<'_, CaseFile>, Error> {
        let CaseFile { client, submission, duplicates } =
            self.find_case(self.clients_of(inspector)?, id)?;
        if submission.version() != version {
            return Err(Error::Stale);
        }
        let at = self.now_of(client.id)?;
        let is_on_keeping = matches!(decision, Decision::Retention(_));
        let submission = match decision {
            Decision::Retention(decision) => {
                submission.decide_retention(Actor::Inspector(inspector.name.clone()), at, decision)
            }
            Decision::Approve { id_expires, address_issued } => {
                submission.approve(inspector, at, id_expires, address_issued)
            }
            Decision::Reject { comment, reason_codes } => {
                submission.reject(inspector, at, comment, reason_codes)
            }
            Decision::Retake { documents, comment } => {
                submission.ask_retake(inspector, at, documents, comment)
            }
            Decision::Reopen { reason } => submission.reopen(inspector, at, reason),
            Decision::Hit { hit, verdict: Some(verdict), note } => {
                submission.decide_hit(inspector, at, &hit, verdict, note)
            }
            Decision::Hit { hit, verdict: None, note } => {
                submission.undecide_hit(inspector, at, &hit, note)
            }
            Decision::Acknowledge => submission.acknowledge(inspector, at),
        }?;
        let case = CaseFile { client, submission, duplicates };
        // Before the decision, which could not be taken back if this failed.
        if let Some(event) = case.shows_beside() {
            self.record_read(case.client.id, inspector, event)?;
        }
        let write: Write<'_, CaseFile> = if is_on_keeping {
            Write::Keep(|case| &case.submission)
        } else {
            Write::Replace(|case| &case.submission)
        };
        Ok(Prepared { service: self, client: case.client.id, value: case, write })
    }
}
