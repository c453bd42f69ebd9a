//! The smallest real service: the embedded store, the interface and the TLS server.
//!
//! `cargo run -p examples --bin minimal_server` serves until Ctrl-C from a folder that is removed
//! at the end; with `-- --once` it stops as soon as it listens. The program `kyc` is this, with
//! configuration, screening and an operator's commands.

use std::error::Error;
use std::fs;
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;

use kyc_core::{Clock, OsIds, Service, SystemClock, service};
use kyc_http::Api;
use kyc_http::server::{Limits, Server, TlsFiles, Transport};
use kyc_store_sqlite::{Options, SqliteStore};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let once = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--once") => true,
        Some(_) => return Ok(writeln!(stdout(), "usage: minimal_server [--once]")?),
    };
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(&folder.path().join("data"), Options::default())?;
    let client = store.add_client(&"acme".parse()?, SystemClock.now())?;
    let key = store.create_key(client.id, SystemClock.now())?;

    let store = Arc::new(store);
    let service = Service::new(
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        store,
        Arc::new(SystemClock),
        Arc::new(OsIds),
        service::Options::default(),
    );
    let server = Server::new(Api::new(service), Limits::default(), |_| ());
    let tls = self_signed(folder.path())?.load()?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    writeln!(stdout(), "curl -k -H 'x-api-key: {}' \\", key.as_str())?;
    writeln!(stdout(), "  https://{address}/v2/submissions/resultall")?;

    let stop = async move {
        if !once {
            drop(tokio::signal::ctrl_c().await);
        }
    };
    server.serve(listener, Transport::Tls(tls), stop).await;
    Ok(())
}

/// A certificate for this run, which no client trusts: real ones come from files.
fn self_signed(folder: &Path) -> Result<TlsFiles, Box<dyn Error>> {
    let made =
        rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()])?;
    let files = TlsFiles { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
    fs::write(&files.certificate, made.cert.pem())?;
    fs::write(&files.key, made.signing_key.serialize_pem())?;
    #[cfg(unix)]
    fs::set_permissions(&files.key, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(files)
}
