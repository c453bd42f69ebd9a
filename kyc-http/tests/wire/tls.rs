//! Certificates, versions, and plain text where TLS is spoken (D11, T5, T6).

use std::fs::{self, Permissions};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use kyc_http::server::{Limits, Tls, TlsError, TlsFiles, Transport};
use rustls::crypto::aws_lc_rs;
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use tempfile::TempDir;

use crate::wire::{Client, Running, STATUS, connect};

/// A certificate and its key in a folder of their own.
pub(crate) struct Files {
    folder: TempDir,
}

type Secure = Client<StreamOwned<ClientConnection, TcpStream>>;

impl Files {
    pub(crate) fn new() -> Self {
        let files = Self { folder: TempDir::new().unwrap() };
        files.renew();
        files
    }

    pub(crate) fn server(&self, limits: Limits) -> Running {
        Running::start(limits, Transport::Tls(self.load().unwrap()))
    }

    /// Connects with trust in the certificate that is in the folder now.
    pub(crate) fn connect(&self, server: &Running) -> Secure {
        self.connect_with(server, rustls::ALL_VERSIONS, &[])
    }

    fn connect_with(
        &self,
        server: &Running,
        versions: &[&'static SupportedProtocolVersion],
        alpn: &[&str],
    ) -> Secure {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(self.paths().certificate).unwrap()).unwrap();
        let mut config =
            ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
                .with_protocol_versions(versions)
                .unwrap()
                .with_root_certificates(roots)
                .with_no_client_auth();
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        let name = "localhost".try_into().unwrap();
        let session = ClientConnection::new(Arc::new(config), name).unwrap();
        Client::new(StreamOwned::new(session, connect(server.address)))
    }

    fn load(&self) -> Result<Tls, TlsError> {
        self.paths().load()
    }

    fn paths(&self) -> TlsFiles {
        TlsFiles {
            certificate: self.folder.path().join("server.pem"),
            key: self.folder.path().join("server.key"),
        }
    }

    /// Puts a new certificate and key in the place of the old ones.
    fn renew(&self) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(self.paths().certificate, made.cert.pem()).unwrap();
        fs::write(self.paths().key, made.signing_key.serialize_pem()).unwrap();
        self.set_key_mode(0o600);
    }

    fn set_key_mode(&self, mode: u32) {
        fs::set_permissions(self.paths().key, Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn both_versions_are_spoken() {
    let files = Files::new();
    let server = files.server(Limits::default());
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let mut client = files.connect_with(&server, &[version], &["http/1.1"]);
        assert_eq!(client.ask(STATUS).body, "fine");
        assert_eq!(client.ask(STATUS).body, "fine");
        assert_eq!(client.stream.conn.protocol_version(), Some(version.version));
        assert_eq!(client.stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
    }
}

#[test]
fn a_client_of_http_2_alone_is_refused_in_the_handshake() {
    let files = Files::new();
    let server = files.server(Limits::default());
    let mut client = files.connect_with(&server, rustls::ALL_VERSIONS, &["h2"]);
    client.send(STATUS);
    assert!(client.answer().is_none());
    let mut client = files.connect_with(&server, rustls::ALL_VERSIONS, &["h2", "http/1.1"]);
    assert_eq!(client.ask(STATUS).body, "fine");
}

#[test]
fn d11_plain_text_on_the_tls_port_is_told_so_and_closed() {
    let server = Files::new().server(Limits::default());
    for request in [STATUS, "GARBAGE", "POST /echo HTTP/1.1\r\nContent-Length: 9000\r\n\r\n"] {
        let mut client = server.connect();
        let answer = client.ask(request);
        assert_eq!(answer.status, 400);
        assert_eq!(answer.body, "{\"message\":\"HTTPS is required\"}");
        client.finish();
        assert!(client.is_closed());
        assert_eq!(server.exchange().route, None, "nothing was routed");
    }
}

#[test]
fn a_reload_changes_the_certificate_of_new_connections() {
    let files = Files::new();
    let tls = files.load().unwrap();
    let server = Running::start(Limits::default(), Transport::Tls(tls.clone()));
    let mut before = files.connect(&server);
    assert_eq!(before.ask(STATUS).status, 200);

    files.renew();
    let mut untrusting = files.connect(&server);
    untrusting.send(STATUS);
    assert!(untrusting.answer().is_none(), "the old certificate is still in use");

    tls.reload().unwrap();
    assert_eq!(files.connect(&server).ask(STATUS).status, 200);
    assert_eq!(before.ask(STATUS).status, 200);
}

#[test]
fn a_reload_that_fails_changes_nothing() {
    let files = Files::new();
    let tls = files.load().unwrap();
    let server = Running::start(Limits::default(), Transport::Tls(tls.clone()));
    let mut client = files.connect(&server);
    let good = fs::read(files.paths().certificate).unwrap();
    fs::write(files.paths().certificate, "no certificate").unwrap();
    assert!(matches!(tls.reload(), Err(TlsError::NotPem { .. })));
    fs::write(files.paths().certificate, good).unwrap();
    assert_eq!(client.ask(STATUS).status, 200);
    assert_eq!(files.connect(&server).ask(STATUS).status, 200);
}

#[test]
fn a_key_that_others_may_read_is_refused() {
    let files = Files::new();
    for mode in [0o644, 0o640, 0o604, 0o620] {
        files.set_key_mode(mode);
        let error = files.load().unwrap_err();
        assert!(matches!(error, TlsError::KeyExposed(_)), "{mode:o}: {error}");
    }
    files.set_key_mode(0o400);
    assert!(files.load().is_ok());
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let (files, other) = (Files::new(), Files::new());
    fs::copy(other.paths().certificate, files.paths().certificate).unwrap();
    assert!(matches!(files.load(), Err(TlsError::Unusable(_))));
}

#[test]
fn files_without_the_right_content_are_refused() {
    let files = Files::new();
    fs::write(files.paths().key, "no key").unwrap();
    assert!(matches!(files.load(), Err(TlsError::NotPem { .. })));
    fs::remove_file(files.paths().key).unwrap();
    assert!(matches!(files.load(), Err(TlsError::Unreadable { .. })));
    fs::write(files.paths().certificate, "").unwrap();
    assert!(matches!(files.load(), Err(TlsError::NotPem { .. })));
}
