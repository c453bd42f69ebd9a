//! Existing client programs, replayed: four habits that the interface has to live with.

use http::Method;
use serde_json::Value;

use crate::support::*;

/// The habit of every client here: what has a top-level `message` has failed.
fn outcome(answer: &Answer) -> Result<Value, String> {
    let body = answer.json();
    match body.get("message") {
        Some(message) => Err(message.as_str().unwrap().to_owned()),
        None => Ok(body),
    }
}

/// A client that joins form bodies by hand, unescaped, and e-mails into paths, raw.
struct ByHand<'w>(&'w World);

impl ByHand<'_> {
    fn post(&self, target: &str, form: &Sent) -> Result<Value, String> {
        let content_type = Some("application/x-www-form-urlencoded");
        let body = form.raw_body();
        let method = Method::POST;
        outcome(&self.0.send_typed(Acme, &method, target, content_type, body.as_bytes()))
    }

    fn get(&self, target: &str) -> Result<Value, String> {
        outcome(&self.0.get(Acme, target))
    }
}

#[test]
fn a_client_goes_all_the_way_by_hand() {
    let world = World::new();
    let client = ByHand(&world);
    let korea = "South Korea, KOR";
    let form = world.l2(Acme).with("nationality", korea).with("address_country", korea);
    assert!(form.raw_body().contains("nationality=South Korea, KOR&"));
    assert!(form.raw_body().contains("email=mira.kole@example.org&"));

    let submitted = client.post("/v2/submissions", &form).unwrap();
    let id = submitted["id"].as_str().unwrap();
    assert_eq!(submitted["nationality"], korea);
    assert_eq!(submitted["address_city"], "Vlorë");
    world.approve_l2(id);

    let email = "mira.kole@example.org";
    let status = client.get(&format!("/v2/submissions/{email}")).unwrap();
    assert_eq!(status["kyc_result"]["status"], "approved");
    assert_eq!(client.get(&format!("/v2/submissions/{email}/{id}")).unwrap(), status);
    let data = client.get(&format!("/v2/submissions/{email}/result")).unwrap();
    assert_eq!(data, submitted);
    assert_eq!(client.get(&format!("/v2/submissions/{email}/{id}/result")).unwrap(), submitted);

    let nothing = Sent(Vec::new());
    let target = format!("/v2/submissions/renewaml/{email}/{id}");
    let renewed = client.post(&target, &nothing).unwrap();
    assert_ne!(renewed["id"], *id);

    world.reopen(id);
    world.retake(id, "selfie_res");
    let selfie = Sent(Vec::new()).with("selfie_res", &world.document(Acme, "selfie"));
    client.post(&format!("/v2/submissions/{email}/{id}/documents"), &selfie).unwrap();

    let screened = Sent::mira_aml_only().with("nationality", korea);
    assert_eq!(client.post("/v2/amlonly", &screened).unwrap()["nationality"], korea);

    let echo = client.post("/f1/submissions", &form).unwrap();
    assert_eq!(echo["nationality"], korea);
    let one = client.get(&format!("/f1/submissions?email={email}")).unwrap();
    assert_eq!(one["Items"][0]["submission_id"], echo["id"]);
    assert_eq!(client.get("/f1/submissions").unwrap()["Items"].as_array().unwrap().len(), 4);

    let key = format!("nextpageKeyemail={email}&nextpageKeyid={id}");
    let rest = client.get(&format!("/v2/submissions/resultall?{key}")).unwrap();
    assert_eq!(rest["data"].as_array().unwrap().len(), 3);
}

#[test]
fn a_client_knows_each_failure_by_its_message() {
    let world = World::new();
    let client = ByHand(&world);
    let form = world.l1(Acme);
    let id = world.submit(Acme, &form);
    let required = Err("Required field values are not provided".to_owned());
    let invalid = Err("Field values are not valid".to_owned());
    let not_found = Err("Not Found".to_owned());
    let email = "mira.kole@example.org";

    for target in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
        assert_eq!(client.post(target, &form.clone().without("email")), required);
        assert_eq!(client.post(target, &form.clone().with("email", "mira")), invalid);
    }
    for target in ["leo@example.org", "leo@example.org/result", "leo@example.org/1"] {
        assert_eq!(client.get(&format!("/v2/submissions/{target}")), not_found);
    }
    let nothing = Sent(Vec::new());
    let renewal =
        |id: &str| client.post(&format!("/v2/submissions/renewaml/{email}/{id}"), &nothing);
    assert_eq!(renewal(""), Err("Submission ID is not provided".to_owned()));
    assert_eq!(renewal("1"), not_found);
    let message = "AML renewal is allowed only for an approved submission";
    assert_eq!(renewal(&id), Err(message.to_owned()));
    let documents = client.post(&format!("/v2/submissions/{email}/{id}/documents"), &nothing);
    assert_eq!(documents, Err("No document was asked for again".to_owned()));
    let half = client.get(&format!("/v2/submissions/resultall?nextpageKeyid={id}"));
    assert_eq!(half, invalid);
    assert_eq!(client.get("/f1/submissions?email="), required);
    for target in ["/v2/submissions/upload", "/f1/submissions/upload"] {
        assert_eq!(outcome(&world.upload(Acme, target, "passport", b"")), required);
        let unsupported = outcome(&world.upload(Acme, target, "passport", b"GIF89a"));
        assert_eq!(unsupported, Err("The file has to be a jpeg, png or pdf".to_owned()));
        assert_eq!(
            outcome(&world.upload(Nobody, target, "passport", b"")),
            Err("Forbidden".into())
        );
    }
    // No match in `/f1` is no failure (D4).
    assert!(client.get("/f1/submissions?email=leo@example.org").is_ok());
}

