//! Operators' own lists: CSV with a header row.

use std::collections::HashSet;
use std::io::Read;

use csv::StringRecord;
use kyc_core::{Gender, day};

use super::rows::Rows;
use super::{ENTITIES_MAX, List, ReadError};
use crate::country::country_of;
use crate::{Alias, AliasKind, Birth, Entity, EntityKind, Person};

/// Reads an operator's own list.
///
/// # Syntax
///
/// UTF-8, comma-separated, `"` around fields that hold commas, the first row names the columns in
/// any order and case. Fields with several values separate them by `;`. Unknown columns are
/// ignored.
///
/// | column | what |
/// |---|---|
/// | `id` | required; unique in the file |
/// | `name` | required; the primary name |
/// | `kind` | `person` (default), `organisation`, `vessel`, `aircraft` |
/// | `aliases`, `weak_aliases` | other names; weak ones are nicknames |
/// | `birth_date` | `YYYY-MM-DD`, `YYYY-MM`, `YYYY`, `~YYYY` (about), `YYYY..YYYY` |
/// | `nationality` | name, alpha-3 code, or `name, code` |
/// | `gender` | `male` or `female` |
/// | `wallets` | addresses of digital currencies |
/// | `programme` | why the entity is listed |
///
/// ```
/// let text = "name,id,birth_date,nationality\nMira Kole,7,1971;1972-03,Albania\n";
/// let list = kyc_screening::read_plain(text.as_bytes())?;
/// assert_eq!(list.entities()[0].person().map(|person| person.births.len()), Some(2));
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_plain(input: impl Read) -> Result<List, ReadError> {
    let mut rows = Rows::new(input);
    let Some((line, header)) = rows.next()? else { return Err(ReadError::Empty) };
    let columns = Columns::of(line, header)?;
    let mut ids = HashSet::new();
    let mut entities = Vec::new();
    while let Some((line, row)) = rows.next()? {
        let entity = columns.entity(line, row)?;
        if !ids.insert(entity.id.clone()) {
            return Err(ReadError::at_line(line, "an id that no other row has"));
        }
        if entities.len() == ENTITIES_MAX {
            return Err(ReadError::TooLarge);
        }
        entities.push(entity);
    }
    List::new(None, entities)
}

/// Whether a row names a column of this format.
pub(super) fn is_header(row: &StringRecord) -> bool {
    row.iter().any(|title| KNOWN.contains(&title.trim().to_lowercase().as_str()))
}

/// Where each column is.
#[derive(Debug)]
struct Columns {
    count: usize,
    id: usize,
    name: usize,
    kind: Option<usize>,
    aliases: Option<usize>,
    weak_aliases: Option<usize>,
    birth_date: Option<usize>,
    nationality: Option<usize>,
    gender: Option<usize>,
    wallets: Option<usize>,
    programme: Option<usize>,
}

impl Columns {
    fn of(line: u64, header: &StringRecord) -> Result<Self, ReadError> {
        let titles: Vec<String> = header.iter().map(|title| title.trim().to_lowercase()).collect();
        let mut known = titles.iter().filter(|title| KNOWN.contains(&title.as_str()));
        let mut seen = HashSet::new();
        if !known.all(|title| seen.insert(title)) {
            return Err(ReadError::at_line(line, "each column once"));
        }
        let find = |column: &str| titles.iter().position(|title| title == column);
        let missing = |expected| ReadError::at_line(line, expected);
        Ok(Self {
            count: header.len(),
            id: find("id").ok_or_else(|| missing("a column `id`"))?,
            name: find("name").ok_or_else(|| missing("a column `name`"))?,
            kind: find("kind"),
            aliases: find("aliases"),
            weak_aliases: find("weak_aliases"),
            birth_date: find("birth_date"),
            nationality: find("nationality"),
            gender: find("gender"),
            wallets: find("wallets"),
            programme: find("programme"),
        })
    }

    fn entity(&self, line: u64, row: &StringRecord) -> Result<Entity, ReadError> {
        if row.len() != self.count {
            return Err(ReadError::at_line(line, "as many columns as in the header"));
        }
        let field = |column: Option<usize>| column.and_then(|at| row.get(at)).map_or("", str::trim);
        let required = |column, expected| match field(Some(column)) {
            "" => Err(ReadError::at_line(line, expected)),
            text => Ok(text),
        };
        let id = required(self.id, "an id")?;
        let name = required(self.name, "a name")?;
        let births = parse_all(field(self.birth_date), birth)
            .ok_or_else(|| ReadError::at_line(line, BIRTH_EXPECTED))?;
        let nationalities = parse_all(field(self.nationality), country_of)
            .ok_or_else(|| ReadError::at_line(line, "a nationality of the country list"))?;
        let gender = match field(self.gender) {
            "" => None,
            word => Some(
                word.parse::<Gender>()
                    .map_err(|_| ReadError::at_line(line, "a gender: male, female or nothing"))?,
            ),
        };
        let kind = match field(self.kind).to_lowercase().as_str() {
            "" | "person" => EntityKind::Person(Person { births, nationalities, gender }),
            "organisation" => EntityKind::Organisation,
            "vessel" => EntityKind::Vessel,
            "aircraft" => EntityKind::Aircraft,
            _ => return Err(ReadError::at_line(line, KIND_EXPECTED)),
        };
        let aliases = |column, kind| {
            values(field(column)).map(move |text| Alias { text: text.to_owned(), kind })
        };
        let good = aliases(self.aliases, AliasKind::Good);
        Ok(Entity {
            aliases: good.chain(aliases(self.weak_aliases, AliasKind::Weak)).collect(),
            wallets: values(field(self.wallets)).map(str::to_owned).collect(),
            programmes: values(field(self.programme)).map(str::to_owned).collect(),
            ..Entity::new(id, name, kind)
        })
    }
}

const KNOWN: [&str; 10] = [
    "id",
    "name",
    "kind",
    "aliases",
    "weak_aliases",
    "birth_date",
    "nationality",
    "gender",
    "wallets",
    "programme",
];

const BIRTH_EXPECTED: &str =
    "a date of birth: YYYY-MM-DD, YYYY-MM, YYYY, ~YYYY or YYYY..YYYY, `;` between several";

const KIND_EXPECTED: &str = "a kind: person, organisation, vessel, aircraft or nothing";

fn values(field: &str) -> impl Iterator<Item = &str> {
    field.split(';').map(str::trim).filter(|value| !value.is_empty())
}

/// All values of a field; `None` when one of them cannot be read.
fn parse_all<T>(field: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    values(field).map(parse).collect()
}

fn birth(text: &str) -> Option<Birth> {
    if let Some((from, to)) = text.split_once("..") {
        return Some(Birth::years(year(from)?, year(to)?));
    }
    if let Some(about) = text.strip_prefix('~') {
        return year(about).map(Birth::About);
    }
    match text.len() {
        4 => year(text).map(Birth::Year),
        7 => {
            let first_day = day::parse(&format!("{text}-01")).ok()?;
            Some(Birth::Month { year: first_day.year(), month: u8::from(first_day.month()) })
        }
        _ => day::parse(text).ok().map(Birth::Day),
    }
}

/// Four digits, as a year.
fn year(text: &str) -> Option<i32> {
    let is_year = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    if is_year { text.parse().ok() } else { None }
}
