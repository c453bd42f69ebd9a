//! A small HTTPS client: one request, one connection.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use serde_json::Value;

use crate::program::{PATIENCE, Running};

/// Calls one service with one credential.
#[derive(Clone)]
pub(crate) struct Client {
    config: Arc<ClientConfig>,
    address: SocketAddr,
    credential: String,
}

pub(crate) type Stream = StreamOwned<ClientConnection, TcpStream>;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The body of a success.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Client {
    pub(crate) fn new(service: &Running, credential: &str) -> Self {
        let mut roots = RootCertStore::empty();
        let ca = service.ca.as_ref().unwrap();
        roots.add(CertificateDer::from_pem_file(ca).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self {
            config: Arc::new(config),
            address: service.address().parse().unwrap(),
            credential: credential.to_owned(),
        }
    }

    /// This client, with an Idempotency-Key in each request.
    pub(crate) fn keyed(&self, key: &str) -> Self {
        let credential = format!("{}Idempotency-Key: {key}\r\n", self.credential);
        Self { credential, ..self.clone() }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.try_send("GET", path, "text/plain", &[]).unwrap()
    }

    /// The status of some answer; `None` without a connection.
    pub(crate) fn try_get_status(&self) -> Option<u16> {
        let answer = self.try_send("GET", "/v2/submissions/resultall", "text/plain", &[]);
        answer.ok().map(|answer| answer.status)
    }

    pub(crate) fn post_form(&self, path: &str, form: &str) -> Answer {
        self.try_post_form(path, form).unwrap()
    }

    pub(crate) fn try_post_form(&self, path: &str, form: &str) -> io::Result<Answer> {
        self.try_send("POST", path, "application/x-www-form-urlencoded", form.as_bytes())
    }

    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Answer {
        self.try_post_json(path, body).unwrap()
    }

    pub(crate) fn try_post_json(&self, path: &str, body: &Value) -> io::Result<Answer> {
        self.try_send("POST", path, "application/json", body.to_string().as_bytes())
    }

    /// Sends a request and reads the answer; fails when the connection does.
    pub(crate) fn try_send(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: &[u8],
    ) -> io::Result<Answer> {
        let mut stream = self.connect()?;
        stream.write_all(self.head(method, path, content_type, body.len()).as_bytes())?;
        stream.write_all(body)?;
        stream.flush()?;
        read_answer(&mut stream)
    }

    pub(crate) fn head(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        bytes: usize,
    ) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{}Content-Type: {content_type}\r\n\
             Content-Length: {bytes}\r\n\r\n",
            self.credential,
        )
    }

    pub(crate) fn connect(&self) -> io::Result<Stream> {
        let socket = TcpStream::connect(self.address)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_nodelay(true)?;
        let name = ServerName::from(self.address.ip());
        let session = ClientConnection::new(Arc::clone(&self.config), name).unwrap();
        Ok(StreamOwned::new(session, socket))
    }
}

/// Reads one answer.
pub(crate) fn read_answer(stream: &mut impl Read) -> io::Result<Answer> {
    let mut unread = Vec::new();
    let head_end = loop {
        if let Some(at) = unread.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        read_more(stream, &mut unread)?;
    };
    let mut body = unread.split_off(head_end);
    let head = String::from_utf8(unread).unwrap().to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        read_more(stream, &mut body)?;
    }
    Ok(Answer { status: head.split(' ').nth(1).unwrap().parse().unwrap(), head, body })
}

fn read_more(stream: &mut impl Read, into: &mut Vec<u8>) -> io::Result<()> {
    let mut buffer = [0; 16 * 1024];
    match stream.read(&mut buffer)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        read => {
            into.extend_from_slice(&buffer[..read]);
            Ok(())
        }
    }
}
