//! What happens to a submission, as clients see it (D28–D40).

use kyc_core::{RiskLevel, ScreeningQueue, Stall};

use crate::support::*;

const STATUS: &str = "/v2/submissions/mira.kole@example.org";

fn documents_of(id: &str) -> String {
    format!("{STATUS}/{id}/documents")
}

/// What a status read says in one line: status, review, score, version.
#[track_caller]
fn check(world: &World, expected: &str) {
    let status = world.get(Acme, STATUS).success().json();
    let review = status["kyc_result"]["status"].as_str().unwrap_or("absent");
    let complete = status["submission_result"]["status"].as_str().unwrap();
    let score = status["aml_result"]["score"].as_str().unwrap();
    assert_eq!(format!("{complete}, {review}, {score}"), expected);
}

#[test]
fn d28_d29_d30_from_hand_in_to_screening() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    check(&world, "complete, pending, -");
    world.retake(&id, "selfie_res");
    check(&world, "incomplete, absent, -");
    let selfie = world.document(Acme, "selfie");
    world.post(Acme, &documents_of(&id), &format!("selfie_res={selfie}")).success();
    check(&world, "complete, pending, -");
    world.reject(&id);
    check(&world, "complete, rejected, -");
    world.reopen(&id);
    check(&world, "complete, pending, -");
    world.approve(&id);
    check(&world, "complete, approved, -");
    world.screen(Ok(RiskLevel::Low));
    check(&world, "complete, approved, low");
    world.reopen(&id);
    check(&world, "complete, pending, -");
}

#[test]
fn d30_each_document_can_come_on_its_own() {
    let world = World::new();
    let id = world.submit(Acme, &world.l2(Acme));
    let all = r#""documents":["photoid_res","selfie_res","address_res"]"#;
    world.decide(&id, "retake", all).success();
    let flags = || {
        let result = world.get(Acme, STATUS).success().value_at("/submission_result");
        ["d1", "d2", "d3"].map(|flag| result[flag].as_bool())
    };
    let supply = |name: &str, kind: &str| {
        let body = format!("{name}={}", world.document(Acme, kind));
        world.post(Acme, &documents_of(&id), &body).success();
    };
    assert_eq!(flags(), [Some(false); 3]);
    supply("address_res", "address");
    assert_eq!(flags(), [Some(false), Some(false), Some(true)]);
    check(&world, "incomplete, absent, -");
    supply("photoid_res", "government_id");
    supply("selfie_res", "selfie");
    assert_eq!(flags(), [Some(true); 3]);
    check(&world, "complete, pending, -");
}

#[test]
fn d30_only_what_was_asked_for_is_taken_and_all_of_it_or_nothing() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    let target = documents_of(&id);
    let (selfie, photo) = (world.document(Acme, "selfie"), world.document(Acme, "passport"));
    let message = "No document was asked for again";
    let both = format!("selfie_res={selfie}&photoid_res={photo}");
    world.post(Acme, &target, &both).is_error(409, "conflict", message);
    world.post(Acme, &target, "").is_error(409, "conflict", message);
    world.retake(&id, "selfie_res");
    world.post(Acme, &target, &both).is_error(409, "conflict", message);
    world.post(Acme, &target, "").is_missing(&[("selfie_res", "is required")]);
    world.post(Acme, &target, "email=x&selfie_res=+").is_missing(&[("selfie_res", "is required")]);
    let fault = [("selfie_res", "must be uploaded as a selfie")];
    world.post(Acme, &target, &format!("selfie_res={photo}")).is_invalid(&fault);
    check(&world, "incomplete, absent, -");
    world.post(Acme, &target, &format!("selfie_res={selfie}")).success();
    check(&world, "complete, pending, -");
}

