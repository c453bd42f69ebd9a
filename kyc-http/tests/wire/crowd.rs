//! A thousand slow clients at once (T7, G9).
//!
//! The server runs in a process of its own, whose descriptors and memory can be counted; the crowd
//! in another one, which may open enough of them. `benches --bin slow` does the same to the whole
//! program, with more of them and its own limits.

use std::env;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write, stdin};
use std::mem;
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kyc_http::server::Limits;

use crate::wire::{Client, HEADERS, Running, STATUS, connect, eventually, post_head};

/// Of each kind.
const ATTACKERS: usize = 250;
/// Every deadline of the server. What comes after a refusal is read for as long again.
const LIMIT: Duration = Duration::from_secs(1);
/// How long after its deadlines a connection may still be open here, where the machine may be busy
/// with other tests; far less than any limit that is not set above. `slow` measures it.
const LATE: Duration = Duration::from_secs(10);
/// A leak takes memory in each crowd. That one of them had more connections open at once than those
/// before it, for which an allocator keeps memory, is chance.
const CROWDS: usize = 5;
/// What one crowd may leave behind: a KiB for each attacker, where a page has 4.
const PAGES_KEPT: usize = ATTACKERS;
/// How often each attacker sends a byte.
const DRIP: Duration = Duration::from_millis(50);

#[test]
fn t7_a_thousand_slow_clients_are_cut_and_leave_nothing_behind() {
    match env::var(ROLE).as_deref() {
        Ok("server") => serve_until_stdin_ends(),
        Ok(_) => attack_until_memory_stays(),
        Err(_) => {
            let crowd = this_test_as("crowd").wait_with_output().unwrap();
            assert!(crowd.status.success(), "{}", String::from_utf8_lossy(&crowd.stderr));
        }
    }
}

const ROLE: &str = "KYC_WIRE_ROLE";

/// This test as a process of its own, which may open many descriptors.
fn this_test_as(role: &str) -> Child {
    Command::new("sh")
        .args(["-c", "ulimit -n 4096; exec \"$0\" \"$@\""])
        .arg(env::current_exe().unwrap())
        .args(["--exact", "crowd::t7_a_thousand_slow_clients_are_cut_and_leave_nothing_behind"])
        .arg("--nocapture")
        .env(ROLE, role)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn serve_until_stdin_ends() {
    let limits = Limits {
        head: LIMIT,
        body_grace: LIMIT,
        write: LIMIT,
        drain: LIMIT,
        // The guest stays through all crowds.
        idle: Duration::from_secs(600),
        ..Limits::default()
    };
    let mut server = Running::plain(limits);
    eprintln!("{}", server.address);
    stdin().read_to_end(&mut Vec::new()).unwrap();
    server.stop();
    server.join();
}

fn attack_until_memory_stays() {
    let mut server = this_test_as("server");
    let mut line = String::new();
    BufReader::new(server.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address: SocketAddr = line.trim().parse().unwrap();
    let process = format!("/proc/{}", server.id());
    let descriptors = || std::fs::read_dir(format!("{process}/fd")).unwrap().count();
    let resident_pages = || {
        let statm = std::fs::read_to_string(format!("{process}/statm")).unwrap();
        statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap()
    };

    // Once it has answered, the server has opened all that it keeps open.
    let mut guest = Client::new(connect(address));
    assert_eq!(guest.ask(STATUS).status, 200);
    let quiet = descriptors();
    let pages_after_a_crowd = || {
        attack(address);
        eventually(|| descriptors() == quiet);
        resident_pages()
    };
    let mut pages = pages_after_a_crowd();
    let stays = (1..CROWDS).any(|_| {
        let before = mem::replace(&mut pages, pages_after_a_crowd());
        pages <= before + PAGES_KEPT
    });
    assert!(stays, "memory grew with each of {CROWDS} crowds, to {pages} pages");

    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
}

/// Sends a crowd and waits until the last of it was cut, while somebody else is served.
fn attack(address: SocketAddr) {
    let slow_head = format!("GET /status HTTP/1.1\r\n{HEADERS}X-A: ");
    let slow_body = post_head("/echo", 100_000);
    let unread = format!("GET /large HTTP/1.1\r\n{HEADERS}\r\n");
    let mut crowd = Vec::new();
    let mut begin = Instant::now();
    for _ in 0..ATTACKERS {
        // The last of them are cut no sooner than after their limit from here.
        begin = Instant::now();
        crowd.push(Attacker::new(address, "", false, true));
        crowd.push(Attacker::new(address, &slow_head, true, true));
        crowd.push(Attacker::new(address, &slow_body, true, true));
        crowd.push(Attacker::new(address, &unread, true, false));
    }
    let mut healthy = Client::new(connect(address));
    while !crowd.is_empty() {
        assert_eq!(healthy.ask(STATUS).status, 200, "somebody else is served");
        crowd.retain_mut(|attacker| !attacker.is_cut());
        let (left, elapsed) = (crowd.len(), begin.elapsed());
        assert!(elapsed < 2 * LIMIT + LATE, "{left} are still connected after {elapsed:?}");
        std::thread::sleep(DRIP);
    }
    assert!(begin.elapsed() > LIMIT / 2, "they were cut too early");
}

struct Attacker {
    stream: TcpStream,
    sends: bool,
    reads: bool,
}

impl Attacker {
    fn new(address: SocketAddr, opening: &str, sends: bool, reads: bool) -> Self {
        let mut stream = connect(address);
        stream.write_all(opening.as_bytes()).unwrap();
        stream.set_nonblocking(true).unwrap();
        Self { stream, sends, reads }
    }

    /// Sends a byte if it does, and sees whether the server has closed the connection.
    fn is_cut(&mut self) -> bool {
        let sent = if self.sends { self.stream.write(b"x") } else { Ok(1) };
        if sent.is_err_and(|error| error.kind() != ErrorKind::WouldBlock) {
            return true;
        }
        if !self.reads {
            return false;
        }
        match self.stream.read(&mut [0; 1024]) {
            Ok(0) => true,
            Ok(_) => false,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        }
    }
}
