use std::fmt;
use std::sync::Arc;

use time::macros::date;

use super::fixture::{
    approved, client, document_id, form, form_l2, handle, rejected, replay, sample, submission,
    submission_id, time,
};
use crate::{
    Actor, Beside, Caller, Certificate, ClientId, Document, DocumentCertificate, DocumentErasure,
    DocumentId, DocumentKind, DocumentStore, Email, Erasure, ErasureCause, FileFormat, Fingerprint,
    Form, Kept, KeyedRequest, Lookup, Preference, Replay, Retention, RetentionDecision,
    RetentionRuns, StoreError, Submission, SubmissionStore,
};

/// The ports that are over the same data.
///
/// ```
/// use std::sync::Arc;
///
/// use kyc_core::conformance::Stores;
/// use kyc_core::memory::{MemoryDocuments, MemoryRetention, MemorySubmissions};
///
/// let submissions = Arc::new(MemorySubmissions::default());
/// let documents = Arc::new(MemoryDocuments::default());
/// let retention = Arc::new(MemoryRetention::over(submissions.clone(), documents.clone()));
/// let stores = Stores { submissions, documents, retention };
/// assert!(stores.retention.scrub()?);
/// # Ok::<(), kyc_core::StoreError>(())
/// ```
#[derive(Clone)]
#[expect(missing_docs, reason = "each is the port of that name")]
pub struct Stores {
    pub submissions: Arc<dyn SubmissionStore>,
    pub documents: Arc<dyn DocumentStore>,
    pub retention: Arc<dyn Retention>,
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stores").finish_non_exhaustive()
    }
}

/// The contract of [`Retention`], except that erasures survive a crash. `open` gives empty stores.
///
/// ```
/// use std::sync::Arc;
///
/// use kyc_core::conformance::{Stores, retention};
/// use kyc_core::memory::{MemoryDocuments, MemoryRetention, MemorySubmissions};
///
/// retention(|| {
///     let submissions = Arc::new(MemorySubmissions::default());
///     let documents = Arc::new(MemoryDocuments::default());
///     let retention = Arc::new(MemoryRetention::over(submissions.clone(), documents.clone()));
///     Stores { submissions, documents, retention }
/// });
/// ```
///
/// # Panics
///
/// When a store breaks the contract.
pub fn retention(open: impl Fn() -> Stores) {
    what_is_erased_is_gone(&open());
    shared_documents_are_kept(&open());
    a_changed_submission_is_not_erased(&open());
    another_client_s_is_unknown(&open());
    erased_documents_are_not_referred_to(&open());
    what_may_be_over_is_found(&open());
    unused_uploads_are_found_and_erased(&open());
    one_document_is_erased_and_its_submissions_go_on(&open());
    what_was_answered_goes_with_what_it_told_of(&open());
    a_document_that_is_needed_elsewhere_is_not_erased(&open());
    the_submissions_of_an_address_are_found(&open());
    runs_are_compared_and_set(&open());
}

impl Stores {
    fn upload(&self, client: ClientId, number: u32) {
        self.put(client, number, Beside::NOTHING).expect("put");
    }

    fn put(&self, client: ClientId, number: u32, beside: Beside) -> Result<(), StoreError> {
        let document = Document {
            handle: handle(DocumentKind::Passport, number),
            created_at: time(number),
            format: FileFormat::Pdf,
            size_bytes: 8,
        };
        self.documents.put_with(client, &document, b"%PDF-1.4", beside)
    }

    fn insert(&self, number: u32, submission: &Submission) {
        self.submissions.insert(client(number), submission).expect("insert");
    }

    /// A store may read for itself for a moment, so once need not be enough.
    fn scrub(&self) {
        let is_done = |_| self.retention.scrub().expect("scrub");
        assert!((0..1_000).any(is_done), "nobody reads");
    }

    fn has(&self, client: ClientId, submission: &Submission) -> bool {
        let lookup = Lookup { id: Some(submission.id()), ..Lookup::default() };
        self.submissions.find(client, &lookup, Preference::Best).expect("find").is_some()
    }

    fn erase(&self, submission: &Submission) -> Certificate {
        let erased = self.retention.erase(client(1), &erasure(submission)).expect("erase");
        erased.expect("the submission is there")
    }
}

fn erasure(submission: &Submission) -> Erasure {
    let reason = "asked_for".parse().expect("a code");
    Erasure::of(submission, ErasureCause::Request(reason), time(9_000))
}

