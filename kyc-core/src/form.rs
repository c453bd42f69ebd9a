//! What a client hands in about an applicant, parsed with all faults at once (D1–D3, D16–D22).

mod evidence;
mod read;

use std::fmt;
use std::net::Ipv4Addr;

use crate::{
    Applicant, Country, DocumentHandle, Email, Field, FreeText, IdNumber, IdType, UnknownCountry,
    UserId, WalletAddress,
};

pub use evidence::{Address, AddressParts, Evidence, PartialAddress};
pub(crate) use read::optional_document;

/// Where a form takes its values from: a text for each field, `None` where nothing was sent.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use kyc_core::{Field, Values};
///
/// let sent = BTreeMap::from([(Field::Email, "mira@example.org")]);
/// let value = |field: Field| sent.get(&field).copied();
/// let values: Values<'_> = &value;
/// assert_eq!(values(Field::Email), Some("mira@example.org"));
/// assert_eq!(values(Field::UserId), None);
/// ```
pub type Values<'f> = &'f dyn Fn(Field) -> Option<&'f str>;

/// How countries are written in a form (D20).
///
/// ```
/// use kyc_core::CountrySyntax;
///
/// assert!(CountrySyntax::CombinedOrCode.parse("ALB").is_ok());
/// assert!(CountrySyntax::Combined.parse("ALB").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountrySyntax {
    /// `Albania, ALB` only.
    Combined,
    /// `Albania, ALB` or `ALB`.
    CombinedOrCode,
}

impl CountrySyntax {
    /// Reads a country.
    ///
    /// # Errors
    ///
    /// [`UnknownCountry`] for everything that this syntax does not take.
    pub fn parse(self, text: &str) -> Result<Country, UnknownCountry> {
        let by_code = match self {
            Self::Combined => None,
            Self::CombinedOrCode => Country::from_alpha3(text),
        };
        by_code.map_or_else(|| text.parse(), Ok)
    }
}

/// The form of one submission, every value valid.
///
/// ```
/// use kyc_core::{CountrySyntax, Field, Form};
/// use time::macros::date;
///
/// let value = |field| match field {
///     Field::Email => Some("mira@example.org"),
///     Field::FirstName => Some("Mira"),
///     Field::LastName => Some(" "),
///     Field::Nationality => Some("Albania, ALB"),
///     Field::DateOfBirth => Some("1990-05-17"),
///     _ => None,
/// };
/// let problems = Form::parse_aml_only(&value, CountrySyntax::Combined, date!(2026 - 11 - 20))
///     .unwrap_err();
/// let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
/// assert_eq!(fields, [Field::LastName, Field::Gender]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The applicant's address and lookup key.
    pub email: Email,
    /// The caller's own id of the applicant.
    pub user_id: Option<UserId>,
    /// The person.
    pub applicant: Applicant,
    /// What is to be done with it.
    pub scope: Scope,
}

/// What a submission asks for.
///
/// ```
/// use kyc_core::Scope;
/// use kyc_core::conformance::fixture::{form, form_aml_only};
///
/// assert!(matches!(form().scope, Scope::Identity(_)));
/// assert_eq!(form_aml_only().scope, Scope::AmlOnly);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// A review of identity documents, and screening once approved.
    Identity(Box<Identification>),
    /// Screening alone, of an applicant whom the client has approved already (D37).
    AmlOnly,
}

/// What an identity review works on. `Debug` shows the kinds of documents alone.
///
/// ```
/// use kyc_core::conformance::fixture::form_full;
/// use kyc_core::{IdType, Level};
///
/// let form = form_full();
/// let Some(known) = form.identification() else { unreachable!("an identity review") };
/// assert_eq!((known.id_type, known.evidence.level()), (IdType::DriversLicense, Level::L1));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Identification {
    /// The kind of identity document.
    pub id_type: IdType,
    /// The number printed on it.
    pub id_number: Option<IdNumber>,
    /// The documents, by level.
    pub evidence: Evidence,
    /// A coin or currency code.
    pub contribution_type: Option<FreeText>,
    /// The main wallet.
    pub wallet_address: Option<WalletAddress>,
    /// What the applicant means to invest.
    pub estimated_amount: Option<FreeText>,
    /// Additional wallets, by place.
    pub extra_wallets: [Option<WalletAddress>; 3],
    /// Additional images, by place.
    pub extra_images: [Option<DocumentHandle>; 4],
    /// Custom fields, by place.
    pub custom: [Option<FreeText>; 3],
    /// Where the applicant applied from.
    pub ip_address: Option<Ipv4Addr>,
}

impl fmt::Debug for Identification {
    // Only what is not personal: an IP address, for one, would show itself.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identification")
            .field("id_type", &self.id_type)
            .field("evidence", &self.evidence)
            .finish_non_exhaustive()
    }
}

impl Form {
    /// The identification, unless this is an AML-only submission.
    pub fn identification(&self) -> Option<&Identification> {
        match &self.scope {
            Scope::Identity(identification) => Some(identification),
            Scope::AmlOnly => None,
        }
    }

    /// All wallets, the main one first.
    ///
    /// ```
    /// use kyc_core::WalletAddress;
    /// use kyc_core::conformance::fixture::form_full;
    ///
    /// let form = form_full();
    /// let wallets: Vec<&str> = form.wallets().map(WalletAddress::as_str).collect();
    /// assert_eq!(wallets.len(), 3);
    /// assert!(wallets[0].starts_with("0x"));
    /// ```
    pub fn wallets(&self) -> impl Iterator<Item = &WalletAddress> {
        self.identification().into_iter().flat_map(|identification| {
            identification
                .wallet_address
                .iter()
                .chain(identification.extra_wallets.iter().flatten())
        })
    }
}
