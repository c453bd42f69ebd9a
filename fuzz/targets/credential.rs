//! Credentials: only the exact key or token lets somebody in, once and in its own header, and no
//! answer repeats what was sent.
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

fn is_let_in(path: &str, headers: &[(&str, HeaderValue)]) -> bool {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let answer = API.handle(request.body(Default::default()).unwrap());
    // An answer has an id of its own, which has digits and letters alone.
    let is_told_apart = |value: &HeaderValue| {
        value.len() > 12 && !value.as_bytes().iter().all(u8::is_ascii_alphanumeric)
    };
    for (_, value) in headers.iter().filter(|(_, value)| is_told_apart(value)) {
        let repeats = |part: &[u8]| part == value.as_bytes();
        assert!(!answer.body().windows(value.len()).any(repeats));
    }
    answer.status() != StatusCode::FORBIDDEN
}
