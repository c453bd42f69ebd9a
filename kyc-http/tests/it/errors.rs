//! Failures: status, code, message, fields (D1–D11, D55).

use http::Method;
use http::StatusCode;
use kyc_http::interface::{Interface, Refusal};

use crate::support::*;

#[test]
fn d1_d55_every_fault_of_a_form_is_told_at_once_in_the_order_of_the_table() {
    let world = World::new();
    let form = Sent::mira()
        .with("ip_address", "1.2.3")
        .with("wallet_address2", "a b")
        .with("kyc_level", "L3")
        .with("id_type", "card")
        .with("gender", "f")
        .with("date_of_birth", "17.05.1990")
        .with("nationality", "Albania")
        .with("email", "mira")
        .with("userid", &"u".repeat(129))
        .without("first_name");
    let level = ("kyc_level", "must be one of: L1, L2");
    let shared = [
        ("userid", "must be at most 128 characters long"),
        ("email", "must contain one @"),
        ("first_name", "is required"),
        ("nationality", "must be `<country name>, <ISO alpha-3>` from the country list"),
        ("date_of_birth", "must be a date of the form YYYY-MM-DD"),
        ("gender", "must be one of: male, female"),
        ("id_type", "must be one of: passport, government_id, drivers_license"),
        level,
        ("photoid_res", "is required"),
        ("selfie_res", "is required"),
    ];
    let own = [
        ("wallet_address2", "must be at most 128 visible ASCII characters"),
        ("ip_address", "must be an IPv4 address in dotted form"),
    ];
    world.post(Acme, "/v2/submissions", &form.body()).is_missing(&shared);
    let faults = [shared.as_slice(), &own].concat();
    world.post(Acme, "/f1/submissions", &form.body()).is_missing(&faults);
    let screening = &shared[..6];
    world.post(Acme, "/v2/amlonly", &form.body()).is_missing(screening);
}

#[test]
fn d1_nothing_is_stored_of_a_form_with_a_fault() {
    let world = World::new();
    let form = world.l1(Acme).with("gender", "f");
    world.post(Acme, "/v2/submissions", &form.body()).is_invalid(&[GENDER]);
    world.post(Acme, "/f1/submissions", &form.body()).is_invalid(&[GENDER]);
    world.post(Acme, "/v2/amlonly", &form.body()).is_invalid(&[GENDER]);
    let empty = r#"{"data":[],"nextpageKey":{"email":"NA","id":"NA"}}"#;
    world.get(Acme, "/v2/submissions/resultall").is(empty);
}

const GENDER: (&str, &str) = ("gender", "must be one of: male, female");

#[test]
fn d3_what_is_missing_and_what_is_invalid_have_messages_of_their_own() {
    let world = World::new();
    let form = world.l1(Acme);
    let submit = |form: &Sent| world.post(Acme, "/v2/submissions", &form.body());
    submit(&form.clone().without("gender")).is_missing(&[("gender", "is required")]);
    submit(&form.clone().with("gender", "  ")).is_missing(&[("gender", "is required")]);
    submit(&form.clone().with("gender", "f")).is_invalid(&[GENDER]);
    // One missing field makes it the answer for missing fields.
    let both = form.with("gender", "f").without("last_name");
    submit(&both).is_missing(&[("last_name", "is required"), GENDER]);
}

#[test]
fn d3_level_2_requires_the_address() {
    let world = World::new();
    let form = world.l1(Acme).with("kyc_level", "L2");
    let faults = [
        "address_street",
        "address_city",
        "address_state",
        "address_zipcode",
        "address_country",
        "address_res",
    ]
    .map(|name| (name, "is required"));
    world.post(Acme, "/v2/submissions", &form.body()).is_missing(&faults);
    world.post(Acme, "/f1/submissions", &form.body()).is_missing(&faults);
}

#[test]
fn d3_a_submission_id_that_is_needed_and_not_provided() {
    let world = World::new();
    let check = |method: Method, target: &str| {
        let answer = world.send(Acme, &method, target, b"");
        answer.is_error(400, "submission_id_missing", "Submission ID is not provided");
    };
    check(Method::POST, "/v2/submissions/renewaml");
    check(Method::POST, "/v2/submissions/renewaml/");
    check(Method::POST, "/v2/submissions/renewaml/mira.kole@example.org");
    check(Method::POST, "/v2/submissions/renewaml/mira.kole@example.org/");
    check(Method::POST, "/v2/submissions/renewaml/mira.kole@example.org/%20");
    check(Method::POST, "/v2/submissions/mira.kole@example.org/documents");
    check(Method::POST, "/v2/submissions/mira.kole@example.org/%20/documents");
    check(Method::GET, "/v2/submissions/mira.kole@example.org/%20");
    check(Method::GET, "/f1/submissions?submission_id=");
    check(Method::GET, "/f1/submissions?submission_id=+&email=");
}

