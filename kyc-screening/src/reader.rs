//! Readers of list files: whole or not at all.
//!
//! A reader takes any [`Read`], streams, and is bounded by [`FILE_BYTES_MAX`] and
//! [`ENTITIES_MAX`]. Where the file is cut off or malformed it says the place and what was
//! expected there, and gives nothing: a partial list would miss people silently.

mod error;
mod ofac;
mod plain;
mod remarks;
mod rows;
mod un;
mod xml;

use std::io::{self, Read};

use time::Date;

pub use error::{Place, ReadError};
pub use ofac::OfacReader;
pub use plain::read_plain;
pub use un::read_un;

use crate::Entity;

/// The most bytes of one list file. The largest public list has a tenth of it.
pub const FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The most entities of one list: what fits into the memory of a small server.
pub const ENTITIES_MAX: usize = 1_000_000;

/// A list file that was read whole.
///
/// ```
/// let list = kyc_screening::read_plain("id,name\n1,Mira Kole\n".as_bytes())?;
/// assert_eq!(list.counts().persons, 1);
/// assert_eq!(list.source_date(), None);
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    source_date: Option<Date>,
    entities: Vec<Entity>,
}

impl List {
    /// An empty list is taken for a fault: it would clear everybody.
    fn new(source_date: Option<Date>, entities: Vec<Entity>) -> Result<Self, ReadError> {
        if entities.is_empty() {
            return Err(ReadError::Empty);
        }
        Ok(Self { source_date, entities })
    }

    /// The day that the publisher put on it, where it says one.
    pub fn source_date(&self) -> Option<Date> {
        self.source_date
    }

    /// The entities, in the order of the file. Never empty.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Takes the entities out.
    pub fn into_entities(self) -> Vec<Entity> {
        self.entities
    }

    /// How much it holds.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.entities)
    }
}

/// How much a list holds.
///
/// ```
/// use kyc_screening::{Counts, Entity, EntityKind};
///
/// let counts = Counts::of(&[Entity::new("1", "SS Petrel", EntityKind::Vessel)]);
/// assert_eq!((counts.persons, counts.others, counts.names), (0, 1, 1));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Persons: they are screened by name.
    pub persons: usize,
    /// Organisations, vessels and aircraft: only their wallets are compared.
    pub others: usize,
    /// Names of all entities, primary ones included.
    pub names: usize,
    /// Addresses of digital currencies.
    pub wallets: usize,
}

impl Counts {
    /// Counts some entities.
    pub fn of(entities: &[Entity]) -> Self {
        let persons = entities.iter().filter(|entity| entity.person().is_some()).count();
        Self {
            persons,
            others: entities.len() - persons,
            names: entities.iter().map(Entity::name_count).sum(),
            wallets: entities.iter().map(|entity| entity.wallets.len()).sum(),
        }
    }

    /// Persons and others.
    pub fn entities(self) -> usize {
        self.persons + self.others
    }
}

/// What a file is, found from its content.
///
/// ```
/// use kyc_screening::Format;
///
/// assert_eq!(Format::detect(b"id,name\n1,Mira Kole\n"), Some(Format::Plain));
/// assert_eq!(Format::detect(b"36,12,\"aka\",\"AERO\",-0- \n"), Some(Format::OfacAliases));
/// assert_eq!(Format::detect(b"%PDF-1.7"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The consolidated list of the United Nations, XML.
    Un,
    /// The main file of an OFAC set: `sdn.csv` or `cons_prim.csv`.
    OfacPrimary,
    /// The aliases of an OFAC set: `alt.csv` or `cons_alt.csv`.
    OfacAliases,
    /// The addresses of an OFAC set: `add.csv` or `cons_add.csv`.
    OfacAddresses,
    /// What did not fit into the main file's remarks: `sdn_comments.csv` or `cons_comments.csv`.
    OfacComments,
    /// An operator's own list, CSV with a header row.
    Plain,
}

impl Format {
    /// How many bytes of a file [`detect`](Self::detect) looks at.
    pub const HEAD_BYTES: usize = 8 * 1024;

    /// Finds the format from the beginning of a file. `None` when it is no known one.
    ///
    /// A header row with any known column is taken for [`Plain`](Self::Plain), so that its reader
    /// can say which one is missing.
    pub fn detect(head: &[u8]) -> Option<Self> {
        let head = head.get(..Self::HEAD_BYTES).unwrap_or(head);
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start();
        if text.starts_with('<') {
            return text.contains("<CONSOLIDATED_LIST").then_some(Self::Un);
        }
        let first = rows::first(text)?;
        let is_number = |field: &str| field.parse::<u64>().is_ok();
        if !first.get(0).is_some_and(is_number) {
            return plain::is_header(&first).then_some(Self::Plain);
        }
        match first.len() {
            2 => Some(Self::OfacComments),
            5 => Some(Self::OfacAliases),
            6 => Some(Self::OfacAddresses),
            12 => Some(Self::OfacPrimary),
            _ => None,
        }
    }
}

/// Fails instead of reading more than [`FILE_BYTES_MAX`].
#[derive(Debug)]
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Bounded<R> {
    fn new(inner: R) -> Self {
        Self { inner, left: FILE_BYTES_MAX }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::ErrorKind::FileTooLarge.into()),
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_end_is_refused() {
        let mut endless = Bounded { inner: io::repeat(b' '), left: 100 };
        let fault = endless.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::FileTooLarge);
        assert!(matches!(ReadError::from(fault), ReadError::TooLarge));
    }
}
