//! Stores that fail.

use std::sync::Arc;

use kyc_core::{
    AnswerStore, Beside, Client, ClientId, Directory, Document, DocumentId, DocumentStore,
    Duplicate, Inspector, Kept, KeyedRequest, Listing, Lookup, PageKey, Preference, QueueFilter,
    Queued, ScreeningQueue, StoreError, Submission, SubmissionStore, Timestamp, Visit,
};

/// When a store fails.
pub(crate) trait Fault: Send + Sync {
    /// Before a call does anything.
    fn before(&self) -> Result<(), StoreError>;

    /// After a change was made.
    fn after(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A store or directory that fails as it is told to.
pub(crate) struct Failing<S, F> {
    pub(crate) inner: S,
    pub(crate) fault: Arc<F>,
}

impl<S: AnswerStore, F: Fault> AnswerStore for Failing<S, F> {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        self.fault.before()?;
        self.inner.find_answer(request, now)
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        self.fault.before()?;
        self.inner.forget_answers(now, count_max)
    }
}

impl<S: SubmissionStore, F: Fault> SubmissionStore for Failing<S, F> {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.fault.before()?;
        self.inner.insert_with(client, submission, beside)?;
        self.fault.after()
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.fault.before()?;
        self.inner.replace_with(client, submission, beside)?;
        self.fault.after()
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        self.fault.before()?;
        self.inner.find(client, lookup, preference)
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        self.fault.before()?;
        self.inner.find_with_duplicates(client, lookup, preference)
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        // Fails after everything was shown, the worst moment.
        let listing = self.inner.list(client, after, visit)?;
        self.fault.before()?;
        Ok(listing)
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.fault.before()?;
        self.inner.awaiting_screening(queue, after, limit)
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.fault.before()?;
        self.inner.review_queue(filter, after, limit)
    }

    fn reads_are_local(&self) -> bool {
        self.inner.reads_are_local()
    }
}

impl<S: DocumentStore, F: Fault> DocumentStore for Failing<S, F> {
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.fault.before()?;
        self.inner.put_with(client, document, bytes, beside)?;
        self.fault.after()
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        self.fault.before()?;
        self.inner.find(client, id)
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        self.fault.before()?;
        self.inner.bytes(client, id)
    }
}

impl<S: Directory, F: Fault> Directory for Failing<S, F> {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        self.fault.before()?;
        self.inner.client_of_key(key)
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        self.fault.before()?;
        self.inner.inspector_of_token(token)
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        self.fault.before()?;
        self.inner.clients()
    }
}
