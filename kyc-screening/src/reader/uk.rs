//! The UK Sanctions List, CSV.

use std::io::Read;

use csv::StringRecord;
use time::Date;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::birth::slashed;
use super::gather::{Draft, Gathered};
use super::rows::Rows;
use super::table::{Known, Record, Table};
use super::{List, ReadError};
use crate::country::country_of;
use crate::{AliasKind, Category, Document, EntityKind, Person};

/// Reads the UK Sanctions List: the CSV file that the Foreign, Commonwealth and Development Office
/// publishes.
///
/// # Syntax
///
/// UTF-8, comma-separated. The first line is `Report Date: 21-Nov-2026`, then the header; each
/// entity has one row or more, held together by `Unique ID`. Columns are found by their titles,
/// unknown ones are ignored. A file that was cut off behind a whole row, or inside the last field
/// of one, cannot be told from a shorter list. A date of birth, nationality or gender that cannot
/// be read is left out, which can raise a false alarm and never hide a person.
///
/// ```
/// let text = "Report Date: 21-Nov-2026\n\
///     Unique ID,Name 6,Name 1,Name type,Designation Type,D.O.B\n\
///     UTO0001,KOLE,Mira,Primary Name,Individual,dd/04/1971\n";
/// let list = kyc_screening::read_uk(text.as_bytes())?;
/// assert_eq!(list.entities()[0].name, "Mira KOLE");
/// assert!(list.source_date().is_some());
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_uk(input: impl Read) -> Result<List, ReadError> {
    let mut rows = Rows::new(input, b',');
    let Some((line, first)) = rows.next()? else { return Err(ReadError::Empty) };
    let Some(date) = report_date(first) else {
        return Err(ReadError::at_line(line, "a report date"));
    };
    let date = Date::parse(date, REPORT_DATE).ok();
    let mut table = Table::of_rows(rows, &COLUMNS)?;
    let mut gathered = Gathered::default();
    while let Some(record) = table.next()? {
        let id = record.required("Unique ID", "the unique id of an entity")?;
        let draft = gathered.entity(record, id, &kind(record)?, Category::Sanction)?;
        add(draft, record);
    }
    gathered.finish(date)
}

/// The date in the first line; `None` when that is something else.
pub(super) fn report_date(row: &StringRecord) -> Option<&str> {
    row.get(0)?.trim().trim_start_matches('\u{FEFF}').strip_prefix("Report Date:").map(str::trim)
}

const REPORT_DATE: &[BorrowedFormatItem<'_>] =
    format_description!("[day padding:none]-[month repr:short]-[year]");

/// The columns of this format that are read.
const COLUMNS: Known = Known {
    required: &["Unique ID", "Name 6", "Name 1", "Name type", "Designation Type"],
    optional: &[
        "Name 2",
        "Name 3",
        "Name 4",
        "Name 5",
        "Alias strength",
        "Name non-latin script",
        "Regime Name",
        "D.O.B",
        "Nationality(/ies)",
        "National Identifier number",
        "Passport number",
        "Gender",
        "Business registration number (s)",
    ],
};

fn kind(record: Record<'_>) -> Result<EntityKind, ReadError> {
    match record.get("Designation Type").to_lowercase().as_str() {
        "individual" => Ok(EntityKind::Person(Person::default())),
        "entity" => Ok(EntityKind::Organisation),
        "ship" => Ok(EntityKind::Vessel),
        _ => Err(record.fault("a designation type: individual, entity or ship")),
    }
}

fn add(draft: &mut Draft, record: Record<'_>) {
    let regime = record.get("Regime Name");
    if !regime.is_empty() {
        draft.entity.programmes.push(regime.to_owned());
    }
    for (column, kind) in DOCUMENTS {
        let numbers = numbered(record.get(column)).map(str::to_owned);
        let documents = numbers.map(|number| Document { kind: kind.to_owned(), number });
        draft.entity.documents.extend(documents);
    }
    add_names(draft, record);
    let Some(person) = draft.person_mut() else { return };
    person.births.extend(numbered(record.get("D.O.B")).filter_map(slashed));
    person.nationalities.extend(numbered(record.get("Nationality(/ies)")).filter_map(country_of));
    person.gender = person.gender.or_else(|| record.get("Gender").parse().ok());
}

const DOCUMENTS: [(&str, &str); 3] = [
    ("Passport number", "Passport"),
    ("National Identifier number", "National identifier"),
    ("Business registration number (s)", "Business registration number"),
];

/// `Name 6` is the family name, or the whole name of what is no person.
fn add_names(draft: &mut Draft, record: Record<'_>) {
    let parts = ["Name 1", "Name 2", "Name 3", "Name 4", "Name 5", "Name 6"];
    let name = record.filled(&parts).join(" ");
    let name_type = record.get("Name type").to_lowercase();
    let is_low = record.get("Alias strength").to_lowercase().starts_with("low");
    match name_type.as_str() {
        "primary name" => draft.add_name(&name),
        _ if name_type.starts_with("fka") || name_type.starts_with("former") => {
            draft.add_alias(&name, AliasKind::Former);
        }
        _ if is_low => draft.add_alias(&name, AliasKind::Weak),
        _ => draft.add_alias(&name, AliasKind::Good),
    }
    draft.add_alias(record.get("Name non-latin script"), AliasKind::Original);
}

/// The values of a field; several are written as `(1) Albania (2) Utopia`.
fn numbered(field: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(field.strip_prefix("(1)").unwrap_or(field));
    let is_several = field.starts_with("(1)");
    let values = (2..).map_while(move |next: u32| {
        let text = rest.take()?;
        let Some((value, after)) = text.split_once(&format!("({next})")).filter(|_| is_several)
        else {
            return Some(text);
        };
        rest = Some(after);
        Some(value)
    });
    values.map(|value| value.trim_matches(['.', ' '])).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_values_of_a_field_are_told_apart() {
        let check = |field: &str, expected: &[&str]| {
            assert_eq!(numbered(field).collect::<Vec<_>>(), expected, "{field}");
        };
        check("", &[]);
        check("Albania", &["Albania"]);
        check("(1) Albania (2) Utopia", &["Albania", "Utopia"]);
        check("(1) 01/02/1957. (2) 1958", &["01/02/1957", "1958"]);
        check("Utopia (Islamic Republic of)", &["Utopia (Islamic Republic of)"]);
    }
}
