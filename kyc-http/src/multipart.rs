//! Upload bodies: `multipart/form-data` (RFC 7578).

mod file;
mod header;

use std::ops::Range;
use std::str;

use memchr::memmem::{self, Finder};
use thiserror::Error;

use crate::form::presentable;
use crate::percent::Undecodable;

/// The parts of a `multipart/form-data` body, each name at most once (D17).
///
/// The body is searched once for boundaries and each part for the end of its headers within a
/// fixed distance, so the work grows with the length of the body and with nothing else.
/// What curl, browsers and common libraries send is read; beyond that, a preamble and an epilogue
/// are stepped over and lines may end with padding, as RFC 2046 asks.
///
/// There is no `Debug`, since the parts are personal data.
pub(crate) struct Multipart<'a>(pub(crate) Vec<Part<'a>>);

impl<'a> Multipart<'a> {
    /// The most parts of one body: two are known, the rest is room for unknown ones.
    pub(crate) const PARTS_MAX: usize = 20;

    /// Reads a whole body with the boundary that its `Content-Type` header names.
    ///
    /// # Errors
    ///
    /// [`InvalidMultipart`], whichever case is met first.
    pub(crate) fn parse(content_type: &[u8], body: &'a [u8]) -> Result<Self, InvalidMultipart> {
        let delimiter = [b"\r\n--", boundary(content_type)?.as_slice()].concat();
        let finder = Finder::new(&delimiter);
        let mut delimiters = delimiters(&finder, body);

        let mut parts: Vec<Part<'a>> = Vec::new();
        let mut opening = delimiters.next().ok_or(InvalidMultipart::Unterminated)?;
        loop {
            if body.get(opening.end..).is_some_and(|rest| rest.starts_with(b"--")) {
                return Ok(Self(parts));
            }
            if parts.len() == Self::PARTS_MAX {
                return Err(InvalidMultipart::TooManyParts);
            }
            let closing = delimiters.next().ok_or(InvalidMultipart::Unterminated)?;
            let section = body.get(opening.end..closing.start).unwrap_or_default();
            let part = Part::parse(section)?;
            if parts.iter().any(|earlier| earlier.name == part.name) {
                return Err(InvalidMultipart::Repeated { name: presentable(&part.name) });
            }
            parts.push(part);
            opening = closing;
        }
    }

    /// The part of this name, `None` if it is absent.
    pub(crate) fn part(&self, name: &str) -> Option<&Part<'a>> {
        self.0.iter().find(|part| part.name == name)
    }
}

/// One part of a [`Multipart`] body. Its file name and media type are not kept (D24).
pub(crate) struct Part<'a> {
    /// The `name` of its `Content-Disposition`.
    pub(crate) name: String,
    /// What its `Content-Transfer-Encoding` says.
    pub(crate) transfer_encoding: TransferEncoding,
    /// Its content as it was sent.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Part<'a> {
    /// The most bytes that the headers of one part may have.
    const HEADERS_BYTES_MAX: usize = 8 * 1024;

    /// The content as text, undecoded.
    ///
    /// # Errors
    ///
    /// [`Undecodable`] if it is not UTF-8 or contains NUL, as in a form body (D51).
    pub(crate) fn text(&self) -> Result<&'a str, Undecodable> {
        let text = str::from_utf8(self.bytes).map_err(|_| Undecodable::NotUtf8)?;
        if text.contains('\0') { Err(Undecodable::Nul) } else { Ok(text) }
    }

    /// Reads what stands between two boundaries: the rest of the line, headers, content.
    fn parse(section: &'a [u8]) -> Result<Self, InvalidMultipart> {
        let padding = section.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let section = section
            .get(padding..)
            .and_then(|rest| rest.strip_prefix(b"\r\n"))
            .ok_or(InvalidMultipart::BrokenBoundary)?;
        let (headers, bytes) = split_headers(section)?;
        let mut name = None;
        let mut transfer_encoding = None;
        for line in headers.split_inclusive(|byte| *byte == b'\n') {
            let (field, value) = header::field(line).ok_or(InvalidMultipart::BrokenHeader)?;
            let repeated = if field.eq_ignore_ascii_case(b"content-disposition") {
                name.replace(disposition_name(value)?).is_some()
            } else if field.eq_ignore_ascii_case(b"content-transfer-encoding") {
                transfer_encoding.replace(TransferEncoding::parse(value)?).is_some()
            } else {
                false
            };
            if repeated {
                return Err(InvalidMultipart::BrokenHeader);
            }
        }
        Ok(Self {
            name: name.ok_or(InvalidMultipart::Unnamed)?,
            transfer_encoding: transfer_encoding.unwrap_or(TransferEncoding::Identity),
            bytes,
        })
    }
}

