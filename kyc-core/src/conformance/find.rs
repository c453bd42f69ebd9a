//! Finding one submission.

use super::assert_identical;
use super::fixture::{
    approved, client, form, incomplete, rejected, reopened, submission, submission_id, time, valid,
};
use super::submission::insert_all;
use crate::{
    Email, Form, Lookup, Preference, Slot, Submission, SubmissionId, SubmissionStore, UserId,
};

pub(super) fn cases<S: SubmissionStore>(open: &impl Fn() -> S) {
    every_condition_narrows_and_the_preference_decides(&open());
    emails_compare_by_their_canonical_form(&open());
    the_best_follows_the_review(&open());
    submissions_of_one_instant_are_told_apart_by_id(&open());
}

fn every_condition_narrows_and_the_preference_decides(store: &impl SubmissionStore) {
    let mine = history();
    let theirs: Vec<Submission> = history()
        .into_iter()
        .filter(|submission| submission.version() == 1)
        .map(approved)
        .collect();
    insert_all(store, client(1), &mine);
    insert_all(store, client(2), &theirs);

    let emails: [Email; 3] =
        ["mira@example.org", "LEO@example.org", "absent@example.org"].map(valid);
    let user_ids: [UserId; 3] = ["user-1", "user-2", "User-1"].map(valid);
    let ids = (1..=13).map(submission_id);
    let emails = || emails.iter().map(Some).chain([None]);
    let user_ids = || user_ids.iter().map(Some).chain([None]);
    for id in ids.map(Some).chain([None]) {
        for email in emails() {
            for user_id in user_ids() {
                let lookup = Lookup { email, user_id, id };
                assert_finds(store, 1, &lookup, &mine);
                assert_finds(store, 2, &lookup, &theirs);
            }
        }
    }
}

/// Twelve submissions of two applicants in every state, not inserted in the order of creation.
fn history() -> Vec<Submission> {
    let changes: [fn(Submission) -> Submission; 4] = [
        |submission| submission,
        rejected,
        |submission| incomplete(submission, &[Slot::PhotoId]),
        approved,
    ];
    (0..12_u32)
        .map(|place| (place * 5) % 12)
        .zip(changes.into_iter().cycle())
        .map(|(place, change)| {
            let email = if place % 2 == 0 { "Mira@example.org" } else { "leo@Example.ORG" };
            let user_id = match place % 3 {
                0 => None,
                1 => Some(valid("user-1")),
                _ => Some(valid("user-2")),
            };
            let form = Form { email: valid(email), user_id, ..form() };
            change(submission(place + 1, form))
        })
        .collect()
}

fn emails_compare_by_their_canonical_form(store: &impl SubmissionStore) {
    let sent = Form { email: valid("Zoe\u{308}@Bücher.Example"), ..form() };
    store.insert(client(1), &submission(1, sent)).expect("insert");

    for spelling in ["zoë@bücher.example", "ZOË@BÜCHER.example", "zoë@xn--bcher-kva.EXAMPLE"] {
        let email: Email = valid(spelling);
        let found = find(store, 1, &Lookup { email: Some(&email), ..Lookup::default() });
        let found = found.expect("every spelling of the address finds it");
        let kept = found.form().email.as_str();
        assert_eq!(kept, "Zoe\u{308}@Bücher.Example", "the address is kept as it was sent");
    }
    for other in ["zoe@bücher.example", "zoë@bucher.example"] {
        let email: Email = valid(other);
        let found = find(store, 1, &Lookup { email: Some(&email), ..Lookup::default() });
        assert!(found.is_none(), "another address finds nothing");
    }
}

fn the_best_follows_the_review(store: &impl SubmissionStore) {
    let mut older = submission(1, form());
    let newer = submission(2, form());
    insert_all(store, client(1), &[older.clone(), newer.clone()]);
    assert_finds(store, 1, &Lookup::default(), &[older.clone(), newer.clone()]);

    let changes: [fn(Submission) -> Submission; 4] = [approved, reopened, rejected, reopened];
    for change in changes {
        older = change(older);
        store.replace(client(1), &older).expect("replace the version before");
        assert_finds(store, 1, &Lookup::default(), &[older.clone(), newer.clone()]);
    }
}

fn submissions_of_one_instant_are_told_apart_by_id(store: &impl SubmissionStore) {
    let at = time(0);
    let of_id = |last: u8| {
        let mut random = [0; 10];
        if let Some(byte) = random.last_mut() {
            *byte = last;
        }
        Submission::new(form(), SubmissionId::new(at, random), at)
    };
    let all = [of_id(7), of_id(9), of_id(8)];
    insert_all(store, client(1), &all);
    assert_finds(store, 1, &Lookup::default(), &all);
}

fn find(store: &impl SubmissionStore, number: u32, lookup: &Lookup<'_>) -> Option<Submission> {
    store.find(client(number), lookup, Preference::Best).expect("find")
}

/// Checks both ways of finding, by both preferences, against the rule itself.
#[track_caller]
fn assert_finds(
    store: &impl SubmissionStore,
    number: u32,
    lookup: &Lookup<'_>,
    all: &[Submission],
) {
    for preference in [Preference::Best, Preference::Latest] {
        let expected = preference.pick(all.iter().filter(|submission| lookup.matches(submission)));
        let found = store.find(client(number), lookup, preference).expect("find");
        let with_duplicates = store
            .find_with_duplicates(client(number), lookup, preference)
            .expect("find with duplicates")
            .map(|(found, _)| found);
        for found in [found, with_duplicates] {
            match (expected, found) {
                (Some(expected), Some(found)) => assert_identical(&found, expected),
                (None, None) => {}
                (Some(_), None) => panic!("{lookup:?} by {preference:?} has to find one"),
                (None, Some(_)) => panic!("{lookup:?} by {preference:?} must not find any"),
            }
        }
    }
}
