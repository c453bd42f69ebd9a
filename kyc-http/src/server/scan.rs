//! What the HTTP parser lets pass unseen.

/// Looks at the bytes of a head as they arrive, for what the parser hides from its caller.
///
/// hyper cuts a fragment off the target, and takes a bare line feed for the end of a line. Other
/// software reads both in another way, so a proxy in front may see another request than this
/// server does.
///
/// Only the parser knows where a head begins that was sent before the response to the request
/// before it. From there on nothing is looked at on that connection.
#[derive(Debug, Default)]
pub(super) struct HeadScan {
    position: Position,
    /// The last byte of the present line so far.
    last: Option<u8>,
    /// The present line has more than its line end.
    text: bool,
    /// Bytes that came after the head.
    after: u64,
    /// Bytes that belong to the message after its head, if that is known.
    body_bytes: Option<u64>,
    fault: Option<&'static str>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// In the request line, or in empty lines before it.
    #[default]
    Line,
    /// In the header fields.
    Fields,
    /// Behind the head.
    After,
    /// Where only the parser knows.
    Lost,
}

impl HeadScan {
    pub(super) fn line_ended(&self) -> bool {
        self.position != Position::Line
    }

    /// The parser has seen the whole head; returns what it did not see.
    ///
    /// `body_bytes` is the length of the body, if it is known.
    pub(super) fn end(&mut self, body_bytes: Option<u64>) -> Option<&'static str> {
        self.body_bytes = body_bytes;
        self.fault.take()
    }

    /// The message is done; the bytes to come are the next.
    pub(super) fn next(&mut self) {
        let at_its_begin = self.position == Position::After && self.body_bytes == Some(self.after);
        let position = if at_its_begin { Position::Line } else { Position::Lost };
        *self = Self { position, ..Self::default() };
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while matches!(self.position, Position::Line | Position::Fields) {
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                return self.part(rest);
            };
            let (line, after) = rest.split_at(end);
            self.part(line);
            self.line_feed();
            rest = after.get(1..).unwrap_or_default();
        }
        self.after += rest.len() as u64;
    }

    /// A part of a line, without its line feed.
    fn part(&mut self, bytes: &[u8]) {
        if self.position == Position::Line && bytes.contains(&b'#') {
            self.fault = Some("a fragment in the request target is not allowed");
        }
        self.text |= bytes.iter().any(|byte| *byte != b'\r');
        self.last = bytes.last().copied().or(self.last);
    }

    fn line_feed(&mut self) {
        if self.last != Some(b'\r') {
            self.fault = Some("lines end with carriage return and line feed");
        }
        self.position = match (self.position, self.text) {
            (Position::Line, false) => Position::Line,
            (Position::Line | Position::Fields, true) => Position::Fields,
            (Position::Fields, false) => Position::After,
            (position @ (Position::After | Position::Lost), _) => position,
        };
        self.last = None;
        self.text = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_does_not_matter_in_which_parts_a_head_comes(
            head in "[A#\r\n]{0,12}",
            cut in 0_usize..12,
        ) {
            let (first, second) = head.split_at(cut.min(head.len()));
            let (mut whole, mut parts) = (HeadScan::default(), HeadScan::default());
            whole.feed(head.as_bytes());
            parts.feed(first.as_bytes());
            parts.feed(second.as_bytes());
            prop_assert_eq!(parts.line_ended(), whole.line_ended());
            prop_assert_eq!(parts.after, whole.after);
            prop_assert_eq!(parts.end(None), whole.end(None));
        }
    }

    /// Feeds the bytes whole, and one by one.
    #[track_caller]
    fn check(head: &str, faulty: bool) {
        let mut whole = HeadScan::default();
        whole.feed(head.as_bytes());
        let mut parts = HeadScan::default();
        head.as_bytes().chunks(1).for_each(|byte| parts.feed(byte));
        assert_eq!(whole.end(None).is_some(), faulty, "{head:?}");
        assert_eq!(parts.end(None).is_some(), faulty, "{head:?} in parts");
    }

    #[test]
    fn a_usual_head_passes() {
        check("GET / HTTP/1.1\r\nhost: a\r\n\r\n", false);
        check("\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n", false);
        check("GET / HTTP/1.1\r\nreferer: /#top\r\n\r\n", false);
    }

    #[test]
    fn a_body_is_not_looked_at() {
        check("POST / HTTP/1.1\r\n\r\n#\n\n#", false);
    }

    #[test]
    fn fragments_and_bare_line_feeds_are_found() {
        check("GET /#top HTTP/1.1\r\n\r\n", true);
        check("GET / HTTP/1.1\nhost: a\r\n\r\n", true);
        check("GET / HTTP/1.1\r\nhost: a\n\r\n", true);
        check("GET / HTTP/1.1\r\nhost: a\r\n\n", true);
        check("\nGET / HTTP/1.1\r\nhost: a\r\n\r\n", true);
    }

    #[test]
    fn the_next_head_is_looked_at_only_where_its_begin_is_known() {
        let next = |sent: &str, body_bytes| {
            let mut scan = HeadScan::default();
            scan.feed(sent.as_bytes());
            scan.end(body_bytes);
            scan.next();
            scan.feed(b"#\r\n");
            scan.end(None).is_some()
        };
        assert!(next("GET / HTTP/1.1\r\n\r\n", Some(0)));
        assert!(next("POST / HTTP/1.1\r\n\r\nab", Some(2)));
        assert!(!next("GET / HTTP/1.1\r\n\r\nGET /a?", Some(0)));
        assert!(!next("POST / HTTP/1.1\r\n\r\n0\r\n\r\n", None));
    }
}
