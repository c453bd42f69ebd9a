//! The fields of a form, and what can be wrong with them (D1, D3, D55).

use std::fmt::Display;
use std::str::FromStr;

/// A field of an application form.
///
/// # Order
///
/// The order of the interface's table of form data; problems are reported in it (D55).
///
/// ```
/// use kyc_core::Field;
///
/// assert!(Field::Email < Field::FirstName);
/// assert_eq!(Field::ALL.len(), 33);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the interface's own, in full words")]
pub enum Field {
    UserId,
    Email,
    FirstName,
    MiddleName,
    LastName,
    Nationality,
    DateOfBirth,
    Gender,
    IdType,
    IdNumber,
    AddressStreet,
    AddressCity,
    AddressState,
    AddressZipcode,
    AddressCountry,
    ContributionType,
    WalletAddress,
    EstimatedAmount,
    KycLevel,
    PhotoId,
    Selfie,
    AddressProof,
    ExtraWallet1,
    ExtraWallet2,
    ExtraWallet3,
    ExtraImage1,
    ExtraImage2,
    ExtraImage3,
    ExtraImage4,
    Custom1,
    Custom2,
    Custom3,
    IpAddress,
}

impl Field {
    /// Every field, in order.
    pub const ALL: [Self; 33] = [
        Self::UserId,
        Self::Email,
        Self::FirstName,
        Self::MiddleName,
        Self::LastName,
        Self::Nationality,
        Self::DateOfBirth,
        Self::Gender,
        Self::IdType,
        Self::IdNumber,
        Self::AddressStreet,
        Self::AddressCity,
        Self::AddressState,
        Self::AddressZipcode,
        Self::AddressCountry,
        Self::ContributionType,
        Self::WalletAddress,
        Self::EstimatedAmount,
        Self::KycLevel,
        Self::PhotoId,
        Self::Selfie,
        Self::AddressProof,
        Self::ExtraWallet1,
        Self::ExtraWallet2,
        Self::ExtraWallet3,
        Self::ExtraImage1,
        Self::ExtraImage2,
        Self::ExtraImage3,
        Self::ExtraImage4,
        Self::Custom1,
        Self::Custom2,
        Self::Custom3,
        Self::IpAddress,
    ];

    /// The fields that hold document handles.
    pub const HANDLES: [Self; 7] = [
        Self::PhotoId,
        Self::Selfie,
        Self::AddressProof,
        Self::ExtraImage1,
        Self::ExtraImage2,
        Self::ExtraImage3,
        Self::ExtraImage4,
    ];
    /// The additional wallets.
    pub const EXTRA_WALLETS: [Self; 3] =
        [Self::ExtraWallet1, Self::ExtraWallet2, Self::ExtraWallet3];
    /// The additional images.
    pub const EXTRA_IMAGES: [Self; 4] =
        [Self::ExtraImage1, Self::ExtraImage2, Self::ExtraImage3, Self::ExtraImage4];
    /// The custom fields.
    pub const CUSTOM: [Self; 3] = [Self::Custom1, Self::Custom2, Self::Custom3];
}

/// Why a field was refused.
///
/// ```
/// use kyc_core::Reason;
///
/// assert_eq!(Reason::Missing.to_string(), "is required");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Required, and absent or blank.
    #[error("is required")]
    Missing,
    /// Present, and not what the field takes. Says what is expected and never repeats the value.
    #[error("{0}")]
    Invalid(String),
}

/// One fault of a form.
///
/// ```
/// use kyc_core::{Field, Problem, Reason};
///
/// let problem = Problem { field: Field::Email, reason: Reason::Missing };
/// assert_eq!(problem.reason.to_string(), "is required");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field at fault.
    pub field: Field,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Reads the fields of one form and collects every problem on the way.
pub(crate) struct Reader<'f> {
    value: &'f dyn Fn(Field) -> Option<&'f str>,
    problems: Vec<Problem>,
}

impl<'f> Reader<'f> {
    pub(crate) fn new(value: &'f dyn Fn(Field) -> Option<&'f str>) -> Self {
        Self { value, problems: Vec::new() }
    }

    /// The trimmed text of a field; a blank one is absent (D16).
    pub(crate) fn text(&self, field: Field) -> Option<&'f str> {
        (self.value)(field).map(str::trim).filter(|text| !text.is_empty())
    }

    /// Reads an optional field. `None` means absent or refused.
    pub(crate) fn optional<T>(&mut self, field: Field) -> Option<T>
    where
        T: FromStr<Err: Display>,
    {
        self.optional_by(field, str::parse)
    }

    /// Reads an optional field by a rule of its own.
    pub(crate) fn optional_by<T, E: Display>(
        &mut self,
        field: Field,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        match parse(self.text(field)?) {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(field, Reason::Invalid(error.to_string()));
                None
            }
        }
    }

    /// Reads a required field. `None` means that a problem was noted.
    pub(crate) fn required<T>(&mut self, field: Field) -> Option<T>
    where
        T: FromStr<Err: Display>,
    {
        self.required_by(field, str::parse)
    }

    /// Reads a required field by a rule of its own.
    pub(crate) fn required_by<T, E: Display>(
        &mut self,
        field: Field,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        if self.text(field).is_none() {
            self.refuse(field, Reason::Missing);
        }
        self.optional_by(field, parse)
    }

    pub(crate) fn refuse(&mut self, field: Field, reason: Reason) {
        self.problems.push(Problem { field, reason });
    }

    /// The value if no problem was noted, else all problems in the order of the fields.
    pub(crate) fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<Problem>> {
        match value {
            Some(value) if self.problems.is_empty() => Ok(value),
            Some(_) | None => {
                self.problems.sort_by_key(|problem| problem.field);
                Err(self.problems)
            }
        }
    }
}
