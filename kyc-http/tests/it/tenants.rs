//! What belongs to another client is what does not exist (D12, D13; threats T1, T2).
//!
//! The matrix is generated: every route × every id argument × {own, the other client's, random,
//! malformed}. A route that is added to the routing table and not to [`table`] fails a test here.

pub(crate) mod table;

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use kyc_core::{ErasureCause, RiskLevel};

use crate::routes::{METHODS, route, templates};
use crate::support::*;
use table::{Row, Stage};

/// The value of every id argument, by name.
pub(crate) type Ids = BTreeMap<&'static str, String>;

/// A world in which both clients have a submission in the same state, and the ids of both.
pub(crate) fn world(stage: Stage, other_email: &str) -> (World, Ids, Ids) {
    let world = World::new();
    let own = hand_in(&world, Acme, stage, "mira.kole@example.org", "user-a");
    let others = hand_in(&world, Birch, stage, other_email, "user-b");
    (world, own, others)
}

fn hand_in(world: &World, who: Caller, stage: Stage, email: &str, user_id: &str) -> Ids {
    let form = world.full(who).with("email", email).with("userid", user_id);
    let id = world.post(who, "/f1/submissions", &form.body()).success().text_at("/id");
    match stage {
        Stage::Pending => {}
        Stage::Approved => world.approve_l2(&id),
        Stage::Rejected => world.reject(&id),
        Stage::Screened | Stage::Changed => {
            world.approve_l2(&id);
            world.screen(Ok(RiskLevel::Low));
            if stage == Stage::Changed {
                world.rescreen(RiskLevel::High, "1990");
            }
        }
        Stage::Held => {
            world.decide(&id, "hold", r#""reason":"Case 17""#).success();
        }
        Stage::Erased => world.erase(who, &id, ErasureCause::Period),
        Stage::Incomplete => {
            let all = r#""documents":["photoid_res","selfie_res","address_res"]"#;
            world.decide(&id, "retake", all).success();
        }
    }
    let mut ids: Ids = table::HANDLES.map(|name| (name, form.value(name).to_owned())).into();
    let client = if who == Acme { "acme" } else { "birch" };
    for (name, value) in [
        ("email", email),
        ("userid", user_id),
        ("submission_id", &id),
        ("nextpageKeyemail", email),
        ("nextpageKeyid", &id),
        ("after", &id),
        ("client", client),
        ("field", "selfie_res"),
    ] {
        ids.insert(name, value.to_owned());
    }
    ids
}

/// Well-formed values that nobody has.
fn random(name: &str) -> Vec<String> {
    let id = "01m7w4nmaj7zk3v0q2rbx9c8d5";
    let values: &[&str] = match name {
        "email" | "nextpageKeyemail" => &["nobody@example.org"],
        "userid" => &["user-z"],
        "client" => &["cedar"],
        "field" => &["image_res5"],
        "submission_id" | "nextpageKeyid" | "after" => &[id],
        _ => {
            let word = match name {
                "photoid_res" => "passport",
                "selfie_res" => "selfie",
                "address_res" => "address",
                _ => "other",
            };
            let prefixes = ["acme000000", "birch00000", "q0v9x3k2ab"];
            return prefixes.map(|prefix| format!("{prefix}/{word}_{id}")).into();
        }
    };
    values.iter().map(ToString::to_string).collect()
}

const MALFORMED: [&str; 8] = [
    "x",
    "..",
    "../../etc/passwd",
    "' OR '1'='1",
    "<script>alert(1)</script>",
    "\u{202e}\u{feff}",
    "acme000000/passport_",
    "zz7w4nmaj0000000000000001x@",
];

fn ask(world: &World, row: &Row, ids: &Ids) -> Answer {
    let target = row.target(ids);
    if row.template.ends_with("/upload") {
        return world.upload(row.who, &target, "passport", &jpeg());
    }
    world.send(row.who, &row.method, &target, row.body(ids).as_bytes())
}

/// Everything that can be seen of a client's submissions.
fn sight(world: &World, who: Caller) -> Vec<Answer> {
    let name = if who == Acme { "acme" } else { "birch" };
    let queue = format!("/review/v1/submissions?status=all&client={name}");
    let mut sight = vec![
        world.get(who, "/v2/submissions/resultall"),
        world.get(who, "/f1/submissions"),
        world.get(Ines, &queue),
    ];
    let items = sight[2].value_at("/items");
    for item in items.as_array().unwrap() {
        let id = item["id"].as_str().unwrap();
        sight.push(world.get(Ines, &format!("/review/v1/submissions/{id}")));
    }
    sight
}

/// The ids of `own` with those of some arguments from elsewhere.
fn with(own: &Ids, names: &[&'static str], value: impl Fn(&'static str) -> String) -> Ids {
    let mut ids = own.clone();
    ids.extend(names.iter().map(|name| (*name, value(name))));
    ids
}

/// One cell: foreign values in these arguments are answered as random ones are, and change nothing.
#[track_caller]
fn check_cell(row: &Row, names: &[&'static str], other_email: &str) {
    let cell = format!("{} {} {names:?}", row.method, row.template);
    let (foreign_world, own, others) = world(row.stage, other_email);
    let (own_before, others_before) = (sight(&foreign_world, Acme), sight(&foreign_world, Birch));
    let foreign = ask(&foreign_world, row, &with(&own, names, |name| others[name].clone()));
    assert_eq!(sight(&foreign_world, Birch), others_before, "{cell}");
    assert_eq!(sight(&foreign_world, Acme), own_before, "{cell}");
    assert!(foreign.status < 500, "{cell}");
    assert!(!foreign.text().contains(&others["submission_id"]), "{cell}");

    for place in 0..names.iter().map(|name| random(name).len()).max().unwrap() {
        let (random_world, own, _) = world(row.stage, other_email);
        let ids = with(&own, names, |name| {
            let values = random(name);
            values[place.min(values.len() - 1)].clone()
        });
        let unknown = ask(&random_world, row, &ids);
        assert_eq!(foreign.anonymous(), unknown.anonymous(), "{cell}");
    }
}

/// The arguments by which a row can be asked for what is another's: those whose values differ.
fn foreign_arguments(row: &Row, other_email: &str) -> Vec<&'static str> {
    let (_, own, others) = world(row.stage, other_email);
    row.arguments().into_iter().filter(|name| own[name] != others[name]).collect()
}

#[test]
fn the_table_covers_every_route() {
    let world = World::new();
    let reachable: BTreeSet<(String, &str)> = templates()
        .into_iter()
        .flat_map(|template| METHODS.map(|method| (method, template)))
        .filter(|(method, template)| route(&world, method, template).is_ok())
        .map(|(method, template)| (method.to_string(), template))
        .collect();
    let covered: BTreeSet<(String, &str)> =
        table::rows().iter().map(|row| (row.method.to_string(), row.template)).collect();
    assert_eq!(covered, reachable);
}

#[test]
fn t1_own_ids_work() {
    for row in table::rows() {
        let (world, own, _) = world(row.stage, "leo@example.org");
        let answer = ask(&world, &row, &own);
        assert_eq!(answer.status, 200, "{} {}", row.method, row.template);
        if row.method == Method::GET && !row.template.ends_with("{field}") {
            // Behind the page key of the last submission there is none.
            let is_page = row.arguments().iter().any(|name| name.starts_with("nextpage"));
            let is_last = is_page || row.arguments().contains(&"after");
            assert_eq!(answer.text().contains(&own["submission_id"]), !is_last);
        }
    }
}

#[test]
fn t1_t2_another_clients_ids_are_answered_as_random_ones() {
    for row in table::rows() {
        let arguments = foreign_arguments(&row, "leo@example.org");
        for name in &arguments {
            check_cell(&row, &[name], "leo@example.org");
        }
        if arguments.len() > 1 {
            check_cell(&row, &arguments, "leo@example.org");
        }
    }
}

#[test]
fn t1_so_are_they_where_both_clients_have_the_same_applicant() {
    let shared = "mira.kole@example.org";
    for row in table::rows() {
        for name in foreign_arguments(&row, shared) {
            check_cell(&row, &[name], shared);
        }
    }
}

#[test]
fn t1_malformed_ids_are_refused_and_not_echoed() {
    for row in table::rows() {
        for name in row.arguments() {
            for value in MALFORMED {
                // A text of the caller's own choice can be anything.
                if name == "userid" && row.method == Method::POST {
                    continue;
                }
                let (world, own, _) = world(row.stage, "leo@example.org");
                let before = sight(&world, Acme);
                let answer = ask(&world, &row, &with(&own, &[name], |_| value.to_owned()));
                let cell = format!("{} {} {name}", row.method, row.template);
                let is_empty = answer.text() == r#"{"Items":[]}"#
                    || answer.text() == r#"{"items":[],"next":null}"#;
                assert!((400..500).contains(&answer.status) || is_empty, "{cell}");
                assert!(value.len() < 3 || !answer.text().contains(value), "{cell}");
                assert_eq!(sight(&world, Acme), before, "{cell}");
            }
        }
    }
}

#[test]
fn t2_a_guess_never_hits() {
    let world = World::new();
    let form = world.l1(Acme);
    world.document(Birch, "passport");
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..2_000 {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()
        };
        let bytes: [u8; 16] = [next(), next()].concat().try_into().unwrap();
        let id = kyc_core::DocumentId::from_bytes(bytes);
        let guess = form.clone().with("photoid_res", &format!("birch00000/passport_{id}"));
        let fault = ("photoid_res", "must be the filehash of an uploaded document");
        world.post(Acme, "/v2/submissions", &guess.body()).is_invalid(&[fault]);
    }
}
