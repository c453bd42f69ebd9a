//! Uploads, forms, decisions and renewals, and what has to be there after those that were
//! acknowledged. Each request has a key, under which it can be sent again (T28).

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use kyc_core::DocumentId;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::fixture::{Applicant, decision, image, upload_body};
use crate::program::PATIENCE;

/// What the service has acknowledged.
#[derive(Default, Clone)]
pub(crate) struct Acknowledged {
    /// Handles, and what was uploaded under them.
    documents: BTreeMap<String, String>,
    /// Ids of submissions, and the handle of their photo id.
    submissions: BTreeMap<String, String>,
    /// Ids of submissions that were approved.
    approved: Vec<String>,
    /// Renewals by id, and what they renew.
    renewed: BTreeMap<String, String>,
    /// Everything that was sent, by its key.
    sent: BTreeMap<String, Sent>,
}

/// A request, and the body of its answer.
#[derive(Clone)]
struct Sent {
    by_inspector: bool,
    path: String,
    content_type: String,
    body: Vec<u8>,
    answer: Option<Vec<u8>>,
}

impl Sent {
    fn form(path: &str, form: &str) -> Self {
        Self {
            by_inspector: false,
            path: path.to_owned(),
            content_type: "application/x-www-form-urlencoded".to_owned(),
            body: form.into(),
            answer: None,
        }
    }

    fn upload(kind: &str, content: &str) -> Self {
        let (content_type, body) = upload_body(kind, &image(content));
        Self { content_type, body, ..Self::form("/v2/submissions/upload", "") }
    }

    fn decision(path: &str, body: &Value) -> Self {
        let (by_inspector, content_type) = (true, "application/json".to_owned());
        Self { by_inspector, content_type, ..Self::form(path, &body.to_string()) }
    }

    fn send(&self, client: &Client, inspector: &Client, key: &str) -> io::Result<Answer> {
        let by = if self.by_inspector { inspector } else { client }.keyed(key);
        by.try_send("POST", &self.path, &self.content_type, &self.body)
    }
}

/// Why no more is acknowledged.
pub(crate) enum Stopped {
    /// The connection broke.
    Gone,
    /// The answer was no success.
    Refused(Answer),
}

impl From<io::Error> for Stopped {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// Uploads, submits, decides and renews.
pub(crate) struct Load {
    pub(crate) client: Client,
    pub(crate) inspector: Client,
    /// Sets this load's applicants apart from all others.
    pub(crate) number: usize,
    pub(crate) acknowledged: Arc<Mutex<Acknowledged>>,
    pub(crate) done: Arc<AtomicUsize>,
}

impl Load {
    /// One applicant, from the first document to a renewal.
    pub(crate) fn round(&self, round: usize) -> Result<(), Stopped> {
        let email = format!("load{}-{round}@example.org", self.number);
        let key = |step| format!("{step}-{}-{round}", self.number);
        let photo_id = self.upload(&key("photo"), "passport", &format!("passport of {email}"))?;
        let selfie = self.upload(&key("selfie"), "selfie", &format!("selfie of {email}"))?;
        let applicant = Applicant { email, ..Applicant::named("Mira", "Kole") };
        let form = Sent::form("/v2/submissions", &applicant.form(&photo_id, &selfie));
        let id = text(&self.send(&key("submit"), &form)?["id"]);
        self.note(|known| known.submissions.insert(id.clone(), photo_id));

        let body = json!({"version": 1, "id_expired_date": "2031-01-31"});
        self.send(&key("approve"), &Sent::decision(&decision(&id, "approve"), &body))?;
        self.note(|known| known.approved.push(id.clone()));

        let path = format!("/v2/submissions/renewaml/{}/{id}", applicant.email);
        let renewal = text(&self.send(&key("renew"), &Sent::form(&path, ""))?["id"]);
        self.note(|known| known.renewed.insert(renewal, id));
        Ok(())
    }

    fn upload(&self, key: &str, kind: &str, content: &str) -> Result<String, Stopped> {
        let answer = self.send(key, &Sent::upload(kind, content))?;
        let handle = text(&answer["filehash"]);
        self.note(|known| known.documents.insert(handle.clone(), content.to_owned()));
        Ok(handle)
    }

    fn send(&self, key: &str, sent: &Sent) -> Result<Value, Stopped> {
        self.acknowledged.lock().unwrap().sent.insert(key.to_owned(), sent.clone());
        let answer = sent.send(&self.client, &self.inspector, key)?;
        if answer.status != 200 {
            return Err(Stopped::Refused(answer));
        }
        let json = answer.json();
        self.acknowledged.lock().unwrap().sent.get_mut(key).unwrap().answer = Some(answer.body);
        Ok(json)
    }

