//! Sizes of request bodies, and the room that they share (D7, T9).

use std::io::{Read, Write};

use kyc_http::server::Limits;

use crate::sample::BODY_BYTES_MAX;
use crate::tls::Files;
use crate::wire::{
    Client, HEADERS, Running, SHORT, chunk, eventually, post, post_chunked, post_head,
    takes_a_short_time,
};

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
fn d73_a_sender_that_does_not_stop_is_cut() {
    let server = Running::plain(Limits { drain: 1000 * SHORT, ..Limits::default() });
    let mut client = server.connect();
    client.send(post_chunked("/echo"));
    let mebibyte = chunk(1024 * 1024);
    // What the sockets hold is not what the server read; they hold far less than this.
    let sent = (0..100).take_while(|_| client.try_send(&mebibyte)).count();
    assert!(sent < 100, "the server reads on");
    assert_eq!(server.exchange().status, 413);
}

/// Sends a whole request before it looks for the answer, as many clients do.
#[track_caller]
fn check_answered(client: &mut Client<impl Read + Write>, head: &str, body: &str, status: u16) {
    assert!(client.try_send(head), "the head");
    assert!(client.try_send(body), "{head}");
    let answer = client.answer().unwrap_or_else(|| panic!("no answer to {head}"));
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(client.is_closed());
}

#[test]
fn d73_whoever_sends_everything_first_finds_the_answer() {
    let files = Files::new();
    let (plain, tls) = (Running::plain(Limits::default()), files.server(Limits::default()));
    let check = |head: &str, body: &str, status| {
        check_answered(&mut plain.connect(), head, body, status);
        check_answered(&mut files.connect(&tls), head, body, status);
    };
    for length in [300_000, 3_000_000, 12_000_000] {
        let (body, chunks) = ("b".repeat(length), chunk(length) + "0\r\n\r\n");
        check(&post_head("/other", length), &body, 403);
        check(&post_head("/echo", length), &body, 413);
        check(&post_chunked("/other"), &chunks, 403);
        check(&post_chunked("/echo"), &chunks, 413);
        check(&post_head("/echo", length).replace("Host: ", "Host: a/"), &body, 400);
    }
}

#[test]
fn d73_a_refused_body_has_to_keep_to_the_least_rate() {
    let limits =
        Limits { body_grace: SHORT, body_bytes_per_second_min: u64::MAX, ..Limits::default() };
    let server = Running::plain(limits);
    let mut client = server.connect();
    takes_a_short_time(|| {
        assert_eq!(client.ask(post_head("/other", 1 << 30)).status, 403);
        eventually(|| !client.try_send("x"));
    });
}

#[test]
fn d73_a_stop_does_not_wait_for_a_refused_body() {
    let long = 1000 * SHORT;
    let limits =
        Limits { body_grace: long, body: long, drain: long, stop: long, ..Limits::default() };
    let mut server = Running::plain(limits);
    let mut client = server.connect();
    assert_eq!(client.ask(post_head("/other", 1000)).status, 403);
    server.stop();
    server.join();
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
    // A quarter is for bodies as small as these, and one that waits has time to get some.
    let limits = Limits { body_bytes_in_flight_max: 4000, room: 5 * SHORT, ..Limits::default() };
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

/// Announces bodies that never come, which take all the room for bodies of their size, and checks
/// that one of another size finds room at once.
#[track_caller]
fn check_rooms(held: usize, other: usize) {
    let room = 3 * BODY_BYTES_MAX;
    let limits = Limits { body_bytes_in_flight_max: room, room: SHORT, ..Limits::default() };
    let server = Running::plain(limits);
    let _holders: Vec<_> = (0..room / held)
        .map(|_| {
            let mut holder = server.connect();
            holder.send(post_head("/echo", held));
            holder
        })
        .collect();
    eventually(|| server.connect().ask(post("/echo", held)).status == 503);
    // One that waits does not hold it up either.
    let mut waiting = server.connect();
    waiting.send(post_head("/echo", held));
    assert_eq!(server.connect().ask(post("/echo", other)).status, 200);
}

#[test]
fn d72_slow_uploads_do_not_hold_up_forms_nor_forms_uploads() {
    check_rooms(BODY_BYTES_MAX, 64 * 1024);
    check_rooms(64 * 1024 + 1, 64 * 1024);
    check_rooms(64 * 1024, 64 * 1024 + 1);
}

#[test]
fn a_body_larger_than_the_room_takes_all_of_it() {
    let server = Running::plain(Limits { body_bytes_in_flight_max: 10, ..Limits::default() });
    assert_eq!(server.connect().ask(post("/echo", 1000)).status, 200);
}

#[test]
fn only_so_many_answers_wait_at_once() {
    for path in ["/gate", "/gate/later"] {
        let limits = Limits { blocking_max: 1, room: SHORT, ..Limits::default() };
        let server = Running::plain(limits);
        let mut first = server.connect();
        first.send(post(path, 0));
        server.keeper.arrival();

        assert_eq!(server.connect().ask(post(path, 0)).status, 503);
        assert_eq!(server.connect().ask(post("/echo", 1)).status, 200);

        server.keeper.pass();
        assert_eq!(first.answer().unwrap().body, "passed");
    }
}

#[test]
fn a_client_that_leaves_keeps_its_room_until_its_answer_is_done() {
    for path in ["/gate", "/gate/later"] {
        let limits = Limits { blocking_max: 1, room: SHORT, ..Limits::default() };
        let server = Running::plain(limits);
        let mut first = server.connect();
        first.send(post(path, 0));
        server.keeper.arrival();
        drop(first);
        assert_eq!(server.connect().ask(post(path, 0)).status, 503);
    }
}
