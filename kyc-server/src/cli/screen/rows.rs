//! Rows of a file of people, one on each line: nobody is lost in the row of another one.

use std::io::{Chain, Read};
use std::path::Path;

use csv::{Reader, ReaderBuilder, StringRecord, Terminator};

use crate::exit::{Code, Failure};

/// Rows as wide as the first, with their lines.
pub(super) struct Rows<'f, R> {
    file: &'f Path,
    reader: Reader<Chain<R, &'static [u8]>>,
    /// Of the first row.
    width: Option<usize>,
}

impl<'f, R: Read> Rows<'f, R> {
    pub(super) fn new(file: &'f Path, input: R) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            // Other widths are refused here, where it is known what to do about them.
            .flexible(true)
            // Lines are counted by it; the `\r` before it is trimmed like other space.
            .terminator(Terminator::Any(b'\n'))
            // Where a quote was left open, this lands inside of it.
            .from_reader(input.chain(&b"\n"[..]));
        Self { file, reader, width: None }
    }

    fn read(&mut self) -> Result<Option<(u64, StringRecord)>, Failure> {
        let file = self.file.display();
        let mut row = StringRecord::new();
        loop {
            let read = self.reader.read_record(&mut row);
            if !read.map_err(|error| Failure::because(&format!("cannot read {file}"), &error))? {
                return Ok(None);
            }
            if row.len() > 1 || row.get(0) != Some("\r") {
                break;
            }
        }
        let refused = |line: u64, fault: &str| {
            Failure::new(Code::Failed, format!("cannot read {file}: line {line} {fault}"))
        };
        if row.iter().any(|field| field.contains('\n')) {
            let line = row.position().map_or(0, csv::Position::line);
            let fault = "has a quoted field that does not end there: close the quote, and take line \
                         breaks out of fields";
            return Err(refused(line, fault));
        }
        // The position of the row is before the blank lines above it.
        let line = self.reader.position().line().saturating_sub(1);
        let (width, found) = (*self.width.get_or_insert(row.len()), row.len());
        if found != width {
            let fault = format!(
                "has {found} fields, and the first line has {width}: put a field that holds a comma \
                 into quotes, as in \"Kole, Mira\""
            );
            return Err(refused(line, &fault));
        }
        Ok(Some((line, row)))
    }
}

impl<R: Read> Iterator for Rows<'_, R> {
    type Item = Result<(u64, StringRecord), Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
