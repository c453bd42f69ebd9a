//! `GET /review/v1/submissions/{submission_id}`

use kyc_core::{RiskLevel, Stall};

use crate::support::*;

const L1_HEAD: &str = r#"{
    "id":"01m7w4qexj0000000000000001",
    "client":"acme",
    "version":VERSION,
    "created_at":"2026-11-20T09:31:15.250Z",
    "renewed_from":null,
    "status":"STATUS",
    "kyc_level":"L1",
    "source":"form",
    "retention":{"until":UNTIL,"ended":null,"hold":null},
    "form":{
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "gender":"female",
        "id_type":"passport",
        "kyc_level":"L1",
        "last_name":"Kole",
        "nationality":"Albania, ALB",
        "photoid_res":"acme000000/passport_01m7w4nmaj0000000000000001",
        "selfie_res":"acme000000/selfie_01m7w4nmaj0000000000000002"
    },
    "documents":[{
        "field":"photoid_res",
        "id":"01m7w4nmaj0000000000000001",
        "type":"passport",
        "media_type":"image/jpeg",
        "size_bytes":35,
        "uploaded_at":"2026-11-20T09:30:15.250Z",
        "missing":false,
        "url":"/review/v1/submissions/01m7w4qexj0000000000000001/documents/photoid_res"
    },{
        "field":"selfie_res",
        "id":"01m7w4nmaj0000000000000002",
        "type":"selfie",
        "media_type":"image/jpeg",
        "size_bytes":35,
        "uploaded_at":"2026-11-20T09:30:15.250Z",
        "missing":false,
        "url":"/review/v1/submissions/01m7w4qexj0000000000000001/documents/selfie_res"
    }],"#;

fn l1_head(version: u32, status: &str) -> String {
    // The relationship with who is approved has no end yet.
    let until = if status == "approved" { "null" } else { r#""2031-11-21T00:00:00.000Z""# };
    let head = L1_HEAD.replace("VERSION", &version.to_string()).replace("STATUS", status);
    head.replace("UNTIL", until)
}

/// A level 1 submission that is looked at ten minutes after it was handed in.
fn l1() -> (World, String) {
    let world = World::new();
    let form = world.l1(Acme);
    world.later(1);
    let id = world.submit(Acme, &form);
    world.later(9);
    (world, id)
}

#[track_caller]
fn check(world: &World, id: &str, head: &str, rest: &str) {
    let target = format!("/review/v1/submissions/{id}");
    let expected = format!("{head}{rest}");
    world.get(Ines, &target).is(&expected);
    world.get(Ben, &target).is(&expected);
}

#[test]
fn pending() {
    let (world, id) = l1();
    check(
        &world,
        &id,
        &l1_head(1, "pending"),
        r#"
        "review":null,"aml":null,"duplicates":[],"history":[]}"#,
    );
}

#[test]
fn incomplete_then_supplied() {
    let (world, id) = l1();
    let retake = r#""documents":["selfie_res"],"comment":"Blurred; please take it again""#;
    world.decide(&id, "retake", retake).success();
    let asked = r#"{"at":"2026-11-20T09:40:15.250Z","by":"ines","event":"retake_asked",
        "text":"Blurred; please take it again","documents":["selfie_res"]}"#;
    let selfie = ",\n        \"selfie_res\":\"acme000000/selfie_01m7w4nmaj0000000000000002\"";
    let head = l1_head(2, "incomplete").replace(selfie, "");
    let (first, second) = head.rsplit_once("\"missing\":false").unwrap();
    let head = format!("{first}\"missing\":true{second}");
    check(
        &world,
        &id,
        &head,
        &format!(
            r#"
        "review":{{
            "at":"2026-11-20T09:40:15.250Z",
            "id_expired_date":null,
            "address_issued_date":null,
            "address_expired_date":null,
            "comment":"Blurred; please take it again",
            "reason_codes":[],
            "missing":["selfie_res"]
        }},
        "aml":null,"duplicates":[],"history":[{asked}]}}"#
        ),
    );

    let handle = world.document(Acme, "selfie");
    let target = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
    world.later(1);
    world.post(Acme, &target, &format!("selfie_res={handle}")).success();
    let head = l1_head(3, "pending")
        .replace("01m7w4nmaj0000000000000002", handle.rsplit_once('_').unwrap().1);
    let (first, second) = head.rsplit_once("09:30:15.250Z").unwrap();
    let head = format!("{first}09:40:15.250Z{second}");
    check(
        &world,
        &id,
        &head,
        &format!(
            r#"
        "review":null,"aml":null,"duplicates":[],"history":[{asked},
            {{"at":"2026-11-20T09:41:15.250Z","by":"client","event":"document_supplied",
            "documents":["selfie_res"],
            "replaced":"acme000000/selfie_01m7w4nmaj0000000000000002"}}]}}"#
        ),
    );
}

