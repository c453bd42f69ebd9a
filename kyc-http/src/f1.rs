//! The `/f1` generation: query-based lookups, an `Items` wrapper, more fields.

mod item;

use std::sync::Arc;

use bytes::Bytes;
use http::{Response, StatusCode};
use kyc_core::service::Error;
use kyc_core::{
    Client, CountrySyntax, Document, Email, Field, Listed, Lookup, Spelling, Submission,
    SubmissionId, UserId,
};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::call::Call;
use crate::error::{ApiError, FieldFault};
use crate::form::Form;
use crate::upload::{Dialect, upload as store_upload};
use crate::{json, v2};

type Answer = Result<Response<Bytes>, ApiError>;

#[derive(Serialize)]
struct DocumentRecord {
    id: String,
    created_at: String,
    filehash: String,
    filetype: &'static str,
    #[serde(rename = "fileFormat")]
    file_format: &'static str,
}

/// `POST /f1/submissions/upload`
pub(crate) fn upload(call: &Call<'_, Arc<Client>>) -> Answer {
    let dialect =
        Dialect { spelling: Spelling::Underscored, takes_base64: true, takes_other: true };
    store_upload(call, &dialect, |document| {
        let Document { handle, created_at, format, .. } = document;
        let record = DocumentRecord {
            id: handle.id().to_string(),
            created_at: created_at.to_string(),
            filehash: handle.to_text(),
            filetype: handle.word(),
            file_format: format.media_type(),
        };
        json::response(StatusCode::OK, &record)
    })
}

/// `POST /f1/submissions`
pub(crate) fn submit(
    call: &Call<'_, Arc<Client>>,
    form: &Form,
    then: impl FnOnce(Answer) + Send + 'static,
) {
    let value = |field| form.value(name(field));
    let prepare = || {
        let countries = CountrySyntax::CombinedOrCode;
        let prepared = call.service.prepare_form(call.caller.id, &value, countries);
        let refused = |error| v2::refused(error, |field| Some(name(field)));
        let prepared = prepared.map_err(refused)?;
        let response = json::response(StatusCode::OK, &Echo(prepared.value()));
        Ok((prepared, response))
    };
    call.once(&[call.body()]).answer_then(prepare, then);
}

/// The fields that were sent, in their canonical form, with `id` and `created_at` (D45).
struct Echo<'a>(&'a Submission);

impl Serialize for Echo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Field::ALL.map(|field| (name(field), field));
        fields.sort_unstable_by_key(|(name, _)| *name);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.0.id().text().as_str())?;
        map.serialize_entry("created_at", &self.0.created_at().to_string())?;
        for (name, field) in fields {
            if let Some(value) = v2::submitted(self.0, field) {
                map.serialize_entry(name, &value)?;
            }
        }
        map.end()
    }
}

/// The field's name; beyond those that both generations share, this one has its own.
pub(crate) fn name(field: Field) -> &'static str {
    match field {
        Field::ExtraWallet1 => "wallet_address1",
        Field::ExtraWallet2 => "wallet_address2",
        Field::ExtraWallet3 => "wallet_address3",
        Field::ExtraImage1 => "image_res1",
        Field::ExtraImage2 => "image_res2",
        Field::ExtraImage3 => "image_res3",
        Field::ExtraImage4 => "image_res4",
        Field::Custom1 => "cf1",
        Field::Custom2 => "cf2",
        Field::Custom3 => "cf3",
        Field::IpAddress => "ip_address",
        Field::UserId
        | Field::Email
        | Field::FirstName
        | Field::MiddleName
        | Field::LastName
        | Field::Nationality
        | Field::DateOfBirth
        | Field::Gender
        | Field::IdType
        | Field::IdNumber
        | Field::AddressStreet
        | Field::AddressCity
        | Field::AddressState
        | Field::AddressZipcode
        | Field::AddressCountry
        | Field::ContributionType
        | Field::WalletAddress
        | Field::EstimatedAmount
        | Field::KycLevel
        | Field::PhotoId
        | Field::Selfie
        | Field::AddressProof => v2::name(field).unwrap_or(""),
    }
}

/// Whether a read of this query is the list.
pub(crate) fn is_list(query: &str) -> bool {
    Form::parse(query.as_bytes()).is_ok_and(|query| asks_for_list(&query))
}

/// No parameter asks for the list (D46), and so does a page key (D47) without a lookup.
fn asks_for_list(query: &Form) -> bool {
    let has = |name: &&str| query.value(name).is_some();
    query.0.is_empty() || (v2::PAGE_KEY.iter().any(has) && !LOOKUP.iter().any(has))
}

/// The parameters of a lookup, in the order of the interface's table.
const LOOKUP: [&str; 3] = ["userid", "email", "submission_id"];

/// `GET /f1/submissions`
pub(crate) fn read(call: &Call<'_, Arc<Client>>) -> Answer {
    let query = Form::parse(call.query().as_bytes())?;
    if asks_for_list(&query) {
        let after = v2::page_key(&query)?;
        return v2::fill_page(
            call.service,
            call.caller.id,
            after.as_ref(),
            b"{\"Items\":[",
            |text, listed| {
                json::write(text, &item::Item::in_list(listed));
            },
        );
    }
    let submission = match Wanted::read(&query)? {
        Some(wanted) => match call.service.latest(call.caller.id, &wanted.lookup()) {
            Ok(submission) => Some(submission),
            Err(Error::NotFound) => None,
            Err(error) => return Err(error.into()),
        },
        None => None,
    };
    let listed = submission.as_ref().map(Listed::from);
    let items = listed.iter().map(item::Item::alone).collect();
    Ok(json::response(StatusCode::OK, &Items { items }))
}

#[derive(Serialize)]
struct Items<'a> {
    #[serde(rename = "Items")]
    items: Vec<item::Item<'a>>,
}

/// What a query asks for; any combination narrows (D46).
struct Wanted {
    email: Option<Email>,
    user_id: Option<UserId>,
    id: Option<SubmissionId>,
}

impl Wanted {
    /// `None`: a value that no submission can have, so that nothing matches (D4).
    fn read(query: &Form) -> Result<Option<Self>, ApiError> {
        let text = |name| query.value(name).map(str::trim).filter(|text| !text.is_empty());
        let (email, user_id, id) = (text("email"), text("userid"), text("submission_id"));
        if email.is_none() && user_id.is_none() && id.is_none() {
            return Err(match query.value("submission_id") {
                Some(_) => ApiError::SubmissionIdMissing,
                None => ApiError::Fields(LOOKUP.map(FieldFault::missing).into()),
            });
        }
        let parsed = || {
            Some(Self {
                email: email.map(str::parse).transpose().ok()?,
                user_id: user_id.map(str::parse).transpose().ok()?,
                id: id.map(str::parse).transpose().ok()?,
            })
        };
        Ok(parsed())
    }

    fn lookup(&self) -> Lookup<'_> {
        Lookup { email: self.email.as_ref(), user_id: self.user_id.as_ref(), id: self.id }
    }
}
