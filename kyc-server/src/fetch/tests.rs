//! What takes patience with real limits: slow publishers, and those that never get better.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::address::Address;
use super::connect::Connector;
use super::download::{Downloads, Validators};
use super::error::FetchError;
use super::limits::Limits;

const LIMITS: Limits = Limits {
    list: Duration::from_secs(60),
    connect: Duration::from_secs(10),
    head: Duration::from_secs(10),
    pace: Duration::from_millis(100),
    pace_bytes_min: 10,
    file_bytes_max: 1000,
    attempts_max: 3,
    back_off: Duration::from_millis(1),
    redirects_max: 2,
};

/// Fetches from a server that answers each connection as `answer` does.
fn fetch(
    limits: &Limits,
    answer: impl Fn(&mut TcpStream) + Send + 'static,
) -> (Result<Validators, FetchError>, TempDir) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/watch.csv?key=secret", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            answer(&mut stream);
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let downloads =
        Downloads { connector: &Connector::new(None).unwrap(), limits, progress: &|_| () };
    let address: Address = address.parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fetched = runtime.block_on(downloads.fetch(&address, &folder.path().join("watch.csv")));
    (fetched, folder)
}

#[track_caller]
fn check_refused(answer: impl Fn(&mut TcpStream) + Send + 'static, said: &str) {
    check_refused_within(&LIMITS, answer, said);
}

#[track_caller]
fn check_refused_within(
    limits: &Limits,
    answer: impl Fn(&mut TcpStream) + Send + 'static,
    said: &str,
) {
    let (fetched, folder) = fetch(limits, answer);
    let sentence = fetched.unwrap_err().to_string();
    assert!(sentence.contains(said), "{sentence}");
    assert!(!sentence.contains("secret"), "{sentence}");
    assert!(!folder.path().join("watch.csv").exists());
}

fn until_left(stream: &mut TcpStream) {
    let _ = stream.read(&mut [0; 1]);
}

#[test]
fn t7_a_publisher_that_does_not_answer_is_given_up() {
    let limits = Limits { head: Duration::from_millis(200), ..LIMITS };
    check_refused_within(&limits, until_left, "/watch.csv does not answer within 0 s");
}

#[test]
fn t7_a_publisher_that_stalls_or_drips_is_given_up() {
    let said = "sends too slowly: less than 10 bytes in 0 s behind byte 5";
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nid,na";
    check_refused(
        |stream| {
            stream.write_all(head).unwrap();
            until_left(stream);
        },
        said,
    );
    // A byte now and then is no progress.
    check_refused(
        |stream| {
            stream.write_all(head).unwrap();
            while stream.write_all(b"m").is_ok() {
                thread::sleep(Duration::from_millis(30));
            }
        },
        "sends too slowly: less than 10 bytes in 0 s behind byte ",
    );
}

#[test]
fn a_list_that_comes_fast_enough_may_take_long() {
    let limits = Limits { pace: Duration::from_secs(2), ..LIMITS };
    let (fetched, folder) = fetch(&limits, |stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n").unwrap();
        for _ in 0..10 {
            stream.write_all(&[b'm'; 20]).unwrap();
            thread::sleep(Duration::from_millis(250));
        }
    });
    fetched.unwrap();
    assert_eq!(std::fs::read(folder.path().join("watch.csv")).unwrap(), [b'm'; 200]);
}

#[test]
fn t9_what_is_larger_than_any_list_is_not_read_to_its_end() {
    check_refused(
        |stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n").unwrap();
            until_left(stream);
        },
        "sends more than 1000 bytes",
    );
    check_refused(
        |stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            while stream.write_all(&[b'm'; 100]).is_ok() {}
        },
        "sends more than 1000 bytes",
    );
}

#[test]
fn a_publisher_that_stays_at_fault_is_asked_so_often_and_no_more() {
    let (times, asked) = std::sync::mpsc::channel();
    check_refused(
        move |stream| {
            times.send(()).unwrap();
            stream.write_all(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n").unwrap();
        },
        "answers with status 503 Service Unavailable: the publisher has a fault",
    );
    assert_eq!(asked.try_iter().count(), 3);
}

#[test]
fn a_place_where_nobody_listens_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/watch.csv", listener.local_addr().unwrap());
    drop(listener);
    let folder = tempfile::tempdir().unwrap();
    let connector = Connector::new(None).unwrap();
    let downloads = Downloads { connector: &connector, limits: &LIMITS, progress: &|_| () };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let address: Address = address.parse().unwrap();
    let fetched = runtime.block_on(downloads.fetch(&address, folder.path()));
    let sentence = fetched.unwrap_err().to_string();
    assert!(sentence.starts_with(&format!("{address} cannot be reached: check")), "{sentence}");
}