#[test]
fn d4_an_unknown_submission() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    for target in [
        "/v2/submissions/leo@example.org".to_owned(),
        "/v2/submissions/leo@example.org/result".to_owned(),
        format!("/v2/submissions/leo@example.org/{id}"),
        format!("/v2/submissions/leo@example.org/{id}/result"),
        "/v2/submissions/mira.kole@example.org/01m7w4nmaj0000000000000009".to_owned(),
        "/v2/submissions/mira.kole@example.org?userid=user-17".to_owned(),
        "/v2/submissions/mira".to_owned(),
        "/v2/submissions/mira.kole@example.org/1".to_owned(),
    ] {
        world.get(Acme, &target).is_not_found();
    }
    for target in [
        format!("/v2/submissions/renewaml/leo@example.org/{id}"),
        format!("/v2/submissions/leo@example.org/{id}/documents"),
    ] {
        world.post(Acme, &target, "").is_not_found();
    }
    for query in ["email=leo@example.org", "submission_id=1", "userid=user-17", "email=mira"] {
        world.get(Acme, &format!("/f1/submissions?{query}")).is(r#"{"Items":[]}"#);
    }
}

#[test]
fn d5_a_wrong_method_is_told_the_right_ones() {
    let world = World::new();
    let check = |method: Method, target: &str, allow: &str| {
        let who = if target.starts_with("/review") { Ines } else { Acme };
        let answer = world.send(who, &method, target, b"");
        answer.is_error(405, "method_not_allowed", "Method Not Allowed");
        assert_eq!(answer.header("allow"), Some(allow));
    };
    check(Method::GET, "/v2/submissions", "POST");
    check(Method::GET, "/v2/submissions/upload", "POST");
    check(Method::POST, "/v2/submissions/resultall", "GET");
    check(Method::DELETE, "/f1/submissions", "GET, POST");
    check(Method::HEAD, "/f1/submissions", "GET, POST");
    check(Method::OPTIONS, "/review/v1/submissions", "GET");
    check(Method::GET, "/review/v1/submissions/x/approve", "POST");
}

#[test]
fn d5_an_unknown_path_is_not_found() {
    let world = World::new();
    for target in ["/", "/v2", "/v1/submissions", "/v2/submissions/a@b.co/x/y", "/f1/amlonly"] {
        world.get(Acme, target).is_not_found();
    }
    world.get(Ines, "/review/v1").is_not_found();
    world.get(Ines, "/review/v2/submissions").is_not_found();
}

#[test]
fn d5_a_body_of_another_type_is_refused() {
    let world = World::new();
    let form = "application/x-www-form-urlencoded";
    let upload = "multipart/form-data with its boundary";
    let message = |expected: &str| format!("Unsupported Media Type: expected {expected}");
    let check = |who, target: &str, content_type: &str, expected: &str| {
        let body = b"{}";
        let answer = world.send_typed(who, &Method::POST, target, Some(content_type), body);
        answer.is_error(415, "unsupported_media_type", &message(expected));
    };
    check(Acme, "/v2/submissions", "application/json", form);
    check(Acme, "/v2/submissions", "multipart/form-data; boundary=x", form);
    check(Acme, "/v2/submissions", "application/x-www-form-urlencoded2", form);
    check(Acme, "/v2/amlonly", "text/plain", form);
    check(Acme, "/f1/submissions", "", form);
    check(Acme, "/v2/submissions/upload", form, upload);
    check(Acme, "/f1/submissions/upload", "image/jpeg", upload);
    check(Ines, "/review/v1/submissions/x/approve", form, "application/json");
    let without = world.post(Acme, "/v2/submissions/upload", "");
    without.is_error(415, "unsupported_media_type", &message(upload));
}

#[test]
fn d5_a_type_is_read_in_any_case_with_parameters_or_not_at_all() {
    let world = World::new();
    let body = Sent::mira_aml_only().body();
    let types = [
        None,
        Some("application/x-www-form-urlencoded"),
        Some("Application/X-WWW-Form-Urlencoded ; charset=UTF-8"),
    ];
    for content_type in types {
        let target = "/v2/amlonly";
        world.send_typed(Acme, &Method::POST, target, content_type, body.as_bytes()).success();
    }
}

#[test]
fn d7_a_body_over_the_limit_of_its_route_is_too_large() {
    let world = World::new();
    let check = |who, method: Method, target: &str, content_type: Option<&str>, limit: usize| {
        let at_limit = world.send_typed(who, &method, target, content_type, &vec![b'x'; limit]);
        assert_ne!(at_limit.status, 413, "{target}");
        let above = world.send_typed(who, &method, target, content_type, &vec![b'x'; limit + 1]);
        above.is_error(413, "request_too_large", "Request Entity Too Large");
    };
    let (form, mib) = (64 * 1024, 1024 * 1024);
    check(Acme, Method::POST, "/v2/submissions", None, form);
    check(Acme, Method::POST, "/v2/amlonly", None, form);
    check(Acme, Method::POST, "/f1/submissions", None, form);
    check(Acme, Method::POST, "/v2/submissions/a@b.co/x/documents", None, form);
    check(Acme, Method::GET, "/v2/submissions/a@b.co", None, form);
    check(Ines, Method::POST, "/review/v1/submissions/x/reject", None, form);
    check(Acme, Method::POST, "/v2/submissions/upload", Some(upload_type()), 3 * mib + form);
    check(Acme, Method::POST, "/f1/submissions/upload", Some(upload_type()), 4 * mib + form);
}