/// What is read from the data read without a default.
const WITHOUT_DEFAULT: [&str; 6] = [
    "kyc_level",
    "photoid_res",
    "selfie_res",
    "contribution_type",
    "wallet_address",
    "estimated_amount",
];

#[test]
fn d43_a_client_reads_keys_without_a_default() {
    let world = World::new();
    let client = ByHand(&world);
    let l1 = world.submit(Acme, &world.l1(Acme));
    let l2 = world.submit(Acme, &world.full(Acme));
    let incomplete = world.submit(Acme, &world.l1(Acme));
    world.retake(&incomplete, "photoid_res");
    let screened = world.submit_aml_only(Acme);
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{screened}");
    let renewed = world.post(Acme, &target, "").success().text_at("/id");
    for id in [l1, l2, incomplete, screened, renewed] {
        let target = format!("/v2/submissions/mira.kole@example.org/{id}/result");
        let data = client.get(&target).unwrap();
        for key in WITHOUT_DEFAULT {
            assert!(data.get(key).is_some(), "{key}");
        }
        assert_eq!(data.as_object().unwrap().len(), 24);
    }
}

#[test]
fn d36_a_client_sorts_the_words_of_reviews() {
    let world = World::new();
    let form = world.l1(Acme);
    let [_, incomplete, rejected, approved] = [(); 4].map(|()| world.submit(Acme, &form));
    world.retake(&incomplete, "selfie_res");
    world.reject(&rejected);
    world.approve(&approved);
    let list = world.get(Acme, "/f1/submissions").success().value_at("/Items");
    let mut words: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["kyc"]["result"].as_str().unwrap())
        .collect();
    words.sort_unstable();
    assert_eq!(words, ["approved", "incomplete", "pending", "rejected"]);
}

#[test]
fn d14_addresses_that_clients_join_raw_into_paths_are_found() {
    let world = World::new();
    let addresses = [
        "mira.kole@example.org",
        "mira+kyc@example.org",
        "mira_k-2@mail.example.co.uk",
        "o'neil@example.org",
        "a!b$c&d*e=f^g|h~i@example.org",
        "zoë@bücher.example",
        "山田@例え.jp",
    ];
    for address in addresses {
        let form = Sent::mira_aml_only().with("email", address);
        let id = world.post(Acme, "/v2/amlonly", &form.body()).success().text_at("/id");
        for target in [address.to_owned(), format!("{address}/{id}"), escape(address)] {
            let status = world.get(Acme, &format!("/v2/submissions/{target}")).success();
            assert_eq!(status.text_at("/id"), id);
            let data = world.get(Acme, &format!("/v2/submissions/{target}/result")).success();
            assert_eq!(data.text_at("/email"), address);
        }
        let target = format!("/v2/submissions/renewaml/{address}/{id}");
        world.post(Acme, &target, "").success();
    }
}

#[test]
fn d2_every_success_is_a_200_without_a_top_level_message() {
    let world = World::new();
    // The word stands in every text that a client can choose.
    let form = world
        .full(Acme)
        .with("userid", "message")
        .with("first_name", "message")
        .with("cf1", "\"message\":\"x\"")
        .with("message", "x");
    let id = world.post(Acme, "/f1/submissions", &form.body()).success().text_at("/id");
    let rejected = world.decide(&id, "reject", r#""comment":"message","message":"x""#);
    let reopened = world.decide(&id, "reopen", r#""reason":"message""#);
    let retaken = world.decide(&id, "retake", r#""documents":["selfie_res"]"#);
    let target = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
    let selfie = format!("selfie_res={}", world.document(Acme, "selfie"));
    let supplied = world.post(Acme, &target, &selfie);
    let approved = world.decide(
        &id,
        "approve",
        r#""id_expired_date":"2031-03-02","address_issued_date":"2026-08-31""#,
    );
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let answers = [
        rejected,
        reopened,
        retaken,
        supplied,
        approved,
        world.post(Acme, &target, ""),
        world.post(Acme, "/f1/submissions", &form.body()),
        world.post(Acme, "/v2/submissions", &form.body()),
        world.post(Acme, "/v2/amlonly", &form.body()),
        world.get(Acme, "/v2/submissions/mira.kole@example.org"),
        world.get(Acme, &format!("/v2/submissions/mira.kole@example.org/{id}")),
        world.get(Acme, "/v2/submissions/mira.kole@example.org/result"),
        world.get(Acme, "/v2/submissions/resultall"),
        world.get(Acme, "/f1/submissions"),
        world.get(Acme, "/f1/submissions?userid=message"),
        world.upload(Acme, "/v2/submissions/upload", "passport", &jpeg()),
        world.upload(Acme, "/f1/submissions/upload", "passport", &jpeg()),
        world.get(Ines, "/review/v1/submissions?status=all"),
        world.get(Ines, &format!("/review/v1/submissions/{id}")),
    ];
    for answer in answers {
        assert!(outcome(&answer.clone().success()).is_ok(), "{}", answer.text());
    }
    let document = format!("/review/v1/submissions/{id}/documents/selfie_res");
    world.get(Ines, &document).success();
}
