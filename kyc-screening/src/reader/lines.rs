//! Lines of text files, numbered, each of bounded length.

use std::io::{BufRead, BufReader, Read};

use super::{Bounded, ReadError};

/// Real records, with some hundred names each, have a fraction of it.
const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A position in a text file.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: BufReader<Bounded<R>>,
    number: u64,
    bytes: Vec<u8>,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(Bounded::new(input)), number: 0, bytes: Vec::new() }
    }

    /// The next line that is not blank, and its number; `None` behind the last one.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &str)>, ReadError> {
        loop {
            self.bytes.clear();
            self.number += 1;
            let mut limited = self.input.by_ref().take(LINE_BYTES_MAX + 1);
            if limited.read_until(b'\n', &mut self.bytes)? == 0 {
                return Ok(None);
            }
            if self.bytes.len() as u64 > LINE_BYTES_MAX {
                return Err(ReadError::at_line(self.number, "a line of at most 4 MiB"));
            }
            if !self.bytes.trim_ascii().is_empty() {
                break;
            }
        }
        let text = str::from_utf8(&self.bytes);
        let text = text.map_err(|_| ReadError::at_line(self.number, "UTF-8 text"))?;
        Ok(Some((self.number, text.trim_start_matches('\u{FEFF}').trim())))
    }
}
