//! Requests that are sent again under the same Idempotency-Key (D98, T28).

mod concurrent; // a hundred at once
mod scope; // whose keys, and for how long

use http::{Method, Request};

use crate::support::*;

/// One POST.
#[derive(Clone)]
pub(crate) struct Post {
    pub(crate) who: Caller,
    pub(crate) target: String,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) body: Vec<u8>,
}

impl Post {
    pub(crate) fn form(target: &str, body: &str) -> Self {
        Self { who: Acme, target: target.to_owned(), content_type: None, body: body.into() }
    }

    pub(crate) fn upload(target: &str, kind: &str, file: &[u8]) -> Self {
        let body = multipart(&[("type", kind.as_bytes()), ("file", file)]);
        let target = target.to_owned();
        Self { who: Acme, target, content_type: Some(upload_type()), body }
    }

    pub(crate) fn decision(id: &str, word: &str, body: &str) -> Self {
        let target = format!("/review/v1/submissions/{id}/{word}");
        Self { who: Ines, target, content_type: None, body: body.into() }
    }

    pub(crate) fn by(self, who: Caller) -> Self {
        Self { who, ..self }
    }

    /// Sends it with these keys, each in a header of its own.
    pub(crate) fn send(&self, world: &World, keys: &[&[u8]]) -> Answer {
        let mut request = Request::builder().method(Method::POST).uri(&self.target);
        if let Some((name, value)) = self.who.header() {
            request = request.header(name, value);
        }
        if let Some(content_type) = self.content_type {
            request = request.header("content-type", content_type);
        }
        for key in keys {
            request = request.header("Idempotency-Key", *key);
        }
        world.handle(request.body(self.body.clone().into()).unwrap())
    }

    pub(crate) fn keyed(&self, world: &World, key: &str) -> Answer {
        self.send(world, &[key.as_bytes()])
    }
}

/// Checks that an answer is the first one again.
#[track_caller]
pub(crate) fn assert_replays(again: &Answer, first: &Answer) {
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    let mut headers = again.headers.clone();
    assert_eq!(headers.remove("idempotent-replayed").unwrap(), "true");
    assert_eq!(headers, first.headers, "no other header differs");
}

#[track_caller]
pub(crate) fn assert_reused(answer: &Answer) {
    answer.is_error(
        409,
        "idempotency_key_reused",
        "This Idempotency-Key was used for another request",
    );
}

/// How many submissions there are, and the sum of their versions.
fn effects(world: &World) -> (usize, u64) {
    let queue = world.get(Ines, "/review/v1/submissions?status=all&limit=100").success();
    let items = queue.value_at("/items");
    let items = items.as_array().unwrap();
    let version = |item: &serde_json::Value| {
        let id = item["id"].as_str().unwrap();
        let case = world.get(Ines, &format!("/review/v1/submissions/{id}")).success();
        case.value_at("/version").as_u64().unwrap()
    };
    (items.len(), items.iter().map(version).sum())
}

/// Does what has to happen before.
type Prepare = fn(&World) -> Post;

