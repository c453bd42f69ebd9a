//! Lookups and lists (D36, D41–D50).

use crate::support::*;

/// Three submissions of one address: with `userid`s `a`, `b`, and none.
fn three() -> (World, [String; 3]) {
    let world = World::new();
    let form = world.l1(Acme);
    let ids = ["a", "b", ""].map(|user_id| {
        world.later(1);
        world.submit(Acme, &form.clone().with("userid", user_id))
    });
    (world, ids)
}

const EMAIL: &str = "mira.kole@example.org";

#[test]
fn d49_a_userid_narrows_status_and_data() {
    let (world, [a, b, none]) = three();
    let check = |target: &str, expected: &str| {
        let answer = world.get(Acme, &format!("/v2/submissions/{EMAIL}{target}")).success();
        assert_eq!(answer.text_at("/id"), expected, "{target}");
    };
    check("", &none);
    check("?userid=a", &a);
    check("?userid=b", &b);
    check("?userid=%62", &b);
    check("?userid=", &none);
    check("?userid=+", &none);
    check(&format!("/{a}?userid=a"), &a);
    check("/result?userid=a", &a);
    check(&format!("/{a}/result?userid=a"), &a);
    for target in
        [format!("/{a}?userid=b"), "?userid=c".into(), "?userid=A".into(), format!("?userid={b}")]
    {
        world.get(Acme, &format!("/v2/submissions/{EMAIL}{target}")).is_not_found();
    }
    let long = "u".repeat(129);
    world.get(Acme, &format!("/v2/submissions/{EMAIL}?userid={long}")).is_not_found();
}

#[test]
fn an_id_is_found_under_its_own_address_alone() {
    let (world, [a, ..]) = three();
    for target in [format!("leo@example.org/{a}"), format!("leo@example.org/{a}/result")] {
        world.get(Acme, &format!("/v2/submissions/{target}")).is_not_found();
    }
}

