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
    /// The bytes that the tag covers. Every part has its length in front, so no two places look
    /// alike.
    pub(crate) fn aad(&self, what: What<'_>) -> Vec<u8> {
        let mut aad = Vec::with_capacity(96);
        let (kind, version, column) = match what {
            What::DataKey { version } => (b'k', version, ""),
            What::Column(column) => (b'c', 0, column),
        };
        aad.push(kind);
        aad.extend_from_slice(&self.client.to_le_bytes());
        aad.extend_from_slice(&version.to_le_bytes());
        for part in [self.table.as_bytes(), column.as_bytes(), self.row] {
            // `usize` has at most 64 bits where this runs.
            aad.extend_from_slice(&(part.len() as u64).to_le_bytes());
            aad.extend_from_slice(part);
        }
        aad
    }
}
