//! Writing submissions: what `insert` and `replace` promise.

use std::sync::mpsc;
use std::{slice, thread};

use super::answers::{Way, answers, answers_survive};
use super::fixture::{
    approved, client, every_state, form, form_full, incomplete, rejected, reopened, sample,
    submission, submission_id, valid,
};
use super::{assert_identical, duplicates, find, list, queues};
use crate::{
    Beside, ClientId, Email, Form, Lookup, Preference, QueueFilter, Slot, StoreError, Submission,
    SubmissionId, SubmissionStore,
};

/// The contract of [`SubmissionStore`], except that writes survive a crash. `open` gives an empty
/// store.
///
/// ```
/// use kyc_core::conformance::submission_store;
/// use kyc_core::memory::MemorySubmissions;
///
/// submission_store(MemorySubmissions::default);
/// ```
///
/// # Panics
///
/// When the store breaks its contract.
pub fn submission_store<S: SubmissionStore>(open: impl Fn() -> S) {
    everything_is_read_back_as_it_was_stored(&open());
    the_empty_store_has_nothing(&open());
    clients_do_not_see_each_other(&open());
    an_id_is_taken_once_per_client(&open());
    a_callback_hears_what_was_stored(&open());
    a_replacement_takes_the_place_of_the_version_before(&open());
    a_stale_replacement_stores_nothing(&open());
    one_of_racing_writes_wins(&open());
    find::cases(&open);
    list::cases(&open);
    duplicates::cases(&open);
    queues::cases(&open);
    for way in ways() {
        answers(&open, &way);
    }
}

/// That writes outlive the store that made them. `open` gives a store over the same storage each
/// time, empty the first time; the one before is dropped by then.
///
/// # Panics
///
/// When something is lost or changed.
pub fn submission_store_survives<S: SubmissionStore>(open: impl Fn() -> S) {
    let stored = every_state();
    insert_all(&open(), client(1), &stored);
    let changed = approved(sample_of(&stored).clone());
    let store = open();
    assert_reads_back(&store, client(1), &stored);
    store.replace(client(1), &changed).expect("replace the version before");
    drop(store);

    let store = open();
    assert_identical(&by_id(&store, client(1), changed.id()).expect("found again"), &changed);
    let refused = store.insert(client(1), &changed);
    assert!(matches!(refused, Err(StoreError::Duplicate)), "an id stays taken: {refused:?}");
    drop(store);
    let [insert, ..] = ways();
    answers_survive(&open, &insert);
}

/// Every write that can bring an answer.
fn ways<S: SubmissionStore>() -> [Way<S>; 3] {
    let insert: Way<S> = Way {
        write: |store, number, beside| {
            store.insert_with(client(1), &submission(number, form()), beside)
        },
        is_stored: |store, number| by_id(store, client(1), submission_id(number)).is_some(),
    };
    let insert_then = Way {
        write: |store: &S, number, beside| {
            let (sender, outcome) = mpsc::channel();
            let then = Box::new(move |stored| sender.send(stored).expect("somebody waits"));
            store.insert_then(client(1), &submission(number, form()), beside, then);
            outcome.recv().expect("the callback is called")
        },
        ..insert
    };
    let replace = Way {
        write: |store: &S, number, beside| {
            let first = submission(number, form());
            match store.insert(client(1), &first) {
                Ok(()) | Err(StoreError::Duplicate) => {}
                Err(error) => return Err(error),
            }
            store.replace_with(client(1), &rejected(first), beside)
        },
        is_stored: |store, number| {
            let stored = by_id(store, client(1), submission_id(number));
            stored.is_some_and(|stored| stored.version() == 2)
        },
    };
    [insert, insert_then, replace]
}

fn sample_of(stored: &[Submission]) -> &Submission {
    stored.first().expect("at least one state")
}

