//! What [`AnswerStore`] promises, for every write that can bring an answer.

use std::thread;

use super::fixture::{inspector, replay, time};
use crate::{
    AnswerStore, Beside, Caller, ClientId, Fingerprint, Kept, KeyedRequest, Replay, StoreError,
};

/// One way to write to a store.
pub(super) struct Way<S> {
    /// Stores the record with that number, of client 1.
    pub(super) write: fn(&S, u32, Beside) -> Result<(), StoreError>,
    /// Whether it is stored.
    pub(super) is_stored: fn(&S, u32) -> bool,
}

pub(super) fn answers<S: AnswerStore>(open: &impl Fn() -> S, way: &Way<S>) {
    an_answer_is_found_with_its_change(&open(), way);
    a_taken_key_is_told_and_nothing_stored(&open(), way);
    a_refused_change_leaves_the_key_free(&open(), way);
    callers_do_not_share_keys(&open(), way);
    a_key_is_free_after_a_day(&open(), way);
    answers_that_are_over_are_forgotten(&open(), way);
    one_of_racing_writes_has_the_key(&open(), way);
}

/// That answers outlive the store that took them.
pub(super) fn answers_survive<S: AnswerStore>(open: &impl Fn() -> S, way: &Way<S>) {
    let first = replay("survives", time(0));
    (way.write)(&open(), 100, beside(&first)).expect("store with an answer");
    assert_eq!(find(&open(), &first), Some(kept(&first)), "an answer survives");
    let refused = (way.write)(&open(), 101, beside(&first));
    assert!(matches!(refused, Err(StoreError::KeyTaken)), "a key stays taken: {refused:?}");
}

fn beside(replay: &Replay) -> Beside {
    Beside::answer(replay.clone())
}

fn kept(replay: &Replay) -> Kept {
    let client = ClientId::new(1).expect("a number");
    Kept::Answer { client, answer: replay.answer.clone() }
}

fn find(store: &impl AnswerStore, replay: &Replay) -> Option<Kept> {
    store.find_answer(&replay.request, replay.at).expect("find an answer")
}

fn an_answer_is_found_with_its_change<S: AnswerStore>(store: &S, way: &Way<S>) {
    let mut first = replay("first", time(0));
    first.answer.body = (0..=u8::MAX).cycle().take(100_000).collect();
    let mut second = replay("second", time(0));
    (second.answer.status, second.answer.body) = (599, Vec::new());
    for (number, replay) in [(1, &first), (2, &second)] {
        assert_eq!(find(store, replay), None, "nothing is kept before the change");
        (way.write)(store, number, beside(replay)).expect("store with an answer");
    }
    for replay in [&first, &second] {
        assert_eq!(find(store, replay), Some(kept(replay)), "an answer is kept byte for byte");
        let other = KeyedRequest { fingerprint: Fingerprint([9; 32]), ..replay.request.clone() };
        let found = store.find_answer(&other, time(0)).expect("find an answer");
        assert_eq!(found, Some(Kept::OtherRequest), "another request is told from the first");
    }
    let unknown = find(store, &replay("First", time(0)));
    assert_eq!(unknown, None, "keys are compared exactly");
}

fn a_taken_key_is_told_and_nothing_stored<S: AnswerStore>(store: &S, way: &Way<S>) {
    let first = replay("key", time(0));
    (way.write)(store, 1, beside(&first)).expect("store with an answer");
    let mut other = replay("key", time(9));
    other.request.fingerprint = Fingerprint([9; 32]);
    other.answer.status = 500;
    for again in [&first, &other] {
        let refused = (way.write)(store, 2, beside(again));
        assert!(matches!(refused, Err(StoreError::KeyTaken)), "the key is taken: {refused:?}");
        assert!(!(way.is_stored)(store, 2), "nothing is stored under a taken key");
        assert_eq!(find(store, &first), Some(kept(&first)), "the first answer stays");
    }
    (way.write)(store, 2, Beside::NOTHING).expect("without the key");
}

fn a_refused_change_leaves_the_key_free<S: AnswerStore>(store: &S, way: &Way<S>) {
    (way.write)(store, 1, Beside::NOTHING).expect("store");
    let first = replay("key", time(0));
    let refused = (way.write)(store, 1, beside(&first));
    assert!(
        matches!(refused, Err(StoreError::Duplicate | StoreError::Stale)),
        "done already: {refused:?}"
    );
    assert_eq!(find(store, &first), None, "an answer is kept with its change alone");
    (way.write)(store, 2, beside(&first)).expect("the key is free");
}

