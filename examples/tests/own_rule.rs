//! Property-testing a rule of one's own against the domain's types.
//!
//! The rule: an account may be opened when the submission that speaks for the applicant is approved
//! and its risk is known and not high.

use kyc_core::strategies::histories;
use kyc_core::{Preference, RiskLevel, Status, Submission};
use proptest::prelude::*;

fn may_open_account(history: &[Submission]) -> bool {
    let Some(standing) = Preference::Best.pick(history) else { return false };
    standing.risk().is_some_and(|risk| risk < RiskLevel::High)
}

proptest! {
    #[test]
    fn no_account_without_an_approval(history in histories()) {
        if may_open_account(&history) {
            prop_assert!(history.iter().any(|one| one.status() == Status::Approved));
        }
    }

    #[test]
    fn no_account_before_the_screening_has_a_result(history in histories()) {
        let is_screened = |one: &Submission| one.risk().is_some();
        if !history.iter().any(is_screened) {
            prop_assert!(!may_open_account(&history));
        }
    }

    #[test]
    fn the_order_in_which_submissions_are_looked_at_does_not_matter(history in histories()) {
        let backwards: Vec<Submission> = history.iter().rev().cloned().collect();
        prop_assert_eq!(may_open_account(&history), may_open_account(&backwards));
    }
}