fn everything_is_read_back_as_it_was_stored(store: &impl SubmissionStore) {
    let stored = every_state();
    insert_all(store, client(1), &stored);
    insert_all(store, client(ClientId::MAX), &stored);
    assert_reads_back(store, client(1), &stored);
    assert_reads_back(store, client(ClientId::MAX), &stored);
}

fn the_empty_store_has_nothing(store: &impl SubmissionStore) {
    assert_sees_nothing(store, client(1), &sample());
}

fn a_callback_hears_what_was_stored(store: &impl SubmissionStore) {
    let (sender, outcomes) = mpsc::channel();
    let insert_then = |submission: &Submission| {
        let sender = sender.clone();
        let then = Box::new(move |stored| sender.send(stored).expect("somebody waits"));
        store.insert_then(client(1), submission, Beside::NOTHING, then);
        outcomes.recv().expect("the callback is called")
    };
    insert_then(&sample()).expect("store under a new id");
    assert_reads_back(store, client(1), &[sample()]);
    let refused = insert_then(&sample());
    assert!(matches!(refused, Err(StoreError::Duplicate)), "an id is taken once: {refused:?}");
}

fn clients_do_not_see_each_other(store: &impl SubmissionStore) {
    let (mine, theirs) = (client(1), client(2));
    let submission = approved(sample());
    store.insert(theirs, &submission).expect("insert");
    assert_sees_nothing(store, mine, &submission);

    let own = submission_like(&submission);
    store.insert(mine, &own).expect("two clients may have submissions of the same id");
    assert_reads_back(store, mine, slice::from_ref(&own));
    assert_reads_back(store, theirs, slice::from_ref(&submission));

    let changed = rejected(own);
    store.replace(mine, &changed).expect("replace the version before");
    assert_reads_back(store, mine, &[changed]);
    assert_reads_back(store, theirs, &[submission]);
}

fn an_id_is_taken_once_per_client(store: &impl SubmissionStore) {
    let first = sample();
    store.insert(client(1), &first).expect("insert");

    for second in [first.clone(), submission_like(&first), approved(first.clone())] {
        let refused = store.insert(client(1), &second);
        assert!(matches!(refused, Err(StoreError::Duplicate)), "the id is taken: {refused:?}");
        assert_reads_back(store, client(1), slice::from_ref(&first));
    }
}

fn a_replacement_takes_the_place_of_the_version_before(store: &impl SubmissionStore) {
    let mut current = submission(1, form_full());
    store.insert(client(1), &current).expect("insert");
    store.insert(client(1), &submission(2, form())).expect("insert");

    let changes: [fn(Submission) -> Submission; 5] = [
        rejected,
        reopened,
        |submission| incomplete(submission, &[Slot::Selfie]),
        |submission| {
            let selfie = *submission
                .form()
                .identification()
                .and_then(|known| known.evidence.document(Slot::Selfie))
                .expect("a selfie was handed in");
            let at = submission.created_at();
            submission.supply(at, &[(Slot::Selfie, selfie)]).expect("a selfie was asked for")
        },
        approved,
    ];
    for change in changes {
        current = change(current);
        store.replace(client(1), &current).expect("replace the version before");
        assert_reads_back(store, client(1), &[current.clone(), submission(2, form())]);
    }
}

fn a_stale_replacement_stores_nothing(store: &impl SubmissionStore) {
    let first = sample();
    let second = rejected(first.clone());
    let third = reopened(second.clone());
    let fourth = approved(third.clone());
    let stale = |client, submission: &Submission, why: &str| {
        let refused = store.replace(client, submission);
        assert!(matches!(refused, Err(StoreError::Stale)), "{why}: {refused:?}");
    };

    stale(client(1), &second, "nothing is stored yet");
    assert_sees_nothing(store, client(1), &second);

    store.insert(client(1), &first).expect("insert");
    store.insert(client(2), &submission(2, form())).expect("insert");
    store.replace(client(1), &second).expect("replace the version before");
    stale(client(1), &first, "older than what is stored");
    stale(client(1), &second, "the version that is stored");
    stale(client(1), &approved(first.clone()), "another change of an older version");
    stale(client(1), &fourth, "a version was left out");
    stale(client(2), &third, "another client's");
    stale(client(1), &rejected(submission(3, form())), "an id that was never stored");
    assert_reads_back(store, client(1), &[second]);
    assert_reads_back(store, client(2), &[submission(2, form())]);
}

