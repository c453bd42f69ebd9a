//! The consolidated list of the United Nations Security Council, XML.

use std::io::Read;

use kyc_core::day;
use quick_xml::events::BytesStart;
use time::Date;

use super::xml::{Element, Xml, name_of};
use super::{ENTITIES_MAX, List, ReadError};
use crate::country::country_of;
use crate::{Alias, AliasKind, Birth, Document, Entity, EntityKind, Person};

/// Reads the consolidated list of the United Nations.
///
/// Structure, ids and names must be whole. A date of birth, nationality or gender that cannot be
/// read is left out, which can raise a false alarm and never hide a person.
///
/// ```
/// let text = "<CONSOLIDATED_LIST dateGenerated='2026-02-27T00:00:09Z'><INDIVIDUALS><INDIVIDUAL>\
///     <DATAID>7</DATAID><FIRST_NAME>MIRA</FIRST_NAME><SECOND_NAME>KOLE</SECOND_NAME>\
///     </INDIVIDUAL></INDIVIDUALS><ENTITIES/></CONSOLIDATED_LIST>";
/// let list = kyc_screening::read_un(text.as_bytes())?;
/// assert_eq!(list.entities()[0].name, "MIRA KOLE");
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
///
/// # Errors
///
/// [`ReadError`] with the element; nothing is ever read in part.
pub fn read_un(input: impl Read) -> Result<List, ReadError> {
    let mut xml = Xml::new(input);
    let root = xml.child()?.filter(|tag| name_of(tag) == "CONSOLIDATED_LIST");
    let root = root.ok_or_else(|| xml.fault("a CONSOLIDATED_LIST"))?;
    let mut entities = Vec::new();
    while let Some(_section) = xml.child()? {
        let mut number = 0;
        while let Some(tag) = xml.child()? {
            number += 1;
            xml.number(number);
            if entities.len() == ENTITIES_MAX {
                return Err(ReadError::TooLarge);
            }
            entities.push(entity(&mut xml, &name_of(&tag))?);
        }
    }
    if xml.child()?.is_some() {
        return Err(xml.fault("nothing after the list"));
    }
    List::new(generated(&root), entities)
}

fn entity(xml: &mut Xml<impl Read>, tag: &str) -> Result<Entity, ReadError> {
    let missing = xml.fault("a DATAID and a name in this element");
    let entity = match tag {
        "INDIVIDUAL" => individual(&xml.gather()?),
        "ENTITY" => common(&xml.gather()?, "ENTITY_ALIAS", EntityKind::Organisation),
        _ => return Err(xml.fault("an INDIVIDUAL or an ENTITY")),
    };
    entity.ok_or(missing)
}

/// The day of `dateGenerated`.
fn generated(root: &BytesStart<'_>) -> Option<Date> {
    let attribute = root.try_get_attribute("dateGenerated").ok()??;
    day::parse(attribute.value.get(..10)?).ok()
}

fn individual(record: &Element) -> Option<Entity> {
    let person = Person {
        births: record.all("INDIVIDUAL_DATE_OF_BIRTH").filter_map(birth).collect(),
        nationalities: record.values_of("NATIONALITY").filter_map(|v| country_of(&v)).collect(),
        gender: record.text_of("GENDER").and_then(|word| word.parse().ok()),
    };
    let entity = common(record, "INDIVIDUAL_ALIAS", EntityKind::Person(person))?;
    Some(Entity {
        documents: record.all("INDIVIDUAL_DOCUMENT").filter_map(document).collect(),
        ..entity
    })
}

/// What persons and organisations have in common. `None` without id or name.
fn common(record: &Element, alias_tag: &str, kind: EntityKind) -> Option<Entity> {
    let id = record.text_of("DATAID")?;
    let names = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"];
    let name = names.iter().filter_map(|tag| record.text_of(tag)).collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return None;
    }
    let original = record.text_of("NAME_ORIGINAL_SCRIPT");
    let original = original.map(|text| Alias { text, kind: AliasKind::Original });
    Some(Entity {
        aliases: record.all(alias_tag).filter_map(alias).chain(original).collect(),
        programmes: record.text_of("UN_LIST_TYPE").into_iter().collect(),
        ..Entity::new(&id, &name, kind)
    })
}

fn alias(element: &Element) -> Option<Alias> {
    let text = element.text_of("ALIAS_NAME")?;
    let kind = match element.text_of("QUALITY").as_deref() {
        Some("Low") => AliasKind::Weak,
        Some("f.k.a.") => AliasKind::Former,
        Some(_) | None => AliasKind::Good,
    };
    Some(Alias { text, kind })
}

fn birth(element: &Element) -> Option<Birth> {
    let year = |tag| element.text_of(tag)?.parse().ok().filter(|year| (1000..=9999).contains(year));
    let date = element.text_of("DATE").and_then(|text| day::parse(text.get(..10)?).ok());
    let about = element.text_of("TYPE_OF_DATE").as_deref() == Some("APPROXIMATELY");
    if let (Some(from), Some(to)) = (year("FROM_YEAR"), year("TO_YEAR")) {
        return Some(Birth::years(from, to));
    }
    match (date, year("YEAR")) {
        (Some(date), _) if about => Some(Birth::About(date.year())),
        (Some(date), _) => Some(Birth::Day(date)),
        (None, Some(year)) if about => Some(Birth::About(year)),
        (None, Some(year)) => Some(Birth::Year(year)),
        (None, None) => None,
    }
}

fn document(element: &Element) -> Option<Document> {
    let number = element.text_of("NUMBER")?;
    let kind = element.text_of("TYPE_OF_DOCUMENT").or_else(|| element.text_of("TYPE_OF_DOCUMENT2"));
    Some(Document { kind: kind.unwrap_or_default(), number })
}