    fn note<T>(&self, note: impl FnOnce(&mut Acknowledged) -> T) {
        note(&mut self.acknowledged.lock().unwrap());
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Sends again what had no answer, or was refused.
pub(crate) fn send_again(client: &Client, inspector: &Client, acknowledged: &mut Acknowledged) {
    for (key, sent) in &mut acknowledged.sent {
        if sent.answer.is_none() {
            let answer = sent.send(client, inspector, key).unwrap();
            answer.ok();
            sent.answer = Some(answer.body);
        }
    }
}

/// Checks that every request has one effect and one answer.
pub(crate) fn check_answers(client: &Client, inspector: &Client, acknowledged: &Acknowledged) {
    let mut ids = BTreeSet::new();
    for (key, sent) in &acknowledged.sent {
        let again = sent.send(client, inspector, key).unwrap();
        assert!(Some(&again.body) == sent.answer.as_ref(), "{key} has another answer");
        if key.starts_with("submit") || key.starts_with("renew") {
            assert!(ids.insert(text(&again.ok()["id"])), "{key} has the answer of another");
        }
    }
    assert_eq!(all(client).into_iter().collect::<BTreeSet<_>>(), ids, "each is there once");
}

/// Checks that everything acknowledged is there, and nothing by half.
pub(crate) fn check(client: &Client, inspector: &Client, acknowledged: &Acknowledged) {
    let listed: BTreeSet<String> = all(client).into_iter().collect();
    for id in acknowledged.submissions.keys().chain(acknowledged.renewed.keys()) {
        assert!(listed.contains(id), "an acknowledged submission is gone");
    }
    let case = |id: &str| inspector.get(&format!("/review/v1/submissions/{id}")).ok();
    for id in &acknowledged.approved {
        assert_eq!(case(id)["status"], "approved", "an acknowledged decision is gone");
    }
    for (id, renewed) in &acknowledged.renewed {
        assert_eq!(case(id)["renewed_from"], **renewed);
    }
    // Every row, acknowledged or not, has the documents that it names, whole.
    for id in &listed {
        for (field, what) in [("photoid_res", "passport of "), ("selfie_res", "selfie of ")] {
            let path = format!("/review/v1/submissions/{id}/documents/{field}");
            let document = inspector.get(&path);
            assert_eq!(document.status, 200, "a row points at a missing document");
            let text = String::from_utf8_lossy(&document.body).into_owned();
            assert!(
                text.contains(what) && text.ends_with("@example.org"),
                "a document is not whole"
            );
        }
    }
    // A document that no submission took is still there to be used.
    let taken: BTreeSet<&String> = acknowledged.submissions.values().collect();
    let is_free = |(handle, content): &(&String, &String)| {
        content.starts_with("passport") && !taken.contains(handle)
    };
    let selfie = acknowledged.documents.iter().find(|(_, content)| content.starts_with("selfie"));
    let selfie = selfie.expect("a selfie was acknowledged").0;
    for (number, (handle, _)) in acknowledged.documents.iter().filter(is_free).enumerate() {
        let email = format!("late{number}@example.org");
        let late = Applicant { email, ..Applicant::named("Mira", "Kole") };
        client.post_form("/v2/submissions", &late.form(handle, selfie)).ok();
    }
}

/// The ids of all submissions, page by page.
fn all(client: &Client) -> Vec<String> {
    let mut ids = Vec::new();
    let mut query = String::new();
    loop {
        let page = client.get(&format!("/v2/submissions/resultall{query}")).ok();
        ids.extend(page["data"].as_array().unwrap().iter().map(|item| text(&item["id"])));
        let next = &page["nextpageKey"];
        if next["id"] == "NA" {
            return ids;
        }
        query = format!(
            "?nextpageKeyemail={}&nextpageKeyid={}",
            text(&next["email"]),
            text(&next["id"])
        );
    }
}

/// Every row of a document has its file, and the database is sound; also beside a service.
pub(crate) fn check_rows(data: &Path) {
    let database = data.join("kyc.sqlite");
    let database = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    database.busy_timeout(PATIENCE).unwrap();
    let integrity: String =
        database.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    let mut rows = database.prepare("SELECT client, id FROM document").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get::<_, u32>(0)?, row.get(1)?))).unwrap();
    for (client, id) in rows.map(Result::unwrap) {
        let id = DocumentId::from_bytes(id).to_string();
        let file = data.join("documents").join(client.to_string()).join(&id[25..]).join(&id);
        assert!(file.metadata().is_ok_and(|file| file.len() > 0), "a row without its file");
    }
}
