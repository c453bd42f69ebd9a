//! The audit: who did what, and who saw whose data (D95).

mod event;

use std::fmt;
use std::str::FromStr;

use crate::{
    AccountName, Actor, ApiKeyId, Document, DocumentErasure, DocumentId, Erasure, ErasureCause,
    Submission, Timestamp,
};

pub use event::{AuditEvent, RotatedKey};

/// One row of the audit. It holds no personal value.
///
/// ```
/// use kyc_core::conformance::fixture::{approved, sample};
/// use kyc_core::{AuditActor, AuditEntry, AuditEvent};
///
/// let submission = approved(sample());
/// let rows: Vec<AuditEntry> = AuditEntry::of_replacement(&submission).collect();
/// let [row] = rows.as_slice() else { unreachable!("one thing happened") };
/// assert_eq!(row.by, AuditActor::Inspector("ines".parse()?));
/// assert_eq!(row.event, AuditEvent::Approved(submission.id()));
/// # Ok::<(), kyc_core::InvalidAccountName>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: AuditActor,
    /// What, and on what.
    pub event: AuditEvent,
    /// The keyed hash of the e-mail address that it is about: that of the applicant who was
    /// handed in, or the one that was searched for.
    pub about: Option<AuditHash>,
}

impl AuditEntry {
    /// What happened by storing a new submission. `about` is the hash of its e-mail address.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::sample;
    /// use kyc_core::{AuditEntry, AuditEvent, AuditHash};
    ///
    /// let row = AuditEntry::of_insertion(&sample(), AuditHash::from_bytes([7; 16]));
    /// assert_eq!(row.event, AuditEvent::Submitted(sample().id()));
    /// ```
    pub fn of_insertion(submission: &Submission, about: AuditHash) -> Self {
        let (id, by) = (submission.id(), AuditActor::Client(None));
        let event = match submission.renewed_from() {
            None => AuditEvent::Submitted(id),
            Some(from) => AuditEvent::Renewed { id, from },
        };
        Self { at: submission.created_at(), by, event, about: Some(about) }
    }

    /// What happened by storing a document.
    pub fn of_document(document: &Document) -> Self {
        let event = AuditEvent::DocumentUploaded(document.handle.id());
        Self { at: document.created_at, by: AuditActor::Client(None), event, about: None }
    }

    /// The same, said with the key that the client used.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::sample;
    /// use kyc_core::{AuditEntry, AuditHash};
    ///
    /// let row = AuditEntry::of_insertion(&sample(), AuditHash::from_bytes([7; 16]));
    /// let row = row.by_key(Some(&"0a1b2c3d4e5f".parse()?));
    /// assert_eq!(row.by.to_string(), "client key 0a1b2c3d4e5f");
    /// # Ok::<(), kyc_core::InvalidApiKeyId>(())
    /// ```
    #[must_use]
    pub fn by_key(mut self, key: Option<&ApiKeyId>) -> Self {
        if let AuditActor::Client(used) = &mut self.by {
            *used = key.cloned();
        }
        self
    }

    /// What happened by erasing a submission.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{rejected, sample, time};
    /// use kyc_core::{AuditActor, AuditEntry, Erasure, ErasureCause};
    ///
    /// let erasure = Erasure::of(&rejected(sample()), ErasureCause::Period, time(9_000));
    /// assert_eq!(AuditEntry::of_erasure(&erasure).by, AuditActor::Service);
    /// ```
    pub fn of_erasure(erasure: &Erasure) -> Self {
        let by = match erasure.cause {
            ErasureCause::Period => AuditActor::Service,
            ErasureCause::Request(_) => AuditActor::Operator,
        };
        let event = AuditEvent::Erased(erasure.submission);
        Self { at: erasure.at, by, event, about: None }
    }

    /// What happened by erasing a document to which no submission refers.
    pub fn of_unused(document: DocumentId, at: Timestamp) -> Self {
        let event = AuditEvent::DocumentErased { document, of: None };
        Self { at, by: AuditActor::Service, event, about: None }
    }

