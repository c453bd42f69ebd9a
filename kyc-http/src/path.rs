//! The path of a request, as the decoded segments that the routing table matches.

use thiserror::Error;

use crate::percent::{Plus, Undecodable, decode};

/// A request path: one or more segments, each decoded once (D50).
///
/// - A segment is never empty, so a double or trailing slash is no path of ours.
/// - A segment never contains `/`, so an escaped slash cannot make two segments of one.
/// - Two spellings of a path, however their characters are escaped, are equal here. They reach
///   the same route, and a fixed word of the routing table is met in every spelling.
///
/// `.` and `..` are segments like any other.
#[derive(PartialEq, Eq)]
pub(crate) struct Path(String);

impl Path {
    /// Decodes the path of a request target, without its query.
    ///
    /// # Errors
    ///
    /// [`InvalidPath`]: no route has such a path.
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidPath> {
        let encoded = text.strip_prefix('/').ok_or(InvalidPath::NotAbsolute)?;
        let decoded = decode(encoded.as_bytes(), Plus::Itself)?;
        let slashes = |text: &str| text.bytes().filter(|byte| *byte == b'/').count();
        if slashes(&decoded) != slashes(encoded) {
            return Err(InvalidPath::EscapedSlash);
        }
        if decoded.split('/').any(str::is_empty) {
            return Err(InvalidPath::EmptySegment);
        }
        Ok(Self(decoded))
    }

    /// The segments, for `match path.segments().as_slice() { ["v2", …] => … }`.
    pub(crate) fn segments(&self) -> Vec<&str> {
        self.0.split('/').collect()
    }
}

/// Why a text is not a [`Path`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidPath {
    /// Nothing between two slashes, or behind the last.
    #[error("the path has an empty segment")]
    EmptySegment,
    /// A slash written `%2F`.
    #[error("the path contains an escaped slash")]
    EscapedSlash,
    /// No slash at the start.
    #[error("the path does not start with a slash")]
    NotAbsolute,
    /// The path cannot be decoded.
    #[error(transparent)]
    Undecodable(#[from] Undecodable),
}

#[cfg(test)]
mod tests;
