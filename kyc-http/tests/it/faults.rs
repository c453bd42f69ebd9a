//! When a store fails: a 500, the cause for the report alone, and nothing half done (D10).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};
use kyc_core::{
    AnswerStore, AuditEntry, AuditHash, AuditLog, Audited, Beside, Client, ClientId, Directory,
    Document, DocumentId, DocumentStore, Duplicate, Inspector, Kept, KeyedRequest, Listing, Lookup,
    PageKey, Preference, QueueFilter, Queued, ScreeningQueue, StoreError, Submission,
    SubmissionStore, Timestamp, Visit,
};

use crate::support::*;

/// Counts down to the call that fails; 0 lets everything through.
#[derive(Default)]
struct Countdown(AtomicUsize);

impl Countdown {
    fn set(&self, calls: usize) {
        self.0.store(calls, Ordering::Relaxed);
    }

    fn pass(&self) -> Result<(), StoreError> {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            1 => Err(StoreError::Unavailable("the disk is on fire".into())),
            left => {
                self.0.store(left - 1, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

/// A store or directory that fails when its turn has come, before it does anything.
struct Failing<S> {
    inner: S,
    countdown: Arc<Countdown>,
}

impl<S: AnswerStore> AnswerStore for Failing<S> {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        self.countdown.pass()?;
        self.inner.find_answer(request, now)
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        self.countdown.pass()?;
        self.inner.forget_answers(now, count_max)
    }
}

impl<S: SubmissionStore> SubmissionStore for Failing<S> {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.countdown.pass()?;
        self.inner.insert_with(client, submission, beside)
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.countdown.pass()?;
        self.inner.replace_with(client, submission, beside)
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        self.countdown.pass()?;
        self.inner.find(client, lookup, preference)
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        self.countdown.pass()?;
        self.inner.find_with_duplicates(client, lookup, preference)
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        // Fails after everything was shown, the worst moment.
        let listing = self.inner.list(client, after, visit)?;
        self.countdown.pass()?;
        Ok(listing)
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.countdown.pass()?;
        self.inner.awaiting_screening(queue, after, limit)
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.countdown.pass()?;
        self.inner.review_queue(filter, after, limit)
    }

    fn reads_are_local(&self) -> bool {
        self.inner.reads_are_local()
    }
}

impl<S: DocumentStore> DocumentStore for Failing<S> {
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.countdown.pass()?;
        self.inner.put_with(client, document, bytes, beside)
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        self.countdown.pass()?;
        self.inner.find(client, id)
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        self.countdown.pass()?;
        self.inner.bytes(client, id)
    }
}

impl<S: Directory> Directory for Failing<S> {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        self.countdown.pass()?;
        self.inner.client_of_key(key)
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        self.countdown.pass()?;
        self.inner.inspector_of_token(token)
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        self.countdown.pass()?;
        self.inner.clients()
    }
}

