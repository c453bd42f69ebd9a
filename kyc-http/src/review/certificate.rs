use kyc_core::{Certificate, Client, DocumentId, ReasonCode, day};
use serde::Serialize;

/// What is left of an erased submission. Nothing in it tells who the applicant was.
#[derive(Serialize)]
pub(super) struct CertificateBody<'a> {
    id: String,
    client: &'a str,
    created_at: String,
    /// The last day of the relationship, where one was told.
    ended: Option<String>,
    /// `retention`, or `request` with a reason.
    cause: &'static str,
    reason: Option<&'a str>,
    erased_at: String,
    documents: Vec<String>,
    documents_kept: u32,
}

impl<'a> CertificateBody<'a> {
    pub(super) fn of(certificate: &'a Certificate, client: &'a Client) -> Self {
        let reason = certificate.cause.reason().map(ReasonCode::as_str);
        Self {
            id: certificate.submission.to_string(),
            client: client.name.as_str(),
            created_at: certificate.created_at.to_string(),
            ended: certificate.ended.map(day::text),
            cause: if reason.is_some() { "request" } else { "retention" },
            reason,
            erased_at: certificate.erased_at.to_string(),
            documents: certificate.documents.iter().map(DocumentId::to_string).collect(),
            documents_kept: certificate.documents_kept,
        }
    }
}
