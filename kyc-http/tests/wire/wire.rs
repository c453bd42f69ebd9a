//! A running server, and clients that send what they are told to.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use http::StatusCode;
use kyc_http::server::{Event, Exchange, Limits, Phase, Server, Transport};
use tokio::sync::oneshot;

use crate::sample::{Gate, Keeper, Sample};

/// Long enough for any answer, short enough for a test that fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A deadline for tests of deadlines.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

pub(crate) const STATUS: &str =
    "GET /status HTTP/1.1\r\nHost: kyc.example\r\nX-Forwarded-Proto: https\r\n\r\n";

/// A server on a port of its own, until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) keeper: Keeper,
    events: Receiver<Seen>,
    stop: Option<oneshot::Sender<()>>,
    stopped: Receiver<()>,
    /// The runtime of the server lives as long as this.
    _runtime: Sender<()>,
}

/// An [`Event`] that can be sent to the test.
#[derive(Debug, PartialEq)]
pub(crate) enum Seen {
    Answered(Exchange),
    /// Any other, as it shows itself.
    Other(String),
}

impl Seen {
    pub(crate) fn overdue(phase: Phase) -> Self {
        Self::Other(format!("Overdue({phase:?})"))
    }
}

impl Running {
    /// Serves requests in clear, as behind a proxy on this machine.
    pub(crate) fn plain(limits: Limits) -> Self {
        Self::start(limits, Transport::BehindProxy(vec!["127.0.0.1".parse().unwrap()]))
    }

    pub(crate) fn start(limits: Limits, transport: Transport) -> Self {
        let (gate, keeper) = Gate::new();
        let (seen, events) = channel();
        let (stop, stopping) = oneshot::channel();
        let (ended, stopped) = channel();
        let (held, released) = channel::<()>();
        let server = Server::new(Sample::new(gate), limits, move |event| {
            let event = if let Event::Answered(exchange) = event {
                Seen::Answered(*exchange)
            } else {
                Seen::Other(format!("{event:?}"))
            };
            let _ = seen.send(event);
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                server.serve(listener, transport, async { drop(stopping.await) }).await;
            });
            let _ = ended.send(());
            let _ = released.recv();
            runtime.shutdown_background();
        });
        Self { address, keeper, events, stop: Some(stop), stopped, _runtime: held }
    }

    pub(crate) fn connect(&self) -> Client<TcpStream> {
        Client::new(connect(self.address))
    }

    /// The next event.
    pub(crate) fn event(&self) -> Seen {
        self.events.recv_timeout(PATIENCE).unwrap()
    }

    /// The next exchange.
    pub(crate) fn exchange(&self) -> Exchange {
        let event = self.event();
        let Seen::Answered(exchange) = event else { panic!("{event:?} instead of an answer") };
        exchange
    }

    /// Tells the server to stop.
    pub(crate) fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// Waits until the server has stopped.
    pub(crate) fn join(&self) {
        self.stopped.recv_timeout(PATIENCE).unwrap();
    }
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// A client that sends bytes, and reads one response after the other.
pub(crate) struct Client<S> {
    pub(crate) stream: S,
    unread: Vec<u8>,
}