/// Every POST there is, each with what has to happen before.
fn every_post() -> Vec<(&'static str, Prepare)> {
    vec![
        ("v2 upload", |_| Post::upload("/v2/submissions/upload", "passport", &jpeg())),
        ("f1 upload", |_| Post::upload("/f1/submissions/upload", "other", &pdf())),
        ("v2 form", |world| Post::form("/v2/submissions", &world.l1(Acme).body())),
        ("f1 form", |world| Post::form("/f1/submissions", &world.full(Acme).body())),
        ("aml only", |_| Post::form("/v2/amlonly", &Sent::mira_aml_only().body())),
        ("renewal", |world| {
            let id = world.submit_aml_only(Acme);
            Post::form(&format!("/v2/submissions/renewaml/mira.kole@example.org/{id}"), "")
        }),
        ("documents", |world| {
            let id = world.submit(Acme, &world.l1(Acme));
            world.retake(&id, "selfie_res");
            let selfie = format!("selfie_res={}", world.document(Acme, "selfie"));
            Post::form(&format!("/v2/submissions/mira.kole@example.org/{id}/documents"), &selfie)
        }),
        ("approve", |world| {
            let id = world.submit(Acme, &world.l1(Acme));
            Post::decision(&id, "approve", r#"{"version":1,"id_expired_date":"2031-03-02"}"#)
        }),
        ("reject", |world| {
            let id = world.submit(Acme, &world.l1(Acme));
            Post::decision(&id, "reject", r#"{"version":1,"comment":"Too blurred."}"#)
        }),
        ("retake", |world| {
            let id = world.submit(Acme, &world.l1(Acme));
            Post::decision(&id, "retake", r#"{"version":1,"documents":["selfie_res"]}"#)
        }),
        ("reopen", |world| {
            let id = world.submit(Acme, &world.l1(Acme));
            world.reject(&id);
            Post::decision(&id, "reopen", r#"{"version":2,"reason":"The wrong person"}"#)
        }),
        ("hit", |world| {
            let id = world.submit_aml_only(Acme);
            world.screen(Ok(kyc_core::RiskLevel::High));
            let verdict = r#""verdict":"false_positive","note":"Another birthday""#;
            let body = format!(r#"{{"version":2,"list":"sample","entity":"S-12",{verdict}}}"#);
            Post::decision(&id, "hits", &body)
        }),
        ("acknowledge", |world| {
            let id = world.submit_aml_only(Acme);
            world.screen(Ok(kyc_core::RiskLevel::High));
            world.rescreen(kyc_core::RiskLevel::High, "1991");
            let case = world.get(Ines, &format!("/review/v1/submissions/{id}")).success();
            let body = format!(r#"{{"version":{}}}"#, case.value_at("/version"));
            Post::decision(&id, "acknowledge", &body)
        }),
    ]
}

#[test]
fn d98_every_post_that_is_sent_again_gets_the_first_answer_and_does_nothing() {
    for (name, prepare) in every_post() {
        let world = World::new();
        let post = prepare(&world);
        let first = post.keyed(&world, "order-17");
        assert_eq!(first.status, 200, "{name}: {}", first.text());
        assert_eq!(first.header("idempotent-replayed"), None, "{name}");
        let effects_of_one = effects(&world);
        world.later(1);
        for _ in 0..2 {
            assert_replays(&post.keyed(&world, "order-17"), &first);
        }
        assert_eq!(effects(&world), effects_of_one, "{name}");
    }
}

#[test]
fn d98_without_a_key_a_request_has_its_effect_each_time() {
    let world = World::new();
    let post = Post::form("/v2/amlonly", &Sent::mira_aml_only().body());
    let answers = [post.send(&world, &[]), post.send(&world, &[])];
    assert_ne!(answers[0].text_at("/id"), answers[1].text_at("/id"));
    assert_eq!(effects(&world).0, 2);
}

#[test]
fn d98_a_replay_is_the_first_answer_byte_for_byte() {
    let world = World::new();
    let post = Post::form("/v2/amlonly", &Sent::mira_aml_only().body());
    post.keyed(&world, "k").success();
    let again = post.keyed(&world, "k");
    again.is(r#"{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "date_of_birth":"1990-05-17",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "gender":"female",
        "last_name":"Kole",
        "middle_name":null,
        "nationality":"Albania, ALB",
        "userid":null
    }"#);
    let mut headers: Vec<_> = again
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort_unstable();
    assert_eq!(
        headers,
        [
            "cache-control: no-store",
            "content-type: application/json",
            "idempotent-replayed: true",
            "x-content-type-options: nosniff",
        ]
    );
}

#[test]
fn d98_another_request_under_the_same_key_is_refused() {
    for (name, prepare) in every_post() {
        let world = World::new();
        let post = prepare(&world);
        // Beside it, so that nothing but the key stands in the way.
        let other = Post::form("/v2/amlonly", &Sent::mira_aml_only().body()).by(Acme);
        let other = if post.who == Ines {
            let id = world.submit(Acme, &world.l1(Acme));
            Post::decision(&id, "reject", r#"{"version":1,"comment":"Other."}"#)
        } else {
            Post { body: [&other.body[..], b"&userid=other"].concat(), ..other }
        };
        let first = post.keyed(&world, "k").success();
        let effects_of_one = effects(&world);
        assert_reused(&other.keyed(&world, "k"));
        assert_eq!(effects(&world), effects_of_one, "{name}");
        assert_replays(&post.keyed(&world, "k"), &first);
    }
}

#[test]
fn d98_the_same_body_to_another_path_is_another_request() {
    let world = World::new();
    let body = world.l1(Acme).body();
    Post::form("/v2/submissions", &body).keyed(&world, "k").success();
    assert_reused(&Post::form("/f1/submissions", &body).keyed(&world, "k"));
    let [one, two] = [(); 2].map(|()| world.submit_aml_only(Acme));
    let renewal =
        |email: &str, id: &str| Post::form(&format!("/v2/submissions/renewaml/{email}/{id}"), "");
    let first = renewal("mira.kole@example.org", &one).keyed(&world, "r").success();
    assert_reused(&renewal("mira.kole@example.org", &two).keyed(&world, "r"));
    let escaped = renewal("mira.kole%40example.org", &one).keyed(&world, "r");
    assert_replays(&escaped, &first);
}

#[test]
fn d98_an_upload_is_the_same_however_it_is_wrapped() {
    let world = World::new();
    let post = Post::upload("/f1/submissions/upload", "passport", &jpeg());
    let first = post.keyed(&world, "k").success();
    // Another boundary, another file name, the parts the other way round.
    let bytes = [
        b"--other\r\nContent-Disposition: form-data; name=\"file\"; filename=\"b.jpg\"\r\n\r\n"
            .as_slice(),
        &jpeg(),
        b"\r\n--other\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nPASSPORT\r\n--other--\r\n",
    ]
    .concat();
    let content_type = Some("multipart/form-data; boundary=other");
    assert_replays(&Post { content_type, body: bytes, ..post.clone() }.keyed(&world, "k"), &first);

    let mut changed = jpeg();
    changed.push(0);
    assert_reused(&Post::upload("/f1/submissions/upload", "passport", &changed).keyed(&world, "k"));
    assert_reused(&Post::upload("/f1/submissions/upload", "selfie", &jpeg()).keyed(&world, "k"));
    assert_reused(&Post::upload("/v2/submissions/upload", "passport", &jpeg()).keyed(&world, "k"));
}

#[test]
fn d98_a_key_that_is_no_key_is_refused_before_anything_is_done() {
    let longest = "x".repeat(255);
    let too_long = "x".repeat(256);
    let faulty: [&[&[u8]]; 8] = [
        &[b""],
        &[b"two words"],
        &[b"tab\there"],
        &["schlüssel".as_bytes()],
        &[too_long.as_bytes()],
        &[b"a", b"b"],
        &[b"a", b"a"],
        &[b"a", b""],
    ];
    for (name, prepare) in every_post() {
        let world = World::new();
        let post = prepare(&world);
        let before = effects(&world);
        for keys in faulty {
            post.send(&world, keys).is_error(
                400,
                "bad_request",
                "Idempotency-Key has to be one header of 1 to 255 visible ASCII characters",
            );
        }
        assert_eq!(effects(&world), before, "{name}");
        post.keyed(&world, &longest).success();
    }
}

#[test]
fn d98_a_read_pays_no_heed_to_a_key() {
    let world = World::new();
    world.submit_aml_only(Acme);
    for keys in [&["k"][..], &["a", "b"], &["no key"]] {
        let mut request = Request::get("/v2/submissions/mira.kole@example.org");
        let (name, value) = Acme.header().unwrap();
        request = request.header(name, value);
        for key in keys {
            request = request.header("Idempotency-Key", *key);
        }
        let answer = world.handle(request.body(bytes::Bytes::new()).unwrap()).success();
        assert_eq!(answer.header("idempotent-replayed"), None);
    }
}

#[test]
fn d98_whoever_has_no_credential_learns_nothing_of_keys() {
    let world = World::new();
    let post = Post::form("/v2/amlonly", &Sent::mira_aml_only().body());
    post.keyed(&world, "k").success();
    for keys in [&[b"k".as_slice()][..], &[b"a", b"b"]] {
        post.clone().by(Nobody).send(&world, keys).is_forbidden();
    }
}
