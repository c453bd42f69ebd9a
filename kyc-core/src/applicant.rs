//! The person, and when two records speak of the same one (D39).

use std::fmt;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use crate::{BirthDate, Country, Gender, PersonName};

/// What identifies a person.
///
/// ```
/// use kyc_core::{Applicant, BirthDate, Country, Gender};
/// use time::macros::date;
///
/// let mira = Applicant {
///     first_name: "Mira".parse()?,
///     middle_name: None,
///     last_name: "Kole".parse()?,
///     nationality: "Albania, ALB".parse()?,
///     birth_date: BirthDate::new(date!(1990 - 05 - 17), date!(2026 - 11 - 20))?,
///     gender: Gender::Female,
/// };
/// assert_eq!(mira.full_name(), "Mira Kole");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Applicant {
    /// Given name.
    pub first_name: PersonName,
    /// Further given names.
    pub middle_name: Option<PersonName>,
    /// Family name.
    pub last_name: PersonName,
    /// Nationality.
    pub nationality: Country,
    /// Date of birth.
    pub birth_date: BirthDate,
    /// Gender.
    pub gender: Gender,
}

impl Applicant {
    /// First, middle and last name, joined by single spaces.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::form_full;
    ///
    /// assert_eq!(form_full().applicant.full_name(), "Zoë Анна 𐍈 de la O'Quill");
    /// ```
    pub fn full_name(&self) -> String {
        let middle = self.middle_name.as_ref().map(PersonName::as_str);
        [Some(self.first_name.as_str()), middle, Some(self.last_name.as_str())]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// What all records of this person have in common.
    pub fn person_key(&self) -> PersonKey {
        let middle = self.middle_name.as_ref().map_or("", PersonName::as_str);
        let mut given: Vec<String> = [self.first_name.as_str(), middle]
            .into_iter()
            .flat_map(str::split_whitespace)
            .map(plain)
            .collect();
        given.sort_unstable();
        let family: String = self.last_name.as_str().split_whitespace().map(plain).collect();
        // No text of a form has a line break, so no name can pretend to be two parts.
        let key = format!(
            "{}\n{family}\n{}\n{}\n{}",
            given.join(" "),
            self.birth_date.date(),
            self.gender.as_str(),
            self.nationality.alpha3(),
        );
        PersonKey(key.into())
    }
}

impl fmt::Debug for Applicant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Applicant(***)")
    }
}

/// Without case and accents.
fn plain(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    // Lower case by way of capitals, which makes `ß` and `ẞ` the same as `ss` and all small sigmas
    // one. Accents go before it, because some have a capital form, and after it, because a letter
    // can bring one of its own (a dotted capital I).
    word.nfkd()
        .filter(|c| !is_accent(*c))
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfkd()
        .filter(|c| !is_accent(*c))
        .collect()
}

/// Marks that a name can be written without. Vowel signs and voicing marks of Indic scripts, Thai
/// or kana are not among them: they tell one name from another.
fn is_accent(c: char) -> bool {
    // Combining classes: overlays, nuktas, the points of Hebrew, Arabic and Syriac, and all that
    // stands above or below Latin, Greek and Cyrillic letters.
    matches!(canonical_combining_class(c), 1 | 7 | 10..=36 | 200..)
}

/// The same-person rule as a value: equal keys, same person (D39).
///
/// Names are compared without case and accents, given names in any order, family names without
/// spaces; date of birth, gender and nationality exactly. A space inside given names separates two
/// names, so `Mary Ann` and `Ann Mary` are one, and `Maryann` is another.
///
/// ```
/// # use kyc_core::{Applicant, BirthDate, Gender};
/// # use time::macros::date;
/// # let person = |first: &str, last: &str| -> Result<Applicant, Box<dyn std::error::Error>> { Ok(Applicant {
/// #     first_name: first.parse()?, middle_name: None, last_name: last.parse()?,
/// #     nationality: "Albania, ALB".parse()?,
/// #     birth_date: BirthDate::new(date!(1990 - 05 - 17), date!(2026 - 11 - 20))?,
/// #     gender: Gender::Female,
/// # }) };
/// let (one, other) = (person("Zoë Mira", "de Kole")?, person("mira zoe", "DEKOLE")?);
/// assert_eq!(one.person_key(), other.person_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonKey(Box<str>);

impl PersonKey {
    /// The key as text, for stores that keep a digest of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonKey(***)")
    }
}
