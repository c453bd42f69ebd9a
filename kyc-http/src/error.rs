//! The single table from failure to status and text (D1–D10).

use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};
use kyc_core::{BoxError, Field, Timestamp, UsedUp, service};
use serde::Serialize;

use crate::form::InvalidForm;
use crate::interface::Refusal;
use crate::multipart::InvalidMultipart;
use crate::route::NoRoute;
use crate::throttle::TooMany;
use crate::{f1, json, v2};

/// Every answer that is not a success.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// Something about the request as a whole; says what.
    BadRequest(String),
    /// The state does not allow it (D8).
    Conflict(String),
    /// Fields are at fault, in the order in which they are reported (D55).
    Fields(Vec<FieldFault>),
    Forbidden,
    /// The cause goes to the report, never to the caller (D10).
    Internal(BoxError),
    /// The Idempotency-Key of the request has the answer of another one (D98).
    KeyReused,
    /// The caller asks too often (D101).
    Limited(TooMany),
    MethodNotAllowed {
        allow: &'static str,
    },
    NotFound,
    /// AML renewal of what is not approved (D8).
    NotRenewable,
    SubmissionIdMissing,
    Timeout,
    TooLarge,
    /// There was no room for the request in time; nothing was done (D9).
    TooManyRequests,
    UnsupportedMediaType(&'static str),
    /// The client has used up what it may use (D103).
    UsedUp(UsedUp),
    /// A failure of HTTP itself that has a status of its own.
    Http(StatusCode, &'static str),
}

/// One field at fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FieldFault {
    /// Its name on the wire.
    pub(crate) name: String,
    /// What is wrong with it, without the value.
    pub(crate) reason: String,
    #[serde(skip)]
    pub(crate) is_missing: bool,
}

impl FieldFault {
    pub(crate) fn missing(name: &str) -> Self {
        Self { name: name.to_owned(), reason: "is required".to_owned(), is_missing: true }
    }

    pub(crate) fn invalid(name: &str, reason: impl Into<String>) -> Self {
        Self { name: name.to_owned(), reason: reason.into(), is_missing: false }
    }
}

/// The body of D1. `request_id` is what the report is told too.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    message: &'a str,
    error_code: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    fields: &'a [FieldFault],
    #[serde(rename = "request_id")]
    request_id: &'a str,
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_)
            | Self::Fields(_)
            | Self::NotRenewable
            | Self::SubmissionIdMissing => StatusCode::BAD_REQUEST,
            Self::Conflict(_) | Self::KeyReused => StatusCode::CONFLICT,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Http(status, _) => *status,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Limited(_)
            | Self::TooManyRequests
            | Self::UsedUp(UsedUp::UploadsOfDay { .. } | UsedUp::SubmissionsOfDay { .. }) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::UsedUp(UsedUp::Storage) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        }
    }

    /// Code and message. The texts of the interface's table are exact.
    fn words(&self) -> (&'static str, &str) {
        match self {
            Self::BadRequest(message) => ("bad_request", message),
            Self::Conflict(message) => ("conflict", message),
            Self::Fields(faults) if faults.iter().any(|fault| fault.is_missing) => {
                ("required_field_missing", "Required field values are not provided")
            }
            Self::Fields(_) => ("invalid_field", "Field values are not valid"),
            Self::Forbidden => ("forbidden", "Forbidden"),
            Self::Http(_, message) => ("bad_request", message),
            Self::Internal(_) => ("server_error", "Other 500 Error"),
            Self::KeyReused => {
                ("idempotency_key_reused", "This Idempotency-Key was used for another request")
            }
            Self::MethodNotAllowed { .. } => ("method_not_allowed", "Method Not Allowed"),
            Self::NotFound => ("not_found", "Not Found"),
            Self::NotRenewable => {
                ("not_approved", "AML renewal is allowed only for an approved submission")
            }
            Self::Limited(_) | Self::TooManyRequests => ("too_many_requests", "Too Many Requests"),
            Self::SubmissionIdMissing => ("submission_id_missing", "Submission ID is not provided"),
            Self::Timeout => ("timeout", "Request Timeout"),
            Self::TooLarge => ("request_too_large", "Request Entity Too Large"),
            Self::UnsupportedMediaType(message) => ("unsupported_media_type", message),
            Self::UsedUp(used_up) => words_of_quota(*used_up),
        }
    }

    /// The answer, under a request id. What is counted by the day is granted again at midnight.
    pub(crate) fn response(&self, request_id: &str, now: Timestamp) -> Response<Bytes> {
        let (error_code, message) = self.words();
        let fields = if let Self::Fields(faults) = self { faults.as_slice() } else { &[] };
        let body = Body { message, error_code, fields, request_id };
        let mut response = json::response(self.status(), &body);
        let headers = response.headers_mut();
        if let Self::MethodNotAllowed { allow } = self {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        } else if let Self::TooManyRequests = self {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        } else if let Self::Limited(too_many) = self {
            too_many.tell(headers);
        } else if let Self::UsedUp(
            UsedUp::UploadsOfDay { max } | UsedUp::SubmissionsOfDay { max },
        ) = self
        {
            TooMany { limit: *max, retry_after: until_midnight(now) }.tell(headers);
        }
        response
    }
}

