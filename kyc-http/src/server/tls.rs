//! TLS: which certificate, which versions, and how a certificate is changed while running.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// Where the certificate of a server and its private key lie, as PEM files.
///
/// ```no_run
/// use kyc_http::server::TlsFiles;
///
/// let files = TlsFiles { certificate: "server.pem".into(), key: "server.key".into() };
/// let tls = files.load()?;
/// // Later, when the files have been renewed:
/// tls.reload()?;
/// # Ok::<(), kyc_http::server::TlsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate of the server, then those that vouch for it.
    pub certificate: PathBuf,
    /// Its private key. Only its owner may be able to read the file.
    pub key: PathBuf,
}

impl TlsFiles {
    /// Reads both files and makes them ready for use.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or holds something else, when others may read the key, and when
    /// the key belongs to another certificate.
    pub fn load(self) -> Result<Tls, TlsError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let current = self.read(&provider)?;
        let certificate = Arc::new(Certificate { files: self, current: RwLock::new(current) });
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Unusable)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&certificate) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        // Clients keep the state of their sessions themselves, so it costs no memory here.
        config.ticketer = aws_lc_rs::Ticketer::new().map_err(TlsError::Unusable)?;
        Ok(Tls { acceptor: TlsAcceptor::from(Arc::new(config)), certificate, provider })
    }

    fn read(&self, provider: &CryptoProvider) -> Result<Arc<CertifiedKey>, TlsError> {
        let unusable = |path: &Path| {
            let path = path.to_path_buf();
            move |source: pem::Error| TlsError::NotPem { path, source }
        };
        let chain = CertificateDer::pem_slice_iter(&read_file(&self.certificate)?)
            .collect::<Result<Vec<_>, _>>()
            .and_then(
                |chain| if chain.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(chain) },
            )
            .map_err(unusable(&self.certificate))?;
        let key =
            PrivateKeyDer::from_pem_slice(&read_secret(&self.key)?).map_err(unusable(&self.key))?;
        let certified = CertifiedKey::from_der(chain, key, provider).map_err(TlsError::Unusable)?;
        Ok(Arc::new(certified))
    }
}

/// TLS as this server speaks it: versions 1.2 and 1.3, HTTP/1.1 by ALPN, one certificate.
///
/// A clone is another handle to the same certificate, so a program keeps one to
/// [`reload`](Self::reload) it. See [`TlsFiles`] for an example.
#[derive(Clone)]
pub struct Tls {
    pub(super) acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
    provider: Arc<CryptoProvider>,
}

impl Tls {
    /// Reads the files again. Handshakes from now on use what they hold; open connections stay.
    ///
    /// # Errors
    ///
    /// As [`TlsFiles::load`]. The certificate that was in use stays in use then.
    pub fn reload(&self) -> Result<(), TlsError> {
        let renewed = self.certificate.files.read(&self.provider)?;
        *self.certificate.current.write().unwrap_or_else(PoisonError::into_inner) = renewed;
        Ok(())
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.certificate.files).finish_non_exhaustive()
    }
}

/// Why TLS cannot be used with these files.
///
/// ```
/// use kyc_http::server::{TlsError, TlsFiles};
///
/// let files = TlsFiles { certificate: "absent.pem".into(), key: "absent.key".into() };
/// assert!(matches!(files.load(), Err(TlsError::Unreadable { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Others than the owner of the key file have rights on it.
    #[error("the private key {} is open to others than its owner, allow only mode 0600", .0.display())]
    KeyExposed(PathBuf),
    /// A file holds no certificate, or no private key, in PEM form.
    #[error("{} does not hold what it should in PEM form", path.display())]
    NotPem {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        source: pem::Error,
    },
    /// The key belongs to another certificate, or one of them is of an unknown kind.
    #[error("the certificate and its private key cannot be used")]
    Unusable(#[source] rustls::Error),
}

struct Certificate {
    files: TlsFiles,
    current: RwLock<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("files", &self.files).finish_non_exhaustive()
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|source| TlsError::Unreadable { path: path.to_path_buf(), source })
}

/// Reads a file that nobody but its owner may read. The rights are those of the file that is
/// opened, so it cannot be changed for another in between.
fn read_secret(path: &Path) -> Result<Vec<u8>, TlsError> {
    let unreadable = |source| TlsError::Unreadable { path: path.to_path_buf(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    if is_open_to_others(&file).map_err(unreadable)? {
        return Err(TlsError::KeyExposed(path.to_path_buf()));
    }
    let mut secret = Vec::new();
    file.read_to_end(&mut secret).map_err(unreadable)?;
    Ok(secret)
}

#[cfg(unix)]
fn is_open_to_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &File) -> io::Result<bool> {
    Ok(false)
}
