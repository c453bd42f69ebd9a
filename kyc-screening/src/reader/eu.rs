//! The consolidated list of the European Union, CSV.

use std::io::Read;

use time::Date;

use super::birth::{approximate, iso, slashed, year};
use super::gather::{Draft, Gathered};
use super::table::{Known, Record, Table};
use super::{List, ReadError, is_latin};
use crate::country::{country_of, country_of_alpha2};
use crate::{AliasKind, Birth, Category, Document, EntityKind, Person};

/// Reads the consolidated list of financial sanctions of the European Union: the file "CSV 1.1".
///
/// # Syntax
///
/// UTF-8, separated by `;`, one row for each name, address, date of birth, document and citizenship
/// of an entity, held together by `Entity_LogicalId`. The subject type is `person` (`P`) or
/// `enterprise` (`E`). Columns are found by their titles, unknown ones are ignored. A file that was
/// cut off behind a whole row, or inside the last field of one, cannot be told from a shorter list.
/// A date of birth, citizenship or gender that cannot be read is left out, which can raise a false
/// alarm and never hide a person.
///
/// ```
/// let text = "Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName;BirthDate_BirthDate\n\
///     7;P;Mira Kole;\n7;P;;1971-04-03\n";
/// let list = kyc_screening::read_eu(text.as_bytes())?;
/// assert_eq!(list.entities()[0].name, "Mira Kole");
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the line; nothing is ever read in part.
pub fn read_eu(input: impl Read) -> Result<List, ReadError> {
    let mut table = Table::new(input, b';', &COLUMNS)?;
    let mut gathered = Gathered::default();
    let mut generated = None;
    while let Some(record) = table.next()? {
        generated = generated.or_else(|| day_of(record.get("fileGenerationDate")));
        let id = record.required("Entity_LogicalId", "the logical id of an entity")?;
        let draft = gathered.entity(record, id, &kind(record)?, Category::Sanction)?;
        add(draft, record);
    }
    gathered.finish(generated)
}

/// The columns of this format that are read.
pub(super) const COLUMNS: Known = Known {
    required: &["Entity_LogicalId", "Entity_SubjectType", "NameAlias_WholeName"],
    optional: &[
        "fileGenerationDate",
        "Entity_Regulation_Programme",
        "NameAlias_LastName",
        "NameAlias_FirstName",
        "NameAlias_MiddleName",
        "NameAlias_Gender",
        "NameAlias_Remark",
        "BirthDate_BirthDate",
        "BirthDate_Day",
        "BirthDate_Month",
        "BirthDate_Year",
        "BirthDate_YearRangeFrom",
        "BirthDate_YearRangeTo",
        "BirthDate_Circa",
        "Identification_Number",
        "Identification_TypeDescription",
        "Citizenship_CountryIso2Code",
        "Citizenship_CountryDescription",
    ],
};

fn kind(record: Record<'_>) -> Result<EntityKind, ReadError> {
    match record.get("Entity_SubjectType").to_lowercase().as_str() {
        "p" | "person" => Ok(EntityKind::Person(Person::default())),
        "e" | "enterprise" => Ok(EntityKind::Organisation),
        _ => Err(record.fault("a subject type: person or enterprise")),
    }
}

fn add(draft: &mut Draft, record: Record<'_>) {
    let programme = record.get("Entity_Regulation_Programme");
    if !programme.is_empty() {
        draft.entity.programmes.push(programme.to_owned());
    }
    let number = record.get("Identification_Number");
    if !number.is_empty() {
        let kind = record.get("Identification_TypeDescription").to_owned();
        draft.entity.documents.push(Document { kind, number: number.to_owned() });
    }
    add_name(draft, record);
    let Some(person) = draft.person_mut() else { return };
    person.births.extend(birth(record));
    let code = record.get("Citizenship_CountryIso2Code");
    let country = country_of_alpha2(code)
        .or_else(|| country_of(record.get("Citizenship_CountryDescription")));
    person.nationalities.extend(country);
    person.gender = person.gender.or(match record.get("NameAlias_Gender") {
        "M" => Some(kyc_core::Gender::Male),
        "F" => Some(kyc_core::Gender::Female),
        word => word.parse().ok(),
    });
}

/// The first good name in Latin letters is the primary one.
fn add_name(draft: &mut Draft, record: Record<'_>) {
    let parts = ["NameAlias_FirstName", "NameAlias_MiddleName", "NameAlias_LastName"];
    let name = match record.get("NameAlias_WholeName") {
        "" => record.filled(&parts).join(" "),
        whole => whole.to_owned(),
    };
    let remark = record.get("NameAlias_Remark").to_lowercase();
    if !is_latin(&name) {
        draft.add_alias(&name, AliasKind::Original);
    } else if remark.contains("low quality") {
        draft.add_alias(&name, AliasKind::Weak);
    } else if remark.contains("formerly") {
        draft.add_alias(&name, AliasKind::Former);
    } else {
        draft.add_name(&name);
    }
}

fn birth(record: Record<'_>) -> Option<Birth> {
    let field = |column| record.get(column);
    let range = (year(field("BirthDate_YearRangeFrom")), year(field("BirthDate_YearRangeTo")));
    if let (Some(from), Some(to)) = range {
        return Some(Birth::years(from, to));
    }
    let parts = ["BirthDate_Day", "BirthDate_Month", "BirthDate_Year"].map(field).join("/");
    let birth = iso(field("BirthDate_BirthDate")).or_else(|| slashed(&parts))?;
    let is_circa = field("BirthDate_Circa").eq_ignore_ascii_case("true");
    Some(if is_circa { approximate(birth) } else { birth })
}

/// `21/11/2026` or `2026-11-21`.
fn day_of(text: &str) -> Option<Date> {
    match slashed(text).or_else(|| iso(text))? {
        Birth::Day(date) => Some(date),
        Birth::Month { .. } | Birth::Year(_) | Birth::About(_) | Birth::Years { .. } => None,
    }
}