/// Makes one submission per letter, a minute apart, and asks for the applicant's standing:
/// `a`pproved, `p`ending, `r`ejected, `i`ncomplete.
#[track_caller]
fn check_standing(history: &str, expected: usize) {
    let world = World::new();
    let form = world.l1(Acme);
    let ids: Vec<String> = history
        .chars()
        .map(|letter| {
            world.later(1);
            let id = world.submit(Acme, &form);
            match letter {
                'a' => world.approve(&id),
                'r' => world.reject(&id),
                'i' => world.retake(&id, "selfie_res"),
                _ => {}
            }
            id
        })
        .collect();
    assert_eq!(world.get(Acme, STATUS).success().text_at("/id"), ids[expected], "{history}");
    let latest = world.get(Acme, &format!("{STATUS}/result")).success();
    assert_eq!(latest.text_at("/id"), ids[ids.len() - 1], "{history}");
    let latest = world.get(Acme, "/f1/submissions?email=mira.kole@example.org").success();
    assert_eq!(latest.text_at("/Items/0/submission_id"), ids[ids.len() - 1], "{history}");
}

#[test]
fn d31_the_best_status_speaks_for_the_applicant_and_the_latest_data_are_read() {
    check_standing("rp", 1);
    check_standing("rpa", 2);
    check_standing("apri", 0);
    check_standing("pri", 0);
    check_standing("ri", 0);
    check_standing("ir", 1);
    check_standing("aa", 1);
    check_standing("pp", 1);
    check_standing("rr", 1);
    check_standing("ii", 1);
}

#[test]
fn d31_of_one_instant_the_greater_id_is_the_more_recent() {
    let world = World::new();
    let form = world.l1(Acme);
    world.submit(Acme, &form);
    let second = world.submit(Acme, &form);
    assert_eq!(world.get(Acme, STATUS).success().text_at("/id"), second);
}

#[test]
fn d32_a_comment_is_in_latin_letters() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    let reject = |comment: &str| {
        world.decide(&id, "reject", &format!("\"comment\":{}", serde_json::Value::from(comment)))
    };
    let latin = "must be written in English: letters of the Latin script only";
    reject("Фото нечёткое").is_invalid(&[("comment", latin)]);
    reject("写真").is_invalid(&[("comment", latin)]);
    let too_long = "must be at most 1024 characters long";
    reject(&"x".repeat(1_025)).is_invalid(&[("comment", too_long)]);
    reject(" ").is_missing(&[("comment", "is required")]);
    reject("Café “menu” – 3 × 4 €, “Zoë’s” résumé: 100 %!").success();
    let comment = world.get(Acme, STATUS).success().text_at("/kyc_result/comment");
    assert_eq!(comment, "Café “menu” – 3 × 4 €, “Zoë’s” résumé: 100 %!");
}

#[test]
fn d33_an_address_document_expires_three_months_after_its_issue() {
    let check = |issued: &str, expired: &str| {
        let world = World::new();
        let id = world.submit(Acme, &world.l2(Acme));
        let dates = format!(r#""id_expired_date":"2031-03-02","address_issued_date":"{issued}""#);
        world.decide(&id, "approve", &dates).success();
        let status = world.get(Acme, STATUS).success();
        assert_eq!(status.text_at("/kyc_result/address_expired_date"), expired);
    };
    check("2026-08-31", "2026-11-30");
    check("2026-09-15", "2026-12-15");
    check("2026-11-30", "2027-02-28");
    check("2027-11-29", "2028-02-29");
    check("2026-12-31", "2027-03-31");
}

#[test]
fn d34_a_stalled_screening_is_tried_again() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    world.approve(&id);
    world.screen(Err(Stall::ListMissing));
    check(&world, "complete, approved, -");
    assert_eq!(world.screen(Ok(RiskLevel::High)).screened, 0);
    check(&world, "complete, approved, -");
    world.screen_again(ScreeningQueue::Stalled, Err(Stall::ListTooOld));
    check(&world, "complete, approved, -");
    world.screen_again(ScreeningQueue::Stalled, Ok(RiskLevel::NotApplicable));
    check(&world, "complete, approved, n/a");
}

