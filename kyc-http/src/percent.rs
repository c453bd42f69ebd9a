//! Percent-decoding that refuses what it cannot read (D51).

use thiserror::Error;

/// What a `+` stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plus {
    /// A space, as forms and query strings write it (D51).
    Space,
    /// Itself, as in a path (D50).
    Itself,
}

/// Decodes every `%xx` once.
///
/// Nothing is replaced or dropped: a text that is returned is what the client meant. Spaces,
/// commas, `@` and other bytes that should have been escaped stand for themselves, since clients
/// join their requests by hand (D51).
///
/// # Errors
///
/// [`Undecodable`], whichever case is met first.
pub(crate) fn decode(text: &[u8], plus: Plus) -> Result<String, Undecodable> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.iter();
    while let Some(&byte) = rest.next() {
        decoded.push(match (byte, plus) {
            (b'%', _) => escaped(rest.next(), rest.next()).ok_or(Undecodable::BrokenEscape)?,
            (b'+', Plus::Space) => b' ',
            (literal, _) => literal,
        });
    }
    let decoded = String::from_utf8(decoded).map_err(|_| Undecodable::NotUtf8)?;
    if decoded.contains('\0') { Err(Undecodable::Nul) } else { Ok(decoded) }
}

/// Why a text of a request cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Undecodable {
    /// A `%` without two hexadecimal digits after it.
    #[error("a percent sign is not followed by two hexadecimal digits")]
    BrokenEscape,
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// The character NUL.
    #[error("the text contains the character NUL")]
    Nul,
}

/// The byte that two hexadecimal digits stand for.
fn escaped(high: Option<&u8>, low: Option<&u8>) -> Option<u8> {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests;
