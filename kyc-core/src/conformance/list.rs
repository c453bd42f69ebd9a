//! Listing a client's submissions.

use std::net::Ipv4Addr;
use std::ops::ControlFlow;
use std::slice;

use time::Date;

use super::fixture::{approved, client, form, sample, submission, submission_id, valid};
use super::submission::insert_all;
use crate::{
    AmlSummary, ClientId, Country, Form, Gender, IdType, Listed, Listing, PageKey, Status,
    Submission, SubmissionId, SubmissionStore, Timestamp,
};

pub(super) fn cases<S: SubmissionStore>(open: &impl Fn() -> S) {
    the_order_is_that_of_insertion(&open());
    a_page_key_continues_behind_it(&open());
    an_unknown_page_key_shows_nothing(&open());
    the_visitor_ends_the_list(&open());
}

fn the_order_is_that_of_insertion(store: &impl SubmissionStore) {
    let all: Vec<Submission> = [3, 9, 1, 7].map(|number| submission(number, form())).into();
    insert_all(store, client(2), &[submission(5, form())]);
    insert_all(store, client(1), &all);
    insert_all(store, client(2), &[submission(6, form())]);
    assert_lists(store, client(1), None, &all);

    let [first, rest @ ..] = all.as_slice() else { unreachable!("four were made") };
    let changed = approved(first.clone());
    store.replace(client(1), &changed).expect("replace the version before");
    let mut all = [&[changed], rest].concat();
    assert_lists(store, client(1), None, &all);

    let last = submission(2, form());
    store.insert(client(1), &last).expect("insert");
    all.push(last);
    assert_lists(store, client(1), None, &all);
}

fn a_page_key_continues_behind_it(store: &impl SubmissionStore) {
    let all: Vec<Submission> = [3, 9, 1, 7]
        .map(|number| {
            submission(number, Form { email: valid(&format!("a{number}@example.org")), ..form() })
        })
        .into();
    insert_all(store, client(1), &all);
    // The same ids, in another order.
    let others: Vec<Submission> = all.iter().rev().cloned().collect();
    insert_all(store, client(2), &others);

    for (place, last) in all.iter().enumerate() {
        let (_, rest) = all.split_at(place + 1);
        assert_lists(store, client(1), Some(&key(last)), rest);
        let other_spelling = last.form().email.as_str().to_uppercase();
        let key = PageKey { email: valid(&other_spelling), id: last.id() };
        assert_lists(store, client(1), Some(&key), rest);
    }
}

fn an_unknown_page_key_shows_nothing(store: &impl SubmissionStore) {
    let mine = [submission(1, form()), submission(2, form())];
    let theirs = submission(3, Form { email: valid("leo@example.org"), ..form() });
    insert_all(store, client(1), &mine);
    insert_all(store, client(2), slice::from_ref(&theirs));

    let unknown_keys = [
        PageKey { email: sample().form().email.clone(), id: submission_id(4) },
        PageKey { email: valid("leo@example.org"), id: submission_id(1) },
        key(&theirs),
        PageKey { email: sample().form().email.clone(), id: theirs.id() },
    ];
    for key in unknown_keys {
        let listing = store
            .list(client(1), Some(&key), &mut |_| panic!("an unknown key shows nothing"))
            .expect("an unknown key is no failure");
        assert_eq!(listing, Listing::UnknownKey);
    }
}

fn the_visitor_ends_the_list(store: &impl SubmissionStore) {
    let all: Vec<Submission> = (1..=5).map(|number| submission(number, form())).collect();
    insert_all(store, client(1), &all);

    for shown_max in 1..=all.len() {
        let mut shown = Vec::new();
        let listing = store
            .list(client(1), None, &mut |listed| {
                shown.push(listed.id);
                if shown.len() == shown_max {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .expect("list");
        assert_eq!(listing, Listing::Shown);
        let expected: Vec<SubmissionId> = all.iter().map(Submission::id).take(shown_max).collect();
        assert_eq!(shown, expected, "the list ends where the visitor says so");
    }
}

fn key(submission: &Submission) -> PageKey {
    PageKey { email: submission.form().email.clone(), id: submission.id() }
}

/// Checks that a list shows exactly these submissions, in this order, with every value.
#[track_caller]
pub(super) fn assert_lists(
    store: &impl SubmissionStore,
    client: ClientId,
    after: Option<&PageKey>,
    expected: &[Submission],
) {
    let mut rest = expected.iter();
    let listing = store
        .list(client, after, &mut |listed| {
            let submission = rest.next().expect("the list must not show more");
            let expected = Listed::from(submission);
            assert_eq!(listed.id, expected.id, "the list has another order");
            assert!(Shown::of(listed) == Shown::of(&expected), "the list shows other values");
            ControlFlow::Continue(())
        })
        .expect("list");
    assert_eq!(listing, Listing::Shown);
    assert_eq!(rest.count(), 0, "the list must not show less");
}

/// Everything that [`Listed`] shows, to be compared.
#[derive(PartialEq)]
struct Shown<'a> {
    key: (SubmissionId, Timestamp),
    texts: [Option<&'a str>; 13],
    countries: (Country, Option<Country>),
    values: (Date, Gender, Option<IdType>, Option<Ipv4Addr>),
    state: (Status, AmlSummary),
}

impl<'a> Shown<'a> {
    fn of(listed: &Listed<'a>) -> Self {
        // Taken apart whole, so that a new part cannot be forgotten here.
        let Listed {
            id,
            created_at,
            email,
            user_id,
            first_name,
            middle_name,
            last_name,
            nationality,
            birth_date,
            gender,
            id_type,
            id_number,
            address_street,
            address_city,
            address_state,
            address_zipcode,
            address_country,
            contribution_type,
            wallet_address,
            estimated_amount,
            ip_address,
            status,
            aml,
        } = *listed;
        Self {
            key: (id, created_at),
            texts: [
                Some(email),
                user_id,
                Some(first_name),
                middle_name,
                Some(last_name),
                id_number,
                address_street,
                address_city,
                address_state,
                address_zipcode,
                contribution_type,
                wallet_address,
                estimated_amount,
            ],
            countries: (nationality, address_country),
            values: (birth_date, gender, id_type, ip_address),
            state: (status, aml),
        }
    }
}
