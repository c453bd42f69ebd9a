//! The success answers of `/f1`, to the byte.

use kyc_core::{RiskLevel, Stall};

use crate::support::*;

#[test]
fn upload() {
    let world = World::new();
    world.upload(Acme, "/f1/submissions/upload", "governmentid", &png()).is(r#"{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "filehash":"acme000000/government_id_01m7w4nmaj0000000000000001",
        "filetype":"government_id",
        "fileFormat":"image/png"
    }"#);
    world.upload(Acme, "/f1/submissions/upload", "other", &pdf()).is(r#"{
        "id":"01m7w4nmaj0000000000000002",
        "created_at":"2026-11-20T09:30:15.250Z",
        "filehash":"acme000000/other_01m7w4nmaj0000000000000002",
        "filetype":"other",
        "fileFormat":"application/pdf"
    }"#);
    world.upload(Acme, "/f1/submissions/upload", "selfie", &jpeg()).is(r#"{
        "id":"01m7w4nmaj0000000000000003",
        "created_at":"2026-11-20T09:30:15.250Z",
        "filehash":"acme000000/selfie_01m7w4nmaj0000000000000003",
        "filetype":"selfie",
        "fileFormat":"image/jpeg"
    }"#);
}

#[test]
fn d45_submit_answers_what_was_sent() {
    let world = World::new();
    let form = world.l1(Acme);
    world.later(1);
    world.post(Acme, "/f1/submissions", &form.body()).is(r#"{
        "id":"01m7w4qexj0000000000000001",
        "created_at":"2026-11-20T09:31:15.250Z",
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
    }"#);
}

#[test]
fn d45_submit_answers_every_field() {
    let world = World::new();
    let form = world.full(Acme);
    world.post(Acme, "/f1/submissions", &form.body()).is(r#"{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "address_city":"Vlorë",
        "address_country":"Albania, ALB",
        "address_res":"acme000000/address_01m7w4nmaj0000000000000003",
        "address_state":"Vlorë County",
        "address_street":"12 Harbour Lane",
        "address_zipcode":"9401",
        "cf1":"first \"custom\" field",
        "cf2":"второе поле",
        "cf3":"3",
        "contribution_type":"ETH",
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "estimated_amount":"about 3,000 €",
        "first_name":"Mira",
        "gender":"female",
        "id_number":"X1234567",
        "id_type":"passport",
        "image_res1":"acme000000/other_01m7w4nmaj0000000000000004",
        "image_res2":"acme000000/other_01m7w4nmaj0000000000000005",
        "image_res3":"acme000000/other_01m7w4nmaj0000000000000006",
        "image_res4":"acme000000/other_01m7w4nmaj0000000000000007",
        "ip_address":"203.0.113.7",
        "kyc_level":"L2",
        "last_name":"Kole",
        "middle_name":"Ana",
        "nationality":"Albania, ALB",
        "photoid_res":"acme000000/passport_01m7w4nmaj0000000000000001",
        "selfie_res":"acme000000/selfie_01m7w4nmaj0000000000000002",
        "userid":"user-17",
        "wallet_address":"0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B",
        "wallet_address1":"bc1qexample1",
        "wallet_address2":"bc1qexample2",
        "wallet_address3":"bc1qexample3"
    }"#);
}

/// The item of a single read, and of the list, for the same submission.
#[track_caller]
fn check(world: &World, aml: &str, aml_status: &str, result: &str) {
    let data = r#""data":{
        "date_of_birth":"1990-05-17",
        "first_name":"Mira",
        "gender":"female",
        "last_name":"Kole",
        "nationality":"Albania, ALB"
    },
    "email":"mira.kole@example.org""#;
    world.get(Acme, "/f1/submissions?email=mira.kole@example.org").is(&format!(
        r#"{{"Items":[{{
            "submission_id":"01m7w4nmaj0000000000000001",
            "created_at":"2026-11-20 09:30",
            "aml":"{aml}",
            "aml_status":"{aml_status}",
            {data},
            "kyc":{{"result":"{result}"}}
        }}]}}"#
    ));
    world.get(Acme, "/f1/submissions").is(&format!(
        r#"{{"Items":[{{
            "submission_id":"01m7w4nmaj0000000000000001",
            "submit_date":"2026-11-20 09:30",
            "aml":"{aml}",
            "aml_status":"{aml_status}",
            {data},
            "kyc":{{"result":"{result}"}}
        }}],"nextpageKey":{{"email":"NA","id":"NA"}}}}"#
    ));
}

