//! `GET /review/v1/submissions`

use kyc_core::RiskLevel;

use crate::support::*;

/// Four submissions: rejected, pending, another client's pending, approved.
fn busy() -> (World, [String; 4]) {
    let world = World::new();
    let form = world.l1(Acme);
    let others = world.l1(Birch).with("email", "leo@example.org").with("middle_name", "Ana");
    let rejected = world.submit(Acme, &form);
    world.later(1);
    let pending = world.submit(Acme, &form);
    let foreign = world.submit(Birch, &others);
    world.later(1);
    let approved = world.submit_aml_only(Acme);
    world.reject(&rejected);
    (world, [rejected, pending, foreign, approved])
}

#[test]
fn what_is_pending_oldest_first() {
    let (world, _) = busy();
    let own = r#"{
        "id":"01m7w4qexj0000000000000002",
        "client":"acme",
        "created_at":"2026-11-20T09:31:15.250Z",
        "version":1,
        "status":"pending",
        "kyc_level":"L1",
        "email":"mira.kole@example.org",
        "name":"Mira Kole"
    }"#;
    let foreign = r#"{
        "id":"01m7w4qexj0000000000000003",
        "client":"birch",
        "created_at":"2026-11-20T09:31:15.250Z",
        "version":1,
        "status":"pending",
        "kyc_level":"L1",
        "email":"leo@example.org",
        "name":"Mira Ana Kole"
    }"#;
    let queue = "/review/v1/submissions";
    world.get(Ines, queue).is(&format!(r#"{{"items":[{own},{foreign}],"next":null}}"#));
    world.get(Ben, queue).is(&format!(r#"{{"items":[{own}],"next":null}}"#));
    let limited = format!("{queue}?limit=1");
    world
        .get(Ines, &limited)
        .is(&format!(r#"{{"items":[{own}],"next":"01m7w4qexj0000000000000002"}}"#));
    let next = format!("{queue}?limit=1&after=01m7w4qexj0000000000000002");
    world.get(Ines, &next).is(&format!(r#"{{"items":[{foreign}],"next":null}}"#));
}

/// The ids that a query lists, in order.
#[track_caller]
fn check(world: &World, who: Caller, query: &str, expected: &[&String]) {
    let answer = world.get(who, &format!("/review/v1/submissions?{query}")).success();
    let items = answer.value_at("/items");
    let ids: Vec<&str> =
        items.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
    assert_eq!(ids, expected, "{query}");
}

#[test]
fn filters_narrow() {
    let (world, [rejected, pending, foreign, approved]) = &busy();
    check(world, Ines, "", &[pending, foreign]);
    check(world, Ines, "status=", &[pending, foreign]);
    check(world, Ines, "status=PENDING", &[pending, foreign]);
    check(world, Ines, "status=rejected", &[rejected]);
    check(world, Ines, "status=approved", &[approved]);
    check(world, Ines, "status=incomplete", &[]);
    check(world, Ines, "status=all", &[rejected, pending, foreign, approved]);
    check(world, Ines, "status=all&client=acme", &[rejected, pending, approved]);
    check(world, Ines, "status=all&client=birch", &[foreign]);
    check(world, Ines, "status=all&client=unknown", &[]);
    check(world, Ines, "status=all&email=LEO@example.org", &[foreign]);
    check(world, Ines, "email=mira.kole@example.org", &[pending]);
    check(world, Ben, "status=all", &[rejected, pending, approved]);
    check(world, Ben, "status=all&client=birch", &[]);
    check(world, Ben, "status=all&email=leo@example.org", &[]);
}

#[test]
fn d83_what_should_be_looked_at() {
    let (world, [_, pending, foreign, approved]) = &busy();
    check(world, Ines, "hits=open", &[]);
    world.screen(Ok(RiskLevel::Low));
    check(world, Ines, "hits=open", &[approved]);
    check(world, Ines, "hits=open&status=all", &[approved]);
    check(world, Ines, "hits=open&status=approved", &[approved]);
    check(world, Ines, "hits=open&status=pending", &[]);
    check(world, Ines, "hits=open&client=birch", &[]);
    check(world, Ines, "hits=open&email=MIRA.KOLE@example.org", &[approved]);
    check(world, Ines, "hits=open&email=leo@example.org", &[]);
    check(world, Ben, "hits=open", &[approved]);
    check(world, Ines, "hits=", &[pending, foreign]);

    let hit = r#""list":"sample","entity":"S-12","verdict":"false_positive","note":"No.""#;
    world.decide(approved, "hits", hit).success();
    check(world, Ines, "hits=open", &[]);
    world.rescreen(RiskLevel::Low, "1990-05-17");
    check(world, Ines, "hits=open", &[approved]);
    world.rescreen(RiskLevel::NotApplicable, "1990-05-17");
    check(world, Ines, "hits=open", &[approved]);
    world.decide(approved, "acknowledge", "").success();
    check(world, Ines, "hits=open", &[]);
}

#[test]
fn pages_join_to_the_whole() {
    let (world, all) = busy();
    for limit in 1..=4 {
        let (mut joined, mut after) = (Vec::new(), String::new());
        loop {
            let target = format!("/review/v1/submissions?status=all&limit={limit}{after}");
            let page = world.get(Ines, &target).success().json();
            let items = page["items"].as_array().unwrap();
            assert!(items.len() <= limit);
            joined.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        assert_eq!(joined, all);
    }
}

#[test]
fn faults_of_the_query_are_told_together() {
    let world = World::new();
    let query = "status=open&email=mira&hits=all&after=1&limit=201";
    world.get(Ines, &format!("/review/v1/submissions?{query}")).is_invalid(&[
        ("hits", "must be: open"),
        ("status", "must be one of: pending, approved, rejected, incomplete, all"),
        ("email", "must contain one @"),
        ("after", "must be 26 lower-case letters and digits"),
        ("limit", "must be a number from 1 to 200"),
    ]);
    for limit in ["0", "-1", "x", "1e1", "99999999999999999999"] {
        let target = format!("/review/v1/submissions?limit={limit}");
        world.get(Ines, &target).is_invalid(&[("limit", "must be a number from 1 to 200")]);
    }
}

#[test]
fn an_unknown_place_in_the_queue_is_a_fault() {
    let (world, [_, _, foreign, _]) = busy();
    let fault = [("after", "must be the `next` of an earlier answer")];
    let after = |who, id: &str| world.get(who, &format!("/review/v1/submissions?after={id}"));
    after(Ines, "01m7w4qexj0000000000000009").is_invalid(&fault);
    after(Ben, &foreign).is_invalid(&fault);
}
