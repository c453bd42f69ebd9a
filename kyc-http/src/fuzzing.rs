//! The private parsers as functions over plain values.
//!
//! For the fuzz targets of this workspace, which state the properties. Not an interface: anything
//! here may change or go at any time.

use std::collections::BTreeMap;

use crate::form::Form;
use crate::multipart::{Multipart, Part, TransferEncoding};
use crate::path::Path;

/// The arguments of a form body or query string, `None` if it is refused.
pub fn form(text: &[u8]) -> Option<BTreeMap<String, String>> {
    Form::parse(text).ok().map(|form| form.0)
}

/// The decoded segments of a path, `None` if it is refused.
pub fn path(text: &str) -> Option<Vec<String>> {
    let path = Path::parse(text).ok()?;
    Some(path.segments().into_iter().map(str::to_owned).collect())
}

/// Name and content of each part in a multipart body, `None` if it is refused.
pub fn multipart<'a>(content_type: &[u8], body: &'a [u8]) -> Option<Vec<(String, &'a [u8])>> {
    let Multipart(parts) = Multipart::parse(content_type, body).ok()?;
    Some(parts.into_iter().map(|part| (part.name, part.bytes)).collect())
}

/// The file that a part with this content carries, `None` if it is refused.
pub fn file(bytes: &[u8], is_marked_base64: bool) -> Option<Vec<u8>> {
    let transfer_encoding =
        if is_marked_base64 { TransferEncoding::Base64 } else { TransferEncoding::Identity };
    let part = Part { name: String::new(), transfer_encoding, bytes };
    part.file().ok().map(std::borrow::Cow::into_owned)
}
