//! What is kept of erasures, and of the runs that make them.
//!
//! Layout of a certificate: the format `1`; creation; the flag and day of the end; the code of a
//! request, empty for none; the time of the erasure; the documents; how many were kept. Of that of one
//! document: the format `1`; its upload; the code; the time of the erasure; the submissions. Of runs:
//! the format `1`; a flag and the time of the last one; a flag and how many wait.

use kyc_core::{
    Certificate, ClientId, DocumentCertificate, DocumentId, ErasureCause, RetentionRuns,
    SubmissionId,
};

use super::Damage;
use super::input::Input;
use super::output::Output;

const FORMAT: u8 = 1;

/// Writes a certificate without client and id, which are columns.
pub(crate) fn encode_certificate(certificate: &Certificate) -> Vec<u8> {
    let mut out = Output(vec![FORMAT]);
    out.time(certificate.created_at);
    out.optional_day(certificate.ended);
    out.text(certificate.cause.reason().map_or("", |reason| reason.as_str()));
    out.time(certificate.erased_at);
    out.list(&certificate.documents, |out, id| out.bytes(&id.to_bytes()));
    out.bytes(&certificate.documents_kept.to_le_bytes());
    out.0
}

/// Reads a certificate back.
pub(crate) fn decode_certificate(
    record: &[u8],
    client: ClientId,
    submission: SubmissionId,
) -> Result<Certificate, Damage> {
    let mut input = begin(record)?;
    let certificate = Certificate {
        client,
        submission,
        created_at: input.time()?,
        ended: input.optional_day()?,
        cause: input.optional("reason")?.map_or(ErasureCause::Period, ErasureCause::Request),
        erased_at: input.time()?,
        documents: input.list(|input| Ok(DocumentId::from_bytes(input.array()?)))?,
        documents_kept: u32::from_le_bytes(input.array()?),
    };
    if input.0.is_empty() { Ok(certificate) } else { Err(Damage::TooLong) }
}

/// Writes the certificate of one document without client and id, which are columns.
pub(crate) fn encode_document_certificate(certificate: &DocumentCertificate) -> Vec<u8> {
    let mut out = Output(vec![FORMAT]);
    out.time(certificate.created_at);
    out.text(certificate.reason.as_str());
    out.time(certificate.erased_at);
    out.list(&certificate.submissions, |out, id| out.bytes(&id.to_bytes()));
    out.0
}

/// Reads that back.
pub(crate) fn decode_document_certificate(
    record: &[u8],
    client: ClientId,
    document: DocumentId,
) -> Result<DocumentCertificate, Damage> {
    let mut input = begin(record)?;
    let certificate = DocumentCertificate {
        client,
        document,
        created_at: input.time()?,
        reason: input.parsed("reason")?,
        erased_at: input.time()?,
        submissions: input.list(|input| Ok(SubmissionId::from_bytes(input.array()?)))?,
    };
    if input.0.is_empty() { Ok(certificate) } else { Err(Damage::TooLong) }
}

/// Writes how the runs have gone; the same bytes for the same state.
pub(crate) fn encode_runs(runs: &RetentionRuns) -> Vec<u8> {
    let RetentionRuns { last, waiting } = runs;
    let mut out = Output(vec![FORMAT]);
    out.byte(u8::from(last.is_some()));
    if let Some(last) = last {
        out.time(*last);
    }
    out.byte(u8::from(waiting.is_some()));
    if let Some(waiting) = waiting {
        out.bytes(&waiting.to_le_bytes());
    }
    out.0
}

/// Reads that back.
pub(crate) fn decode_runs(state: &[u8]) -> Result<RetentionRuns, Damage> {
    let mut input = begin(state)?;
    let runs = RetentionRuns {
        last: if input.flag()? { Some(input.time()?) } else { None },
        waiting: if input.flag()? { Some(u64::from_le_bytes(input.array()?)) } else { None },
    };
    if input.0.is_empty() { Ok(runs) } else { Err(Damage::TooLong) }
}

fn begin(bytes: &[u8]) -> Result<Input<'_>, Damage> {
    let mut input = Input(bytes);
    match input.byte()? {
        FORMAT => Ok(input),
        format => Err(Damage::Format(format)),
    }
}
