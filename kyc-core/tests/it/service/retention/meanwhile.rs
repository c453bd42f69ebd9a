//! Something happens, or fails, between what a keeper reads and what it erases.

use std::sync::Mutex;

use kyc_core::conformance::fixture::{document_id, handle, replay};
use kyc_core::{
    Beside, Certificate, ClientId, DocumentCertificate, DocumentErasure, DocumentId, Erasure, Form,
    Inspector, ReasonCode, StoreError, SubmissionId,
};

use super::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Erase,
    EraseDocument,
    AdvanceRuns,
    Referring,
    Scrub,
}

type Hook = Box<dyn FnMut() -> Result<(), StoreError> + Send>;

/// The store in memory, with something that happens once, before the next call of a kind.
struct Between {
    inner: Arc<MemoryRetention>,
    next: Mutex<Option<(Call, Hook)>>,
}

impl Between {
    fn before(&self, call: Call) -> Result<(), StoreError> {
        let due = self.next.lock().unwrap().take_if(|(kind, _)| *kind == call);
        due.map_or(Ok(()), |(_, mut hook)| hook())
    }
}

impl Retention for Between {
    fn perhaps_over(&self, client: ClientId, to: Date) -> Result<Vec<SubmissionId>, StoreError> {
        self.inner.perhaps_over(client, to)
    }

    fn extent(&self, client: ClientId) -> Result<(u64, Option<Timestamp>), StoreError> {
        self.inner.extent(client)
    }

    fn erase(&self, client: ClientId, it: &Erasure) -> Result<Option<Certificate>, StoreError> {
        self.before(Call::Erase)?;
        self.inner.erase(client, it)
    }

    fn certificate(
        &self,
        client: ClientId,
        submission: SubmissionId,
    ) -> Result<Option<Certificate>, StoreError> {
        self.inner.certificate(client, submission)
    }

    fn referring(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        self.before(Call::Referring)?;
        self.inner.referring(client, document)
    }

    fn erase_document(
        &self,
        client: ClientId,
        erasure: &DocumentErasure,
    ) -> Result<Option<DocumentCertificate>, StoreError> {
        self.before(Call::EraseDocument)?;
        self.inner.erase_document(client, erasure)
    }

