//! The list of all submissions, in pages of at most 1 MiB (D41, D42, D44).

use std::ops::ControlFlow;

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode};
use kyc_core::{ClientId, Gender, IdType, Listed, PageBudget, PageKey, Service, day};
use serde::Serialize;

use crate::error::{ApiError, FieldFault};
use crate::form::Form;
use crate::json;

/// The largest body of a page, in bytes (D42).
pub(crate) const PAGE_BYTES_MAX: usize = 1_048_576;

/// An item: the interface's fields, null when unset (D44).
#[derive(Serialize)]
struct Item<'a> {
    id: &'a str,
    created_at: String,
    email: &'a str,
    first_name: &'a str,
    middle_name: Option<&'a str>,
    last_name: &'a str,
    nationality: &'static str,
    date_of_birth: String,
    gender: &'static str,
    id_type: Option<&'static str>,
    id_number: Option<&'a str>,
    address_street: Option<&'a str>,
    address_city: Option<&'a str>,
    address_state: Option<&'a str>,
    address_zipcode: Option<&'a str>,
    address_country: Option<&'static str>,
    contribution_type: Option<&'a str>,
    wallet_address: Option<&'a str>,
    estimated_amount: Option<&'a str>,
}

/// Writes an item.
fn write_item(text: &mut Vec<u8>, listed: &Listed<'_>) {
    let id = listed.id.text();
    let item = Item {
        id: id.as_str(),
        created_at: listed.created_at.to_string(),
        email: listed.email,
        first_name: listed.first_name,
        middle_name: listed.middle_name,
        last_name: listed.last_name,
        nationality: listed.nationality.combined(),
        date_of_birth: day::text(listed.birth_date),
        gender: capitalised_gender(listed.gender),
        id_type: listed.id_type.map(capitalised_id_type),
        id_number: listed.id_number,
        address_street: listed.address_street,
        address_city: listed.address_city,
        address_state: listed.address_state,
        address_zipcode: listed.address_zipcode,
        address_country: listed.address_country.map(kyc_core::Country::combined),
        contribution_type: listed.contribution_type,
        wallet_address: listed.wallet_address,
        estimated_amount: listed.estimated_amount,
    };
    json::write(text, &item);
}

/// The capital first letters of this list's sample (D18).
fn capitalised_gender(gender: Gender) -> &'static str {
    match gender {
        Gender::Female => "Female",
        Gender::Male => "Male",
    }
}

/// As [`capitalised_gender`].
fn capitalised_id_type(id_type: IdType) -> &'static str {
    match id_type {
        IdType::Passport => "Passport",
        IdType::GovernmentId => "Government_id",
        IdType::DriversLicense => "Drivers_license",
    }
}

/// Answers one page.
pub(super) fn page(
    service: &Service,
    client: ClientId,
    after: Option<&PageKey>,
) -> Result<Response<Bytes>, ApiError> {
    fill(service, client, after, b"{\"data\":[", write_item)
}

/// Fills one page with items that `write` writes. `opening` ends with the bracket of the array.
pub(crate) fn fill(
    service: &Service,
    client: ClientId,
    after: Option<&PageKey>,
    opening: &[u8],
    write: impl Fn(&mut Vec<u8>, &Listed<'_>),
) -> Result<Response<Bytes>, ApiError> {
    let mut text = Vec::with_capacity(PAGE_BYTES_MAX);
    text.extend_from_slice(opening);
    let mut budget = PageBudget::new(PAGE_BYTES_MAX - opening.len() - CLOSING_BYTES_MAX);
    let mut last = None;
    let mut has_more = false;
    service.list(client, after, &mut |listed| {
        let end = text.len();
        if budget.taken() > 0 {
            text.push(b',');
        }
        write(&mut text, listed);
        if !budget.take(text.len() - end) {
            text.truncate(end);
            has_more = true;
            return ControlFlow::Break(());
        }
        let (id, email) = last.get_or_insert_with(|| (listed.id, String::new()));
        *id = listed.id;
        listed.email.clone_into(email);
        ControlFlow::Continue(())
    })?;
    text.extend_from_slice(b"],\"nextpageKey\":");
    match last.filter(|_| has_more) {
        Some((id, email)) => {
            json::write(&mut text, &NextPageKey { email: &email, id: id.text().as_str() });
        }
        None => json::write(&mut text, &NextPageKey { email: "NA", id: "NA" }),
    }
    text.push(b'}');
    let media_type = HeaderValue::from_static("application/json");
    Ok(json::bytes_response(StatusCode::OK, text.into(), media_type))
}

/// The longest `],"nextpageKey":{"email":"…","id":"…"}}`: an e-mail address has no character that
/// JSON escapes.
const CLOSING_BYTES_MAX: usize = 45 + kyc_core::Email::BYTES_MAX + 26;

#[derive(Serialize)]
struct NextPageKey<'a> {
    email: &'a str,
    id: &'a str,
}

/// The parameters of a page key.
pub(crate) const PAGE_KEY: [&str; 2] = ["nextpageKeyemail", "nextpageKeyid"];

/// Reads the page key of a query: both halves or none (D41).
pub(crate) fn page_key(query: &Form) -> Result<Option<PageKey>, ApiError> {
    let half = |name| query.value(name).map(str::trim).filter(|text| !text.is_empty());
    let (email, id) = match PAGE_KEY.map(half) {
        [None, None] => return Ok(None),
        [Some(email), Some(id)] => (email, id),
        [None, Some(_)] => return Err(half_missing(PAGE_KEY[0])),
        [Some(_), None] => return Err(half_missing(PAGE_KEY[1])),
    };
    let unknown = || kyc_core::service::Error::UnknownPageKey;
    let email = email.parse().map_err(|_| unknown())?;
    let id = id.parse().map_err(|_| unknown())?;
    Ok(Some(PageKey { email, id }))
}

fn half_missing(name: &str) -> ApiError {
    let reason = "must be given together with the other half of the page key";
    ApiError::Fields(vec![FieldFault::invalid(name, reason)])
}
