//! The data of OpenSanctions, in both forms that it is published in.

mod entities;
mod record;
mod targets;

pub use entities::read_open_sanctions_entities;
pub use targets::read_open_sanctions_targets;

pub(super) use targets::COLUMNS;

use crate::{EntityKind, Person};

/// What a record of this schema is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    /// Somebody or something that can be listed.
    Entity(EntityKind),
    /// An address of a digital currency.
    Wallet,
    /// A fact about others, or what nobody screens: addresses, securities, court cases.
    Other,
}

impl Subject {
    /// A legal entity may be a person: it is screened as one.
    fn of_schema(schema: &str) -> Self {
        match schema {
            "Person" | "LegalEntity" => Self::Entity(EntityKind::Person(Person::default())),
            "Organization" | "Company" | "PublicBody" => Self::Entity(EntityKind::Organisation),
            "Vessel" => Self::Entity(EntityKind::Vessel),
            "Airplane" => Self::Entity(EntityKind::Aircraft),
            "CryptoWallet" => Self::Wallet,
            _ => Self::Other,
        }
    }
}
