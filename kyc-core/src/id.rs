//! Ids of submissions and documents (D13).

use std::fmt;
use std::str::FromStr;

use crate::Timestamp;

/// Crockford's base 32, lower case.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LEN: usize = 26;

/// The 26 characters of an id, on the stack.
///
/// ```
/// use kyc_core::SubmissionId;
///
/// let id: SubmissionId = "01hzy3v9k4d5e6f7g8h9jkmnpq".parse()?;
/// assert_eq!(id.text().as_str(), "01hzy3v9k4d5e6f7g8h9jkmnpq");
/// # Ok::<(), kyc_core::InvalidId>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdText([u8; LEN]);

impl IdText {
    #[expect(clippy::indexing_slicing, reason = "five bits never leave a table of 32")]
    fn of(bits: u128) -> Self {
        let mut text = [0; LEN];
        for (place, byte) in text.iter_mut().rev().enumerate() {
            let five = (bits >> (5 * place)) & 31;
            *byte = ALPHABET[usize::try_from(five).unwrap_or(0)];
        }
        Self(text)
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or("")
    }
}

fn parse(text: &str) -> Result<u128, InvalidId> {
    if text.len() != LEN {
        return Err(InvalidId);
    }
    let mut bits: u128 = 0;
    for (place, byte) in text.bytes().enumerate() {
        let five = ALPHABET.iter().position(|b| *b == byte).ok_or(InvalidId)?;
        // 26 characters hold 130 bits: the first may use only three of its five.
        if place == 0 && five > 7 {
            return Err(InvalidId);
        }
        bits = (bits << 5) | u128::try_from(five).map_err(|_| InvalidId)?;
    }
    Ok(bits)
}

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// Joins 48 bits of time and 80 bits of randomness.
            pub fn new(at: Timestamp, random: [u8; 10]) -> Self {
                let mut bits = u128::from(at.unix_millis().unsigned_abs() & 0xffff_ffff_ffff);
                for byte in random {
                    bits = (bits << 8) | u128::from(byte);
                }
                Self(bits)
            }

            /// The 26 characters, without an allocation.
            pub fn text(&self) -> IdText {
                IdText::of(self.0)
            }

            /// The id as 16 bytes, which order as the ids do.
            pub fn to_bytes(self) -> [u8; 16] {
                self.0.to_be_bytes()
            }

            /// The reverse of [`to_bytes`](Self::to_bytes).
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(u128::from_be_bytes(bytes))
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                parse(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.text().as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.text().as_str())
            }
        }
    };
}

id_type! {
    /// The id of a submission.
    ///
    /// # Syntax
    ///
    /// 26 lower-case characters in the ULID layout: 48 bits of time in milliseconds, 80 bits of
    /// randomness.
    ///
    /// # Order
    ///
    /// By time, then by the random part; text, bytes and value order alike.
    ///
    /// ```
    /// use kyc_core::{SubmissionId, Timestamp};
    ///
    /// let id = SubmissionId::new(Timestamp::EARLIEST, [0xff; 10]);
    /// assert_eq!(id.to_string(), "0000000000zzzzzzzzzzzzzzzz");
    /// assert_eq!("0000000000ZZZZZZZZZZZZZZZZ".parse::<SubmissionId>().ok(), None);
    /// ```
    SubmissionId
}

id_type! {
    /// The id of a document, in the same form as a [`SubmissionId`].
    ///
    /// ```
    /// use kyc_core::{DocumentId, Timestamp};
    ///
    /// let id = DocumentId::new(Timestamp::EARLIEST, [0; 10]);
    /// assert_eq!(id.to_string().parse(), Ok(id));
    /// ```
    DocumentId
}

/// The text is no id.
///
/// ```
/// use kyc_core::{InvalidId, SubmissionId};
///
/// assert_eq!("17".parse::<SubmissionId>(), Err(InvalidId));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 26 lower-case letters and digits")]
pub struct InvalidId;
