use std::thread;

use super::fixture::{client, screening, submission_id, time};
use crate::{
    Covered, Editions, Monitoring, MonitoringState, QueuePlace, RiskLevel, StoreError,
    SubmissionId, Walk,
};

/// The contract of [`Monitoring`], except that changes survive a crash. `open` gives an empty
/// store.
///
/// ```
/// use kyc_core::conformance::monitoring;
/// use kyc_core::memory::MemoryMonitoring;
///
/// monitoring(MemoryMonitoring::default);
/// ```
///
/// # Panics
///
/// When the store breaks its contract.
pub fn monitoring<S: Monitoring>(open: impl Fn() -> S) {
    every_state_is_read_back(&open());
    a_stale_change_stores_nothing(&open());
    one_of_racing_changes_wins(&open());
}

/// That the state outlives the store that took it. `open` gives a store over the same storage each
/// time, empty the first time; the one before is dropped by then.
///
/// # Panics
///
/// When something is lost or changed.
pub fn monitoring_survives<S: Monitoring>(open: impl Fn() -> S) {
    let mut before = MonitoringState::default();
    for state in states() {
        open().advance_monitoring(&before, &state).expect("advance");
        assert_eq!(open().monitoring().expect("monitoring"), state, "the state survives");
        before = state;
    }
}

/// From the first walk over the end of it to the second one; back to nothing at last.
fn states() -> [MonitoringState; 5] {
    let target = Editions::of(&screening(RiskLevel::Low, time(0)));
    let begun = time(7);
    let walk = Walk { target: target.clone(), full: true, begun, after: None, done: 0, failed: 0 };
    let last = SubmissionId::from_bytes([0xff; 16]);
    let reached = |submission| Some(QueuePlace { client: client(1), submission });
    let others = [("un", ""), ("ofac|sdn", "00ff"), ("eigene Liste \u{e4}", "1")];
    let lists = others.map(|(list, version)| (list.to_owned(), version.to_owned()));
    let other = Editions { lists: lists.into(), configuration: String::new() };
    let (after, done) = (reached(last), u64::MAX);
    let second = Walk { target: other, full: false, begun: time(8), after, done, failed: done };
    let covered = Some(Covered { editions: target, since: begun });
    [
        MonitoringState { covered: None, under_way: Some(walk.clone()) },
        MonitoringState {
            covered: None,
            under_way: Some(Walk { after: reached(submission_id(7)), done: 7, ..walk }),
        },
        MonitoringState { covered: covered.clone(), under_way: None },
        MonitoringState { covered, under_way: Some(second) },
        MonitoringState::default(),
    ]
}

fn every_state_is_read_back(store: &impl Monitoring) {
    let mut before = MonitoringState::default();
    assert_eq!(store.monitoring().expect("monitoring"), before, "nothing was stored yet");
    for state in states() {
        store.advance_monitoring(&before, &state).expect("advance");
        assert_eq!(store.monitoring().expect("monitoring"), state, "the state is read back");
        before = state;
    }
}

fn a_stale_change_stores_nothing(store: &impl Monitoring) {
    let [first, second, third, ..] = states();
    let stale = |before, after, why: &str| {
        let stored = store.monitoring().expect("monitoring");
        let refused = store.advance_monitoring(before, after);
        assert!(matches!(refused, Err(StoreError::Stale)), "{why}: {refused:?}");
        assert_eq!(store.monitoring().expect("monitoring"), stored, "{why}: nothing is stored");
    };
    let new = MonitoringState::default();
    stale(&first, &second, "nothing is stored yet");
    store.advance_monitoring(&new, &first).expect("advance");
    store.advance_monitoring(&first, &second).expect("advance");
    stale(&new, &third, "from the empty state");
    stale(&first, &third, "from an older state");
    stale(&third, &second, "from a state that never was");
}

fn one_of_racing_changes_wins(store: &impl Monitoring) {
    let mut before = MonitoringState::default();
    for state in states() {
        let racers = thread::scope(|scope| {
            let advance = || store.advance_monitoring(&before, &state).is_ok();
            let racers: Vec<_> = (0..4).map(|_| scope.spawn(advance)).collect();
            racers.into_iter().map(|racer| racer.join().expect("no panic")).collect::<Vec<bool>>()
        });
        let winners = racers.into_iter().filter(|has_won| *has_won).count();
        assert_eq!(winners, 1, "one of the racing changes of one state wins");
        before = state;
    }
}
