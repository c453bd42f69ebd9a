//! Who calls: clients and inspectors (D12, D53).

use std::fmt;
use std::str::FromStr;

/// The number of a client. Every record belongs to exactly one client (D12).
///
/// Numbers are internal: they appear in no answer. At most [`MAX`](Self::MAX), so that a store can
/// join a client's number and a position within the client in one 64-bit key.
///
/// ```
/// use kyc_core::ClientId;
///
/// assert_eq!(ClientId::new(7).map(ClientId::get), Some(7));
/// assert_eq!(ClientId::new(0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(u32);

impl ClientId {
    /// The highest number: 23 bits.
    pub const MAX: u32 = (1 << 23) - 1;

    /// A client number from 1 to [`MAX`](Self::MAX).
    pub fn new(number: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

/// What a client's document handles start with: ten characters of `0-9a-z` (D13).
///
/// ```
/// use kyc_core::ClientPrefix;
///
/// assert_eq!("k3v9x0q2ab".parse::<ClientPrefix>()?.as_str(), "k3v9x0q2ab");
/// # Ok::<(), kyc_core::InvalidPrefix>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientPrefix([u8; 10]);

impl ClientPrefix {
    /// Maps random bytes to a prefix, evenly enough to keep collisions out of reach.
    pub fn from_random(random: [u8; 16]) -> Self {
        let mut rest = u128::from_be_bytes(random);
        Self(std::array::from_fn(|_| {
            let digit = u8::try_from(rest % 36).unwrap_or(0);
            rest /= 36;
            if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }
        }))
    }

    /// The ten characters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or("")
    }
}

impl FromStr for ClientPrefix {
    type Err = InvalidPrefix;

    fn from_str(text: &str) -> Result<Self, InvalidPrefix> {
        let bytes: [u8; 10] = text.as_bytes().try_into().map_err(|_| InvalidPrefix)?;
        let is_base36 = |b: &u8| b.is_ascii_digit() || b.is_ascii_lowercase();
        if bytes.iter().all(is_base36) { Ok(Self(bytes)) } else { Err(InvalidPrefix) }
    }
}

impl fmt::Debug for ClientPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClientPrefix({})", self.as_str())
    }
}

/// The text is no client prefix.
///
/// ```
/// use kyc_core::{ClientPrefix, InvalidPrefix};
///
/// assert_eq!("ACME".parse::<ClientPrefix>(), Err(InvalidPrefix));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be ten characters of 0-9 and a-z")]
pub struct InvalidPrefix;

/// A short name that operators give to a client or an inspector.
///
/// # Syntax
///
/// 1 to 64 characters of `a-z`, `0-9`, `-`, `_`, `.`, beginning with a letter or a digit.
///
/// ```
/// use kyc_core::AccountName;
///
/// assert_eq!("acme-payments".parse::<AccountName>()?.as_str(), "acme-payments");
/// assert!("Acme Payments".parse::<AccountName>().is_err());
/// # Ok::<(), kyc_core::InvalidAccountName>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName(Box<str>);

impl AccountName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AccountName {
    type Err = InvalidAccountName;

    fn from_str(text: &str) -> Result<Self, InvalidAccountName> {
        let is_alphanumeric = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let is_valid = (1..=64).contains(&text.len())
            && text.bytes().all(|b| is_alphanumeric(b) || matches!(b, b'-' | b'_' | b'.'))
            && text.bytes().next().is_some_and(is_alphanumeric);
        if is_valid { Ok(Self(text.into())) } else { Err(InvalidAccountName) }
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The part of an API key that is no secret: what the audit calls it (D121).
///
/// # Syntax
///
/// 1 to 64 letters and digits of ASCII.
///
/// ```
/// use kyc_core::ApiKeyId;
///
/// let id: ApiKeyId = "0a1b2c3d4e5f".parse()?;
/// assert_eq!(id.to_string(), "0a1b2c3d4e5f");
/// assert!("kyc_0a1b2c3d4e5f".parse::<ApiKeyId>().is_err(), "nothing that could be a whole key");
/// # Ok::<(), kyc_core::InvalidApiKeyId>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiKeyId(Box<str>);

impl ApiKeyId {
    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ApiKeyId {
    type Err = InvalidApiKeyId;

    fn from_str(text: &str) -> Result<Self, InvalidApiKeyId> {
        let is_valid =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_valid { Ok(Self(text.into())) } else { Err(InvalidApiKeyId) }
    }
}

impl fmt::Display for ApiKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is no [`ApiKeyId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 letters and digits")]
pub struct InvalidApiKeyId;

/// The text is no [`AccountName`].
///
/// ```
/// use kyc_core::{AccountName, InvalidAccountName};
///
/// assert_eq!("-acme".parse::<AccountName>(), Err(InvalidAccountName));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 characters of a-z, 0-9, `-`, `_` and `.`, not beginning with a sign")]
pub struct InvalidAccountName;

/// A client of the service: a company that sends applicants.
///
/// ```
/// use kyc_core::{Client, ClientId, ClientPrefix};
///
/// let client = Client {
///     id: ClientId::new(1).ok_or("no number")?,
///     name: "default".parse()?,
///     prefix: ClientPrefix::from_random([7; 16]),
/// };
/// assert_eq!(client.name.as_str(), "default");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its number.
    pub id: ClientId,
    /// What operators call it.
    pub name: AccountName,
    /// What its document handles start with.
    pub prefix: ClientPrefix,
}

/// A person who reviews submissions.
///
/// ```
/// use kyc_core::{ClientId, Inspector};
///
/// let inspector = Inspector { name: "ines".parse()?, clients: None };
/// assert!(ClientId::new(3).is_some_and(|client| inspector.sees(client)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspector {
    /// What the history of a submission calls the inspector.
    pub name: AccountName,
    /// The clients whose submissions the inspector sees; `None`: all (D53).
    pub clients: Option<Vec<ClientId>>,
}

impl Inspector {
    /// Whether the inspector may see submissions of `client`.
    ///
    /// ```
    /// use kyc_core::{ClientId, Inspector};
    ///
    /// let client = |number| ClientId::new(number).ok_or("no number");
    /// let inspector = Inspector { name: "omar".parse()?, clients: Some(vec![client(2)?]) };
    /// assert!(inspector.sees(client(2)?) && !inspector.sees(client(3)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sees(&self, client: ClientId) -> bool {
        self.clients.as_ref().is_none_or(|clients| clients.contains(&client))
    }
}
