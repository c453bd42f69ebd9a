//! `GET /v2/submissions/{email}` and `GET /v2/submissions/{email}/{submission_id}`

use kyc_core::{RiskLevel, Stall};

use crate::support::*;

/// Asks both ways, an hour after everything else.
#[track_caller]
fn check(world: &World, id: &str, expected: &str) {
    world.clock.advance_minutes(60);
    world.get(Acme, "/v2/submissions/mira.kole@example.org").is(expected);
    world.get(Acme, &format!("/v2/submissions/mira.kole@example.org/{id}")).is(expected);
}

/// A level 1 submission, one minute after its documents.
fn l1() -> (World, String) {
    let world = World::new();
    let form = world.l1(Acme);
    world.later(1);
    let id = world.submit(Acme, &form);
    world.later(9);
    (world, id)
}

const L1_RESULT: &str = r#"{
    "id":"01m7w4qexj0000000000000001",
    "submission_result":{"status":"complete","type":"L1","d1":true,"d2":true,"d3":null}"#;

const DATA: &str = r#"
    "data":{
        "name":"Mira Kole",
        "nationality":"Albania, ALB",
        "date_of_birth":"1990-05-17",
        "gender":"female"
    },
    "dupeApplicants":[],
    "checked_at":"2026-11-20T10:40:15.250Z"
}"#;

#[test]
fn d28_of_a_new_submission_is_pending() {
    let (world, id) = l1();
    check(
        &world,
        &id,
        &format!(
            r#"{L1_RESULT},
        "kyc_result":{{
            "status":"pending",
            "updated_at":null,
            "id_expired_date":null,
            "address_expired_date":null
        }},
        "aml_result":{{"score":"-"}},{DATA}"#
        ),
    );
}

#[test]
fn of_an_incomplete_submission() {
    let (world, id) = l1();
    world.retake(&id, "selfie_res");
    let l1_result =
        L1_RESULT.replace("complete", "incomplete").replace("\"d2\":true", "\"d2\":false");
    check(
        &world,
        &id,
        &format!(
            r#"{l1_result},
        "aml_result":{{"score":"-"}},{DATA}"#
        ),
    );
}

#[test]
fn of_a_rejected_submission() {
    let (world, id) = l1();
    world.reject(&id);
    check(
        &world,
        &id,
        &format!(
            r#"{L1_RESULT},
        "kyc_result":{{
            "status":"rejected",
            "comment":"The selfie is blurred.",
            "updated_at":"2026-11-20T09:40:15.250Z",
            "id_expired_date":null,
            "address_expired_date":null
        }},
        "aml_result":{{"score":"-"}},{DATA}"#
        ),
    );
}

/// An approved level 1 submission after a screening.
#[track_caller]
fn check_approved(verdict: Option<Result<RiskLevel, Stall>>, score: &str) {
    let (world, id) = l1();
    world.approve(&id);
    if let Some(verdict) = verdict {
        world.screen(verdict);
    }
    check(
        &world,
        &id,
        &format!(
            r#"{L1_RESULT},
        "kyc_result":{{
            "status":"approved",
            "updated_at":"2026-11-20T09:40:15.250Z",
            "id_expired_date":"2031-03-02",
            "address_expired_date":null
        }},
        "aml_result":{{"score":"{score}"}},{DATA}"#
        ),
    );
}

#[test]
fn d34_of_an_approved_submission_with_every_screening_result() {
    check_approved(None, "-");
    check_approved(Some(Ok(RiskLevel::NotApplicable)), "n/a");
    check_approved(Some(Ok(RiskLevel::Low)), "low");
    check_approved(Some(Ok(RiskLevel::Medium)), "medium");
    check_approved(Some(Ok(RiskLevel::High)), "high");
}

#[test]
fn d34_of_an_approved_submission_whose_screening_gave_no_result() {
    check_approved(Some(Err(Stall::ListMissing)), "-");
    check_approved(Some(Err(Stall::ListTooOld)), "-");
    check_approved(Some(Err(Stall::NoUsableName)), "-");
    check_approved(Some(Err(Stall::Failed)), "-");
}

#[test]
fn of_level_1_with_a_proof_of_address() {
    let world = World::new();
    let form = world.l1(Acme).with("address_res", &world.document(Acme, "address"));
    world.later(1);
    let id = world.submit(Acme, &form);
    world.later(9);
    world.approve_l2(&id);
    let l1_result = L1_RESULT.replace("\"d3\":null", "\"d3\":true");
    check(
        &world,
        &id,
        &format!(
            r#"{l1_result},
        "kyc_result":{{
            "status":"approved",
            "updated_at":"2026-11-20T09:40:15.250Z",
            "id_expired_date":"2031-03-02",
            "address_expired_date":"2026-11-30"
        }},
        "aml_result":{{"score":"-"}},{DATA}"#
        ),
    );
}

