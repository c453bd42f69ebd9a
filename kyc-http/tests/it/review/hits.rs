//! `POST /review/v1/submissions/{submission_id}/hits`, `/acknowledge`

use kyc_core::RiskLevel;
use kyc_core::service::Rescreened;

use crate::support::*;

/// An approved submission with one hit.
fn found(risk: RiskLevel) -> (World, String) {
    let world = World::new();
    let id = world.submit_aml_only(Acme);
    world.later(1);
    world.screen(Ok(risk));
    (world, id)
}

/// A decision on the hit, on the version that is current.
fn decide(world: &World, id: &str, verdict: &str, note: &str) -> Answer {
    let members =
        format!(r#""list":"sample","entity":"S-12","verdict":"{verdict}","note":"{note}""#);
    world.decide(id, "hits", &members)
}

fn case(world: &World, id: &str) -> Answer {
    world.get(Ines, &format!("/review/v1/submissions/{id}")).success()
}

/// What clients read: `/v2`, both members of `/f1`, and the list.
#[track_caller]
fn check_clients(world: &World, id: &str, score: &str, aml: &str, aml_status: &str) {
    let status = world.get(Acme, "/v2/submissions/mira.kole@example.org").success();
    assert_eq!(status.text_at("/aml_result/score"), score);
    let read = world.get(Acme, &format!("/f1/submissions?submission_id={id}")).success();
    assert_eq!(read.text_at("/Items/0/aml"), aml);
    assert_eq!(read.text_at("/Items/0/aml_status"), aml_status);
    let list = world.get(Acme, "/f1/submissions").success();
    assert_eq!(list.text_at("/Items/0/aml_status"), aml_status);
    let list = world.get(Acme, "/v2/submissions/resultall").success();
    assert!(list.text().contains(id));
}

#[test]
fn d80_a_cleared_hit() {
    let (world, id) = found(RiskLevel::Medium);
    check_clients(&world, &id, "medium", "Red Flag", "match");
    world.later(1);
    let answer = decide(&world, &id, "false_positive", "Twenty years older.").success();
    assert_eq!(answer, case(&world, &id));
    answer.has_bytes(r#""version":3,"#);
    answer.has_bytes(
        r#"
        "aml":{
            "score":"n/a",
            "stalled":null,
            "screening":{
                "at":"2026-11-20T09:31:15.250Z",
                "configuration":"c0ffee",
                "lists":[{
                    "list":"sample",
                    "version":"9f2c11d0",
                    "source_date":"2026-11-01",
                    "sample":true
                }],
                "hits":[{
                    "list":"sample",
                    "entity":"S-12",
                    "name":"KOLE, Mira",
                    "matched":"Mira Kole",
                    "score":"0.925",
                    "risk":"medium",
                    "programmes":["SAMPLE"],
                    "reasons":["the same name","the same year of birth"],
                    "evidence":[
                        {"field":"name","listed":"Mira Kole"},
                        {"field":"date of birth","listed":"1990"}
                    ],
                    "standing":"cleared",
                    "decision":{
                        "verdict":"false_positive",
                        "note":"Twenty years older.",
                        "by":"ines",
                        "at":"2026-11-20T09:32:15.250Z"
                    },
                    "changes":[]
                }],
                "unreported":"n/a",
                "changed":null
            },
            "kept_decisions":[]
        },
        "duplicates":[],
        "history":[
            {"at":"2026-11-20T09:31:15.250Z","by":"service","event":"screened","score":"medium"},
            {"at":"2026-11-20T09:32:15.250Z","by":"ines","event":"hit_decided",
            "text":"Twenty years older.",
            "hit":{"list":"sample","entity":"S-12"},
            "verdict":"false_positive",
            "score":"n/a"}
        ]}"#,
    );
    check_clients(&world, &id, "n/a", "Not Screened", "clear");
}

#[test]
fn d80_a_confirmed_hit_is_high_and_can_be_taken_back() {
    let (world, id) = found(RiskLevel::Low);
    let confirmed = decide(&world, &id, "true_positive", "The same passport.").success();
    assert_eq!(confirmed.text_at("/aml/score"), "high");
    assert_eq!(confirmed.text_at("/aml/screening/hits/0/standing"), "confirmed");
    assert_eq!(confirmed.text_at("/aml/screening/hits/0/risk"), "low");
    check_clients(&world, &id, "high", "Red Flag", "match");

    let open = decide(&world, &id, "undecided", "The wrong file.").success();
    assert_eq!(open.text_at("/aml/score"), "low");
    assert_eq!(open.text_at("/aml/screening/hits/0/standing"), "open");
    assert!(open.value_at("/aml/screening/hits/0/decision").is_null());
    open.has_bytes(
        r#""event":"hit_decided","text":"The wrong file.",
        "hit":{"list":"sample","entity":"S-12"},"verdict":"undecided","score":"low"}]}"#,
    );
}