    fn document_certificate(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Option<DocumentCertificate>, StoreError> {
        self.inner.document_certificate(client, document)
    }

    fn unused_documents(
        &self,
        client: ClientId,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<DocumentId>, StoreError> {
        self.inner.unused_documents(client, before, limit)
    }

    fn erase_unused(
        &self,
        client: ClientId,
        documents: &[DocumentId],
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        self.inner.erase_unused(client, documents, at)
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        self.before(Call::Scrub)?;
        self.inner.scrub()
    }

    fn runs(&self) -> Result<RetentionRuns, StoreError> {
        self.inner.runs()
    }

    fn advance_runs(&self, from: &RetentionRuns, to: &RetentionRuns) -> Result<(), StoreError> {
        self.before(Call::AdvanceRuns)?;
        self.inner.advance_runs(from, to)
    }
}

/// A keeper of the world's stores, for which something happens before the next call of a kind.
fn keeper_before(
    world: &World,
    call: Call,
    hook: impl FnMut() -> Result<(), StoreError> + Send + 'static,
) -> Keeper {
    let next = Mutex::new(Some((call, Box::new(hook) as Hook)));
    let store = Arc::new(Between { inner: Arc::clone(&world.store), next });
    Keeper::new(world.service.clone(), store, RetentionPolicy::default(), bold())
}

fn fails() -> Result<(), StoreError> {
    Err(StoreError::Unavailable("told to fail".into()))
}

fn is_failure(error: &Error) -> bool {
    matches!(error, Error::Store(StoreError::Unavailable(_)))
}

/// The first submission of client 1 is held.
fn held(world: &World) -> impl FnMut() -> Result<(), StoreError> + Send + 'static {
    let service = world.service.clone();
    move || {
        let (id, decision) = (submission_id(1), hold(None));
        service.decide_retention(client(1), id, &Actor::Operator, &decision).unwrap();
        Ok(())
    }
}

fn reason() -> ReasonCode {
    "asked_for".parse().unwrap()
}

/// Two submissions of two applicants that are due.
fn two_due() -> World {
    let world = world(bold());
    for (number, email) in [(1, "mira@example.org"), (2, "leo@example.org")] {
        let form = Form { email: email.parse().unwrap(), ..form() };
        let one = rejected(Submission::new(form, submission_id(number), world.clock.now()));
        world.submissions.insert(client(1), &one).unwrap();
    }
    world.set("2031-11-21");
    world
}

#[test]
fn t31_what_is_held_between_the_look_and_the_erasure_is_not_erased() {
    for call in [Call::AdvanceRuns, Call::Erase] {
        let world = two_due();
        let run = keeper_before(&world, call, held(&world)).run(None).unwrap();
        assert_eq!((run.due, run.erased), (2, 1), "{call:?}");
        assert!(world.is_there(1, 1) && !world.is_there(1, 2), "{call:?}");
        assert_eq!(world.keeper.run(None).unwrap().due, 0, "it stands");
    }
}

#[test]
fn t31_what_somebody_else_erased_meanwhile_is_not_counted() {
    let world = two_due();
    let keeper = world.keeper.clone();
    let faster = move || {
        keeper.erase(client(1), submission_id(1), reason()).unwrap();
        Ok(())
    };
    let run = keeper_before(&world, Call::AdvanceRuns, faster).run(None).unwrap();
    assert_eq!((run.due, run.erased), (2, 1));
}

#[test]
fn d107_of_two_runs_at_once_one_erases() {
    let world = two_due();
    let keeper = world.keeper.clone();
    let faster = move || {
        assert_eq!(keeper.run(None).unwrap().erased, 2);
        Ok(())
    };
    let slower = keeper_before(&world, Call::AdvanceRuns, faster).run(None);
    assert!(matches!(slower, Err(Error::Stale)), "{slower:?}");
    let runs = world.keeper.runs().unwrap();
    assert_eq!(runs, RetentionRuns { last: Some(world.clock.now()), waiting: None });
}

#[test]
fn d107_what_a_failed_run_left_is_erased_by_the_next_one() {
    let world = two_due();
    let failed = keeper_before(&world, Call::Erase, fails).run(None).unwrap_err();
    assert!(is_failure(&failed), "{failed:?}");
    assert!(world.is_there(1, 1) && world.is_there(1, 2));
    assert_eq!(world.keeper.run(None).unwrap().erased, 2);
}

#[test]
fn d106_a_request_is_refused_if_the_submission_changes_meanwhile() {
    let world = two_due();
    let erase = |keeper: Keeper| keeper.erase(client(1), submission_id(1), reason());
    let failed = erase(keeper_before(&world, Call::Erase, fails)).unwrap_err();
    assert!(matches!(&failed, EraseError::Failed(error) if is_failure(error)), "{failed:?}");
    assert_eq!(failed.to_string(), "the storage failed");
    let stale = erase(keeper_before(&world, Call::Erase, held(&world))).unwrap_err();
    assert!(matches!(stale, EraseError::Stale), "{stale:?}");
    assert_eq!(stale.to_string(), "the submission changed in between");
    assert!(world.is_there(1, 1));
    let certificate = world.store.certificate(client(1), submission_id(1)).unwrap();
    assert_eq!(certificate, None);
}

#[test]
fn t31_an_erasure_that_could_not_be_scrubbed_is_finished_later() {
    let world = two_due();
    let keeper = keeper_before(&world, Call::Scrub, fails);
    let failed = keeper.erase(client(1), submission_id(1), reason()).unwrap_err();
    assert!(matches!(&failed, EraseError::Failed(error) if is_failure(error)), "{failed:?}");
    assert!(!world.is_there(1, 1), "nothing shows it any more");
    assert!(world.service.certificate(&inspector(), submission_id(1)).is_ok());
    assert!(keeper.finish().is_ok());
    let unfinished = keeper_before(&world, Call::Scrub, fails).finish().unwrap_err();
    assert!(is_failure(&unfinished), "{unfinished:?}");
}

#[test]
fn d120_a_document_stays_if_a_submission_changes_meanwhile() {
    let world = world(bold());
    let passport = handle(DocumentKind::Passport, 1);
    let document =
        Document { handle: passport, created_at: time(0), format: FileFormat::Pdf, size_bytes: 8 };
    world.documents.put(client(1), &document, b"%PDF-1.4").unwrap();
    world.store(1, 1, pending);
    let erase = |keeper: Keeper| keeper.erase_document(client(1), passport.id(), reason());
    let stale = erase(keeper_before(&world, Call::EraseDocument, held(&world))).unwrap_err();
    assert!(matches!(stale, EraseDocumentError::Stale), "{stale:?}");
    assert_eq!(stale.to_string(), "a submission that refers to it changed in between: try again");
    world.decide(1, &release()).unwrap();
    for call in [Call::Referring, Call::EraseDocument] {
        let failed = erase(keeper_before(&world, call, fails)).unwrap_err();
        assert_eq!(failed.to_string(), "the storage failed", "{call:?}");
        let EraseDocumentError::Failed(error) = failed else { panic!("{failed:?}") };
        assert!(is_failure(&error), "{call:?}");
    }
    assert!(world.documents.bytes(client(1), passport.id()).unwrap().is_some());
    assert!(erase(world.keeper.clone()).is_ok());
    let unknown = world.keeper.erase_document(client(1), document_id(99), reason()).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no such document");
}

#[test]
fn d106_a_check_says_what_an_erasure_would_and_changes_nothing() {
    const RELATIONSHIP: &str = "it is to be kept until its period after the end of the \
        relationship, which nobody has told, is over";
    const HOLD: &str = "it is to be kept while it is held";
    const UNKNOWN: &str = "there is no such submission";
    let world = two_due();
    world.store(1, 3, approved);
    held(&world)().unwrap();
    let until = "it is to be kept until 2031-11-21T00:00:00.000Z";
    for (day, second) in [("2031-11-20", until), ("2031-11-21", "")] {
        world.set(day);
        for (number, expected) in (1..).zip([HOLD, second, RELATIONSHIP, UNKNOWN]) {
            let id = submission_id(number);
            let said = |outcome: Result<(), EraseError>| {
                outcome.err().map(|refused| refused.to_string()).unwrap_or_default()
            };
            assert_eq!(said(world.keeper.check(client(1), id)), expected, "{day}");
            assert_eq!(world.is_there(1, number), number < 4, "a check erases nothing");
            let erased = world.keeper.erase(client(1), id, reason()).map(drop);
            assert_eq!(said(erased), expected, "{day}");
            assert_eq!(world.is_there(1, number), number < 4 && !expected.is_empty());
        }
    }
}

#[test]
fn d131_a_request_whose_record_was_erased_is_told_so_and_brings_nothing_back() {
    let world = two_due();
    let first = replay("form", world.clock.now());
    let one = rejected(Submission::new(form(), submission_id(3), time(0)));
    let beside = || Beside::answer(first.clone());
    world.submissions.insert_with(client(1), &one, beside()).unwrap();
    assert_eq!(world.service.answered(&first.request).unwrap(), Some(first.answer.clone()));
    world.keeper.erase(client(1), submission_id(3), reason()).unwrap();
    let again = world.service.answered(&first.request).unwrap_err();
    assert!(matches!(again, Error::KeyErased));
    assert_eq!(again.to_string(), "what was stored under this key was erased");
}

#[test]
fn d106_a_certificate_is_shown_to_whoever_saw_the_submission() {
    let world = two_due();
    let id = submission_id(1);
    let shown = |inspector: &Inspector| world.service.certificate(inspector, id).is_ok();
    assert!(!shown(&inspector()), "it is not erased");
    world.keeper.erase(client(1), id, reason()).unwrap();
    let bound = |number| Inspector { clients: Some(vec![client(number)]), ..inspector() };
    assert_eq!([inspector(), bound(1), bound(2)].each_ref().map(shown), [true, true, false]);
}

#[test]
fn d105_a_keeper_tells_the_policy_that_it_keeps_by() {
    let world = world(bold());
    let seven = RetentionPolicy { years: 7, ..RetentionPolicy::default() };
    let keeper = Keeper::new(world.service.clone(), world.store.clone(), seven, bold());
    assert_eq!((keeper.policy().years, world.keeper.policy().years), (7, 5));
    world.store(1, 1, rejected);
    let kept = keeper.keep(client(1), submission_id(1)).unwrap();
    assert_eq!(kept, Keep::Until(at("2033-11-21")));
    let unknown = keeper.keep(client(2), submission_id(1));
    assert!(matches!(unknown, Err(Error::NotFound)), "another client's: {unknown:?}");
}
