//! Ten thousand requests of every kind, and a row for each that did or showed something (G21).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use hyper::body::Bytes;
use hyper::{Request, Response};
use kyc_core::service::Options;
use kyc_core::{AuditLog, Clock, OsIds, Service, SystemClock};
use kyc_http::Api;
use kyc_store_sqlite::SqliteStore;
use serde_json::Value;

use crate::fixture::{Applicant, image, upload_body};

const THREADS: usize = 4;
/// As many as `KYC_AUDITED_REQUESTS` says, or so many.
const REQUESTS: usize = 10_000;

fn requests() -> usize {
    let asked = std::env::var("KYC_AUDITED_REQUESTS").ok();
    let asked = asked.map(|text| text.parse().expect("KYC_AUDITED_REQUESTS is a number"));
    // Each thread does each of the ten kinds equally often.
    asked.unwrap_or(REQUESTS).next_multiple_of(10 * THREADS)
}

/// How many answers there were, or rows, of each kind.
type Tally = BTreeMap<&'static str, usize>;

/// One thread's callers.
struct Caller {
    api: Api,
    key: String,
    token: String,
    photo_id: String,
    selfie: String,
    /// A submission of its own that is pending.
    pending: Option<String>,
    answers: Tally,
}

impl Caller {
    fn send(&mut self, kind: &'static str, request: Request<Bytes>) -> Response<Bytes> {
        let response = self.api.handle(request);
        if response.status().is_success() {
            *self.answers.entry(kind).or_default() += 1;
        }
        response
    }

    fn client(
        &self,
        method: &str,
        target: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Request<Bytes> {
        let request = Request::builder().method(method).uri(target).header("x-api-key", &self.key);
        request.header("content-type", content_type).body(body.into()).unwrap()
    }

    fn inspector(&self, method: &str, target: &str, body: String) -> Request<Bytes> {
        let bearer = format!("Bearer {}", self.token);
        let request = Request::builder().method(method).uri(target).header("authorization", bearer);
        request.body(body.into()).unwrap()
    }

    fn upload(&mut self, kind: &str) -> String {
        let (content_type, body) = upload_body(kind, &image("invented"));
        let request = self.client("POST", "/v2/submissions/upload", &content_type, body);
        let answer = self.send("document-uploaded", request);
        text_at(answer.body(), "filehash")
    }

    fn submit(&mut self, number: usize) {
        let mira = Applicant {
            email: format!("mira-{number}@example.org"),
            ..Applicant::named("Mira", "Kole")
        };
        let body = mira.form(&self.photo_id, &self.selfie).into_bytes();
        let form = "application/x-www-form-urlencoded";
        let request = self.client("POST", "/v2/submissions", form, body);
        let answer = self.send("submitted", request);
        self.pending = Some(text_at(answer.body(), "id"));
    }

    fn read(&mut self, kind: &'static str, target: &str) {
        let request = self.inspector("GET", target, String::new());
        self.send(kind, request);
    }

    /// One request; what it needs was made by those before.
    fn act(&mut self, number: usize) {
        let case = |id: &str| format!("/review/v1/submissions/{id}");
        let id = self.pending.clone().unwrap_or_default();
        match number % 10 {
            0 => drop(self.upload("passport")),
            1 => self.submit(number),
            2 => self.read("queue-read", "/review/v1/submissions?limit=5"),
            3 => self.read("case-read", &case(&id)),
            4 => self.read("document-read", &format!("{}/documents/selfie_res", case(&id))),
            5 => self.read("case-read", &case("01jd3v9k8m2q4r5s6t7v8w9x0y")),
            6 => {
                let target = format!("/v2/submissions/mira-{}@example.org", number - 5);
                let request = self.client("GET", &target, "", Vec::new());
                self.send("status", request);
            }
            7 => {
                let stale = r#"{"version":9,"comment":"No."}"#.to_owned();
                let request = self.inspector("POST", &format!("{}/reject", case(&id)), stale);
                self.send("rejected", request);
            }
            8 => {
                let body = r#"{"version":1,"comment":"The selfie is blurred."}"#.to_owned();
                let request = self.inspector("POST", &format!("{}/reject", case(&id)), body);
                self.send("rejected", request);
            }
            _ => {
                let request = Request::get(case(&id)).body(Bytes::new()).unwrap();
                self.send("case-read", request);
            }
        }
    }
}

fn text_at(body: &[u8], member: &str) -> String {
    let body: Value = serde_json::from_slice(body).unwrap();
    body[member].as_str().expect(member).to_owned()
}

#[test]
fn t26_each_answer_that_did_or_showed_something_has_its_row() {
    // In memory where the system has one: this is not about the disk.
    let memory = Path::new("/dev/shm");
    let folder =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let options = kyc_store_sqlite::Options::default();
    let store = SqliteStore::open(folder.path(), options).unwrap();
    let client = store.add_client(&"acme".parse().unwrap(), SystemClock.now()).unwrap();
    let key = store.create_key(client.id, SystemClock.now()).unwrap();
    let token = store.add_inspector(&"ines".parse().unwrap(), None, SystemClock.now()).unwrap();
    let shared = Arc::new(store.clone());
    let service = Service::new(
        Arc::clone(&shared) as _,
        Arc::clone(&shared) as _,
        Arc::clone(&shared) as _,
        shared,
        Arc::new(SystemClock),
        Arc::new(OsIds),
        Options::default(),
    );
    let api = Api::new(service);

    let mut answers = Tally::new();
    thread::scope(|scope| {
        let thread = |first: usize| {
            let mut caller = Caller {
                api: api.clone(),
                key: key.as_str().to_owned(),
                token: token.as_str().to_owned(),
                photo_id: String::new(),
                selfie: String::new(),
                pending: None,
                answers: Tally::new(),
            };
            caller.photo_id = caller.upload("passport");
            caller.selfie = caller.upload("selfie");
            let own = requests() / THREADS;
            (first * own..(first + 1) * own).for_each(|number| caller.act(number));
            caller.answers
        };
        let threads: Vec<_> = (0..THREADS).map(|at| scope.spawn(move || thread(at))).collect();
        for thread in threads {
            for (kind, count) in thread.join().unwrap() {
                *answers.entry(kind).or_default() += count;
            }
        }
    });

    let mut rows = Tally::new();
    for chain in [None, Some(client.id)] {
        for row in store.audited(chain, 0, usize::MAX).unwrap() {
            *rows.entry(row.entry.event.as_str()).or_default() += 1;
        }
    }
    assert_eq!(answers.remove("status"), Some(requests() / 10), "machines are answered");
    let setup = ["begun", "chain-begun", "client-added", "key-created", "inspector-added"];
    for event in setup {
        assert_eq!(rows.remove(event), Some(1), "{event}");
    }
    let beside = rows.remove("duplicates-read");
    assert!(beside.is_some_and(|count| count <= requests() / 5), "with cases alone: {beside:?}");
    assert_eq!(rows, answers, "a row for each answer, and none without one");
    let per_kind = requests() / 10;
    for kind in ["submitted", "queue-read", "case-read", "document-read", "rejected"] {
        assert_eq!(answers[kind], per_kind, "{kind}");
    }
    let verified = store.verify_audit(&store.audit_ends().unwrap()).unwrap();
    assert!(verified.iter().all(|chain| chain.fault.is_none()), "{verified:?}");
}
