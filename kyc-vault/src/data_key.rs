use std::fmt;

use crate::cipher::{
    Cipher, DoesNotOpen, NONCE_BYTES, NoRandomness, Secret, TAG_BYTES, WRAPPED_BYTES, random_secret,
};
use crate::place::{Place, What};

/// How many bytes longer sealed content is than in clear.
pub const SEALED_EXTRA_BYTES: usize = 1 + NONCE_BYTES + TAG_BYTES;

/// The layout of sealed content: this byte, nonce, ciphertext, tag.
const FORMAT: u8 = 1;

/// The key of one thing that is sealed: a row, or a document with its row.
///
/// Made anew for every write, so that it seals a handful of contents in all. Overwritten when
/// dropped.
///
/// ```
/// use kyc_vault::{DataKey, Place};
///
/// let place = Place { client: 7, table: "document", row: b"d-1" };
/// let key = DataKey::random()?;
/// let sealed = key.seal(place, "file", b"%PDF-1.7")?;
/// assert_eq!(sealed.len(), 8 + kyc_vault::SEALED_EXTRA_BYTES);
/// assert_eq!(key.open(place, "file", &sealed, &mut Vec::new())?, b"%PDF-1.7");
/// assert!(key.open(place, "handle", &sealed, &mut Vec::new()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DataKey {
    pub(crate) secret: Secret,
    cipher: Cipher,
}

impl DataKey {
    /// Makes a key.
    ///
    /// # Errors
    ///
    /// [`NoRandomness`].
    pub fn random() -> Result<Self, NoRandomness> {
        random_secret().map(Self::new)
    }

    pub(crate) fn new(secret: Secret) -> Self {
        let cipher = Cipher::new(&secret);
        Self { secret, cipher }
    }

    /// Seals the content of a column for its place.
    ///
    /// # Errors
    ///
    /// [`NoRandomness`].
    pub fn seal(
        &self,
        place: Place<'_>,
        column: &str,
        content: &[u8],
    ) -> Result<Vec<u8>, NoRandomness> {
        let mut sealed = Vec::with_capacity(content.len() + SEALED_EXTRA_BYTES);
        self.seal_onto(place, column, content, &mut sealed)?;
        Ok(sealed)
    }

    /// Seals as [`seal`](Self::seal) does, behind what is in `sealed` already.
    ///
    /// # Errors
    ///
    /// [`NoRandomness`]; `sealed` may have grown.
    pub fn seal_onto(
        &self,
        place: Place<'_>,
        column: &str,
        content: &[u8],
        sealed: &mut Vec<u8>,
    ) -> Result<(), NoRandomness> {
        sealed.reserve(content.len() + SEALED_EXTRA_BYTES);
        sealed.push(FORMAT);
        place.with_aad(What::Column(column), |aad| self.cipher.seal(aad, content, sealed))
    }

    /// Opens the sealed content of a column. `buffer` holds that and nothing else then, and may be
    /// used again for the next.
    ///
    /// # Errors
    ///
    /// [`DoesNotOpen`]; what `buffer` holds then is no content.
    pub fn open<'b>(
        &self,
        place: Place<'_>,
        column: &str,
        sealed: &[u8],
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], DoesNotOpen> {
        match sealed.split_first() {
            Some((&FORMAT, sealed)) => {
                place.with_aad(What::Column(column), |aad| self.cipher.open(aad, sealed, buffer))
            }
            _ => Err(DoesNotOpen),
        }
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataKey(***)")
    }
}

/// A data key as it is stored: the version of the client key that has wrapped it, and what only
/// that key opens.
///
/// # Layout
///
/// 64 bytes: the version, little-endian (4), nonce (12), ciphertext (32), tag (16).
///
/// ```
/// use kyc_vault::WrappedDataKey;
///
/// let mut stored = [0; WrappedDataKey::BYTES];
/// stored[0] = 3;
/// let wrapped = WrappedDataKey::from_bytes(&stored).ok_or("64 bytes")?;
/// assert_eq!(wrapped.version(), 3);
/// assert_eq!(WrappedDataKey::from_bytes(&stored[1..]), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrappedDataKey {
    version: u32,
    wrapped: [u8; WRAPPED_BYTES],
}

impl WrappedDataKey {
    /// How long its stored form is.
    pub const BYTES: usize = 4 + WRAPPED_BYTES;

    pub(crate) fn new(version: u32, wrapped: [u8; WRAPPED_BYTES]) -> Self {
        Self { version, wrapped }
    }

    /// Reads the stored form. `None` if it has another length.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (version, wrapped) = bytes.split_first_chunk()?;
        let version = u32::from_le_bytes(*version);
        Some(Self { version, wrapped: wrapped.try_into().ok()? })
    }

    /// The stored form.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (version, wrapped) = bytes.split_at_mut(4);
        version.copy_from_slice(&self.version.to_le_bytes());
        wrapped.copy_from_slice(&self.wrapped);
        bytes
    }

    /// Which version of the client's key has wrapped it.
    pub fn version(&self) -> u32 {
        self.version
    }

    pub(crate) fn wrapped(&self) -> &[u8; WRAPPED_BYTES] {
        &self.wrapped
    }
}
