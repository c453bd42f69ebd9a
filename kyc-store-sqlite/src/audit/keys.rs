use aws_lc_rs::hmac::{self, HMAC_SHA256};
use kyc_core::{AuditHash, ClientId};

use crate::pepper::Pepper;

/// What rows, ends of chains and values are signed with: each a key of its own, derived from the
/// secret beside the database. Whoever has the database alone can make none of the three.
pub(super) struct Keys {
    rows: hmac::Key,
    heads: hmac::Key,
    values: hmac::Key,
}

/// HMAC-SHA256 over the hash before and the record.
pub(super) type RowHash = [u8; 32];

impl Keys {
    pub(super) fn new(pepper: &Pepper) -> Self {
        let derive = |purpose| hmac::Key::new(HMAC_SHA256, &pepper.audit_key(purpose));
        Self { rows: derive(b"row"), heads: derive(b"head"), values: derive(b"value") }
    }

    pub(super) fn row(&self, previous: &RowHash, record: &[u8]) -> RowHash {
        sign(&self.rows, &[previous, record])
    }

    pub(super) fn head(&self, chain: Option<ClientId>, position: u64, hash: &RowHash) -> RowHash {
        sign(&self.heads, &[&number(chain), &position.to_le_bytes(), hash])
    }

    pub(super) fn value(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        let hash = sign(&self.values, &[&number(chain), value.as_bytes()]);
        AuditHash::from_bytes(*hash.first_chunk().unwrap_or(&[0; 16]))
    }
}

fn number(chain: Option<ClientId>) -> [u8; 4] {
    chain.map_or(0, ClientId::get).to_le_bytes()
}

fn sign(key: &hmac::Key, parts: &[&[u8]]) -> RowHash {
    let mut context = hmac::Context::with_key(key);
    for part in parts {
        context.update(part);
    }
    let mut hash = [0; 32];
    // An HMAC-SHA256 tag has exactly that length.
    hash.copy_from_slice(context.sign().as_ref());
    hash
}