impl From<service::Error> for ApiError {
    fn from(error: service::Error) -> Self {
        match error {
            service::Error::Document(refused) => crate::upload::refused(&refused),
            service::Error::Forbidden(forbidden) => Self::Conflict(capitalised(&forbidden)),
            service::Error::KeyReused => Self::KeyReused,
            service::Error::KeyErased => Self::Conflict(
                "What this request stored under its Idempotency-Key was erased".to_owned(),
            ),
            service::Error::KeyTaken => Self::Conflict(capitalised(&error)),
            service::Error::NotFound => Self::NotFound,
            service::Error::UsedUp(used_up) => Self::UsedUp(used_up),
            service::Error::Stale => {
                Self::Conflict("The submission changed since it was read".to_owned())
            }
            // The names of fields belong to a generation; each turns the problems of its forms into
            // faults, so none gets here.
            service::Error::Form(_) | service::Error::Store(_) => Self::Internal(error.into()),
            service::Error::UnknownPageKey => {
                let reason = "must be the page key of an earlier answer, both halves of it";
                Self::Fields(v2::PAGE_KEY.map(|name| FieldFault::invalid(name, reason)).into())
            }
        }
    }
}

fn words_of_quota(used_up: UsedUp) -> (&'static str, &'static str) {
    match used_up {
        UsedUp::Storage => (
            "storage_used_up",
            "Insufficient Storage: the documents of this client fill its storage. \
             Ask the operator of the service for more, or to erase what is no longer needed",
        ),
        UsedUp::UploadsOfDay { .. } => (
            "daily_uploads_used_up",
            "Too Many Requests: the uploads of this client for today are used up. \
             They are granted again at midnight, UTC",
        ),
        UsedUp::SubmissionsOfDay { .. } => (
            "daily_submissions_used_up",
            "Too Many Requests: the submissions of this client for today are used up. \
             They are granted again at midnight, UTC",
        ),
    }
}

/// How long the day of UTC still lasts.
fn until_midnight(now: Timestamp) -> Duration {
    let passed = now.unix_millis().rem_euclid(MILLISECONDS_PER_DAY);
    Duration::from_millis((MILLISECONDS_PER_DAY - passed).unsigned_abs())
}

const MILLISECONDS_PER_DAY: i64 = 24 * 60 * 60 * 1_000;

/// A sentence of the domain as a message of the interface.
fn capitalised(error: &impl ToString) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl From<InvalidForm> for ApiError {
    fn from(error: InvalidForm) -> Self {
        match error {
            InvalidForm::Repeated { name: Some(name) } if is_known(&name) => repeated(&name),
            InvalidForm::Repeated { .. }
            | InvalidForm::TooManyArguments
            | InvalidForm::Undecodable(_) => Self::BadRequest(capitalised(&error)),
        }
    }
}

impl From<InvalidMultipart> for ApiError {
    fn from(error: InvalidMultipart) -> Self {
        if let InvalidMultipart::Repeated { name: Some(name) } = &error
            && is_known(name)
        {
            return repeated(name);
        }
        Self::BadRequest(capitalised(&error))
    }
}

fn repeated(name: &str) -> ApiError {
    ApiError::Fields(vec![FieldFault::invalid(name, "must be given once")])
}

/// Whether an argument of this name means something to the interface.
///
/// No other name is repeated in an answer: in a body that was joined by hand, a part of a value can
/// stand where a name belongs, and values are never echoed (D1).
fn is_known(name: &str) -> bool {
    let beside_forms = ["file", "type", "submission_id", "status", "client", "after", "limit"];
    beside_forms.contains(&name)
        || v2::PAGE_KEY.contains(&name)
        || Field::ALL.iter().any(|field| f1::name(*field) == name)
}

impl From<TooMany> for ApiError {
    fn from(too_many: TooMany) -> Self {
        Self::Limited(too_many)
    }
}

impl From<NoRoute> for ApiError {
    fn from(no_route: NoRoute) -> Self {
        match no_route {
            NoRoute::NotFound => Self::NotFound,
            NoRoute::MethodNotAllowed { allow } => Self::MethodNotAllowed { allow },
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::BadRequest(_) => Self::BadRequest(capitalised(&refusal)),
            Refusal::Failed => Self::Internal("the interface panicked".into()),
            Refusal::HeadTooLarge => {
                Self::Http(refusal.status(), "Request Header Fields Too Large")
            }
            Refusal::HttpsRequired => Self::Http(refusal.status(), "HTTPS is required"),
            Refusal::Overloaded => Self::TooManyRequests,
            Refusal::TargetTooLong => Self::Http(refusal.status(), "URI Too Long"),
            Refusal::Timeout => Self::Timeout,
            Refusal::TooLarge => Self::TooLarge,
        }
    }
}