fn one_of_racing_writes_wins(store: &impl SubmissionStore) {
    const RACERS: usize = 4;
    let race = |write: &(dyn Fn() -> Result<(), StoreError> + Sync)| {
        thread::scope(|scope| {
            let racers: Vec<_> = (0..RACERS).map(|_| scope.spawn(write)).collect();
            let results = racers.into_iter().map(|racer| racer.join().expect("no panic"));
            results.flatten().count()
        })
    };

    for number in 1..=8 {
        let first = submission(number, form());
        let second = approved(first.clone());
        let inserted = race(&|| store.insert(client(1), &first));
        assert_eq!(inserted, 1, "one of the racing insertions under one id wins");
        let replaced = race(&|| store.replace(client(1), &second));
        assert_eq!(replaced, 1, "one of the racing replacements of one version wins");
    }
}

/// A different submission under the same id.
fn submission_like(other: &Submission) -> Submission {
    let form = Form {
        email: valid("intruder@example.net"),
        user_id: Some(valid("intruder")),
        ..form_full()
    };
    Submission::new(form, other.id(), other.created_at())
}

pub(super) fn insert_all(store: &impl SubmissionStore, client: ClientId, all: &[Submission]) {
    for submission in all {
        store.insert(client, submission).expect("insert");
    }
}

pub(super) fn by_id(
    store: &impl SubmissionStore,
    client: ClientId,
    id: SubmissionId,
) -> Option<Submission> {
    let lookup = Lookup { id: Some(id), ..Lookup::default() };
    store.find(client, &lookup, Preference::Latest).expect("find")
}

/// Checks that every read shows exactly these submissions, which are in the order of insertion.
#[track_caller]
pub(super) fn assert_reads_back(
    store: &impl SubmissionStore,
    client: ClientId,
    expected: &[Submission],
) {
    for submission in expected {
        let id = submission.id();
        assert_identical(&by_id(store, client, id).expect("a stored submission"), submission);
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        let (found, _) = store
            .find_with_duplicates(client, &lookup, Preference::Best)
            .expect("find with duplicates")
            .expect("a stored submission");
        assert_identical(&found, submission);
    }
    list::assert_lists(store, client, None, expected);
    queues::assert_queues(store, client, expected);
}

/// Checks that no read shows anything to this client.
#[track_caller]
fn assert_sees_nothing(store: &impl SubmissionStore, client: ClientId, sought: &Submission) {
    let email: &Email = &sought.form().email;
    let lookups = [
        Lookup::default(),
        Lookup { id: Some(sought.id()), ..Lookup::default() },
        Lookup { email: Some(email), ..Lookup::default() },
        Lookup { email: Some(email), id: Some(sought.id()), user_id: None },
        Lookup { user_id: sought.form().user_id.as_ref(), ..Lookup::default() },
    ];
    for lookup in lookups {
        for preference in [Preference::Best, Preference::Latest] {
            let found = store.find(client, &lookup, preference).expect("absent is no error");
            assert!(found.is_none(), "found what the client does not have");
            let found = store
                .find_with_duplicates(client, &lookup, preference)
                .expect("absent is no error");
            assert!(found.is_none(), "found what the client does not have");
        }
    }
    list::assert_lists(store, client, None, &[]);
    queues::assert_queues(store, client, &[]);
    let clients = [client];
    let filter = QueueFilter { email: Some(email), ..QueueFilter::all(&clients) };
    assert!(store.review_queue(&filter, None, 10).expect("review queue").is_empty());
}
