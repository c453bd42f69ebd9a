//! How often somebody may ask (D9, D101, D102; threats T4, T32).

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request};
use kyc_http::interface::{Interface, Peer};
use kyc_http::throttle::{Caller as Known, Class, Limiter, Rates, Throttle, TooMany};

use crate::support::*;

/// A clock of the limiter that stands still until it is moved.
#[derive(Default, Clone)]
struct Watch(Arc<AtomicU64>);

impl Watch {
    fn later(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

fn limited(rates: Rates) -> (World, Watch) {
    let (mut world, watch) = (World::new(), Watch::default());
    let time = watch.clone();
    let limiter =
        Limiter::with_time(rates, move || Duration::from_millis(time.0.load(Ordering::Relaxed)));
    world.api = world.api.with_throttle(limiter);
    (world, watch)
}

fn rate(per_minute: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(per_minute)
}

/// A request from an address.
fn ask(world: &World, from: &str, credential: Option<(&str, &str)>, target: &str) -> Answer {
    let peer = Peer(from.parse().unwrap());
    let mut request = Request::get(target).extension(peer);
    if let Some((name, value)) = credential {
        request = request.header(name, value);
    }
    world.handle(request.body(Bytes::new()).unwrap())
}

const LIST: &str = "/v2/submissions/resultall";
const WRONG: Option<(&str, &str)> = Some(("x-api-key", "kyc_acme_guess"));

#[track_caller]
fn is_too_many(answer: &Answer, limit: u32, seconds: u64) {
    answer.is_error(429, "too_many_requests", "Too Many Requests");
    let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
    assert_eq!(header("retry-after"), seconds.to_string());
    assert_eq!(header("ratelimit-limit"), limit.to_string());
    assert_eq!(header("ratelimit-remaining"), "0");
    assert_eq!(header("ratelimit-reset"), seconds.to_string());
}

#[test]
fn t32_ten_times_the_rate_is_refused_and_nobody_else_notices() {
    let (world, watch) = limited(Rates { lists: rate(30), ..Rates::NONE });
    for number in 0..300 {
        let answer = world.get(Acme, LIST);
        if number < 30 {
            answer.success();
        } else {
            is_too_many(&answer, 30, 2);
        }
        world.get(Birch, "/v2/submissions/mira@example.org").is_not_found();
    }
    world.get(Birch, LIST).success();
    // Granted anew evenly: every two seconds one.
    watch.later(2_000);
    world.get(Acme, LIST).success();
    is_too_many(&world.get(Acme, LIST), 30, 2);
    watch.later(1_400);
    is_too_many(&world.get(Acme, LIST), 30, 1);
    watch.later(600);
    world.get(Acme, LIST).success();
    // And as many at once after a quiet minute.
    watch.later(60_000);
    for _ in 0..30 {
        world.get(Acme, LIST).success();
    }
    is_too_many(&world.get(Acme, LIST), 30, 2);
}

/// Uses up the one request of a class, and checks which others were counted with it.
#[track_caller]
fn check(rates: Rates, who: Caller, together: &[(Method, &str)], apart: &[(Method, &str)]) {
    for (first, target) in together {
        for (second, other) in together {
            let (world, _) = limited(rates);
            assert_ne!(world.send(who, first, target, b"").status, 429);
            is_too_many(&world.send(who, second, other, b""), 1, 60);
        }
        let (world, _) = limited(rates);
        world.send(who, first, target, b"");
        for (method, other) in apart {
            for _ in 0..3 {
                let status = world.send(who, method, other, b"").status;
                assert_ne!(status, 429, "{target} counted for {other}");
            }
        }
    }
}

#[test]
fn d101_each_kind_of_work_is_counted_for_itself() {
    let uploads =
        [(Method::POST, "/v2/submissions/upload"), (Method::POST, "/f1/submissions/upload")];
    let submissions = [
        (Method::POST, "/v2/submissions"),
        (Method::POST, "/v2/amlonly"),
        (Method::POST, "/f1/submissions"),
        (Method::POST, "/v2/submissions/renewaml/mira@example.org/1"),
        (Method::POST, "/v2/submissions/mira@example.org/1/documents"),
    ];
    let reads = [
        (Method::GET, "/v2/submissions/mira@example.org"),
        (Method::GET, "/v2/submissions/mira@example.org/1/result"),
        (Method::GET, "/f1/submissions?email=mira@example.org"),
        // Whatever is no route.
        (Method::GET, "/v3"),
        (Method::DELETE, "/v2/submissions"),
    ];
    let lists = [(Method::GET, LIST), (Method::GET, "/f1/submissions")];
    let (one, none) = (rate(1), Rates::NONE);
    check(
        Rates { uploads: one, ..none },
        Acme,
        &uploads,
        &[&submissions[..], &reads, &lists].concat(),
    );
    check(
        Rates { submissions: one, ..none },
        Acme,
        &submissions,
        &[&uploads[..], &reads, &lists].concat(),
    );
    check(
        Rates { reads: one, ..none },
        Acme,
        &reads,
        &[&uploads[..], &submissions, &lists].concat(),
    );
    check(
        Rates { lists: one, ..none },
        Acme,
        &lists,
        &[&uploads[..], &submissions, &reads].concat(),
    );
    let reviews = [
        (Method::GET, "/review/v1/submissions"),
        (Method::GET, "/review/v1/submissions/1"),
        (Method::POST, "/review/v1/submissions/1/approve"),
    ];
    check(Rates { reviews: one, ..none }, Ines, &reviews, &[]);
}

#[test]
fn d101_two_inspectors_are_counted_apart() {
    let (world, _) = limited(Rates { reviews: rate(1), ..Rates::NONE });
    world.get(Ines, "/review/v1/submissions").success();
    is_too_many(&world.get(Ines, "/review/v1/submissions"), 1, 60);
    world.get(Ben, "/review/v1/submissions").success();
}

#[test]
fn d9_a_request_too_many_is_refused_before_its_body_is_read() {
    let (world, _) = limited(Rates { uploads: rate(1), ..Rates::NONE });
    let head = || {
        let (name, key) = Acme.header().unwrap();
        let request = Request::post("/v2/submissions/upload")
            .header(name, key)
            .header("content-type", upload_type())
            .header("content-length", "3000000");
        request.body(()).unwrap().into_parts().0
    };
    assert!(world.api.admit(&head()).is_ok());
    is_too_many(&Answer::of(world.api.admit(&head()).unwrap_err()), 1, 60);
}

#[test]
fn t4_guessing_is_slowed_down_by_address() {
    let (world, watch) = limited(Rates { refusals: rate(60), ..Rates::NONE });
    for _ in 0..60 {
        ask(&world, "192.0.2.1", WRONG, LIST).is_forbidden();
    }
    for _ in 0..600 {
        is_too_many(&ask(&world, "192.0.2.1", WRONG, LIST), 60, 1);
    }
    // It counts whatever is wrong with the credential, and whosever it should be.
    let token = Some(("authorization", "Bearer guess"));
    is_too_many(&ask(&world, "192.0.2.1", token, "/review/v1/submissions"), 60, 1);
    is_too_many(&ask(&world, "192.0.2.1", None, "/"), 60, 1);
    ask(&world, "192.0.2.2", WRONG, LIST).is_forbidden();
    watch.later(1_000);
    ask(&world, "192.0.2.1", WRONG, LIST).is_forbidden();
    is_too_many(&ask(&world, "192.0.2.1", WRONG, LIST), 60, 1);
}

#[test]
fn t4_the_right_guess_looks_like_the_wrong_ones() {
    let (world, watch) = limited(Rates { refusals: rate(60), ..Rates::NONE });
    while ask(&world, "192.0.2.1", WRONG, LIST).status == 403 {}
    let wrong = ask(&world, "192.0.2.1", WRONG, LIST);
    let right = ask(&world, "192.0.2.1", Acme.header(), LIST);
    is_too_many(&right, 60, 1);
    assert_eq!(right.anonymous(), wrong.anonymous());
    watch.later(1_000);
    ask(&world, "192.0.2.1", Acme.header(), LIST).success();
}

#[test]
fn d102_a_stranger_locks_out_nobody_who_was_there_before() {
    let (world, _) = limited(Rates { refusals: rate(60), ..Rates::NONE });
    ask(&world, "192.0.2.1", Acme.header(), LIST).success();
    ask(&world, "192.0.2.1", Ines.header(), "/review/v1/submissions").success();
    while ask(&world, "192.0.2.1", WRONG, LIST).status == 403 {}
    for _ in 0..100 {
        ask(&world, "192.0.2.1", Acme.header(), LIST).success();
        ask(&world, "192.0.2.1", Ines.header(), "/review/v1/submissions").success();
    }
    // Nor anybody anywhere else.
    ask(&world, "192.0.2.2", Birch.header(), LIST).success();
    // What was let in counts for nothing.
    is_too_many(&ask(&world, "192.0.2.1", WRONG, LIST), 60, 1);
}

#[test]
fn d102_a_network_of_ipv6_counts_as_one_address() {
    let (world, _) = limited(Rates { refusals: rate(1), ..Rates::NONE });
    ask(&world, "2001:db8:0:1::1", WRONG, LIST).is_forbidden();
    is_too_many(&ask(&world, "2001:db8:0:1:ffff::2", WRONG, LIST), 1, 60);
    ask(&world, "2001:db8:0:2::1", WRONG, LIST).is_forbidden();
    ask(&world, "192.0.2.1", WRONG, LIST).is_forbidden();
    is_too_many(&ask(&world, "::ffff:192.0.2.1", WRONG, LIST), 1, 60);
}

#[test]
fn d102_without_an_address_nothing_is_counted_by_address() {
    let (world, _) = limited(Rates { refusals: rate(1), ..Rates::NONE });
    for _ in 0..10 {
        world.get(Nobody, LIST).is_forbidden();
    }
    world.get(Acme, LIST).success();
}

#[test]
fn t32_however_many_addresses_ask_a_new_one_is_counted_and_a_client_let_in() {
    let (world, _) = limited(Rates { refusals: rate(1), ..Rates::default() });
    ask(&world, "192.0.2.1", Acme.header(), LIST).success();
    for number in 0..200_000 {
        let address = IpAddr::V4(Ipv4Addr::from_bits(0x0A00_0000 + number)).to_string();
        if number % 1_000 == 0 {
            ask(&world, &address, WRONG, LIST).is_forbidden();
            is_too_many(&ask(&world, &address, WRONG, LIST), 1, 60);
            ask(&world, "192.0.2.1", Acme.header(), "/v2/submissions/m@example.org").is_not_found();
        } else {
            ask(&world, &address, WRONG, LIST);
        }
    }
    ask(&world, "192.0.2.3", Birch.header(), LIST).success();
}

#[test]
fn without_limits_nothing_is_counted() {
    let (world, _) = limited(Rates::NONE);
    for _ in 0..10_000 {
        ask(&world, "192.0.2.1", WRONG, LIST).is_forbidden();
    }
    ask(&world, "192.0.2.1", Acme.header(), LIST).success();
}

/// Takes every other request.
#[derive(Default)]
struct EveryOther(AtomicU64);

impl Throttle for EveryOther {
    fn admit(&self, _: Known<'_>, _: Class, _: Option<Peer>) -> Result<(), TooMany> {
        if self.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            return Ok(());
        }
        Err(TooMany { limit: 1, retry_after: Duration::from_millis(1) })
    }

    fn refuse(&self, _: Option<Peer>) -> Result<(), TooMany> {
        Ok(())
    }
}

#[test]
fn a_program_may_count_in_its_own_way() {
    let mut world = World::new();
    world.api = world.api.with_throttle(EveryOther::default());
    world.get(Acme, LIST).success();
    is_too_many(&world.get(Birch, LIST), 1, 1);
    world.get(Birch, LIST).success();
}

#[test]
fn d78_questions_about_the_service_are_not_counted() {
    let (world, _) = limited(Rates { refusals: rate(1), ..Rates::default() });
    for _ in 0..100 {
        ask(&world, "192.0.2.1", None, "/healthz").success();
    }
    ask(&world, "192.0.2.1", WRONG, LIST).is_forbidden();
}
