use crate::{AnswerStore, Beside, ClientId, Document, DocumentId, StoreError, Timestamp};

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
///
/// ```
/// use kyc_core::conformance::fixture::{client, handle, time};
/// use kyc_core::memory::MemoryDocuments;
/// use kyc_core::{Document, DocumentKind, DocumentStore, FileFormat, StoreError};
///
/// let store = MemoryDocuments::default();
/// let bytes = b"%PDF-1.4";
/// let document = Document {
///     handle: handle(DocumentKind::Passport, 1),
///     created_at: time(0),
///     format: FileFormat::Pdf,
///     size_bytes: 8,
/// };
/// store.put(client(1), &document, bytes)?;
/// assert_eq!(store.bytes(client(1), document.handle.id())?.as_deref(), Some(bytes.as_slice()));
/// assert_eq!(store.find(client(2), document.handle.id())?, None, "another client's");
///
/// let again = store.put(client(1), &document, bytes);
/// assert!(matches!(again, Err(StoreError::Duplicate)));
/// # Ok::<(), StoreError>(())
/// ```
pub trait DocumentStore: AnswerStore {
    /// Stores a document with its bytes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Duplicate`] if the client has a document of this id, and
    /// [`StoreError::UsedUp`] if it may not store any more; nothing is stored then.
    fn put(&self, client: ClientId, document: &Document, bytes: &[u8]) -> Result<(), StoreError> {
        self.put_with(client, document, bytes, Beside::NOTHING)
    }

    /// As [`put`](Self::put), with something in the same write.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyTaken`] if it brings an answer under a key that has one, else
    /// [`StoreError::Duplicate`]; nothing is stored then.
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError>;

    /// Whether the client may store any document at this time, however small. Says so before the
    /// bytes of one are received; [`put`](Self::put) decides. Waits no longer than a read does.
    ///
    /// # Errors
    ///
    /// [`StoreError::UsedUp`] if not.
    fn check_room(&self, _client: ClientId, _at: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

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