#[test]
fn d81_other_evidence_reopens_a_hit_and_shows_the_difference() {
    let (world, id) = found(RiskLevel::Medium);
    decide(&world, &id, "false_positive", "Older.").success();
    world.later(1);
    assert_eq!(world.rescreen(RiskLevel::Medium, "1990"), [Rescreened::Unchanged]);
    check_clients(&world, &id, "n/a", "Not Screened", "clear");

    assert_eq!(world.rescreen(RiskLevel::Medium, "1990-05-17"), [Rescreened::Changed]);
    check_clients(&world, &id, "medium", "Red Flag", "match");
    let reopened = case(&world, &id);
    reopened.has_bytes(
        r#"
        "evidence":[
            {"field":"name","listed":"Mira Kole"},
            {"field":"date of birth","listed":"1990-05-17"}
        ],
        "standing":"reopened",
        "decision":{
            "verdict":"false_positive",
            "note":"Older.",
            "by":"ines",
            "at":"2026-11-20T09:31:15.250Z"
        },
        "changes":[{"field":"date of birth","before":"1990","now":"1990-05-17"}]}],
        "unreported":"n/a",
        "changed":{
            "score":"n/a",
            "added":[],
            "gone":[],
            "altered":[{"list":"sample","entity":"S-12"}]
        }},
        "kept_decisions":[]}"#,
    );
    reopened.has_bytes(
        r#"
        {"at":"2026-11-20T09:32:15.250Z","by":"service","event":"rescreened",
        "altered":[{"list":"sample","entity":"S-12"}],"score":"medium"}]}"#,
    );
    let confirmed = decide(&world, &id, "true_positive", "The same after all.").success();
    assert!(confirmed.value_at("/aml/screening/changed").is_null(), "who decides has looked");
}

#[test]
fn d81_a_decision_on_a_record_that_is_no_hit_is_kept_and_shown() {
    let (world, id) = found(RiskLevel::Medium);
    decide(&world, &id, "false_positive", "Older.").success();
    world.later(1);
    world.rescreen(RiskLevel::NotApplicable, "1990");
    let gone = case(&world, &id);
    gone.has_bytes(
        r#"
        "hits":[],
        "unreported":"n/a",
        "changed":{
            "score":"n/a",
            "added":[],
            "gone":[{"list":"sample","entity":"S-12"}],
            "altered":[]
        }},
        "kept_decisions":[{
            "list":"sample",
            "entity":"S-12",
            "verdict":"false_positive",
            "note":"Older.",
            "by":"ines",
            "at":"2026-11-20T09:31:15.250Z"
        }]}"#,
    );
    // It is taken back as any other, and holds when the list adds the record again.
    world.rescreen(RiskLevel::Medium, "1990");
    assert_eq!(case(&world, &id).text_at("/aml/score"), "n/a");
    world.rescreen(RiskLevel::NotApplicable, "1990");
    let taken_back = decide(&world, &id, "undecided", "?").success();
    taken_back.has_bytes(r#""kept_decisions":[]"#);
}

#[test]
fn d81_a_renewed_applicant_stays_cleared() {
    let (world, id) = found(RiskLevel::High);
    decide(&world, &id, "false_positive", "Older.").success();
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let renewed = world.post(Acme, &target, "").success().text_at("/id");
    assert!(case(&world, &renewed).has("/aml/kept_decisions/0/note"));
    world.screen(Ok(RiskLevel::High));
    check_clients(&world, &renewed, "n/a", "Not Screened", "clear");
}

