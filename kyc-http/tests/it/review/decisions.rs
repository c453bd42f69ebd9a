//! `POST /review/v1/submissions/{submission_id}/approve`, `/reject`, `/retake`, `/reopen`

use crate::support::*;

fn pending() -> (World, String) {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    (world, id)
}

fn decide(world: &World, id: &str, decision: &str, body: &str) -> Answer {
    world.post(Ines, &format!("/review/v1/submissions/{id}/{decision}"), body)
}

#[test]
fn d53_each_decision_answers_the_submission_as_it_is_now() {
    let (world, id) = pending();
    let target = format!("/review/v1/submissions/{id}");
    let steps = [
        ("retake", r#"{"version":1,"documents":["photoid_res"]}"#, "incomplete"),
        ("reject", r#"{"version":3,"comment":"No."}"#, "rejected"),
        ("reopen", r#"{"version":4,"reason":"A mistake"}"#, "pending"),
        ("approve", r#"{"version":5,"id_expired_date":"2031-03-02"}"#, "approved"),
        ("reopen", r#"{"version":6,"reason":"Another mistake"}"#, "pending"),
    ];
    for (decision, body, status) in steps {
        world.later(1);
        let answer = decide(&world, &id, decision, body).success();
        assert_eq!(answer.text_at("/status"), status);
        assert_eq!(answer, world.get(Ines, &target));
        if decision == "retake" {
            let handle = world.document(Acme, "passport");
            let supply = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
            world.post(Acme, &supply, &format!("photoid_res={handle}")).success();
        }
    }
}

#[test]
fn d53_a_stale_version_is_a_conflict_and_changes_nothing() {
    let (world, id) = pending();
    let before = world.get(Ines, &format!("/review/v1/submissions/{id}"));
    for version in ["0", "2", "4294967295"] {
        let body = format!(r#"{{"version":{version},"id_expired_date":"2031-03-02"}}"#);
        let answer = decide(&world, &id, "approve", &body);
        answer.is_error(409, "conflict", "The submission changed since it was read");
    }
    assert_eq!(world.get(Ines, &format!("/review/v1/submissions/{id}")), before);
}

#[test]
fn d53_of_two_decisions_on_one_version_the_first_counts() {
    let (world, id) = pending();
    decide(&world, &id, "reject", r#"{"version":1,"comment":"No."}"#).success();
    let second = decide(&world, &id, "approve", r#"{"version":1,"id_expired_date":"2031-03-02"}"#);
    second.is_error(409, "conflict", "The submission changed since it was read");
    let status = world.get(Acme, "/v2/submissions/mira.kole@example.org").success();
    assert_eq!(status.text_at("/kyc_result/status"), "rejected");
}

#[track_caller]
fn check_conflict(world: &World, id: &str, decision: &str, members: &str, message: &str) {
    let before = world.get(Ines, &format!("/review/v1/submissions/{id}"));
    world.decide(id, decision, members).is_error(409, "conflict", message);
    assert_eq!(world.get(Ines, &format!("/review/v1/submissions/{id}")), before);
}

const APPROVE: &str = r#""id_expired_date":"2031-03-02""#;
const REJECT: &str = r#""comment":"No.""#;
const RETAKE: &str = r#""documents":["selfie_res"]"#;
const REOPEN: &str = r#""reason":"A mistake""#;

#[test]
fn d29_a_final_decision_stands_until_it_is_reopened() {
    let (world, id) = pending();
    let not_pending = "Only a pending submission can be decided";
    let not_final = "Only an approved or rejected submission can be reopened";
    check_conflict(&world, &id, "reopen", REOPEN, not_final);
    for (decision, members) in [("approve", APPROVE), ("reject", REJECT)] {
        world.decide(&id, decision, members).success();
        check_conflict(&world, &id, "approve", APPROVE, not_pending);
        check_conflict(&world, &id, "reject", REJECT, not_pending);
        check_conflict(&world, &id, "retake", RETAKE, not_pending);
        world.reopen(&id);
    }
    world.decide(&id, "retake", RETAKE).success();
    check_conflict(&world, &id, "approve", APPROVE, not_pending);
    check_conflict(&world, &id, "reject", REJECT, not_pending);
    check_conflict(&world, &id, "retake", RETAKE, not_pending);
    check_conflict(&world, &id, "reopen", REOPEN, not_final);
}

#[test]
fn d29_level_2_needs_the_issue_date_of_its_address_document() {
    let world = World::new();
    let id = world.submit(Acme, &world.l2(Acme));
    let needed = "The issue date of the address document is needed for level 2";
    check_conflict(&world, &id, "approve", APPROVE, needed);
    world.approve_l2(&id);
}

#[test]
fn d29_there_has_to_be_what_a_decision_speaks_of() {
    let (world, id) = pending();
    let dates = r#""id_expired_date":"2031-03-02","address_issued_date":"2026-08-31""#;
    check_conflict(&world, &id, "approve", dates, "The submission has no address document");
    let address = r#""documents":["selfie_res","address_res"]"#;
    check_conflict(&world, &id, "retake", address, "The submission has no such document");
}

#[test]
fn d74_the_dates_of_documents_are_the_inspectors_to_judge() {
    let world = World::new();
    let id = world.submit(Acme, &world.l2(Acme));
    let dates = r#""id_expired_date":"2001-03-02","address_issued_date":"2099-08-31""#;
    world.decide(&id, "approve", dates).success();
    let status = world.get(Acme, "/v2/submissions/mira.kole@example.org").success();
    assert_eq!(status.text_at("/kyc_result/id_expired_date"), "2001-03-02");
    assert_eq!(status.text_at("/kyc_result/address_expired_date"), "2099-11-30");
}

#[test]
fn d37_an_aml_only_submission_has_no_review() {
    let world = World::new();
    let id = world.submit_aml_only(Acme);
    let not_pending = "Only a pending submission can be decided";
    check_conflict(&world, &id, "approve", APPROVE, not_pending);
    check_conflict(&world, &id, "reject", REJECT, not_pending);
    check_conflict(&world, &id, "retake", RETAKE, not_pending);
    check_conflict(&world, &id, "reopen", REOPEN, "An AML-only submission has no review");
}

#[test]
fn d53_missing_members_are_told_together() {
    let (world, id) = pending();
    let required = |name| (name, "is required");
    let check = |decision: &str, names: &[&'static str]| {
        let faults: Vec<_> = names.iter().copied().map(required).collect();
        decide(&world, &id, decision, "{}").is_missing(&faults);
        let blank = r#"{"id_expired_date":" ","comment":"","documents":null,"reason":"\t"}"#;
        decide(&world, &id, decision, blank).is_missing(&faults);
    };
    check("approve", &["version", "id_expired_date"]);
    check("reject", &["version", "comment"]);
    check("retake", &["version", "documents"]);
    check("reopen", &["version", "reason"]);
}

#[test]
fn d53_invalid_members_are_told_together() {
    let (world, id) = pending();
    let day = "must be a date of the form YYYY-MM-DD";
    let approve =
        r#"{"version":1,"id_expired_date":"2031-3-2","address_issued_date":"2026-02-30"}"#;
    decide(&world, &id, "approve", approve).is_invalid(&[
        ("id_expired_date", day),
        ("address_issued_date", "must be a day that exists"),
    ]);
    let reject = r#"{"version":1,"comment":"Нет","reason_codes":["Blurred"]}"#;
    decide(&world, &id, "reject", reject).is_invalid(&[
        ("comment", "must be written in English: letters of the Latin script only"),
        ("reason_codes", "must be 1 to 64 characters of a-z, 0-9 and `_`"),
    ]);
    let many =
        format!(r#"{{"version":1,"comment":"No","reason_codes":[{}"x"]}}"#, r#""x","#.repeat(16));
    decide(&world, &id, "reject", &many)
        .is_invalid(&[("reason_codes", "must be at most 16 codes")]);
    let most = many.replacen(r#""x","#, "", 1);
    let stale = most.replace("\"version\":1", "\"version\":7");
    let message = "The submission changed since it was read";
    decide(&world, &id, "reject", &stale).is_error(409, "conflict", message);
    let words = "must name at least one of: photoid_res, selfie_res, address_res";
    for documents in ["[]", r#"["selfie"]"#, r#"["selfie_res","image_res1"]"#] {
        let body = format!(r#"{{"version":1,"documents":{documents}}}"#);
        decide(&world, &id, "retake", &body).is_invalid(&[("documents", words)]);
    }
    let long = format!(r#"{{"version":1,"reason":"{}"}}"#, "x".repeat(1_025));
    let too_long = "must be at most 1024 characters long";
    decide(&world, &id, "reopen", &long).is_invalid(&[("reason", too_long)]);
}

#[test]
fn d53_a_body_that_is_no_such_object_is_refused() {
    let (world, id) = pending();
    let message = "The body has to be a JSON object with members of the right types";
    let bodies = [
        "",
        "version=1",
        "null",
        "[]",
        r#"[1,"2031-03-02",null,null,null,null,null]"#,
        r#"{"version":"1","id_expired_date":"2031-03-02"}"#,
        r#"{"version":-1,"id_expired_date":"2031-03-02"}"#,
        r#"{"version":1.5,"id_expired_date":"2031-03-02"}"#,
        r#"{"version":4294967296,"id_expired_date":"2031-03-02"}"#,
        r#"{"version":1,"id_expired_date":20310302}"#,
        r#"{"version":1,"version":1,"id_expired_date":"2031-03-02"}"#,
        r#"{"version":1,"id_expired_date":"2031-03-02"}{}"#,
        r#"{"version":1,"id_expired_date":"2031-03-02""#,
    ];
    for body in bodies {
        decide(&world, &id, "approve", body).is_error(400, "bad_request", message);
    }
    let deep = "[".repeat(60_000);
    decide(&world, &id, "approve", &deep).is_error(400, "bad_request", message);
}

#[test]
fn d17_unknown_members_are_ignored() {
    let (world, id) = pending();
    let body =
        r#"{"version":1,"id_expired_date":"2031-03-02","remark":{"a":[1]},"status":"rejected"}"#;
    let answer = decide(&world, &id, "approve", body).success();
    assert_eq!(answer.text_at("/status"), "approved");
}

#[test]
fn d126_a_version_is_the_same_number_with_a_fraction_of_zero() {
    for version in ["1", "1.0", "10e-1", "1.000"] {
        let (world, id) = pending();
        let body = format!(r#"{{"version":{version},"id_expired_date":"2031-03-02"}}"#);
        decide(&world, &id, "approve", &body).success();
    }
    let (world, id) = pending();
    for version in ["null", "0.9999999999999", "1e-400", "-0.0", "4294967295.5", "1e9999"] {
        let body = format!(r#"{{"version":{version},"id_expired_date":"2031-03-02"}}"#);
        assert_ne!(decide(&world, &id, "approve", &body).status, 200, "{version}");
    }
}
