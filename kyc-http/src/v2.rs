//! The `/v2` generation: path-based lookups.

mod field;
mod list;
mod record;
mod status;

use std::sync::Arc;

use bytes::Bytes;
use http::{Response, StatusCode};
use kyc_core::service::{Error, Prepared};
use kyc_core::{
    Client, CountrySyntax, Document, Email, Field, Lookup, Spelling, Submission, SubmissionId,
};
use serde::Serialize;

use crate::call::Call;
use crate::error::ApiError;
use crate::form::Form;
use crate::json;
use crate::upload::{Dialect, upload as store_upload};

pub(crate) use field::{name, refused, submitted};
pub(crate) use list::{PAGE_KEY, fill as fill_page, page_key};
pub(crate) use status::risk_word;

type Answer = Result<Response<Bytes>, ApiError>;

#[derive(Serialize)]
struct DocumentRecord {
    id: String,
    created_at: String,
    filehash: String,
    filetype: &'static str,
}

/// `POST /v2/submissions/upload`
pub(crate) fn upload(call: &Call<'_, Arc<Client>>) -> Answer {
    let dialect = Dialect { spelling: Spelling::Joined, takes_base64: false, takes_other: false };
    store_upload(call, &dialect, |document| {
        let Document { handle, created_at, .. } = document;
        let record = DocumentRecord {
            id: handle.id().to_string(),
            created_at: created_at.to_string(),
            filehash: handle.to_text(),
            filetype: handle.word(),
        };
        json::response(StatusCode::OK, &record)
    })
}

/// `POST /v2/submissions`
pub(crate) fn submit(
    call: &Call<'_, Arc<Client>>,
    form: &Form,
    then: impl FnOnce(Answer) + Send + 'static,
) {
    let value = |field| form.value(name(field)?);
    let prepare = || {
        let prepared = call.service.prepare_form(call.caller.id, &value, CountrySyntax::Combined);
        prepared.map_err(|error| refused(error, name)).map(with_record)
    };
    call.once(&[call.body()]).answer_then(prepare, then);
}

/// `POST /v2/amlonly`
pub(crate) fn submit_aml_only(
    call: &Call<'_, Arc<Client>>,
    form: &Form,
    then: impl FnOnce(Answer) + Send + 'static,
) {
    let value = |field| form.value(name(field)?);
    let prepare = || {
        let countries = CountrySyntax::Combined;
        let prepared = call.service.prepare_aml_only(call.caller.id, &value, countries);
        let prepared = prepared.map_err(|error| refused(error, name))?;
        let response = json::response(StatusCode::OK, &record::AmlOnlyRecord(prepared.value()));
        Ok((prepared, response))
    };
    call.once(&[call.body()]).answer_then(prepare, then);
}

/// `POST /v2/submissions/renewaml/{email}/{submission_id}`
pub(crate) fn renew(call: &Call<'_, Arc<Client>>, email: &str, id: &str) -> Answer {
    let (email, id) = named(email, id)?;
    let prepare = || {
        let prepared = call.service.prepare_renewal(call.caller.id, &email, id);
        let refused = |error| {
            let is_forbidden = matches!(error, Error::Forbidden(_));
            if is_forbidden { ApiError::NotRenewable } else { error.into() }
        };
        prepared.map_err(refused).map(with_record)
    };
    call.once(&[call.body()]).answer(prepare)
}

/// `POST /v2/submissions/{email}/{submission_id}/documents` (D30)
pub(crate) fn documents(call: &Call<'_, Arc<Client>>, email: &str, id: &str) -> Answer {
    let (email, id) = named(email, id)?;
    let form = Form::parse(call.body())?;
    let documents = [Field::PhotoId, Field::Selfie, Field::AddressProof];
    let value = |field| form.value(name(field).filter(|_| documents.contains(&field))?);
    let prepare = || {
        let prepared = call.service.prepare_documents(call.caller.id, &email, id, &value);
        prepared.map_err(|error| refused(error, name)).map(with_record)
    };
    call.once(&[call.body()]).answer(prepare)
}

fn with_record(prepared: Prepared<'_, Submission>) -> (Prepared<'_, Submission>, Response<Bytes>) {
    let response = json::response(StatusCode::OK, &record::Record(prepared.value()));
    (prepared, response)
}

/// `GET /v2/submissions/{email}[/{submission_id}]`
pub(crate) fn status(call: &Call<'_, Arc<Client>>, email: &str, id: Option<&str>) -> Answer {
    with_lookup(call, email, id, |lookup| {
        let (submission, duplicates) = call.service.status(call.caller.id, lookup)?;
        let record = status::StatusRecord::of(&submission, &duplicates, call.service.now());
        Ok(json::response(StatusCode::OK, &record))
    })
}

/// `GET /v2/submissions/{email}[/{submission_id}]/result`
pub(crate) fn data(call: &Call<'_, Arc<Client>>, email: &str, id: Option<&str>) -> Answer {
    with_lookup(call, email, id, |lookup| {
        let submission = call.service.latest(call.caller.id, lookup)?;
        Ok(json::response(StatusCode::OK, &record::Record(&submission)))
    })
}

/// `GET /v2/submissions/resultall`
pub(crate) fn list(call: &Call<'_, Arc<Client>>) -> Answer {
    let query = Form::parse(call.query().as_bytes())?;
    let after = page_key(&query)?;
    list::page(call.service, call.caller.id, after.as_ref())
}

/// Reads e-mail, id and `userid` (D49) and calls `read` with them.
fn with_lookup(
    call: &Call<'_, Arc<Client>>,
    email: &str,
    id: Option<&str>,
    read: impl FnOnce(&Lookup<'_>) -> Answer,
) -> Answer {
    let email = email.parse().map_err(|_| ApiError::NotFound)?;
    let id = id.map(submission_id).transpose()?;
    let query = Form::parse(call.query().as_bytes())?;
    let user_id = match query.value("userid").map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Some(text.parse().map_err(|_| ApiError::NotFound)?),
        None => None,
    };
    read(&Lookup { email: Some(&email), user_id: user_id.as_ref(), id })
}

/// What does not parse names nothing, so it is not found; a blank id was not provided (D3).
fn submission_id(text: &str) -> Result<SubmissionId, ApiError> {
    if text.trim().is_empty() {
        return Err(ApiError::SubmissionIdMissing);
    }
    text.parse().map_err(|_| ApiError::NotFound)
}

fn named(email: &str, id: &str) -> Result<(Email, SubmissionId), ApiError> {
    let id = submission_id(id)?;
    Ok((email.parse().map_err(|_| ApiError::NotFound)?, id))
}
