//! The embedded store.

mod checkpoint;
mod connection;
mod credentials;
mod directory;
mod documents;
mod error;
mod folder;
mod migrate;
mod options;
mod pepper;
mod readers;
mod record;
mod schema;
mod store;
mod submissions;
mod writer;

pub use credentials::{Credential, CredentialId, InvalidCredentialId, KeyRecord};
pub use error::{AdminError, OpenError};
pub use options::Options;
pub use store::SqliteStore;
