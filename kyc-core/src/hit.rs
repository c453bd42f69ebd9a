//! What a screening found about one listed record, and what inspectors made of it (D80).

mod changes;
mod decision;
mod standing;

use std::fmt;

use crate::{RiskLevel, Score};

pub use changes::HitChanges;
pub use decision::{HitDecision, HitVerdict};
pub use standing::{FactChange, HitStanding};

/// A listed record that may be the applicant, and why. `Debug` shows the list alone.
///
/// ```
/// use kyc_core::{Fact, Hit, RiskLevel, Score};
///
/// let hit = Hit {
///     list: "un".into(),
///     entity: "QDi.001".into(),
///     name: "An Invented Person".into(),
///     matched: "Invented Person".into(),
///     score: Score::MAX,
///     risk: RiskLevel::High,
///     programmes: Vec::new(),
///     reasons: vec!["the names are equal".into()],
///     evidence: vec![Fact { field: "name".into(), listed: "Invented Person".into() }],
/// };
/// assert_eq!(format!("{hit:?}"), "Hit(un, ***)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Hit {
    /// The list's short name.
    pub list: String,
    /// The record's id in its list.
    pub entity: String,
    /// The record's primary name.
    pub name: String,
    /// The listed name that matched; may be the primary one.
    pub matched: String,
    /// How alike they are.
    pub score: Score,
    /// The risk of this hit alone, whatever inspectors say.
    pub risk: RiskLevel,
    /// The sanctions programmes that list the record.
    pub programmes: Vec<String>,
    /// What the verdict rests on, in plain words, strongest first.
    pub reasons: Vec<String>,
    /// What the list says in the fields that were compared, each field once. Equal evidence is the
    /// same case: a decision on it still holds (D81).
    pub evidence: Vec<Fact>,
}

impl Hit {
    /// What it is called across screenings.
    pub fn key(&self) -> HitKey {
        HitKey { list: self.list.clone(), entity: self.entity.clone() }
    }
}

impl fmt::Debug for Hit {
    // Whom an applicant resembles is personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hit({}, ***)", self.list)
    }
}

/// Which listed record a hit is about: the same in every screening. `Debug` shows the list alone.
///
/// ```
/// use kyc_core::conformance::fixture::hit;
///
/// assert_eq!(hit(925).key(), hit(925).key());
/// assert_eq!(format!("{:?}", hit(925).key()), "HitKey(sample, ***)");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitKey {
    /// The list's short name.
    pub list: String,
    /// The record's id in its list.
    pub entity: String,
}

impl fmt::Debug for HitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HitKey({}, ***)", self.list)
    }
}

/// What a list says in one field that was compared. `Debug` shows the field alone.
///
/// ```
/// use kyc_core::Fact;
///
/// let born = Fact { field: "date of birth".into(), listed: "1971; 1972-03-18".into() };
/// assert_eq!(format!("{born:?}"), "Fact(date of birth, ***)");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The field, in the engine's words.
    pub field: String,
    /// What the list has there: the same text for the same content, in whatever order the list has
    /// it.
    pub listed: String,
}

impl fmt::Debug for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fact({}, ***)", self.field)
    }
}