#[test]
fn rejected_then_reopened() {
    let (world, id) = l1();
    let members =
        r#""comment":"The selfie is blurred.","reason_codes":["selfie_blurred","no_match"]"#;
    world.decide(&id, "reject", members).success();
    let rejected = r#"{"at":"2026-11-20T09:40:15.250Z","by":"ines","event":"rejected",
        "text":"The selfie is blurred.","reason_codes":["selfie_blurred","no_match"]}"#;
    check(
        &world,
        &id,
        &l1_head(2, "rejected"),
        &format!(
            r#"
        "review":{{
            "at":"2026-11-20T09:40:15.250Z",
            "id_expired_date":null,
            "address_issued_date":null,
            "address_expired_date":null,
            "comment":"The selfie is blurred.",
            "reason_codes":["selfie_blurred","no_match"],
            "missing":[]
        }},
        "aml":null,"duplicates":[],"history":[{rejected}]}}"#
        ),
    );

    world.later(1);
    world.reopen(&id);
    check(
        &world,
        &id,
        &l1_head(3, "pending"),
        &format!(
            r#"
        "review":null,"aml":null,"duplicates":[],"history":[{rejected},
            {{"at":"2026-11-20T09:41:15.250Z","by":"ines","event":"reopened",
            "text":"Decided on the wrong person"}}]}}"#
        ),
    );
}

const APPROVED: &str = r#"
    "review":{
        "at":"2026-11-20T09:40:15.250Z",
        "id_expired_date":"2031-03-02",
        "address_issued_date":null,
        "address_expired_date":null,
        "comment":null,
        "reason_codes":[],
        "missing":[]
    },"#;

const APPROVED_EVENT: &str = r#"{"at":"2026-11-20T09:40:15.250Z","by":"ines","event":"approved",
    "id_expired_date":"2031-03-02"}"#;

#[test]
fn approved_and_queued() {
    let (world, id) = l1();
    world.approve(&id);
    check(
        &world,
        &id,
        &l1_head(2, "approved"),
        &format!(
            r#"{APPROVED}
        "aml":{{"score":"-","stalled":null,"screening":null,"kept_decisions":[]}},
        "duplicates":[],"history":[{APPROVED_EVENT}]}}"#
        ),
    );
}

#[test]
fn approved_and_stalled() {
    let check_stalled = |stall, words: &str| {
        let (world, id) = l1();
        world.approve(&id);
        world.screen(Err(stall));
        check(
            &world,
            &id,
            &l1_head(3, "approved"),
            &format!(
                r#"{APPROVED}
            "aml":{{"score":"-","stalled":"{words}","screening":null,
            "kept_decisions":[]}},
            "duplicates":[],"history":[{APPROVED_EVENT}]}}"#
            ),
        );
    };
    check_stalled(Stall::ListMissing, "a required list is missing");
    check_stalled(Stall::ListTooOld, "a required list is too old");
    check_stalled(Stall::NoUsableName, "the name has no letters that can be compared");
    check_stalled(Stall::Failed, "the screening engine failed");
}

