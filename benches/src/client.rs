//! A keep-alive HTTPS client that costs as little as possible, so that the server is what is
//! measured.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::Failure;

/// Where to connect, and whom to trust.
#[derive(Clone)]
pub struct Target {
    address: SocketAddr,
    connector: TlsConnector,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Target({})", self.address)
    }
}

impl Target {
    /// A server whose certificate comes from the authority in `ca_file`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or used.
    pub fn new(address: SocketAddr, ca_file: &Path) -> Result<Self, Failure> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_file_iter(ca_file)? {
            roots.add(certificate?)?;
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { address, connector: TlsConnector::from(Arc::new(config)) })
    }

    /// Opens a connection.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached or is not trusted.
    pub async fn connect(&self) -> Result<Connection, Failure> {
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let name = ServerName::try_from("localhost")?;
        let stream = self.connector.connect(name, stream).await?;
        Ok(Connection { stream, buffer: Vec::with_capacity(64 * 1024) })
    }
}

/// One open connection.
#[derive(Debug)]
pub struct Connection {
    stream: TlsStream<TcpStream>,
    buffer: Vec<u8>,
}

impl Connection {
    /// Sends a request and gives the status and the body of its answer.
    ///
    /// # Errors
    ///
    /// When the connection breaks or the answer has no length.
    pub async fn ask(&mut self, request: &[u8]) -> Result<(u16, &[u8]), Failure> {
        self.stream.write_all(request).await?;
        self.stream.flush().await?;
        self.buffer.clear();
        let (status, start, end) = loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server closed the connection".into());
            }
            if let Some(head) = parse_head(&self.buffer)? {
                break head;
            }
        };
        self.buffer.reserve(end.saturating_sub(self.buffer.len()));
        while self.buffer.len() < end {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server cut its answer short".into());
            }
        }
        Ok((status, self.buffer.get(start..end).unwrap_or_default()))
    }
}

/// Status, and where the body starts and ends; `None` until the head is whole.
fn parse_head(bytes: &[u8]) -> Result<Option<(u16, usize, usize)>, Failure> {
    let Some(head_end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = str::from_utf8(bytes.get(..head_end).unwrap_or_default())?;
    let status = head.get(9..12).ok_or("no status")?.parse()?;
    let length: usize = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(Ok(0), |(_, value)| value.trim().parse())?;
    Ok(Some((status, head_end + 4, head_end + 4 + length)))
}

/// A request without a body.
pub fn get(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: {key}\r\n\r\n").into_bytes()
}

/// A request with a body.
pub fn post(path: &str, key: &str, content_type: &str, body: &[u8]) -> Vec<u8> {
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: {key}\r\n\
         content-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(body);
    request
}
