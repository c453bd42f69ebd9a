//! Requests that use every field of every route, rightly and wrongly.

use serde_json::{Value, json};

use super::{CANARY, FORMAL, LISTED};
use crate::client::{Answer, Client};
use crate::fixture::{decision, image};
use crate::program::{Running, eventually};

pub(super) struct Traffic {
    /// A submission with every field, approved.
    pub(super) submission: String,
    /// One of somebody who is listed.
    pub(super) with_hits: String,
    pub(super) handles: Vec<String>,
    /// Requests, and the bodies of their refusals.
    pub(super) failures: Vec<(String, Vec<u8>)>,
}

pub(super) fn listed_people() -> String {
    format!(
        "id,name,aliases,birth_date,nationality,programme\n\
         W-1,{LISTED} Quandary,{LISTED} Kwandary,1957,Malta,WATCH-FRAUD\n"
    )
}

/// Sends requests and keeps what is refused.
struct Sender {
    client: Client,
    inspector: Client,
    failures: Vec<(String, Vec<u8>)>,
}

impl Sender {
    fn keep(&mut self, request: &str, answer: Answer) -> Answer {
        if answer.status != 200 {
            self.failures.push((request.to_owned(), answer.body.clone()));
        }
        answer
    }

    fn get(&mut self, path: &str) -> Answer {
        let answer = self.client.get(path);
        self.keep(path, answer)
    }

    fn post(&mut self, path: &str, form: &str) -> Answer {
        let answer = self.client.post_form(path, form);
        self.keep(path, answer)
    }

    /// Uploads with canaries in the name of the file, the type of the part and a part of no meaning.
    fn upload(&mut self, path: &str, kind: &str, file: &[u8]) -> Answer {
        let mut body = format!(
            "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\n{kind}\r\n\
             --b\r\nContent-Disposition: form-data; name=\"{CANARY}-part\"\r\n\r\n{CANARY}-value\r\n\
             --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{CANARY}.png\"\r\n\
             Content-Type: image/{CANARY}\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--b--\r\n");
        let content_type = "multipart/form-data; boundary=b";
        let answer = self.client.try_send("POST", path, content_type, &body).unwrap();
        self.keep(path, answer)
    }

    fn document(&mut self, kind: &str) -> String {
        let file = image(&format!("{CANARY}-document"));
        let answer = self.upload("/f1/submissions/upload", kind, &file).ok();
        answer["filehash"].as_str().unwrap().to_owned()
    }

    fn review(&mut self, path: &str) -> Answer {
        let answer = self.inspector.get(path);
        self.keep(path, answer)
    }

    /// A decision on the version that is current.
    fn decide(&mut self, id: &str, word: &str, mut members: Value) -> Answer {
        let case = self.review(&format!("/review/v1/submissions/{id}")).ok();
        members["version"] = case["version"].clone();
        let answer = self.inspector.post_json(&decision(id, word), &members);
        self.keep(word, answer)
    }
}

impl Traffic {
    pub(super) fn run(service: &Running) -> Self {
        let (client, inspector) = (service.client(), service.inspector());
        let mut sender = Sender { client, inspector, failures: Vec::new() };
        let handles = ["passport", "selfie", "address", "other"].map(|kind| sender.document(kind));
        sender.upload("/v2/submissions/upload", "passport", &image(&format!("{CANARY}-v2"))).ok();

        let submission = submissions(&mut sender, service, &handles);
        review(&mut sender, &submission, &handles);
        let with_hits = hits(&mut sender);
        reads(&mut sender, &submission);
        wrong_requests(&mut sender, service, &submission);
        let Sender { failures, .. } = sender;
        Self { submission, with_hits, handles: handles.into(), failures }
    }
}

fn email(of: &str) -> String {
    format!("{of}.mail@example.org")
}

