//! A keep-alive HTTPS client as callers have them: hyper over rustls. It drives the bounds too.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::net::{TcpSocket, TcpStream};
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
        let stream = self.encrypt(stream).await?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // Ends when the sender is dropped; a broken connection fails the next request.
        tokio::spawn(connection);
        Ok(Connection(sender))
    }
}

impl Target {
    /// Opens a connection that says nothing yet, with that much room for what it receives.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached.
    pub async fn connect_in_clear(&self, buffer_bytes: u32) -> Result<TcpStream, Failure> {
        let socket =
            if self.address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_recv_buffer_size(buffer_bytes)?;
        Ok(socket.connect(self.address).await?)
    }

    /// Speaks TLS on a connection.
    ///
    /// # Errors
    ///
    /// When the server is not trusted.
    pub async fn encrypt(&self, stream: TcpStream) -> Result<TlsStream<TcpStream>, Failure> {
        Ok(self.connector.connect(ServerName::try_from("localhost")?, stream).await?)
    }
}

/// A request, ready to be sent.
pub type Ask = Request<Full<Bytes>>;

/// One open connection.
#[derive(Debug)]
pub struct Connection(SendRequest<Full<Bytes>>);

impl Connection {
    /// Sends a request and gives the status and the body of its answer.
    ///
    /// # Errors
    ///
    /// When the connection breaks.
    pub async fn ask(&mut self, request: Ask) -> Result<(StatusCode, Bytes), Failure> {
        self.0.ready().await?;
        let response = self.0.send_request(request).await?;
        let status = response.status();
        Ok((status, response.into_body().collect().await?.to_bytes()))
    }
}

/// A request without a body.
///
/// # Errors
///
/// When the path is none.
pub fn get(path: &str, key: &str) -> Result<Ask, Failure> {
    let request = Request::get(path).header("host", "localhost").header("x-api-key", key);
    Ok(request.body(Full::default())?)
}

/// A request with a body.
///
/// # Errors
///
/// When the path is none.
pub fn post(path: &str, key: &str, content_type: &str, body: Bytes) -> Result<Ask, Failure> {
    let request = Request::post(path).header("host", "localhost").header("x-api-key", key);
    Ok(request.header("content-type", content_type).body(Full::new(body))?)
}
