//! The routing table (D5, D50; threat T13).

use bytes::Bytes;
use http::{Method, Request};
use kyc_http::interface::Interface;
use proptest::prelude::*;

use crate::support::*;

/// Every template in the source of the routing table, so that none can be forgotten here.
pub(crate) fn templates() -> Vec<&'static str> {
    let source = include_str!("../../src/route.rs");
    let mut templates: Vec<&str> = source
        .split('"')
        .filter(|text| ["/v2/", "/f1/", "/review/"].iter().any(|base| text.starts_with(base)))
        .filter(|text| !text.ends_with('/'))
        .collect();
    templates.sort_unstable();
    templates.dedup();
    templates
}

/// Methods that a router meets.
pub(crate) const METHODS: [Method; 8] = [
    Method::GET,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::HEAD,
    Method::OPTIONS,
    Method::TRACE,
];

/// The template that a request reaches, or the status that it is refused with.
pub(crate) fn route(world: &World, method: &Method, target: &str) -> Result<&'static str, u16> {
    let admit = |content_type| {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in [Acme, Ines].map(|who| who.header().unwrap()) {
            request = request.header(name, value);
        }
        let request = request.header("content-type", content_type);
        let (head, _) = request.body(Bytes::new()).unwrap().into_parts();
        match world.api.admit(&head) {
            Ok(admission) => Ok(admission.route),
            Err(answer) => Err(answer.status().as_u16()),
        }
    };
    // Each route takes one type of body, or does not look at it.
    ["application/x-www-form-urlencoded", "application/json", upload_type()]
        .into_iter()
        .map(admit)
        .find(|outcome| *outcome != Err(415))
        .unwrap_or(Err(415))
}

#[track_caller]
fn check(method: &Method, target: &str, expected: Result<&str, u16>) {
    assert_eq!(route(&World::new(), method, target), expected, "{method} {target}");
}

#[track_caller]
fn get(target: &str, expected: &str) {
    check(&Method::GET, target, Ok(expected));
}

#[track_caller]
fn post(target: &str, expected: &str) {
    check(&Method::POST, target, Ok(expected));
}

#[track_caller]
fn not_found(target: &str) {
    check(&Method::GET, target, Err(404));
    check(&Method::POST, target, Err(404));
}

const STATUS: &str = "/v2/submissions/{email}";
const STATUS_BY_ID: &str = "/v2/submissions/{email}/{submission_id}";
const DATA: &str = "/v2/submissions/{email}/result";
const DATA_BY_ID: &str = "/v2/submissions/{email}/{submission_id}/result";
const LIST: &str = "/v2/submissions/resultall";
const RENEW: &str = "/v2/submissions/renewaml/{email}/{submission_id}";
const DOCUMENTS: &str = "/v2/submissions/{email}/{submission_id}/documents";
const CASE: &str = "/review/v1/submissions/{submission_id}";

const DECISIONS: [&str; 9] =
    ["approve", "reject", "retake", "reopen", "hits", "acknowledge", "end", "hold", "release"];

#[test]
fn each_path_has_its_route() {
    post("/v2/submissions/upload", "/v2/submissions/upload");
    post("/v2/submissions", "/v2/submissions");
    get("/v2/submissions/a@b.co", STATUS);
    get("/v2/submissions/a@b.co/01m7w4nmaj0000000000000001", STATUS_BY_ID);
    get("/v2/submissions/a@b.co/result", DATA);
    get("/v2/submissions/a@b.co/01m7w4nmaj0000000000000001/result", DATA_BY_ID);
    get("/v2/submissions/resultall", LIST);
    get("/v2/submissions/resultall?nextpageKeyid=x", LIST);
    post("/v2/amlonly", "/v2/amlonly");
    post("/v2/submissions/renewaml/a@b.co/x", RENEW);
    post("/v2/submissions/a@b.co/x/documents", DOCUMENTS);
    post("/f1/submissions/upload", "/f1/submissions/upload");
    post("/f1/submissions", "/f1/submissions");
    get("/f1/submissions", "/f1/submissions");
    get("/f1/submissions?email=a@b.co", "/f1/submissions");
    get("/review/v1/submissions", "/review/v1/submissions");
    get("/review/v1/submissions/x", CASE);
    get("/review/v1/submissions/x/certificate", &format!("{CASE}/certificate"));
    let document = "/review/v1/submissions/{submission_id}/documents/{field}";
    get("/review/v1/submissions/x/documents/selfie_res", document);
    for word in DECISIONS {
        post(&format!("/review/v1/submissions/x/{word}"), &format!("{CASE}/{word}"));
    }
}

#[test]
fn d50_fixed_words_win_over_captures() {
    check(&Method::GET, "/v2/submissions/upload", Err(405));
    check(&Method::GET, "/v2/submissions/renewaml", Err(405));
    check(&Method::GET, "/v2/submissions/renewaml/a@b.co", Err(405));
    check(&Method::GET, "/v2/submissions/renewaml/a@b.co/x", Err(405));
    check(&Method::POST, "/v2/submissions/resultall", Err(405));
    get("/v2/submissions/a@b.co/result", DATA);
    get("/v2/submissions/a@b.co/result/result", DATA_BY_ID);
    check(&Method::GET, "/v2/submissions/a@b.co/documents", Err(405));
    post("/v2/submissions/a@b.co/documents", DOCUMENTS);
    post("/v2/submissions/a@b.co/result/documents", DOCUMENTS);
    // In other places the words are no fixed words; nor are others in theirs.
    get("/v2/submissions/amlonly", STATUS);
    get("/v2/submissions/a@b.co/resultall", STATUS_BY_ID);
    get("/v2/submissions/resultall/result", DATA);
    get("/v2/submissions/ResultAll", STATUS);
    get("/v2/submissions/resultall%20", STATUS);
}