#[test]
fn d7_a_form_with_every_text_at_its_limit_is_not_too_large() {
    let world = World::new();
    let text = |chars: usize| "𐍈".repeat(chars);
    let names = ["first_name", "middle_name", "last_name"];
    let parts = ["address_street", "address_city", "address_state", "address_zipcode"];
    let mut form = world.full(Acme);
    for name in names.into_iter().chain(parts) {
        form = form.with(name, &text(256));
    }
    for name in ["userid", "id_number"] {
        form = form.with(name, &text(128));
    }
    for name in ["contribution_type", "estimated_amount", "cf1", "cf2", "cf3"] {
        form = form.with(name, &text(1_024));
    }
    world.post(Acme, "/f1/submissions", &form.raw_body()).success();
    for name in ["cf1", "cf2", "cf3", "image_res1", "image_res2", "image_res3", "image_res4"] {
        form = form.without(name);
    }
    world.post(Acme, "/v2/submissions", &form.body()).success();
}

#[test]
fn d7_a_declared_length_is_refused_before_the_body_is_read() {
    let world = World::new();
    let admit = |length: &str| {
        let request = http::Request::post("/v2/submissions")
            .header("x-api-key", Acme.header().unwrap().1)
            .header("content-length", length);
        let (head, ()) = request.body(()).unwrap().into_parts();
        world.api.admit(&head).map_err(|answer| Box::new(Answer::of(answer)))
    };
    assert_eq!(admit("65536").unwrap().body_bytes_max, 65_536);
    admit("65537").unwrap_err().is_error(413, "request_too_large", "Request Entity Too Large");
}

#[test]
fn d8_a_renewal_of_what_is_not_approved_says_so() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    let target = format!("/v2/submissions/renewaml/mira.kole@example.org/{id}");
    let check = || {
        let message = "AML renewal is allowed only for an approved submission";
        world.post(Acme, &target, "").is_error(400, "not_approved", message);
    };
    check();
    world.retake(&id, "selfie_res");
    check();
    let handle = world.document(Acme, "selfie");
    let documents = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
    world.post(Acme, &documents, &format!("selfie_res={handle}")).success();
    world.reject(&id);
    check();
    world.reopen(&id);
    world.approve(&id);
    world.post(Acme, &target, "").success();
    world.reopen(&id);
    check();
}

#[test]
fn d7_d10_d11_failures_that_a_server_finds_are_worded_like_the_others() {
    let world = World::new();
    let check = |refusal, status: StatusCode, code: &str, message: &str| {
        Answer::of(world.api.refuse(refusal)).is_error(status.as_u16(), code, message);
    };
    check(Refusal::HttpsRequired, StatusCode::BAD_REQUEST, "bad_request", "HTTPS is required");
    check(
        Refusal::TooLarge,
        StatusCode::PAYLOAD_TOO_LARGE,
        "request_too_large",
        "Request Entity Too Large",
    );
    check(Refusal::Failed, StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Other 500 Error");
    check(
        Refusal::BadRequest("exactly one Host header is required"),
        StatusCode::BAD_REQUEST,
        "bad_request",
        "Exactly one Host header is required",
    );
    check(Refusal::Timeout, StatusCode::REQUEST_TIMEOUT, "timeout", "Request Timeout");
    check(Refusal::TargetTooLong, StatusCode::URI_TOO_LONG, "bad_request", "URI Too Long");
    check(
        Refusal::HeadTooLarge,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        "bad_request",
        "Request Header Fields Too Large",
    );
}

#[test]
fn d9_too_many_requests_are_told_when_to_come_back() {
    let busy = Answer::of(World::new().api.refuse(Refusal::Overloaded));
    busy.is_error(429, "too_many_requests", "Too Many Requests");
    assert_eq!(busy.header("retry-after"), Some("1"));
}

#[test]
fn every_failure_has_a_request_id_of_its_own() {
    let world = World::new();
    let mut ids: Vec<String> =
        (0..3).map(|_| world.get(Acme, "/v2/submissions/a@b.co").text_at("/request_id")).collect();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[test]
fn answers_are_neither_cached_nor_guessed_at() {
    let world = World::new();
    world.submit_aml_only(Acme);
    for target in ["/v2/submissions/mira.kole@example.org", "/v2/submissions/resultall", "/x"] {
        let answer = world.get(Acme, target);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{target}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{target}");
    }
}
