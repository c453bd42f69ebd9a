//! What each route asks of a request.

use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use kyc_core::Service;

use crate::error::ApiError;
use crate::f1;
use crate::interface::Runs;
use crate::route::{ClientRoute, InspectorRoute, Route};
use crate::throttle::Class;

/// What kind of work a request of a client is.
pub(super) fn class(route: &Route, head: &Parts) -> Class {
    match route {
        Route::Client(route) => match route {
            ClientRoute::V2Upload | ClientRoute::F1Upload => Class::Upload,
            ClientRoute::Submit(_)
            | ClientRoute::V2Renew { .. }
            | ClientRoute::V2Documents { .. } => Class::Submit,
            ClientRoute::V2List => Class::List,
            ClientRoute::F1Read if f1::is_list(head.uri.query().unwrap_or("")) => Class::List,
            ClientRoute::F1Read | ClientRoute::V2Status { .. } | ClientRoute::V2Data { .. } => {
                Class::Read
            }
        },
        // No client gets any further than to be told so.
        Route::Inspector(_) => Class::Read,
    }
}

pub(super) fn of_client(route: &ClientRoute, head: &Parts, service: &Service) -> (Body, Runs) {
    let document_bytes_max =
        usize::try_from(service.options().document_bytes_max).unwrap_or(usize::MAX);
    let is_local = service.reads_are_local();
    match route {
        ClientRoute::V2Upload => (Body::upload(document_bytes_max), Runs::Blocking),
        // Base64 turns three bytes into four characters.
        ClientRoute::F1Upload => {
            (Body::upload(document_bytes_max.div_ceil(3).saturating_mul(4)), Runs::Blocking)
        }
        ClientRoute::Submit(_) => (Body::Form, if is_local { Runs::Later } else { Runs::Blocking }),
        ClientRoute::V2Documents { .. } => (Body::Form, Runs::Blocking),
        ClientRoute::F1Read if f1::is_list(head.uri.query().unwrap_or("")) => {
            (Body::Ignored, Runs::Blocking)
        }
        ClientRoute::V2Renew { .. } | ClientRoute::V2List => (Body::Ignored, Runs::Blocking),
        ClientRoute::V2Status { .. } | ClientRoute::V2Data { .. } | ClientRoute::F1Read => {
            (Body::Ignored, if is_local { Runs::Inline } else { Runs::Blocking })
        }
    }
}

pub(super) fn of_inspector(route: &InspectorRoute) -> Body {
    match route {
        InspectorRoute::Decide { .. } => Body::Json,
        InspectorRoute::Queue | InspectorRoute::Case { .. } | InspectorRoute::Document { .. } => {
            Body::Ignored
        }
    }
}

/// What a route expects of the body.
pub(super) enum Body {
    Form,
    Json,
    Multipart {
        bytes_max: usize,
    },
    /// Whatever comes is read up to the limit of a form and not looked at.
    Ignored,
    /// None is taken from strangers.
    Nothing,
}

impl Body {
    fn upload(file_bytes_max: usize) -> Self {
        Self::Multipart { bytes_max: file_bytes_max.saturating_add(FRAMING_BYTES_MAX) }
    }

    pub(super) fn bytes_max(&self) -> usize {
        match self {
            Self::Form | Self::Json | Self::Ignored => FORM_BYTES_MAX,
            Self::Multipart { bytes_max } => *bytes_max,
            Self::Nothing => 0,
        }
    }
}

/// Refuses a body of another type (D5). A form or JSON body without a type is taken for what the
/// route expects, since simple clients send none.
pub(super) fn check_content_type(headers: &HeaderMap, body: &Body) -> Result<(), ApiError> {
    let (expected, is_needed, refusal) = match body {
        Body::Form => (
            "application/x-www-form-urlencoded",
            false,
            "Unsupported Media Type: expected application/x-www-form-urlencoded",
        ),
        Body::Json => {
            ("application/json", false, "Unsupported Media Type: expected application/json")
        }
        Body::Multipart { .. } => (
            "multipart/form-data",
            true,
            "Unsupported Media Type: expected multipart/form-data with its boundary",
        ),
        Body::Ignored | Body::Nothing => return Ok(()),
    };
    let sent = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    let is_right = sent.map_or(!is_needed, |sent| {
        sent.split(';').next().is_some_and(|word| word.trim().eq_ignore_ascii_case(expected))
    });
    if is_right { Ok(()) } else { Err(ApiError::UnsupportedMediaType(refusal)) }
}

pub(super) fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Room for multipart framing and short arguments around a file (architecture, limits).
const FRAMING_BYTES_MAX: usize = 64 * 1024;
/// The longest form body. Every field at its limit fits as UTF-8, and all those of `/v2` escaped.
const FORM_BYTES_MAX: usize = 64 * 1024;