#[test]
fn d50_parts_are_decoded_once() {
    get("/v2/submissions/%72esultall", LIST);
    get("/%76%32/submissions/%72%65%73%75%6c%74%61%6c%6c", LIST);
    post("/v2/%61mlonly", "/v2/amlonly");
    post("/v2/submissions/%72enewaml/a@b.co/x", RENEW);
    get("/v2/submissions/%2572esultall", STATUS);
    get("/v2/submissions/a%40b.co", STATUS);
    get("/v2/submissions/a+b@c.de", STATUS);
    get("/v2/submissions/zo%C3%AB@b.co", STATUS);
    get("/v2/submissions/zoë@b.co", STATUS);
}

#[test]
fn t13_no_slash_or_dot_leads_elsewhere() {
    for target in [
        "/v2/submissions/",
        "/v2/submissions/a@b.co/",
        "/v2/submissions//a@b.co",
        "//v2/submissions/a@b.co",
        "/v2//submissions",
        "/v2/submissions/a@b.co//result",
        "/v2/submissions%2Fresultall",
        "/v2/submissions/a@b.co%2Fresult",
        "/v2/submissions/a@b.co%2fresult",
        "/v2%2Fsubmissions",
        "/v2/../v2/submissions",
        "/./v2/submissions",
        "/v2/submissions/../../review/v1/submissions",
        "/f1/submissions/../../v2/submissions/resultall",
        "/v2/submissions/%00",
        "/v2/submissions/%",
        "/v2/submissions/%4",
        "/v2/submissions/%zz",
        "/v2/submissions/%FF",
        "/v2/submissions/%C0%AF",
        "/V2/submissions",
        "/v2/Submissions",
        "/v2/submissions;x=1",
        "/v2/submissions.json",
        "/f1/amlonly",
        "/f1/submissions/a@b.co",
        "/v2/submissions/renewaml/a@b.co/x/",
        "/v2/submissions/renewaml/a@b.co//",
        "/v2/submissions/renewaml//x",
        "/v2/submissions/renewaml@b.co/",
        "/review/v1/submissions/",
        "/review/v1/submissions/x/approve/",
        "/review/v1//submissions",
        "/review/v1/../v1/submissions",
        "/review/v1%2Fsubmissions",
        "/review/",
        "/review",
        "/",
    ] {
        not_found(target);
    }
    // Dots are e-mails and ids like others, which no submission has.
    let world = World::new();
    for target in ["/v2/submissions/..", "/v2/submissions/.", "/v2/submissions/%2e%2e/result"] {
        world.get(Acme, target).is_not_found();
    }
    world.get(Acme, "/v2/submissions/a@b.co/..").is_not_found();
    world.get(Ines, "/review/v1/submissions/..").is_not_found();
}

#[test]
fn d5_other_methods_are_refused_with_the_right_ones() {
    let world = World::new();
    let check = |target: &str, allow: &str| {
        let who = if target.starts_with("/review") { Ines } else { Acme };
        let others = METHODS.into_iter().chain(
            ["PURGE", "get", "CONNECT"].map(|word| Method::from_bytes(word.as_bytes()).unwrap()),
        );
        for method in others.filter(|method| !allow.split(", ").any(|word| word == method.as_str()))
        {
            let answer = world.send(who, &method, target, b"");
            answer.is_error(405, "method_not_allowed", "Method Not Allowed");
            assert_eq!(answer.header("allow"), Some(allow), "{method} {target}");
        }
    };
    for template in templates() {
        let methods: Vec<&str> = METHODS
            .iter()
            .filter(|method| route(&world, method, template).is_ok())
            .map(Method::as_str)
            .collect();
        assert!(!methods.is_empty(), "{template}");
        check(template, &methods.join(", "));
    }
    check("/v2/submissions/renewaml", "POST");
    check("/v2/submissions/a@b.co/documents", "POST");
}

#[test]
fn templates_are_their_own_routes() {
    let world = World::new();
    assert_eq!(templates().len(), 25);
    for template in templates() {
        let reached: Vec<&str> =
            METHODS.iter().filter_map(|method| route(&world, method, template).ok()).collect();
        assert!(!reached.is_empty() && reached.iter().all(|found| *found == template));
    }
}

/// Templates with their captures filled, and any characters of them escaped in either case.
fn spellings() -> impl Strategy<Value = (String, String)> {
    (proptest::sample::select(templates()), "[a-z]{1,8}@[a-z]{1,5}\\.org", "[0-9a-z]{26}")
        .prop_map(|(template, email, id)| {
            let field = "selfie_res";
            template
                .replace("{email}", &email)
                .replace("{submission_id}", &id)
                .replace("{field}", field)
        })
        .prop_flat_map(|path| {
            let escaped = proptest::collection::vec(0..4_u8, path.len());
            (Just(path), escaped)
        })
        .prop_map(|(path, escaped)| {
            let spell = |(byte, escape): (u8, u8)| match escape {
                0 => format!("%{byte:02X}"),
                1 => format!("%{byte:02x}"),
                _ => char::from(byte).to_string(),
            };
            // A path begins with a slash, or it is none.
            let spelled: String = path.bytes().skip(1).zip(escaped).map(spell).collect();
            (path, format!("/{spelled}"))
        })
}

proptest! {
    #[test]
    fn t13_no_spelling_of_a_path_reaches_another_route((path, spelled) in spellings()) {
        let world = World::new();
        let has_escaped_slash = spelled.to_ascii_uppercase().contains("%2F");
        for method in METHODS {
            let plain = route(&world, &method, &path);
            let found = route(&world, &method, &spelled);
            prop_assert_eq!(found, if has_escaped_slash { Err(404) } else { plain });
        }
    }
}