    /// What happened by erasing one document on request: a row for each submission that goes on
    /// without it, or one where no submission referred to it.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{document_id, time};
    /// use kyc_core::{AuditActor, AuditEntry, DocumentErasure};
    ///
    /// let reason = "not_the_applicant".parse()?;
    /// let erasure =
    ///     DocumentErasure { document: document_id(1), changed: Vec::new(), reason, at: time(60) };
    /// let rows = AuditEntry::of_document_erasure(&erasure);
    /// assert_eq!((rows.len(), &rows[0].by), (1, &AuditActor::Operator));
    /// # Ok::<(), kyc_core::InvalidReasonCode>(())
    /// ```
    pub fn of_document_erasure(erasure: &DocumentErasure) -> Vec<Self> {
        let DocumentErasure { document, changed, at, .. } = erasure;
        if changed.is_empty() {
            let event = AuditEvent::DocumentErased { document: *document, of: None };
            return vec![Self { at: *at, by: AuditActor::Operator, event, about: None }];
        }
        changed.iter().flat_map(Self::of_replacement).collect()
    }

    /// What happened by storing a changed submission: a row for each event that its last
    /// transition added to the history. A stall and a screening that found the same are states,
    /// not events, and give none.
    pub fn of_replacement(submission: &Submission) -> impl Iterator<Item = Self> {
        submission.news().iter().map(|entry| Self {
            at: entry.at,
            by: AuditActor::from(&entry.by),
            event: AuditEvent::of(submission.id(), &entry.event),
            about: None,
        })
    }
}

/// Who did it.
///
/// ```
/// use kyc_core::AuditActor;
///
/// assert_eq!(AuditActor::Inspector("ines".parse()?).to_string(), "inspector ines");
/// assert_eq!(AuditActor::Operator.to_string(), "operator");
/// # Ok::<(), kyc_core::InvalidAccountName>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditActor {
    /// The client to whom the chain belongs, by one of its keys, where keys have ids.
    Client(Option<ApiKeyId>),
    /// An inspector, by name.
    Inspector(AccountName),
    /// Somebody at the command line: whoever may use the data folder.
    Operator,
    /// The service itself.
    Service,
}

impl From<&Actor> for AuditActor {
    fn from(actor: &Actor) -> Self {
        match actor {
            Actor::Client => Self::Client(None),
            Actor::Inspector(name) => Self::Inspector(name.clone()),
            Actor::Service => Self::Service,
            Actor::Operator => Self::Operator,
        }
    }
}

impl fmt::Display for AuditActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(None) => f.write_str("client"),
            Self::Client(Some(key)) => write!(f, "client key {key}"),
            Self::Inspector(name) => write!(f, "inspector {name}"),
            Self::Operator => f.write_str("operator"),
            Self::Service => f.write_str("service"),
        }
    }
}

/// A keyed hash of a personal value. Whoever has the audit alone cannot test guesses against it.
///
/// # Syntax
///
/// 32 hexadecimal digits.
///
/// ```
/// use kyc_core::AuditHash;
///
/// let hash: AuditHash = "000102030405060708090a0b0c0d0e0f".parse()?;
/// assert_eq!(hash.to_bytes()[15], 15);
/// assert_eq!(hash.to_string(), "000102030405060708090a0b0c0d0e0f");
/// # Ok::<(), kyc_core::InvalidAuditHash>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AuditHash([u8; 16]);

impl AuditHash {
    /// A hash that a store computed.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its 16 bytes.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

impl FromStr for AuditHash {
    type Err = InvalidAuditHash;

    fn from_str(text: &str) -> Result<Self, InvalidAuditHash> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = if is_hex { u128::from_str_radix(text, 16).ok() } else { None };
        bits.map(|bits| Self(bits.to_be_bytes())).ok_or(InvalidAuditHash)
    }
}

impl fmt::Display for AuditHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for AuditHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuditHash({self})")
    }
}

/// The text is no [`AuditHash`].
///
/// ```
/// use kyc_core::{AuditHash, InvalidAuditHash};
///
/// assert_eq!("mira@example.org".parse::<AuditHash>(), Err(InvalidAuditHash));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 hexadecimal digits")]
pub struct InvalidAuditHash;
