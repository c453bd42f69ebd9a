//! No answer that is not a success repeats what was sent (D1; threat T23).

use http::Method;

use crate::support::*;

/// A text that no answer has of its own, of letters alone, so that no escaping hides it.
const CANARY: &str = "zqxcanaryzqx";

#[track_caller]
fn check(world: &World, answer: &Answer) {
    assert!(answer.status >= 400, "{}", answer.text());
    assert!(!answer.text().to_lowercase().contains(CANARY), "{}", answer.text());
    for (name, value) in &answer.headers {
        assert!(!format!("{name}: {value:?}").to_lowercase().contains(CANARY));
    }
    let reports = world.reports.lock().unwrap();
    assert!(reports.is_empty(), "{reports:?}");
}

/// Every field of `/f1`.
const FIELDS: [&str; 33] = [
    "userid",
    "email",
    "first_name",
    "middle_name",
    "last_name",
    "nationality",
    "date_of_birth",
    "gender",
    "id_type",
    "id_number",
    "address_street",
    "address_city",
    "address_state",
    "address_zipcode",
    "address_country",
    "contribution_type",
    "wallet_address",
    "estimated_amount",
    "kyc_level",
    "photoid_res",
    "selfie_res",
    "address_res",
    "wallet_address1",
    "wallet_address2",
    "wallet_address3",
    "image_res1",
    "image_res2",
    "image_res3",
    "image_res4",
    "cf1",
    "cf2",
    "cf3",
    "ip_address",
];

const DECISIONS: [&str; 9] =
    ["approve", "reject", "retake", "reopen", "hits", "acknowledge", "end", "hold", "release"];

#[test]
fn d1_not_the_value_of_any_field() {
    let world = World::new();
    let form = world.full(Acme);
    for field in FIELDS {
        for value in [
            CANARY.to_owned(),
            format!("{CANARY}\u{1}"),
            CANARY.repeat(100),
            format!("acme000000/passport_{CANARY}"),
            format!("{CANARY}, ALB"),
            format!("{CANARY}@{CANARY}@example.org"),
        ] {
            // With two faults beside it, no value is taken.
            let sent = form.clone().with("gender", CANARY).without("last_name").with(field, &value);
            for target in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
                check(&world, &world.post(Acme, target, &sent.body()));
                check(&world, &world.post(Acme, target, &sent.raw_body()));
            }
        }
    }
}

#[test]
fn d1_not_what_stands_where_a_name_belongs() {
    let world = World::new();
    let bodies = [
        format!("{CANARY}&{CANARY}"),
        format!("{CANARY}={CANARY}&{CANARY}={CANARY}"),
        format!("last_name={CANARY} & {CANARY}&{CANARY}"),
        format!("first_name={CANARY}&last_name=Kole&{CANARY}&{CANARY}"),
        format!("%{CANARY}"),
        format!("{CANARY}=%FF"),
        format!("{CANARY}=%00"),
    ];
    for body in bodies {
        for target in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
            check(&world, &world.post(Acme, target, &body));
        }
        let query = body.replace(' ', "+");
        check(
            &world,
            &world.get(Acme, &format!("/v2/submissions/resultall?nextpageKeyid=x&{query}")),
        );
        check(&world, &world.get(Acme, &format!("/f1/submissions?{query}")));
        check(&world, &world.get(Acme, &format!("/v2/submissions/{CANARY}@example.org?{query}")));
        check(&world, &world.get(Ines, &format!("/review/v1/submissions?limit=x&{query}")));
    }
}

