use std::fmt;

use aws_lc_rs::hmac::{self, HMAC_SHA256};
use zeroize::Zeroizing;

use crate::cipher::{
    Cipher, DoesNotOpen, KEY_BYTES, NoRandomness, Secret, WRAPPED_BYTES, random_secret,
};
use crate::client_key::{OpeningKey, WrappedClientKey};
use crate::share::{Share, SharesDiffer};
use crate::text::{self, InvalidKeyText};

/// The key above all others. It is never stored beside what it protects.
///
/// Overwritten when dropped.
///
/// ```
/// use kyc_vault::MasterKey;
///
/// let master = MasterKey::random()?;
/// let same = MasterKey::from_text(&master.to_text())?;
/// assert_eq!(master.fingerprint(), same.fingerprint());
/// assert_eq!(format!("{master:?}"), "MasterKey(***)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MasterKey {
    secret: Secret,
    cipher: Cipher,
}

/// Tells master keys apart, and nothing else about them: an HMAC-SHA256 under the key.
pub type Fingerprint = [u8; 32];

impl MasterKey {
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

    /// Reads the text form. Space around it is left out.
    ///
    /// # Syntax
    ///
    /// `kycm_` and 72 digits of base 16: the key, and a checksum of 32 bits.
    ///
    /// # Errors
    ///
    /// [`InvalidKeyText`].
    pub fn from_text(text: &str) -> Result<Self, InvalidKeyText> {
        let bytes = text::read::<KEY_BYTES>(MASTER_PREFIX, text)?;
        Ok(Self::new(bytes))
    }

    /// The text form, which is as secret as the key.
    pub fn to_text(&self) -> Zeroizing<String> {
        text::write(MASTER_PREFIX, self.secret.as_slice())
    }

    /// Splits the key between two custodians. Each share alone is random bytes.
    ///
    /// # Errors
    ///
    /// [`NoRandomness`].
    pub fn split(&self) -> Result<[Share; 2], NoRandomness> {
        Share::split(&self.secret)
    }

    /// Puts the key together, from the shares in either order.
    ///
    /// # Errors
    ///
    /// [`SharesDiffer`] when they are not the two halves of one key.
    pub fn combine(one: &Share, other: &Share) -> Result<Self, SharesDiffer> {
        Share::combine(one, other).map(Self::new)
    }

    /// Tells which master key it is.
    pub fn fingerprint(&self) -> Fingerprint {
        let tag = hmac::sign(&hmac::Key::new(HMAC_SHA256, self.secret.as_slice()), b"fingerprint");
        let mut fingerprint = [0; 32];
        // An HMAC-SHA256 tag has exactly that length.
        fingerprint.copy_from_slice(tag.as_ref());
        fingerprint
    }

    /// Unwraps a version of a client's key.
    ///
    /// # Errors
    ///
    /// [`DoesNotOpen`].
    pub fn unwrap(
        &self,
        client: u32,
        version: u32,
        wrapped: &WrappedClientKey,
    ) -> Result<OpeningKey, DoesNotOpen> {
        let secret = self.cipher.unwrap(&client_aad(client, version), &wrapped.0)?;
        Ok(OpeningKey::new(client, version, &secret))
    }

    /// Wraps a version of a client's key, which this key has wrapped, with another master key.
    ///
    /// # Errors
    ///
    /// [`DoesNotOpen`].
    pub fn rewrap(
        &self,
        client: u32,
        version: u32,
        wrapped: &WrappedClientKey,
        next: &Self,
    ) -> Result<WrappedClientKey, DoesNotOpen> {
        let secret = self.cipher.unwrap(&client_aad(client, version), &wrapped.0)?;
        next.wrap(client, version, &secret).map_err(|_| DoesNotOpen)
    }

    pub(crate) fn wrap(
        &self,
        client: u32,
        version: u32,
        secret: &Secret,
    ) -> Result<WrappedClientKey, NoRandomness> {
        self.cipher.wrap(&client_aad(client, version), secret).map(WrappedClientKey)
    }

    /// Wraps another secret of 32 bytes, known by a name.
    ///
    /// # Errors
    ///
    /// [`NoRandomness`].
    pub fn wrap_secret(
        &self,
        name: &str,
        secret: &Zeroizing<[u8; KEY_BYTES]>,
    ) -> Result<[u8; WRAPPED_BYTES], NoRandomness> {
        self.cipher.wrap(&secret_aad(name), secret)
    }

    /// Unwraps what [`wrap_secret`](Self::wrap_secret) has wrapped under that name.
    ///
    /// # Errors
    ///
    /// [`DoesNotOpen`].
    pub fn unwrap_secret(
        &self,
        name: &str,
        wrapped: &[u8],
    ) -> Result<Zeroizing<[u8; KEY_BYTES]>, DoesNotOpen> {
        let wrapped = wrapped.try_into().map_err(|_| DoesNotOpen)?;
        self.cipher.unwrap(&secret_aad(name), wrapped)
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(***)")
    }
}

fn client_aad(client: u32, version: u32) -> [u8; 9] {
    let mut aad = [b'm'; 9];
    let (_, numbers) = aad.split_at_mut(1);
    let (first, second) = numbers.split_at_mut(4);
    first.copy_from_slice(&client.to_le_bytes());
    second.copy_from_slice(&version.to_le_bytes());
    aad
}

fn secret_aad(name: &str) -> Vec<u8> {
    [b"s", name.as_bytes()].concat()
}

const MASTER_PREFIX: &str = "kycm_";
