//! Readers of list files: whole or not at all.
//!
//! A reader takes any [`Read`], streams, and is bounded by [`FILE_BYTES_MAX`] and
//! [`ENTITIES_MAX`]. Where the file is cut off or malformed it says the place and what was
//! expected there, and gives nothing: a partial list would miss people silently.

mod birth;
mod document;
mod error;
mod eu;
mod format;
mod gather;
mod lines;
mod ofac;
mod open_sanctions;
mod plain;
mod remarks;
mod rows;
mod table;
mod uk;
mod un;
mod us_csl;
mod xml;

use std::io::{self, Read};

use time::Date;

pub use error::{Place, ReadError};
pub use eu::read_eu;
pub use format::Format;
pub use ofac::OfacReader;
pub use open_sanctions::{read_open_sanctions_entities, read_open_sanctions_targets};
pub use plain::read_plain;
pub use uk::read_uk;
pub use un::read_un;
pub use us_csl::read_us_csl;

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
    /// Organisations, vessels and aircraft: applicants are compared with their wallets and documents
    /// alone.
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

/// Whether a name has Latin letters: then it is not in its original script alone.
fn is_latin(name: &str) -> bool {
    name.chars().any(|c| c.is_ascii_alphabetic())
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
