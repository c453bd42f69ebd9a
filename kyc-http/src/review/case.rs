//! One submission with everything an inspector needs.

use std::collections::BTreeMap;

use kyc_core::service::CaseFile;
use kyc_core::{
    Actor, Aml, Approval, Basis, Event, Field, FreeText, HistoryEntry, Hit, ListVersion,
    ReasonCode, Review, Screening, Service, Slots, Submission, Timestamp,
};
use serde::Serialize;

use crate::error::ApiError;
use crate::f1;
use crate::v2;

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
struct AmlState<'a> {
    /// `-` until there is a result.
    score: &'static str,
    /// Why there is no result.
    stalled: Option<&'static str>,
    screening: Option<ScreeningResult<'a>>,
}

#[derive(Serialize)]
struct ScreeningResult<'a> {
    at: String,
    configuration: &'a str,
    lists: Vec<ListUsed<'a>>,
    hits: Vec<HitFound<'a>>,
}

#[derive(Serialize)]
struct ListUsed<'a> {
    list: &'a str,
    version: &'a str,
    source_date: Option<String>,
    sample: bool,
}

#[derive(Serialize)]
struct HitFound<'a> {
    list: &'a str,
    entity: &'a str,
    name: &'a str,
    matched: &'a str,
    score: String,
    programmes: &'a [String],
    reasons: &'a [String],
}

#[derive(Serialize)]
struct DuplicateOf<'a> {
    email: &'a str,
    id: String,
}

/// What happened, with what it said: a decision can be read here also when it was reopened later.
#[derive(Serialize)]
struct Entry<'a> {
    at: String,
    by: &'a str,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reason_codes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id_expired_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_issued_date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<&'static str>,
    /// The handle of the document that another one took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<&'static str>,
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
            form: form(submission),
            documents: documents(service, case)?,
            review: Decided::of(submission.review()),
            aml: submission.review().aml().map(AmlState::of),
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

fn documents(service: &Service, case: &CaseFile) -> Result<Vec<Document>, ApiError> {
    let missing = names(case.submission.review().missing());
    super::documents(&case.submission)
        .map(|(field, handle)| {
            let document = service.document(case.client.id, &handle)?;
            Ok(Document {
                field,
                id: handle.id().to_string(),
                r#type: handle.word(),
                media_type: document.format.media_type(),
                size_bytes: document.size_bytes,
                uploaded_at: document.created_at.to_string(),
                missing: missing.contains(&field),
                url: format!("/review/v1/submissions/{}/documents/{field}", case.submission.id()),
            })
        })
        .collect()
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

impl<'a> AmlState<'a> {
    fn of(aml: &'a Aml) -> Self {
        match aml {
            Aml::Queued => Self { score: "-", stalled: None, screening: None },
            Aml::Stalled(stall) => {
                Self { score: "-", stalled: Some(stall.as_str()), screening: None }
            }
            Aml::Screened(screening) => Self {
                score: v2::risk_word(screening.risk),
                stalled: None,
                screening: Some(ScreeningResult::of(screening)),
            },
        }
    }
}

impl<'a> ScreeningResult<'a> {
    fn of(screening: &'a Screening) -> Self {
        Self {
            at: screening.at.to_string(),
            configuration: &screening.configuration,
            lists: screening.lists.iter().map(ListUsed::of).collect(),
            hits: screening.hits.iter().map(HitFound::of).collect(),
        }
    }
}

impl<'a> ListUsed<'a> {
    fn of(version: &'a ListVersion) -> Self {
        Self {
            list: &version.list,
            version: &version.version,
            source_date: version.source_date.map(|day| day.to_string()),
            sample: version.sample,
        }
    }
}

impl<'a> HitFound<'a> {
    fn of(hit: &'a Hit) -> Self {
        Self {
            list: &hit.list,
            entity: &hit.entity,
            name: &hit.name,
            matched: &hit.matched,
            score: hit.score.to_string(),
            programmes: &hit.programmes,
            reasons: &hit.reasons,
        }
    }
}

impl<'a> Entry<'a> {
    fn of(entry: &'a HistoryEntry) -> Self {
        let bare = |event| Self {
            at: entry.at.to_string(),
            by: match &entry.by {
                Actor::Client => "client",
                Actor::Inspector(name) => name.as_str(),
                Actor::Service => "service",
            },
            event,
            text: None,
            reason_codes: Vec::new(),
            id_expired_date: None,
            address_issued_date: None,
            documents: Vec::new(),
            replaced: None,
            score: None,
        };
        match &entry.event {
            Event::Approved(basis) => Self {
                id_expired_date: basis.id_expires().map(|day| day.to_string()),
                address_issued_date: address_issued(*basis),
                ..bare("approved")
            },
            Event::Rejected { comment, reason_codes } => Self {
                text: Some(comment.as_str()),
                reason_codes: reason_codes.iter().map(ReasonCode::as_str).collect(),
                ..bare("rejected")
            },
            Event::RetakeAsked { documents, comment } => Self {
                text: comment.as_ref().map(FreeText::as_str),
                documents: names(*documents),
                ..bare("retake_asked")
            },
            Event::Supplied { slot, replaced } => Self {
                documents: vec![super::slot_name(*slot)],
                replaced: Some(replaced.to_text()),
                ..bare("document_supplied")
            },
            Event::Reopened { reason } => Self { text: Some(reason.as_str()), ..bare("reopened") },
            Event::Screened(risk) => Self { score: Some(v2::risk_word(*risk)), ..bare("screened") },
        }
    }
}

fn address_issued(basis: Basis) -> Option<String> {
    match basis {
        Basis::Inspected { address_issued, .. } => address_issued.map(|day| day.to_string()),
        Basis::Declared => None,
    }
}