#[test]
fn d35_d36_reads_in_every_state() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    check(&world, "Not Screened", "not_started", "pending");
    world.retake(&id, "photoid_res");
    check(&world, "Not Screened", "not_started", "incomplete");
    let handle = world.document(Acme, "drivers_license");
    let target = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
    world.post(Acme, &target, &format!("photoid_res={handle}")).success();
    check(&world, "Not Screened", "not_started", "pending");
    world.reject(&id);
    check(&world, "Not Screened", "not_started", "rejected");
    world.reopen(&id);
    world.approve(&id);
    check(&world, "Not Screened", "running", "approved");
}

#[test]
fn d35_reads_after_every_screening() {
    let check_screened = |verdict, aml: &str, aml_status: &str| {
        let world = World::new();
        let id = world.submit(Acme, &world.l1(Acme));
        world.approve(&id);
        world.screen(verdict);
        check(&world, aml, aml_status, "approved");
    };
    check_screened(Ok(RiskLevel::NotApplicable), "Not Screened", "clear");
    check_screened(Ok(RiskLevel::Low), "Red Flag", "match");
    check_screened(Ok(RiskLevel::Medium), "Red Flag", "match");
    check_screened(Ok(RiskLevel::High), "Red Flag", "match");
    check_screened(Err(Stall::ListMissing), "Not Screened", "error");
    check_screened(Err(Stall::Failed), "Not Screened", "error");
}

#[test]
fn single_read_with_every_value() {
    let world = World::new();
    world.submit(Acme, &world.full(Acme));
    world.get(Acme, "/f1/submissions?userid=user-17").is(r#"{"Items":[{
        "submission_id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20 09:30",
        "aml":"Not Screened",
        "aml_status":"not_started",
        "data":{
            "address_city":"Vlorë",
            "address_country":"Albania, ALB",
            "address_state":"Vlorë County",
            "address_street":"12 Harbour Lane",
            "address_zipcode":"9401",
            "date_of_birth":"1990-05-17",
            "first_name":"Mira",
            "gender":"female",
            "last_name":"Kole",
            "middle_name":"Ana",
            "nationality":"Albania, ALB"
        },
        "email":"mira.kole@example.org",
        "kyc":{"result":"pending"},
        "userid":"user-17"
    }]}"#);
}

#[test]
fn reads_of_aml_only_and_renewed_submissions() {
    let world = World::new();
    let id = world.submit_aml_only(Acme);
    check(&world, "Not Screened", "running", "approved");
    world.screen(Ok(RiskLevel::Low));
    check(&world, "Red Flag", "match", "approved");
    world.later(1);
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let renewed = world.post(Acme, &target, "").success().text_at("/id");
    let item = world.get(Acme, "/f1/submissions?email=mira.kole@example.org").success();
    assert_eq!(item.text_at("/Items/0/submission_id"), renewed);
    assert_eq!(item.text_at("/Items/0/aml_status"), "running");
    let list = world.get(Acme, "/f1/submissions").success();
    assert_eq!(list.text_at("/Items/0/submission_id"), id);
    assert_eq!(list.text_at("/Items/1/submission_id"), renewed);
    assert_eq!(list.text_at("/Items/1/submit_date"), "2026-11-20 09:31");
}

#[test]
fn of_a_client_without_submissions() {
    let world = World::new();
    world.submit_aml_only(Birch);
    world.get(Acme, "/f1/submissions").is(r#"{"Items":[],"nextpageKey":{"email":"NA","id":"NA"}}"#);
    world.get(Acme, "/f1/submissions?email=mira.kole@example.org").is(r#"{"Items":[]}"#);
}
