use std::sync::Barrier;
use std::thread;

use super::*;

#[test]
fn t28_a_hundred_of_one_request_at_once_have_one_effect_and_one_answer() {
    for (name, prepare) in every_post() {
        let world = World::new();
        let post = prepare(&world);
        let start = Barrier::new(100);
        let answers: Vec<Answer> = thread::scope(|scope| {
            let send = || {
                start.wait();
                post.keyed(&world, "order-17")
            };
            let senders: Vec<_> = (0..100).map(|_| scope.spawn(send)).collect();
            senders.into_iter().map(|sender| sender.join().unwrap()).collect()
        });
        let is_first = |answer: &&Answer| answer.header("idempotent-replayed").is_none();
        let [first] = answers.iter().filter(is_first).collect::<Vec<_>>()[..] else {
            panic!("{name}: one request has the effect");
        };
        assert_eq!(first.status, 200, "{name}: {}", first.text());
        for answer in answers.iter().filter(|answer| !is_first(answer)) {
            assert_replays(answer, first);
        }

        let alone = World::new();
        prepare(&alone).keyed(&alone, "order-17").success();
        assert_eq!(effects(&world), effects(&alone), "{name}");
    }
}

#[test]
fn t28_of_a_hundred_requests_under_one_key_the_others_are_refused() {
    let world = World::new();
    let start = Barrier::new(100);
    let answers: Vec<Answer> = thread::scope(|scope| {
        let send = |number: usize| {
            let form = Sent::mira_aml_only().with("userid", &format!("user-{number}"));
            let post = Post::form("/v2/amlonly", &form.body());
            start.wait();
            post.keyed(&world, "order-17")
        };
        let senders: Vec<_> = (0..100).map(|number| scope.spawn(move || send(number))).collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_reused(answer);
    }
    assert_eq!(effects(&world).0, 1);
}
