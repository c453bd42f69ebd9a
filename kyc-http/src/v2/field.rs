//! The names of the form's fields, and their values as both generations write them.

use std::borrow::Cow;

use kyc_core::service::Error;
use kyc_core::{Field, Problem, Reason, Slot, Submission, day};

use crate::error::{ApiError, FieldFault};

/// The field's name. `None`: this generation does not know the field and ignores it (D17).
pub(crate) fn name(field: Field) -> Option<&'static str> {
    Some(match field {
        Field::UserId => "userid",
        Field::Email => "email",
        Field::FirstName => "first_name",
        Field::MiddleName => "middle_name",
        Field::LastName => "last_name",
        Field::Nationality => "nationality",
        Field::DateOfBirth => "date_of_birth",
        Field::Gender => "gender",
        Field::IdType => "id_type",
        Field::IdNumber => "id_number",
        Field::AddressStreet => "address_street",
        Field::AddressCity => "address_city",
        Field::AddressState => "address_state",
        Field::AddressZipcode => "address_zipcode",
        Field::AddressCountry => "address_country",
        Field::ContributionType => "contribution_type",
        Field::WalletAddress => "wallet_address",
        Field::EstimatedAmount => "estimated_amount",
        Field::KycLevel => "kyc_level",
        Field::PhotoId => "photoid_res",
        Field::Selfie => "selfie_res",
        Field::AddressProof => "address_res",
        Field::ExtraWallet1
        | Field::ExtraWallet2
        | Field::ExtraWallet3
        | Field::ExtraImage1
        | Field::ExtraImage2
        | Field::ExtraImage3
        | Field::ExtraImage4
        | Field::Custom1
        | Field::Custom2
        | Field::Custom3
        | Field::IpAddress => return None,
    })
}

/// A failure of the service, with the problems of a form under the names of a generation (D55).
pub(crate) fn refused(error: Error, name: impl Fn(Field) -> Option<&'static str>) -> ApiError {
    let Error::Form(problems) = error else { return error.into() };
    let fault = |problem: &Problem| {
        // Only fields that a generation reads can have problems in it.
        let name = name(problem.field)?;
        Some(match &problem.reason {
            Reason::Missing => FieldFault::missing(name),
            Reason::Invalid(reason) => FieldFault::invalid(name, reason.as_str()),
        })
    };
    ApiError::Fields(problems.iter().filter_map(fault).collect())
}

/// The canonical value of a field of a stored submission, `None` where it has none.
pub(crate) fn submitted(submission: &Submission, field: Field) -> Option<Cow<'_, str>> {
    let form = submission.form();
    let person = &form.applicant;
    let known = form.identification();
    let address = || Some(known?.evidence.address());
    let document = |slot| Some(submission.document(slot)?.to_text().into());
    let text: &str = match field {
        Field::UserId => form.user_id.as_ref()?.as_str(),
        Field::Email => form.email.as_str(),
        Field::FirstName => person.first_name.as_str(),
        Field::MiddleName => person.middle_name.as_ref()?.as_str(),
        Field::LastName => person.last_name.as_str(),
        Field::Nationality => person.nationality.combined(),
        Field::DateOfBirth => return Some(day::text(person.birth_date.date()).into()),
        Field::Gender => person.gender.as_str(),
        Field::IdType => known?.id_type.as_str(),
        Field::IdNumber => known?.id_number.as_ref()?.as_str(),
        Field::AddressStreet => address()?.street?.as_str(),
        Field::AddressCity => address()?.city?.as_str(),
        Field::AddressState => address()?.state?.as_str(),
        Field::AddressZipcode => address()?.zipcode?.as_str(),
        Field::AddressCountry => address()?.country?.combined(),
        Field::ContributionType => known?.contribution_type.as_ref()?.as_str(),
        Field::WalletAddress => known?.wallet_address.as_ref()?.as_str(),
        Field::EstimatedAmount => known?.estimated_amount.as_ref()?.as_str(),
        Field::KycLevel => submission.level().as_str(),
        Field::PhotoId => return document(Slot::PhotoId),
        Field::Selfie => return document(Slot::Selfie),
        Field::AddressProof => return document(Slot::AddressProof),
        Field::ExtraWallet1 => known?.extra_wallets[0].as_ref()?.as_str(),
        Field::ExtraWallet2 => known?.extra_wallets[1].as_ref()?.as_str(),
        Field::ExtraWallet3 => known?.extra_wallets[2].as_ref()?.as_str(),
        Field::ExtraImage1 => return known?.extra_images[0].map(|image| image.to_text().into()),
        Field::ExtraImage2 => return known?.extra_images[1].map(|image| image.to_text().into()),
        Field::ExtraImage3 => return known?.extra_images[2].map(|image| image.to_text().into()),
        Field::ExtraImage4 => return known?.extra_images[3].map(|image| image.to_text().into()),
        Field::Custom1 => known?.custom[0].as_ref()?.as_str(),
        Field::Custom2 => known?.custom[1].as_ref()?.as_str(),
        Field::Custom3 => known?.custom[2].as_ref()?.as_str(),
        Field::IpAddress => return Some(known?.ip_address?.to_string().into()),
    };
    Some(text.into())
}