#[test]
fn d82_a_change_is_marked_until_it_is_acknowledged() {
    let (world, id) = found(RiskLevel::Low);
    world.later(1);
    world.rescreen(RiskLevel::NotApplicable, "1990");
    world.later(1);
    let looked = world.decide(&id, "acknowledge", "").success();
    assert_eq!(looked, case(&world, &id));
    assert!(looked.value_at("/aml/screening/changed").is_null());
    looked.has_bytes(
        r#"
        {"at":"2026-11-20T09:32:15.250Z","by":"service","event":"rescreened",
        "gone":[{"list":"sample","entity":"S-12"}],"score":"n/a"},
        {"at":"2026-11-20T09:33:15.250Z","by":"ines","event":"acknowledged"}]}"#,
    );
    let twice = world.decide(&id, "acknowledge", "");
    let message = "The screening result has not changed since it was looked at";
    twice.is_error(409, "conflict", message);
}

#[test]
fn d83_a_stale_version_is_a_conflict_and_changes_nothing() {
    let (world, id) = found(RiskLevel::Low);
    let before = case(&world, &id);
    let stale = "The submission changed since it was read";
    let hit = r#""list":"sample","entity":"S-12","verdict":"false_positive","note":"No.""#;
    for version in [0, 1, 3] {
        let body = format!(r#"{{"version":{version},{hit}}}"#);
        let target = format!("/review/v1/submissions/{id}/hits");
        world.post(Ines, &target, &body).is_error(409, "conflict", stale);
        let target = format!("/review/v1/submissions/{id}/acknowledge");
        let body = format!(r#"{{"version":{version}}}"#);
        world.post(Ines, &target, &body).is_error(409, "conflict", stale);
    }
    assert_eq!(case(&world, &id), before);
}

#[test]
fn d83_there_has_to_be_what_a_decision_speaks_of() {
    let (world, id) = found(RiskLevel::Low);
    let conflict = |id: &str, members: &str, message: &str| {
        let before = case(&world, id);
        world.decide(id, "hits", members).is_error(409, "conflict", message);
        assert_eq!(case(&world, id), before);
    };
    let of = |list: &str, entity: &str, verdict: &str| {
        format!(r#""list":"{list}","entity":"{entity}","verdict":"{verdict}","note":"No.""#)
    };
    let no_hit = "The screening result has no such hit";
    conflict(&id, &of("sample", "S-13", "false_positive"), no_hit);
    conflict(&id, &of("other", "S-12", "true_positive"), no_hit);
    conflict(&id, &of("", "", "true_positive"), no_hit);
    let undecided = "There is no decision on this hit";
    conflict(&id, &of("sample", "S-12", "undecided"), undecided);
    let pending = world.submit(Acme, &world.l1(Acme));
    let no_result = "The submission has no screening result";
    conflict(&pending, &of("sample", "S-12", "false_positive"), no_result);
    conflict(&pending, &of("sample", "S-12", "undecided"), no_result);
    world.decide(&pending, "acknowledge", "").is_error(409, "conflict", no_result);
}

#[test]
fn d53_faults_of_a_decision_on_a_hit_are_told_together() {
    let (world, id) = found(RiskLevel::Low);
    let post = |word: &str, body: &str| {
        world.post(Ines, &format!("/review/v1/submissions/{id}/{word}"), body)
    };
    let missing = "is required";
    post("hits", "{}").is_missing(&[
        ("version", missing),
        ("list", missing),
        ("entity", missing),
        ("verdict", missing),
        ("note", missing),
    ]);
    post("hits", r#"{"version":2,"list":"a","entity":"b","verdict":"no","note":" "}"#).is_missing(
        &[
            ("verdict", "must be one of: false_positive, true_positive, undecided"),
            ("note", missing),
        ],
    );
    let long = "x".repeat(1_025);
    let body =
        format!(r#"{{"version":2,"list":"a","entity":"b","verdict":"undecided","note":"{long}"}}"#);
    post("hits", &body).is_invalid(&[("note", "must be at most 1024 characters long")]);
    post("acknowledge", "{}").is_missing(&[("version", missing)]);
}

#[test]
fn d12_an_inspector_of_other_clients_finds_nothing() {
    let world = World::new();
    let id = world.submit_aml_only(Birch);
    world.screen(Ok(RiskLevel::Low));
    let hit = r#"{"version":2,"list":"sample","entity":"S-12","verdict":"undecided","note":"?"}"#;
    let post = |word: &str, body| {
        world.post(Ben, &format!("/review/v1/submissions/{id}/{word}"), body).is_not_found();
    };
    post("hits", hit);
    post("acknowledge", r#"{"version":2}"#);
}