fn callers_do_not_share_keys<S: AnswerStore>(store: &S, way: &Way<S>) {
    let own = replay("key", time(0));
    let callers = [
        Caller::Client(ClientId::new(2).expect("a number")),
        Caller::Client(ClientId::new(11).expect("a number")),
        Caller::Inspector(inspector().into()),
        Caller::Inspector(
            crate::Inspector { name: super::fixture::valid("omar"), clients: None }.into(),
        ),
    ];
    let others = callers.map(|caller| {
        let mut other = own.clone();
        (other.request.caller, other.answer.body) = (caller, b"another".to_vec());
        other
    });
    (way.write)(store, 1, beside(&own)).expect("store with an answer");
    for (number, other) in (2..).zip(&others) {
        assert_eq!(find(store, other), None, "another caller's key is another");
        (way.write)(store, number, beside(other)).expect("the key is free");
        assert_eq!(find(store, other), Some(kept(other)), "each has an answer");
    }
    assert_eq!(find(store, &own), Some(kept(&own)), "each has an answer");
}

fn a_key_is_free_after_a_day<S: AnswerStore>(store: &S, way: &Way<S>) {
    let first = replay("key", time(0));
    (way.write)(store, 1, beside(&first)).expect("store with an answer");
    let over = time(0).plus_millis(Replay::KEPT_MILLIS);
    let last = time(0).plus_millis(Replay::KEPT_MILLIS - 1);
    let late = |at| Replay { at, ..first.clone() };
    assert_eq!(find(store, &late(last)), Some(kept(&first)), "an answer is kept for a day");
    let refused = (way.write)(store, 2, beside(&late(last)));
    assert!(matches!(refused, Err(StoreError::KeyTaken)), "the key is taken: {refused:?}");

    assert_eq!(find(store, &late(over)), None, "an answer is kept for a day");
    let mut second = late(over);
    second.answer.body = b"second".to_vec();
    second.request.fingerprint = Fingerprint([2; 32]);
    (way.write)(store, 2, beside(&second)).expect("the key is free");
    assert_eq!(find(store, &second), Some(kept(&second)), "the second answer is kept from then");
    let next = Replay { at: over.plus_millis(Replay::KEPT_MILLIS - 1), ..second.clone() };
    assert_eq!(find(store, &next), Some(kept(&second)), "for a day");
}

fn answers_that_are_over_are_forgotten<S: AnswerStore>(store: &S, way: &Way<S>) {
    for number in 1..=5 {
        let replay = replay(&format!("key-{number}"), time(number));
        (way.write)(store, number, beside(&replay)).expect("store with an answer");
    }
    // The first three are over.
    let now = time(3).plus_millis(Replay::KEPT_MILLIS);
    for expected in [2, 1, 0] {
        assert_eq!(store.forget_answers(now, 2).expect("forget"), expected, "at most two at once");
    }
    let remains = |number| find(store, &replay(&format!("key-{number}"), time(number))).is_some();
    assert_eq!([1, 2, 3, 4, 5].map(remains), [false, false, false, true, true]);
    assert!((1..=5).all(|number| (way.is_stored)(store, number)), "what they told of stays");
}

fn one_of_racing_writes_has_the_key<S: AnswerStore>(store: &S, way: &Way<S>) {
    let racers = [1, 2, 3, 4].map(|number| {
        let mut replay = replay("key", time(0));
        replay.answer.body = vec![number];
        (u32::from(number), replay)
    });
    let outcomes = thread::scope(|scope| {
        let racers = racers.each_ref().map(|(number, replay)| {
            scope.spawn(move || (way.write)(store, *number, beside(replay)).is_ok())
        });
        racers.map(|racer| racer.join().expect("no panic"))
    });
    let winners: Vec<_> =
        racers.iter().zip(outcomes).filter_map(|(racer, won)| won.then_some(racer)).collect();
    let [(winner, answered)] = winners.as_slice() else {
        panic!("one of the racing writes has the key, not {}", winners.len());
    };
    assert_eq!(find(store, answered), Some(kept(answered)), "the winner's answer is kept");
    for (number, _) in &racers {
        let is_stored = (way.is_stored)(store, *number);
        assert_eq!(is_stored, number == winner, "the winner's change alone is made");
    }
}
