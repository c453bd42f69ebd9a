//! What people are shown of applicants. Each read leaves a row in the audit before it is answered,
//! and without the row there is no answer (D96).

use std::sync::Arc;

use super::{Error, Service};
use crate::{
    AuditActor, AuditEntry, AuditEvent, Client, ClientId, Document, DocumentHandle, Duplicate,
    Inspector, Lookup, Preference, QueueFilter, Queued, Submission, SubmissionId,
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

impl CaseFile {
    /// The other submissions whose addresses it shows, where there are some.
    pub(super) fn shows_beside(&self) -> Option<AuditEvent> {
        let shown: Vec<_> = self.duplicates.iter().map(|duplicate| duplicate.id).collect();
        let of = self.submission.id();
        (!shown.is_empty()).then_some(AuditEvent::DuplicatesRead { of, shown })
    }
}

/// A page of the inspectors' queue.
///
/// ```
/// use kyc_core::service::QueuePage;
///
/// let page = QueuePage { items: Vec::new(), has_more: false };
/// assert!(page.items.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePage {
    /// The submissions, oldest first.
    pub items: Vec<Queued>,
    /// Whether others follow.
    pub has_more: bool,
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

    /// Shows an inspector at most `limit` submissions of the queue, oldest first, behind the
    /// submission `after` or from the start. Audited for each client of whom something is shown; a
    /// page without an item in the service's own chain.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, inspector, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{CountrySyntax, QueueFilter};
    ///
    /// let service = service();
    /// let first = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let second = service.submit_aml_only(client(2), &sent, CountrySyntax::Combined)?;
    /// let clients = [client(1), client(2)];
    /// let filter = QueueFilter::all(&clients);
    /// let rest = service.review_queue(&inspector(), &filter, Some(first.id()), 10)?;
    /// assert_eq!((&rest.items[0].submission, rest.has_more), (&second, false));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPageKey`] if the filter's clients have no submission `after`.
    pub fn review_queue(
        &self,
        inspector: &Inspector,
        filter: &QueueFilter<'_>,
        after: Option<SubmissionId>,
        limit: usize,
    ) -> Result<QueuePage, Error> {
        let after = match after {
            Some(id) => Some(self.find_in(filter.clients, id)?.ok_or(Error::UnknownPageKey)?),
            None => None,
        };
        // One more than is shown tells whether there is more.
        let more = limit.saturating_add(1);
        let mut items = self.submissions.review_queue(filter, after.as_ref(), more)?;
        let has_more = items.len() > limit;
        items.truncate(limit);
        let rows = self.rows_of_queue(inspector, filter, &items);
        self.audit.append(&rows)?;
        Ok(QueuePage { items, has_more })
    }

    fn rows_of_queue(
        &self,
        inspector: &Inspector,
        filter: &QueueFilter<'_>,
        items: &[Queued],
    ) -> Vec<(Option<ClientId>, AuditEntry)> {
        let by = AuditActor::Inspector(inspector.name.clone());
        let at = self.clock.now();
        let row = |chain: Option<ClientId>| {
            let shown = items.iter().filter(|item| Some(item.client) == chain);
            let event = AuditEvent::QueueRead(shown.map(|item| item.submission.id()).collect());
            let about = filter.email.map(|email| self.audit.audit_hash(chain, email.canonical()));
            (chain, AuditEntry { at, by: by.clone(), event, about })
        };
        if items.is_empty() {
            return vec![row(None)];
        }
        let is_shown = |client: &&ClientId| items.iter().any(|item| item.client == **client);
        filter.clients.iter().filter(is_shown).map(|client| row(Some(*client))).collect()
    }

    /// Shows an inspector one submission with everything that is needed to decide. Audited.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], also for submissions of clients that the inspector does not see.
    pub fn case_file(&self, inspector: &Inspector, id: SubmissionId) -> Result<CaseFile, Error> {
        let case = self.find_case(self.clients_of(inspector)?, id)?;
        self.record_case(&case, &AuditActor::Inspector(inspector.name.clone()))?;
        Ok(case)
    }

    /// Shows the operator what an inspector sees, of one client or of any. Audited.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, submission_id};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::service::Error;
    ///
    /// let absent = service().case_file_for_operator(Some(client(1)), submission_id(1));
    /// assert!(matches!(absent, Err(Error::NotFound)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`].
    pub fn case_file_for_operator(
        &self,
        client: Option<ClientId>,
        id: SubmissionId,
    ) -> Result<CaseFile, Error> {
        let mut clients = self.directory.clients()?;
        clients.retain(|known| client.is_none_or(|client| client == known.id));
        let case = self.find_case(clients, id)?;
        self.record_case(&case, &AuditActor::Operator)?;
        Ok(case)
    }

    /// Gives an inspector the document of a submission that `pick` chooses, and its bytes. Audited.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], also where nothing is chosen.
    pub fn read_document(
        &self,
        inspector: &Inspector,
        id: SubmissionId,
        pick: impl FnOnce(&Submission) -> Option<DocumentHandle>,
    ) -> Result<(Document, Vec<u8>), Error> {
        let case = self.find_case(self.clients_of(inspector)?, id)?;
        let handle = pick(&case.submission).ok_or(Error::NotFound)?;
        let document = self.document(case.client.id, &handle)?;
        let bytes = self.documents.bytes(case.client.id, handle.id())?.ok_or(Error::NotFound)?;
        let event = AuditEvent::DocumentRead { id, document: handle.id() };
        self.record_read(case.client.id, inspector, event)?;
        Ok((document, bytes))
    }

    /// What is known of a document, without its bytes: nothing personal.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`].
    pub fn document(&self, client: ClientId, handle: &DocumentHandle) -> Result<Document, Error> {
        self.documents.find(client, handle.id())?.ok_or(Error::NotFound)
    }

    pub(super) fn find_case(
        &self,
        clients: Vec<Arc<Client>>,
        id: SubmissionId,
    ) -> Result<CaseFile, Error> {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        for client in clients {
            let found =
                self.submissions.find_with_duplicates(client.id, &lookup, Preference::Latest)?;
            if let Some((submission, duplicates)) = found {
                return Ok(CaseFile { client, submission, duplicates });
            }
        }
        Err(Error::NotFound)
    }

    fn record_case(&self, case: &CaseFile, by: &AuditActor) -> Result<(), Error> {
        let events = [AuditEvent::CaseRead(case.submission.id())];
        self.record(case.client.id, by, events.into_iter().chain(case.shows_beside()))
    }

    /// What an inspector is about to be shown.
    pub(super) fn record_read(
        &self,
        client: ClientId,
        inspector: &Inspector,
        event: AuditEvent,
    ) -> Result<(), Error> {
        self.record(client, &AuditActor::Inspector(inspector.name.clone()), [event])
    }

    fn record(
        &self,
        client: ClientId,
        by: &AuditActor,
        events: impl IntoIterator<Item = AuditEvent>,
    ) -> Result<(), Error> {
        let at = self.clock.now();
        let row = |event| (Some(client), AuditEntry { at, by: by.clone(), event, about: None });
        let rows: Vec<_> = events.into_iter().map(row).collect();
        Ok(self.audit.append(&rows)?)
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