/// How the content of a part was encoded for transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransferEncoding {
    /// As base64 text.
    Base64,
    /// Not at all, also known as `7bit`, `8bit` and `binary`.
    Identity,
}

impl TransferEncoding {
    fn parse(value: &[u8]) -> Result<Self, InvalidMultipart> {
        match value.to_ascii_lowercase().as_slice() {
            b"base64" => Ok(Self::Base64),
            b"7bit" | b"8bit" | b"binary" => Ok(Self::Identity),
            _ => Err(InvalidMultipart::UnknownTransferEncoding),
        }
    }
}

/// Why a body is not [`Multipart`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidMultipart {
    /// A boundary is followed by something else than the end of its line.
    #[error("a boundary of the body is not the whole line")]
    BrokenBoundary,
    /// A header of a part is malformed, folded, or repeated where that would be ambiguous.
    #[error("a header of a part is malformed")]
    BrokenHeader,
    /// The headers of a part are longer than 8 KiB.
    #[error("the headers of a part are longer than 8 KiB")]
    HeadersTooLong,
    /// No boundary of 1 to 70 characters as RFC 2046 allows them.
    #[error("the content type names no valid boundary")]
    NoBoundary,
    /// The content type is another one.
    #[error("the content type is not multipart/form-data")]
    NotMultipart,
    /// The same name twice, be it known or not (D17).
    #[error("a part is given more than once")]
    Repeated {
        /// The name of the part, if it is [`presentable`].
        name: Option<String>,
    },
    /// More than [`Multipart::PARTS_MAX`] parts.
    #[error("the body has more than {} parts", Multipart::PARTS_MAX)]
    TooManyParts,
    /// A transfer encoding like `quoted-printable`, which no client of a form uses.
    #[error("a part has an unknown transfer encoding")]
    UnknownTransferEncoding,
    /// A part without the header `Content-Disposition: form-data; name="…"`.
    #[error("a part has no name")]
    Unnamed,
    /// The closing boundary is missing, as in a body that was cut off.
    #[error("the body does not end with its closing boundary")]
    Unterminated,
}

/// The boundary that a `Content-Type` header names.
fn boundary(content_type: &[u8]) -> Result<Vec<u8>, InvalidMultipart> {
    let (media_type, parameters) = header::split_word(content_type);
    if !media_type.eq_ignore_ascii_case(b"multipart/form-data") {
        return Err(InvalidMultipart::NotMultipart);
    }
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(byte);
    header::parameter(parameters, b"boundary")
        .ok()
        .flatten()
        .filter(|boundary| matches!(boundary.len(), 1..=70) && boundary.iter().all(allowed))
        .filter(|boundary| !boundary.ends_with(b" "))
        .ok_or(InvalidMultipart::NoBoundary)
}

/// Where the boundary starts a line. The first line of a body has no line end before it.
fn delimiters<'d>(finder: &'d Finder<'_>, body: &'d [u8]) -> impl Iterator<Item = Range<usize>> {
    let delimiter = finder.needle();
    let first = delimiter.strip_prefix(b"\r\n").filter(|first| body.starts_with(first));
    let first = first.map(|first| 0..first.len());
    first.into_iter().chain(finder.find_iter(body).map(|at| at..at + delimiter.len()))
}

/// Divides a part at its first empty line. Each line of the headers keeps its end.
fn split_headers(section: &[u8]) -> Result<(&[u8], &[u8]), InvalidMultipart> {
    let furthest = section.len().min(Part::HEADERS_BYTES_MAX + 2);
    let Some(at) = memmem::find(section.get(..furthest).unwrap_or_default(), b"\r\n\r\n") else {
        return Err(if furthest < section.len() {
            InvalidMultipart::HeadersTooLong
        } else {
            InvalidMultipart::BrokenHeader
        });
    };
    let (headers, rest) = section.split_at(at + 2);
    Ok((headers, rest.get(2..).unwrap_or_default()))
}

/// The name in `form-data; name="file"; filename="…"`.
fn disposition_name(value: &[u8]) -> Result<String, InvalidMultipart> {
    let (disposition, parameters) = header::split_word(value);
    if !disposition.eq_ignore_ascii_case(b"form-data") {
        return Err(InvalidMultipart::Unnamed);
    }
    let name =
        header::parameter(parameters, b"name").map_err(|_| InvalidMultipart::BrokenHeader)?;
    let name = name.ok_or(InvalidMultipart::Unnamed)?;
    String::from_utf8(name).map_err(|_| InvalidMultipart::BrokenHeader)
}

#[cfg(test)]
mod tests;
