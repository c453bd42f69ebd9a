//! Odd requests, and what becomes of each (T8).
//!
//! A request may be served, refused, or cut; what matters is that it is never taken for two, or
//! for another than a proxy in front takes it for.

use kyc_http::server::Limits;

use crate::wire::{HEADERS, Running, STATUS, chunk, post, post_chunked};

/// Sends a request, in which `{H}` stands for the usual header fields, and checks the status of
/// the answer and whether the connection takes another request.
#[track_caller]
fn check(request: &str, expected: &str) {
    check_bytes(request.replace("{H}", HEADERS).as_bytes(), expected);
}

#[track_caller]
fn check_bytes(request: &[u8], expected: &str) {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    client.send(request);
    let Some(answer) = client.answer() else { return assert_eq!("closed", expected) };
    let status = answer.status.as_u16();
    if status >= 400 {
        assert!(answer.body.starts_with("{\"message\":"), "not the interface's form: {answer:?}");
    }
    client.send(STATUS);
    let after = match client.answer() {
        Some(answer) => format!("then {}", answer.status.as_u16()),
        None => "closed".to_owned(),
    };
    assert_eq!(format!("{status} {after}"), expected);
}

#[test]
fn plain_requests_are_served() {
    check("GET /status HTTP/1.1\r\n{H}\r\n", "200 then 200");
    check("GET /status?a=b HTTP/1.1\r\n{H}\r\n", "200 then 200");
    check("\r\n\r\nGET /status HTTP/1.1\r\n{H}\r\n", "200 then 200");
    check("GET /status HTTP/1.1\r\n{H}Connection: close\r\n\r\n", "200 closed");
    check(&post("/echo", 3), "200 then 200");
    check("POST /echo HTTP/1.1\r\n{H}Content-Length: 0\r\n\r\n", "200 then 200");
    check("POST /echo HTTP/1.1\r\n{H}\r\n", "200 then 200");
}

#[test]
fn http_1_0_is_served_and_closed() {
    check("GET /status HTTP/1.0\r\n{H}\r\n", "200 closed");
    check("GET /status HTTP/1.0\r\nX-Forwarded-Proto: https\r\n\r\n", "200 closed");
    check("GET /status HTTP/1.0\r\n{H}Connection: keep-alive\r\n\r\n", "200 then 200");
    check("POST /echo HTTP/1.0\r\n{H}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 closed");
}

#[test]
fn exactly_one_host_is_required() {
    check("GET /status HTTP/1.1\r\nX-Forwarded-Proto: https\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}Host: other.example\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}Host: kyc.example\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.0\r\n{H}Host: kyc.example\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\nHost:\r\nX-Forwarded-Proto: https\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\nHost: a/b\r\nX-Forwarded-Proto: https\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\nHost: a@b\r\nX-Forwarded-Proto: https\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\nHost: a,b\r\nX-Forwarded-Proto: https\r\n\r\n", "400 closed");
}

