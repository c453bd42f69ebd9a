use std::sync::Arc;
use std::thread;

use super::fixture::{
    acknowledged, approved, client, document_id, handle, incomplete, rejected, rescreened, sample,
    screened, stalled, submission_id, time, valid,
};
use crate::{
    ApiKeyId, AuditActor, AuditEntry, AuditEvent, AuditHash, AuditLog, Audited, Beside, ClientId,
    Document, DocumentKind, DocumentStore, FileFormat, HitVerdict, RiskLevel, RotatedKey, Slot,
    Stall, StoreError, SubmissionStore,
};

/// The contract of [`AuditLog`], except that rows survive a crash, and that changes are recorded.
/// `open` gives an empty store.
///
/// ```
/// use kyc_core::conformance::audit_log;
/// use kyc_core::memory::MemoryAudit;
///
/// audit_log(MemoryAudit::default);
/// ```
///
/// # Panics
///
/// When the store breaks its contract.
pub fn audit_log<S: AuditLog>(open: impl Fn() -> S) {
    rows_are_read_back_in_order(&open());
    chains_are_apart(&open());
    pages_join_to_the_whole(&open());
    racing_appends_all_stand(&open());
    hashes_tell_values_and_chains_apart(&open());
}

/// That rows outlive the store that took them. `open` gives a store over the same storage each
/// time, empty the first time; the one before is dropped by then.
///
/// # Panics
///
/// When something is lost or changed.
pub fn audit_log_survives<S: AuditLog>(open: impl Fn() -> S) {
    let chain = Some(client(1));
    for entry in entries() {
        open().append(&[(chain, entry)]).expect("append");
    }
    let store = open();
    assert_eq!(all(&store, chain), entries());
    let hash = store.audit_hash(chain, "mira.kole@example.org");
    drop(store);
    assert_eq!(open().audit_hash(chain, "mira.kole@example.org"), hash, "hashes stay the same");
}

/// That whatever keeps submissions and documents beside an audit records each change, and none
/// that did not take place. `open` gives the three ports of one empty store.
///
/// ```
/// use std::sync::Arc;
///
/// use kyc_core::conformance::changes_are_audited;
/// use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};
///
/// changes_are_audited(|| {
///     let audit = Arc::new(MemoryAudit::default());
///     let submissions = MemorySubmissions::default().with_audit(Arc::clone(&audit));
///     (submissions, MemoryDocuments::default().with_audit(Arc::clone(&audit)), audit)
/// });
/// ```
///
/// # Panics
///
/// When a store breaks its contract.
pub fn changes_are_audited<S, D, A>(open: impl Fn() -> (S, D, Arc<A>))
where
    S: SubmissionStore,
    D: DocumentStore,
    A: AuditLog,
{
    let (submissions, documents, audit) = open();
    each_change_leaves_its_rows(&submissions, &documents, &*audit);
    let (submissions, documents, audit) = open();
    a_refused_change_leaves_none(&submissions, &documents, &*audit);
}

/// One of each kind.
fn entries() -> Vec<AuditEntry> {
    let (id, document) = (submission_id(7), document_id(8));
    let name = || valid("olga");
    let token = || "0a1b2c3d4e5f".into();
    let events = [
        AuditEvent::DocumentUploaded(document),
        AuditEvent::Submitted(id),
        AuditEvent::Renewed { id, from: submission_id(6) },
        AuditEvent::Approved(id),
        AuditEvent::Rejected(id),
        AuditEvent::RetakeAsked(id),
        AuditEvent::Supplied { id, slot: Slot::AddressProof },
        AuditEvent::Reopened(id),
        AuditEvent::Screened(id),
        AuditEvent::Rescreened(id),
        AuditEvent::HitDecided { id, verdict: Some(HitVerdict::FalsePositive) },
        AuditEvent::HitDecided { id, verdict: Some(HitVerdict::TruePositive) },
        AuditEvent::HitDecided { id, verdict: None },
        AuditEvent::Acknowledged(id),
        AuditEvent::QueueRead(Vec::new()),
        AuditEvent::QueueRead((0..200).map(submission_id).collect()),
        AuditEvent::CaseRead(id),
        AuditEvent::DuplicatesRead { of: id, shown: (0..100).map(submission_id).collect() },
        AuditEvent::DocumentRead { id, document },
        AuditEvent::ClientAdded,
        AuditEvent::SandboxClockSet { ahead_ms: u64::MAX },
        AuditEvent::KeyCreated { key: "0a1b2c3d4e5f".into() },
        AuditEvent::KeyRevoked { key: "0a1b2c3d4e5f".into() },
        AuditEvent::InspectorAdded { name: name(), clients: None, token: token() },
        AuditEvent::InspectorAdded {
            name: name(),
            clients: Some(vec![client(1), client(9)]),
            token: token(),
        },
        AuditEvent::InspectorRemoved { name: name() },
        AuditEvent::KeyRotated { key: RotatedKey::Master, version: 2 },
        AuditEvent::KeyRotated { key: RotatedKey::Client, version: u32::MAX },
        AuditEvent::RelationshipEnded(id),
        AuditEvent::RelationshipGoesOn(id),
        AuditEvent::HoldSet(id),
        AuditEvent::HoldLifted(id),
        AuditEvent::Erased(id),
        AuditEvent::DocumentErased { document, of: None },
        AuditEvent::DocumentErased { document, of: Some(id) },
        AuditEvent::BackupMade,
        AuditEvent::Restored,
        AuditEvent::AnswerRepeated,
    ];
    let actors = [
        AuditActor::Client(None),
        AuditActor::Client(Some(valid("0a1b2c3d4e5f"))),
        AuditActor::Inspector(valid("ines")),
        AuditActor::Operator,
        AuditActor::Service,
    ];
    let abouts = [None, Some(AuditHash::from_bytes([7; 16])), None];
    let entry = |(((number, event), by), about)| AuditEntry { at: time(number), by, event, about };
    let actors = actors.into_iter().cycle();
    (0..).zip(events).zip(actors).zip(abouts.into_iter().cycle()).map(entry).collect()
}

