//! Sanctions lists: read whole or not at all, and the same however the bytes arrive.
//!
//! NUL divides the input into the files of an OFAC set. Other formats have one file.

#![no_main]

use std::io::{self, Read};

use kyc_screening::{
    Format, List, OfacReader, ReadError, read_eu, read_open_sanctions_entities,
    read_open_sanctions_targets, read_plain, read_uk, read_un, read_us_csl,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let list = read(input, usize::MAX);

    // Not even the report of a fault depends on how the bytes arrive.
    let in_pieces = read(input, 7);
    assert_eq!(format!("{list:?}"), format!("{in_pieces:?}"));

    let Ok(Some(list)) = list else { return };
    let counts = list.counts();
    assert_eq!(counts.entities(), list.entities().len());
    assert!(counts.entities() > 0);
    assert!(counts.names >= counts.entities());
    for entity in list.entities() {
        assert!(!entity.id.trim().is_empty() && !entity.name.trim().is_empty());
    }

    // A document that was cut off anywhere before its end is no list.
    if Format::detect(input) == Some(Format::Un) {
        let end = input.windows(2).rposition(|bytes| bytes == b"</").unwrap_or_default();
        for cut in [end, end / 2, end / 3] {
            assert!(read_un(&input[..cut]).is_err());
        }
    }
});

/// Reads a list by the format of its first file, `None` if that is not the first of a list.
fn read(input: &[u8], piece: usize) -> Result<Option<List>, ReadError> {
    let mut files = input.split(|byte| *byte == 0);
    let Some(first) = files.next() else { return Ok(None) };
    let pieces = |rest| Pieces { rest, piece };
    match Format::detect(first) {
        Some(Format::Un) => read_un(pieces(first)).map(Some),
        Some(Format::Eu) => read_eu(pieces(first)).map(Some),
        Some(Format::Uk) => read_uk(pieces(first)).map(Some),
        Some(Format::UsCsl) => read_us_csl(pieces(first)).map(Some),
        Some(Format::OpenSanctionsTargets) => read_open_sanctions_targets(pieces(first)).map(Some),
        Some(Format::OpenSanctionsEntities) => {
            read_open_sanctions_entities(pieces(first)).map(Some)
        }
        Some(Format::Plain) => read_plain(pieces(first)).map(Some),
        Some(Format::OfacPrimary) => {
            let mut set = OfacReader::primary(pieces(first))?;
            for file in files {
                set = match Format::detect(file) {
                    Some(Format::OfacAliases) => set.aliases(pieces(file))?,
                    Some(Format::OfacAddresses) => set.addresses(pieces(file))?,
                    Some(Format::OfacComments) => set.comments(pieces(file))?,
                    _ => set,
                };
            }
            set.finish().map(Some)
        }
        Some(Format::OfacAliases | Format::OfacAddresses | Format::OfacComments) | None => Ok(None),
    }
}

/// Bytes that arrive a few at a time.
struct Pieces<'a> {
    rest: &'a [u8],
    piece: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.piece);
        self.rest.read(&mut buffer[..length])
    }
}
