use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use super::lock;
use crate::{AuditEntry, AuditHash, AuditLog, Audited, ClientId, StoreError};

/// Keeps the audit in memory.
///
/// ```
/// use kyc_core::AuditLog;
/// use kyc_core::memory::MemoryAudit;
///
/// let log = MemoryAudit::default();
/// assert!(log.audited(None, 0, 10)?.is_empty());
/// assert_eq!(log.audit_hash(None, "mira"), log.audit_hash(None, "mira"));
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryAudit {
    chains: Mutex<BTreeMap<Option<ClientId>, Vec<AuditEntry>>>,
    key: RandomState,
}

impl MemoryAudit {
    pub(super) fn push(&self, chain: Option<ClientId>, entry: AuditEntry) {
        lock(&self.chains).entry(chain).or_default().push(entry);
    }
}

impl AuditLog for MemoryAudit {
    fn append(&self, entries: &[(Option<ClientId>, AuditEntry)]) -> Result<(), StoreError> {
        let mut chains = lock(&self.chains);
        for (chain, entry) in entries {
            chains.entry(*chain).or_default().push(entry.clone());
        }
        Ok(())
    }

    fn audited(
        &self,
        chain: Option<ClientId>,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Audited>, StoreError> {
        let chains = lock(&self.chains);
        let entries = chains.get(&chain).into_iter().flatten().cloned();
        let rows = (1..).zip(entries).map(|(position, entry)| Audited { position, entry });
        Ok(rows.filter(|row| row.position > after).take(limit).collect())
    }

    fn audit_hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        let [first, second] = [0_u8, 1].map(|half| self.key.hash_one((half, chain, value)));
        AuditHash::from_bytes(((u128::from(first) << 64) | u128::from(second)).to_be_bytes())
    }
}