/// What a chain holds, without the rows that the store itself begins it with.
fn all(store: &(impl AuditLog + ?Sized), chain: Option<ClientId>) -> Vec<AuditEntry> {
    let rows = store.audited(chain, 0, usize::MAX).expect("audited");
    for (position, row) in (1..).zip(&rows) {
        assert_eq!(row.position, position, "positions begin at 1 and grow by one");
    }
    let is_own =
        |event: &AuditEvent| matches!(event, AuditEvent::Begun | AuditEvent::ChainBegun(_));
    rows.into_iter().map(|row| row.entry).filter(|entry| !is_own(&entry.event)).collect()
}

fn rows_are_read_back_in_order(store: &impl AuditLog) {
    for chain in [None, Some(client(1)), Some(client(ClientId::MAX))] {
        assert_eq!(all(store, chain), [], "nothing was appended yet");
        let mut rows: Vec<_> = entries().into_iter().map(|entry| (chain, entry)).collect();
        let rest = rows.split_off(1);
        store.append(&rows).expect("append one");
        store.append(&[]).expect("append none");
        store.append(&rest).expect("append many");
        assert_eq!(all(store, chain), entries(), "rows are read back in order");
    }
}

fn chains_are_apart(store: &impl AuditLog) {
    let chains = [None, Some(client(1)), Some(client(2))];
    let rows = || chains.iter().copied().cycle().zip(entries());
    store.append(&rows().collect::<Vec<_>>()).expect("append to several chains");
    for chain in chains {
        let own = rows().filter(|(other, _)| *other == chain).map(|(_, entry)| entry);
        assert_eq!(all(store, chain), own.collect::<Vec<_>>(), "a chain holds its own rows");
    }
}

fn pages_join_to_the_whole(store: &impl AuditLog) {
    let chain = Some(client(1));
    store
        .append(&entries().into_iter().map(|entry| (chain, entry)).collect::<Vec<_>>())
        .expect("append");
    let whole = store.audited(chain, 0, usize::MAX).expect("audited");
    for limit in [1, 7, whole.len()] {
        let mut joined: Vec<Audited> = Vec::new();
        loop {
            let after = joined.last().map_or(0, |last| last.position);
            let page = store.audited(chain, after, limit).expect("audited");
            assert!(page.len() <= limit, "a page is no longer than asked for");
            if page.is_empty() {
                break;
            }
            joined.extend(page);
        }
        assert_eq!(joined, whole, "pages of {limit} join to the whole");
    }
    assert_eq!(
        store.audited(chain, u64::MAX, 1).expect("audited"),
        [],
        "behind the end is nothing"
    );
}

fn racing_appends_all_stand(store: &impl AuditLog) {
    let event = |number| AuditEvent::CaseRead(submission_id(number));
    let entry = |number| {
        let (at, by) = (time(number), AuditActor::Operator);
        AuditEntry { at, by, event: event(number), about: None }
    };
    thread::scope(|scope| {
        for racer in 0..4 {
            scope.spawn(move || {
                for number in (racer..80).step_by(4) {
                    store.append(&[(Some(client(1)), entry(number))]).expect("append");
                }
            });
        }
    });
    let mut seen = all(store, Some(client(1)));
    seen.sort_by_key(|entry| entry.at);
    assert_eq!(seen, (0..80).map(entry).collect::<Vec<_>>(), "every row of every racer stands");
}

