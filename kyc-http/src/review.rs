//! The inspectors' API (D53).

mod case;
mod certificate;
mod decision;
mod queue;

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY};
use http::{HeaderValue, Response, StatusCode};
use kyc_core::{DocumentHandle, Field, Inspector, Slot, Submission, SubmissionId};

use crate::call::Call;
use crate::error::ApiError;
use crate::route::DecisionWord;
use crate::{f1, json};

use certificate::CertificateBody;
pub(crate) use queue::queue;

type Answer = Result<Response<Bytes>, ApiError>;
type InspectorCall<'a> = Call<'a, Arc<Inspector>>;

/// `GET /review/v1/submissions/{submission_id}`
pub(crate) fn case(call: &InspectorCall<'_>, id: &str) -> Answer {
    let case = call.service.case_file(call.caller, submission_id(id)?)?;
    answer(call, &case)
}

/// `POST /review/v1/submissions/{submission_id}/approve`, `/reject`, `/retake`, `/reopen`, `/hits`,
/// `/acknowledge`, `/end`, `/hold`, `/release`
pub(crate) fn decide(call: &InspectorCall<'_>, id: &str, word: DecisionWord) -> Answer {
    let (version, decision) = decision::read(word, call.body())?;
    let id = submission_id(id)?;
    call.once(&[call.body()]).answer(|| {
        let prepared = call.service.prepare_decision(call.caller, id, version, decision)?;
        let response = answer(call, prepared.value())?;
        Ok((prepared, response))
    })
}

/// `GET /review/v1/submissions/{submission_id}/certificate`
pub(crate) fn certificate(call: &InspectorCall<'_>, id: &str) -> Answer {
    let certificate = call.service.certificate(call.caller, submission_id(id)?)?;
    let clients = call.service.clients_of(call.caller)?;
    let client = clients.iter().find(|client| client.id == certificate.client);
    let body = CertificateBody::of(&certificate, client.ok_or(ApiError::NotFound)?);
    Ok(json::response(StatusCode::OK, &body))
}

/// `GET /review/v1/submissions/{submission_id}/documents/{field}`
pub(crate) fn document(call: &InspectorCall<'_>, id: &str, field: &str) -> Answer {
    let named = |submission: &Submission| {
        documents(submission).find_map(|(name, handle)| (name == field).then_some(handle))
    };
    let (document, bytes) = call.service.read_document(call.caller, submission_id(id)?, named)?;
    let media_type = HeaderValue::from_static(document.format.media_type());
    let mut response = json::bytes_response(StatusCode::OK, bytes.into(), media_type);
    // The bytes are the applicant's: no browser may run them in the place of this service.
    let headers = response.headers_mut();
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// The documents of a submission under their wire names, missing ones (D30) included, since an
/// inspector may have to look at what was refused; erased ones are not there.
fn documents(submission: &Submission) -> impl Iterator<Item = (&'static str, DocumentHandle)> {
    submission.form().identification().into_iter().flat_map(|known| {
        let slots = Slot::ALL
            .into_iter()
            .filter_map(|slot| Some((slot_name(slot), *known.evidence.document(slot)?)));
        let images = Field::EXTRA_IMAGES.map(f1::name).into_iter().zip(&known.extra_images);
        let is_there = |(_, handle): &(_, DocumentHandle)| !submission.has_erased(handle.id());
        slots.chain(images.filter_map(|(name, image)| Some((name, (*image)?)))).filter(is_there)
    })
}

/// The wire name of the field that a slot is filled by.
fn slot_name(slot: Slot) -> &'static str {
    f1::name(match slot {
        Slot::PhotoId => Field::PhotoId,
        Slot::Selfie => Field::Selfie,
        Slot::AddressProof => Field::AddressProof,
    })
}

fn answer(call: &InspectorCall<'_>, case: &kyc_core::service::CaseFile) -> Answer {
    let case = case::Case::of(call.service, case)?;
    Ok(json::response(StatusCode::OK, &case))
}

/// What does not parse names nothing.
fn submission_id(text: &str) -> Result<SubmissionId, ApiError> {
    text.parse().map_err(|_| ApiError::NotFound)
}
