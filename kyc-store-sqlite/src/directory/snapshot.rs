use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use kyc_core::{Client, ClientId, Inspector, StoreError};
use rusqlite::Connection;

use super::rows::{self, Hash};
use crate::credentials::CredentialId;
use crate::record::{Damage, corrupt};

/// Everybody who may call, as of one moment. Revoked keys are not in it.
#[derive(Debug)]
pub(super) struct Snapshot {
    /// Changes with every change of the directory.
    pub(super) revision: i64,
    /// Ordered by id.
    pub(super) clients: Vec<Arc<Client>>,
    /// How far the clocks of sandboxes are ahead.
    pub(super) sandboxes: HashMap<ClientId, Duration>,
    keys: Owners<Client>,
    tokens: Owners<Inspector>,
}

/// Owners by the first bytes of the hash of their credential.
type Owners<T> = HashMap<[u8; 8], (Hash, CredentialId, Arc<T>)>;

impl Snapshot {
    pub(super) fn client_of_key(&self, id: CredentialId, hash: &Hash) -> Option<Arc<Client>> {
        owner(&self.keys, id, hash)
    }

    pub(super) fn inspector_of_token(
        &self,
        id: CredentialId,
        hash: &Hash,
    ) -> Option<Arc<Inspector>> {
        owner(&self.tokens, id, hash)
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
            keys.insert(first_bytes(&hash), (hash, key.id, Arc::clone(client)));
        }
        let tokens = rows::inspectors(connection)?
            .into_iter()
            .map(|(id, hash, inspector)| (first_bytes(&hash), (hash, id, Arc::new(inspector))))
            .collect();
        let sandboxes = rows::sandboxes(connection)?;
        Ok(Self { revision, clients, sandboxes, keys, tokens })
    }
}

/// The owner of the credential with this id and hash: the audit tells whose the id is, and nothing
/// tells that of the hash (D128).
fn owner<T>(known: &Owners<T>, id: CredentialId, hash: &Hash) -> Option<Arc<T>> {
    let (stored, stored_id, owner) = known.get(&first_bytes(hash))?;
    let is_equal = verify_slices_are_equal(hash, stored).is_ok();
    (is_equal && *stored_id == id).then(|| Arc::clone(owner))
}

fn first_bytes(hash: &Hash) -> [u8; 8] {
    hash.first_chunk().copied().unwrap_or_default()
}
