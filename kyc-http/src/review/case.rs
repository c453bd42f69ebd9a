//! One submission with everything an inspector needs.

mod aml;
mod history;
mod kept;

use std::collections::BTreeMap;

use kyc_core::service::{CaseFile, Error};
use kyc_core::{
    Approval, Basis, Field, FreeText, ReasonCode, Review, Service, Slots, Submission, Timestamp,
};
use serde::Serialize;

use crate::error::ApiError;
use crate::f1;
use crate::v2;

use aml::AmlState;
use history::Entry;
pub(super) use history::verdict_word;
use kept::Kept;

#[derive(Serialize)]
pub(super) struct Case<'a> {
    id: String,
    client: &'a str,
    version: u32,
    created_at: String,
    renewed_from: Option<String>,
    status: &'static str,
    kyc_level: &'static str,
    source: &'static str,
    retention: Kept<'a>,
    form: BTreeMap<&'static str, String>,
    documents: Vec<Document>,
    review: Option<Decided<'a>>,
    aml: Option<AmlState<'a>>,
    duplicates: Vec<DuplicateOf<'a>>,
    history: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Document {
    field: &'static str,
    id: String,
    r#type: &'static str,
    media_type: &'static str,
    size_bytes: u32,
    uploaded_at: String,
    /// Whether it was asked for again and has not come yet.
    missing: bool,
    url: String,
}

#[derive(Serialize)]
struct Decided<'a> {
    at: String,
    id_expired_date: Option<String>,
    address_issued_date: Option<String>,
    address_expired_date: Option<String>,
    comment: Option<&'a str>,
    reason_codes: Vec<&'a str>,
    missing: Vec<&'static str>,
}

#[derive(Serialize)]
struct DuplicateOf<'a> {
    email: &'a str,
    id: String,
}

impl<'a> Case<'a> {
    pub(super) fn of(service: &Service, case: &'a CaseFile) -> Result<Self, ApiError> {
        let submission = &case.submission;
        let is_aml_only = submission.form().identification().is_none();
        Ok(Self {
            id: submission.id().to_string(),
            client: case.client.name.as_str(),
            version: submission.version(),
            created_at: submission.created_at().to_string(),
            renewed_from: submission.renewed_from().map(|id| id.to_string()),
            status: submission.status().as_str(),
            kyc_level: submission.level().as_str(),
            source: if is_aml_only { "amlonly" } else { "form" },
            retention: Kept::of(service.options().retention, submission),
            form: form(submission),
            documents: documents(service, case)?,
            review: Decided::of(submission.review()),
            aml: AmlState::of(submission),
            duplicates: case
                .duplicates
                .iter()
                .map(|other| DuplicateOf { email: other.email.as_str(), id: other.id.to_string() })
                .collect(),
            history: submission.history().iter().map(Entry::of).collect(),
        })
    }
}

/// Every value of the form, by wire name.
fn form(submission: &Submission) -> BTreeMap<&'static str, String> {
    Field::ALL
        .into_iter()
        .filter_map(|field| Some((f1::name(field), v2::submitted(submission, field)?.into_owned())))
        .collect()
}

/// Those that are there: a restored backup may lack some that were erased while it was made (D110).
fn documents(service: &Service, case: &CaseFile) -> Result<Vec<Document>, ApiError> {
    let missing = names(case.submission.review().missing());
    let mut documents = Vec::new();
    for (field, handle) in super::documents(&case.submission) {
        let document = match service.document(case.client.id, &handle) {
            Err(Error::NotFound) => continue,
            found => found?,
        };
        documents.push(Document {
            field,
            id: handle.id().to_string(),
            r#type: handle.word(),
            media_type: document.format.media_type(),
            size_bytes: document.size_bytes,
            uploaded_at: document.created_at.to_string(),
            missing: missing.contains(&field),
            url: format!("/review/v1/submissions/{}/documents/{field}", case.submission.id()),
        });
    }
    Ok(documents)
}

fn names(slots: Slots) -> Vec<&'static str> {
    slots.iter().map(super::slot_name).collect()
}

impl<'a> Decided<'a> {
    fn of(review: &'a Review) -> Option<Self> {
        let bare = |at: Timestamp| Self {
            at: at.to_string(),
            id_expired_date: None,
            address_issued_date: None,
            address_expired_date: None,
            comment: None,
            reason_codes: Vec::new(),
            missing: Vec::new(),
        };
        Some(match review {
            Review::Pending => return None,
            Review::Incomplete(retake) => Self {
                comment: retake.comment.as_ref().map(FreeText::as_str),
                missing: names(retake.missing),
                ..bare(retake.at)
            },
            Review::Approved(Approval { at, basis, .. }) => Self {
                id_expired_date: basis.id_expires().map(|day| day.to_string()),
                address_issued_date: address_issued(*basis),
                address_expired_date: basis.address_expires().map(|day| day.to_string()),
                ..bare(*at)
            },
            Review::Rejected(rejection) => Self {
                comment: Some(rejection.comment.as_str()),
                reason_codes: rejection.reason_codes.iter().map(ReasonCode::as_str).collect(),
                ..bare(rejection.at)
            },
        })
    }
}

fn address_issued(basis: Basis) -> Option<String> {
    match basis {
        Basis::Inspected { address_issued, .. } => address_issued.map(|day| day.to_string()),
        Basis::Declared => None,
    }
}
