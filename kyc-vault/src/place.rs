use std::io::{self, Write};

/// Where sealed bytes belong. They open nowhere else.
///
/// ```
/// use kyc_vault::Place;
///
/// let place = Place { client: 7, table: "submission", row: b"s-1" };
/// let other_row = Place { row: b"s-2", ..place };
/// assert_ne!(place, other_row);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// Number of the client.
    pub client: u32,
    /// Name of the table, or of another kind of storage.
    pub table: &'a str,
    /// What tells the row from others in its table.
    pub row: &'a [u8],
}

/// What is sealed there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum What<'a> {
    /// A data key, by that version of the client's key.
    DataKey { version: u32 },
    /// The content of a column.
    Column(&'a str),
}

impl Place<'_> {
    /// Shows the bytes that the tag covers. Every part has its length in front, so no two places look
    /// alike.
    pub(crate) fn with_aad<T>(&self, what: What<'_>, work: impl FnOnce(&[u8]) -> T) -> T {
        // Nearly every place fits, and a read has no time for the heap.
        let mut short = [0; SHORT_BYTES];
        let mut rest = short.as_mut_slice();
        let fits = self.write_aad(what, &mut rest).is_ok();
        let length = SHORT_BYTES - rest.len();
        if fits {
            return work(short.get(..length).unwrap_or_default());
        }
        let mut long = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write_aad(what, &mut long);
        work(&long)
    }

    fn write_aad(&self, what: What<'_>, out: &mut impl Write) -> io::Result<()> {
        let (kind, version, column) = match what {
            What::DataKey { version } => (b"k", version, ""),
            What::Column(column) => (b"c", 0, column),
        };
        out.write_all(kind)?;
        out.write_all(&self.client.to_le_bytes())?;
        out.write_all(&version.to_le_bytes())?;
        for part in [self.table.as_bytes(), column.as_bytes(), self.row] {
            // `usize` has at most 64 bits where this runs.
            out.write_all(&(part.len() as u64).to_le_bytes())?;
            out.write_all(part)?;
        }
        Ok(())
    }
}

const SHORT_BYTES: usize = 128;
