//! `docs/openapi.json` says what the code does (D125), and the code does what it says (G7).

mod change;
mod document;
mod planted;
mod request;
mod sequence;
mod states;
mod values;

use std::collections::BTreeSet;
use std::env;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request};
use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};
use kyc_core::{Country, Field, UsedUp};
use kyc_http::interface::{Interface, Peer, Refusal};
use kyc_http::throttle::{Caller as Known, Class, Throttle, TooMany};
use serde_json::json;

use crate::auth::Unreachable;
use crate::quotas::full;
use crate::routes::{METHODS, route, templates};
use crate::support::*;
use crate::tenants;
use change::Change;
use document::{Document, Exchange, Meant, Operation};

/// Requests to each operation, of which every second one has one of the changes: each of them once.
const EXAMPLES: usize = 2 * Change::ALL.len();

/// Fails with the first disagreements, each with the request.
#[track_caller]
fn check(document: &Document, exchanges: &[Exchange]) {
    let mut faults = exchanges.iter().flat_map(|exchange| {
        let Exchange { operation, asked, answer, .. } = exchange;
        let text = String::from_utf8_lossy(&answer.body);
        document.faults(exchange).into_iter().map(move |fault| {
            format!("{operation}: {fault}\n  asked: {asked:.2000}\n  answered: {text:.2000}\n")
        })
    });
    let first: Vec<String> = faults.by_ref().take(5).collect();
    let all = first.len() + faults.count();
    assert!(first.is_empty(), "docs/openapi.json has {all} answers wrong:\n{}", first.join(""));
}

/// Each operation in a state in which it succeeds; a change twice, under a key.
fn successes(document: &Document) -> Vec<Exchange> {
    let ask = |row: tenants::table::Row| {
        let (world, own, _) = tenants::world(row.stage, "leo@example.org");
        let asked = row.target(&own);
        let is_asked =
            |one: &&Operation| (&one.method, &*one.template) == (&row.method, row.template);
        let operation = document.operations.iter().find(is_asked).unwrap();
        let (name, text) = row.who.header().unwrap();
        let is_upload = operation.id.ends_with("Upload");
        let times = if row.method == Method::GET { 1 } else { 2 };
        let send = |_| {
            let body = if is_upload {
                multipart(&[("type", b"selfie"), ("file", &jpeg())])
            } else {
                row.body(&own).into_bytes()
            };
            let mut request = Request::builder().method(&row.method).uri(&asked).header(name, text);
            if times > 1 {
                request = request.header("idempotency-key", "twice");
            }
            if is_upload {
                request = request.header("content-type", upload_type());
            }
            let answer = world.handle(request.body(body.into()).unwrap());
            let (operation, asked) = (operation.id.clone(), asked.clone());
            Exchange { operation, asked, meant: Meant::Taken, answer }
        };
        (0..times).map(send).collect::<Vec<_>>()
    };
    tenants::table::rows().into_iter().flat_map(ask).collect()
}

/// What takes no more requests.
struct Closed;

impl Throttle for Closed {
    fn admit(&self, _: Known<'_>, _: Class, _: Option<Peer>) -> Result<(), TooMany> {
        Err(TooMany { limit: 30, retry_after: Duration::from_secs(3) })
    }

    fn refuse(&self, _: Option<Peer>) -> Result<(), TooMany> {
        Ok(())
    }
}

