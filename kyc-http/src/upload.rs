//! Uploads, as both generations take them (D23–D26).

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use kyc_core::format::InvalidFile;
use kyc_core::service::DocumentRefused;
use kyc_core::{Client, Document, DocumentKind, Spelling};

use crate::call::Call;
use crate::error::{ApiError, FieldFault};
use crate::multipart::Multipart;

/// How one generation takes uploads.
pub(crate) struct Dialect {
    /// How it spells document types.
    pub(crate) spelling: Spelling,
    /// Whether it decodes files sent as base64 (D25).
    pub(crate) takes_base64: bool,
    /// Whether it has the type `other` (D26).
    pub(crate) takes_other: bool,
}

/// Reads a multipart body and stores the file in it.
pub(crate) fn upload(
    call: &Call<'_, Arc<Client>>,
    dialect: &Dialect,
    render: impl FnOnce(&Document) -> Response<Bytes>,
) -> Result<Response<Bytes>, ApiError> {
    let multipart = Multipart::parse(call.content_type(), call.body())?;
    let mut faults = Vec::new();
    let file = multipart.part("file").filter(|part| !part.bytes.is_empty());
    if file.is_none() {
        faults.push(FieldFault::missing("file"));
    }
    let kind = read_kind(&multipart, dialect).map_err(|fault| faults.push(fault));
    let (Some(file), Ok(kind)) = (file, kind) else { return Err(ApiError::Fields(faults)) };
    let bytes = if dialect.takes_base64 {
        file.file().map_err(|error| {
            ApiError::Fields(vec![FieldFault::invalid("file", error.to_string())])
        })?
    } else {
        Cow::Borrowed(file.bytes)
    };
    // What arrived, not how: a repetition may have another boundary, and another file name.
    let once = call.once(&[kind.word(dialect.spelling).as_bytes(), &bytes]);
    once.answer(|| {
        let prepared = call.service.prepare_upload(call.caller, kind, dialect.spelling, &bytes)?;
        let response = render(prepared.value());
        Ok((prepared, response))
    })
}

fn read_kind(multipart: &Multipart<'_>, dialect: &Dialect) -> Result<DocumentKind, FieldFault> {
    let part = multipart.part("type").ok_or_else(|| FieldFault::missing("type"))?;
    let word = part.text().map_err(|error| FieldFault::invalid("type", error.to_string()))?.trim();
    if word.is_empty() {
        return Err(FieldFault::missing("type"));
    }
    let is_taken = |kind: &DocumentKind| dialect.takes_other || *kind != DocumentKind::Other;
    word.parse().ok().filter(is_taken).ok_or_else(|| {
        let taken = KINDS.into_iter().filter(is_taken);
        let words: Vec<&str> = taken.map(|kind| kind.word(dialect.spelling)).collect();
        FieldFault::invalid("type", format!("must be one of: {}", words.join(", ")))
    })
}

/// Every kind, in the order in which they are told.
const KINDS: [DocumentKind; 6] = [
    DocumentKind::Passport,
    DocumentKind::GovernmentId,
    DocumentKind::DriversLicense,
    DocumentKind::Selfie,
    DocumentKind::Address,
    DocumentKind::Other,
];

/// The answer to a file that was not accepted.
pub(crate) fn refused(refused: &DocumentRefused) -> ApiError {
    match refused {
        DocumentRefused::TooLarge { .. } => ApiError::TooLarge,
        DocumentRefused::SelfieNoImage => {
            ApiError::UnsupportedMediaType("A selfie has to be a jpeg or png image")
        }
        DocumentRefused::Format(InvalidFile::TooManyPixels) => {
            let reason = "must be an image of at most 100 megapixels";
            ApiError::Fields(vec![FieldFault::invalid("file", reason)])
        }
        DocumentRefused::Format(_) => {
            ApiError::UnsupportedMediaType("The file has to be a jpeg, png or pdf")
        }
    }
}
