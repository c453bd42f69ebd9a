use super::Keeper;
use crate::service::Error;
use crate::{
    Actor, ClientId, DocumentCertificate, DocumentErasure, DocumentId, Forbidden, ReasonCode,
    StoreError, SubmissionId,
};

/// Why a document is not erased. Nothing has changed.
///
/// ```
/// use kyc_core::Forbidden;
/// use kyc_core::conformance::fixture::submission_id;
/// use kyc_core::service::EraseDocumentError;
///
/// let refused = EraseDocumentError::Kept { id: submission_id(1), why: Forbidden::Held };
/// assert_eq!(
///     refused.to_string(),
///     format!("submission {} refers to it: it is held: release it first", submission_id(1)),
/// );
/// ```
#[derive(Debug, thiserror::Error)]
pub enum EraseDocumentError {
    /// There is no such document.
    #[error("there is no such document")]
    NotFound,
    /// A submission that refers to it must keep it.
    #[error("submission {id} refers to it: {why}")]
    Kept {
        /// Which.
        id: SubmissionId,
        /// Why.
        why: Forbidden,
    },
    /// A submission that refers to it changed in between.
    #[error("a submission that refers to it changed in between: try again")]
    Stale,
    /// The storage failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for EraseDocumentError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Keeper {
    /// What the erasure of a document would change (D120). Changes nothing.
    ///
    /// # Errors
    ///
    /// [`EraseDocumentError::Kept`] if a submission must keep it, with the reason.
    pub fn document_erasure(
        &self,
        client: ClientId,
        document: DocumentId,
        reason: ReasonCode,
    ) -> Result<DocumentErasure, EraseDocumentError> {
        let at = self.service.now_of(client)?;
        let mut changed = Vec::new();
        for id in self.store.referring(client, document)? {
            let submission = self.service.by_id(client, id)?.ok_or(EraseDocumentError::Stale)?;
            let without = submission.erase_document(Actor::Operator, at, document);
            changed.push(without.map_err(|why| EraseDocumentError::Kept { id, why })?);
        }
        Ok(DocumentErasure { document, changed, reason, at })
    }

    /// Erases one document because somebody asks for it. Submissions that had it in a slot are
    /// incomplete then.
    ///
    /// # Errors
    ///
    /// As [`document_erasure`](Self::document_erasure); [`EraseDocumentError::NotFound`].
    pub fn erase_document(
        &self,
        client: ClientId,
        document: DocumentId,
        reason: ReasonCode,
    ) -> Result<DocumentCertificate, EraseDocumentError> {
        let erasure = self.document_erasure(client, document, reason)?;
        let erased = match self.store.erase_document(client, &erasure) {
            Err(StoreError::Stale) => return Err(EraseDocumentError::Stale),
            erased => erased?.ok_or(EraseDocumentError::NotFound)?,
        };
        self.store.scrub()?;
        Ok(erased)
    }
}
