//! Clients, keys and inspectors: the port, and their administration.

mod admin;
mod cache;
pub(crate) mod rows;
mod snapshot;

pub(crate) use admin::{by_operator, check_client};
pub(crate) use cache::Cache;
#[cfg(test)]
pub(crate) use rows::REVISION;

use std::sync::Arc;
use std::time::Duration;

use kyc_core::{ApiKeyId, Client, ClientId, Directory, Inspector, StoreError};

use rows::Hash;
use snapshot::Snapshot;

use crate::SqliteStore;
use crate::credentials::{CredentialId, Kind};

impl Directory for SqliteStore {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        let Some((id, hash)) = self.looked_for(Kind::Key, key) else { return Ok(None) };
        self.owner(|snapshot| snapshot.client_of_key(id, &hash))
    }

    fn id_of_key(&self, key: &str) -> Option<ApiKeyId> {
        Kind::id_in_key(key)?.parse().ok()
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        let Some((id, hash)) = self.looked_for(Kind::Token, token) else { return Ok(None) };
        self.owner(|snapshot| snapshot.inspector_of_token(id, &hash))
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        Ok(self.directory().snapshot(self.readers())?.clients.clone())
    }

    fn sandbox_ahead(&self, client: ClientId) -> Result<Option<Duration>, StoreError> {
        Ok(self.directory().snapshot(self.readers())?.sandboxes.get(&client).copied())
    }
}

impl SqliteStore {
    /// What a presented text is looked for by. A text without the shape of a credential is refused
    /// at once; how long every other refusal takes tells nothing about what is wrong with it.
    fn looked_for(&self, kind: Kind, presented: &str) -> Option<(CredentialId, Hash)> {
        if !kind.is_shape_of(presented) {
            return None;
        }
        let hash = self.pepper().credential(presented);
        Some((presented.parse().ok()?, hash))
    }

    /// Looks twice before refusing, so that a credential works as soon as it is made, also by
    /// another process.
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
