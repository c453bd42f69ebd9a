//! Closed sets of words: gender, id type, level (D18, D19).

use std::str::FromStr;

/// The text is none of the words of its field.
///
/// ```
/// use kyc_core::{Gender, UnknownWord};
///
/// let unknown = "x".parse::<Gender>().unwrap_err();
/// assert_eq!(unknown.to_string(), "must be one of: male, female");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of: {expected}")]
pub struct UnknownWord {
    /// The words that the field takes, separated by commas.
    pub expected: &'static str,
}

/// Finds a word in any letter case.
fn find<T: Copy>(
    text: &str,
    words: &[(&str, T)],
    expected: &'static str,
) -> Result<T, UnknownWord> {
    words
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text))
        .map(|(_, value)| *value)
        .ok_or(UnknownWord { expected })
}

/// An applicant's gender, as the interface knows it.
///
/// ```
/// use kyc_core::Gender;
///
/// assert_eq!("Female".parse(), Ok(Gender::Female));
/// assert_eq!(Gender::Female.as_str(), "female");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gender {
    /// Female.
    Female,
    /// Male.
    Male,
}

impl Gender {
    /// The canonical word, lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
        }
    }
}

impl FromStr for Gender {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        find(text, &[("male", Self::Male), ("female", Self::Female)], "male, female")
    }
}

/// What kind of identity document the applicant has.
///
/// ```
/// use kyc_core::IdType;
///
/// assert_eq!("governmentid".parse(), Ok(IdType::GovernmentId));
/// assert_eq!(IdType::GovernmentId.as_str(), "government_id");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdType {
    /// A passport.
    Passport,
    /// An identity card of a government; `government_id` and `governmentid` (D19).
    GovernmentId,
    /// A driving licence.
    DriversLicense,
}

impl IdType {
    /// The canonical word, lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passport => "passport",
            Self::GovernmentId => "government_id",
            Self::DriversLicense => "drivers_license",
        }
    }
}

impl FromStr for IdType {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let words = [
            ("passport", Self::Passport),
            ("government_id", Self::GovernmentId),
            ("governmentid", Self::GovernmentId),
            ("drivers_license", Self::DriversLicense),
        ];
        find(text, &words, "passport, government_id, drivers_license")
    }
}

/// How much is verified.
///
/// ```
/// use kyc_core::Level;
///
/// assert_eq!("L2".parse(), Ok(Level::L2));
/// assert!("2".parse::<Level>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Identity document and selfie.
    L1,
    /// Everything in `L1`, an address and its proof.
    L2,
}

impl Level {
    /// `L1` or `L2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::L2 => "L2",
        }
    }
}

impl FromStr for Level {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        find(text, &[("L1", Self::L1), ("L2", Self::L2)], "L1, L2")
    }
}
