//! What a list says in the fields that were compared (D81).
//!
//! Decisions on hits hold while these texts are equal: another word here, or one more field, opens
//! every hit again that was cleared.

use kyc_core::{Fact, day};

use crate::finding::Finding;
use crate::risk::Strength;
use crate::{AliasKind, Birth, Category, Entity, Identifier, Query};

/// What the verdict on an entity rests on. A field that was not compared, on either side, is left
/// out: when the list changes it, a decision on the hit still holds.
pub(crate) fn facts(entity: &Entity, finding: &Finding, query: &Query) -> Vec<Fact> {
    let identifier = match finding.strength {
        Strength::Identifier(Identifier::Wallet) => Some("wallet address"),
        Strength::Identifier(Identifier::Document) => Some("identity document"),
        Strength::Name { .. } => None,
    };
    let identifier = identifier.map(|kind| fact("identifier", kind));
    if finding.name.is_none() {
        return identifier.into_iter().collect();
    }
    let alias = finding.alias.and_then(|alias| entity.aliases.get(alias as usize));
    let (name, kind) = match alias {
        None => (&entity.name, "primary name"),
        Some(alias) => (&alias.text, words(alias.kind)),
    };
    let category = match entity.category {
        Category::Sanction => "sanctioned",
        Category::PoliticallyExposed => "politically exposed",
        Category::Watchlist => "on a watch list",
    };
    let mut facts =
        vec![fact("name", name), fact("kind of name", kind), fact("category", category)];
    if let Some(person) = entity.person() {
        let mut births = person.births.clone();
        births.sort_unstable();
        let births = births.into_iter().filter(|_| query.birth.is_some()).map(born).collect();
        facts.extend(joined("date of birth", births));
        let nationalities = person.nationalities.iter().filter(|_| query.nationality.is_some());
        let mut nationalities: Vec<String> =
            nationalities.map(|country| country.alpha3().to_owned()).collect();
        nationalities.sort_unstable();
        facts.extend(joined("nationality", nationalities));
        let gender = person.gender.filter(|_| query.gender.is_some());
        facts.extend(gender.map(|gender| fact("gender", gender.as_str())));
    }
    identifier.into_iter().chain(facts).collect()
}

fn fact(field: &str, listed: &str) -> Fact {
    Fact { field: field.to_owned(), listed: listed.to_owned() }
}

fn joined(field: &str, mut sorted: Vec<String>) -> Option<Fact> {
    sorted.dedup();
    (!sorted.is_empty()).then(|| fact(field, &sorted.join("; ")))
}

fn words(kind: AliasKind) -> &'static str {
    match kind {
        AliasKind::Good => "alias",
        AliasKind::Weak => "weak alias",
        AliasKind::Former => "former name",
        AliasKind::Original => "name in its original script",
    }
}

fn born(birth: Birth) -> String {
    match birth {
        Birth::Day(date) => day::text(date),
        Birth::Month { year, month } => format!("{year:04}-{month:02}"),
        Birth::Year(year) => format!("{year:04}"),
        Birth::About(year) => format!("about {year:04}"),
        Birth::Years { from, to } => format!("{from:04} to {to:04}"),
    }
}
