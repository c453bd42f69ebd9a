//! Documents, their kinds and their handles (D13, D23–D27).

use std::fmt;
use std::str::FromStr;

use crate::{ClientPrefix, DocumentId, FileFormat, Timestamp, UnknownWord};

/// What an uploaded file shows.
///
/// ```
/// use kyc_core::{DocumentKind, Spelling};
///
/// assert_eq!("governmentid".parse(), Ok(DocumentKind::GovernmentId));
/// assert_eq!(DocumentKind::GovernmentId.word(Spelling::Joined), "governmentid");
/// assert_eq!(DocumentKind::GovernmentId.word(Spelling::Underscored), "government_id");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// The photo page of a passport.
    Passport,
    /// An identity card.
    GovernmentId,
    /// A driving licence.
    DriversLicense,
    /// The applicant's face.
    Selfie,
    /// A proof of address.
    Address,
    /// Any additional image.
    Other,
}

/// How the one kind with two spellings is written. Each generation of the interface has its own.
///
/// ```
/// use kyc_core::{DocumentKind, Spelling};
///
/// assert_eq!(DocumentKind::GovernmentId.word(Spelling::Joined), "governmentid");
/// assert_eq!(DocumentKind::Passport.word(Spelling::Joined), "passport");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// `governmentid`
    Joined,
    /// `government_id`
    Underscored,
}

impl DocumentKind {
    /// The word for this kind.
    pub fn word(self, spelling: Spelling) -> &'static str {
        match (self, spelling) {
            (Self::Passport, _) => "passport",
            (Self::GovernmentId, Spelling::Joined) => "governmentid",
            (Self::GovernmentId, Spelling::Underscored) => "government_id",
            (Self::DriversLicense, _) => "drivers_license",
            (Self::Selfie, _) => "selfie",
            (Self::Address, _) => "address",
            (Self::Other, _) => "other",
        }
    }

    /// Whether this kind identifies a person (D27).
    pub fn is_photo_id(self) -> bool {
        match self {
            Self::Passport | Self::GovernmentId | Self::DriversLicense => true,
            Self::Selfie | Self::Address | Self::Other => false,
        }
    }
}

impl FromStr for DocumentKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "passport" => Self::Passport,
            "governmentid" | "government_id" => Self::GovernmentId,
            "drivers_license" => Self::DriversLicense,
            "selfie" => Self::Selfie,
            "address" => Self::Address,
            "other" => Self::Other,
            _ => {
                let expected = "passport, government_id, drivers_license, selfie, address, other";
                return Err(UnknownWord { expected });
            }
        })
    }
}

/// The handle of an uploaded document: the interface's `filehash`.
///
/// # Syntax
///
/// `<client prefix>/<kind>_<document id>`, for example
/// `k3v9x0q2ab/passport_01hzy3v9k4d5e6f7g8h9jkmnpq`. The kind is spelled as the generation that
/// uploaded it spells it; the handle keeps that spelling.
///
/// A handle that parses may still be unknown, or another client's. `Debug` shows the kind alone.
///
/// ```
/// use kyc_core::{DocumentHandle, DocumentKind};
///
/// let handle: DocumentHandle = "k3v9x0q2ab/selfie_01hzy3v9k4d5e6f7g8h9jkmnpq".parse()?;
/// assert_eq!(handle.kind(), DocumentKind::Selfie);
/// assert_eq!(handle.to_text(), "k3v9x0q2ab/selfie_01hzy3v9k4d5e6f7g8h9jkmnpq");
/// # Ok::<(), kyc_core::InvalidHandle>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DocumentHandle {
    prefix: ClientPrefix,
    kind: DocumentKind,
    spelling: Spelling,
    id: DocumentId,
}

impl DocumentHandle {
    /// The handle of a new document.
    pub fn new(
        prefix: ClientPrefix,
        kind: DocumentKind,
        spelling: Spelling,
        id: DocumentId,
    ) -> Self {
        // One value for each text: other kinds have one spelling only.
        let spelling =
            if kind == DocumentKind::GovernmentId { spelling } else { Spelling::Underscored };
        Self { prefix, kind, spelling, id }
    }

    /// What the document shows.
    pub fn kind(&self) -> DocumentKind {
        self.kind
    }

    /// The document's id.
    pub fn id(&self) -> DocumentId {
        self.id
    }

    /// The kind, as the handle spells it.
    pub fn word(&self) -> &'static str {
        self.kind.word(self.spelling)
    }

    /// The handle as text.
    pub fn to_text(&self) -> String {
        [self.prefix.as_str(), "/", self.word(), "_", self.id.text().as_str()].concat()
    }
}

impl FromStr for DocumentHandle {
    type Err = InvalidHandle;

    fn from_str(text: &str) -> Result<Self, InvalidHandle> {
        let (prefix, rest) = text.split_once('/').ok_or(InvalidHandle)?;
        // Kinds may contain `_`, ids may not: cut at the last one.
        let (word, id) = rest.rsplit_once('_').ok_or(InvalidHandle)?;
        let prefix = prefix.parse().map_err(|_| InvalidHandle)?;
        let kind: DocumentKind = word.parse().map_err(|_| InvalidHandle)?;
        let id = id.parse().map_err(|_| InvalidHandle)?;
        [Spelling::Underscored, Spelling::Joined]
            .into_iter()
            .find(|spelling| kind.word(*spelling) == word)
            .map(|spelling| Self::new(prefix, kind, spelling, id))
            .ok_or(InvalidHandle)
    }
}

impl fmt::Debug for DocumentHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentHandle({}_***)", self.word())
    }
}

/// The text is no document handle.
///
/// ```
/// use kyc_core::{DocumentHandle, InvalidHandle};
///
/// assert_eq!("passport.jpg".parse::<DocumentHandle>(), Err(InvalidHandle));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the filehash of an uploaded document")]
pub struct InvalidHandle;

/// An uploaded document, without its bytes.
///
/// ```
/// use kyc_core::{Document, DocumentHandle, FileFormat, Timestamp};
///
/// let handle: DocumentHandle = "k3v9x0q2ab/selfie_01hzy3v9k4d5e6f7g8h9jkmnpq".parse()?;
/// let document = Document {
///     handle,
///     created_at: Timestamp::EARLIEST,
///     format: FileFormat::Png,
///     size_bytes: 70,
/// };
/// assert_eq!(document.format.media_type(), "image/png");
/// # Ok::<(), kyc_core::InvalidHandle>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What forms refer to it by; holds its id and kind.
    pub handle: DocumentHandle,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// What its bytes are.
    pub format: FileFormat,
    /// How many bytes it has.
    pub size_bytes: u32,
}
