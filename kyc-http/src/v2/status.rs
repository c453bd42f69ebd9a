//! The submission status record (D28–D39).

use kyc_core::{
    Basis, Duplicate, FreeText, Review, RiskLevel, Scope, Slot, Submission, Timestamp, UserId, day,
};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct StatusRecord<'a> {
    id: String,
    submission_result: SubmissionResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    kyc_result: Option<KycResult<'a>>,
    aml_result: AmlResult,
    data: Data<'a>,
    #[serde(rename = "dupeApplicants")]
    dupe_applicants: Vec<DupeApplicant<'a>>,
    checked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    renewed_from: Option<String>,
}

#[derive(Serialize)]
struct SubmissionResult {
    status: &'static str,
    r#type: &'static str,
    d1: bool,
    d2: bool,
    d3: Option<bool>,
}

#[derive(Serialize)]
struct KycResult<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
    updated_at: Option<String>,
    id_expired_date: Option<String>,
    address_expired_date: Option<String>,
}

#[derive(Serialize)]
struct AmlResult {
    score: &'static str,
}

#[derive(Serialize)]
struct Data<'a> {
    name: String,
    nationality: &'static str,
    date_of_birth: String,
    gender: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    userid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cf1: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cf2: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cf3: Option<&'a str>,
}

#[derive(Serialize)]
struct DupeApplicant<'a> {
    email: &'a str,
    id: String,
}

impl<'a> StatusRecord<'a> {
    pub(super) fn of(
        submission: &'a Submission,
        duplicates: &'a [Duplicate],
        checked_at: Timestamp,
    ) -> Self {
        let dupe = |duplicate: &'a Duplicate| DupeApplicant {
            email: duplicate.email.as_str(),
            id: duplicate.id.to_string(),
        };
        Self {
            id: submission.id().to_string(),
            submission_result: SubmissionResult::of(submission),
            kyc_result: KycResult::of(submission.review()),
            aml_result: AmlResult { score: score(submission) },
            data: Data::of(submission),
            dupe_applicants: duplicates.iter().map(dupe).collect(),
            checked_at: checked_at.to_string(),
            source: matches!(submission.form().scope, Scope::AmlOnly).then_some("amlonly"),
            renewed_from: submission.renewed_from().map(|id| id.to_string()),
        }
    }
}

impl SubmissionResult {
    fn of(submission: &Submission) -> Self {
        let missing = submission.review().missing();
        let has = |slot| submission.document(slot).is_some();
        Self {
            status: if missing.is_empty() { "complete" } else { "incomplete" },
            r#type: submission.level().as_str(),
            d1: has(Slot::PhotoId),
            d2: has(Slot::Selfie),
            // Null only where no address document is required and none was entered.
            d3: (has(Slot::AddressProof) || missing.contains(Slot::AddressProof))
                .then(|| has(Slot::AddressProof)),
        }
    }
}

impl<'a> KycResult<'a> {
    fn of(review: &'a Review) -> Option<Self> {
        let pending = Self {
            status: review.status().as_str(),
            comment: None,
            updated_at: None,
            id_expired_date: None,
            address_expired_date: None,
        };
        Some(match review {
            Review::Incomplete(_) => return None,
            Review::Pending => pending,
            Review::Approved(approval) => Self {
                updated_at: Some(approval.at.to_string()),
                id_expired_date: approval.basis.id_expires().map(day::text),
                address_expired_date: Basis::address_expires(approval.basis).map(day::text),
                ..pending
            },
            Review::Rejected(rejection) => Self {
                comment: Some(rejection.comment.as_str()),
                updated_at: Some(rejection.at.to_string()),
                ..pending
            },
        })
    }
}

impl<'a> Data<'a> {
    fn of(submission: &'a Submission) -> Self {
        let form = submission.form();
        let custom = |place: usize| {
            let texts = &form.identification()?.custom;
            texts.get(place)?.as_ref().map(FreeText::as_str)
        };
        Self {
            name: form.applicant.full_name(),
            nationality: form.applicant.nationality.combined(),
            date_of_birth: day::text(form.applicant.birth_date.date()),
            gender: form.applicant.gender.as_str(),
            userid: form.user_id.as_ref().map(UserId::as_str),
            cf1: custom(0),
            cf2: custom(1),
            cf3: custom(2),
        }
    }
}

/// `-` says "not processed yet"; `n/a` is a result (D34).
fn score(submission: &Submission) -> &'static str {
    submission.risk().map_or("-", risk_word)
}

/// The word for a risk level.
pub(crate) fn risk_word(risk: RiskLevel) -> &'static str {
    match risk {
        RiskLevel::NotApplicable => "n/a",
        RiskLevel::Low => "low",
        RiskLevel::Medium => "medium",
        RiskLevel::High => "high",
    }
}