fn hashes_tell_values_and_chains_apart(store: &impl AuditLog) {
    let hash = |chain, value| store.audit_hash(chain, value);
    let (one, two) = (Some(client(1)), Some(client(2)));
    assert_eq!(hash(one, "mira"), hash(one, "mira"), "equal values have equal hashes");
    assert_ne!(hash(one, "mira"), hash(one, "leo"), "unlike values have unlike hashes");
    assert_ne!(hash(one, "mira"), hash(two, "mira"), "chains cannot be compared");
    assert_ne!(hash(None, "mira"), hash(one, "mira"), "chains cannot be compared");
}

fn each_change_leaves_its_rows(
    submissions: &impl SubmissionStore,
    documents: &impl DocumentStore,
    audit: &impl AuditLog,
) {
    let chain = Some(client(1));
    let mut expected = Vec::new();
    let key: Option<ApiKeyId> = Some(valid("0a1b2c3d4e5f"));
    let by_key = || Beside { key: key.clone(), ..Beside::NOTHING };
    documents.put_with(client(1), &document(), b"%PDF-1.4", by_key()).expect("put");
    expected.push(AuditEntry::of_document(&document()).by_key(key.as_ref()));
    assert_eq!(all(audit, chain), expected, "an upload is recorded");

    let first = sample();
    submissions.insert_with(client(1), &first, by_key()).expect("insert");
    let about = audit.audit_hash(chain, first.form().email.canonical());
    expected.push(AuditEntry::of_insertion(&first, about).by_key(key.as_ref()));
    assert_eq!(all(audit, chain), expected, "a submission is recorded");

    let asked = incomplete(first, &[Slot::PhotoId, Slot::Selfie]);
    let (photo, selfie) = (handle(DocumentKind::Passport, 8), handle(DocumentKind::Selfie, 9));
    let both = [(Slot::PhotoId, photo), (Slot::Selfie, selfie)];
    let supplied = asked.clone().supply(time(90), &both).expect("supply");
    let done = approved(supplied.clone());
    let waiting = stalled(done.clone(), Stall::ListTooOld);
    let found = screened(waiting.clone(), RiskLevel::High);
    let gone = rescreened(&found, RiskLevel::NotApplicable);
    let seen = acknowledged(gone.clone());
    for (next, rows) in [
        (&asked, 1),
        (&supplied, 2),
        (&done, 1),
        (&waiting, 0),
        (&found, 1),
        (&gone, 1),
        (&seen, 1),
    ] {
        submissions.replace_with(client(1), next, by_key()).expect("replace");
        let news: Vec<AuditEntry> =
            AuditEntry::of_replacement(next).map(|entry| entry.by_key(key.as_ref())).collect();
        assert_eq!(news.len(), rows, "each thing that happened is one row");
        expected.extend(news);
        assert_eq!(all(audit, chain), expected, "a change is recorded");
    }
    assert_eq!(all(audit, Some(client(2))), [], "in the chain of its client alone");
}

fn a_refused_change_leaves_none(
    submissions: &impl SubmissionStore,
    documents: &impl DocumentStore,
    audit: &impl AuditLog,
) {
    let refused = submissions.replace(client(1), &approved(sample()));
    assert!(matches!(refused, Err(StoreError::Stale)), "there is no version before: {refused:?}");
    assert_eq!(all(audit, Some(client(1))), [], "what was refused is not recorded");

    documents.put(client(1), &document(), b"%PDF-1.4").expect("put");
    submissions.insert(client(1), &sample()).expect("insert");
    submissions.replace(client(1), &approved(sample())).expect("replace");
    let before = audit.audited(Some(client(1)), 0, usize::MAX).expect("audited");
    for refused in [
        documents.put(client(1), &document(), b"%PDF-1.4"),
        submissions.insert(client(1), &sample()),
        submissions.replace(client(1), &rejected(sample())),
    ] {
        let is_refused = matches!(refused, Err(StoreError::Duplicate | StoreError::Stale));
        assert!(is_refused, "an id or a version that is taken: {refused:?}");
    }
    let after = audit.audited(Some(client(1)), 0, usize::MAX).expect("audited");
    assert_eq!(after, before, "what was refused is not recorded");
}

fn document() -> Document {
    Document {
        handle: handle(DocumentKind::Passport, 7),
        created_at: time(7),
        format: FileFormat::Pdf,
        size_bytes: 8,
    }
}
