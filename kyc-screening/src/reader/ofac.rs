//! The CSV sets of OFAC: `sdn.csv` (or `cons_prim.csv`) and its siblings.

use std::collections::HashMap;
use std::io::Read;

use csv::StringRecord;

use super::remarks::Remarks;
use super::rows::Rows;
use super::{ENTITIES_MAX, List, ReadError};
use crate::{Alias, AliasKind, Entity, EntityKind, Person};

/// Reads an OFAC set, file by file, in any order after the main one.
///
/// # Syntax
///
/// No header row; texts are quoted, `-0-` stands for nothing, and a line with the byte 0x1A ends
/// a file. A file without that line is accepted when its last row is whole: it may have been cut
/// there, which only the number of entities can tell. Dates of birth, nationalities, gender,
/// nicknames, documents and digital currency addresses stand in the remarks; one that cannot be
/// read there is left out, which can raise a false alarm and never hide a person.
///
/// ```
/// let row = b"7,\"KOLE, Mira\",\"individual\",\"SDGT\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1971.\"\n";
/// let alias = b"7,1,\"aka\",\"KOLE, Mirjana\",-0- \n";
/// let list = kyc_screening::OfacReader::primary(&row[..])?.aliases(&alias[..])?.finish()?;
/// assert_eq!(list.counts().names, 2);
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
#[derive(Debug)]
pub struct OfacReader {
    entities: Vec<Entity>,
    /// In the order of `entities`.
    remarks: Vec<String>,
    by_id: HashMap<String, usize>,
}

impl OfacReader {
    /// Reads the main file: 12 columns.
    ///
    /// # Errors
    ///
    /// [`ReadError`] with the line of the first fault.
    pub fn primary(input: impl Read) -> Result<Self, ReadError> {
        let mut rows = Rows::new(input, b',');
        let mut set = Self { entities: Vec::new(), remarks: Vec::new(), by_id: HashMap::new() };
        while let Some((line, row)) = rows.next()? {
            let [id, name, kind, programmes, .., remarks] = fields::<12>(line, row)?;
            let entity = Entity {
                programmes: split_programmes(programmes),
                ..Entity::new(&number(line, id)?, text(line, name)?, kind_of(line, kind)?)
            };
            if set.by_id.insert(entity.id.clone(), set.entities.len()).is_some() {
                return Err(ReadError::at_line(line, "a number that no other row has"));
            }
            if set.entities.len() == ENTITIES_MAX {
                return Err(ReadError::TooLarge);
            }
            set.entities.push(entity);
            set.remarks.push(optional(remarks).to_owned());
        }
        if set.entities.is_empty() {
            return Err(ReadError::Empty);
        }
        Ok(set)
    }

    /// Adds the aliases: 5 columns.
    ///
    /// # Errors
    ///
    /// [`ReadError`] with the line of the first fault, such as an alias of an entity that the main
    /// file does not have: then the files are of different days.
    pub fn aliases(mut self, input: impl Read) -> Result<Self, ReadError> {
        let mut rows = Rows::new(input, b',');
        while let Some((line, row)) = rows.next()? {
            let [id, _alias_id, kind, name, _remarks] = fields::<5>(line, row)?;
            let kind = if kind.trim() == "fka" { AliasKind::Former } else { AliasKind::Good };
            let alias = Alias { text: text(line, name)?.to_owned(), kind };
            let at = self.position(line, id)?;
            if let Some(entity) = self.entities.get_mut(at) {
                entity.aliases.push(alias);
            }
        }
        Ok(self)
    }

    /// Checks the addresses: 6 columns. They are kept for inspectors and are not compared.
    ///
    /// # Errors
    ///
    /// [`ReadError`] with the line of the first fault.
    pub fn addresses(self, input: impl Read) -> Result<Self, ReadError> {
        let mut rows = Rows::new(input, b',');
        while let Some((line, row)) = rows.next()? {
            let [id, ..] = row_of::<6>(line, row)?;
            self.position(line, id)?;
        }
        Ok(self)
    }

    /// Adds the remarks that did not fit into the main file: 2 columns. Those of entities that the
    /// main file does not have are left out: this file is not published anew every time.
    ///
    /// # Errors
    ///
    /// [`ReadError`] with the line of the first fault.
    pub fn comments(mut self, input: impl Read) -> Result<Self, ReadError> {
        let mut rows = Rows::new(input, b',');
        while let Some((line, row)) = rows.next()? {
            let [id, rest] = fields::<2>(line, row)?;
            let at = self.by_id.get(id.trim());
            if let Some(remarks) = at.and_then(|at| self.remarks.get_mut(*at)) {
                // They go on in the middle of a word.
                remarks.push_str(optional(rest));
            }
        }
        Ok(self)
    }

    /// The list, with everything that the remarks say.
    ///
    /// # Errors
    ///
    /// Only [`ReadError::Empty`].
    pub fn finish(mut self) -> Result<List, ReadError> {
        for (entity, remarks) in self.entities.iter_mut().zip(&self.remarks) {
            Remarks::of(remarks).add_to(entity);
        }
        List::new(None, self.entities)
    }

    fn position(&self, line: u64, id: &str) -> Result<usize, ReadError> {
        let expected = "the number of an entity in the main file";
        self.by_id.get(id.trim()).copied().ok_or_else(|| ReadError::at_line(line, expected))
    }
}

/// The fields of a row whose last one is whole: a text or `-0-`.
fn fields<const N: usize>(line: u64, row: &StringRecord) -> Result<[&str; N], ReadError> {
    let fields = row_of(line, row)?;
    match fields.last().map(|last| last.trim()) {
        Some("" | "-" | "-0") => {
            Err(ReadError::at_line(line, "a text or `-0-` in the last column"))
        }
        Some(_) | None => Ok(fields),
    }
}

fn row_of<const N: usize>(line: u64, row: &StringRecord) -> Result<[&str; N], ReadError> {
    let mut fields = [""; N];
    for (field, value) in fields.iter_mut().zip(row) {
        *field = value;
    }
    let expected = match N {
        2 => "2 columns",
        5 => "5 columns",
        6 => "6 columns",
        _ => "12 columns",
    };
    if row.len() == N { Ok(fields) } else { Err(ReadError::at_line(line, expected)) }
}

/// Nothing is written as `-0-`.
fn optional(field: &str) -> &str {
    match field.trim() {
        "-0-" => "",
        text => text,
    }
}

fn text(line: u64, field: &str) -> Result<&str, ReadError> {
    match optional(field) {
        "" => Err(ReadError::at_line(line, "a name")),
        text => Ok(text),
    }
}

fn number(line: u64, field: &str) -> Result<String, ReadError> {
    let id = field.trim();
    let is_number = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
    if is_number { Ok(id.to_owned()) } else { Err(ReadError::at_line(line, "a number")) }
}

fn kind_of(line: u64, field: &str) -> Result<EntityKind, ReadError> {
    match optional(field).to_lowercase().as_str() {
        "individual" => Ok(EntityKind::Person(Person::default())),
        "" | "entity" => Ok(EntityKind::Organisation),
        "vessel" => Ok(EntityKind::Vessel),
        "aircraft" => Ok(EntityKind::Aircraft),
        _ => Err(ReadError::at_line(line, "individual, vessel, aircraft or -0-")),
    }
}

/// Several are written as `SDGT] [IFSR`.
fn split_programmes(field: &str) -> Vec<String> {
    let parts = optional(field).split(['[', ']']).map(str::trim);
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}