#[test]
fn of_level_2() {
    let world = World::new();
    let form = world.full(Acme);
    world.later(1);
    let id = world.post(Acme, "/f1/submissions", &form.body()).success().text_at("/id");
    world.later(9);
    world.approve_l2(&id);
    check(
        &world,
        &id,
        r#"{
        "id":"01m7w4qexj0000000000000001",
        "submission_result":{"status":"complete","type":"L2","d1":true,"d2":true,"d3":true},
        "kyc_result":{
            "status":"approved",
            "updated_at":"2026-11-20T09:40:15.250Z",
            "id_expired_date":"2031-03-02",
            "address_expired_date":"2026-11-30"
        },
        "aml_result":{"score":"-"},
        "data":{
            "name":"Mira Ana Kole",
            "nationality":"Albania, ALB",
            "date_of_birth":"1990-05-17",
            "gender":"female",
            "userid":"user-17",
            "cf1":"first \"custom\" field",
            "cf2":"второе поле",
            "cf3":"3"
        },
        "dupeApplicants":[],
        "checked_at":"2026-11-20T10:40:15.250Z"
    }"#,
    );
}

#[test]
fn of_level_2_with_every_document_missing() {
    let world = World::new();
    let form = world.l2(Acme);
    world.later(1);
    let id = world.submit(Acme, &form);
    world.later(9);
    let all = r#""documents":["address_res","photoid_res","selfie_res"]"#;
    world.decide(&id, "retake", all).success();
    check(
        &world,
        &id,
        &format!(
            r#"{{
        "id":"01m7w4qexj0000000000000001",
        "submission_result":{{"status":"incomplete","type":"L2","d1":false,"d2":false,"d3":false}},
        "aml_result":{{"score":"-"}},{DATA}"#
        ),
    );
}

#[test]
fn d37_of_an_aml_only_submission() {
    let world = World::new();
    world.later(1);
    let id = world.submit_aml_only(Acme);
    world.later(9);
    let expected = |score: &str| {
        format!(
            r#"{{
            "id":"01m7w4qexj0000000000000001",
            "submission_result":{{
                "status":"complete","type":"L1","d1":false,"d2":false,"d3":null
            }},
            "kyc_result":{{
                "status":"approved",
                "updated_at":"2026-11-20T09:31:15.250Z",
                "id_expired_date":null,
                "address_expired_date":null
            }},
            "aml_result":{{"score":"{score}"}},{},
            "source":"amlonly"
        }}"#,
            DATA.trim_end_matches("\n}")
        )
    };
    check(&world, &id, &expected("-"));
    world.screen(Ok(RiskLevel::Medium));
    let later = expected("medium").replace("T10:40", "T11:40");
    check(&world, &id, &later);
}

#[test]
fn d38_of_a_renewed_submission() {
    let (world, id) = l1();
    world.approve(&id);
    world.screen(Ok(RiskLevel::High));
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let renewed = world.post(Acme, &target, "").success().text_at("/id");
    let of = |id: &str, score: &str, more: &str| {
        format!(
            r#"{{
            "id":"{id}",
            "submission_result":{{"status":"complete","type":"L1","d1":true,"d2":true,"d3":null}},
            "kyc_result":{{
                "status":"approved",
                "updated_at":"2026-11-20T09:40:15.250Z",
                "id_expired_date":"2031-03-02",
                "address_expired_date":null
            }},
            "aml_result":{{"score":"{score}"}},{}{more}
        }}"#,
            DATA.trim_end_matches("\n}")
        )
    };
    let link = format!(",\"renewed_from\":\"{id}\"");
    check(&world, &renewed, &of(&renewed, "-", &link));
    let old = world.get(Acme, &format!("/v2/submissions/mira.kole@example.org/{id}"));
    old.is(&of(&id, "high", ""));
}

#[test]
fn d39_with_the_same_person_under_other_addresses() {
    let (world, id) = l1();
    let same = |email: &str, first: &str| {
        let form = Sent::mira_aml_only().with("email", email).with("first_name", first);
        world.post(Acme, "/v2/amlonly", &form.body()).success().text_at("/id")
    };
    let one = same("M.Kole@Example.net", "MÍRA");
    world.later(1);
    let two = same("kole@example.net", " mira ");
    same("kole2@example.net", "Mara");
    world.later(59);
    let answer = world.get(Acme, &format!("/v2/submissions/mira.kole@example.org/{id}"));
    answer.is(&format!(
        r#"{L1_RESULT},
        "kyc_result":{{
            "status":"pending",
            "updated_at":null,
            "id_expired_date":null,
            "address_expired_date":null
        }},
        "aml_result":{{"score":"-"}},{}"#,
        DATA.replace("[]", &format!(
            r#"[{{"email":"kole@example.net","id":"{two}"}},{{"email":"M.Kole@Example.net","id":"{one}"}}]"#
        ))
    ));
}
