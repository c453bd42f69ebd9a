use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::lock;
use crate::{Client, ClientId, Directory, Inspector, StoreError};

/// A fixed set of clients and inspectors with their credentials.
///
/// ```
/// use kyc_core::memory::MemoryDirectory;
/// use kyc_core::{Client, ClientId, ClientPrefix, Directory};
///
/// let client = Client {
///     id: ClientId::new(1).ok_or("no number")?,
///     name: "default".parse()?,
///     prefix: ClientPrefix::from_random([1; 16]),
/// };
/// let directory = MemoryDirectory::default().with_client("a key", client);
/// assert!(directory.client_of_key("a key")?.is_some());
/// assert!(directory.client_of_key("another")?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct MemoryDirectory {
    clients: BTreeMap<String, Arc<Client>>,
    inspectors: BTreeMap<String, Arc<Inspector>>,
    sandboxes: Mutex<BTreeMap<ClientId, Duration>>,
}

impl MemoryDirectory {
    /// Makes a client a sandbox whose clock is ahead, or moves the clock of one.
    pub fn set_sandbox(&self, client: ClientId, ahead: Duration) {
        lock(&self.sandboxes).insert(client, ahead);
    }

    /// Adds a client with an API key.
    #[must_use]
    pub fn with_client(mut self, key: &str, client: Client) -> Self {
        self.clients.insert(key.to_owned(), Arc::new(client));
        self
    }

    /// Adds an inspector with a token.
    #[must_use]
    pub fn with_inspector(mut self, token: &str, inspector: Inspector) -> Self {
        self.inspectors.insert(token.to_owned(), Arc::new(inspector));
        self
    }
}

impl fmt::Debug for MemoryDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Keys are secrets.
        f.debug_struct("MemoryDirectory").finish_non_exhaustive()
    }
}

/// Compares in time that depends on the lengths alone.
fn is_equal(left: &str, right: &str) -> bool {
    let differences = left.bytes().zip(right.bytes()).fold(0, |all, (l, r)| all | (l ^ r));
    left.len() == right.len() && std::hint::black_box(differences) == 0
}

fn by_secret<T>(entries: &BTreeMap<String, Arc<T>>, presented: &str) -> Option<Arc<T>> {
    entries.iter().fold(None, |found, (secret, entry)| {
        if is_equal(secret, presented) { Some(Arc::clone(entry)) } else { found }
    })
}

impl Directory for MemoryDirectory {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        Ok(by_secret(&self.clients, key))
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        Ok(by_secret(&self.inspectors, token))
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        let by_id: BTreeMap<ClientId, &Arc<Client>> =
            self.clients.values().map(|client| (client.id, client)).collect();
        Ok(by_id.into_values().cloned().collect())
    }

    fn sandbox_ahead(&self, client: ClientId) -> Result<Option<Duration>, StoreError> {
        Ok(lock(&self.sandboxes).get(&client).copied())
    }
}