impl<S: AuditLog> AuditLog for Failing<S> {
    fn append(&self, entries: &[(Option<ClientId>, AuditEntry)]) -> Result<(), StoreError> {
        self.countdown.pass()?;
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

fn fragile() -> (World, Arc<Countdown>) {
    let countdown = Arc::new(Countdown::default());
    let world = World::over(
        Arc::new(Failing { inner: MemorySubmissions::default(), countdown: countdown.clone() }),
        Arc::new(Failing { inner: MemoryDocuments::default(), countdown: countdown.clone() }),
        Arc::new(Failing { inner: directory(), countdown: countdown.clone() }),
        Arc::new(Failing { inner: MemoryAudit::default(), countdown: countdown.clone() }),
    );
    (world, countdown)
}

/// Everything that can be seen, by clients and by inspectors.
fn sight(world: &World) -> Vec<Answer> {
    let mut sight = vec![
        world.get(Acme, "/v2/submissions/resultall").success(),
        world.get(Acme, "/f1/submissions").success(),
        world.get(Ines, "/review/v1/submissions?status=all").success(),
    ];
    let items = sight[2].value_at("/items");
    for item in items.as_array().unwrap() {
        let id = item["id"].as_str().unwrap();
        sight.push(world.get(Ines, &format!("/review/v1/submissions/{id}")).success());
    }
    sight
}

/// Fails each store call of a request in turn. Every failure is a 500 with its cause in the report
/// and leaves everything as it was; after the failures, the same request succeeds.
#[track_caller]
fn check(prepare: impl Fn(&World) -> String, act: impl Fn(&World, &str) -> Answer) {
    let (world, countdown) = fragile();
    let id = prepare(&world);
    let before = sight(&world);
    let mut failures = 0;
    loop {
        countdown.set(failures + 1);
        let answer = act(&world, &id);
        countdown.set(0);
        if answer.status == 200 {
            break;
        }
        failures += 1;
        assert!(failures < 100, "the failures do not end");
        answer.is_error(500, "server_error", "Other 500 Error");
        let reports: Vec<Reported> = world.reports.lock().unwrap().drain(..).collect();
        let cause = "the storage failed: the storage failed: the disk is on fire".to_owned();
        assert_eq!(reports, [(answer.text_at("/request_id"), cause)]);
        assert_eq!(sight(&world), before, "after failure {failures}");
    }
    // Credentials at least are looked up.
    assert!(failures >= 2, "{failures}");
    assert!(world.reports.lock().unwrap().is_empty());
}

const STATUS: &str = "/v2/submissions/mira.kole@example.org";

fn pending(world: &World) -> String {
    let form = world.full(Acme);
    world.post(Acme, "/f1/submissions", &form.body()).success().text_at("/id")
}

fn approved(world: &World) -> String {
    let id = pending(world);
    world.approve_l2(&id);
    id
}

#[test]
fn d10_uploads() {
    for target in ["/v2/submissions/upload", "/f1/submissions/upload"] {
        check(pending, |world, _| world.upload(Acme, target, "passport", &jpeg()));
    }
}

#[test]
fn d10_forms() {
    for target in ["/v2/submissions", "/f1/submissions"] {
        let form = World::new().full(Acme);
        check(pending, |world, _| world.post(Acme, target, &form.body()));
    }
    let body = Sent::mira_aml_only().body();
    check(pending, |world, _| world.post(Acme, "/v2/amlonly", &body));
}

#[test]
fn d10_renewals() {
    check(approved, |world, id| {
        world.post(Acme, &format!("/v2/submissions/renewaml/mira.kole@example.org/{id}"), "")
    });
}

#[test]
fn d10_documents() {
    let incomplete = |world: &World| {
        let id = pending(world);
        world.retake(&id, "selfie_res");
        id
    };
    // The selfie that was refused is as good as another one here.
    let selfie = World::new().full(Acme).value("selfie_res").to_owned();
    check(incomplete, |world, id| {
        world.post(Acme, &format!("{STATUS}/{id}/documents"), &format!("selfie_res={selfie}"))
    });
}

#[test]
fn d10_reads_and_lists() {
    for target in [
        STATUS,
        "/v2/submissions/mira.kole@example.org/result",
        "/v2/submissions/resultall",
        "/f1/submissions",
        "/f1/submissions?userid=user-17",
    ] {
        check(approved, |world, _| world.get(Acme, target));
    }
    check(approved, |world, id| world.get(Acme, &format!("{STATUS}/{id}")));
}

#[test]
fn d10_inspections() {
    let at = |id: &str, rest: &str| format!("/review/v1/submissions/{id}{rest}");
    check(pending, |world, _| world.get(Ines, "/review/v1/submissions"));
    check(pending, |world, id| world.get(Ines, &format!("/review/v1/submissions?after={id}")));
    check(pending, |world, id| world.get(Ines, &at(id, "")));
    check(pending, |world, id| world.get(Ines, &at(id, "/documents/selfie_res")));
}

#[test]
fn d100_a_decision_whose_answer_cannot_be_made_is_not_stored() {
    check(pending, |world, id| {
        let body = r#"{"version":1,"comment":"No."}"#;
        world.post(Ines, &format!("/review/v1/submissions/{id}/reject"), body)
    });
}
