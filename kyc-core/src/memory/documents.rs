use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use super::{MemoryAnswers, MemoryAudit, lock};
use crate::{
    AnswerStore, AuditEntry, Beside, ClientId, Document, DocumentId, DocumentStore, Kept,
    KeyedRequest, StoreError, Timestamp,
};

/// Keeps documents in memory.
///
/// ```
/// use kyc_core::memory::MemoryDocuments;
/// use kyc_core::{ClientId, DocumentId, DocumentStore, Timestamp};
///
/// let store = MemoryDocuments::default();
/// let client = ClientId::new(1).ok_or("no number")?;
/// let id = DocumentId::new(Timestamp::EARLIEST, [0; 10]);
/// assert!(store.bytes(client, id)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct MemoryDocuments {
    pub(super) rows: Mutex<Documents>,
    audit: Arc<MemoryAudit>,
}

#[derive(Default)]
pub(super) struct Documents {
    pub(super) stored: BTreeMap<(ClientId, DocumentId), StoredDocument>,
    pub(super) answers: MemoryAnswers,
}

impl MemoryDocuments {
    /// Records uploads in an audit that others use, too.
    #[must_use]
    pub fn with_audit(mut self, audit: Arc<MemoryAudit>) -> Self {
        self.audit = audit;
        self
    }
}

type StoredDocument = (Document, Vec<u8>);

impl fmt::Debug for MemoryDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Pictures of people and their papers.
        f.debug_struct("MemoryDocuments").finish_non_exhaustive()
    }
}

impl DocumentStore for MemoryDocuments {
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError> {
        let mut rows = lock(&self.rows);
        rows.answers.check(&beside)?;
        let key = (client, document.handle.id());
        if rows.stored.contains_key(&key) {
            return Err(StoreError::Duplicate);
        }
        let entry = AuditEntry::of_document(document).by_key(beside.key.as_ref());
        self.audit.push(Some(client), entry);
        rows.stored.insert(key, (document.clone(), bytes.to_vec()));
        rows.answers.keep(client, document.handle.id().to_bytes(), beside);
        Ok(())
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        Ok(lock(&self.rows).stored.get(&(client, id)).map(|(document, _)| document.clone()))
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(lock(&self.rows).stored.get(&(client, id)).map(|(_, bytes)| bytes.clone()))
    }
}

impl AnswerStore for MemoryDocuments {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        Ok(lock(&self.rows).answers.find(request, now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        Ok(lock(&self.rows).answers.forget(now, count_max))
    }
}
