use std::sync::Arc;

use kyc_core::conformance::fixture::{client_record, inspector};
use kyc_core::conformance::{
    Stores, audit_log, changes_are_audited, directory, document_store, id_source, monitoring,
    retention, submission_store,
};
use kyc_core::memory::{
    MemoryAudit, MemoryDirectory, MemoryDocuments, MemoryMonitoring, MemoryRetention,
    MemorySubmissions,
};
use kyc_core::{Inspector, OsIds};

#[test]
fn the_submission_store_in_memory_keeps_its_contract() {
    submission_store(MemorySubmissions::default);
}

#[test]
fn the_document_store_in_memory_keeps_its_contract() {
    document_store(MemoryDocuments::default);
}

#[test]
fn the_state_of_monitoring_in_memory_keeps_its_contract() {
    monitoring(MemoryMonitoring::default);
}

#[test]
fn what_erases_in_memory_keeps_its_contract() {
    retention(|| {
        let (submissions, documents) = (Arc::default(), Arc::default());
        let store = MemoryRetention::over(Arc::clone(&submissions), Arc::clone(&documents));
        Stores { submissions, documents, retention: Arc::new(store) }
    });
}

#[test]
fn the_audit_in_memory_keeps_its_contract() {
    audit_log(MemoryAudit::default);
}

#[test]
fn d95_the_stores_in_memory_record_each_change() {
    changes_are_audited(|| {
        let audit = Arc::new(MemoryAudit::default());
        let submissions = MemorySubmissions::default().with_audit(Arc::clone(&audit));
        (submissions, MemoryDocuments::default().with_audit(Arc::clone(&audit)), audit)
    });
}

#[test]
fn the_directory_in_memory_keeps_its_contract() {
    let bound = Inspector { clients: Some(vec![client_record(2).id]), ..inspector() };
    // The same client under two keys, and clients that were not added in their order.
    let keys =
        [("key-c", client_record(3)), ("Key-A", client_record(1)), ("key-a", client_record(1))];
    let tokens = [("token-1", inspector()), ("token-2", bound)];
    let known = keys
        .iter()
        .cloned()
        .fold(MemoryDirectory::default(), |known, (key, client)| known.with_client(key, client));
    let known = tokens
        .iter()
        .cloned()
        .fold(known, |known, (token, inspector)| known.with_inspector(token, inspector));

    directory(&known, &keys, &tokens);
}

#[test]
fn d13_ids_of_the_operating_system_keep_their_contract() {
    id_source(&OsIds);
}
