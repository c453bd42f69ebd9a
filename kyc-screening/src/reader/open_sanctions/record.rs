//! One `FollowTheMoney` record, and what screening uses of it.

use serde::Deserialize;

use crate::country::country_of_alpha2;
use crate::reader::birth::iso;
use crate::reader::is_latin;
use crate::{Alias, AliasKind, Category, Document, Entity, EntityKind};

#[derive(Deserialize)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) schema: String,
    caption: Option<String>,
    target: Option<bool>,
    pub(super) properties: Properties,
}

/// What is read of the many properties. Others may hold whole objects.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Properties {
    name: Vec<String>,
    alias: Vec<String>,
    weak_alias: Vec<String>,
    previous_name: Vec<String>,
    birth_date: Vec<String>,
    nationality: Vec<String>,
    citizenship: Vec<String>,
    gender: Vec<String>,
    topics: Vec<String>,
    program_id: Vec<String>,
    passport_number: Vec<String>,
    id_number: Vec<String>,
    tax_number: Vec<String>,
    social_security_number: Vec<String>,
    inn_code: Vec<String>,
    registration_number: Vec<String>,
    /// Of a wallet.
    public_key: Vec<String>,
    /// Of a wallet or document: the ids of who has it.
    pub(super) holder: Vec<String>,
    /// Of a document.
    number: Vec<String>,
    /// Of a document.
    #[serde(rename = "type")]
    kind: Vec<String>,
    /// Of a sanction: the ids of whom it is against.
    pub(super) entity: Vec<String>,
    /// Of a sanction.
    pub(super) program: Vec<String>,
}

impl Record {
    /// Whether somebody has listed it, or at least nobody says that it only stands beside others.
    pub(super) fn is_listed(&self) -> bool {
        self.target != Some(false) || self.category().is_some()
    }

    /// The entity that this record is about; `None` without a name.
    pub(super) fn into_entity(self, kind: EntityKind) -> Option<Entity> {
        let category = self.category().unwrap_or(Category::Watchlist);
        let documents = self.properties.identifiers();
        let kind = self.properties.with_attributes(kind);
        let mut aliases = self.properties.names();
        let caption = self.caption.filter(|caption| !caption.trim().is_empty());
        let name = caption.or_else(|| Some(aliases.first()?.text.clone()))?;
        aliases.retain(|alias| alias.text != name);
        Some(Entity {
            category,
            aliases,
            documents,
            programmes: self.properties.program_id,
            ..Entity::new(&self.id, &name, kind)
        })
    }

    /// A wallet as an entity of its own: its holder, of whom nothing else is known. `None` without
    /// an address.
    pub(super) fn into_wallet(self) -> Option<Entity> {
        let category = self.category().unwrap_or(Category::Watchlist);
        let keys = self.properties.public_key.into_iter();
        let wallets: Vec<String> = keys.filter(|key| !key.trim().is_empty()).collect();
        let name = wallets.first()?.clone();
        Some(Entity { category, wallets, ..Entity::new(&self.id, &name, EntityKind::Organisation) })
    }

    /// The weightiest of the topics; `None` when none of them lists anybody.
    fn category(&self) -> Option<Category> {
        self.properties.topics.iter().filter_map(|topic| category_of(topic)).max()
    }
}

impl Properties {
    /// The documents that this record is.
    pub(super) fn documents(&self) -> Vec<Document> {
        let kind = self.kind.first().map_or("", String::as_str);
        self.number.iter().map(|number| document(kind, number)).collect()
    }

    /// The numbers that stand in the record of their holder.
    fn identifiers(&self) -> Vec<Document> {
        let columns = [
            ("Passport", &self.passport_number),
            ("Identity number", &self.id_number),
            ("Tax number", &self.tax_number),
            ("Social security number", &self.social_security_number),
            ("INN", &self.inn_code),
            ("Registration number", &self.registration_number),
        ];
        let columns = columns.into_iter();
        columns.flat_map(|(kind, numbers)| numbers.iter().map(|n| document(kind, n))).collect()
    }

    fn with_attributes(&self, mut kind: EntityKind) -> EntityKind {
        if let EntityKind::Person(person) = &mut kind {
            person.births = self.birth_date.iter().filter_map(|date| iso(date)).collect();
            let countries = self.nationality.iter().chain(&self.citizenship);
            person.nationalities = countries.filter_map(|code| country_of_alpha2(code)).collect();
            person.gender = self.gender.first().and_then(|word| word.parse().ok());
        }
        kind
    }

    fn names(&self) -> Vec<Alias> {
        let properties = [
            (AliasKind::Good, &self.name),
            (AliasKind::Good, &self.alias),
            (AliasKind::Former, &self.previous_name),
            (AliasKind::Weak, &self.weak_alias),
        ];
        let names = properties.into_iter().flat_map(|(kind, texts)| {
            texts.iter().filter(|text| !text.trim().is_empty()).map(move |text| {
                let is_original = kind == AliasKind::Good && !is_latin(text);
                let kind = if is_original { AliasKind::Original } else { kind };
                Alias { text: text.clone(), kind }
            })
        });
        names.collect()
    }
}

fn document(kind: &str, number: &str) -> Document {
    Document { kind: kind.to_owned(), number: number.to_owned() }
}

/// Topics are hierarchical: `crime.fin` is a kind of `crime`.
fn category_of(topic: &str) -> Option<Category> {
    let is_kind_of = |parent: &str| {
        topic.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if is_kind_of("sanction") {
        return Some(Category::Sanction);
    }
    if is_kind_of("role.pep") || is_kind_of("role.rca") {
        return Some(Category::PoliticallyExposed);
    }
    WATCHED.into_iter().any(is_kind_of).then_some(Category::Watchlist)
}

const WATCHED: [&str; 8] =
    ["corp.disqual", "crime", "debarment", "export", "invest", "poi", "reg", "wanted"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_that_list_somebody_give_a_category() {
        for (topic, expected) in [
            ("sanction", Some(Category::Sanction)),
            ("sanction.linked", Some(Category::Sanction)),
            ("role.pep", Some(Category::PoliticallyExposed)),
            ("role.rca", Some(Category::PoliticallyExposed)),
            ("crime.fin", Some(Category::Watchlist)),
            ("wanted", Some(Category::Watchlist)),
            ("role.judge", None),
            ("gov.national", None),
            ("sanctioned", None),
            ("", None),
        ] {
            assert_eq!(category_of(topic), expected, "{topic}");
        }
    }
}
