use std::fmt;
use std::sync::Arc;

use time::Date;

use super::prepared::Write;
use super::{Error, Prepared, Service};
use crate::{
    Client, ClientId, Document, DocumentHandle, Duplicate, EnglishComment, FreeText, HitKey,
    HitVerdict, Inspector, Lookup, Preference, QueueFilter, Queued, ReasonCode, Slots, Submission,
    SubmissionId,
};

/// Everything an inspector needs to decide on a submission (D53).
///
/// ```
/// use kyc_core::CountrySyntax;
/// use kyc_core::conformance::fixture::{client, inspector, sent};
/// use kyc_core::conformance::stand_in::service;
///
/// let service = service();
/// let submission = service.submit_aml_only(client(2), &sent, CountrySyntax::Combined)?;
/// let case = service.case_file(&inspector(), submission.id())?;
/// assert_eq!((case.client.name.as_str(), case.submission), ("client-2", submission));
/// # Ok::<(), kyc_core::service::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFile {
    /// The client that sent it.
    pub client: Arc<Client>,
    /// The submission, with its history and screening.
    pub submission: Submission,
    /// The same person's submissions under other addresses.
    pub duplicates: Vec<Duplicate>,
}

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
        })
    }
}

impl Service {
    /// The clients whose submissions an inspector sees, by id.
    ///
    /// ```
    /// use kyc_core::Inspector;
    /// use kyc_core::conformance::fixture::{client, inspector};
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// assert_eq!(service().clients_of(&inspector())?.len(), 2);
    /// let bound = Inspector { clients: Some(vec![client(2)]), ..inspector() };
    /// assert_eq!(service().clients_of(&bound)?[0].id, client(2));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn clients_of(&self, inspector: &Inspector) -> Result<Vec<Arc<Client>>, Error> {
        let mut clients = self.directory.clients()?;
        clients.retain(|client| inspector.sees(client.id));
        Ok(clients)
    }

    /// At most `limit` submissions of the inspectors' queue, oldest first, behind the submission
    /// `after` or from the start.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{CountrySyntax, QueueFilter};
    ///
    /// let service = service();
    /// let first = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let second = service.submit_aml_only(client(2), &sent, CountrySyntax::Combined)?;
    /// let clients = [client(1), client(2)];
    /// let rest = service.review_queue(&QueueFilter::all(&clients), Some(first.id()), 10)?;
    /// assert_eq!(rest[0].submission, second);
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPageKey`] if the filter's clients have no submission `after`.
    pub fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<SubmissionId>,
        limit: usize,
    ) -> Result<Vec<Queued>, Error> {
        let after = match after {
            Some(id) => Some(self.find_in(filter.clients, id)?.ok_or(Error::UnknownPageKey)?),
            None => None,
        };
        Ok(self.submissions.review_queue(filter, after.as_ref(), limit)?)
    }

    /// One submission with everything an inspector needs.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], also for submissions of clients that the inspector does not see.
    pub fn case_file(&self, inspector: &Inspector, id: SubmissionId) -> Result<CaseFile, Error> {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        for client in self.clients_of(inspector)? {
            let found =
                self.submissions.find_with_duplicates(client.id, &lookup, Preference::Latest)?;
            if let Some((submission, duplicates)) = found {
                return Ok(CaseFile { client, submission, duplicates });
            }
        }
        Err(Error::NotFound)
    }

    /// What is known of a document, without its bytes.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`].
    pub fn document(&self, client: ClientId, handle: &DocumentHandle) -> Result<Document, Error> {
        self.documents.find(client, handle.id())?.ok_or(Error::NotFound)
    }

    /// The bytes of a document.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`].
    pub fn document_bytes(
        &self,
        client: ClientId,
        handle: &DocumentHandle,
    ) -> Result<Vec<u8>, Error> {
        self.documents.bytes(client, handle.id())?.ok_or(Error::NotFound)
    }

    /// Carries out a decision on the version that the inspector saw.
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

    /// As [`decide`](Self::decide), without storing it yet.
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
        let CaseFile { client, submission, duplicates } = self.case_file(inspector, id)?;
        if submission.version() != version {
            return Err(Error::Stale);
        }
        let at = self.clock.now();
        let submission = match decision {
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
        Ok(Prepared {
            service: self,
            client: client.id,
            value: CaseFile { client, submission, duplicates },
            write: Write::Replace(|case| &case.submission),
        })
    }

    fn find_in(&self, clients: &[ClientId], id: SubmissionId) -> Result<Option<Queued>, Error> {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        for client in clients.iter().copied() {
            let found = self.submissions.find(client, &lookup, Preference::Latest)?;
            if let Some(submission) = found {
                return Ok(Some(Queued { client, submission }));
            }
        }
        Ok(None)
    }
}
