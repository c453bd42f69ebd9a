//! API keys and inspectors' tokens (D53, D54).

use std::fmt;
use std::io;
use std::str::FromStr;

use kyc_core::{ClientId, Timestamp};

use crate::folder::fill_random;

/// An API key or an inspector's token, in clear. Exists only right after it was made: the store
/// keeps a keyed hash.
///
/// `Debug` is masked and there is no `Display`.
///
/// # Syntax
///
/// `kyc_<id>_<secret>` for keys, `kyc_test_<id>_<secret>` for those of sandboxes and
/// `kyci_<id>_<secret>` for tokens: an id of 12 and a secret of 52
/// characters (60 and 260 bits) of the digits and lower-case letters without `i`, `l`, `o` and `u`.
///
/// ```
/// use kyc_core::{Clock, SystemClock};
/// use kyc_store_sqlite::{Options, SqliteStore};
///
/// # let folder = tempfile::tempdir()?;
/// let store = SqliteStore::open(folder.path(), Options::default())?;
/// let token = store.add_inspector(&"ines".parse()?, None, SystemClock.now())?;
/// assert!(token.as_str().starts_with("kyci_"));
/// assert_eq!(format!("{token:?}"), "Credential(***)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Credential {
    text: String,
    id: CredentialId,
}

impl Credential {
    pub(crate) fn random(kind: Kind) -> io::Result<Self> {
        let mut random = [0; ID_CHARS + SECRET_CHARS];
        fill_random(&mut random)?;
        let (id, secret) = random.split_at(ID_CHARS);
        let id = CredentialId(std::array::from_fn(|at| letter(id.get(at).copied())));
        let secret: String = secret.iter().map(|byte| char::from(letter(Some(*byte)))).collect();
        Ok(Self { text: [kind.prefix(), id.as_str(), "_", &secret].concat(), id })
    }

    /// The whole text, as callers present it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The part that is no secret.
    pub fn id(&self) -> CredentialId {
        self.id
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(***)")
    }
}

/// The part of a key or token that is no secret: what `kyc key revoke` takes (D54).
///
/// # Syntax
///
/// The 12 characters before the last `_`. It is also found in the whole text of a key, which nobody has
/// to take apart, then.
///
/// ```
/// use kyc_store_sqlite::CredentialId;
///
/// let id: CredentialId = "0a1b2c3d4e5f".parse()?;
/// assert_eq!(id.as_str(), "0a1b2c3d4e5f");
/// assert_eq!("kyc_test_0a1b2c3d4e5f_secret".parse(), Ok(id));
/// assert!("kyc_0a1b2c3d4e5f".parse::<CredentialId>().is_err());
/// # Ok::<(), kyc_store_sqlite::InvalidCredentialId>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CredentialId([u8; ID_CHARS]);

impl CredentialId {
    /// The 12 characters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or("")
    }
}

impl FromStr for CredentialId {
    type Err = InvalidCredentialId;

    fn from_str(text: &str) -> Result<Self, InvalidCredentialId> {
        let id = text.rsplit('_').nth(1).unwrap_or(text);
        let bytes: [u8; ID_CHARS] = id.as_bytes().try_into().map_err(|_| InvalidCredentialId)?;
        // In the same time for all letters: a refusal's time tells nothing of what was presented (T3).
        let is_valid = bytes.iter().fold(true, |is_valid, byte| is_valid & is_letter(*byte));
        if is_valid { Ok(Self(bytes)) } else { Err(InvalidCredentialId) }
    }
}

impl fmt::Display for CredentialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for CredentialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CredentialId({})", self.as_str())
    }
}

/// The text is no [`CredentialId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the 12 characters before the last `_` of a key")]
pub struct InvalidCredentialId;

/// What is known of an API key. The key itself is not kept.
///
/// ```
/// use kyc_core::{ClientId, Timestamp};
/// use kyc_store_sqlite::KeyRecord;
///
/// let key = KeyRecord {
///     id: "0a1b2c3d4e5f".parse()?,
///     client: ClientId::new(1).ok_or("no number")?,
///     created_at: Timestamp::EARLIEST,
///     revoked_at: None,
/// };
/// assert!(key.revoked_at.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRecord {
    /// The part that is no secret.
    pub id: CredentialId,
    /// Whose key it is.
    pub client: ClientId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stopped working, if it did.
    pub revoked_at: Option<Timestamp>,
}

/// Whose credential it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An API key, of a client.
    Key,
    /// An API key of a sandbox.
    TestKey,
    /// A token, of an inspector.
    Token,
}

impl Kind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Key => "kyc_",
            Self::TestKey => "kyc_test_",
            Self::Token => "kyci_",
        }
    }

    /// The part of an API key that is no secret.
    pub(crate) fn id_in_key(key: &str) -> Option<&str> {
        let kinds = [Self::TestKey, Self::Key];
        let rest = kinds.iter().find_map(|kind| key.strip_prefix(kind.prefix()))?;
        rest.split_once('_').map(|(id, _)| id)
    }

    /// Whether a presented text has the shape of a credential.
    pub(crate) fn is_shape_of(self, presented: &str) -> bool {
        if self == Self::Key && Self::TestKey.is_shape_of(presented) {
            return true;
        }
        let rest = presented.strip_prefix(self.prefix());
        let parts = rest.and_then(|rest| rest.split_once('_'));
        parts.is_some_and(|(id, secret)| id.len() == ID_CHARS && secret.len() == SECRET_CHARS)
    }
}

/// One of 32 letters for a random byte, each as likely.
fn letter(byte: Option<u8>) -> u8 {
    let index = usize::from(byte.unwrap_or(0) % 32);
    ALPHABET.get(index).copied().unwrap_or(b'0')
}

fn is_letter(byte: u8) -> bool {
    const LETTERS: u128 = {
        let (mut set, mut left): (u128, &[u8]) = (0, ALPHABET);
        while let [letter, rest @ ..] = left {
            set |= 1 << *letter;
            left = rest;
        }
        set
    };
    LETTERS >> (byte % 128) & u128::from(byte.is_ascii()) == 1
}

const ID_CHARS: usize = 12;
const SECRET_CHARS: usize = 52;

/// Crockford's base 32, lower case.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
