//! The same person under other e-mail addresses (D39).

use time::macros::date;

use super::fixture::{
    applicant, approved, born, client, form, form_aml_only, form_full, rejected, submission, valid,
};
use super::submission::insert_all;
use crate::{
    Applicant, Duplicate, Email, Form, Gender, Lookup, Preference, Submission, SubmissionStore,
};

pub(super) fn cases<S: SubmissionStore>(open: &impl Fn() -> S) {
    the_same_person_under_another_address_is_a_duplicate(&open());
    nobody_else_is_a_duplicate(&open());
    names_compare_without_case_accents_and_order(&open());
    the_most_recent_come_first_and_are_bounded(&open());
    duplicates_are_those_of_the_submission_that_was_found(&open());
}

fn the_same_person_under_another_address_is_a_duplicate(store: &impl SubmissionStore) {
    let all = [
        of("mira@example.org", 1, form()),
        of("Mira.K@Example.ORG", 2, form()),
        rejected(of("mira@example.com", 3, form())),
        of("m@example.net", 4, form_aml_only()),
    ];
    insert_all(store, client(1), &all);

    let expected = ["m@example.net", "mira@example.com", "Mira.K@Example.ORG"];
    assert_duplicates(store, "mira@example.org", &expected);
    assert_duplicates(
        store,
        "mira.k@example.org",
        &["m@example.net", "mira@example.com", "mira@example.org"],
    );
}

fn nobody_else_is_a_duplicate(store: &impl SubmissionStore) {
    let others = [
        Applicant { first_name: valid("Mara"), ..applicant() },
        Applicant { last_name: valid("Kola"), ..applicant() },
        Applicant { middle_name: Some(valid("Ana")), ..applicant() },
        Applicant { nationality: valid("Kosovo, XKX"), ..applicant() },
        Applicant { birth_date: born(date!(1990 - 05 - 18)), ..applicant() },
        Applicant { gender: Gender::Male, ..applicant() },
    ];
    store.insert(client(1), &of("mira@example.org", 1, form())).expect("insert");
    store.insert(client(1), &of("MIRA@example.org", 2, form())).expect("insert");
    store.insert(client(2), &of("mira@example.com", 3, form())).expect("insert");
    for (number, applicant) in (10..).zip(others) {
        let form = Form { applicant, ..form() };
        store.insert(client(1), &of("other@example.org", number, form)).expect("insert");
    }
    assert_duplicates(store, "mira@example.org", &[]);
}

fn names_compare_without_case_accents_and_order(store: &impl SubmissionStore) {
    let named = |first: &str, middle: Option<&str>, last: &str| Form {
        applicant: Applicant {
            first_name: valid(first),
            middle_name: middle.map(valid),
            last_name: valid(last),
            ..applicant()
        },
        ..form()
    };
    let all = [
        of("1@example.org", 1, named("Zoë Ana", None, "de Kole")),
        of("2@example.org", 2, named("ana", Some("ZOE"), "Dekolë")),
        of("3@example.org", 3, named("ZOÉ", Some("Ána"), "DE  KOLE")),
    ];
    insert_all(store, client(1), &all);
    assert_duplicates(store, "1@example.org", &["3@example.org", "2@example.org"]);
}

fn the_most_recent_come_first_and_are_bounded(store: &impl SubmissionStore) {
    let count = u32::try_from(Duplicate::COUNT_MAX).expect("a small number") + 5;
    // Not inserted in the order of creation: 11 has no divisor in common with the count.
    let places = (0..count).map(|place| (place * 11) % count);
    store.insert(client(1), &of("mira@example.org", 1_000, form())).expect("insert");
    for place in places {
        let email = format!("mira-{place}@example.org");
        store.insert(client(1), &of(&email, place + 1, form())).expect("insert");
    }

    let expected: Vec<String> = (0..count)
        .rev()
        .take(Duplicate::COUNT_MAX)
        .map(|place| format!("mira-{place}@example.org"))
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_duplicates(store, "mira@example.org", &expected);
}

fn duplicates_are_those_of_the_submission_that_was_found(store: &impl SubmissionStore) {
    let zoe = approved(of("shared@example.org", 1, form_full()));
    let mira = of("shared@example.org", 2, form());
    insert_all(store, client(1), &[zoe, mira]);
    store.insert(client(1), &of("zoe@example.org", 3, form_full())).expect("insert");
    store.insert(client(1), &of("mira@example.org", 4, form())).expect("insert");

    let shared: Email = valid("shared@example.org");
    let lookup = Lookup { email: Some(&shared), ..Lookup::default() };
    assert_eq!(duplicates(store, &lookup, Preference::Best), ["zoe@example.org"]);
    assert_eq!(duplicates(store, &lookup, Preference::Latest), ["mira@example.org"]);
}

fn of(email: &str, number: u32, form: Form) -> Submission {
    submission(number, Form { email: valid(email), ..form })
}

#[track_caller]
fn assert_duplicates(store: &impl SubmissionStore, email: &str, expected: &[&str]) {
    let email: Email = valid(email);
    let lookup = Lookup { email: Some(&email), ..Lookup::default() };
    for preference in [Preference::Best, Preference::Latest] {
        assert_eq!(duplicates(store, &lookup, preference), expected);
    }
}

/// The addresses of the duplicates, as they were sent. Each has to be that of the submission with
/// the duplicate's id.
#[track_caller]
fn duplicates(
    store: &impl SubmissionStore,
    lookup: &Lookup<'_>,
    preference: Preference,
) -> Vec<String> {
    let (_, duplicates) = store
        .find_with_duplicates(client(1), lookup, preference)
        .expect("find with duplicates")
        .expect("a stored submission");
    duplicates
        .into_iter()
        .map(|Duplicate { email, id }| {
            let of_id = Lookup { id: Some(id), ..Lookup::default() };
            let other = store.find(client(1), &of_id, Preference::Latest).expect("find");
            let other = other.expect("a duplicate is a stored submission");
            assert_eq!(other.form().email.as_str(), email.as_str(), "the address and id of one");
            email.as_str().to_owned()
        })
        .collect()
}
