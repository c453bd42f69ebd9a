//! Files that were sent as base64 text (D25).

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use kyc_core::format::{FileFormat, InvalidFile};
use thiserror::Error;

use super::{Part, TransferEncoding};

impl<'a> Part<'a> {
    /// The file that the part carries, decoded if it was sent as base64 text (D25).
    ///
    /// That is so if the part is marked as base64, if it is a `data:` URL, or if it is no known
    /// format but hides one. Spaces and line breaks do not count. The work grows with the length
    /// of the part; of one that only might be base64, a few characters are tried first.
    ///
    /// Neither size nor format is judged here: that is the same for a decoded and a plain file.
    ///
    /// # Errors
    ///
    /// [`InvalidBase64`] if the part says that it is base64, and is not.
    pub(crate) fn file(&self) -> Result<Cow<'a, [u8]>, InvalidBase64> {
        if let Some(url) = strip_scheme(self.bytes) {
            return decode(url_data(url).ok_or(InvalidBase64)?).map(Cow::Owned);
        }
        match self.transfer_encoding {
            TransferEncoding::Base64 => decode(self.bytes).map(Cow::Owned),
            TransferEncoding::Identity => {
                Ok(hidden_file(self.bytes).map_or(Cow::Borrowed(self.bytes), Cow::Owned))
            }
        }
    }
}

/// A part announces base64, and its content is something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the file is not valid base64")]
pub(crate) struct InvalidBase64;

/// What follows `data:`, if the text is such a URL.
fn strip_scheme(text: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = text.trim_ascii_start().split_at_checked(5)?;
    scheme.eq_ignore_ascii_case(b"data:").then_some(rest)
}

/// The data in `image/png;base64,<data>`.
fn url_data(url: &[u8]) -> Option<&[u8]> {
    let comma = url.iter().position(|byte| *byte == b',')?;
    let (kind, data) = url.split_at(comma);
    let kind = kind.trim_ascii_end();
    let encoding = kind.get(kind.len().checked_sub(7)?..)?;
    encoding.eq_ignore_ascii_case(b";base64").then(|| data.get(1..))?
}

/// The file in a text that nothing announces as base64.
fn hidden_file(text: &[u8]) -> Option<Vec<u8>> {
    if has_signature(text) {
        return None;
    }
    // Twelve characters are nine bytes, one more than the longest signature.
    let start: Vec<u8> = characters(text).take(12).collect();
    let hides_file = has_signature(&BASE64.decode(start).ok()?);
    if hides_file { decode(text).ok() } else { None }
}

/// Whether the bytes start like a known format, whatever follows.
fn has_signature(bytes: &[u8]) -> bool {
    FileFormat::of(bytes) != Err(InvalidFile::UnknownFormat)
}

fn decode(text: &[u8]) -> Result<Vec<u8>, InvalidBase64> {
    let characters: Vec<u8> = characters(text).collect();
    BASE64.decode(characters).map_err(|_| InvalidBase64)
}

/// The characters that count.
fn characters(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace())
}

/// Clients often leave the padding out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

#[cfg(test)]
mod tests;
