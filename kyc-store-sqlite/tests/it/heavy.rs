//! Many submissions under one address, user id or person do not slow reads down.
//!
//! A read that passed over all of them would take hundreds of times as long as one that does not,
//! so a factor of twenty tells them apart on any machine.

use std::thread;
use std::time::{Duration, Instant};

use kyc_core::conformance::fixture::{approved, client, form, submission, valid};
use kyc_core::{ClientId, Email, Form, Lookup, Preference, Submission, SubmissionStore, UserId};
use kyc_store_sqlite::SqliteStore;

use crate::support::{folder, open};

const MANY: u32 = 6_000;

fn email(number: u32) -> Email {
    valid(&format!("{number}@example.org"))
}

fn user(number: u32) -> UserId {
    valid(&format!("user-{number}"))
}

fn of(number: u32, email: Email, user_id: UserId) -> Submission {
    let form = Form { email, user_id: Some(user_id), ..form() };
    submission(number, form)
}

/// Clients, each with many submissions: under one address, under one user id, under both, and one
/// with a few of its own only.
fn fill(store: &SqliteStore) {
    let [one_email, one_user, one_of_both, few] = [1, 2, 3, 4].map(client);
    let insert = |client: ClientId, submission: &Submission| {
        store.insert(client, submission).unwrap();
    };
    thread::scope(|scope| {
        for part in 0..16 {
            scope.spawn(move || {
                for number in (1 + part..=MANY).step_by(16) {
                    insert(one_email, &of(number, email(0), user(number)));
                    insert(one_user, &of(number, email(number), user(0)));
                    insert(one_of_both, &of(number, email(0), user(0)));
                }
            });
        }
    });
    // The best one is not the latest.
    insert(one_of_both, &approved(of(MANY + 1, email(0), user(0))));
    insert(one_of_both, &of(MANY + 2, email(0), user(0)));
    for number in 1..=120 {
        insert(few, &of(number, email(number), user(number)));
    }
}

/// The median time of a read.
fn time(read: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = (0..31)
        .map(|_| {
            let started = Instant::now();
            read();
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

#[test]
fn many_submissions_do_not_slow_reads_down() {
    let folder = folder();
    let store = open(&folder);
    fill(&store);
    let [one_email, one_user, one_of_both, few] = [1, 2, 3, 4].map(client);
    let (first, other, last) = (user(1), user(0), user(MANY));
    let (shared, first_email, last_email) = (email(0), email(1), email(MANY));
    let by_email = Lookup { email: Some(&shared), ..Lookup::default() };
    let by_user = Lookup { user_id: Some(&other), ..Lookup::default() };
    let both = |email, user_id| Lookup { email: Some(email), user_id: Some(user_id), id: None };

    let light = Lookup { email: Some(&first_email), ..Lookup::default() };
    let read = |client, lookup, preference| {
        let found = store.find_with_duplicates(client, &lookup, preference).unwrap();
        assert!(found.is_some());
    };
    for preference in [Preference::Best, Preference::Latest] {
        // It has a hundred duplicates too, which take their time.
        let expected = time(|| read(few, light, preference));
        for (client, lookup) in [
            (one_email, by_email),
            (one_email, both(&shared, &first)),
            (one_email, both(&shared, &last)),
            (one_user, by_user),
            (one_user, both(&first_email, &other)),
            (one_user, both(&last_email, &other)),
            (one_of_both, by_email),
            (one_of_both, by_user),
            (one_of_both, both(&shared, &other)),
            (one_email, Lookup::default()),
        ] {
            let taken = time(|| read(client, lookup, preference));
            assert!(taken < 20 * expected, "{taken:?} instead of {expected:?}");
        }
    }
}
