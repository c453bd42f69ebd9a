use std::fmt;

use zeroize::Zeroizing;

use crate::cipher::{KEY_BYTES, NoRandomness, Secret, random, random_secret};
use crate::text::{self, InvalidKeyText};

/// What one of two custodians holds. Alone it is random bytes and says nothing about the key.
///
/// ```
/// use kyc_vault::{MasterKey, Share};
///
/// let master = MasterKey::random()?;
/// let [one, other] = master.split()?;
/// let one = Share::from_text(&one.to_text())?;
/// assert_eq!(MasterKey::combine(&other, &one)?.fingerprint(), master.fingerprint());
/// assert!(MasterKey::combine(&one, &one).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Share {
    /// Which of the two, the number of their split, and the bytes.
    bytes: Zeroizing<[u8; SHARE_BYTES]>,
}

const SPLIT_BYTES: usize = 4;
const SHARE_BYTES: usize = 1 + SPLIT_BYTES + KEY_BYTES;
const PREFIX: &str = "kycs_";

impl Share {
    pub(crate) fn split(secret: &Secret) -> Result<[Self; 2], NoRandomness> {
        let split: [u8; SPLIT_BYTES] = random()?;
        let pad = random_secret()?;
        let share = |place: u8, part: &Secret| {
            let mut bytes = Zeroizing::new([place; SHARE_BYTES]);
            let (head, body) = bytes.split_at_mut(1 + SPLIT_BYTES);
            let (_, number) = head.split_at_mut(1);
            number.copy_from_slice(&split);
            body.copy_from_slice(part.as_slice());
            Self { bytes }
        };
        Ok([share(1, &pad), share(2, &xor(&pad, secret.as_slice()))])
    }

    pub(crate) fn combine(one: &Self, other: &Self) -> Result<Secret, SharesDiffer> {
        let (place, split, part) = one.parts();
        let (other_place, other_split, other_part) = other.parts();
        if place == other_place || split != other_split {
            return Err(SharesDiffer);
        }
        let mut secret = Secret::default();
        secret.copy_from_slice(part);
        Ok(xor(&secret, other_part))
    }

    /// Reads the text form. Space around it is left out.
    ///
    /// # Syntax
    ///
    /// `kycs_` and 82 digits of base 16.
    ///
    /// # Errors
    ///
    /// [`InvalidKeyText`].
    pub fn from_text(text: &str) -> Result<Self, InvalidKeyText> {
        let bytes = text::read(PREFIX, text)?;
        let share = Self { bytes };
        let (place, ..) = share.parts();
        if matches!(place, 1 | 2) { Ok(share) } else { Err(InvalidKeyText) }
    }

    /// The text form, which is for one custodian.
    pub fn to_text(&self) -> Zeroizing<String> {
        text::write(PREFIX, self.bytes.as_slice())
    }

    fn parts(&self) -> (u8, &[u8], &[u8]) {
        let (head, part) = self.bytes.split_at(1 + SPLIT_BYTES);
        head.split_first().map_or((0, head, part), |(place, split)| (*place, split, part))
    }
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Share(***)")
    }
}

fn xor(one: &Secret, other: &[u8]) -> Secret {
    let mut both = one.clone();
    for (byte, with) in both.iter_mut().zip(other) {
        *byte ^= with;
    }
    both
}

/// Two shares are not the two halves of one key.
///
/// ```
/// use kyc_vault::SharesDiffer;
///
/// assert_eq!(SharesDiffer.to_string(), "the shares are not the two halves of one key");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the shares are not the two halves of one key")]
pub struct SharesDiffer;
