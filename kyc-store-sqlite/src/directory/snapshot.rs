use std::collections::HashMap;
use std::sync::Arc;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use kyc_core::{Client, ClientId, Inspector, StoreError};
use rusqlite::Connection;

use super::rows::{self, Hash};
use crate::credentials::{CredentialId, Kind};
use crate::pepper::Pepper;
use crate::record::{Damage, corrupt};

/// Everybody who may call, as of one moment. Revoked keys are not in it.
#[derive(Debug)]
pub(super) struct Snapshot {
    /// Changes with every change of the directory.
    pub(super) revision: i64,
    /// Ordered by id.
    pub(super) clients: Vec<Arc<Client>>,
    keys: Owners<Client>,
    tokens: Owners<Inspector>,
}

type Owners<T> = HashMap<CredentialId, (Hash, Arc<T>)>;

impl Snapshot {
    pub(super) fn client_of_key(&self, pepper: &Pepper, key: &str) -> Option<Arc<Client>> {
        owner(&self.keys, pepper, Kind::Key, key)
    }

    pub(super) fn inspector_of_token(
        &self,
        pepper: &Pepper,
        token: &str,
    ) -> Option<Arc<Inspector>> {
        owner(&self.tokens, pepper, Kind::Token, token)
    }

    pub(super) fn load(connection: &Connection) -> Result<Self, StoreError> {
        let revision = rows::revision(connection)?;
        let clients: Vec<_> = rows::clients(connection)?.into_iter().map(Arc::new).collect();
        let by_id: HashMap<ClientId, &Arc<Client>> =
            clients.iter().map(|client| (client.id, client)).collect();
        let mut keys = HashMap::new();
        for (key, hash) in rows::keys(connection)? {
            if key.revoked_at.is_some() {
                continue;
            }
            let client = by_id
                .get(&key.client)
                .ok_or_else(|| corrupt("api_key", &key.id, Damage::Value("client")))?;
            keys.insert(key.id, (hash, Arc::clone(client)));
        }
        let tokens = rows::inspectors(connection)?
            .into_iter()
            .map(|(id, hash, inspector)| (id, (hash, Arc::new(inspector))))
            .collect();
        Ok(Self { revision, clients, keys, tokens })
    }
}

/// The owner of a credential. How long this takes tells nothing about secrets: a text without the
/// shape of a credential is refused at once, and every other one is hashed and compared whole, also
/// where the id is unknown.
fn owner<T>(known: &Owners<T>, pepper: &Pepper, kind: Kind, presented: &str) -> Option<Arc<T>> {
    let id = kind.id_in(presented)?;
    let hash = pepper.credential(presented);
    let entry = known.get(&id);
    let stored = entry.map_or(&NOBODY, |(stored, _)| stored);
    let is_equal = verify_slices_are_equal(&hash, stored).is_ok();
    entry.filter(|_| is_equal).map(|(_, owner)| Arc::clone(owner))
}

/// Compared with where an id is unknown.
const NOBODY: Hash = [0; 32];
