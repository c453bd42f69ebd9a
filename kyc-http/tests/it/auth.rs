//! Who is let in (D6, D53; threat T4).

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request, request};
use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};
use kyc_core::{Client, Directory, Inspector, StoreError};

use crate::support::*;

/// Requests that would fail or succeed for all kinds of reasons, had they the right credentials.
fn requests(base: &str) -> Vec<(Method, String, Vec<u8>)> {
    let large = vec![b'x'; 5 * 1024 * 1024];
    let request =
        |method, path: &str, body: &[u8]| (method, format!("{base}{path}"), body.to_vec());
    vec![
        request(Method::GET, "/submissions", b""),
        request(Method::GET, "/submissions/mira.kole@example.org", b""),
        request(Method::POST, "/submissions", b"%zz"),
        request(Method::POST, "/submissions/upload", &large),
        request(Method::DELETE, "/submissions", b""),
        request(Method::HEAD, "/submissions", b""),
        request(Method::GET, "/no/such/path", b""),
        request(Method::GET, "/%zz", b""),
        request(Method::GET, "//..%2F", b""),
        request(Method::POST, "/submissions/x/approve", b"{"),
    ]
}

/// Sends every request with these headers; all answers are the same 403.
#[track_caller]
fn check(world: &World, base: &str, headers: &[(&str, &str)]) {
    let expected = world.get(Nobody, "/v2/submissions").anonymous();
    expected.is_forbidden_but_for_its_id();
    for (method, target, body) in requests(base) {
        for content_type in ["application/x-www-form-urlencoded", "text/plain"] {
            let mut request = Request::builder().method(&method).uri(&target);
            request = request.header("content-type", content_type);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let answer = world.handle(request.body(Bytes::from(body.clone())).unwrap());
            assert_eq!(answer.anonymous(), expected, "{method} {target}");
        }
    }
}

#[test]
fn d6_t4_a_client_needs_its_key_exactly_once_and_exactly_as_it_is() {
    let world = World::new();
    world.submit_aml_only(Acme);
    let (name, key) = Acme.header().unwrap();
    let long = "k".repeat(10 * 1024);
    for base in ["/v2", "/f1", ""] {
        check(&world, base, &[]);
        check(&world, base, &[(name, "")]);
        check(&world, base, &[(name, key), (name, key)]);
        check(&world, base, &[(name, key), (name, "other")]);
        check(&world, base, &[(name, ""), (name, key)]);
        check(&world, base, &[(name, &format!("{key},{key}"))]);
        check(&world, base, &[(name, &format!(" {key}"))]);
        check(&world, base, &[(name, &format!("{key} "))]);
        check(&world, base, &[(name, &format!("\"{key}\""))]);
        check(&world, base, &[(name, &key.to_uppercase())]);
        check(&world, base, &[(name, &key[..key.len() - 1])]);
        check(&world, base, &[(name, &format!("{key}0"))]);
        check(&world, base, &[(name, &long)]);
        check(&world, base, &[(name, "kyc_ac\u{fc}me")]);
        check(&world, base, &[("authorization", &format!("Bearer {key}"))]);
        check(&world, base, &[("x-api-key2", key), ("access-key", key), ("cookie", key)]);
    }
}

#[test]
fn d6_t4_a_key_in_the_query_is_not_read() {
    let world = World::new();
    let (name, key) = Acme.header().unwrap();
    let expected = world.get(Nobody, "/f1/submissions").anonymous();
    for query in [format!("{name}={key}"), format!("api_key={key}"), format!("key={key}")] {
        let answer = world.get(Nobody, &format!("/f1/submissions?{query}"));
        assert_eq!(answer.anonymous(), expected);
    }
}

