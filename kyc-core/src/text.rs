//! Texts with a length and no surprises: names, address parts, ids, free text (D15).

use std::fmt;
use std::str::FromStr;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Why a text was refused.
///
/// ```
/// use kyc_core::{InvalidText, PersonName};
///
/// assert_eq!(" \t".parse::<PersonName>(), Err(InvalidText::Blank));
/// assert_eq!("Mira\0".parse::<PersonName>(), Err(InvalidText::Control));
/// assert_eq!(
///     "x".repeat(257).parse::<PersonName>(),
///     Err(InvalidText::TooLong { chars_max: 256 })
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidText {
    /// Nothing is left after trimming.
    #[error("must not be blank")]
    Blank,
    /// More characters than the field holds.
    #[error("must be at most {chars_max} characters long")]
    TooLong {
        /// How many characters fit.
        chars_max: usize,
    },
    /// A line break, a NUL or another control character.
    #[error("must not contain control characters")]
    Control,
}

/// Trims, composes (NFC) and bounds a text.
pub(crate) fn tidy(text: &str, chars_max: usize) -> Result<Box<str>, InvalidText> {
    let text = text.trim();
    // Composing can shorten a text, but never to less than an eighteenth (Unicode's own bound
    // for the opposite direction), so what is longer than this is refused before it costs time.
    if text.len() > chars_max.saturating_mul(18 * 4) {
        return Err(InvalidText::TooLong { chars_max });
    }
    let text: Box<str> = if is_nfc(text) { text.into() } else { text.nfc().collect() };
    if text.is_empty() {
        return Err(InvalidText::Blank);
    }
    if text.chars().any(char::is_control) {
        return Err(InvalidText::Control);
    }
    if text.len() > chars_max && text.chars().count() > chars_max {
        return Err(InvalidText::TooLong { chars_max });
    }
    Ok(text)
}

/// Declares a text type: trimmed, NFC, no control characters, bounded, masked in `Debug`.
macro_rules! text_type {
    ($(#[$doc:meta])* $name:ident, $chars_max:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The most characters (Unicode scalar values after NFC) that fit.
            pub const CHARS_MAX: usize = $chars_max;

            /// The text, trimmed and composed.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidText;

            fn from_str(text: &str) -> Result<Self, InvalidText> {
                tidy(text, Self::CHARS_MAX).map(Self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(***)"))
            }
        }
    };
}

text_type! {
    /// A given, middle or family name, in its original script.
    ///
    /// ```
    /// use kyc_core::PersonName;
    ///
    /// let name: PersonName = "  Zoe\u{308} ".parse()?;
    /// assert_eq!(name.as_str(), "Zoë");
    /// assert_eq!(format!("{name:?}"), "PersonName(***)");
    /// assert!("Zoë\n".repeat(2).parse::<PersonName>().is_err());
    /// # Ok::<(), kyc_core::InvalidText>(())
    /// ```
    PersonName, 256
}

text_type! {
    /// A street, city, state or postal code.
    ///
    /// ```
    /// use kyc_core::AddressPart;
    ///
    /// let street: AddressPart = "12 Harbour Lane".parse()?;
    /// assert_eq!(street.as_str(), "12 Harbour Lane");
    /// # Ok::<(), kyc_core::InvalidText>(())
    /// ```
    AddressPart, 256
}

text_type! {
    /// The caller's own id of an applicant (`userid`).
    ///
    /// ```
    /// use kyc_core::{InvalidText, UserId};
    ///
    /// assert_eq!("u-17".parse::<UserId>()?.as_str(), "u-17");
    /// assert_eq!("x".repeat(129).parse::<UserId>(), Err(InvalidText::TooLong { chars_max: 128 }));
    /// # Ok::<(), InvalidText>(())
    /// ```
    UserId, 128
}

text_type! {
    /// The number printed on an identity document.
    ///
    /// ```
    /// use kyc_core::IdNumber;
    ///
    /// assert_eq!("X1234567".parse::<IdNumber>()?.as_str(), "X1234567");
    /// # Ok::<(), kyc_core::InvalidText>(())
    /// ```
    IdNumber, 128
}

text_type! {
    /// Free text: amounts, currencies, custom fields, an inspector's reasons.
    ///
    /// ```
    /// use kyc_core::FreeText;
    ///
    /// assert_eq!("about 3,000 EUR".parse::<FreeText>()?.as_str(), "about 3,000 EUR");
    /// # Ok::<(), kyc_core::InvalidText>(())
    /// ```
    FreeText, 1_024
}
