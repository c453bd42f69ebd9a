use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use time::Date;

use super::{MemoryDocuments, MemorySubmissions, Submissions, lock, of};
use crate::{
    AuditEntry, Certificate, ClientId, DocumentCertificate, DocumentErasure, DocumentId, Erasure,
    Queued, Retention, RetentionRuns, Status, StoreError, Submission, SubmissionId, Timestamp,
};

/// Erases submissions and documents in memory, and keeps certificates of it.
///
/// ```
/// use std::sync::Arc;
///
/// use kyc_core::memory::{MemoryDocuments, MemoryRetention, MemorySubmissions};
/// use kyc_core::{Retention, RetentionRuns};
///
/// let submissions = Arc::new(MemorySubmissions::default());
/// let store = MemoryRetention::over(submissions, Arc::new(MemoryDocuments::default()));
/// assert_eq!(store.runs()?, RetentionRuns::default());
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug)]
pub struct MemoryRetention {
    submissions: Arc<MemorySubmissions>,
    documents: Arc<MemoryDocuments>,
    certificates: Mutex<BTreeMap<(ClientId, SubmissionId), Certificate>>,
    of_documents: Mutex<BTreeMap<(ClientId, DocumentId), DocumentCertificate>>,
    runs: Mutex<RetentionRuns>,
}

impl MemoryRetention {
    /// Over these submissions and documents.
    pub fn over(submissions: Arc<MemorySubmissions>, documents: Arc<MemoryDocuments>) -> Self {
        let (certificates, of_documents) = (Mutex::default(), Mutex::default());
        Self { submissions, documents, certificates, of_documents, runs: Mutex::default() }
    }

    /// Erases those of these documents that no row refers to, and what was answered of them.
    fn erase_documents(
        &self,
        submissions: &mut Submissions,
        client: ClientId,
        documents: &[DocumentId],
    ) -> Vec<DocumentId> {
        let mut stored = lock(&self.documents.rows);
        let unused = |id: &DocumentId| !is_used(&submissions.queued, client, *id);
        let unused: Vec<_> = documents.iter().copied().filter(unused).collect();
        for id in &unused {
            stored.stored.remove(&(client, *id));
            stored.answers.erase(client, id.to_bytes());
        }
        submissions.erased.extend(unused.iter().map(|id| (client, *id)));
        unused
    }
}

fn is_used(rows: &[Queued], client: ClientId, document: DocumentId) -> bool {
    of(rows, client).any(|submission| submission.documents().contains(&document))
}

impl Retention for MemoryRetention {
    fn perhaps_over(
        &self,
        client: ClientId,
        counted_to: Date,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        let submissions = lock(&self.submissions.rows);
        let rows = &submissions.queued;
        let from = |submission: &Submission| match submission.ended() {
            None if submission.status() == Status::Approved => None,
            None => Some(submission.created_at().date()),
            ended => ended,
        };
        let mut over: Vec<_> = of(rows, client)
            .filter_map(|submission| Some((from(submission)?, submission.id())))
            .filter(|(from, _)| *from <= counted_to)
            .collect();
        over.sort_unstable();
        Ok(over.into_iter().map(|(_, id)| id).collect())
    }

    fn extent(&self, client: ClientId) -> Result<(u64, Option<Timestamp>), StoreError> {
        let submissions = lock(&self.submissions.rows);
        let rows = &submissions.queued;
        let documents = lock(&self.documents.rows);
        let handed_in = of(rows, client).map(Submission::created_at);
        let uploaded = documents
            .stored
            .iter()
            .filter(|((of, _), _)| *of == client)
            .map(|(_, row)| row.0.created_at);
        let count = u64::try_from(of(rows, client).count()).unwrap_or(u64::MAX);
        Ok((count, handed_in.chain(uploaded).max()))
    }