fn what_is_erased_is_gone(stores: &Stores) {
    for number in 1..=3 {
        stores.upload(client(1), number);
    }
    let (mine, other) = (submission(1, form_l2()), submission(2, Form { ..form() }));
    stores.insert(1, &mine);
    stores.insert(2, &other);
    let certificate = stores.erase(&mine);
    let ids = [1, 2, 3].map(document_id);
    assert_eq!(certificate.documents, ids, "the documents go with the submission");
    assert!(!stores.has(client(1), &mine), "the submission is gone");
    assert!(stores.has(client(2), &other), "another client's stays");
    for id in ids {
        assert_eq!(stores.documents.find(client(1), id).expect("find"), None, "as are documents");
        assert_eq!(stores.documents.bytes(client(1), id).expect("bytes"), None, "and their bytes");
    }
    let kept = stores.retention.certificate(client(1), mine.id()).expect("certificate");
    assert_eq!(kept.as_ref(), Some(&certificate), "the certificate is kept");
    assert_eq!(certificate.cause, erasure(&mine).cause);
    let again = stores.retention.erase(client(1), &erasure(&mine)).expect("erase");
    assert_eq!(again, None, "it is not there any more");
    stores.scrub();
}

fn shared_documents_are_kept(stores: &Stores) {
    stores.upload(client(1), 1);
    stores.upload(client(1), 2);
    let old = approved(sample());
    let renewed = old.renew(submission_id(2), time(2)).expect("approved");
    stores.insert(1, &old);
    stores.insert(1, &renewed);
    let first = stores.erase(&old);
    assert_eq!((first.documents.len(), first.documents_kept), (0, 2), "the renewal needs them");
    assert!(stores.documents.bytes(client(1), document_id(1)).expect("bytes").is_some());
    let second = stores.erase(&renewed);
    assert_eq!((second.documents.len(), second.documents_kept), (2, 0), "nobody else does");
    assert!(stores.documents.bytes(client(1), document_id(1)).expect("bytes").is_none());
}

fn a_changed_submission_is_not_erased(stores: &Stores) {
    stores.insert(1, &sample());
    let seen = erasure(&sample());
    stores.submissions.replace(client(1), &approved(sample())).expect("replace");
    let refused = stores.retention.erase(client(1), &seen);
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    assert!(stores.has(client(1), &sample()), "nothing was erased");
    let certificate = stores.retention.certificate(client(1), sample().id());
    assert_eq!(certificate.expect("certificate"), None, "nothing is certified");
}

fn another_client_s_is_unknown(stores: &Stores) {
    stores.insert(1, &sample());
    let refused = stores.retention.erase(client(2), &erasure(&sample())).expect("erase");
    assert_eq!(refused, None, "another client's");
    assert!(stores.has(client(1), &sample()), "nothing was erased");
    stores.erase(&sample());
    let certificate = stores.retention.certificate(client(2), sample().id());
    assert_eq!(certificate.expect("certificate"), None, "another client's");
}

fn erased_documents_are_not_referred_to(stores: &Stores) {
    stores.upload(client(1), 1);
    stores.upload(client(1), 2);
    stores.insert(1, &sample());
    stores.erase(&sample());
    let late = submission(2, form());
    let refused = stores.submissions.insert(client(1), &late);
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    assert!(!stores.has(client(1), &late), "nothing was stored");
    stores.insert(2, &late);
}

fn what_may_be_over_is_found(stores: &Stores) {
    let end = |submission: Submission, on| {
        let end = RetentionDecision::End { on: Some(on) };
        submission.decide_retention(Actor::Operator, time(90), end).expect("the end")
    };
    // All of 2026-11-20, but for the ends.
    let pending = submission(1, form());
    let standing = approved(submission(2, form()));
    let ended = end(approved(submission(3, form())), date!(2026 - 11 - 22));
    let later = end(rejected(submission(4, form())), date!(2026 - 11 - 24));
    let turned_down = rejected(submission(5, form()));
    for submission in [&ended, &pending, &standing, &later, &turned_down] {
        stores.insert(1, submission);
    }
    let found = |who, to| stores.retention.perhaps_over(client(who), to).expect("perhaps over");
    let ids = |all: &[&Submission]| all.iter().map(|one| one.id()).collect::<Vec<_>>();
    assert_eq!(found(1, date!(2026 - 11 - 19)), [], "none is that old");
    assert_eq!(found(1, date!(2026 - 11 - 20)), ids(&[&pending, &turned_down]));
    assert_eq!(found(1, date!(2026 - 11 - 23)), ids(&[&pending, &turned_down, &ended]));
    assert_eq!(found(1, date!(2026 - 11 - 24)), ids(&[&pending, &turned_down, &ended, &later]));
    assert_eq!(found(2, date!(2026 - 11 - 24)), [], "another client's");
    let (count, newest) = stores.retention.extent(client(1)).expect("extent");
    assert_eq!((count, newest), (5, Some(time(5))));
    assert_eq!(stores.retention.extent(client(2)).expect("extent"), (0, None));
}

