use std::ops::Deref;
use std::sync::{Arc, Mutex, mpsc};

use kyc_core::conformance::fixture::{client, client_record, inspector, time, valid};
use kyc_core::conformance::stand_in::{CountingIds, ManualClock};
use kyc_core::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
use kyc_core::service::{Decision, Error, Options, Service};
use kyc_core::strategies::SentForm;
use kyc_core::{
    AnswerStore, Beside, ClientId, CountrySyntax, Document, DocumentHandle, DocumentKind,
    Duplicate, Email, Field, Form, Inspector, Kept, KeyedRequest, Listing, Lookup, PageKey,
    Preference, QueueFilter, Queued, ScreeningQueue, Slot, Slots, Spelling, StoreError, Submission,
    SubmissionId, SubmissionStore, Timestamp, Visit,
};
use time::macros::date;

/// The smallest JPEG whose header is whole.
pub(crate) const JPEG: &[u8] = b"\xFF\xD8\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00";
pub(crate) const PDF: &[u8] = b"%PDF-1.4\n";

/// A service for the clients 1 and 2, over a clock and stores that a test can reach.
pub(crate) struct World {
    service: Service,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) store: Arc<Hooked>,
    pub(crate) audit: Arc<MemoryAudit>,
}

impl Deref for World {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

pub(crate) fn world() -> World {
    world_with(Options::default())
}

pub(crate) fn world_with(options: Options) -> World {
    let audit = Arc::new(MemoryAudit::default());
    let inner = MemorySubmissions::default().with_audit(Arc::clone(&audit));
    let store = Arc::new(Hooked { inner, ..Hooked::default() });
    World { store: Arc::clone(&store), ..world_of(store, audit, options) }
}

/// A service over another store.
pub(crate) fn world_around(store: Arc<dyn SubmissionStore>) -> World {
    world_of(store, Arc::default(), Options::default())
}

fn world_of(store: Arc<dyn SubmissionStore>, audit: Arc<MemoryAudit>, options: Options) -> World {
    let clock = Arc::new(ManualClock::at(time(0)));
    let directory = MemoryDirectory::default()
        .with_client("key 1", client_record(1))
        .with_client("key 2", client_record(2))
        .with_inspector("token of ines", inspector())
        .with_inspector("token of omar", omar());
    let service = Service::new(
        store,
        Arc::new(MemoryDocuments::default().with_audit(Arc::clone(&audit))),
        Arc::new(directory),
        Arc::clone(&audit) as Arc<dyn kyc_core::AuditLog>,
        Arc::clone(&clock) as Arc<dyn kyc_core::Clock>,
        Arc::new(CountingIds::default()),
        options,
    );
    World { service, clock, store: Arc::default(), audit }
}

/// An inspector who sees client 2 alone.
pub(crate) fn omar() -> Inspector {
    Inspector { name: valid("omar"), clients: Some(vec![client(2)]) }
}

impl World {
    pub(crate) fn upload(&self, number: u32, kind: DocumentKind) -> DocumentHandle {
        let bytes = if kind == DocumentKind::Selfie { JPEG } else { PDF };
        let document =
            self.service.upload(&client_record(number), kind, Spelling::Underscored, bytes);
        document.unwrap().handle
    }

    /// Uploads bytes for client 1.
    pub(crate) fn upload_as(
        &self,
        kind: DocumentKind,
        spelling: Spelling,
        bytes: &[u8],
    ) -> Result<Document, Error> {
        self.service.upload(&client_record(1), kind, spelling, bytes)
    }

    /// Submits texts as they are.
    pub(crate) fn send(&self, client: ClientId, sent: &SentForm) -> Result<Submission, Error> {
        let values = |field: Field| sent.texts.get(&field).map(String::as_str);
        if sent.is_aml_only {
            self.service.submit_aml_only(client, &values, CountrySyntax::Combined)
        } else {
            self.service.submit(client, &values, CountrySyntax::Combined)
        }
    }

    /// As [`send`](Self::send), in the way that does not wait.
    pub(crate) fn send_then(&self, client: ClientId, sent: &SentForm) -> Result<Submission, Error> {
        let values = |field: Field| sent.texts.get(&field).map(String::as_str);
        let prepared = if sent.is_aml_only {
            self.service.prepare_aml_only(client, &values, CountrySyntax::Combined)?
        } else {
            self.service.prepare_form(client, &values, CountrySyntax::Combined)?
        };
        let submission = prepared.value().clone();
        let (sender, outcome) = mpsc::channel();
        prepared.store_then(Beside::NOTHING, move |stored| sender.send(stored).unwrap());
        outcome.recv().unwrap().map(|()| submission)
    }

    /// Uploads the documents of a form for a client, each anew, and gives the form as texts.
    pub(crate) fn with_uploads(&self, number: u32, form: &Form) -> SentForm {
        let mut sent = SentForm::of(form);
        for field in Field::HANDLES {
            if let Some(text) = sent.texts.get_mut(&field) {
                let kind = text.parse::<DocumentHandle>().unwrap().kind();
                *text = self.upload(number, kind).to_text();
            }
        }
        sent
    }

