//! The same service over stores that promise more and more, to see what each promise costs.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use kyc_core::{OsIds, Service, SystemClock, service};
use kyc_http::Api;
use kyc_http::server::{Limits, Server, TlsFiles, Transport};
use kyc_store_sqlite::{Options, SqliteStore};
use kyc_vault::Source;
use tokio::net::TcpListener;

use crate::Failure;

/// What a store does beside storing.
///
/// ```
/// use benches::kinds::Kind;
///
/// assert_eq!(Kind::ALL.map(Kind::name), ["clear", "sealed", "audited"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Nothing: neither vault nor audit.
    Clear,
    /// It seals.
    Sealed,
    /// It seals and audits, as the program `kyc` always does.
    Audited,
}

impl Kind {
    /// Each of them costs more than the one before.
    pub const ALL: [Self; 3] = [Self::Clear, Self::Sealed, Self::Audited];

    /// Its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Sealed => "sealed",
            Self::Audited => "audited",
        }
    }

    /// Opens a data folder in this way.
    ///
    /// # Errors
    ///
    /// As the store says.
    pub fn open(self, data: &Path) -> Result<SqliteStore, Failure> {
        let vault = Source::file(data.with_extension("master.key"));
        let options = match self {
            Self::Clear => Options::default().without_audit(),
            Self::Sealed => Options::default().without_audit().with_vault(vault),
            Self::Audited => Options::default().with_vault(vault),
        };
        Ok(SqliteStore::open(data, options)?)
    }
}

/// Serves a data folder until the process ends. Tells `ready` the address, and the file that
/// clients trust it by.
///
/// # Errors
///
/// When the store cannot be opened, or the port had.
pub async fn serve(
    kind: Kind,
    data: &Path,
    ready: impl FnOnce(SocketAddr, PathBuf) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let store = Arc::new(kind.open(data)?);
    let (submissions, documents, audit) = (store.clone(), store.clone(), store.clone());
    let (clock, ids) = (Arc::new(SystemClock), Arc::new(OsIds));
    let options = service::Options::default();
    let service = Service::new(submissions, documents, store, audit, clock, ids, options);
    let server = Server::new(Api::new(service), Limits::default(), |_| ());
    let files = certificate(data)?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    ready(listener.local_addr()?, files.certificate.clone())?;
    server.serve(listener, Transport::Tls(files.load()?), std::future::pending()).await;
    Ok(())
}

fn certificate(data: &Path) -> Result<TlsFiles, Failure> {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names)?;
    let (certificate, key) = (data.with_extension("pem"), data.with_extension("tls.key"));
    fs::write(&certificate, made.cert.pem())?;
    fs::write(&key, made.signing_key.serialize_pem())?;
    fs::set_permissions(&key, PermissionsExt::from_mode(0o600))?;
    Ok(TlsFiles { certificate, key })
}
