//! Connections to publishers, and whom they have to be certified by.

use std::path::Path;
use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::handshake;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::address::Address;
use super::error::FetchError;
use super::limits::Limits;
use crate::exit::{Code, Failure};

/// A request without a body.
pub(super) type Ask = Request<http_body_util::Empty<Bytes>>;

/// Opens connections.
#[derive(Clone)]
pub(crate) struct Connector {
    tls: TlsConnector,
}

impl Connector {
    /// Trusts the machine's store of certificate authorities, and those in `ca_file`.
    pub(crate) fn new(ca_file: Option<&Path>) -> Result<Self, Failure> {
        let mut roots = RootCertStore::empty();
        // A store that is not there, or in part not readable, trusts fewer: a publisher that then
        // is not trusted is a failure of its own, with a sentence of its own.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(path) = ca_file {
            add(&mut roots, path)?;
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::because("cannot set up TLS", &error))?;
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Ok(Self { tls: TlsConnector::from(Arc::new(config)) })
    }

    /// Sends a request over a connection of its own, and waits for the head of its answer.
    pub(super) async fn send(
        &self,
        address: &Address,
        ask: Ask,
        limits: &Limits,
    ) -> Result<Response<Incoming>, FetchError> {
        let silent = |limit: std::time::Duration| {
            let (address, seconds) = (address.clone(), limit.as_secs());
            move |_| FetchError::Silent { address, seconds }
        };
        let stream = timeout(limits.connect, self.connect(address));
        let stream = stream.await.map_err(silent(limits.connect))??;
        let malformed = |error: hyper::Error| FetchError::Malformed {
            address: address.clone(),
            source: error.into(),
        };
        let (mut sender, connection) =
            handshake::<_, http_body_util::Empty<Bytes>>(TokioIo::new(stream))
                .await
                .map_err(malformed)?;
        // Ends with the answer's body; a broken connection fails whoever reads that.
        tokio::spawn(connection);
        let answer = timeout(limits.head, sender.send_request(ask));
        answer.await.map_err(silent(limits.head))?.map_err(malformed)
    }

    async fn connect(&self, address: &Address) -> Result<Box<dyn Stream>, FetchError> {
        let unreachable = |source| FetchError::Unreachable { address: address.clone(), source };
        let host = address.host();
        let stream =
            TcpStream::connect((host.as_str(), address.port())).await.map_err(unreachable)?;
        if !address.is_https() {
            return Ok(Box::new(stream));
        }
        let name = ServerName::try_from(host)
            .map_err(|error| unreachable(std::io::Error::other(error)))?;
        let stream = self.tls.connect(name, stream).await.map_err(|source| {
            let cause = source.get_ref().and_then(|cause| cause.downcast_ref());
            if let Some(rustls::Error::InvalidCertificate(_)) = cause {
                return FetchError::Untrusted { address: address.clone(), source };
            }
            unreachable(source)
        })?;
        Ok(Box::new(stream))
    }
}

impl std::fmt::Debug for Connector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connector").finish_non_exhaustive()
    }
}

/// With TLS or without.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

fn add(roots: &mut RootCertStore, path: &Path) -> Result<(), Failure> {
    let unusable = |why: String| {
        let sentence = format!("lists_ca_file {}: {why}", path.display());
        Failure::new(Code::Configuration, sentence)
    };
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(error.to_string()))?;
    if certificates.is_empty() {
        return Err(unusable("expected certificates in PEM".to_owned()));
    }
    for certificate in certificates {
        roots.add(certificate).map_err(|error| unusable(error.to_string()))?;
    }
    Ok(())
}
