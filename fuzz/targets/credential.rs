//! Credentials: only the exact key or token lets somebody in, once and in its own header, and
//! nothing else of what was sent changes an answer.
//!
//! Each line of the input is the value of one header; its first byte says of which.

#![no_main]

use std::sync::LazyLock;

use http::{HeaderValue, Request, StatusCode};
use kyc_core::conformance::stand_in::service;
use kyc_http::Api;
use libfuzzer_sys::fuzz_target;

static API: LazyLock<Api> = LazyLock::new(|| Api::new(service()));

const HEADERS: [&str; 4] = ["x-api-key", "authorization", "idempotency-key", "x-access-key"];

fuzz_target!(|input: &[u8]| {
    let headers: Vec<(&str, HeaderValue)> = input
        .split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let (which, value) = line.split_first()?;
            let name = HEADERS[usize::from(*which) % HEADERS.len()];
            Some((name, HeaderValue::from_bytes(value).ok()?))
        })
        .collect();
    let sent = |name: &str| -> Vec<&[u8]> {
        let values = headers.iter().filter(|(header, _)| *header == name);
        values.map(|(_, value)| value.as_bytes()).collect()
    };

    let is_key = |key: &&[u8]| [&b"key 1"[..], b"key 2"].contains(key);
    let is_client = matches!(&sent("x-api-key")[..], [key] if is_key(key));
    assert_eq!(is_let_in("/v2/submissions/mira@example.org", &headers), is_client);

    let is_token = |value: &[u8]| {
        value.split_at_checked(7).is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case(b"bearer ") && token == b"token"
        })
    };
    let is_inspector = matches!(&sent("authorization")[..], [value] if is_token(value));
    assert_eq!(is_let_in("/review/v1/submissions", &headers), is_inspector);
});

/// Who is not let in gets one and the same answer, whatever was sent; who is let in, that of the key
/// or token alone.
fn is_let_in(path: &str, headers: &[(&str, HeaderValue)]) -> bool {
    let (status, body) = answer(path, headers);
    let is_in = status != StatusCode::FORBIDDEN;
    let right = [("x-api-key", "key 1"), ("authorization", "Bearer token")]
        .map(|(name, value)| (name, HeaderValue::from_static(value)));
    let plain: &[_] = if is_in { &right } else { &[] };
    assert_eq!((status, body), answer(path, plain));
    is_in
}

/// Status and text up to the id of an error, which is another each time.
fn answer(path: &str, headers: &[(&str, HeaderValue)]) -> (StatusCode, String) {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let answer = API.handle(request.body(Default::default()).unwrap());
    let text = std::str::from_utf8(answer.body()).unwrap();
    let said = text.split_once(r#","request_id":"#).map_or(text, |(said, _)| said);
    (answer.status(), said.to_owned())
}
