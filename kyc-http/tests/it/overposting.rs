//! What only the service may say has no effect when a caller says it (threat T16).

use http::Method;

use crate::support::*;

/// Every name that stands in an answer and is no field of a form, and some that are in stores.
const RESPONSE_ONLY: &[&str] = &[
    "id",
    "submission_id",
    "created_at",
    "submit_date",
    "checked_at",
    "updated_at",
    "submission_result",
    "submission_result.status",
    "kyc_result",
    "kyc_result.status",
    "kyc_result[status]",
    "kyc_result.comment",
    "kyc.result",
    "kyc",
    "aml",
    "aml_status",
    "aml_result",
    "aml_result.score",
    "score",
    "status",
    "type",
    "d1",
    "d2",
    "d3",
    "id_expired_date",
    "address_expired_date",
    "address_issued_date",
    "dupeApplicants",
    "source",
    "renewed_from",
    "data",
    "name",
    "filehash",
    "filetype",
    "fileFormat",
    "nextpageKey",
    "client",
    "client_id",
    "tenant",
    "prefix",
    "version",
    "review",
    "history",
    "documents",
    "missing",
    "comment",
    "reason_codes",
    "errorCode",
    "request_id",
];

/// Values that would mean something, if anybody read them.
const VALUES: [&str; 4] = ["approved", "high", "01m7w4nmaj0000000000000042", "2"];

fn overposted(form: &Sent, value: &str) -> Sent {
    RESPONSE_ONLY.iter().fold(form.clone(), |form, name| form.with(name, value))
}

/// All that can be read of the one submission.
fn sight(world: &World) -> Vec<Answer> {
    let list = world.get(Acme, "/v2/submissions/resultall").success();
    let id = list.text_at("/data/0/id");
    vec![
        list,
        world.get(Acme, "/v2/submissions/mira.kole@example.org").success(),
        world.get(Acme, "/v2/submissions/mira.kole@example.org/result").success(),
        world.get(Acme, "/f1/submissions").success(),
        world.get(Acme, "/f1/submissions?email=mira.kole@example.org").success(),
        world.get(Ines, "/review/v1/submissions?status=all").success(),
        world.get(Ines, &format!("/review/v1/submissions/{id}")).success(),
        world.get(Birch, "/v2/submissions/resultall").success(),
    ]
}

#[test]
fn t16_in_forms() {
    for target in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
        for value in VALUES {
            let (plain, over) = (World::new(), World::new());
            let form = plain.full(Acme);
            over.full(Acme);
            let expected = plain.post(Acme, target, &form.body()).success();
            let answer = over.post(Acme, target, &overposted(&form, value).body()).success();
            assert_eq!(answer, expected);
            assert_eq!(sight(&over), sight(&plain), "{target} {value}");
        }
    }
}

#[test]
fn t16_in_an_aml_only_form_the_fields_of_a_review_are_unknown() {
    let (plain, over) = (World::new(), World::new());
    over.post(Acme, "/v2/amlonly", &over.full(Acme).body()).success();
    plain.full(Acme);
    let form = Sent::mira_aml_only().with("middle_name", "Ana").with("userid", "user-17");
    plain.post(Acme, "/v2/amlonly", &form.body()).success();
    assert_eq!(sight(&over), sight(&plain));
}

#[test]
fn t16_in_renewals_and_documents() {
    for value in VALUES {
        let act = |body: Sent| {
            let world = World::new();
            let id = world.submit(Acme, &world.full(Acme));
            world.retake(&id, "selfie_res");
            let selfie = world.document(Acme, "selfie");
            let target = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
            let documents = body.clone().with("selfie_res", &selfie);
            world.post(Acme, &target, &documents.body()).success();
            world.approve_l2(&id);
            let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
            world.post(Acme, &target, &body.body()).success();
            sight(&world)
        };
        let nothing = Sent(Vec::new());
        let form = Sent::mira_aml_only()
            .with("email", "other@example.org")
            .with("first_name", "Other")
            .with("kyc_level", "L1")
            .with("userid", "other")
            .with("image_res1", "");
        assert_eq!(act(overposted(&form, value)), act(nothing));
    }
}

#[test]
fn t16_in_uploads() {
    for target in ["/v2/submissions/upload", "/f1/submissions/upload"] {
        let upload = |more: &[(&str, &[u8])]| {
            let file = jpeg();
            let parts = [&[("type", b"passport".as_slice()), ("file", &file)], more].concat();
            let body = multipart(&parts);
            World::new().send_typed(Acme, &Method::POST, target, Some(upload_type()), &body)
        };
        let other = b"birch00000/selfie_01m7w4nmaj0000000000000042".as_slice();
        let names = ["id", "created_at", "filehash", "filetype", "fileFormat", "client", "size"];
        let more: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, other)).collect();
        assert_eq!(upload(&more).success(), upload(&[]));
    }
}

#[test]
fn t16_in_decisions() {
    let act = |more: &str| {
        let world = World::new();
        let id = world.submit(Acme, &world.l1(Acme));
        let members = format!(r#""id_expired_date":"2031-03-02"{more}"#);
        world.decide(&id, "approve", &members).success();
        sight(&world)
    };
    let more = r#","id":"01m7w4nmaj0000000000000042","client":"birch","status":"rejected",
        "at":"2020-01-01T00:00:00.000Z","by":"ben","source":"amlonly","aml":{"score":"n/a"},
        "comment":"No.","reason_codes":["x"],"documents":["selfie_res"],"reason":"none",
        "form":{"email":"other@example.org"},"history":[],"address_expired_date":"2031-01-01""#;
    assert_eq!(act(more), act(""));
}
