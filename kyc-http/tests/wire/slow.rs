//! Every deadline cuts, and none cuts too early (T7).

use kyc_http::server::{Limits, Phase};

use crate::tls::Files;
use crate::wire::Client;
use crate::wire::{
    HEADERS, Running, SHORT, STATUS, Seen, connect, post_chunked, post_head, takes_a_short_time,
};

#[test]
fn a_silent_connection_is_cut() {
    let server = Running::plain(Limits { head: SHORT, ..Limits::default() });
    takes_a_short_time(|| assert!(server.connect().is_closed()));
    assert_eq!(server.event(), Seen::overdue(Phase::Head));
}

#[test]
fn a_slow_head_is_cut_however_often_a_byte_comes() {
    let server = Running::plain(Limits { head: SHORT, ..Limits::default() });
    takes_a_short_time(|| {
        let mut client = server.connect();
        client.send(format!("GET /status HTTP/1.1\r\n{HEADERS}X-A: "));
        client.drip();
    });
    assert_eq!(server.event(), Seen::overdue(Phase::Head));
}

#[test]
fn a_slow_second_head_is_cut_by_the_limit_of_heads() {
    let server = Running::plain(Limits { head: SHORT, ..Limits::default() });
    let mut client = server.connect();
    assert_eq!(client.ask(STATUS).status, 200);
    assert_eq!(server.exchange().status, 200);
    takes_a_short_time(|| client.drip());
    assert_eq!(server.event(), Seen::overdue(Phase::Head));
}

#[test]
fn an_idle_connection_is_cut_by_the_limit_of_idle_ones() {
    // Long enough to ask again before it.
    let server = Running::plain(Limits { idle: 5 * SHORT, ..Limits::default() });
    let mut client = server.connect();
    assert_eq!(client.ask(STATUS).status, 200);
    takes_a_short_time(|| {
        assert_eq!(client.ask(STATUS).status, 200);
        assert!(client.is_closed());
    });
    assert_eq!([server.exchange().status, server.exchange().status], [200; 2]);
    assert_eq!(server.event(), Seen::overdue(Phase::Idle));
}

#[test]
fn a_body_that_stalls_is_refused_after_the_grace() {
    let server = Running::plain(Limits { body_grace: SHORT, ..Limits::default() });
    let mut client = server.connect();
    let answer = takes_a_short_time(|| client.ask(post_head("/echo", 1000) + "some"));
    assert_eq!(answer.status, 408);
    assert!(answer.head.contains("connection: close"), "{answer:?}");
    assert_eq!(server.exchange().body_bytes_received, 4);
}

#[test]
fn a_body_below_the_least_rate_is_refused_after_the_grace() {
    let server = Running::plain(Limits { body_grace: SHORT, ..Limits::default() });
    let mut client = server.connect();
    takes_a_short_time(|| {
        client.send(post_head("/echo", 1000));
        client.drip();
    });
    assert_eq!(client.answer().unwrap().status, 408);
}

#[test]
fn a_body_above_the_least_rate_is_refused_when_the_whole_takes_too_long() {
    let limits = Limits { body: SHORT, body_bytes_per_second_min: 1, ..Limits::default() };
    let server = Running::plain(limits);
    let mut client = server.connect();
    takes_a_short_time(|| {
        client.send(post_chunked("/echo") + "ff\r\n");
        client.drip();
    });
    assert_eq!(client.answer().unwrap().status, 408);
}

#[test]
fn a_body_in_time_is_taken_though_it_pauses() {
    let server = Running::plain(Limits { body_grace: 20 * SHORT, ..Limits::default() });
    let mut client = server.connect();
    client.send(post_head("/echo", 4));
    client.pause(SHORT);
    client.send("slow");
    assert_eq!(client.answer().unwrap().body, "slow");
}

#[test]
fn a_response_that_is_not_taken_is_cut() {
    let server = Running::plain(Limits { write: SHORT, ..Limits::default() });
    let mut client = server.connect();
    takes_a_short_time(|| {
        client.send(format!("GET /large HTTP/1.1\r\n{HEADERS}\r\n"));
        assert_eq!(server.exchange().status, 200);
        assert_eq!(server.event(), Seen::overdue(Phase::Write));
    });
    assert!(client.answer().is_none());
}

#[test]
fn the_work_of_the_server_is_not_the_client_being_slow() {
    let limit = 5 * SHORT; // long enough to send the head before it
    let limits =
        Limits { head: limit, body: limit, write: limit, idle: limit, ..Limits::default() };
    let server = Running::plain(limits);
    let mut client = server.connect();
    client.send(post_head("/gate", 0));
    server.keeper.arrival();
    client.pause(2 * limit);
    server.keeper.pass();
    assert_eq!(client.answer().unwrap().body, "passed");
}

#[test]
fn a_silent_handshake_is_cut() {
    let server = Files::new().server(Limits { handshake: SHORT, ..Limits::default() });
    takes_a_short_time(|| assert!(server.connect().is_closed()));
    assert_eq!(server.event(), Seen::overdue(Phase::Handshake));
}

#[test]
fn a_slow_handshake_is_cut_however_often_a_byte_comes() {
    let server = Files::new().server(Limits { handshake: SHORT, ..Limits::default() });
    takes_a_short_time(|| {
        let mut client = Client::new(connect(server.address));
        client.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03");
        client.drip();
    });
    assert_eq!(server.event(), Seen::overdue(Phase::Handshake));
}
