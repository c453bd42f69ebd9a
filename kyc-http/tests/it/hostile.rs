//! Whatever is sent, the answer is no 5xx, and nothing panics (threat T33).

use bytes::Bytes;
use http::{Method, Request};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::routes::templates;
use crate::support::*;

/// Pieces of requests, so that random sequences of them come close to valid ones.
const PIECES: &[&[u8]] = &[
    b"&",
    b"=",
    b"%",
    b"%4",
    b"%41",
    b"%00",
    b"%ff",
    b"%F0%90%8D%88",
    b"+",
    b" ",
    b"\0",
    b"\xff",
    b"/",
    b"?",
    b"#",
    b"..",
    b";",
    b"email",
    b"a@b.co",
    b"mira.kole@example.org",
    b"userid",
    b"user-17",
    b"submission_id",
    b"01m7w4nmaj0000000000000001",
    b"nextpageKeyemail",
    b"nextpageKeyid",
    b"NA",
    b"first_name",
    b"last_name",
    b"nationality",
    b"Albania, ALB",
    b"ALB",
    b"date_of_birth",
    b"1990-05-17",
    b"0000-00-00",
    b"gender",
    b"female",
    b"kyc_level",
    b"L2",
    b"photoid_res",
    b"acme000000/passport_01m7w4nmaj0000000000000001",
    b"selfie_res",
    b"acme000000/selfie_01m7w4nmaj0000000000000002",
    b"_",
    b"--frontier",
    b"--frontier--",
    b"\r\n",
    b"\r\n\r\n",
    b"Content-Disposition: form-data; name=\"file\"",
    b"; filename=\"x\"",
    b"Content-Disposition: form-data; name=\"type\"",
    b"Content-Transfer-Encoding: base64",
    b"passport",
    b"\xFF\xD8\xFF",
    b"\x89PNG\r\n\x1A\n",
    b"%PDF-",
    b"data:image/png;base64,",
    b"iVBORw0KGgo",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"\"version\":1",
    b"\"comment\"",
    b"\"documents\"",
    b"null",
    b"1e999",
    b"\\ud800",
    b"limit",
    b"status",
    b"all",
    b"18446744073709551616",
];

fn noise() -> impl Strategy<Value = Vec<u8>> {
    let pieces = vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![3 => pieces, 1 => vec(any::<u8>(), 0..400)]
}

fn callers() -> impl Strategy<Value = Caller> {
    select(&[Acme, Ines])
}

#[track_caller]
fn check(world: &World, answer: &Answer) -> Result<(), TestCaseError> {
    prop_assert!(answer.status < 500, "{}", answer.text());
    prop_assert!(world.reports.lock().unwrap().is_empty());
    let is_json = answer.header("content-type") == Some("application/json");
    prop_assert!(!is_json || serde_json::from_slice::<serde_json::Value>(&answer.body).is_ok());
    if answer.status >= 400 {
        prop_assert!(
            answer.has("/message") && answer.has("/errorCode") && answer.has("/request_id")
        );
    }
    Ok(())
}

/// A world with a submission and its documents in it, so that something can be found.
fn furnished() -> World {
    let world = World::new();
    world.submit(Acme, &world.l1(Acme).with("userid", "user-17"));
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn bodies(template in select(templates()), body in noise()) {
        let world = furnished();
        let target = template
            .replace("{email}", "mira.kole@example.org")
            .replace("{submission_id}", "01m7w4nmaj0000000000000001");
        let who = if template.starts_with("/review") { Ines } else { Acme };
        let upload = template.ends_with("/upload").then(upload_type);
        check(&world, &world.send_typed(who, &Method::POST, &target, upload, &body))?;
    }

    #[test]
    fn forms_with_one_value_of_noise(place in 0..36_usize, value in noise()) {
        let world = World::new();
        let form = world.full(Acme);
        let value = String::from_utf8_lossy(&value).into_owned();
        let (name, _) = form.0[place % form.0.len()].clone();
        let sent = form.with(&name, &value);
        for target in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
            check(&world, &world.post(Acme, target, &sent.body()))?;
            check(&world, &world.post(Acme, target, &sent.raw_body()))?;
        }
        // What was taken can be read.
        for target in ["/v2/submissions/resultall", "/f1/submissions"] {
            prop_assert_eq!(world.get(Acme, target).status, 200);
        }
    }

    #[test]
    fn targets(who in callers(), template in select(templates()), path in noise(), query in noise()) {
        let world = furnished();
        let target = [template.as_bytes(), &path, b"?", &query].concat();
        let escaped = |noise: &[u8]| escape(&String::from_utf8_lossy(noise));
        // What is no target at all never gets here, so it is sent escaped.
        let uri = http::Uri::try_from(target)
            .or_else(|_| format!("{template}{}?{}", escaped(&path), escaped(&query)).parse())
            .unwrap();
        let (name, value) = who.header().unwrap();
        for method in [Method::GET, Method::POST] {
            let request = Request::builder().method(method).uri(uri.clone()).header(name, value);
            check(&world, &world.handle(request.body(Bytes::new()).unwrap()))?;
        }
    }

    #[test]
    fn arguments_of_reads(who in callers(), template in select(templates()), value in noise()) {
        let world = furnished();
        let value = escape(&String::from_utf8_lossy(&value));
        let target = template.replace("{email}", &value).replace("{submission_id}", &value);
        let names =
            ["email", "userid", "submission_id", "nextpageKeyemail", "nextpageKeyid", "after"];
        check(&world, &world.get(who, &target))?;
        for name in names {
            check(&world, &world.get(who, &format!("{template}?{name}={value}")))?;
        }
    }

    #[test]
    fn headers(name in select(&["content-type", "content-length", "x-api-key", "authorization", "host"]),
               value in noise(), template in select(templates())) {
        let world = furnished();
        let Ok(value) = http::HeaderValue::from_bytes(&value) else { return Ok(()) };
        for method in [Method::GET, Method::POST] {
            let mut request = Request::builder().method(method).uri(template);
            for (name, value) in [Acme, Ines].map(|who| who.header().unwrap()) {
                request = request.header(name, value);
            }
            let request = request.header(name, value.clone());
            check(&world, &world.handle(request.body(Bytes::from_static(b"a=b")).unwrap()))?;
        }
    }
}

#[test]
fn targets_without_a_path() {
    let world = World::new();
    for target in ["*", "https://kyc.example", "kyc.example:443"] {
        world.get(Nobody, target).is_forbidden();
        world.get(Acme, target).is_not_found();
    }
    let absolute = world.get(Acme, "https://kyc.example/v2/submissions/resultall");
    absolute.success();
}
