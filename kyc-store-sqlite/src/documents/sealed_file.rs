//! The file of a document, sealed: a mark, and what its key opens.
//!
//! The mark tells a sealed file from one in clear, none of whose formats begins so. While a store is
//! being sealed, the row has its key already and the file may still be in clear: its checksum vouches
//! for it then.

use kyc_core::{ClientId, DocumentId, StoreError};
use kyc_vault::{DoesNotOpen, SEALED_EXTRA_BYTES};

use super::row::TABLE;
use crate::sealing::{OpenRowKey, RowKey, place};

const MARK: &[u8; 8] = b"KYCSEAL1";
const COLUMN: &str = "file";

/// How many bytes longer a file is than the document, at most.
pub(super) const EXTRA_BYTES: usize = MARK.len() + SEALED_EXTRA_BYTES;

/// The file of a document. `None` if it is stored as it is.
pub(super) fn seal(
    key: &RowKey,
    client: ClientId,
    id: DocumentId,
    bytes: &[u8],
) -> Result<Option<Vec<u8>>, StoreError> {
    if key.is_clear() {
        return Ok(None);
    }
    let id = id.to_bytes();
    let mut file = Vec::with_capacity(bytes.len() + EXTRA_BYTES);
    file.extend_from_slice(MARK);
    key.seal_onto(place(client, TABLE, &id), COLUMN, bytes, &mut file)?;
    Ok(Some(file))
}

/// The file of a document that was stored in clear, under the key that its row has now.
pub(super) fn seal_again(
    key: &OpenRowKey,
    client: ClientId,
    id: DocumentId,
    bytes: &[u8],
) -> Result<Vec<u8>, StoreError> {
    let id = id.to_bytes();
    let mut file = MARK.to_vec();
    key.seal_onto(place(client, TABLE, &id), COLUMN, bytes, &mut file)?;
    Ok(file)
}

pub(super) fn is_sealed(file: &[u8]) -> bool {
    file.starts_with(MARK)
}

/// The document in a sealed file.
pub(super) fn open(
    key: &OpenRowKey,
    client: ClientId,
    id: DocumentId,
    file: &[u8],
) -> Result<Vec<u8>, DoesNotOpen> {
    let id = id.to_bytes();
    let sealed = file.strip_prefix(MARK).ok_or(DoesNotOpen)?;
    let mut bytes = Vec::new();
    key.open(place(client, TABLE, &id), COLUMN, sealed, &mut bytes)?;
    Ok(bytes)
}
