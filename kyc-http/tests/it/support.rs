//! A whole service in memory: two clients, two inspectors, a clock that stands still.

mod answer;
mod files;
mod form;
mod ports;

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Method, Request};
use kyc_core::memory::{
    MemoryAudit, MemoryDirectory, MemoryDocuments, MemoryRetention, MemorySubmissions,
};
use kyc_core::service::{Options, Pass, Rescreened};
use kyc_core::{
    Actor, AuditLog, Client, ClientId, Directory, DocumentErasure, DocumentHandle, DocumentStore,
    Erasure, ErasureCause, Inspector, Lookup, Retention, RiskLevel, ScreeningQueue, Service, Stall,
    SubmissionStore,
};
use kyc_http::Api;

pub(crate) use answer::Answer;
pub(crate) use files::{jpeg, multipart, pdf, png, upload_type};
pub(crate) use form::{Sent, escape};
pub(crate) use ports::{CountingIds, FixedClock, Verdict};

/// What the report was told: the request id, and the cause with its own causes.
pub(crate) type Reported = (String, String);

pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) service: Service,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) reports: Arc<Mutex<Vec<Reported>>>,
    retention: Option<Arc<dyn Retention>>,
}

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A client.
    Acme,
    /// Another client.
    Birch,
    /// An inspector who sees both clients.
    Ines,
    /// An inspector who sees the client `acme` alone.
    Ben,
    Nobody,
}

pub(crate) use Caller::{Acme, Ben, Birch, Ines, Nobody};

impl Caller {
    /// The header that says who it is.
    pub(crate) fn header(self) -> Option<(&'static str, &'static str)> {
        match self {
            Acme => Some(("x-api-key", "kyc_acme_7f3a9c")),
            Birch => Some(("x-api-key", "kyc_birch_51d0be")),
            Ines => Some(("authorization", "Bearer ines-token-44")),
            Ben => Some(("authorization", "Bearer ben-token-95")),
            Nobody => None,
        }
    }
}

pub(crate) fn client_id(who: Caller) -> ClientId {
    ClientId::new(if who == Birch { 2 } else { 1 }).unwrap()
}

pub(crate) fn directory() -> MemoryDirectory {
    let client = |who, name: &str, prefix: &str| Client {
        id: client_id(who),
        name: name.parse().unwrap(),
        prefix: prefix.parse().unwrap(),
    };
    let (ines, ben) = ("ines".parse().unwrap(), "ben".parse().unwrap());
    MemoryDirectory::default()
        .with_client("kyc_acme_7f3a9c", client(Acme, "acme", "acme000000"))
        .with_client("kyc_birch_51d0be", client(Birch, "birch", "birch00000"))
        .with_inspector("ines-token-44", Inspector { name: ines, clients: None })
        .with_inspector(
            "ben-token-95",
            Inspector { name: ben, clients: Some(vec![client_id(Acme)]) },
        )
}

impl World {
    pub(crate) fn new() -> Self {
        let audit = Arc::new(MemoryAudit::default());
        let submissions = Arc::new(MemorySubmissions::default().with_audit(Arc::clone(&audit)));
        let documents = Arc::new(MemoryDocuments::default().with_audit(Arc::clone(&audit)));
        let retention = MemoryRetention::over(submissions.clone(), documents.clone());
        Self::with(submissions, documents, Arc::new(directory()), audit, Some(Arc::new(retention)))
    }

    pub(crate) fn over(
        submissions: Arc<dyn SubmissionStore>,
        documents: Arc<dyn DocumentStore>,
        directory: Arc<dyn Directory>,
        audit: Arc<dyn AuditLog>,
    ) -> Self {
        Self::with(submissions, documents, directory, audit, None)
    }

