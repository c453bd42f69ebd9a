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

use snapshot::Snapshot;

use crate::SqliteStore;

impl Directory for SqliteStore {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        self.owner(|snapshot| snapshot.client_of_key(self.pepper(), key))
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        self.owner(|snapshot| snapshot.inspector_of_token(self.pepper(), token))
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        Ok(self.directory().snapshot(self.readers())?.clients.clone())
    }
}

impl SqliteStore {
    /// Looks twice before refusing, whatever is wrong with the credential: so a new one works at
    /// once, and the time tells nothing about how much of a wrong one is right.
    fn owner<T>(
        &self,
        find: impl Fn(&Snapshot) -> Option<Arc<T>>,
    ) -> Result<Option<Arc<T>>, StoreError> {
        let known = find(&*self.directory().snapshot(self.readers())?);
        match known {
            Some(owner) => Ok(Some(owner)),
            None => Ok(find(&*self.directory().snapshot_of_now(self.readers())?)),
        }
    }
}
