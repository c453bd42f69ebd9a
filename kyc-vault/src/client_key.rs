use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cipher::{Cipher, DoesNotOpen, NoRandomness, Secret, WRAPPED_BYTES, random_secret};
use crate::data_key::{DataKey, WrappedDataKey};
use crate::master::MasterKey;
use crate::place::{Place, What};

/// How many data keys one version of a client's key may wrap: 2^28, a sixteenth of the 2^32 that
/// NIST SP 800-38D, section 8.3, allows with random nonces. That two nonces are equal has a chance
/// of 2^-41 then.
pub const USES_MAX: u32 = 1 << 28;

/// A client's key that opens and no longer seals: a version that was replaced, or one that nobody
/// was allowed to seal with.
///
/// ```
/// use kyc_vault::{DataKey, MasterKey, Place, SealingKey};
///
/// let master = MasterKey::random()?;
/// let (first, _) = SealingKey::random(7, 1, &master)?;
/// first.allow(1);
/// let place = Place { client: 7, table: "submission", row: b"s-1" };
/// let wrapped = first.wrap(place, &DataKey::random()?)?;
///
/// let replaced = first.into_opening();
/// assert!(replaced.unwrap(place, &wrapped).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It has no `wrap`:
///
/// ```compile_fail
/// # fn seal(key: kyc_vault::OpeningKey, place: kyc_vault::Place<'_>, data: kyc_vault::DataKey) {
/// key.wrap(place, &data);
/// # }
/// ```
pub struct OpeningKey {
    client: u32,
    version: u32,
    cipher: Cipher,
}

impl OpeningKey {
    pub(crate) fn new(client: u32, version: u32, secret: &Secret) -> Self {
        Self { client, version, cipher: Cipher::new(secret) }
    }

    /// Whose key it is.
    pub fn client(&self) -> u32 {
        self.client
    }

    /// Which of the client's keys it is.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Unwraps a data key.
    ///
    /// # Errors
    ///
    /// [`DoesNotOpen`], also when another version has wrapped it.
    pub fn unwrap(
        &self,
        place: Place<'_>,
        wrapped: &WrappedDataKey,
    ) -> Result<DataKey, DoesNotOpen> {
        if (place.client, wrapped.version()) != (self.client, self.version) {
            return Err(DoesNotOpen);
        }
        let what = What::DataKey { version: self.version };
        let secret = place.with_aad(what, |aad| self.cipher.unwrap(aad, wrapped.wrapped()));
        secret.map(DataKey::new)
    }
}

impl fmt::Debug for OpeningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpeningKey({} of client {})", self.version, self.client)
    }
}

/// A client's key that seals: the newest version. It wraps as many data keys as it was
/// [allowed](Self::allow) to.
///
/// Whoever keeps count allows it in blocks, each written down before it is used: what is lost in a
/// crash was counted, not used. When [`USES_MAX`] are written down, it is time for a new version.
///
/// ```
/// use kyc_vault::{DataKey, MasterKey, Place, SealError, SealingKey};
///
/// let (key, _) = SealingKey::random(7, 1, &MasterKey::random()?)?;
/// let place = Place { client: 7, table: "submission", row: b"s-1" };
/// let data_key = DataKey::random()?;
/// assert!(matches!(key.wrap(place, &data_key), Err(SealError::UsedUp)));
/// key.allow(1);
/// assert!(key.wrap(place, &data_key).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SealingKey {
    key: OpeningKey,
    left: AtomicU64,
}

impl SealingKey {
    /// Makes a version of a client's key, and its stored form.
    ///
    /// # Errors
    ///
    /// [`NoRandomness`].
    pub fn random(
        client: u32,
        version: u32,
        master: &MasterKey,
    ) -> Result<(Self, WrappedClientKey), NoRandomness> {
        let secret = random_secret()?;
        let wrapped = master.wrap(client, version, &secret)?;
        Ok((Self::new(OpeningKey::new(client, version, &secret)), wrapped))
    }

    /// Takes a key to seal with, which is not allowed to yet. Only the newest version is taken.
    pub fn new(key: OpeningKey) -> Self {
        Self { key, left: AtomicU64::new(0) }
    }

    /// Allows so many uses more.
    pub fn allow(&self, uses: u32) {
        self.left.fetch_add(uses.into(), Ordering::Relaxed);
    }

    /// How many uses are left.
    pub fn uses_left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Wraps a data key for its place.
    ///
    /// # Errors
    ///
    /// [`SealError::UsedUp`] until more uses are allowed.
    pub fn wrap(&self, place: Place<'_>, data_key: &DataKey) -> Result<WrappedDataKey, SealError> {
        if place.client != self.key.client {
            return Err(SealError::OtherClient);
        }
        let one_less = |left: u64| left.checked_sub(1);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
            .map_err(|_| SealError::UsedUp)?;
        let version = self.key.version;
        let what = What::DataKey { version };
        let wrapped = place.with_aad(what, |aad| self.key.cipher.wrap(aad, &data_key.secret))?;
        Ok(WrappedDataKey::new(version, wrapped))
    }

    /// The same key to open with.
    pub fn opening(&self) -> &OpeningKey {
        &self.key
    }

    /// Gives up the right to seal.
    pub fn into_opening(self) -> OpeningKey {
        self.key
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealingKey({} of client {})", self.key.version, self.key.client)
    }
}

/// A client's key as it is stored: 60 bytes that only the master key opens.
///
/// ```
/// use kyc_vault::{MasterKey, SealingKey, WrappedClientKey};
///
/// let master = MasterKey::random()?;
/// let (_, wrapped) = SealingKey::random(7, 1, &master)?;
/// let stored = wrapped.to_bytes();
/// let read = WrappedClientKey::from_bytes(&stored).ok_or("60 bytes")?;
/// assert!(master.unwrap(7, 1, &read).is_ok());
/// assert!(master.unwrap(7, 2, &read).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrappedClientKey(pub(crate) [u8; WRAPPED_BYTES]);

impl WrappedClientKey {
    /// Reads the stored form. `None` if it has another length.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The stored form.
    pub fn to_bytes(&self) -> [u8; WRAPPED_BYTES] {
        self.0
    }
}

/// Why a data key cannot be wrapped.
///
/// ```
/// use kyc_vault::SealError;
///
/// assert_eq!(SealError::UsedUp.to_string(), "the client's key was used as often as it may be");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// More uses have to be allowed, or a new version made.
    #[error("the client's key was used as often as it may be")]
    UsedUp,
    /// The place belongs to somebody else.
    #[error("the place belongs to another client")]
    OtherClient,
    /// There is no randomness.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}
