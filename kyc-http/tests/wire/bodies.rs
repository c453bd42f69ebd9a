//! Sizes of request bodies, and the room that they share (D7, T9).

use kyc_http::server::Limits;

use crate::sample::BODY_BYTES_MAX;
use crate::wire::{HEADERS, Running, SHORT, chunk, post, post_chunked, post_head};

#[test]
fn d7_a_body_may_have_exactly_the_size_of_its_route() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    let answer = client.ask(post("/echo", BODY_BYTES_MAX));
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, BODY_BYTES_MAX));
    let chunks = post_chunked("/echo") + &chunk(BODY_BYTES_MAX) + "0\r\n\r\n";
    let answer = client.ask(chunks);
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, BODY_BYTES_MAX));
}

#[test]
fn d7_an_announced_body_is_refused_before_any_of_it_is_read() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    let answer = client.ask(post_head("/echo", BODY_BYTES_MAX + 1));
    assert_eq!(answer.status, 413);
    assert_eq!(server.exchange().body_bytes_received, 0);
    client.finish();
    assert!(client.is_closed());
}

#[test]
fn d7_an_unannounced_body_is_refused_while_it_is_read() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    client.send(post_chunked("/echo"));
    for _ in 0..=BODY_BYTES_MAX / 1024 {
        client.send(chunk(1024));
    }
    assert_eq!(client.answer().unwrap().status, 413);
    let received = server.exchange().body_bytes_received;
    assert!(received > BODY_BYTES_MAX as u64, "refused too early, after {received} bytes");
    assert!(received <= BODY_BYTES_MAX as u64 + 32 * 1024, "read {received} bytes");
}

#[test]
fn a_sender_that_does_not_stop_is_read_a_little_further_and_then_cut() {
    let server = Running::plain(Limits { drain: 1000 * SHORT, ..Limits::default() });
    let mut client = server.connect();
    client.send(post_chunked("/echo"));
    let mebibyte = chunk(1024 * 1024);
    // What the sockets hold is not what the server read; they hold far less than this.
    let sent = (0..100).take_while(|_| client.try_send(&mebibyte)).count();
    assert!(sent < 100, "the server reads on");
    assert_eq!(server.exchange().status, 413);
}

#[test]
fn d6_a_refusal_of_the_interface_reads_no_body() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    assert_eq!(client.ask(post_head("/other", 1000)).status, 403);
    assert_eq!(server.exchange().body_bytes_received, 0);
}

#[test]
fn d6_a_refusal_with_a_small_body_already_there_keeps_the_connection() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    assert_eq!(client.ask(post("/other", 10)).status, 403);
    assert_eq!(client.ask(post("/echo", 10)).status, 200);
}

#[test]
fn a_client_that_expects_100_continue_gets_it_after_its_admission_only() {
    let expecting = |path: &str, length: usize| {
        let length = format!("Content-Length: {length}\r\nExpect: 100-continue\r\n");
        format!("POST {path} HTTP/1.1\r\n{HEADERS}{length}\r\n")
    };
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    assert_eq!(client.ask(expecting("/echo", 2)).status, 100);
    assert_eq!(client.ask("ok").body, "ok");

    assert_eq!(client.ask(expecting("/other", 2)).status, 403);
    assert!(client.is_closed());

    let mut client = server.connect();
    assert_eq!(client.ask(expecting("/echo", BODY_BYTES_MAX + 1)).status, 413);
    assert!(client.is_closed());
}

#[test]
fn bodies_share_a_room_and_leave_it_when_they_are_answered() {
    let limits = Limits { body_bytes_in_flight_max: 1000, room: SHORT, ..Limits::default() };
    let server = Running::plain(limits);
    let mut first = server.connect();
    first.send(post("/gate", 600));
    server.keeper.arrival();

    assert_eq!(server.connect().ask(post("/echo", 400)).status, 200);
    let refused = server.connect().ask(post("/echo", 401));
    assert_eq!(refused.status, 503);
    assert!(refused.head.contains("connection: close"), "{refused:?}");

    let mut waiting = server.connect();
    waiting.send(post_head("/echo", 401));
    server.keeper.pass();
    assert_eq!(first.answer().unwrap().status, 200);
    assert_eq!(waiting.ask("w".repeat(401)).status, 200);
}

#[test]
fn a_body_larger_than_the_room_takes_all_of_it() {
    let server = Running::plain(Limits { body_bytes_in_flight_max: 10, ..Limits::default() });
    assert_eq!(server.connect().ask(post("/echo", 1000)).status, 200);
}

#[test]
fn waiting_answers_share_threads() {
    let limits = Limits { blocking_max: 1, room: SHORT, ..Limits::default() };
    let server = Running::plain(limits);
    let mut first = server.connect();
    first.send(post("/gate", 0));
    server.keeper.arrival();

    assert_eq!(server.connect().ask(post("/gate", 0)).status, 503);
    assert_eq!(server.connect().ask(post("/echo", 1)).status, 200);

    server.keeper.pass();
    assert_eq!(first.answer().unwrap().body, "passed");
}

#[test]
fn a_client_that_leaves_keeps_its_room_until_its_answer_is_done() {
    let limits = Limits { blocking_max: 1, room: SHORT, ..Limits::default() };
    let server = Running::plain(limits);
    let mut first = server.connect();
    first.send(post("/gate", 0));
    server.keeper.arrival();
    drop(first);
    assert_eq!(server.connect().ask(post("/gate", 0)).status, 503);
}