#[test]
fn a_target_is_a_path() {
    check("GET http://kyc.example/status HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("GET https://kyc.example/status HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("GET kyc.example HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("OPTIONS * HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("CONNECT kyc.example:443 HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("GET /status#top HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("GET /stätus HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("GET /sta tus HTTP/1.1\r\n{H}\r\n", "400 closed");
    check("GET /status\0 HTTP/1.1\r\n{H}\r\n", "400 closed");
}

#[test]
fn no_other_protocol_is_spoken() {
    check("GET /status HTTP/1.1\r\n{H}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}Upgrade: websocket\r\n\r\n", "400 closed");
    check("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 closed");
    check("GET /status HTTP/2.0\r\n{H}\r\n", "400 closed");
    check("GET /status\r\n", "400 closed");
    check("SSH-2.0-OpenSSH_9.2\r\n", "400 closed");
    check_bytes(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "400 closed");
}

#[test]
fn a_content_length_is_one_number() {
    let with = |lengths: &str| format!("POST /echo HTTP/1.1\r\n{{H}}{lengths}\r\nbb");
    check(&with("Content-Length: 2\r\nContent-Length: 2\r\n"), "200 then 200");
    check(&with("Content-Length: 2\r\nContent-Length: 1\r\n"), "400 closed");
    check(&with("Content-Length: 2, 2\r\n"), "400 closed");
    check(&with("Content-Length: +2\r\n"), "400 closed");
    check(&with("Content-Length: -1\r\n"), "400 closed");
    check(&with("Content-Length: 0x2\r\n"), "400 closed");
    check(&with("Content-Length: 2.0\r\n"), "400 closed");
    check(&with("Content-Length: \r\n"), "400 closed");
    check(&with("Content-Length: 99999999999999999999\r\n"), "400 closed");
}

#[test]
fn the_only_transfer_encoding_is_chunked() {
    let with = |encoding: &str| {
        format!("POST /echo HTTP/1.1\r\n{{H}}Transfer-Encoding: {encoding}\r\n\r\n0\r\n\r\n")
    };
    check(&with("chunked"), "200 then 200");
    check(&with("Chunked"), "200 then 200");
    check(&with("identity"), "400 closed");
    check(&with("gzip"), "400 closed");
    check(&with("chunked, identity"), "400 closed");
    check(&with("xchunked"), "400 closed");
    check(&with("\x0bchunked"), "400 closed");
    check(&with("chunked\r\nTransfer-Encoding: identity"), "400 closed");
    check(&with("gzip, chunked"), "400 closed");
    check(&with("foo, chunked"), "400 closed");
    check(&with("chunked, chunked"), "400 closed");
    check(&with("gzip\r\nTransfer-Encoding: chunked"), "400 closed");
    check(&with("chunked\r\nTransfer-Encoding: chunked"), "400 closed");
    check(&with("\r\nTransfer-Encoding: chunked"), "400 closed");
    check(&with("chunked;q=1"), "400 closed");
}

#[test]
fn a_request_with_both_lengths_is_answered_once_and_the_connection_closed() {
    let smuggled = "0\r\n\r\nGET /status HTTP/1.1\r\n{H}\r\n";
    let both = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n";
    check(&format!("POST /echo HTTP/1.1\r\n{{H}}{both}\r\n{smuggled}"), "200 closed");
    let both = "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n";
    check(&format!("POST /echo HTTP/1.1\r\n{{H}}{both}\r\n{smuggled}"), "200 closed");
}

#[test]
fn odd_header_lines_are_refused() {
    check("GET /status HTTP/1.1\r\n{H}X-A: 1\r\n folded\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}X-A : 1\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n X-A: 1\r\n{H}\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}X-A: 1\r2\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}X-A: 1\u{0}2\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}X-A\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}: 1\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}X A: 1\r\n\r\n", "400 closed");
    check("GET /status HTTP/1.1\n{H}\r\n", "400 closed");
    check("GET /status HTTP/1.1\r\n{H}\n", "400 closed");
    check("G\u{1}T /status HTTP/1.1\r\n{H}\r\n", "400 closed");
}

#[test]
fn heads_are_bounded() {
    let padded =
        |bytes: usize| format!("GET /status HTTP/1.1\r\n{{H}}X-A: {}\r\n\r\n", "a".repeat(bytes));
    check(&padded(15 * 1024), "200 then 200");
    check(&padded(16 * 1024), "431 closed");
    check(&padded(64 * 1024), "431 closed");
    let headers =
        |count: usize| format!("GET /status HTTP/1.1\r\n{{H}}{}\r\n", "X-A: 1\r\n".repeat(count));
    check(&headers(98), "200 then 200");
    check(&headers(99), "431 closed");
    let target = |bytes: usize| {
        format!("GET /status?{} HTTP/1.1\r\n{{H}}\r\n", "a".repeat(bytes - "/status?".len()))
    };
    check(&target(8_000), "200 then 200");
    check(&target(8_001), "414 closed");
    check(&target(70_000), "414 closed");
}

#[test]
fn chunks_are_bounded_and_strict() {
    let with = |body: &str| format!("{}{body}", post_chunked("/echo"));
    check(&with("2\r\nab\r\n0\r\n\r\n"), "200 then 200");
    check(&with("2;a=b\r\nab\r\n0\r\n\r\n"), "200 then 200");
    check(&with("2\r\nab\r\n0\r\nX-Trailer: 1\r\n\r\n"), "200 then 200");
    check(&with(&format!("2;{}\r\nab\r\n0\r\n\r\n", "a".repeat(32 * 1024))), "400 closed");
    check(&with("2\nab\n0\n\n"), "400 closed");
    check(&with("2\r\nabc\r\n0\r\n\r\n"), "400 closed");
    check(&with("-2\r\nab\r\n0\r\n\r\n"), "400 closed");
    check(&with("0x2\r\nab\r\n0\r\n\r\n"), "400 closed");
    check(&with("fffffffffffffffff\r\nab\r\n0\r\n\r\n"), "400 closed");
    check(&with("0\r\nX-Trailer: 1\nX-Other: 2\r\n\r\n"), "400 closed");
    check(&with(&format!("0\r\nX-Trailer: {}\r\n\r\n", "a".repeat(32 * 1024))), "400 closed");
}

#[test]
fn a_body_where_none_is_taken_is_too_large() {
    check("GET /status HTTP/1.1\r\n{H}Content-Length: 2\r\n\r\nab", "413 closed");
    check(&format!("{}{}", post_chunked("/status"), chunk(2)), "413 closed");
    check(&format!("{}0\r\n\r\n", post_chunked("/status")), "200 then 200");
}

/// Sends an odd request behind others, alone and in one go with them, and checks that it is found.
#[track_caller]
fn check_behind(before: &[&str], odd: &str) {
    let server = Running::plain(Limits::default());
    let odd = odd.replace("{H}", HEADERS);
    for in_one_go in [true, false] {
        let mut client = server.connect();
        if in_one_go {
            client.send(before.concat() + &odd);
        }
        for request in before {
            if !in_one_go {
                client.send(request);
            }
            assert_eq!(client.answer().unwrap().status, 200);
        }
        if !in_one_go {
            client.send(&odd);
        }
        let answer = client.answer().unwrap();
        assert_eq!(answer.status, 400, "in one go: {in_one_go}, {answer:?}");
        assert!(client.is_closed());
    }
}

#[test]
fn odd_requests_are_found_behind_any_other() {
    let chunked = post_chunked("/echo") + &chunk(3) + "2;a=b\r\nab\r\n0\r\nX-Trailer: 1\r\n\r\n";
    let long = post("/echo", 100_000);
    let long_chunks = post_chunked("/echo") + &chunk(50_000) + &chunk(50_000) + "0\r\n\r\n";
    for odd in [
        "GET /status#top HTTP/1.1\r\n{H}\r\n",
        "GET /status HTTP/1.1\n{H}\n",
        "GET /status HTTP/1.1\r\n{H}\n",
    ] {
        check_behind(&[&chunked], odd);
        check_behind(&[STATUS], odd);
        check_behind(&[&long_chunks, STATUS, &chunked, &long], odd);
    }
}

#[test]
fn a_body_that_ends_too_early_is_refused() {
    let server = Running::plain(Limits::default());
    for request in [post("/echo", 3).replace("bbb", "bb"), post_chunked("/echo") + "2\r\na"] {
        let mut client = server.connect();
        client.send(request);
        client.finish();
        assert_eq!(client.answer().unwrap().status, 400);
        assert!(client.is_closed());
    }
}

#[test]
fn bytes_behind_a_body_are_the_next_request() {
    let request = format!("{}GARBAGE\r\n\r\n", post("/echo", 2));
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    assert_eq!(client.ask(request).body, "bb");
    assert_eq!(client.answer().unwrap().status, 400);
    assert!(client.is_closed());
}

#[test]
fn the_answer_to_head_has_no_body() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    client.send(format!("HEAD /status HTTP/1.1\r\n{HEADERS}\r\n{STATUS}"));
    let head = client.read_past(b"\r\n\r\n").unwrap();
    assert!(head.contains("content-length: 4"), "{head}");
    assert_eq!(client.answer().unwrap().body, "fine");
}
