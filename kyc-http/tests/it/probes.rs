//! Questions about the service itself, without a credential (D78).

use std::time::Duration;

use http::Method;
use kyc_http::{ListReadiness, ListState, Readiness};
use serde_json::json;

use crate::support::*;

fn readiness(state: ListState) -> Readiness {
    let age = Some(Duration::from_millis(90_500));
    let list = ListReadiness { list: "UN".into(), state, is_required: true, age };
    let screening = state == ListState::Current;
    Readiness {
        store: true,
        screening,
        loaded: true,
        retention_waits: false,
        lists: vec![list],
        backup: None,
    }
}

/// A world that is as ready as this.
fn world(readiness: Readiness) -> World {
    let mut world = World::new();
    world.api = world.api.with_readiness(move || readiness.clone());
    world
}

#[test]
fn d78_everybody_may_ask_whether_the_process_answers() {
    let answer = World::new().get(Nobody, "/healthz");
    assert_eq!((answer.status, answer.json()), (200, json!({"alive": true})));
}

#[test]
fn d78_everybody_may_ask_whether_the_service_is_ready() {
    let answer = world(readiness(ListState::Current)).get(Nobody, "/readyz");
    let list = json!({"list": "UN", "state": "current", "required": true, "age_seconds": 90});
    let expected = json!({"ready": true, "store": true, "screening": true, "loaded": true,
            "retention_waits": false, "lists": [list], "backup": null});
    assert_eq!((answer.status, answer.json()), (200, expected));

    let answer = world(readiness(ListState::TooOld)).get(Nobody, "/readyz");
    assert_eq!((answer.status, &answer.json()["ready"]), (503, &json!(false)));
    assert_eq!(answer.json()["lists"][0]["state"], "too_old");
    let no_store = Readiness { store: false, ..readiness(ListState::Current) };
    assert_eq!(world(no_store).get(Nobody, "/readyz").status, 503);
    let not_loaded = Readiness { loaded: false, ..readiness(ListState::Current) };
    assert_eq!(world(not_loaded).get(Nobody, "/readyz").status, 503);
}

#[test]
fn d78_without_a_check_there_is_no_readiness() {
    World::new().get(Nobody, "/readyz").is_forbidden();
    World::new().get(Acme, "/readyz").is_not_found();
}

#[test]
fn d78_nothing_but_these_two_paths_is_answered_to_strangers() {
    let world = world(readiness(ListState::Current));
    for path in
        ["/", "/healthz/", "/healthz/x", "/Healthz", "/%68ealthz", "//healthz", "/v2/healthz"]
    {
        world.get(Nobody, path).is_forbidden();
        world.get(Acme, path).is_not_found();
    }
    for method in [Method::POST, Method::HEAD, Method::PUT, Method::DELETE] {
        for path in ["/healthz", "/readyz"] {
            world.send(Nobody, &method, path, b"").is_forbidden();
        }
    }
    // No body is taken from them either.
    world.send(Nobody, &Method::GET, "/healthz", b"x").is_error(
        413,
        "request_too_large",
        "Request Entity Too Large",
    );
    assert_eq!(world.get(Nobody, "/healthz?x=1").status, 200);
}
