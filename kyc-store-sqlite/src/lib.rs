//! The embedded store.

mod credentials;
mod error;
mod options;
mod store;

pub use credentials::{Credential, CredentialId, InvalidCredentialId, KeyRecord};
pub use error::{AdminError, OpenError};
pub use options::Options;
pub use store::SqliteStore;