fn unused_uploads_are_found_and_erased(stores: &Stores) {
    for number in 1..=5 {
        stores.upload(client(1), number);
    }
    stores.insert(1, &sample());
    let unused = |who, before, limit| {
        stores.retention.unused_documents(client(who), time(before), limit).expect("unused")
    };
    assert_eq!(unused(1, 5, 10), [3, 4].map(document_id), "neither used nor as new");
    assert_eq!(unused(1, 9, 2), [3, 4].map(document_id), "the oldest ones");
    assert_eq!(unused(2, 9, 10), [], "another client's");
    let all = [1, 3, 4].map(document_id);
    let erased = stores.retention.erase_unused(client(1), &all, time(9)).expect("erase");
    assert_eq!(erased, 2, "one is used");
    assert_eq!(unused(1, 9, 10), [5].map(document_id));
    assert!(stores.documents.bytes(client(1), document_id(1)).expect("bytes").is_some());
    assert!(stores.documents.bytes(client(1), document_id(3)).expect("bytes").is_none());
}

fn one_document_is_erased_and_its_submissions_go_on(stores: &Stores) {
    for number in 1..=3 {
        stores.upload(client(1), number);
    }
    let second = submission(2, form());
    stores.insert(1, &sample());
    stores.insert(1, &second);
    stores.insert(2, &second);
    let document = document_id(1);
    let referring = |who| stores.retention.referring(client(who), document).expect("referring");
    assert_eq!(referring(1), [sample().id(), second.id()]);
    assert_eq!(referring(2), [second.id()], "to a document of the same id, if there were one");
    let order = erasure_of(document, &[&sample(), &second]);
    assert_eq!(stores.retention.erase_document(client(2), &order).expect("erase"), None);
    let erased = stores.retention.erase_document(client(1), &order).expect("erase");
    let certificate = erased.expect("the document is there");
    assert_eq!(certificate, DocumentCertificate::of(client(1), &order, time(1)));
    assert_eq!(certificate.submissions, [sample().id(), second.id()]);
    assert_eq!(stores.documents.find(client(1), document).expect("find"), None);
    assert_eq!(stores.documents.bytes(client(1), document).expect("bytes"), None);
    assert!(stores.documents.bytes(client(1), document_id(2)).expect("bytes").is_some());
    for changed in &order.changed {
        let lookup = Lookup { id: Some(changed.id()), ..Lookup::default() };
        let found = stores.submissions.find(client(1), &lookup, Preference::Best).expect("find");
        assert_eq!(found.as_ref(), Some(changed), "it goes on without the document");
    }
    assert_eq!(referring(1), []);
    let kept = stores.retention.document_certificate(client(1), document).expect("certificate");
    assert_eq!(kept, Some(certificate), "the certificate is kept");
    let other = stores.retention.document_certificate(client(2), document).expect("certificate");
    assert_eq!(other, None, "another client's");
    let again = stores.retention.erase_document(client(1), &order).expect("erase");
    assert_eq!(again, None, "it is not there any more");
    let late = stores.submissions.insert(client(1), &submission(4, form()));
    assert!(matches!(late, Err(StoreError::Stale)), "it is never referred to again: {late:?}");
    // What is left goes with the submission.
    let last = order.changed.last().expect("two");
    assert_eq!(stores.erase(last).documents_kept, 1, "the other one needs the selfie");

    let unused = erasure_of(document_id(3), &[]);
    let erased = stores.retention.erase_document(client(1), &unused).expect("erase");
    assert_eq!(erased.map(|certificate| certificate.submissions), Some(Vec::new()));
    stores.scrub();
}

