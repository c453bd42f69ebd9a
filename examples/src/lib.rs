//! Programs that show how to use the KYC crates. Each is one file in `src/bin` and runs by itself:
//!
//! | program | what it shows |
//! |---|---|
//! | `embed_core` | the domain inside a program of one's own: no server, no database |
//! | `own_store` | a store of one's own, proven by the conformance suite |
//! | `mount_in_axum` | the interface inside an axum application |
//! | `minimal_server` | store, interface and TLS server in sixty lines |
//! | `screen_file` | screening the names of a CSV file |
//! | `specimens` | draws the specimen documents in `specimens/` |
//!
//! `tests/own_rule.rs` property-tests a rule of one's own against the domain's types, and
//! `walkthrough.sh` drives the whole service with `curl`.

use std::sync::Arc;

use kyc_core::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
use kyc_core::{Client, ClientId, ClientPrefix, Inspector, OsIds, Service, SystemClock, service};

/// The API key of the client in [`service_in_memory`].
pub const API_KEY: &str = "an-example-key";

/// A service that keeps everything in memory, with one client.
///
/// # Errors
///
/// Never: the fixed values below are valid.
pub fn service_in_memory() -> Result<(Service, Client, Inspector), Box<dyn std::error::Error>> {
    let client = Client {
        id: ClientId::new(1).ok_or("client numbers begin at 1")?,
        name: "acme".parse()?,
        prefix: ClientPrefix::from_random([7; 16]),
    };
    let inspector = Inspector { name: "ines".parse()?, clients: None };
    let directory = MemoryDirectory::default().with_client(API_KEY, client.clone());
    let audit = Arc::new(MemoryAudit::default());
    let service = Service::new(
        Arc::new(MemorySubmissions::default().with_audit(Arc::clone(&audit))),
        Arc::new(MemoryDocuments::default().with_audit(Arc::clone(&audit))),
        Arc::new(directory),
        audit,
        Arc::new(SystemClock),
        Arc::new(OsIds),
        service::Options::default(),
    );
    Ok((service, client, inspector))
}
