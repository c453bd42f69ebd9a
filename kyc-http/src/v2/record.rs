//! The submission record: answers to submit, renew, and the data read (D43).

use kyc_core::{Field, Submission};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::field::{name, submitted};

/// `id`, `created_at`, then every field in alphabetical order of its name, null when unset.
pub(super) struct Record<'a>(pub(super) &'a Submission);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const FIELDS: [Field; 22] = [
            Field::AddressCity,
            Field::AddressCountry,
            Field::AddressProof,
            Field::AddressState,
            Field::AddressStreet,
            Field::AddressZipcode,
            Field::ContributionType,
            Field::DateOfBirth,
            Field::Email,
            Field::EstimatedAmount,
            Field::FirstName,
            Field::Gender,
            Field::IdNumber,
            Field::IdType,
            Field::KycLevel,
            Field::LastName,
            Field::MiddleName,
            Field::Nationality,
            Field::PhotoId,
            Field::Selfie,
            Field::UserId,
            Field::WalletAddress,
        ];
        write(self.0, &FIELDS, serializer)
    }
}

/// The answer to an AML-only submission: what that form has.
pub(super) struct AmlOnlyRecord<'a>(pub(super) &'a Submission);

impl Serialize for AmlOnlyRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const FIELDS: [Field; 8] = [
            Field::DateOfBirth,
            Field::Email,
            Field::FirstName,
            Field::Gender,
            Field::LastName,
            Field::MiddleName,
            Field::Nationality,
            Field::UserId,
        ];
        write(self.0, &FIELDS, serializer)
    }
}

fn write<S: Serializer>(
    submission: &Submission,
    fields: &[Field],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(fields.len() + 2))?;
    map.serialize_entry("id", submission.id().text().as_str())?;
    map.serialize_entry("created_at", &submission.created_at().to_string())?;
    for field in fields {
        if let Some(name) = name(*field) {
            map.serialize_entry(name, &submitted(submission, *field))?;
        }
    }
    map.end()
}
