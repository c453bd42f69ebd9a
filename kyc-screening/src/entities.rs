//! Listed entities, packed: they are looked at when their names or numbers were found.

use kyc_core::{Country, Gender};
use time::Date;

use crate::codec::{Reader, Writer};
use crate::numbers::Numbers;
use crate::slab::Slab;
use crate::{Alias, AliasKind, Birth, Category, Document, Entity, EntityKind, Person};

/// Entities of several lists, one behind the other.
pub(crate) struct Entities {
    ends: Slab,
    records: Slab,
}

/// An entity, and the number of its list.
pub(crate) struct Listed {
    pub(crate) list: usize,
    pub(crate) entity: Entity,
}

impl Entities {
    pub(crate) fn new([ends, records]: [Slab; 2]) -> Self {
        Self { ends, records }
    }

    pub(crate) fn get(&self, number: u32) -> Option<Listed> {
        let range = Numbers::new(self.ends.bytes()).range_of(number as usize);
        read(&mut Reader(self.records.bytes().get(range)?))
    }
}

/// Collects entities.
#[derive(Default)]
pub(crate) struct EntitiesBuilder {
    ends: Vec<u32>,
    records: Writer,
}

impl EntitiesBuilder {
    /// Adds an entity; its number is how many were added before.
    pub(crate) fn push(&mut self, list: usize, entity: &Entity) {
        write(&mut self.records, list, entity);
        self.ends.push(u32::try_from(self.records.0.len()).unwrap_or(u32::MAX));
    }

    /// As [`Entities::new`] takes it.
    pub(crate) fn finish(self) -> [Vec<u8>; 2] {
        [Numbers::to_bytes(&self.ends), self.records.0]
    }
}

fn write(out: &mut Writer, list: usize, entity: &Entity) {
    let Entity { id, name, aliases, kind, category, programmes, wallets, documents } = entity;
    out.number(u32::try_from(list).unwrap_or(u32::MAX));
    out.text(id);
    out.text(name);
    out.list(aliases, |out, Alias { text, kind }| {
        out.byte(kind.code());
        out.text(text);
    });
    match kind {
        EntityKind::Person(person) => {
            out.byte(PERSON);
            write_person(out, person);
        }
        EntityKind::Organisation => out.byte(1),
        EntityKind::Vessel => out.byte(2),
        EntityKind::Aircraft => out.byte(3),
    }
    out.byte(code(&CATEGORIES, category));
    out.list(programmes, |out, text| out.text(text));
    out.list(wallets, |out, text| out.text(text));
    out.list(documents, |out, Document { kind, number }| {
        out.text(kind);
        out.text(number);
    });
}

fn read(record: &mut Reader<'_>) -> Option<Listed> {
    let list = record.number()? as usize;
    let (id, name) = (record.owned()?, record.owned()?);
    let aliases = record.list(|record| {
        let kind = AliasKind::of_code(record.byte()?)?;
        Some(Alias { kind, text: record.owned()? })
    })?;
    let kind = match record.byte()? {
        PERSON => EntityKind::Person(read_person(record)?),
        1 => EntityKind::Organisation,
        2 => EntityKind::Vessel,
        3 => EntityKind::Aircraft,
        _ => return None,
    };
    let category = CATEGORIES.get(usize::from(record.byte()?)).copied()?;
    let (programmes, wallets) = (record.list(Reader::owned)?, record.list(Reader::owned)?);
    let documents =
        record.list(|record| Some(Document { kind: record.owned()?, number: record.owned()? }))?;
    let entity = Entity { id, name, aliases, kind, category, programmes, wallets, documents };
    Some(Listed { list, entity })
}

const PERSON: u8 = 0;

fn write_person(out: &mut Writer, person: &Person) {
    out.list(&person.births, |out, birth| write_birth(out, *birth));
    out.list(&person.nationalities, |out, country| out.text(country.alpha3()));
    out.byte(code(&GENDERS, &person.gender));
}

fn read_person(record: &mut Reader<'_>) -> Option<Person> {
    Some(Person {
        births: record.list(read_birth)?,
        nationalities: record.list(|record| Country::from_alpha3(record.text()?))?,
        gender: GENDERS.get(usize::from(record.byte()?)).copied()?,
    })
}

fn write_birth(out: &mut Writer, birth: Birth) {
    let year = |out: &mut Writer, year: i32| out.number(year.cast_unsigned());
    match birth {
        Birth::Day(date) => {
            out.byte(0);
            out.number(date.to_julian_day().cast_unsigned());
        }
        Birth::Month { year: of, month } => {
            out.byte(1);
            year(out, of);
            out.byte(month);
        }
        Birth::Year(of) => {
            out.byte(2);
            year(out, of);
        }
        Birth::About(of) => {
            out.byte(3);
            year(out, of);
        }
        Birth::Years { from, to } => {
            out.byte(4);
            year(out, from);
            year(out, to);
        }
    }
}

fn read_birth(record: &mut Reader<'_>) -> Option<Birth> {
    let kind = record.byte()?;
    let first = record.number()?.cast_signed();
    Some(match kind {
        0 => Birth::Day(Date::from_julian_day(first).ok()?),
        1 => Birth::Month { year: first, month: record.byte()? },
        2 => Birth::Year(first),
        3 => Birth::About(first),
        4 => Birth::Years { from: first, to: record.number()?.cast_signed() },
        _ => return None,
    })
}

/// The place of a value among all of its kind. Append to these; never change their order.
fn code<T: PartialEq>(all: &[T], value: &T) -> u8 {
    let at = all.iter().position(|other| other == value);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

impl AliasKind {
    /// What stands for it in a record.
    pub(crate) fn code(self) -> u8 {
        code(&ALIAS_KINDS, &self)
    }

    pub(crate) fn of_code(code: u8) -> Option<Self> {
        ALIAS_KINDS.get(usize::from(code)).copied()
    }
}

const ALIAS_KINDS: [AliasKind; 4] =
    [AliasKind::Good, AliasKind::Weak, AliasKind::Former, AliasKind::Original];
const CATEGORIES: [Category; 3] =
    [Category::Watchlist, Category::PoliticallyExposed, Category::Sanction];
const GENDERS: [Option<Gender>; 3] = [None, Some(Gender::Male), Some(Gender::Female)];
