//! Whom to look for.

use std::fmt;

use kyc_core::{Country, Gender, Subject};

use crate::Birth;

/// Whom to look for: a name, and whatever else is known. More finds fewer strangers. `Debug` is
/// masked.
///
/// ```
/// use kyc_screening::{Birth, Query};
///
/// let query = Query { birth: Some(Birth::Year(1971)), ..Query::named("Mira Kole") };
/// assert!(query.wallets.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Query {
    /// Whether it is a person.
    pub kind: QueryKind,
    /// The full name, in any script. In a person's, a comma stands between family name and given names.
    pub name: String,
    /// Date of birth, as exactly as it is known.
    pub birth: Option<Birth>,
    /// Nationality.
    pub nationality: Option<Country>,
    /// Gender.
    pub gender: Option<Gender>,
    /// Addresses of digital currencies.
    pub wallets: Vec<String>,
    /// Numbers of identity documents.
    pub documents: Vec<String>,
}

/// Which listed names a name is compared with.
///
/// ```
/// use kyc_screening::{Engine, Options, Query, QueryKind, Snapshot, read_plain};
///
/// let list = read_plain("id,name,kind\n7,Petrel Trading LLC,organisation\n".as_bytes())?;
/// let engine = Engine::new(vec![Snapshot::new("watch", list.into_entities())], Options::default());
/// let company = Query {
///     kind: QueryKind::Other,
///     ..Query::named("Petrel Trading, Limited Liability Company")
/// };
/// assert_eq!(engine.explain(&company)[0].0.name, "Petrel Trading LLC");
/// assert!(engine.explain(&Query::named("Petrel Trading LLC")).is_empty());
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum QueryKind {
    /// A human being: with the names of persons.
    #[default]
    Person,
    /// An organisation, a ship or an aircraft: with the names of these. Date of birth, nationality
    /// and gender are not looked at.
    Other,
}

impl Query {
    /// Somebody of whom only the name is known.
    pub fn named(name: &str) -> Self {
        Self {
            kind: QueryKind::Person,
            name: name.to_owned(),
            birth: None,
            nationality: None,
            gender: None,
            wallets: Vec::new(),
            documents: Vec::new(),
        }
    }
}

impl From<&Subject<'_>> for Query {
    fn from(subject: &Subject<'_>) -> Self {
        Self {
            kind: QueryKind::Person,
            name: subject.name.clone(),
            birth: subject.birth_date.map(Birth::Day),
            nationality: subject.nationality,
            gender: subject.gender,
            wallets: subject.wallets.iter().map(|&wallet| wallet.to_owned()).collect(),
            documents: subject.documents.iter().map(|&number| number.to_owned()).collect(),
        }
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Query(***)")
    }
}