#[test]
fn d34_only_what_is_approved_is_screened() {
    let world = World::new();
    let form = world.l1(Acme);
    let [_, rejected, incomplete] = [(); 3].map(|()| world.submit(Acme, &form));
    world.reject(&rejected);
    world.retake(&incomplete, "selfie_res");
    assert_eq!(world.screen(Ok(RiskLevel::High)).screened, 0);
}

#[test]
fn d37_an_aml_only_submission_is_queued_at_once() {
    let world = World::new();
    world.submit_aml_only(Acme);
    check(&world, "complete, approved, -");
    assert_eq!(world.screen(Ok(RiskLevel::Medium)).screened, 1);
    check(&world, "complete, approved, medium");
}

#[test]
fn d38_a_renewal_is_a_new_submission_and_leaves_the_old_one_alone() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    world.approve(&id);
    world.screen(Ok(RiskLevel::High));
    let old = world.get(Acme, &format!("{STATUS}/{id}")).success();
    let renew = |id: &str| {
        let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
        world.post(Acme, &target, "").success().text_at("/id")
    };
    let renewed = renew(&id);
    assert_eq!(world.get(Acme, &format!("{STATUS}/{id}")), old);
    let status = world.get(Acme, &format!("{STATUS}/{renewed}")).success();
    assert_eq!(status.text_at("/renewed_from"), id);
    assert_eq!(status.value_at("/kyc_result"), old.value_at("/kyc_result"));
    assert_eq!(status.text_at("/aml_result/score"), "-");
    assert_eq!(world.screen(Ok(RiskLevel::NotApplicable)).screened, 1);
    check(&world, "complete, approved, n/a");
    // A renewal can be renewed, and names the one before it.
    let again = renew(&renewed);
    let status = world.get(Acme, &format!("{STATUS}/{again}")).success();
    assert_eq!(status.text_at("/renewed_from"), renewed);
}

#[test]
fn d38_a_renewed_aml_only_submission_keeps_its_source() {
    let world = World::new();
    let id = world.submit_aml_only(Acme);
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let renewed = world.post(Acme, &target, "").success().text_at("/id");
    let status = world.get(Acme, &format!("{STATUS}/{renewed}")).success();
    assert_eq!(status.text_at("/source"), "amlonly");
    assert_eq!(status.text_at("/renewed_from"), id);
}

#[test]
fn d39_duplicates_are_the_same_person_under_other_addresses_of_the_same_client() {
    let world = World::new();
    world.submit_aml_only(Acme);
    let submit = |who, changes: &[(&str, &str)]| {
        let form = changes
            .iter()
            .fold(Sent::mira_aml_only(), |form, (name, value)| form.with(name, value));
        world.post(who, "/v2/amlonly", &form.body()).success().text_at("/id")
    };
    let email = ("email", "other@example.org");
    let same = submit(Acme, &[email, ("first_name", "MÌRA"), ("last_name", "ko le")]);
    submit(Acme, &[("email", "MIRA.KOLE@example.org")]);
    submit(Acme, &[email, ("last_name", "Cole")]);
    submit(Acme, &[email, ("middle_name", "Ana")]);
    submit(Acme, &[email, ("date_of_birth", "1990-05-18")]);
    submit(Acme, &[email, ("gender", "male")]);
    submit(Acme, &[email, ("nationality", "Austria, AUT")]);
    submit(Birch, &[email]);
    let found = world.get(Acme, STATUS).success().value_at("/dupeApplicants");
    assert_eq!(found, serde_json::json!([{"email": "other@example.org", "id": same}]));
}

#[test]
fn d40_exactly_one_result_is_kept() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    world.approve(&id);
    world.screen(Ok(RiskLevel::Low));
    assert_eq!(world.screen(Ok(RiskLevel::High)).screened, 0);
    assert_eq!(world.screen_again(ScreeningQueue::Stalled, Ok(RiskLevel::High)).screened, 0);
    check(&world, "complete, approved, low");
}
