use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use kyc_core::conformance::fixture::{
    approved, client, rejected, sample, submission_id, time, valid,
};
use kyc_core::{
    Editions, Lookup, Monitoring, MonitoringState, Preference, StoreError, Submission,
    SubmissionStore, Walk,
};
use kyc_store_sqlite::{Options, SqliteStore};

use crate::support::{by_id, database, folder, open, submission_of};

#[test]
fn many_writers_are_all_acknowledged_and_all_stored() {
    let folder = folder();
    let store = open(&folder);
    thread::scope(|scope| {
        for writer in 0..32 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..20 {
                    let number = 1 + writer * 20 + number;
                    let submission = submission_of(number, &format!("{number}@example.org"));
                    store.insert(client(1 + writer % 3), &submission).unwrap();
                    let stored = by_id(&submission);
                    let client = client(1 + writer % 3);
                    let found = SubmissionStore::find(store, client, &stored, Preference::Best);
                    assert_eq!(found.unwrap(), Some(submission), "a writer reads its own write");
                }
            });
        }
    });
    let mut met = 0;
    for number in 1..=3 {
        store
            .list(client(number), None, &mut |_| {
                met += 1;
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
    }
    assert_eq!(met, 32 * 20);
}

#[test]
fn a_duplicate_does_not_spoil_its_neighbours() {
    let folder = folder();
    let store = open(&folder);
    store.insert(client(1), &sample()).unwrap();
    let outcomes: Vec<_> = thread::scope(|scope| {
        let writers: Vec<_> = (0..64)
            .map(|number| {
                // Every fourth one has the id that is taken.
                let number = if number % 4 == 0 { 1 } else { 100 + number };
                let submission = submission_of(number, "other@example.org");
                let store = &store;
                scope.spawn(move || (number, store.insert(client(1), &submission)))
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    for (number, outcome) in outcomes {
        match number {
            1 => assert!(matches!(outcome, Err(StoreError::Duplicate)), "{outcome:?}"),
            _ => outcome.unwrap(),
        }
    }
    let first = SubmissionStore::find(&store, client(1), &by_id(&sample()), Preference::Best);
    assert_eq!(first.unwrap(), Some(sample()));
}

#[test]
fn t29_of_racing_decisions_exactly_one_wins_each_time() {
    const RACES: u32 = 1_000;
    let folder = folder();
    let store = open(&folder);
    let pending = |number| submission_of(number, "mira@example.org");
    for number in 1..=RACES {
        store.insert(client(1), &pending(number)).unwrap();
    }
    let start = Barrier::new(2);
    let race = |decide: fn(Submission) -> Submission| {
        let decisions = (1..=RACES).map(|number| {
            let decision = decide(pending(number));
            start.wait();
            match store.replace(client(1), &decision) {
                Ok(()) => Some(decision),
                Err(StoreError::Stale) => None,
                Err(error) => panic!("{error:?}"),
            }
        });
        decisions.collect::<Vec<_>>()
    };
    let [approvals, rejections] = thread::scope(|scope| {
        let racers = [scope.spawn(|| race(approved)), scope.spawn(|| race(rejected))];
        racers.map(|racer| racer.join().unwrap())
    });
    for (approval, rejection) in approvals.into_iter().zip(rejections) {
        let [winner] =
            approval.into_iter().chain(rejection).collect::<Vec<_>>().try_into().unwrap();
        let found = SubmissionStore::find(&store, client(1), &by_id(&winner), Preference::Best);
        assert_eq!(found.unwrap(), Some(winner));
    }
}

/// Two submissions of one person change sides together in each transaction, so a reader that saw
/// half of one would see none or two of them under one address.
#[test]
fn a_read_sees_one_moment() {
    let folder = folder();
    let store = open(&folder);
    let (mira, leo) = (submission_of(1, "mira@example.org"), submission_of(2, "leo@example.org"));
    store.insert(client(1), &mira).unwrap();
    store.insert(client(1), &leo).unwrap();
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut database = database(&folder);
            let hide = "UPDATE submission SET person_key = NULL WHERE id = ?1";
            let show = "UPDATE submission SET person_key =
                        (SELECT max(person_key) FROM submission) WHERE id = ?1";
            for round in 0..300 {
                let change = database.transaction().unwrap();
                let (shown, hidden) = if round % 2 == 0 { (&mira, &leo) } else { (&leo, &mira) };
                change.execute(show, [shown.id().to_bytes()]).unwrap();
                change.execute(hide, [hidden.id().to_bytes()]).unwrap();
                change.commit().unwrap();
            }
            ends.store(true, Ordering::Relaxed);
        });
        for email in ["mira@example.org", "leo@example.org"] {
            let (store, ends) = (&store, &ends);
            scope.spawn(move || {
                let email = valid(email);
                let lookup = Lookup { email: Some(&email), ..Lookup::default() };
                while !ends.load(Ordering::Relaxed) {
                    let found = store.find_with_duplicates(client(1), &lookup, Preference::Best);
                    let (_, duplicates) = found.unwrap().unwrap();
                    assert!(duplicates.len() <= 1);
                }
            });
        }
    });
}

#[test]
fn a_list_is_not_disturbed_by_writes_meanwhile() {
    let folder = folder();
    let store = open(&folder);
    let stored: Vec<Submission> =
        (1..=20).map(|number| submission_of(number, "mira@example.org")).collect();
    for submission in &stored {
        store.insert(client(1), submission).unwrap();
    }
    let mut shown = Vec::new();
    store
        .list(client(1), None, &mut |listed| {
            // A visitor may use the store itself.
            let number = 100 + u32::try_from(shown.len()).unwrap();
            store.insert(client(1), &submission_of(number, "leo@example.org")).unwrap();
            shown.push(listed.id);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(shown, (1..=20).map(submission_id).collect::<Vec<_>>());
}

#[test]
fn d84_of_two_processes_one_advances_monitoring_and_both_see_it_at_once() {
    let folder = folder();
    let serving = open(&folder);
    let beside = SqliteStore::open_beside(folder.path(), Options::default()).unwrap();
    let new = MonitoringState::default();
    let begun = |full| {
        let (target, begun) = (Editions::default(), time(0));
        let walk = Walk { target, full, begun, after: None, done: 0, failed: 0 };
        MonitoringState { under_way: Some(walk), ..new.clone() }
    };
    beside.advance_monitoring(&new, &begun(true)).unwrap();
    let late = serving.advance_monitoring(&new, &begun(false));
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    for store in [&serving, &beside] {
        assert_eq!(store.monitoring().unwrap(), begun(true));
    }
    serving.advance_monitoring(&begun(true), &new).unwrap();
    assert_eq!(beside.monitoring().unwrap(), new);
}