#[test]
fn d46_every_combination_narrows() {
    let (world, [a, b, none]) = three();
    let check = |query: &str, expected: Option<&String>| {
        let answer = world.get(Acme, &format!("/f1/submissions?{query}")).success();
        let found = expected.map(|_| answer.text_at("/Items/0/submission_id"));
        assert_eq!(found.as_ref(), expected, "{query}");
        assert!(!answer.has("/Items/1"));
        assert!(expected.is_some() || answer.text() == r#"{"Items":[]}"#, "{query}");
        assert!(!answer.has("/nextpageKey"));
    };
    check(&format!("email={EMAIL}"), Some(&none));
    check("userid=a", Some(&a));
    check(&format!("submission_id={b}"), Some(&b));
    check(&format!("email={EMAIL}&submission_id={a}"), Some(&a));
    check(&format!("email={EMAIL}&userid=b"), Some(&b));
    check(&format!("userid=b&submission_id={b}"), Some(&b));
    check(&format!("email={EMAIL}&userid=b&submission_id={b}"), Some(&b));
    check(&format!("email={EMAIL}&userid=&submission_id="), Some(&none));
    check(&format!("email={EMAIL}&userid=c"), None);
    check(&format!("userid=a&submission_id={b}"), None);
    check(&format!("email=leo@example.org&submission_id={b}"), None);
    check("email=mira", None);
    check("submission_id=7", None);
}

#[test]
fn d46_a_parameter_without_a_lookup_is_a_fault() {
    let (world, _) = three();
    let faults = ["userid", "email", "submission_id"].map(|name| (name, "is required"));
    for query in ["email=", "userid=+&email=", "emial=mira@example.org", "x", "limit=5"] {
        world.get(Acme, &format!("/f1/submissions?{query}")).is_missing(&faults);
    }
}

#[test]
fn d46_no_parameter_is_the_list() {
    let (world, ids) = three();
    for target in ["/f1/submissions", "/f1/submissions?", "/f1/submissions?&"] {
        let list = world.get(Acme, target).success();
        for (place, id) in ids.iter().enumerate() {
            assert_eq!(list.text_at(&format!("/Items/{place}/submission_id")), *id);
        }
    }
}

#[test]
fn d46_a_value_that_speaks_of_page_keys_asks_for_no_page() {
    let (world, _) = three();
    let form = Sent::mira_aml_only().with("userid", "nextpageKeyid");
    let id = world.post(Acme, "/v2/amlonly", &form.body()).success().text_at("/id");
    let one = world.get(Acme, "/f1/submissions?userid=nextpageKeyid").success();
    assert_eq!(one.text_at("/Items/0/submission_id"), id);
    assert!(!one.has("/Items/1"));
    world.get(Acme, "/f1/submissions?userid=nextpageKeyemail").is(r#"{"Items":[]}"#);
    let faults = ["userid", "email", "submission_id"].map(|name| (name, "is required"));
    world.get(Acme, "/f1/submissions?x=nextpageKeyid").is_missing(&faults);
    world.get(Acme, "/f1/submissions?xnextpageKeyid=1").is_missing(&faults);
}

#[test]
fn d46_a_lookup_beside_a_page_key_is_a_lookup() {
    let (world, [a, ..]) = three();
    let target = format!("/f1/submissions?userid=a&nextpageKeyemail={EMAIL}&nextpageKeyid={a}");
    let one = world.get(Acme, &target).success();
    assert_eq!(one.text_at("/Items/0/submission_id"), a);
    assert!(!one.has("/nextpageKey"));
}

#[test]
fn d41_a_page_key_is_both_halves_of_a_submission() {
    let (world, [a, b, _]) = three();
    let halves = |name| (name, "must be given together with the other half of the page key");
    let unknown = ["nextpageKeyemail", "nextpageKeyid"]
        .map(|name| (name, "must be the page key of an earlier answer, both halves of it"));
    for list in ["/v2/submissions/resultall", "/f1/submissions"] {
        let get = |query: String| world.get(Acme, &format!("{list}?{query}"));
        let items = if list.starts_with("/v2") { "data" } else { "Items" };
        let rest = get(format!("nextpageKeyemail={EMAIL}&nextpageKeyid={a}")).success();
        let id = if items == "data" { "id" } else { "submission_id" };
        assert_eq!(rest.text_at(&format!("/{items}/0/{id}")), b);
        get(format!("nextpageKeyemail={}&nextpageKey%69d={a}", EMAIL.to_uppercase())).success();
        get(format!("nextpageKeyemail={EMAIL}")).is_invalid(&[halves("nextpageKeyid")]);
        get(format!("nextpageKeyid={a}")).is_invalid(&[halves("nextpageKeyemail")]);
        get(format!("nextpageKeyid={a}&nextpageKeyemail="))
            .is_invalid(&[halves("nextpageKeyemail")]);
        get(format!("nextpageKeyemail=leo@example.org&nextpageKeyid={a}")).is_invalid(&unknown);
        get("nextpageKeyemail=NA&nextpageKeyid=NA".into()).is_invalid(&unknown);
        get(format!("nextpageKeyemail={EMAIL}&nextpageKeyid=01m7w4nmaj0000000000000099"))
            .is_invalid(&unknown);
        let whole = get("nextpageKeyemail=&nextpageKeyid=".into()).success();
        assert_eq!(whole, world.get(Acme, list));
    }
}

#[test]
fn d13_ids_are_26_lower_case_characters_that_sort_by_creation() {
    let (world, ids) = three();
    let documents = [(); 3].map(|()| {
        world.later(1);
        world.document(Acme, "selfie").rsplit_once('_').unwrap().1.to_owned()
    });
    for ids in [ids, documents] {
        assert!(ids.is_sorted());
        let is_character = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
        assert!(ids.iter().all(|id| id.len() == 26 && id.chars().all(is_character)));
    }
}

#[test]
fn d48_times_are_utc_to_the_millisecond_and_to_the_minute() {
    let (world, [a, ..]) = three();
    let data = world.get(Acme, &format!("/v2/submissions/{EMAIL}/{a}/result")).success();
    assert_eq!(data.text_at("/created_at"), "2026-11-20T09:31:15.250Z");
    let one = world.get(Acme, "/f1/submissions?userid=a").success();
    assert_eq!(one.text_at("/Items/0/created_at"), "2026-11-20 09:31");
    let list = world.get(Acme, "/f1/submissions").success();
    assert_eq!(list.text_at("/Items/0/submit_date"), "2026-11-20 09:31");
    let form = world.l1(Acme);
    let sent = world.post(Acme, "/f1/submissions", &form.body()).success();
    assert_eq!(sent.text_at("/created_at"), "2026-11-20T09:33:15.250Z");
}

#[test]
fn d12_clients_see_their_own_submissions_alone() {
    let world = World::new();
    let own = world.submit_aml_only(Acme);
    let others = world.submit_aml_only(Birch);
    let id = |who| world.get(who, &format!("/v2/submissions/{EMAIL}")).success().text_at("/id");
    assert_eq!((id(Acme), id(Birch)), (own.clone(), others.clone()));
    for list in ["/v2/submissions/resultall", "/f1/submissions"] {
        let (own_list, others_list) = (world.get(Acme, list), world.get(Birch, list));
        assert!(own_list.text().contains(&own) && !own_list.text().contains(&others));
        assert!(others_list.text().contains(&others) && !others_list.text().contains(&own));
    }
}