    /// Uploads what a form refers to and submits it, a second after whatever was before.
    pub(crate) fn submit_form(&self, number: u32, form: &Form) -> Submission {
        self.clock.advance_millis(1_000);
        self.send(client(number), &self.with_uploads(number, form)).unwrap()
    }

    pub(crate) fn resupply(
        &self,
        number: u32,
        of: &Submission,
        texts: &[(Field, &str)],
    ) -> Result<Submission, Error> {
        let values =
            |field: Field| texts.iter().find(|(sent, _)| *sent == field).map(|(_, text)| *text);
        self.service.supply_documents(client(number), &of.form().email, of.id(), &values)
    }

    pub(crate) fn decided(&self, submission: &Submission, decision: Decision) -> Submission {
        let (id, version) = (submission.id(), submission.version());
        self.service.decide(&inspector(), id, version, decision).unwrap().submission
    }

    /// What the store has of a submission.
    pub(crate) fn stored(&self, number: u32, id: SubmissionId) -> Option<Submission> {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        self.store.inner.find(client(number), &lookup, Preference::Latest).unwrap()
    }

    pub(crate) fn stored_count(&self, number: u32) -> usize {
        let mut count = 0;
        let mut visit = |_: &kyc_core::Listed<'_>| {
            count += 1;
            std::ops::ControlFlow::Continue(())
        };
        self.store.inner.list(client(number), None, &mut visit).unwrap();
        count
    }
}

pub(crate) fn approve() -> Decision {
    Decision::Approve { id_expires: date!(2031 - 02 - 28), address_issued: None }
}

pub(crate) fn reject() -> Decision {
    Decision::Reject { comment: valid("The photo is blurred."), reason_codes: Vec::new() }
}

pub(crate) fn retake(slots: &[Slot]) -> Decision {
    let documents: Slots = slots.iter().copied().collect();
    Decision::Retake { documents, comment: None }
}

pub(crate) fn reopen() -> Decision {
    Decision::Reopen { reason: valid("A second look is needed.") }
}

/// A call of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Insert,
    Replace,
    FindAnswer,
    ForgetAnswers,
    Find,
    FindWithDuplicates,
    List,
    AwaitingScreening,
    ReviewQueue,
}

type Hook = Box<dyn FnMut(&MemorySubmissions, Call) -> Result<(), StoreError> + Send>;

/// The store in memory, with something that happens before each call and may fail it.
#[derive(Default)]
pub(crate) struct Hooked {
    pub(crate) inner: MemorySubmissions,
    hook: Mutex<Option<Hook>>,
}

impl Hooked {
    pub(crate) fn before_each_call(
        &self,
        hook: impl FnMut(&MemorySubmissions, Call) -> Result<(), StoreError> + Send + 'static,
    ) {
        *self.hook.lock().unwrap() = Some(Box::new(hook));
    }

    /// Somebody else stores this version just before the next one is.
    pub(crate) fn overtaken_by(&self, client: ClientId, faster: Submission) {
        self.before_each_call(move |store, call| {
            if call == Call::Replace { store.replace(client, &faster) } else { Ok(()) }
        });
    }

    pub(crate) fn undisturbed(&self) {
        *self.hook.lock().unwrap() = None;
    }

    fn before(&self, call: Call) -> Result<(), StoreError> {
        match self.hook.lock().unwrap().as_mut() {
            Some(hook) => hook(&self.inner, call),
            None => Ok(()),
        }
    }
}

impl AnswerStore for Hooked {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        self.before(Call::FindAnswer)?;
        self.inner.find_answer(request, now)
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        self.before(Call::ForgetAnswers)?;
        self.inner.forget_answers(now, count_max)
    }
}

impl SubmissionStore for Hooked {
    fn insert_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.before(Call::Insert)?;
        self.inner.insert_with(client, submission, beside)
    }

    fn replace_with(
        &self,
        client: ClientId,
        submission: &Submission,
        beside: Beside,
    ) -> Result<(), StoreError> {
        self.before(Call::Replace)?;
        self.inner.replace_with(client, submission, beside)
    }

    fn find(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<Submission>, StoreError> {
        self.before(Call::Find)?;
        self.inner.find(client, lookup, preference)
    }

    fn find_with_duplicates(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
        preference: Preference,
    ) -> Result<Option<(Submission, Vec<Duplicate>)>, StoreError> {
        self.before(Call::FindWithDuplicates)?;
        self.inner.find_with_duplicates(client, lookup, preference)
    }

    fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<Listing, StoreError> {
        self.before(Call::List)?;
        self.inner.list(client, after, visit)
    }

    fn awaiting_screening(
        &self,
        queue: ScreeningQueue,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.before(Call::AwaitingScreening)?;
        self.inner.awaiting_screening(queue, after, limit)
    }

    fn review_queue(
        &self,
        filter: &QueueFilter<'_>,
        after: Option<&Queued>,
        limit: usize,
    ) -> Result<Vec<Queued>, StoreError> {
        self.before(Call::ReviewQueue)?;
        self.inner.review_queue(filter, after, limit)
    }

    fn reads_are_local(&self) -> bool {
        self.inner.reads_are_local()
    }
}

/// A lookup by e-mail.
pub(crate) fn by_email(email: &Email) -> Lookup<'_> {
    Lookup { email: Some(email), ..Lookup::default() }
}