    fn erase(
        &self,
        client: ClientId,
        erasure: &Erasure,
    ) -> Result<Option<Certificate>, StoreError> {
        let mut submissions = lock(&self.submissions.rows);
        let rows = &mut submissions.queued;
        let is_meant =
            |row: &Queued| row.client == client && row.submission.id() == erasure.submission;
        let Some(place) = rows.iter().position(is_meant) else { return Ok(None) };
        if rows.get(place).is_none_or(|row| row.submission.version() != erasure.version) {
            return Err(StoreError::Stale);
        }
        rows.remove(place);
        submissions.answers.erase(client, erasure.submission.to_bytes());
        self.submissions.audit.push(Some(client), AuditEntry::of_erasure(erasure));
        let documents = self.erase_documents(&mut submissions, client, &erasure.documents);
        let certificate = Certificate::of(client, erasure.clone(), documents);
        lock(&self.certificates).insert((client, erasure.submission), certificate.clone());
        Ok(Some(certificate))
    }

    fn certificate(
        &self,
        client: ClientId,
        submission: SubmissionId,
    ) -> Result<Option<Certificate>, StoreError> {
        Ok(lock(&self.certificates).get(&(client, submission)).cloned())
    }

    fn referring(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        let submissions = lock(&self.submissions.rows);
        let refers = |submission: &&Submission| submission.documents().contains(&document);
        Ok(of(&submissions.queued, client).filter(refers).map(Submission::id).collect())
    }

    fn erase_document(
        &self,
        client: ClientId,
        erasure: &DocumentErasure,
    ) -> Result<Option<DocumentCertificate>, StoreError> {
        let DocumentErasure { document, changed, .. } = erasure;
        let mut submissions = lock(&self.submissions.rows);
        let key = (client, *document);
        let uploaded = lock(&self.documents.rows).stored.get(&key).map(|row| row.0.created_at);
        let Some(created_at) = uploaded else { return Ok(None) };
        let mut rows = submissions.queued.clone();
        for submission in changed {
            let row = rows
                .iter_mut()
                .filter(|row| row.client == client)
                .map(|row| &mut row.submission)
                .find(|stored| stored.id() == submission.id())
                .filter(|stored| stored.version().checked_add(1) == Some(submission.version()))
                .ok_or(StoreError::Stale)?;
            *row = submission.clone();
        }
        if is_used(&rows, client, *document) {
            return Err(StoreError::Stale);
        }
        submissions.queued = rows;
        self.erase_documents(&mut submissions, client, &[*document]);
        for entry in AuditEntry::of_document_erasure(erasure) {
            self.submissions.audit.push(Some(client), entry);
        }
        let certificate = DocumentCertificate::of(client, erasure, created_at);
        lock(&self.of_documents).insert(key, certificate.clone());
        Ok(Some(certificate))
    }

    fn document_certificate(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Option<DocumentCertificate>, StoreError> {
        Ok(lock(&self.of_documents).get(&(client, document)).cloned())
    }

    fn unused_documents(
        &self,
        client: ClientId,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let submissions = lock(&self.submissions.rows);
        let rows = &submissions.queued;
        let documents = lock(&self.documents.rows);
        let mut unused: Vec<_> = documents
            .stored
            .iter()
            .filter(|((of, id), (document, _))| {
                *of == client && document.created_at < before && !is_used(rows, client, *id)
            })
            .map(|((_, id), (document, _))| (document.created_at, *id))
            .collect();
        unused.sort_unstable();
        Ok(unused.into_iter().map(|(_, id)| id).take(limit).collect())
    }

    fn erase_unused(
        &self,
        client: ClientId,
        documents: &[DocumentId],
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut submissions = lock(&self.submissions.rows);
        let erased = self.erase_documents(&mut submissions, client, documents);
        for id in &erased {
            self.submissions.audit.push(Some(client), AuditEntry::of_unused(*id, at));
        }
        Ok(u64::try_from(erased.len()).unwrap_or(u64::MAX))
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn runs(&self) -> Result<RetentionRuns, StoreError> {
        Ok(*lock(&self.runs))
    }

    fn advance_runs(
        &self,
        before: &RetentionRuns,
        after: &RetentionRuns,
    ) -> Result<(), StoreError> {
        let mut runs = lock(&self.runs);
        if *runs != *before {
            return Err(StoreError::Stale);
        }
        *runs = *after;
        Ok(())
    }
}
