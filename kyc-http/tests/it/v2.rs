//! The success answers of `/v2`, to the byte.

mod list;
mod status;

use crate::support::*;

#[test]
fn upload() {
    let world = World::new();
    world.upload(Acme, "/v2/submissions/upload", "passport", &jpeg()).is(r#"{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "filehash":"acme000000/passport_01m7w4nmaj0000000000000001",
        "filetype":"passport"
    }"#);
    world.later(1);
    world.upload(Birch, "/v2/submissions/upload", "government_id", &png()).is(r#"{
        "id":"01m7w4qexj0000000000000002",
        "created_at":"2026-11-20T09:31:15.250Z",
        "filehash":"birch00000/governmentid_01m7w4qexj0000000000000002",
        "filetype":"governmentid"
    }"#);
}

#[test]
fn submit_with_what_level_1_requires() {
    let world = World::new();
    let form = world.l1(Acme);
    world.later(10);
    world.post(Acme, "/v2/submissions", &form.body()).is(r#"{
        "id":"01m7w57y8j0000000000000001",
        "created_at":"2026-11-20T09:40:15.250Z",
        "address_city":null,
        "address_country":null,
        "address_res":null,
        "address_state":null,
        "address_street":null,
        "address_zipcode":null,
        "contribution_type":null,
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "estimated_amount":null,
        "first_name":"Mira",
        "gender":"female",
        "id_number":null,
        "id_type":"passport",
        "kyc_level":"L1",
        "last_name":"Kole",
        "middle_name":null,
        "nationality":"Albania, ALB",
        "photoid_res":"acme000000/passport_01m7w4nmaj0000000000000001",
        "selfie_res":"acme000000/selfie_01m7w4nmaj0000000000000002",
        "userid":null,
        "wallet_address":null
    }"#);
}

#[test]
fn submit_with_everything_level_2_takes() {
    let world = World::new();
    let form = world.full(Acme);
    world.post(Acme, "/v2/submissions", &form.body()).is(FULL_RECORD);
}

const FULL_RECORD: &str = r#"{
    "id":"01m7w4nmaj0000000000000001",
    "created_at":"2026-11-20T09:30:15.250Z",
    "address_city":"Vlorë",
    "address_country":"Albania, ALB",
    "address_res":"acme000000/address_01m7w4nmaj0000000000000003",
    "address_state":"Vlorë County",
    "address_street":"12 Harbour Lane",
    "address_zipcode":"9401",
    "contribution_type":"ETH",
    "date_of_birth":"1990-05-17",
    "email":"mira.kole@example.org",
    "estimated_amount":"about 3,000 €",
    "first_name":"Mira",
    "gender":"female",
    "id_number":"X1234567",
    "id_type":"passport",
    "kyc_level":"L2",
    "last_name":"Kole",
    "middle_name":"Ana",
    "nationality":"Albania, ALB",
    "photoid_res":"acme000000/passport_01m7w4nmaj0000000000000001",
    "selfie_res":"acme000000/selfie_01m7w4nmaj0000000000000002",
    "userid":"user-17",
    "wallet_address":"0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B"
}"#;

#[test]
fn data_is_what_submit_answered_in_every_state() {
    let world = World::new();
    let form = world.full(Acme);
    let id = world.submit(Acme, &form);
    let by_email = "/v2/submissions/mira.kole@example.org/result".to_owned();
    let by_id = format!("/v2/submissions/mira.kole@example.org/{id}/result");
    let check = || {
        world.get(Acme, &by_email).is(FULL_RECORD);
        world.get(Acme, &by_id).is(FULL_RECORD);
    };
    check();
    world.later(1);
    world.reject(&id);
    check();
    world.reopen(&id);
    check();
    world.approve_l2(&id);
    check();
    world.screen(Ok(kyc_core::RiskLevel::High));
    check();
}

