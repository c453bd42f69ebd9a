//! The remarks of OFAC's main file: facts separated by `;`, each with its own lead word.

use kyc_core::{Country, Gender};
use time::{Date, Month};

use crate::country::country_of;
use crate::{Alias, AliasKind, Birth, Entity, EntityKind};

/// What the remarks of one entity say, as far as screening uses it.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    births: Vec<Birth>,
    nationalities: Vec<Country>,
    gender: Option<Gender>,
    aliases: Vec<Alias>,
    wallets: Vec<String>,
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
            self.births.extend(birth(date));
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
        }
    }

    pub(super) fn add_to(self, entity: &mut Entity) {
        entity.aliases.extend(self.aliases);
        entity.wallets.extend(self.wallets);
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

/// `03 Aug 1957`, `Aug 1957`, `1957`, `circa 1957`, and ranges of them with ` to ` or `-`.
fn birth(text: &str) -> Option<Birth> {
    if let Some(about) = text.strip_prefix("circa ") {
        return match birth(about)? {
            Birth::Day(date) => Some(Birth::About(date.year())),
            Birth::Month { year, .. } | Birth::Year(year) => Some(Birth::About(year)),
            range @ (Birth::About(_) | Birth::Years { .. }) => Some(range),
        };
    }
    if let Some((from, to)) = text.split_once(" to ").or_else(|| text.split_once('-')) {
        return Some(Birth::years(last_year(from)?, last_year(to)?));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [day, month, year] => {
            let date =
                Date::from_calendar_date(parse_year(year)?, parse_month(month)?, day.parse().ok()?);
            date.ok().map(Birth::Day)
        }
        [month, year] => {
            Some(Birth::Month { year: parse_year(year)?, month: u8::from(parse_month(month)?) })
        }
        [year] => parse_year(year).map(Birth::Year),
        _ => None,
    }
}

fn last_year(text: &str) -> Option<i32> {
    text.split_whitespace().last().and_then(parse_year)
}

fn parse_year(text: &str) -> Option<i32> {
    text.parse().ok().filter(|year| (1000..=9999).contains(year))
}

fn parse_month(text: &str) -> Option<Month> {
    let at = MONTHS.iter().position(|month| *month == text)?;
    Month::try_from(u8::try_from(at + 1).ok()?).ok()
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Birth>) {
        assert_eq!(birth(text), expected, "{text}");
    }

    #[test]
    fn every_shape_of_a_date_of_birth_is_read() {
        check("03 Aug 1957", Some(Birth::Day(date!(1957 - 08 - 03))));
        check("Aug 1957", Some(Birth::Month { year: 1957, month: 8 }));
        check("1957", Some(Birth::Year(1957)));
        check("circa 1957", Some(Birth::About(1957)));
        check("circa 03 Aug 1957", Some(Birth::About(1957)));
        check("circa Aug 1957", Some(Birth::About(1957)));
        check("circa 1957-1960", Some(Birth::Years { from: 1957, to: 1960 }));
        check("1957 to 1960", Some(Birth::Years { from: 1957, to: 1960 }));
        check("01 Jan 1957 to 31 Dec 1957", Some(Birth::Year(1957)));
        check("Oct 1957 to Mar 1958", Some(Birth::Years { from: 1957, to: 1958 }));
    }

    #[test]
    fn what_is_no_date_is_left_out() {
        check("", None);
        check("unknown", None);
        check("31 Feb 1957", None);
        check("03 August 1957", None);
        check("57", None);
    }

    #[test]
    fn every_known_fact_is_noted() {
        let remarks = Remarks::of(
            "DOB 1957; alt. DOB Aug 1958; POB Sofia; nationality Bulgaria; alt. citizen Korea, North; \
             Gender Female; a.k.a. 'The Tall'; f.k.a. 'KOLE, M.'; Passport X1 (Bulgaria); \
             Digital Currency Address - XBT 1abcDEF; alt. Digital Currency Address - ETH 0xAB.",
        );
        assert_eq!(remarks.births, [Birth::Year(1957), Birth::Month { year: 1958, month: 8 }]);
        let codes: Vec<_> = remarks.nationalities.iter().map(|country| country.alpha3()).collect();
        assert_eq!(codes, ["BGR", "PRK"]);
        assert_eq!(remarks.gender, Some(Gender::Female));
        let names: Vec<_> = remarks.aliases.iter().map(|a| (a.text.as_str(), a.kind)).collect();
        assert_eq!(names, [("The Tall", AliasKind::Weak), ("KOLE, M.", AliasKind::Former)]);
        assert_eq!(remarks.wallets, ["1abcDEF", "0xAB"]);
    }
}