/// Every field of a form but its documents.
fn form(first_name: &str) -> String {
    let email = email(first_name);
    let texts = [
        "middle_name",
        "userid",
        "id_number",
        "contribution_type",
        "estimated_amount",
        "wallet_address",
        "address_street",
        "address_city",
        "address_state",
        "address_zipcode",
        "cf1",
        "cf2",
        "cf3",
        "wallet_address1",
        "wallet_address2",
        "wallet_address3",
    ];
    let texts = texts.map(|field| format!("&{field}={CANARY}{}", field.replace('_', ""))).concat();
    let (born, ip_address) = (FORMAL[0], FORMAL[1]);
    format!(
        "email={email}&first_name={first_name}&last_name=Quandary&nationality=Malta, MLT\
         &date_of_birth={born}&gender=female&id_type=passport&kyc_level=L2\
         &address_country=Malta, MLT&ip_address={ip_address}{texts}"
    )
}

fn with_documents(form: &str, [photo, selfie, address, other]: &[String; 4]) -> String {
    format!(
        "{form}&photoid_res={photo}&selfie_res={selfie}&address_res={address}\
         &image_res1={other}&image_res2={other}&image_res3={other}&image_res4={other}"
    )
}

/// Forms of both generations, also under a key that makes retries safe.
fn submissions(sender: &mut Sender, service: &Running, handles: &[String; 4]) -> String {
    let whole = with_documents(&form(CANARY), handles);
    let answer = sender.post("/v2/submissions", &whole).ok();
    sender.post("/f1/submissions", &whole).ok();
    let key = service.ready["api_key"].as_str().unwrap();
    let keyed = format!("x-api-key: {key}\r\nidempotency-key: {CANARY}-once\r\n");
    let once = Client::new(service, &keyed);
    once.post_form("/v2/submissions", &whole).ok();
    once.post_form("/v2/submissions", &whole).ok();
    let other = whole.replace("Quandary", &format!("{CANARY}other"));
    let reused = once.post_form("/v2/submissions", &other);
    assert_ne!(reused.status, 200);
    sender.keep("a key that was used before", reused);
    answer["id"].as_str().unwrap().to_owned()
}

fn review(sender: &mut Sender, id: &str, [photo, ..]: &[String; 4]) {
    let dates = json!({"id_expired_date": "2031-01-31", "address_issued_date": "2026-11-01"});
    let comment = json!({"comment": format!("{CANARY} is blurred"), "reason_codes": ["blurred"]});
    sender.decide(id, "reject", comment).ok();
    sender.decide(id, "reopen", json!({"reason": format!("{CANARY} was right")})).ok();
    let again = json!({"documents": ["photoid_res"], "comment": format!("{CANARY} again")});
    sender.decide(id, "retake", again).ok();
    let path = format!("/v2/submissions/{}/{id}/documents", email(CANARY));
    sender.post(&path, &format!("photoid_res={CANARY}"));
    sender.post(&path, &format!("photoid_res={photo}")).ok();
    sender.decide(id, "approve", dates).ok();
    // What is wrong in a decision is refused, and not repeated.
    for (word, members) in [
        ("approve", json!({"id_expired_date": CANARY, "address_issued_date": CANARY})),
        ("reject", json!({"comment": CANARY, "reason_codes": [CANARY]})),
        ("retake", json!({"documents": [CANARY], "comment": CANARY})),
        ("hits", json!({"list": CANARY, "entity": CANARY, "verdict": CANARY, "note": CANARY})),
        ("hits", json!({"list": "watch", "entity": CANARY, "verdict": "other", "note": CANARY})),
        ("acknowledge", json!({})),
        (CANARY, json!({})),
    ] {
        sender.decide(id, word, members);
    }
}

/// Somebody whom a list has.
fn hits(sender: &mut Sender) -> String {
    let answer = sender.post("/v2/amlonly", &form(LISTED).replace("kyc_level=L2", "")).ok();
    let id = answer["id"].as_str().unwrap().to_owned();
    let case = format!("/review/v1/submissions/{id}");
    let found =
        |sender: &Sender| sender.inspector.get(&case).ok()["aml"]["screening"]["hits"][0].clone();
    eventually(|| found(sender) != Value::Null);
    let hit = found(sender);
    let members = json!({
        "list": hit["list"],
        "entity": hit["entity"],
        "verdict": "false_positive",
        "note": format!("{CANARY} is somebody else"),
    });
    sender.decide(&id, "hits", members).ok();
    let renew = format!("/v2/submissions/renewaml/{}/{id}", email(LISTED));
    sender.post(&renew, "").ok();
    id
}

