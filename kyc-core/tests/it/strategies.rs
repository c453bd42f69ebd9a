use std::collections::BTreeSet;

use kyc_core::conformance::fixture::TODAY;
use kyc_core::strategies::{addresses, damaged_forms, histories, reviews, sent_forms, submissions};
use kyc_core::{Aml, CountrySyntax, HitStanding, Level, PartialAddress, Scope, Status, Submission};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Some values of a strategy, the same in every run.
fn some<T>(strategy: &impl Strategy<Value = T>) -> impl Iterator<Item = T> {
    let mut runner = TestRunner::deterministic();
    (0..1_000).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

#[test]
fn submissions_come_in_every_state() {
    let strategy = submissions();
    let met: BTreeSet<&str> = some(&strategy).flat_map(|submission| states(&submission)).collect();
    let all = [
        "AML only",
        "L1",
        "L2",
        "approved",
        "changed",
        "cleared",
        "confirmed",
        "hit reopened",
        "incomplete",
        "more than one change",
        "pending",
        "queued",
        "rejected",
        "renewed",
        "reopened",
        "screened",
        "stalled",
    ];
    assert_eq!(met, BTreeSet::from(all));
}

fn states(submission: &Submission) -> Vec<&'static str> {
    let scope = match (&submission.form().scope, submission.level()) {
        (Scope::AmlOnly, _) => "AML only",
        (Scope::Identity(_), Level::L1) => "L1",
        (Scope::Identity(_), Level::L2) => "L2",
    };
    let aml = submission.review().aml().map(|aml| match aml {
        Aml::Queued => "queued",
        Aml::Stalled(_) => "stalled",
        Aml::Screened(_) => "screened",
    });
    let result = submission.result();
    let hits = || result.into_iter().flat_map(|result| &result.screening.hits);
    let standings = || hits().map(|hit| submission.standing(hit));
    let is_reopened = submission.status() == Status::Pending
        && submission
            .history()
            .last()
            .is_some_and(|entry| matches!(entry.event, kyc_core::Event::Reopened { .. }));
    [
        Some(scope),
        Some(submission.status().as_str()),
        aml,
        submission.renewed_from().map(|_| "renewed"),
        is_reopened.then_some("reopened"),
        result.and_then(|result| result.seen.as_ref()).map(|_| "changed"),
        standings().any(|hit| matches!(hit, HitStanding::Cleared(_))).then_some("cleared"),
        standings().any(|hit| matches!(hit, HitStanding::Confirmed(_))).then_some("confirmed"),
        standings()
            .any(|hit| matches!(hit, HitStanding::Reopened { .. }))
            .then_some("hit reopened"),
        (submission.history().len() > 1).then_some("more than one change"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn damaged_forms_are_mostly_refused_and_at_times_valid() {
    let strategy = damaged_forms();
    let valid =
        some(&strategy).filter(|sent| sent.parse(CountrySyntax::Combined, TODAY).is_ok()).count();
    assert!((50..500).contains(&valid), "{valid} of 1,000 are valid");
}

proptest! {
    #[test]
    fn a_sent_form_reads_as_the_form_that_it_was_made_of((form, sent) in sent_forms()) {
        prop_assert_eq!(sent.parse(CountrySyntax::CombinedOrCode, TODAY), Ok(form));
    }

    #[test]
    fn a_review_is_that_of_a_submission(review in reviews(), addresses in addresses()) {
        prop_assert_eq!(review.status() == Status::Approved, review.aml().is_some());
        let whole = PartialAddress::from(addresses.clone());
        prop_assert_eq!(whole.city, Some(addresses.city));
        prop_assert_eq!(whole.country, Some(addresses.country));
        let rest = (whole.street, whole.state, whole.zipcode);
        prop_assert_eq!(
            rest,
            (Some(addresses.street), Some(addresses.state), Some(addresses.zipcode))
        );
    }

    #[test]
    fn a_history_is_of_one_applicant_and_its_ids_are_distinct(history in histories()) {
        let ids: BTreeSet<_> = history.iter().map(Submission::id).collect();
        prop_assert_eq!(ids.len(), history.len());
        for pair in history.windows(2) {
            prop_assert_eq!(&pair[0].form().email, &pair[1].form().email);
            prop_assert_eq!(pair[0].person_key(), pair[1].person_key());
        }
    }
}