#[test]
fn an_inspector_needs_a_bearer_token_exactly_once() {
    let world = World::new();
    let (name, header) = Ines.header().unwrap();
    let token = header.strip_prefix("Bearer ").unwrap();
    let base = "/review/v1";
    check(&world, base, &[]);
    check(&world, base, &[(name, "")]);
    check(&world, base, &[(name, "Bearer")]);
    check(&world, base, &[(name, "Bearer ")]);
    check(&world, base, &[(name, token)]);
    check(&world, base, &[(name, &format!("Basic {token}"))]);
    check(&world, base, &[(name, &format!("Bearer  {token}"))]);
    check(&world, base, &[(name, &format!("Bearer {token} "))]);
    check(&world, base, &[(name, &format!("Bearer\t{token}"))]);
    check(&world, base, &[(name, &format!("Bearer {}", token.to_uppercase()))]);
    check(&world, base, &[(name, "Bearer other")]);
    check(&world, base, &[(name, header), (name, header)]);
    check(&world, base, &[("x-api-key", token)]);
    check(&world, "/review", &[]);
    check(&world, "/review/", &[]);
}

#[test]
fn the_scheme_is_read_in_any_case() {
    let world = World::new();
    let token = Ines.header().unwrap().1.strip_prefix("Bearer ").unwrap();
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let request = Request::get("/review/v1/submissions")
            .header("authorization", format!("{scheme} {token}"));
        world.handle(request.body(Bytes::new()).unwrap()).success();
    }
}

#[test]
fn a_clients_key_is_no_inspectors_token_nor_the_reverse() {
    let world = World::new();
    let (_, key) = Acme.header().unwrap();
    let token = Ines.header().unwrap().1.strip_prefix("Bearer ").unwrap();
    check(&world, "/review/v1", &[("x-api-key", key)]);
    check(&world, "/review/v1", &[("authorization", &format!("Bearer {key}"))]);
    check(&world, "/v2", &[("authorization", &format!("Bearer {token}"))]);
    check(&world, "/f1", &[("x-api-key", token)]);
    // With both, each is good for its own paths alone.
    let both = |target: &str| {
        let request = Request::get(target)
            .header("x-api-key", key)
            .header("authorization", format!("Bearer {token}"));
        world.handle(request.body(Bytes::new()).unwrap())
    };
    both("/v2/submissions/resultall").success();
    both("/review/v1/submissions").success();
    // Another spelling of a path asks for the same credentials.
    world.get(Ines, "/%72eview/v1/submissions").success();
    world.get(Acme, "/%72eview/v1/submissions").is_forbidden();
    world.get(Ines, "/v%32/submissions/resultall").is_forbidden();
    // A path that only begins like the inspectors' is not theirs.
    world.get(Acme, "/reviews/v1/submissions").is_not_found();
    world.get(Ines, "/reviews/v1/submissions").is_forbidden();
}

#[test]
fn d6_the_head_is_refused_before_a_body_is_read() {
    use kyc_http::interface::Interface;
    let world = World::new();
    let request = Request::post("/v2/submissions/upload").header("content-length", "3000000");
    let (head, ()): (request::Parts, ()) = request.body(()).unwrap().into_parts();
    Answer::of(world.api.admit(&head).unwrap_err()).is_forbidden();
}

/// A directory whose storage fails.
pub(crate) struct Unreachable;

fn unreachable_directory<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("no route to the directory".into()))
}

impl Directory for Unreachable {
    fn client_of_key(&self, _: &str) -> Result<Option<Arc<Client>>, StoreError> {
        unreachable_directory()
    }

    fn inspector_of_token(&self, _: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        unreachable_directory()
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        unreachable_directory()
    }
}

#[test]
fn nobody_is_let_in_while_the_directory_fails() {
    let world = World::over(
        Arc::new(MemorySubmissions::default()),
        Arc::new(MemoryDocuments::default()),
        Arc::new(Unreachable),
        Arc::new(MemoryAudit::default()),
    );
    for who in [Acme, Ines] {
        let base = if who == Ines { "/review/v1" } else { "/v2" };
        for (method, target, body) in requests(base) {
            let answer = world.send(who, &method, &target, &body);
            answer.is_error(500, "server_error", "Other 500 Error");
            let (request_id, cause) = world.reports.lock().unwrap().pop().unwrap();
            assert_eq!(request_id, answer.text_at("/request_id"));
            assert_eq!(cause, "the storage failed: the storage failed: no route to the directory");
        }
    }
    // Who shows no credentials is not looked up.
    world.get(Nobody, "/v2/submissions").is_forbidden();
    assert!(world.reports.lock().unwrap().is_empty());
}
