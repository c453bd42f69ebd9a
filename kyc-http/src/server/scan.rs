//! What the HTTP parser lets pass unseen.

use std::mem;

/// Looks at the bytes of a connection as they arrive, for what the parser hides from its caller.
///
/// hyper cuts a fragment off the target, and takes a bare line feed for the end of a line. Other
/// software reads both in another way, so a proxy in front may see another request than this
/// server does.
///
/// Heads that were sent before the response to the request before them are looked at too, so
/// bodies are followed to their end. How long one is the parser knows, and tells when it has read
/// its head.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scan {
    position: Position,
    /// The last byte of the present line so far.
    last: Option<u8>,
    /// The present line has more than its line end.
    text: bool,
    /// What is wrong with the present head.
    fault: Option<&'static str>,
}

#[derive(Debug, PartialEq, Eq)]
enum Position {
    In(Line),
    /// Behind a head that the parser has not read yet. Holds what came with it, which is no more
    /// than the parser reads at once.
    Held(Vec<u8>),
    /// In a body of which so many bytes are to come.
    Body(u64),
    /// In a chunk of which so many bytes are to come, its line end included.
    Chunk(u64),
    /// Where the parser may read on in another way.
    Lost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// The request line, or an empty line before it.
    Request,
    /// A header field, or the empty line behind them.
    Field,
    /// The begin of a chunk.
    ChunkSize(ChunkSize),
    /// A field behind the last chunk, or the empty line behind them.
    Trailer,
}

/// The digits so far.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct ChunkSize {
    bytes: u64,
    /// An extension follows, in which there may be digits too.
    ended: bool,
}

impl Scan {
    /// Whether the request line of the present head has ended.
    pub(super) fn line_ended(&self) -> bool {
        self.position != Position::In(Line::Request)
    }

    /// The parser has read a head; returns what it did not see.
    ///
    /// `body_bytes` is the length of the body, `None` for a chunked one.
    pub(super) fn end_head(&mut self, body_bytes: Option<u64>) -> Option<&'static str> {
        let Position::Held(held) = mem::replace(&mut self.position, Position::Lost) else {
            return Some("it cannot be told where the request begins");
        };
        let fault = self.fault.take();
        self.position = match body_bytes {
            Some(0) => Position::In(Line::Request),
            Some(bytes) => Position::Body(bytes),
            None => Position::In(Line::ChunkSize(ChunkSize::default())),
        };
        self.feed(&held);
        fault
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = match &mut self.position {
                Position::In(line) => {
                    let line = *line;
                    self.line(line, bytes)
                }
                Position::Held(held) => {
                    held.extend_from_slice(bytes);
                    return;
                }
                Position::Body(left) => {
                    let rest = skip(bytes, left);
                    if *left == 0 {
                        self.position = Position::In(Line::Request);
                    }
                    rest
                }
                Position::Chunk(left) => {
                    let rest = skip(bytes, left);
                    if *left == 0 {
                        self.position = Position::In(Line::ChunkSize(ChunkSize::default()));
                    }
                    rest
                }
                Position::Lost => return,
            };
        }
    }

    /// Takes bytes up to the end of a line; returns those behind it.
    fn line<'a>(&mut self, mut line: Line, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        if line == Line::Request && part.contains(&b'#') {
            self.fault = Some("a fragment in the request target is not allowed");
        }
        if let Line::ChunkSize(size) = &mut line {
            part.iter().copied().for_each(|byte| size.push(byte));
        }
        self.text |= part.iter().any(|byte| *byte != b'\r');
        self.last = part.last().copied().or(self.last);
        let Some((_line_feed, rest)) = rest.split_first() else {
            self.position = Position::In(line);
            return rest;
        };
        self.position = self.end_line(line);
        rest
    }

    /// Takes a line feed; returns what comes after it.
    fn end_line(&mut self, line: Line) -> Position {
        let is_bare = self.last.take() != Some(b'\r');
        let is_empty = !mem::take(&mut self.text);
        if is_bare {
            self.fault = Some("lines end with carriage return and line feed");
        }
        match line {
            // The parser refuses such a line feed, or takes it for a part of the line.
            Line::ChunkSize(_) | Line::Trailer if is_bare => Position::Lost,
            Line::Request | Line::Trailer if is_empty => Position::In(Line::Request),
            Line::Field if is_empty => Position::Held(Vec::new()),
            Line::Request | Line::Field => Position::In(Line::Field),
            Line::ChunkSize(ChunkSize { bytes: 0, .. }) | Line::Trailer => {
                Position::In(Line::Trailer)
            }
            Line::ChunkSize(size) => Position::Chunk(size.bytes.saturating_add(LINE_END_BYTES)),
        }
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::In(Line::Request)
    }
}

impl ChunkSize {
    /// What is no size the parser refuses.
    fn push(&mut self, byte: u8) {
        match char::from(byte).to_digit(16) {
            Some(digit) if !self.ended => {
                self.bytes = self.bytes.saturating_mul(16).saturating_add(digit.into());
            }
            _ => self.ended = true,
        }
    }
}

/// Takes at most so many bytes as are left; returns those behind them.
fn skip<'a>(bytes: &'a [u8], left: &mut u64) -> &'a [u8] {
    let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
    *left -= taken as u64;
    bytes.get(taken..).unwrap_or_default()
}

const LINE_END_BYTES: u64 = 2;

#[cfg(test)]
mod tests;