fn what_was_answered_goes_with_what_it_told_of(stores: &Stores) {
    let [sent, upload, other] = ["form", "upload", "other"].map(|key| replay(key, time(0)));
    let mut theirs = sent.clone();
    theirs.request.caller = Caller::Client(client(2));
    let beside = |replay: &Replay| Beside::answer(replay.clone());
    let insert = |who, number, replay| {
        let submission = submission(number, form());
        stores.submissions.insert_with(client(who), &submission, beside(replay))
    };
    stores.put(client(1), 1, beside(&upload)).expect("put");
    stores.put(client(1), 3, beside(&other)).expect("put");
    insert(1, 1, &sent).expect("insert");
    insert(2, 1, &theirs).expect("insert");

    let submitted = |request: &KeyedRequest, at| stores.submissions.find_answer(request, at);
    let uploaded = |request: &KeyedRequest, at| stores.documents.find_answer(request, at);
    let kept = |replay: &Replay, who| {
        Some(Kept::Answer { client: client(who), answer: replay.answer.clone() })
    };
    stores.erase(&sample());
    assert_eq!(submitted(&sent.request, time(9)).expect("find"), Some(Kept::Erased));
    assert_eq!(uploaded(&upload.request, time(9)).expect("find"), Some(Kept::Erased));
    assert_eq!(submitted(&theirs.request, time(9)).expect("find"), kept(&theirs, 2));
    assert_eq!(uploaded(&other.request, time(9)).expect("find"), kept(&other, 1));

    let unused = erasure_of(document_id(3), &[]);
    stores.retention.erase_document(client(1), &unused).expect("erase").expect("it is there");
    assert_eq!(uploaded(&other.request, time(9)).expect("find"), Some(Kept::Erased));

    for refused in [insert(1, 2, &sent), stores.put(client(1), 3, beside(&other))] {
        assert!(matches!(refused, Err(StoreError::KeyTaken)), "a key stays taken: {refused:?}");
    }
    let another = KeyedRequest { fingerprint: Fingerprint([9; 32]), ..sent.request.clone() };
    assert_eq!(submitted(&another, time(9)).expect("find"), Some(Kept::OtherRequest));
    let tomorrow = time(0).plus_millis(Replay::KEPT_MILLIS);
    assert_eq!(submitted(&sent.request, tomorrow).expect("find"), None, "for a day");
}

fn a_document_that_is_needed_elsewhere_is_not_erased(stores: &Stores) {
    stores.upload(client(1), 1);
    stores.upload(client(1), 2);
    stores.insert(1, &sample());
    let seen = erasure_of(document_id(1), &[&sample()]);
    let refused = |order| {
        let refused = stores.retention.erase_document(client(1), order);
        assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
        assert!(stores.documents.bytes(client(1), document_id(1)).expect("bytes").is_some());
        let kept = stores.retention.document_certificate(client(1), document_id(1));
        assert_eq!(kept.expect("certificate"), None, "nothing is certified");
    };
    let second = submission(2, form());
    stores.insert(1, &second);
    refused(&seen);
    let lookup = Lookup { id: Some(sample().id()), ..Lookup::default() };
    let first = stores.submissions.find(client(1), &lookup, Preference::Best).expect("find");
    assert_eq!(first, Some(sample()), "the first one is not changed alone");
    let both = erasure_of(document_id(1), &[&sample(), &second]);
    stores.submissions.replace(client(1), &approved(second)).expect("replace");
    refused(&both);
}

fn erasure_of(document: DocumentId, referring: &[&Submission]) -> DocumentErasure {
    let without = |submission: &&Submission| {
        let without = (*submission).clone().erase_document(Actor::Operator, time(60), document);
        without.expect("no decision rests on it")
    };
    let changed = referring.iter().map(without).collect();
    let reason = "not_the_applicant".parse().expect("a code");
    DocumentErasure { document, changed, reason, at: time(60) }
}

fn the_submissions_of_an_address_are_found(stores: &Stores) {
    let leo = Form { email: "Leo@example.org".parse().expect("an address"), ..form() };
    for (who, one) in [
        (1, submission(1, form())),
        (1, approved(submission(2, form()))),
        (1, submission(3, leo.clone())),
        (2, submission(4, form())),
    ] {
        stores.insert(who, &one);
    }
    let of = |email: &Email| {
        let mut ids = stores.submissions.of_applicant(client(1), email).expect("of the applicant");
        ids.sort_unstable();
        ids
    };
    assert_eq!(of(&form().email), [1, 2].map(submission_id));
    assert_eq!(of(&"leo@EXAMPLE.org".parse().expect("an address")), [submission_id(3)]);
}

fn runs_are_compared_and_set(stores: &Stores) {
    let runs = || stores.retention.runs().expect("runs");
    let new = RetentionRuns::default();
    assert_eq!(runs(), new, "there was none yet");
    let first = RetentionRuns { last: Some(time(1)), waiting: None };
    let second = RetentionRuns { last: Some(time(1)), waiting: Some(u64::MAX) };
    stores.retention.advance_runs(&new, &first).expect("advance");
    stores.retention.advance_runs(&first, &second).expect("advance");
    assert_eq!(runs(), second);
    let stale = stores.retention.advance_runs(&first, &new);
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert_eq!(runs(), second, "nothing is stored");
}
