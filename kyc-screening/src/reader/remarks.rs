//! The remarks of OFAC's main file: facts separated by `;`, each with its own lead word.

use kyc_core::{Country, Gender};

use super::{birth, document};
use crate::country::country_of;
use crate::{Alias, AliasKind, Birth, Document, Entity, EntityKind};

/// What the remarks of one entity say, as far as screening uses it.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    births: Vec<Birth>,
    nationalities: Vec<Country>,
    gender: Option<Gender>,
    aliases: Vec<Alias>,
    wallets: Vec<String>,
    documents: Vec<Document>,
}

impl Remarks {
    pub(super) fn of(text: &str) -> Self {
        let mut remarks = Self::default();
        for fact in text.split(';') {
            let fact = fact.trim().trim_end_matches('.');
            remarks.note(fact.strip_prefix("alt. ").unwrap_or(fact));
        }
        remarks
    }

    fn note(&mut self, fact: &str) {
        if let Some(date) = fact.strip_prefix("DOB ") {
            self.births.extend(birth::spelled(date));
        } else if let Some(country) =
            fact.strip_prefix("nationality ").or_else(|| fact.strip_prefix("citizen "))
        {
            self.nationalities.extend(country_of(country));
        } else if let Some(gender) = fact.strip_prefix("Gender ") {
            self.gender = gender.trim().parse().ok();
        } else if let Some(name) = fact.strip_prefix("a.k.a. ") {
            self.aliases.extend(alias(name, AliasKind::Weak));
        } else if let Some(name) = fact.strip_prefix("f.k.a. ") {
            self.aliases.extend(alias(name, AliasKind::Former));
        } else if let Some(wallet) = fact.strip_prefix("Digital Currency Address - ") {
            // The currency's code stands before the address.
            self.wallets.extend(wallet.split_whitespace().nth(1).map(str::to_owned));
        } else {
            self.documents.extend(document::of_fact(fact));
        }
    }

    pub(super) fn add_to(self, entity: &mut Entity) {
        entity.aliases.extend(self.aliases);
        entity.wallets.extend(self.wallets);
        entity.documents.extend(self.documents);
        if let EntityKind::Person(person) = &mut entity.kind {
            person.births.extend(self.births);
            person.nationalities.extend(self.nationalities);
            person.gender = self.gender;
        }
    }
}

fn alias(quoted: &str, kind: AliasKind) -> Option<Alias> {
    let text = quoted.trim().trim_matches('\'');
    (!text.is_empty()).then(|| Alias { text: text.to_owned(), kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_fact_is_noted() {
        let remarks = Remarks::of(
            "DOB 1957; alt. DOB Aug 1958; POB Sofia; nationality Bulgaria; alt. citizen Korea, North; \
             Gender Female; a.k.a. 'The Tall'; f.k.a. 'KOLE, M.'; Passport X1 (Bulgaria); \
             alt. National ID No. 77 issued 01 Jan 2001; Digital Currency Address - XBT 1abcDEF; alt. Digital Currency Address - ETH 0xAB.",
        );
        assert_eq!(remarks.births, [Birth::Year(1957), Birth::Month { year: 1958, month: 8 }]);
        let codes: Vec<_> = remarks.nationalities.iter().map(|country| country.alpha3()).collect();
        assert_eq!(codes, ["BGR", "PRK"]);
        assert_eq!(remarks.gender, Some(Gender::Female));
        let names: Vec<_> = remarks.aliases.iter().map(|a| (a.text.as_str(), a.kind)).collect();
        assert_eq!(names, [("The Tall", AliasKind::Weak), ("KOLE, M.", AliasKind::Former)]);
        assert_eq!(remarks.wallets, ["1abcDEF", "0xAB"]);
        let documents: Vec<_> =
            remarks.documents.iter().map(|d| (d.kind.as_str(), d.number.as_str())).collect();
        assert_eq!(documents, [("Passport", "X1"), ("National ID No.", "77")]);
    }
}
