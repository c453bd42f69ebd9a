//! AES-256-GCM with random nonces. The one place that knows the algorithm.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::rand;
use zeroize::Zeroizing;

pub(crate) const KEY_BYTES: usize = 32;
pub(crate) const NONCE_BYTES: usize = NONCE_LEN;
pub(crate) const TAG_BYTES: usize = 16;

/// How long a key is that another key has wrapped: nonce, key, tag.
pub(crate) const WRAPPED_BYTES: usize = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/// The bytes of a key. Overwritten when dropped.
pub(crate) type Secret = Zeroizing<[u8; KEY_BYTES]>;

/// A key, ready to be used. The library overwrites its expanded form when it is dropped.
pub(crate) struct Cipher(LessSafeKey);

impl Cipher {
    pub(crate) fn new(secret: &Secret) -> Self {
        #[expect(clippy::expect_used, reason = "AES-256 takes every key of 32 bytes")]
        let key = UnboundKey::new(&AES_256_GCM, secret.as_slice()).expect("a key of 32 bytes");
        Self(LessSafeKey::new(key))
    }

    /// Appends nonce, ciphertext and tag to `sealed`. Ninety-six random bits are a nonce: whoever
    /// uses one key often counts how often.
    pub(crate) fn seal(
        &self,
        aad: &[u8],
        content: &[u8],
        sealed: &mut Vec<u8>,
    ) -> Result<(), NoRandomness> {
        let nonce: [u8; NONCE_BYTES] = random()?;
        let start = sealed.len() + NONCE_BYTES;
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(content);
        let in_out = sealed.get_mut(start..).unwrap_or_default();
        let nonce = Nonce::assume_unique_for_key(nonce);
        // Fails only for contents beyond 64 GiB.
        let tag = self
            .0
            .seal_in_place_separate_tag(nonce, Aad::from(aad), in_out)
            .map_err(|_| NoRandomness)?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(())
    }

    /// Opens what [`seal`](Self::seal) made. `buffer` holds that and nothing else then.
    pub(crate) fn open<'b>(
        &self,
        aad: &[u8],
        sealed: &[u8],
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], DoesNotOpen> {
        let (nonce, rest) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(DoesNotOpen)?;
        buffer.clear();
        buffer.extend_from_slice(rest);
        let length = self.open_in_place(*nonce, aad, buffer)?.len();
        buffer.truncate(length);
        Ok(buffer)
    }

    /// Wraps a key.
    pub(crate) fn wrap(
        &self,
        aad: &[u8],
        secret: &Secret,
    ) -> Result<[u8; WRAPPED_BYTES], NoRandomness> {
        let mut wrapped = Vec::with_capacity(WRAPPED_BYTES);
        self.seal(aad, secret.as_slice(), &mut wrapped)?;
        wrapped.try_into().map_err(|_| NoRandomness)
    }

    /// Unwraps a key.
    pub(crate) fn unwrap(
        &self,
        aad: &[u8],
        wrapped: &[u8; WRAPPED_BYTES],
    ) -> Result<Secret, DoesNotOpen> {
        let mut nonce = [0; NONCE_BYTES];
        let mut buffer = Zeroizing::new([0; KEY_BYTES + TAG_BYTES]);
        let (head, rest) = wrapped.split_at(NONCE_BYTES);
        nonce.copy_from_slice(head);
        buffer.copy_from_slice(rest);
        let opened = self.open_in_place(nonce, aad, buffer.as_mut_slice())?;
        let mut secret = Secret::default();
        secret.copy_from_slice(opened);
        Ok(secret)
    }

    fn open_in_place<'b>(
        &self,
        nonce: [u8; NONCE_BYTES],
        aad: &[u8],
        in_out: &'b mut [u8],
    ) -> Result<&'b [u8], DoesNotOpen> {
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = self.0.open_in_place(nonce, Aad::from(aad), in_out);
        opened.map(|opened| &*opened).map_err(|_| DoesNotOpen)
    }
}

/// Random bytes of the operating system's generator.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// A new key.
pub(crate) fn random_secret() -> Result<Secret, NoRandomness> {
    let mut secret = Secret::default();
    rand::fill(secret.as_mut_slice()).map_err(|_| NoRandomness)?;
    Ok(secret)
}

/// Sealed bytes do not open: they were changed or moved, or belong to another key. Which of these
/// it is cannot be told.
///
/// ```
/// use kyc_vault::DoesNotOpen;
///
/// assert_eq!(DoesNotOpen.to_string(), "the sealed bytes were changed, moved, or sealed with another key");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the sealed bytes were changed, moved, or sealed with another key")]
pub struct DoesNotOpen;

/// The operating system gives no randomness, so nothing can be sealed.
///
/// ```
/// use kyc_vault::NoRandomness;
///
/// assert_eq!(NoRandomness.to_string(), "there is no randomness");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no randomness")]
pub struct NoRandomness;