#[test]
fn d1_nothing_of_a_path_or_query() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    let email = "mira.kole@example.org";
    for path in [
        format!("/{CANARY}"),
        format!("/v2/{CANARY}"),
        format!("/v2/submissions/{CANARY}"),
        format!("/v2/submissions/{CANARY}@example.org"),
        format!("/v2/submissions/{CANARY}@example.org/{CANARY}"),
        format!("/v2/submissions/{email}/{CANARY}"),
        format!("/v2/submissions/{email}/{CANARY}/result"),
        format!("/v2/submissions/{email}/{CANARY}/documents"),
        format!("/v2/submissions/renewaml/{CANARY}/{CANARY}"),
        format!("/v2/submissions/renewaml/{CANARY}@example.org/{id}"),
        format!("/v2/submissions/{email}?userid={CANARY}"),
        format!("/v2/submissions/resultall?nextpageKeyemail={CANARY}&nextpageKeyid={CANARY}"),
        format!("/v2/submissions/resultall?nextpageKeyemail={CANARY}@example.org"),
        format!("/f1/submissions?{CANARY}={CANARY}"),
        format!("/f1/{CANARY}"),
    ] {
        check(&world, &world.get(Acme, &path));
        check(&world, &world.post(Acme, &path, CANARY));
        check(&world, &world.get(Nobody, &path));
    }
    for path in [
        format!("/review/{CANARY}"),
        format!("/review/v1/submissions/{CANARY}"),
        format!("/review/v1/submissions/{id}/{CANARY}"),
        format!("/review/v1/submissions/{id}/documents/{CANARY}"),
        format!("/review/v1/submissions?status={CANARY}"),
        format!("/review/v1/submissions?email={CANARY}"),
        format!("/review/v1/submissions?after={CANARY}"),
        format!("/review/v1/submissions?limit={CANARY}"),
    ] {
        check(&world, &world.get(Ines, &path));
        check(&world, &world.post(Ines, &path, CANARY));
    }
}

#[test]
fn d1_nothing_of_an_upload() {
    let world = World::new();
    let canary = CANARY.as_bytes();
    for target in ["/v2/submissions/upload", "/f1/submissions/upload"] {
        let send = |content_type: &str, body: &[u8]| {
            let answer = world.send_typed(Acme, &Method::POST, target, Some(content_type), body);
            check(&world, &answer);
        };
        send(upload_type(), &multipart(&[("type", canary), ("file", &jpeg())]));
        send(upload_type(), &multipart(&[("type", b"passport"), ("file", canary)]));
        send(upload_type(), &multipart(&[(CANARY, canary)]));
        send(upload_type(), &multipart(&[(CANARY, canary), (CANARY, canary)]));
        send(upload_type(), canary);
        send(&format!("multipart/form-data; boundary={CANARY}"), canary);
        send(&format!("multipart/{CANARY}"), canary);
        send(CANARY, canary);
        let url = format!("data:image/{CANARY};base64,{CANARY}!");
        send(upload_type(), &multipart(&[("type", b"passport"), ("file", url.as_bytes())]));
        let encoding = format!(
            "--frontier\r\nContent-Disposition: form-data; name=\"file\"\r\n\
             Content-Transfer-Encoding: {CANARY}\r\n\r\n{CANARY}\r\n--frontier--\r\n"
        );
        send(upload_type(), encoding.as_bytes());
    }
}

#[test]
fn d1_nothing_of_a_decision() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    let bodies = [
        CANARY.to_owned(),
        format!("\"{CANARY}\""),
        format!("{{\"{CANARY}\":1}}"),
        format!("{{\"version\":\"{CANARY}\"}}"),
        format!("{{\"version\":1,\"id_expired_date\":\"{CANARY}\"}}"),
        format!("{{\"version\":1,\"comment\":\"{CANARY} ж\",\"reason_codes\":[\"{CANARY}!\"]}}"),
        format!("{{\"version\":7,\"documents\":[\"{CANARY}\"],\"comment\":\"{CANARY}\"}}"),
        format!("{{\"version\":1,\"reason\":\"{}\"}}", CANARY.repeat(100)),
        format!("{{\"version\":1,\"verdict\":\"{CANARY}\",\"note\":\"{CANARY}\"}}"),
        format!(
            "{{\"version\":1,\"list\":\"{CANARY}\",\"entity\":\"{CANARY}\",\
             \"verdict\":\"undecided\",\"note\":\"{CANARY}\"}}"
        ),
        format!("{{\"version\":9,\"reason\":\"{CANARY}\",\"comment\":\"{CANARY}\"}}"),
    ];
    for body in bodies {
        for word in DECISIONS {
            let answer = world.post(Ines, &format!("/review/v1/submissions/{id}/{word}"), &body);
            check(&world, &answer);
        }
    }
}

#[test]
fn t23_nothing_of_a_request_shows_in_debug_texts() {
    use kyc_http::interface::Interface;
    let world = World::new();
    let target = format!("/v2/submissions/{CANARY}@example.org/{CANARY}");
    let request = http::Request::get(target).header("x-api-key", Acme.header().unwrap().1);
    let (head, ()) = request.body(()).unwrap().into_parts();
    let admission = world.api.admit(&head).unwrap();
    assert_eq!(admission.route, "/v2/submissions/{email}/{submission_id}");
    assert!(!format!("{admission:?} {:?}", world.api).contains(CANARY));
}
