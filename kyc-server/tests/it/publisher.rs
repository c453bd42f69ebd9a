//! A publisher of lists, on a port of its own, that answers as a test tells it to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use rustls::crypto::aws_lc_rs;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::program::Site;
use crate::serve::certify;

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
    let first = format!("HTTP/1.1 {status}");
    let lines = [&[first.as_str()], headers, &["", ""]].concat();
    [lines.join("\r\n").as_bytes(), body].concat()
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
    is_tls: bool,
    answers: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Publisher {
    pub(crate) fn new(answers: impl FnMut(&Asked) -> Reply + Send + 'static) -> Self {
        Self::start(None, answers)
    }

    /// One over TLS, which vouches for itself with the site's `server.pem`.
    pub(crate) fn certified(
        site: &Site,
        answers: impl FnMut(&Asked) -> Reply + Send + 'static,
    ) -> Self {
        certify(site);
        let certificate = CertificateDer::from_pem_file(site.path("server.pem")).unwrap();
        let key = PrivateKeyDer::from_pem_file(site.path("server.key")).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        Self::start(Some(Arc::new(config)), answers)
    }

    fn start(
        tls: Option<Arc<ServerConfig>>,
        answers: impl FnMut(&Asked) -> Reply + Send + 'static,
    ) -> Self {
        let is_tls = tls.is_some();
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
                let stream = stream.unwrap();
                let mut stream: Box<dyn Stream> = match &tls {
                    Some(config) => {
                        let session = ServerConnection::new(Arc::clone(config)).unwrap();
                        Box::new(StreamOwned::new(session, stream))
                    }
                    None => Box::new(stream),
                };
                let Some(asked) = read(stream.as_mut()) else { continue };
                let reply = answers_there.lock().unwrap()(&asked);
                asked_there.lock().unwrap().push(asked);
                send(stream, reply, &is_over_there);
            }
        });
        Self { address, is_tls, answers, asked, is_over, thread: Some(thread) }
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
        let scheme = if self.is_tls { "https" } else { "http" };
        format!("{scheme}://{}{path}", self.address)
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

/// With TLS or without.
trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

fn read(stream: &mut dyn Stream) -> Option<Asked> {
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
fn send(mut stream: Box<dyn Stream>, reply: Reply, is_over: &AtomicBool) {
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