/// For each operation: the refusals of a server, a closed throttle, a store that fails, and what
/// else no sequence leads to.
fn failures(document: &Document) -> Vec<Exchange> {
    let world = World::new();
    let refusals = [
        Refusal::BadRequest("a rule of HTTP was broken"),
        Refusal::HttpsRequired,
        Refusal::Timeout,
        Refusal::TooLarge,
        Refusal::TargetTooLong,
        Refusal::HeadTooLarge,
        Refusal::Failed,
        Refusal::Overloaded,
    ];
    let mut closed = World::new();
    closed.api = closed.api.with_throttle(Closed);
    let fails = World::over(
        Arc::new(MemorySubmissions::default()),
        Arc::new(MemoryDocuments::default()),
        Arc::new(Unreachable),
        Arc::new(MemoryAudit::default()),
    );
    let mut exchanges = Vec::new();
    for operation in &document.operations {
        let mut push = |asked: String, answer| {
            let operation = operation.id.clone();
            exchanges.push(Exchange { operation, asked, meant: Meant::Unsaid, answer });
        };
        for refusal in refusals {
            push(format!("{refusal:?}"), Answer::of(world.api.refuse(refusal)));
        }
        let Some(scheme) = &operation.security else { continue };
        let who = if scheme == "clientKey" { Acme } else { Ines };
        for world in [&closed, &fails] {
            push(
                "closed, or failing".into(),
                world.send(who, &operation.method, &operation.template, b""),
            );
        }
        if operation.template.contains("{submission_id}") {
            let target = operation.template.replace("{submission_id}", "%20");
            push("a blank id".into(), World::new().send(who, &operation.method, &target, b""));
        }
        if operation.id.ends_with("Upload") {
            let of_day = [UsedUp::UploadsOfDay { max: 9 }, UsedUp::SubmissionsOfDay { max: 9 }];
            for used_up in [UsedUp::Storage].into_iter().chain(of_day) {
                let answer =
                    full(used_up, true).upload(who, &operation.template, "selfie", &jpeg());
                push(format!("{used_up:?}"), answer);
            }
        }
    }
    exchanges
}

#[test]
fn g7_answers_are_as_described() {
    let examples = env::var("KYC_EXAMPLES").map_or(EXAMPLES, |text| text.parse().unwrap());
    let document = Document::read();
    let mut met = BTreeSet::new();
    let mut look = |exchanges: Vec<Exchange>| {
        check(&document, &exchanges);
        met.extend(exchanges.into_iter().map(|one| (one.operation, one.answer.status)));
    };
    look(successes(&document));
    look(failures(&document));
    for (seed, first) in (0..).zip((0..examples).step_by(EXAMPLES)) {
        look(sequence::sequence(&document, seed, first..examples.min(first + EXAMPLES)));
    }
    // 405 is what a path says of methods that are no operation.
    met.retain(|(_, status)| *status != 405);
    let listed = document.operations.iter().flat_map(|operation| {
        operation.responses.keys().map(|status| (operation.id.clone(), *status))
    });
    assert_eq!(met, listed.collect::<BTreeSet<_>>());
}

#[test]
fn g7_every_wrong_description_is_noticed() {
    let document = Document::read();
    let mut exchanges = successes(&document);
    exchanges.extend(failures(&document));
    for seed in 0..2 {
        exchanges.extend(sequence::sequence(&document, seed, 0..EXAMPLES));
    }
    check(&document, &exchanges);
    // Long lists say nothing that short ones do not.
    exchanges.retain(|one| one.answer.body.len() < 10_000);
    let overlooked: Vec<String> = planted::all(&document)
        .into_iter()
        .filter_map(|planted| planted.overlooked(&exchanges))
        .collect();
    assert!(overlooked.is_empty(), "nobody noticed: {overlooked:#?}");
}

#[test]
fn g7_wrong_descriptions_of_requests_are_noticed() {
    let is_noticed = |document: &Document| {
        let mut exchanges = (0..20).flat_map(|seed| {
            let about =
                |one: &Exchange| document.operations.iter().any(|it| it.id == one.operation);
            sequence::sequence(document, seed, 0..EXAMPLES).into_iter().filter(about)
        });
        exchanges.any(|one| !document.faults(&one).is_empty())
    };
    let planted = planted::in_requests(&Document::read()).into_iter();
    let overlooked: Vec<String> =
        planted.filter(|(_, document)| !is_noticed(document)).map(|(what, _)| what).collect();
    assert!(overlooked.is_empty(), "nobody noticed: {overlooked:#?}");
}

#[test]
fn d125_the_document_has_every_operation_and_no_other() {
    let world = World::new();
    let operations = |template| METHODS.map(|method| (method, template));
    let routes = templates().into_iter().flat_map(operations);
    let routes = routes.filter(|(method, template)| route(&world, method, template).is_ok());
    let source = include_str!("../../src/probe.rs");
    let probes = source.split('"').filter(|text| text.starts_with('/') && text.ends_with('z'));
    let served: BTreeSet<(String, &str)> = routes
        .chain(probes.map(|path| (Method::GET, path)))
        .map(|(method, template)| (method.to_string(), template))
        .collect();
    let document = Document::read();
    let operations = document.operations.iter();
    let described: BTreeSet<(String, &str)> =
        operations.map(|one| (one.method.to_string(), one.template.as_str())).collect();
    assert_eq!(described, served);
}

