//! kill -9 under load (T27): what was acknowledged is there, and nothing is there by half.
//!
//! `KYC_KILLS` says how often; five times unless it is set.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::fixture::{Applicant, decision, image, try_upload};
use crate::program::{Site, eventually};

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
}

/// Uploads, submits, decides and renews until the service is gone.
pub(crate) struct Load {
    pub(crate) client: Client,
    pub(crate) inspector: Client,
    /// Sets this load's applicants apart from all others.
    pub(crate) number: usize,
    pub(crate) acknowledged: Arc<Mutex<Acknowledged>>,
    pub(crate) done: Arc<AtomicUsize>,
}

impl Load {
    pub(crate) fn run(&self, ends: &AtomicBool) {
        let mut round = 0;
        while !ends.load(Ordering::Relaxed) && self.round(round).is_some() {
            round += 1;
        }
    }

    /// `None` when the connection broke.
    fn round(&self, round: usize) -> Option<()> {
        let email = format!("load{}-{round}@example.org", self.number);
        let photo_id = self.upload("passport", &format!("passport of {email}"))?;
        let selfie = self.upload("selfie", &format!("selfie of {email}"))?;
        let applicant = Applicant { email, ..Applicant::named("Mira", "Kole") };
        let form = applicant.form(&photo_id, &selfie);
        let id = text(&self.client.try_post_form("/v2/submissions", &form).ok()?.ok()["id"]);
        self.note(|known| known.submissions.insert(id.clone(), photo_id));

        let body = json!({"version": 1, "id_expired_date": "2031-01-31"});
        self.inspector.try_post_json(&decision(&id, "approve"), &body).ok()?.ok();
        self.note(|known| known.approved.push(id.clone()));

        let path = format!("/v2/submissions/renewaml/{}/{id}", applicant.email);
        let renewal = text(&self.client.try_post_form(&path, "").ok()?.ok()["id"]);
        self.note(|known| known.renewed.insert(renewal, id));
        Some(())
    }

    fn upload(&self, kind: &str, content: &str) -> Option<String> {
        let answer = try_upload(&self.client, kind, &image(content)).ok()?.ok();
        let handle = text(&answer["filehash"]);
        self.note(|known| known.documents.insert(handle.clone(), content.to_owned()));
        Some(handle)
    }

    fn note<T>(&self, note: impl FnOnce(&mut Acknowledged) -> T) {
        note(&mut self.acknowledged.lock().unwrap());
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn t27_what_was_acknowledged_survives_kills() {
    let kills: usize =
        std::env::var("KYC_KILLS").map_or(5, |count| count.parse().expect("a count in KYC_KILLS"));
    let site = Site::new();
    let mut service = site.develop();
    let (key, token) = (text(&service.ready["api_key"]), text(&service.ready["inspector_token"]));
    let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));
    let mut number = 0;
    for kill in 0..kills {
        let done = Arc::new(AtomicUsize::new(0));
        let ends = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                let load = Load {
                    client: service.client_with(&key),
                    inspector: service.inspector_with(&token),
                    number,
                    acknowledged: Arc::clone(&acknowledged),
                    done: Arc::clone(&done),
                };
                number += 1;
                let ends = &ends;
                scope.spawn(move || load.run(ends));
            }
            // Each time at another point of the work, down to the microsecond.
            let enough = 10 + kill * 7 % 60;
            eventually(|| done.load(Ordering::Relaxed) >= enough);
            thread::sleep(Duration::from_micros((kill as u64 * 137) % 1_000));
            service.child.kill().unwrap();
            service.child.wait().unwrap();
            ends.store(true, Ordering::Relaxed);
        });
        service = site.develop();
    }
    check(
        &service.client_with(&key),
        &service.inspector_with(&token),
        &acknowledged.lock().unwrap(),
    );
    service.stop();
    let database = rusqlite::Connection::open(site.data().join("kyc.sqlite")).unwrap();
    let integrity: String =
        database.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
}

pub(crate) fn check(client: &Client, inspector: &Client, acknowledged: &Acknowledged) {
    let listed = all(client);
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
    let taken: Vec<&String> = acknowledged.submissions.values().collect();
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

const THREADS: usize = 4;