fn reads(sender: &mut Sender, id: &str) {
    let email = email(CANARY);
    for path in [
        format!("/v2/submissions/{email}"),
        format!("/v2/submissions/{email}?userid={CANARY}userid"),
        format!("/v2/submissions/{email}/{id}"),
        format!("/v2/submissions/{email}/result"),
        format!("/v2/submissions/{email}/{id}/result"),
        "/v2/submissions/resultall".to_owned(),
        format!("/v2/submissions/resultall?nextpageKeyemail={email}&nextpageKeyid={id}"),
        "/f1/submissions".to_owned(),
        format!("/f1/submissions?email={email}&userid={CANARY}userid"),
    ] {
        sender.get(&path).ok();
    }
    sender.review(&format!("/review/v1/submissions?status=all&email={email}")).ok();
    assert_eq!(
        sender.review(&format!("/review/v1/submissions/{id}/documents/photoid_res")).status,
        200
    );
}

fn wrong_requests(sender: &mut Sender, service: &Running, id: &str) {
    let canary = CANARY;
    for path in [
        format!("/v2/submissions/{canary}@@example.org"),
        format!("/v2/submissions/{canary}.lost@example.org/result"),
        format!("/v2/submissions/{canary}.lost@example.org/{id}"),
        format!("/v2/submissions/{canary}.mail@example.org/{canary}"),
        format!("/v2/submissions/{canary}.mail@example.org?userid={canary}none"),
        format!("/v2/submissions/resultall?nextpageKeyemail={canary}&nextpageKeyid={canary}"),
        format!("/v2/submissions/resultall?{canary}=%zz"),
        format!("/f1/submissions?userid=&{canary}={canary}"),
        format!("/f1/submissions?email={canary}&email={canary}"),
        format!("/{canary}?{canary}={canary}"),
        format!("/{canary}#{canary}"),
        format!("/v2/submissions/{canary}%2f{canary}"),
        format!("/v2/submissions/{canary}%zz"),
    ] {
        sender.get(&path);
    }
    for path in [
        format!(
            "/review/v1/submissions?status={canary}&client={canary}&after={canary}&limit={canary}"
        ),
        format!("/review/v1/submissions/{canary}"),
        format!("/review/v1/submissions/{id}/documents/{canary}"),
        format!("/review/v1/{canary}"),
    ] {
        sender.review(&path);
    }
    // Each field of a form, wrong by itself.
    let whole = form(CANARY);
    for field in whole.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, _)| name) {
        let wrong = |(name, value): (&str, &str)| {
            let value = if name == field { format!("{canary}\u{1}\u{2028}") } else { value.into() };
            format!("{name}={value}")
        };
        let pairs: Vec<String> =
            whole.split('&').filter_map(|pair| pair.split_once('=')).map(wrong).collect();
        for path in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
            sender.post(path, &pairs.join("&"));
        }
    }
    for body in [
        canary.to_owned(),
        format!("{canary}=%zz"),
        format!("{canary}={canary}&{canary}={canary}"),
        format!("email={canary}&email={canary}"),
        format!("photoid_res={canary}&selfie_res={canary}&kyc_level={canary}"),
    ] {
        sender.post("/v2/submissions", &body);
    }
    let no_image = format!("{canary} is no image");
    sender.upload("/v2/submissions/upload", "passport", no_image.as_bytes());
    sender.upload("/v2/submissions/upload", &format!("{canary}-kind"), &image("any"));
    sender.upload("/f1/submissions/upload", "passport", b"");
    let other_type = sender.client.try_send("POST", "/v2/submissions", canary, canary.as_bytes());
    sender.keep("another type", other_type.unwrap());
    let renew = format!("/v2/submissions/renewaml/{canary}/{canary}");
    sender.post(&renew, &format!("{canary}={canary}"));
    for (who, path) in [
        (service.client_with(&format!("kyc_{canary}")), "/v2/submissions/resultall"),
        (service.inspector_with(&format!("kyci_{canary}")), "/review/v1/submissions"),
        (Client::new(service, &format!("x-{canary}: {canary}\r\ncookie: {canary}\r\n")), "/"),
        (Client::new(service, &format!("idempotency-key: {canary} {canary}\r\n")), "/"),
    ] {
        let answer = who.get(path);
        sender.keep(path, answer);
    }
}
