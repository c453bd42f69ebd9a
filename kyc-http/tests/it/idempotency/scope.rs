use std::sync::Arc;

use kyc_core::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
use kyc_core::{Inspector, RiskLevel};

use super::*;

fn aml_only() -> Post {
    Post::form("/v2/amlonly", &Sent::mira_aml_only().body())
}

#[test]
fn d98_keys_of_two_callers_have_nothing_to_do_with_each_other() {
    let world = World::new();
    let own = aml_only().keyed(&world, "k").success();
    let other = aml_only().by(Birch).keyed(&world, "k").success();
    assert_ne!(own.text_at("/id"), other.text_at("/id"));
    assert_replays(&aml_only().keyed(&world, "k"), &own);
    assert_replays(&aml_only().by(Birch).keyed(&world, "k"), &other);

    let id = world.submit(Acme, &world.l1(Acme));
    let reject = Post::decision(&id, "reject", r#"{"version":1,"comment":"No."}"#);
    let decided = reject.keyed(&world, "k").success();
    assert_replays(&reject.keyed(&world, "k"), &decided);
    let late = reject.by(Ben).keyed(&world, "k");
    late.is_error(409, "conflict", "The submission changed since it was read");
}

#[test]
fn d98_what_was_refused_is_not_kept() {
    let world = World::new();
    let (form, broken) = (world.l1(Acme), world.l1(Acme).with("gender", "?"));
    let refused = Post::form("/v2/submissions", &broken.body());
    for _ in 0..2 {
        let answer = refused.keyed(&world, "k");
        answer.is_invalid(&[("gender", "must be one of: male, female")]);
        assert_eq!(answer.header("idempotent-replayed"), None);
    }
    let right = Post::form("/v2/submissions", &form.body());
    let first = right.keyed(&world, "k").success();
    assert_replays(&right.keyed(&world, "k"), &first);
    assert_reused(&refused.keyed(&world, "k"));

    let id = first.text_at("/id");
    let stale = Post::decision(&id, "reject", r#"{"version":9,"comment":"No."}"#);
    stale.keyed(&world, "d").is_error(409, "conflict", "The submission changed since it was read");
    let reject = Post::decision(&id, "reject", r#"{"version":1,"comment":"No."}"#);
    reject.keyed(&world, "d").success();
}

#[test]
fn d98_a_key_is_free_after_a_day() {
    let world = World::new();
    let first = aml_only().keyed(&world, "k").success();
    world.later(24 * 60 - 1);
    assert_replays(&aml_only().keyed(&world, "k"), &first);
    world.later(1);
    let second = aml_only().keyed(&world, "k").success();
    assert_eq!(second.header("idempotent-replayed"), None);
    assert_ne!(second.text_at("/id"), first.text_at("/id"));
    world.later(24 * 60 - 1);
    assert_replays(&aml_only().keyed(&world, "k"), &second);
}

#[test]
fn d99_answers_that_are_over_are_removed_bit_by_bit() {
    let world = World::new();
    for number in 0..5 {
        aml_only().keyed(&world, &number.to_string()).success();
    }
    assert!(!world.service.forget_answers(2).unwrap(), "none is over");
    world.later(24 * 60);
    let remain = [(); 3].map(|()| world.service.forget_answers(2).unwrap());
    assert_eq!(remain, [true, true, false]);
}

#[test]
fn d98_a_repetition_gets_the_first_answer_whatever_happened_since() {
    let world = World::new();
    let form = Post::form("/v2/submissions", &world.l1(Acme).body());
    let submitted = form.keyed(&world, "s").success();
    let id = submitted.text_at("/id");
    let approve = Post::decision(&id, "approve", r#"{"version":1,"id_expired_date":"2031-03-02"}"#);
    let approved = approve.keyed(&world, "a").success();
    assert_eq!(approved.value_at("/version"), 2);
    world.screen(Ok(RiskLevel::High));
    let renew = Post::form(&format!("/v2/submissions/renewaml/mira.kole@example.org/{id}"), "");
    let renewed = renew.keyed(&world, "r").success();
    world.reopen(&id);
    world.reject(&id);
    for (post, key, first) in
        [(&form, "s", &submitted), (&approve, "a", &approved), (&renew, "r", &renewed)]
    {
        assert_replays(&post.keyed(&world, key), first);
    }
}

#[test]
fn d98_an_inspector_who_lost_a_client_does_not_get_its_data_again() {
    let submissions = Arc::new(MemorySubmissions::default());
    let documents = Arc::new(MemoryDocuments::default());
    let over = |directory| {
        let audit = Arc::new(MemoryAudit::default());
        World::over(submissions.clone(), documents.clone(), Arc::new(directory), audit)
    };
    let world = over(directory());
    let id = world.submit(Acme, &world.l1(Acme));
    let reject = Post::decision(&id, "reject", r#"{"version":1,"comment":"No."}"#).by(Ben);
    reject.keyed(&world, "k").success();

    let clients = Some(vec![client_id(Birch)]);
    let ben = Inspector { name: "ben".parse().unwrap(), clients };
    let changed = MemoryDirectory::default().with_inspector("ben-token-95", ben);
    let world = over(changed);
    reject.keyed(&world, "k").is_not_found();
}