#[test]
fn approved_and_screened() {
    let check_screened = |risk, score: &str, hits: &str| {
        let (world, id) = l1();
        world.approve(&id);
        world.later(1);
        world.screen(Ok(risk));
        check(
            &world,
            &id,
            &l1_head(3, "approved"),
            &format!(
                r#"{APPROVED}
            "aml":{{
                "score":"{score}",
                "stalled":null,
                "screening":{{
                    "at":"2026-11-20T09:41:15.250Z",
                    "configuration":"c0ffee",
                    "lists":[{{
                        "list":"sample",
                        "version":"9f2c11d0",
                        "source_date":"2026-11-01",
                        "sample":true
                    }}],
                    "hits":[{hits}],
                    "unreported":"n/a",
                    "changed":null
                }},
                "kept_decisions":[]
            }},
            "duplicates":[],"history":[{APPROVED_EVENT},
                {{"at":"2026-11-20T09:41:15.250Z","by":"service","event":"screened",
                "score":"{score}"}}]}}"#
            ),
        );
    };
    let hit = |risk: &str| {
        format!(
            r#"{{
        "list":"sample",
        "entity":"S-12",
        "name":"KOLE, Mira",
        "matched":"Mira Kole",
        "score":"0.925",
        "risk":"{risk}",
        "programmes":["SAMPLE"],
        "reasons":["the same name","the same year of birth"],
        "evidence":[
            {{"field":"name","listed":"Mira Kole"}},
            {{"field":"date of birth","listed":"1990"}}
        ],
        "standing":"open",
        "decision":null,
        "changes":[]
    }}"#
        )
    };
    check_screened(RiskLevel::NotApplicable, "n/a", "");
    check_screened(RiskLevel::Low, "low", &hit("low"));
    check_screened(RiskLevel::Medium, "medium", &hit("medium"));
    check_screened(RiskLevel::High, "high", &hit("high"));
}

#[test]
fn level_2_with_every_field_and_address_dates() {
    let world = World::new();
    let form = world.full(Acme);
    world.later(1);
    let id = world.post(Acme, "/f1/submissions", &form.body()).success().text_at("/id");
    world.approve_l2(&id);
    let case = world.get(Ines, &format!("/review/v1/submissions/{id}")).success();
    // The form is what the client handed in, in the words that it was answered.
    for (name, value) in &form.0 {
        assert_eq!(case.text_at(&format!("/form/{name}")), *value);
    }
    let handed_in = case.value_at("/form");
    assert_eq!(handed_in.as_object().unwrap().len(), form.0.len());
    let fields = ["photoid_res", "selfie_res", "address_res"].into_iter().chain([
        "image_res1",
        "image_res2",
        "image_res3",
        "image_res4",
    ]);
    for (place, field) in fields.enumerate() {
        assert_eq!(case.text_at(&format!("/documents/{place}/field")), field);
        let handle = form.value(field);
        assert!(handle.ends_with(&case.text_at(&format!("/documents/{place}/id"))));
    }
    assert_eq!(case.text_at("/review/address_issued_date"), "2026-08-31");
    assert_eq!(case.text_at("/review/address_expired_date"), "2026-11-30");
    assert_eq!(case.text_at("/history/0/address_issued_date"), "2026-08-31");
}

#[test]
fn aml_only_and_its_renewal() {
    let world = World::new();
    let id = world.submit_aml_only(Acme);
    let head = |id: &str, renewed_from: &str, created_at: &str| {
        format!(
            r#"{{
            "id":"{id}",
            "client":"acme",
            "version":1,
            "created_at":"2026-11-20T{created_at}:15.250Z",
            "renewed_from":{renewed_from},
            "status":"approved",
            "kyc_level":"L1",
            "source":"amlonly",
            "retention":{{"until":null,"ended":null,"hold":null}},
            "form":{{
                "date_of_birth":"1990-05-17",
                "email":"mira.kole@example.org",
                "first_name":"Mira",
                "gender":"female",
                "kyc_level":"L1",
                "last_name":"Kole",
                "nationality":"Albania, ALB"
            }},
            "documents":[],
            "review":{{
                "at":"2026-11-20T09:30:15.250Z",
                "id_expired_date":null,
                "address_issued_date":null,
                "address_expired_date":null,
                "comment":null,
                "reason_codes":[],
                "missing":[]
            }},"#
        )
    };
    let rest = r#"
        "aml":{"score":"-","stalled":null,"screening":null,"kept_decisions":[]},
        "duplicates":[],"history":[]}"#;
    check(&world, &id, &head(&id, "null", "09:30"), rest);
    world.later(1);
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let renewed = world.post(Acme, &target, "").success().text_at("/id");
    check(&world, &renewed, &head(&renewed, &format!("\"{id}\""), "09:31"), rest);
}

#[test]
fn d39_duplicates() {
    let (world, id) = l1();
    let form = Sent::mira_aml_only().with("email", "m@example.net");
    let other = world.post(Acme, "/v2/amlonly", &form.body()).success().text_at("/id");
    check(
        &world,
        &id,
        &l1_head(1, "pending"),
        &format!(
            r#"
        "review":null,"aml":null,
        "duplicates":[{{"email":"m@example.net","id":"{other}"}}],"history":[]}}"#
        ),
    );
}
