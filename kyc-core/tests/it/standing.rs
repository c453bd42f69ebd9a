use kyc_core::conformance::fixture::{
    approved, every_state, form, form_aml_only, incomplete, rejected, reopened, submission, time,
};
use kyc_core::strategies::{histories, submissions};
use kyc_core::{Preference, Slot, Status, Submission, SubmissionId};
use proptest::prelude::*;

/// One letter per submission, oldest first: `a`pproved, `p`ending, `r`ejected, `i`ncomplete.
fn history(letters: &str) -> Vec<Submission> {
    (1..)
        .zip(letters.chars())
        .map(|(number, letter)| {
            let new = submission(number, form());
            match letter {
                'a' => approved(new),
                'p' => new,
                'r' => rejected(new),
                'i' => incomplete(new, &[Slot::Selfie]),
                other => unreachable!("{other} is no state"),
            }
        })
        .collect()
}

/// The places of the best and of the latest.
#[track_caller]
fn check(letters: &str, best: Option<usize>, latest: Option<usize>) {
    let history = history(letters);
    let place = |preference: Preference| {
        let picked = preference.pick(&history)?;
        history.iter().position(|submission| submission.id() == picked.id())
    };
    assert_eq!((place(Preference::Best), place(Preference::Latest)), (best, latest));
}

#[test]
fn d31_the_example_of_the_interface() {
    check("r", Some(0), Some(0));
    check("rp", Some(1), Some(1));
    check("rpa", Some(2), Some(2));
}

#[test]
fn d31_an_approval_outlives_later_trouble() {
    check("ap", Some(0), Some(1));
    check("apri", Some(0), Some(3));
    check("iarp", Some(1), Some(3));
}

#[test]
fn d31_approved_then_pending_then_rejected_then_incomplete() {
    check("pr", Some(0), Some(1));
    check("pi", Some(0), Some(1));
    check("ri", Some(0), Some(1));
    check("ir", Some(1), Some(1));
    check("ai", Some(0), Some(1));
    check("", None, None);
}

#[test]
fn d31_among_equals_the_most_recent_speaks() {
    check("aa", Some(1), Some(1));
    check("pp", Some(1), Some(1));
    check("rrr", Some(2), Some(2));
    check("iii", Some(2), Some(2));
    check("apap", Some(2), Some(3));
}

#[test]
fn d31_submissions_of_one_instant_are_told_apart_by_id() {
    let of_id = |byte| Submission::new(form(), SubmissionId::from_bytes([byte; 16]), time(0));
    let history = [of_id(2), of_id(3), of_id(1)];
    for preference in [Preference::Best, Preference::Latest] {
        assert_eq!(preference.pick(&history), Some(&history[1]));
    }
    // The time of creation comes before the id.
    let later = Submission::new(form(), SubmissionId::from_bytes([0; 16]), time(1));
    assert_eq!(Preference::Latest.pick(history.iter().chain([&later])), Some(&later));
}

#[test]
fn d31_a_reopened_approval_counts_as_pending() {
    let older = submission(1, form());
    let newer = submission(2, form());
    let history = [approved(older.clone()), newer.clone()];
    assert_eq!(Preference::Best.pick(&history), Some(&history[0]));
    let history = [reopened(approved(older)), newer];
    assert_eq!(Preference::Best.pick(&history), Some(&history[1]));
}

#[test]
fn d37_a_declared_approval_counts_as_one() {
    let history = [submission(1, form_aml_only()), submission(2, form())];
    assert_eq!(Preference::Best.pick(&history), Some(&history[0]));
}

#[test]
fn statuses_are_ordered_from_worst_to_best() {
    let [incomplete, rejected, pending, approved] = Status::ALL;
    assert!(incomplete < rejected && rejected < pending && pending < approved);
    for submission in every_state() {
        assert_eq!(submission.status(), submission.review().status());
    }
}

proptest! {
    #[test]
    fn d31_an_approval_is_never_hidden(history in histories()) {
        let is_approved = |submission: &Submission| submission.status() == Status::Approved;
        let best = Preference::Best.pick(&history);
        prop_assert_eq!(best.is_some_and(is_approved), history.iter().any(is_approved));
    }

    #[test]
    fn d31_the_order_of_the_input_does_not_matter(
        (history, shuffled) in histories()
            .prop_flat_map(|history| (Just(history.clone()), Just(history).prop_shuffle())),
    ) {
        for preference in [Preference::Best, Preference::Latest] {
            prop_assert_eq!(preference.pick(&history), preference.pick(&shuffled));
        }
    }

    #[test]
    fn d31_the_answer_is_one_of_the_history(history in histories()) {
        for preference in [Preference::Best, Preference::Latest] {
            match preference.pick(&history) {
                Some(picked) => prop_assert!(history.contains(picked)),
                None => prop_assert!(history.is_empty()),
            }
        }
    }

    #[test]
    fn d31_nothing_has_precedence_over_what_is_picked(history in histories()) {
        if let Some(latest) = Preference::Latest.pick(&history) {
            prop_assert!(history.iter().all(|other| other.created_at() <= latest.created_at()));
        }
        if let Some(best) = Preference::Best.pick(&history) {
            prop_assert!(history.iter().all(|other| other.status() <= best.status()));
        }
    }

    #[test]
    fn d39_a_duplicate_names_its_submission(submission in submissions()) {
        let duplicate = submission.as_duplicate();
        prop_assert_eq!(duplicate.id, submission.id());
        prop_assert_eq!(duplicate.email.as_str(), submission.form().email.as_str());
    }
}
