//! What inspectors write (D29, D32).

use std::fmt;
use std::str::FromStr;

use crate::InvalidText;
use crate::text::tidy;

/// A comment in English, as far as a program can tell: every letter is of the Latin script (D32).
///
/// ```
/// use kyc_core::EnglishComment;
///
/// assert!("The selfie is blurred.".parse::<EnglishComment>().is_ok());
/// assert!("Нечёткое фото".parse::<EnglishComment>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EnglishComment(Box<str>);

impl EnglishComment {
    /// The most characters of a comment.
    pub const CHARS_MAX: usize = 1_024;

    /// The comment.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EnglishComment {
    type Err = InvalidComment;

    fn from_str(text: &str) -> Result<Self, InvalidComment> {
        let text = tidy(text, Self::CHARS_MAX)?;
        if text.chars().all(|c| !c.is_alphabetic() || is_latin(c)) {
            Ok(Self(text))
        } else {
            Err(InvalidComment::NotLatin)
        }
    }
}

/// Letters of the Latin script (Unicode `Script=Latin`), without the compatibility forms.
fn is_latin(letter: char) -> bool {
    matches!(letter,
        'A'..='Z' | 'a'..='z' | 'ª' | 'º' | '\u{c0}'..='\u{2b8}' | '\u{2e0}'..='\u{2e4}'
        | '\u{1d00}'..='\u{1d25}' | '\u{1d2c}'..='\u{1d5c}' | '\u{1d62}'..='\u{1d65}'
        | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}' | '\u{a722}'..='\u{a787}'
        | '\u{a78b}'..='\u{a7ff}')
}

impl fmt::Debug for EnglishComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EnglishComment(***)")
    }
}

/// Why a text is not an [`EnglishComment`].
///
/// ```
/// use kyc_core::{EnglishComment, InvalidComment, InvalidText};
///
/// assert_eq!("фото".parse::<EnglishComment>(), Err(InvalidComment::NotLatin));
/// assert_eq!(" ".parse::<EnglishComment>(), Err(InvalidText::Blank.into()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidComment {
    /// Blank, too long, or with control characters.
    #[error(transparent)]
    Text(#[from] InvalidText),
    /// A letter of another script.
    #[error("must be written in English: letters of the Latin script only")]
    NotLatin,
}

/// A machine-readable reason for a rejection, such as `photo_blurred`.
///
/// # Syntax
///
/// 1 to 64 characters of `a-z`, `0-9` and `_`.
///
/// ```
/// use kyc_core::ReasonCode;
///
/// assert_eq!("photo_blurred".parse::<ReasonCode>()?.as_str(), "photo_blurred");
/// # Ok::<(), kyc_core::InvalidReasonCode>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReasonCode(Box<str>);

impl ReasonCode {
    /// How many codes one rejection may carry.
    pub const COUNT_MAX: usize = 16;

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ReasonCode {
    type Err = InvalidReasonCode;

    fn from_str(text: &str) -> Result<Self, InvalidReasonCode> {
        let is_valid = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if is_valid { Ok(Self(text.into())) } else { Err(InvalidReasonCode) }
    }
}

/// The text is no [`ReasonCode`].
///
/// ```
/// use kyc_core::{InvalidReasonCode, ReasonCode};
///
/// assert_eq!("Photo blurred".parse::<ReasonCode>(), Err(InvalidReasonCode));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 characters of a-z, 0-9 and `_`")]
pub struct InvalidReasonCode;