    fn with(
        submissions: Arc<dyn SubmissionStore>,
        documents: Arc<dyn DocumentStore>,
        directory: Arc<dyn Directory>,
        audit: Arc<dyn AuditLog>,
        retention: Option<Arc<dyn Retention>>,
    ) -> Self {
        let clock = Arc::new(FixedClock::default());
        let ids = Arc::new(CountingIds::default());
        let options = Options::default();
        let service =
            Service::new(submissions, documents, directory, audit, clock.clone(), ids, options);
        let service = match &retention {
            Some(retention) => service.with_retention(Arc::clone(retention)),
            None => service,
        };
        let reports = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&reports);
        let api = Api::new(service.clone()).with_report(move |request_id, cause| {
            let causes = std::iter::successors(Some(cause), |error| error.source());
            let texts: Vec<String> = causes.map(ToString::to_string).collect();
            heard.lock().unwrap().push((request_id.to_owned(), texts.join(": ")));
        });
        Self { api, service, clock, reports, retention }
    }

    /// Sends a request with no more headers than the caller's own.
    pub(crate) fn send(&self, who: Caller, method: &Method, target: &str, body: &[u8]) -> Answer {
        self.send_typed(who, method, target, None, body)
    }

    pub(crate) fn send_typed(
        &self,
        who: Caller,
        method: &Method,
        target: &str,
        content_type: Option<&str>,
        body: &[u8],
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(target);
        if let Some((name, value)) = who.header() {
            request = request.header(name, value);
        }
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        self.handle(request.body(Bytes::copy_from_slice(body)).unwrap())
    }

    pub(crate) fn handle(&self, request: Request<Bytes>) -> Answer {
        Answer::of(self.api.handle(request))
    }

    pub(crate) fn get(&self, who: Caller, target: &str) -> Answer {
        self.send(who, &Method::GET, target, b"")
    }

    pub(crate) fn post(&self, who: Caller, target: &str, body: &str) -> Answer {
        self.send(who, &Method::POST, target, body.as_bytes())
    }

    pub(crate) fn upload(&self, who: Caller, target: &str, kind: &str, file: &[u8]) -> Answer {
        let body = multipart(&[("type", kind.as_bytes()), ("file", file)]);
        self.send_typed(who, &Method::POST, target, Some(upload_type()), &body)
    }

    /// Uploads a small file of this kind and returns its handle.
    #[track_caller]
    pub(crate) fn document(&self, who: Caller, kind: &str) -> String {
        self.upload(who, "/f1/submissions/upload", kind, &jpeg()).success().text_at("/filehash")
    }

    /// What is required for level 1, its documents uploaded.
    #[track_caller]
    pub(crate) fn l1(&self, who: Caller) -> Sent {
        Sent::mira()
            .with("photoid_res", &self.document(who, "passport"))
            .with("selfie_res", &self.document(who, "selfie"))
    }

    /// What is required for level 2, its documents uploaded.
    #[track_caller]
    pub(crate) fn l2(&self, who: Caller) -> Sent {
        self.l1(who)
            .with("kyc_level", "L2")
            .with("address_street", "12 Harbour Lane")
            .with("address_city", "Vlorë")
            .with("address_state", "Vlorë County")
            .with("address_zipcode", "9401")
            .with("address_country", "Albania, ALB")
            .with("address_res", &self.document(who, "address"))
    }

    /// Level 1 with every optional field of `/f1`.
    #[track_caller]
    pub(crate) fn full(&self, who: Caller) -> Sent {
        let images = ["image_res1", "image_res2", "image_res3", "image_res4"];
        images.into_iter().fold(self.l2(who).with_every_option(), |sent, image| {
            sent.with(image, &self.document(who, "other"))
        })
    }

    /// Submits a form and returns the submission's id.
    #[track_caller]
    pub(crate) fn submit(&self, who: Caller, form: &Sent) -> String {
        self.post(who, "/v2/submissions", &form.body()).success().text_at("/id")
    }

    #[track_caller]
    pub(crate) fn submit_aml_only(&self, who: Caller) -> String {
        self.post(who, "/v2/amlonly", &Sent::mira_aml_only().body()).success().text_at("/id")
    }

    /// A decision by the inspector who sees all, on the version that is current.
    pub(crate) fn decide(&self, id: &str, word: &str, members: &str) -> Answer {
        let case = self.get(Ines, &format!("/review/v1/submissions/{id}")).success();
        let version = case.json()["version"].clone();
        let comma = if members.is_empty() { "" } else { "," };
        let body = format!("{{\"version\":{version}{comma}{members}}}");
        self.post(Ines, &format!("/review/v1/submissions/{id}/{word}"), &body)
    }

    /// Erases a submission, as if its period were over.
    #[track_caller]
    pub(crate) fn erase(&self, who: Caller, id: &str, cause: ErasureCause) {
        let client = client_id(who);
        let lookup = Lookup { id: Some(id.parse().unwrap()), ..Lookup::default() };
        let submission = self.service.latest(client, &lookup).unwrap();
        let erasure = Erasure::of(&submission, cause, self.service.now());
        assert!(self.retention.as_ref().unwrap().erase(client, &erasure).unwrap().is_some());
    }

    /// Erases a document of a submission, and of no other.
    #[track_caller]
    pub(crate) fn erase_document(&self, who: Caller, id: &str, handle: &str) {
        let (client, at) = (client_id(who), self.service.now());
        let document = handle.parse::<DocumentHandle>().unwrap().id();
        let lookup = Lookup { id: Some(id.parse().unwrap()), ..Lookup::default() };
        let submission = self.service.latest(client, &lookup).unwrap();
        let changed = vec![submission.erase_document(Actor::Operator, at, document).unwrap()];
        let reason = "asked".parse().unwrap();
        let erasure = DocumentErasure { document, changed, reason, at };
        let retention = self.retention.as_ref().unwrap();
        assert!(retention.erase_document(client, &erasure).unwrap().is_some());
    }

    #[track_caller]
    pub(crate) fn approve(&self, id: &str) {
        self.decide(id, "approve", r#""id_expired_date":"2031-03-02""#).success();
    }

    #[track_caller]
    pub(crate) fn approve_l2(&self, id: &str) {
        let dates = r#""id_expired_date":"2031-03-02","address_issued_date":"2026-08-31""#;
        self.decide(id, "approve", dates).success();
    }

    #[track_caller]
    pub(crate) fn reject(&self, id: &str) {
        self.decide(id, "reject", r#""comment":"The selfie is blurred.""#).success();
    }

    #[track_caller]
    pub(crate) fn retake(&self, id: &str, field: &str) {
        self.decide(id, "retake", &format!(r#""documents":["{field}"]"#)).success();
    }

    #[track_caller]
    pub(crate) fn reopen(&self, id: &str) {
        self.decide(id, "reopen", r#""reason":"Decided on the wrong person""#).success();
    }

    /// Screens everything that was never tried, each with the same verdict.
    #[track_caller]
    pub(crate) fn screen(&self, verdict: Result<RiskLevel, Stall>) -> Pass {
        self.screen_again(ScreeningQueue::New, verdict)
    }

    #[track_caller]
    pub(crate) fn screen_again(
        &self,
        queue: ScreeningQueue,
        verdict: Result<RiskLevel, Stall>,
    ) -> Pass {
        let engine = Verdict { verdict, born: "1990" };
        self.service.screen_queue(queue, &engine, &|| false, &|_| ()).unwrap()
    }

    /// Screens everything that has a result anew, after the list may have changed what it says.
    #[track_caller]
    pub(crate) fn rescreen(&self, risk: RiskLevel, born: &'static str) -> Vec<Rescreened> {
        let engine = Verdict { verdict: Ok(risk), born };
        let screened = self.service.screened_behind(None, 100).unwrap();
        let rescreen = |one| self.service.rescreen_one(one, &engine, &|_| ()).unwrap();
        screened.iter().map(rescreen).collect()
    }

    /// Lets some minutes pass.
    pub(crate) fn later(&self, minutes: i64) {
        self.clock.advance_minutes(minutes);
    }
}