/// A response as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl<S: Read + Write> Client<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, unread: Vec::new() }
    }

    /// Sends bytes. That the server has closed is for [`Self::answer`] to find out.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.try_send(bytes);
    }

    /// Sends bytes, unless the server has closed.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).and_then(|()| self.stream.flush()).is_ok()
    }

    /// The answer to a request.
    #[track_caller]
    pub(crate) fn ask(&mut self, request: impl AsRef<[u8]>) -> Answer {
        self.send(request);
        self.answer().expect("the connection was closed")
    }

    /// Reads one response; `None` if the connection ends before it.
    pub(crate) fn answer(&mut self) -> Option<Answer> {
        let head = self.read_past(b"\r\n\r\n")?;
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.map_or(0, |length| length.parse().unwrap());
        while self.unread.len() < length {
            self.read_more().ok().filter(|read| *read > 0)?;
        }
        let body = String::from_utf8(self.unread.drain(..length).collect()).unwrap();
        Some(Answer { status, head, body })
    }

    /// Reads up to and with a mark; `None` if the connection ends before it.
    pub(crate) fn read_past(&mut self, mark: &[u8]) -> Option<String> {
        loop {
            let found = self.unread.windows(mark.len()).position(|window| window == mark);
            if let Some(at) = found {
                let read = self.unread.drain(..at + mark.len()).collect();
                return Some(String::from_utf8(read).unwrap());
            }
            self.read_more().ok().filter(|read| *read > 0)?;
        }
    }

    /// Whether the server has closed, after which nothing more came.
    #[track_caller]
    pub(crate) fn is_closed(&mut self) -> bool {
        assert_eq!(String::from_utf8_lossy(&self.unread), "", "more than one answer");
        match self.read_more() {
            Ok(read) => read == 0,
            Err(error) => !is_timeout(&error),
        }
    }

    fn read_more(&mut self) -> io::Result<usize> {
        let mut buffer = [0; 16 * 1024];
        let read = self.stream.read(&mut buffer)?;
        self.unread.extend_from_slice(&buffer[..read]);
        Ok(read)
    }
}

impl Client<TcpStream> {
    /// Ends the client's side; the server may still answer.
    pub(crate) fn finish(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// Lets time pass in which the server must not react.
    #[track_caller]
    pub(crate) fn pause(&mut self, time: Duration) {
        self.stream.set_read_timeout(Some(time)).unwrap();
        let reaction = self.read_more();
        assert!(reaction.as_ref().is_err_and(is_timeout), "the server reacted: {reaction:?}");
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
    }

    /// Sends the byte `x` again and again, with pauses, until the server reacts.
    pub(crate) fn drip(&mut self) {
        let begin = Instant::now();
        self.stream.set_read_timeout(Some(SHORT / 20)).unwrap();
        while self.read_more().is_err_and(|error| is_timeout(&error)) {
            assert!(begin.elapsed() < PATIENCE, "the server did not react");
            self.send("x");
        }
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// A request with a body of `length` bytes.
pub(crate) fn post(path: &str, length: usize) -> String {
    format!("{}{}", post_head(path, length), "b".repeat(length))
}

/// The head of such a request, which announces the length.
pub(crate) fn post_head(path: &str, length: usize) -> String {
    format!("POST {path} HTTP/1.1\r\n{HEADERS}Content-Length: {length}\r\n\r\n")
}

/// The head of a request with a chunked body.
pub(crate) fn post_chunked(path: &str) -> String {
    format!("POST {path} HTTP/1.1\r\n{HEADERS}Transfer-Encoding: chunked\r\n\r\n")
}

/// One chunk of a chunked body.
pub(crate) fn chunk(length: usize) -> String {
    let mut chunk = String::new();
    write!(chunk, "{length:x}\r\n{}\r\n", "c".repeat(length)).unwrap();
    chunk
}

/// Runs something that the server ends by itself, from before its deadline begins, and checks that it
/// takes at least about [`SHORT`], and less than any limit that a test has left as it is.
#[track_caller]
pub(crate) fn takes_a_short_time<T>(work: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = work();
    let elapsed = begin.elapsed();
    assert!(elapsed > SHORT * 3 / 4, "cut too early, after {elapsed:?}");
    assert!(elapsed < SHORT * 15, "cut too late, after {elapsed:?}");
    result
}

/// Tries again until it holds.
#[track_caller]
pub(crate) fn eventually(mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "it never held");
        std::thread::yield_now();
    }
}

/// What every request has that comes through a proxy which received it over TLS.
pub(crate) const HEADERS: &str = "Host: kyc.example\r\nX-Forwarded-Proto: https\r\n";
