use crate::{ClientId, Document, DocumentId, StoreError};

/// Keeps documents.
///
/// # Contract
///
/// * After `put` returns, the document survives a crash of the process and of the machine.
/// * A document is found whole or not at all, also after a crash.
/// * An absent document, and another client's, is `Ok(None)`.
/// * A second `put` under one client and id is [`StoreError::Duplicate`] and changes nothing.
///
/// Methods block. A server calls them where blocking is allowed.
pub trait DocumentStore: Send + Sync {
    /// Stores a document with its bytes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Duplicate`] if the client has a document of this id; nothing is stored then.
    fn put(&self, client: ClientId, document: &Document, bytes: &[u8]) -> Result<(), StoreError>;

    /// Finds a document by id, without its bytes.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError>;

    /// The bytes of a document.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError>;
}
