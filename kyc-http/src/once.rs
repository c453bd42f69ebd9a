//! Requests that take effect once, however often they are sent (D98).

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use kyc_core::service::{self, Prepared, Service};
use kyc_core::{self as core, ApiKeyId, Beside, Fingerprint, IdempotencyKey, KeyedRequest, Replay};

use crate::error::ApiError;
use crate::json;

type Answer = Result<Response<Bytes>, ApiError>;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The key of a request, if it has one.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut values = headers.get_all(&IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let key = value.to_str().ok().and_then(|text| text.parse().ok());
    match (key, values.next()) {
        (Some(key), None) => Ok(Some(key)),
        _ => Err(ApiError::BadRequest(
            "Idempotency-Key has to be one header of 1 to 255 visible ASCII characters".to_owned(),
        )),
    }
}

/// Everything that a request asks for. Each part is counted, so that two requests whose parts join
/// to the same bytes are two.
pub(crate) fn fingerprint<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Fingerprint {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        context.update(part);
    }
    let mut bytes = [0; 32];
    // A SHA-256 digest has exactly that length.
    bytes.copy_from_slice(context.finish().as_ref());
    Fingerprint(bytes)
}

/// Carries out a change: as often as it is asked for, or once under a key.
pub(crate) struct Once {
    request: Option<(Service, KeyedRequest)>,
    api_key: Option<ApiKeyId>,
}

impl Once {
    /// As often as it is asked for, with that API key.
    pub(crate) fn always(api_key: Option<ApiKeyId>) -> Self {
        Self { request: None, api_key }
    }

    /// Once.
    pub(crate) fn under(
        request: KeyedRequest,
        api_key: Option<ApiKeyId>,
        service: &Service,
    ) -> Self {
        Self { request: Some((service.clone(), request)), api_key }
    }

    /// Makes the change that is prepared with its answer, or gives the first answer again.
    pub(crate) fn answer<'s, T>(
        self,
        prepare: impl FnOnce() -> Result<(Prepared<'s, T>, Response<Bytes>), ApiError>,
    ) -> Answer {
        if let Some(first) = self.first_answer()? {
            return Ok(first);
        }
        let change = || {
            let (prepared, response) = prepare()?;
            prepared.store_with(self.beside(&response))?;
            Ok(response)
        };
        change().or_else(|error| self.answer_instead_of(error))
    }

    /// As [`answer`](Self::answer), without waiting for the store.
    pub(crate) fn answer_then<'s, T>(
        self,
        prepare: impl FnOnce() -> Result<(Prepared<'s, T>, Response<Bytes>), ApiError>,
        then: impl FnOnce(Answer) + Send + 'static,
    ) {
        match self.first_answer() {
            Ok(None) => {}
            Ok(Some(first)) => return then(Ok(first)),
            Err(error) => return then(Err(error.into())),
        }
        match prepare() {
            Ok((prepared, response)) => {
                prepared.store_then(self.beside(&response), move |stored| match stored {
                    Ok(()) => then(Ok(response)),
                    Err(error) => then(self.answer_instead_of(error.into())),
                });
            }
            Err(error) => then(self.answer_instead_of(error)),
        }
    }

    fn first_answer(&self) -> Result<Option<Response<Bytes>>, service::Error> {
        let Some((service, request)) = &self.request else { return Ok(None) };
        Ok(service.answered(request)?.map(replayed))
    }

    /// What is answered where the change failed: another request under the key may have been faster
    /// than this one, and a change that the store could not confirm may have been made.
    fn answer_instead_of(&self, error: ApiError) -> Answer {
        match self.first_answer() {
            Ok(Some(first)) => Ok(first),
            Err(taken @ (service::Error::KeyReused | service::Error::KeyErased)) => {
                Err(taken.into())
            }
            Ok(None) | Err(_) => Err(error),
        }
    }

    fn beside(&self, response: &Response<Bytes>) -> Beside {
        let replay = |(service, request): &(Service, KeyedRequest)| Replay {
            request: request.clone(),
            answer: core::Answer {
                status: response.status().as_u16(),
                body: response.body().to_vec(),
            },
            at: service.now(),
        };
        Beside { answer: self.request.as_ref().map(replay), key: self.api_key.clone() }
    }
}

fn replayed(first: core::Answer) -> Response<Bytes> {
    // Only what was a status is kept.
    let status = StatusCode::from_u16(first.status).unwrap_or(StatusCode::OK);
    let media_type = HeaderValue::from_static("application/json");
    let mut response = json::bytes_response(status, first.body.into(), media_type);
    response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    response
}