#[test]
fn d125_each_operation_asks_for_the_credential_of_its_interface() {
    for Operation { template, security, .. } in Document::read().operations {
        let expected = match template.split('/').nth(1) {
            Some("v2" | "f1") => Some("clientKey"),
            Some("review") => Some("inspectorToken"),
            _ => None,
        };
        assert_eq!(security.as_deref(), expected, "{template}");
    }
}

/// The words that a refusal names for a field.
#[track_caller]
fn told(answer: &Answer, field: &str) -> BTreeSet<String> {
    let fields = answer.value_at("/fields");
    let fault = fields.as_array().unwrap().iter().find(|fault| fault["name"] == field).unwrap();
    let (_, words) = fault["reason"].as_str().unwrap().split_once(": ").unwrap();
    words.split(", ").map(str::to_owned).collect()
}

/// The words of a list in the document.
fn listed(document: &Document, schema: &str) -> BTreeSet<String> {
    let words = document.schema(schema)["enum"].as_array().unwrap().iter();
    words.map(|word| word.as_str().unwrap().to_owned()).collect()
}

#[test]
fn d125_words_are_those_that_refusals_name() {
    let (document, world) = (Document::read(), World::new());
    let form = world.post(Acme, "/v2/submissions", "gender=x&id_type=x&kyc_level=x");
    let upload = |target| world.upload(Acme, target, "x", &jpeg());
    let decide = |word, body| world.post(Ines, &format!("/review/v1/submissions/0/{word}"), body);
    let mut status = told(&world.get(Ines, "/review/v1/submissions?status=x"), "status");
    assert!(status.remove("all"));
    for (schema, told) in [
        ("Gender", told(&form, "gender")),
        ("IdType", told(&form, "id_type")),
        ("Level", told(&form, "kyc_level")),
        ("KindV2", told(&upload("/v2/submissions/upload"), "type")),
        ("KindF1", told(&upload("/f1/submissions/upload"), "type")),
        ("Status", status),
        ("Verdict", told(&decide("hits", r#"{"verdict":"x"}"#), "verdict")),
        ("Slot", told(&decide("retake", r#"{"documents":["x"]}"#), "documents")),
    ] {
        assert_eq!(listed(&document, schema), told, "{schema}");
    }
}

#[test]
fn d125_countries_error_codes_and_fields_are_those_of_the_code() {
    let document = Document::read();
    let countries = Country::all().map(|country| country.combined().to_owned());
    assert_eq!(listed(&document, "Country"), countries.collect());
    let codes = Country::all().map(|country| country.alpha3().to_owned());
    assert_eq!(listed(&document, "CountryCode"), codes.collect());

    // Each stands before its message.
    let source: String = include_str!("../../src/error.rs").split_whitespace().collect();
    let is_code = |text: &&str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let pairs = source.split("(\"").skip(1).filter_map(|text| Some(text.split_once("\",")?.0));
    assert_eq!(listed(&document, "ErrorCode"), pairs.filter(is_code).map(str::to_owned).collect());

    let members = |schema: &str| {
        let names = document.schema(schema)["properties"].as_object().unwrap().keys().cloned();
        names.filter(|name| name != "id" && name != "created_at").collect::<BTreeSet<_>>()
    };
    assert_eq!(members("FormF1"), members("SubmissionF1"));
    assert_eq!(members("FormF1").len(), Field::ALL.len());
    assert_eq!(members("FormV2"), members("Submission"));
    assert_eq!(members("AmlOnlyForm"), members("AmlOnlySubmission"));
}

#[test]
fn d125_the_document_is_whole() {
    let document = Document::read();
    assert_eq!(document.json["info"]["version"], env!("CARGO_PKG_VERSION"));
    let text = document.json.to_string();
    for (kind, components) in document.json["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            let reference = format!("#/components/{kind}/{name}");
            let is_used = text.contains(&format!("\"$ref\":\"{reference}\""));
            // What paths answer to other methods, and what operations name by itself.
            let stands_alone = name == "MethodNotAllowed" || kind == "securitySchemes";
            assert!(is_used || stands_alone, "{reference} is not used");
            if kind == "schemas" {
                document.validator(&json!({ "$ref": reference }));
            }
        }
    }
}
