//! A publisher of lists, on a port of its own, that answers as a test tells it to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// A request, as it was sent.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    head: String,
}

impl Asked {
    pub(crate) fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    /// A header's value; the name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines
            .into_iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// Where the part begins that is asked for.
    pub(crate) fn from(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

/// What is sent, whatever it is.
pub(crate) enum Reply {
    /// These bytes, and the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing until the other side leaves.
    Stall(Vec<u8>),
    /// The former once, the latter for ever.
    Endless(Vec<u8>, Vec<u8>),
}

/// A head with these lines, and a body.
pub(crate) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Reply {
    Reply::Bytes(bytes(status, &[headers, &[&length(body.len())]].concat(), body))
}

/// As [`answer`], without adding anything.
pub(crate) fn bytes(status: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    [format!("HTTP/1.1 {status}\r\n{headers}\r\n").as_bytes(), body].concat()
}

pub(crate) fn length(bytes: usize) -> String {
    format!("Content-Length: {bytes}")
}

pub(crate) fn ok(body: impl AsRef<[u8]>) -> Reply {
    answer("200 OK", &[], body.as_ref())
}

type Answers = Box<dyn FnMut(&Asked) -> Reply + Send>;

/// A running publisher. Dropping it ends it.
pub(crate) struct Publisher {
    address: SocketAddr,
    answers: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Publisher {
    pub(crate) fn new(answers: impl FnMut(&Asked) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answers: Arc<Mutex<Answers>> = Arc::new(Mutex::new(Box::new(answers)));
        let (asked, is_over) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::<AtomicBool>::default());
        let (answers_there, asked_there) = (Arc::clone(&answers), Arc::clone(&asked));
        let is_over_there = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if is_over_there.load(Ordering::SeqCst) {
                    return;
                }
                let mut stream = stream.unwrap();
                let Some(asked) = read(&mut stream) else { continue };
                let reply = answers_there.lock().unwrap()(&asked);
                asked_there.lock().unwrap().push(asked);
                send(stream, reply, &is_over_there);
            }
        });
        Self { address, answers, asked, is_over, thread: Some(thread) }
    }

    /// One that always says the same of every file.
    pub(crate) fn of(body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref().to_vec();
        Self::new(move |_| ok(&body))
    }

    /// Answers otherwise from now on.
    pub(crate) fn now(&self, answers: impl FnMut(&Asked) -> Reply + Send + 'static) {
        *self.answers.lock().unwrap() = Box::new(answers);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What was asked since the last call.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread where it waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    Some(Asked { head: String::from_utf8(head).unwrap() })
}

/// Sends as much as the other side takes.
fn send(mut stream: TcpStream, reply: Reply, is_over: &AtomicBool) {
    match reply {
        Reply::Bytes(bytes) => drop(stream.write_all(&bytes)),
        Reply::Stall(bytes) => {
            if stream.write_all(&bytes).is_ok() {
                let _ = stream.read(&mut [0]);
            }
        }
        Reply::Endless(head, part) => {
            let mut sent = stream.write_all(&head);
            while sent.is_ok() && !is_over.load(Ordering::SeqCst) {
                sent = stream.write_all(&part);
            }
        }
    }
}
