//! Connections: how long they live, how many there may be, how they end.

use std::net::TcpStream;

use kyc_http::server::Limits;

use crate::tls::Files;
use crate::wire::{Running, SHORT, STATUS, Seen, eventually, post, post_head, takes_a_short_time};

#[test]
fn a_connection_carries_many_requests() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    for length in 0..100 {
        assert_eq!(client.ask(STATUS).body, "fine");
        assert_eq!(client.ask(post("/echo", length)).body.len(), length);
    }
}

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    client.send((0..40).map(|length| post("/echo", length) + STATUS).collect::<String>());
    for length in 0..40 {
        assert_eq!(client.answer().unwrap().body.len(), length);
        assert_eq!(client.answer().unwrap().body, "fine");
    }
}

#[test]
fn an_observer_sees_the_route_and_the_sizes() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    client.ask(post("/echo", 10).replace("/echo", "/echo?secret=1"));
    let seen = server.exchange();
    assert_eq!((seen.route, seen.status.as_u16()), (Some("/echo"), 200));
    assert_eq!((seen.body_bytes_received, seen.body_bytes_sent), (10, 10));
    client.ask(post("/other", 0));
    assert_eq!(server.exchange().route, None);
    client.ask("garbage\r\n\r\n");
    assert_eq!(server.exchange().status, 400);
}

#[test]
fn a_panic_costs_one_answer() {
    let server = Running::plain(Limits::default());
    let mut client = server.connect();
    for path in ["/panic", "/panic/blocking", "/panic/later", "/panic/early", "/forgotten"] {
        let answer = client.ask(post(path, 0));
        assert_eq!(answer.status, 500);
        assert_eq!(answer.body, "{\"message\":\"the server failed\"}");
        assert_eq!(client.ask(STATUS).status, 200, "after {path}");
    }
}

#[test]
fn an_address_has_only_so_many_connections() {
    let files = Files::new();
    let server = files.server(Limits { connections_per_address_max: 2, ..Limits::default() });
    let first = server.connect();
    let _second = server.connect();
    assert!(server.connect().is_closed());
    assert_eq!(server.event(), Seen::Other("TooManyConnections".to_owned()));
    drop(first);
    eventually(|| {
        let mut client = files.connect(&server);
        client.send(STATUS);
        client.answer().is_some_and(|answer| answer.status == 200)
    });
}

#[test]
fn a_trusted_proxy_has_as_many_connections_as_there_are() {
    let server = Running::plain(Limits { connections_per_address_max: 1, ..Limits::default() });
    let mut clients = [server.connect(), server.connect(), server.connect()];
    assert!(clients.iter_mut().all(|client| client.ask(STATUS).status == 200));
}

#[test]
fn connections_beyond_the_limit_of_all_wait_for_one_to_end() {
    let server = Running::plain(Limits { connections_max: 2, ..Limits::default() });
    let mut clients = [server.connect(), server.connect()];
    assert!(clients.iter_mut().all(|client| client.ask(STATUS).status == 200));
    let mut third = server.connect();
    third.send(STATUS);
    third.pause(SHORT);
    drop(clients);
    assert_eq!(third.answer().unwrap().status, 200);
}

#[test]
fn a_stop_closes_idle_connections_at_once_and_lets_requests_finish() {
    let mut server = Running::plain(Limits::default());
    let mut idle = server.connect();
    assert_eq!(idle.ask(STATUS).status, 200);
    let mut fresh = server.connect();
    let mut busy = [server.connect(), server.connect()];
    for (client, path) in busy.iter_mut().zip(["/gate", "/gate/later"]) {
        client.send(post_head(path, 0));
        server.keeper.arrival();
    }

    server.stop();
    assert!(idle.is_closed());
    assert!(fresh.is_closed());
    eventually(|| TcpStream::connect(server.address).is_err());

    server.keeper.pass();
    server.keeper.pass();
    for client in &mut busy {
        let answer = client.answer().unwrap();
        assert_eq!(answer.body, "passed");
        assert!(answer.head.contains("connection: close"), "{answer:?}");
        assert!(client.is_closed());
    }
    server.join();
}

#[test]
fn a_stop_closes_idle_tls_connections_and_handshakes_at_once() {
    let files = Files::new();
    let mut server = files.server(Limits::default());
    let mut idle = files.connect(&server);
    assert_eq!(idle.ask(STATUS).status, 200);
    let mut silent = server.connect();
    server.stop();
    assert!(idle.is_closed());
    assert!(silent.is_closed());
    server.join();
}

#[test]
fn a_stop_cuts_what_does_not_finish() {
    let mut server = Running::plain(Limits { stop: SHORT, ..Limits::default() });
    let mut busy = server.connect();
    busy.send(post_head("/gate", 0));
    server.keeper.arrival();
    takes_a_short_time(|| {
        server.stop();
        assert!(busy.answer().is_none());
    });
    server.join();
}
