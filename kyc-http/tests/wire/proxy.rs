//! Behind a TLS terminator: whose word counts (D11).

use http::StatusCode;
use kyc_http::server::{Limits, Transport};

use crate::wire::Running;

/// Sends a request from 127.0.0.1 and checks whether it is served.
#[track_caller]
fn check(trusted: &str, header: &str, believed: bool) {
    let proxies = trusted.split_whitespace().map(|network| network.parse().unwrap()).collect();
    let server = Running::start(Limits::default(), Transport::BehindProxy(proxies));
    let request = format!("GET /status HTTP/1.1\r\nHost: kyc.example\r\n{header}\r\n");
    let answer = server.connect().ask(request);
    let expected = if believed { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    assert_eq!(answer.status, expected, "{answer:?}");
    if !believed {
        assert_eq!(answer.body, "{\"message\":\"HTTPS is required\"}");
    }
}

#[test]
fn d11_a_trusted_proxy_is_believed() {
    check("127.0.0.1", "X-Forwarded-Proto: https\r\n", true);
    check("10.0.0.0/8 127.0.0.0/8", "x-forwarded-proto: HTTPS\r\n", true);
}

#[test]
fn d11_a_trusted_proxy_must_say_that_it_was_https() {
    check("127.0.0.1", "", false);
    check("127.0.0.1", "X-Forwarded-Proto: http\r\n", false);
    check("127.0.0.1", "X-Forwarded-Proto: https, http\r\n", false);
    check("127.0.0.1", "X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http\r\n", false);
    check("127.0.0.1", "X-Forwarded-Proto: https\r\nX-Forwarded-Proto: https\r\n", false);
}

#[test]
fn d11_nobody_else_is_believed() {
    check("10.0.0.0/8", "X-Forwarded-Proto: https\r\n", false);
    check("", "X-Forwarded-Proto: https\r\n", false);
}
