//! Answers in JSON.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

/// An answer with a JSON body.
pub(crate) fn response(status: StatusCode, body: &impl Serialize) -> Response<Bytes> {
    // Room for a status record, so that the common answer is written without growing.
    let mut text = Vec::with_capacity(1_024);
    write(&mut text, body);
    bytes_response(status, text.into(), HeaderValue::from_static("application/json"))
}

/// An answer with a body that is ready.
pub(crate) fn bytes_response(
    status: StatusCode,
    body: Bytes,
    media_type: HeaderValue,
) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media_type);
    // Personal data are neither cached nor guessed at.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Appends a value as JSON.
#[expect(clippy::expect_used, reason = "our shapes have text keys, and a vector takes every byte")]
pub(crate) fn write(text: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(text, value).expect("a wire shape can be written");
}
