//! Rows of CSV files, with their lines, and a proof that the last one is whole.

use std::io::{Chain, Read};

use csv::{ErrorKind, ReaderBuilder, StringRecord, Terminator};

use super::{Bounded, ReadError};

/// Rows of one width.
#[derive(Debug)]
pub(super) struct Rows<R> {
    reader: csv::Reader<Chain<Bounded<R>, &'static [u8]>>,
    record: StringRecord,
}

/// The end mark of OFAC's files. It is appended to every file: where a quoted field was cut off,
/// it lands inside that field, and nowhere else can a field hold it.
const END: char = '\u{1A}';
const END_LINE: &[u8] = b"\n\x1A\n";

impl<R: Read> Rows<R> {
    pub(super) fn new(input: R, delimiter: u8) -> Self {
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            // Lines are counted by it; the `\r` before it is trimmed like other space.
            .terminator(Terminator::Any(b'\n'))
            .from_reader(Bounded::new(input).chain(END_LINE));
        Self { reader, record: StringRecord::new() }
    }

    /// The next row and its line; `None` behind the last one.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &StringRecord)>, ReadError> {
        if !self.advance()? {
            return Err(ReadError::at_line(self.reader.position().line(), "a closing quote"));
        }
        if !is_end(&self.record) {
            let line = self.line();
            if self.record.iter().any(|field| field.contains(END)) {
                return Err(ReadError::at_line(line, "a closing quote"));
            }
            // A disk that lost a part of a file gives zeros there.
            if self.record.iter().any(|field| field.contains('\0')) {
                return Err(ReadError::at_line(line, "text without NUL bytes"));
            }
            return Ok(Some((line, &self.record)));
        }
        while self.advance()? {
            if !is_end(&self.record) {
                return Err(ReadError::at_line(self.line(), "nothing after the end mark"));
            }
        }
        Ok(None)
    }

    /// Reads the next row that is not blank.
    fn advance(&mut self) -> Result<bool, ReadError> {
        while self.read()? {
            if self.record.len() > 1 || self.record.iter().any(|field| !field.trim().is_empty()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read(&mut self) -> Result<bool, ReadError> {
        self.reader.read_record(&mut self.record).map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            if let ErrorKind::Io(error) = error.into_kind() {
                return error.into();
            }
            ReadError::at_line(line, "UTF-8 text")
        })
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }
}

/// A line with the end mark alone. Where lines stand around it, it is inside of an open quote.
fn is_end(record: &StringRecord) -> bool {
    let is_mark = |field: &str| field.trim_matches([' ', '\r']) == "\u{1A}";
    record.len() == 1 && record.get(0).is_some_and(is_mark)
}

/// The first row.
pub(super) fn first(head: &str, delimiter: u8) -> Option<StringRecord> {
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(head.as_bytes());
    let mut record = StringRecord::new();
    reader.read_record(&mut record).ok()?.then_some(record)
}
