//! What inspectors are shown is recorded, or is not shown (T26, D96).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};
use kyc_core::{AuditEntry, AuditHash, AuditLog, Audited, ClientId, StoreError};

use crate::support::*;

/// An audit that can be made to fail.
#[derive(Default)]
struct Fragile {
    inner: MemoryAudit,
    fails: AtomicBool,
}

impl AuditLog for Fragile {
    fn append(&self, entries: &[(Option<ClientId>, AuditEntry)]) -> Result<(), StoreError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("the audit cannot be written".into()));
        }
        self.inner.append(entries)
    }

    fn audited(
        &self,
        chain: Option<ClientId>,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Audited>, StoreError> {
        self.inner.audited(chain, after, limit)
    }

    fn audit_hash(&self, chain: Option<ClientId>, value: &str) -> AuditHash {
        self.inner.audit_hash(chain, value)
    }
}

fn world() -> (World, Arc<Fragile>) {
    let audit = Arc::new(Fragile::default());
    let world = World::over(
        Arc::new(MemorySubmissions::default()),
        Arc::new(MemoryDocuments::default()),
        Arc::new(directory()),
        Arc::clone(&audit) as _,
    );
    (world, audit)
}

/// Every way in which inspectors are shown something of a submission.
fn reads(id: &str) -> [String; 7] {
    let case = format!("/review/v1/submissions/{id}");
    let documents = ["photoid_res", "selfie_res", "address_res"];
    let [photo, selfie, address] = documents.map(|field| format!("{case}/documents/{field}"));
    let queue = "/review/v1/submissions".to_owned();
    let search = format!("{queue}?email=mira.kole@example.org");
    [queue, search, case, photo, selfie, address, "/review/v1/submissions?status=all".to_owned()]
}

#[test]
fn t26_without_a_row_there_is_no_answer_and_nothing_personal() {
    let (world, audit) = world();
    let form = world.full(Acme);
    let id = world.submit(Acme, &form);
    audit.fails.store(true, Ordering::Relaxed);
    for target in reads(&id) {
        let answer = world.get(Ines, &target);
        answer.is_error(500, "server_error", "Other 500 Error");
        for personal in ["Mira", "Kole", "mira", "kole", "1990", "JFIF"] {
            assert!(!answer.text().contains(personal), "{target}: {personal}");
        }
    }
    // Machines of clients go on.
    world.get(Acme, "/v2/submissions/mira.kole@example.org").success();
    world.get(Acme, "/v2/submissions/resultall").success();
    audit.fails.store(false, Ordering::Relaxed);
    for target in reads(&id) {
        assert_eq!(world.get(Ines, &target).status, 200, "{target}");
    }
}

#[test]
fn d96_each_answer_with_something_personal_is_one_row() {
    let (world, audit) = world();
    let id = world.submit(Acme, &world.full(Acme));
    let rows = || {
        let count = |chain| audit.audited(chain, 0, usize::MAX).unwrap().len();
        count(None) + count(Some(client_id(Acme)))
    };
    for target in reads(&id) {
        let before = rows();
        assert_eq!(world.get(Ines, &target).status, 200, "{target}");
        assert_eq!(rows(), before + 1, "{target}");
    }
    let before = rows();
    for refused in ["/review/v1/submissions/01jd3v9k8m2q4r5s6t7v8w9x0y", "/review/v1/nothing"] {
        assert_eq!(world.get(Ines, refused).status, 404);
    }
    world.get(Nobody, &reads(&id)[2]).is_error(403, "forbidden", "Forbidden");
    world.get(Acme, "/v2/submissions/mira.kole@example.org").success();
    assert_eq!(rows(), before, "what is refused shows nothing, and machines are no persons");
}
