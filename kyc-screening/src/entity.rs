//! What a list says about one entity, whatever the list's format.

use std::iter::once;

use kyc_core::{Country, Gender};
use time::Date;

/// One record of a list.
///
/// ```
/// use kyc_screening::{Alias, AliasKind, Birth, Entity, EntityKind, Person};
///
/// let person = Person { births: vec![Birth::Year(1971)], ..Person::default() };
/// let entity = Entity {
///     aliases: vec![Alias { text: "Mirko the Tall".into(), kind: AliasKind::Weak }],
///     ..Entity::new("7", "Kole, Mira", EntityKind::Person(person))
/// };
/// assert_eq!(entity.name_count(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entity {
    /// The record's id in its list.
    pub id: String,
    /// The primary name, as the list writes it.
    pub name: String,
    /// Every other name.
    pub aliases: Vec<Alias>,
    /// What it is, with what only such an entity has.
    pub kind: EntityKind,
    /// Why it is listed at all.
    pub category: Category,
    /// The sanctions programmes that list it.
    pub programmes: Vec<String>,
    /// Its addresses of digital currencies, as the list writes them.
    pub wallets: Vec<String>,
    /// Its identity documents, tax numbers and registrations.
    pub documents: Vec<Document>,
}

impl Entity {
    /// A sanctioned entity of which only the name is known.
    pub fn new(id: &str, name: &str, kind: EntityKind) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            aliases: Vec::new(),
            kind,
            category: Category::default(),
            programmes: Vec::new(),
            wallets: Vec::new(),
            documents: Vec::new(),
        }
    }

    /// How many names it has, the primary one included.
    pub fn name_count(&self) -> usize {
        1 + self.aliases.len()
    }

    /// Every name, the primary one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        once(&self.name).chain(self.aliases.iter().map(|alias| &alias.text)).map(String::as_str)
    }

    /// What is known of a person; `None` for everything else.
    pub fn person(&self) -> Option<&Person> {
        match &self.kind {
            EntityKind::Person(person) => Some(person),
            EntityKind::Organisation | EntityKind::Vessel | EntityKind::Aircraft => None,
        }
    }
}

/// Why an entity is listed.
///
/// # Order
///
/// By weight: whoever is listed for several reasons has the last of them.
///
/// ```
/// use kyc_screening::Category;
///
/// assert!(Category::Sanction > Category::PoliticallyExposed);
/// assert_eq!(Category::default(), Category::Sanction);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// On another watch list: wanted, debarred, subject to export controls.
    Watchlist,
    /// A politically exposed person (PEP), or a relative or close associate of one.
    PoliticallyExposed,
    /// Sanctioned: nobody may deal with it.
    #[default]
    Sanction,
}

/// What an entity is. Applicants are compared with the names of persons, and with the wallets and
/// identity documents of all.
///
/// ```
/// use kyc_screening::{EntityKind, Person};
///
/// assert_ne!(EntityKind::Vessel, EntityKind::Person(Person::default()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EntityKind {
    /// A human being.
    Person(Person),
    /// A company, a group, a government body.
    Organisation,
    /// A ship.
    Vessel,
    /// An aeroplane.
    Aircraft,
}

/// What a list knows of a person besides the names. Empty means unknown, never "none".
///
/// ```
/// use kyc_screening::Person;
///
/// assert!(Person::default().births.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Person {
    /// Dates of birth; lists often give several.
    pub births: Vec<Birth>,
    /// Nationalities and citizenships.
    pub nationalities: Vec<Country>,
    /// Gender.
    pub gender: Option<Gender>,
}

/// A date of birth, as exactly as the list knows it.
///
/// ```
/// use kyc_screening::Birth;
///
/// assert_eq!(Birth::years(1960, 1960), Birth::Year(1960));
/// assert_eq!(Birth::years(1963, 1960), Birth::Years { from: 1960, to: 1963 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Birth {
    /// The exact day.
    Day(Date),
    /// Month (1 to 12) and year.
    Month {
        /// The year.
        year: i32,
        /// The month, 1 to 12.
        month: u8,
    },
    /// The year alone.
    Year(i32),
    /// About this year.
    About(i32),
    /// One of these years, both ends included; `from` is before `to`.
    Years {
        /// The first year.
        from: i32,
        /// The last year.
        to: i32,
    },
}

impl Birth {
    /// A range of years, its ends in any order.
    pub fn years(one: i32, other: i32) -> Self {
        if one == other {
            return Self::Year(one);
        }
        Self::Years { from: one.min(other), to: one.max(other) }
    }
}

/// Another name of an entity.
///
/// ```
/// use kyc_screening::{Alias, AliasKind};
///
/// let alias = Alias { text: "Kole, Mirjana".into(), kind: AliasKind::Good };
/// assert_eq!(alias.kind, AliasKind::Good);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alias {
    /// The name, as the list writes it.
    pub text: String,
    /// How good it is.
    pub kind: AliasKind,
}

/// How good an alias is as evidence.
///
/// ```
/// use kyc_screening::AliasKind;
///
/// assert_ne!(AliasKind::Weak, AliasKind::Good);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AliasKind {
    /// As good as the primary name.
    Good,
    /// A nickname, a call sign, or what the publisher marks as low quality.
    Weak,
    /// A name that is no longer used.
    Former,
    /// The name in its own script.
    Original,
}

/// A passport, a national identity card, or another number that an authority gave out.
///
/// ```
/// use kyc_screening::Document;
///
/// let passport = Document { kind: "Passport".into(), number: "X0000001".into() };
/// assert_eq!(passport.kind, "Passport");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Document {
    /// What it is, in the list's words; empty where the list does not say.
    pub kind: String,
    /// Its number.
    pub number: String,
}
