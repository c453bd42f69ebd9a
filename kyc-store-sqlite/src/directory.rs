//! Clients, keys and inspectors: the port, and their administration.

mod admin;
mod cache;
mod rows;
mod snapshot;

pub(crate) use cache::Cache;
#[cfg(test)]
pub(crate) use rows::REVISION;

use std::sync::Arc;

use kyc_core::{Client, Directory, Inspector, StoreError};

use crate::SqliteStore;

impl Directory for SqliteStore {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        let snapshot = self.directory().snapshot(self.readers())?;
        Ok(snapshot.client_of_key(self.pepper(), key))
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        let snapshot = self.directory().snapshot(self.readers())?;
        Ok(snapshot.inspector_of_token(self.pepper(), token))
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        Ok(self.directory().snapshot(self.readers())?.clients.clone())
    }
}