#[test]
fn d30_data_shows_a_document_that_is_missing_as_null() {
    let world = World::new();
    let id = world.submit(Acme, &world.full(Acme));
    world.retake(&id, "address_res");
    let answer = world.get(Acme, "/v2/submissions/mira.kole@example.org/result");
    let handle = "\"acme000000/address_01m7w4nmaj0000000000000003\"";
    answer.is(&FULL_RECORD.replace(handle, "null"));
}

#[test]
fn data_of_an_aml_only_submission() {
    let world = World::new();
    world.submit_aml_only(Acme);
    world.get(Acme, "/v2/submissions/mira.kole@example.org/result").is(r#"{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "address_city":null,
        "address_country":null,
        "address_res":null,
        "address_state":null,
        "address_street":null,
        "address_zipcode":null,
        "contribution_type":null,
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "estimated_amount":null,
        "first_name":"Mira",
        "gender":"female",
        "id_number":null,
        "id_type":null,
        "kyc_level":"L1",
        "last_name":"Kole",
        "middle_name":null,
        "nationality":"Albania, ALB",
        "photoid_res":null,
        "selfie_res":null,
        "userid":null,
        "wallet_address":null
    }"#);
}

#[test]
fn aml_only() {
    let world = World::new();
    world.post(Acme, "/v2/amlonly", &Sent::mira_aml_only().body()).is(r#"{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "gender":"female",
        "last_name":"Kole",
        "middle_name":null,
        "nationality":"Albania, ALB",
        "userid":null
    }"#);
    let form = Sent::mira_aml_only().with("middle_name", "Ana").with("userid", "user-17");
    world.post(Acme, "/v2/amlonly", &form.body()).is(r#"{
        "id":"01m7w4nmaj0000000000000002",
        "created_at":"2026-11-20T09:30:15.250Z",
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "gender":"female",
        "last_name":"Kole",
        "middle_name":"Ana",
        "nationality":"Albania, ALB",
        "userid":"user-17"
    }"#);
}

#[test]
fn renew_answers_the_same_record_under_a_new_id() {
    let world = World::new();
    let form = world.full(Acme);
    let id = world.submit(Acme, &form);
    world.approve_l2(&id);
    world.later(1);
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let renewed = FULL_RECORD
        .replace("\"id\":\"01m7w4nmaj0000000000000001\"", "\"id\":\"01m7w4qexj0000000000000002\"")
        .replace("\"created_at\":\"2026-11-20T09:30:", "\"created_at\":\"2026-11-20T09:31:");
    world.post(Acme, &target, "").is(&renewed);
    world.get(Acme, &format!("/v2/submissions/mira.kole@example.org/{id}/result")).is(FULL_RECORD);
}

#[test]
fn documents_answers_the_record_with_the_new_document() {
    let world = World::new();
    let id = world.submit(Acme, &world.full(Acme));
    world.retake(&id, "address_res");
    let handle = world.document(Acme, "address");
    let target = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
    let body = format!("address_res={}", escape(&handle));
    let old = "acme000000/address_01m7w4nmaj0000000000000003";
    assert_ne!(handle, old);
    world.post(Acme, &target, &body).is(&FULL_RECORD.replace(old, &handle));
}

#[test]
fn reads_are_byte_stable() {
    let world = World::new();
    let id = world.submit(Acme, &world.full(Acme));
    world.approve_l2(&id);
    let targets = [
        "/v2/submissions/mira.kole@example.org".to_owned(),
        format!("/v2/submissions/mira.kole@example.org/{id}"),
        "/v2/submissions/mira.kole@example.org/result".to_owned(),
        format!("/v2/submissions/mira.kole@example.org/{id}/result"),
        "/v2/submissions/resultall".to_owned(),
        "/f1/submissions".to_owned(),
        "/f1/submissions?userid=user-17".to_owned(),
    ];
    for target in targets {
        let first = world.get(Acme, &target).success();
        assert_eq!(world.get(Acme, &target), first, "{target}");
    }
}
