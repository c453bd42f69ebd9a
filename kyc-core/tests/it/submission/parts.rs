use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    approved, every_state, form, form_aml_only, form_full, form_l2, incomplete, rejected,
    submission, time,
};
use kyc_core::strategies::submissions;
use kyc_core::{
    Aml, Approval, Basis, Evidence, Form, Identification, PartialAddress, Rejection, Retake,
    Review, Scope, Slot, Slots, Submission, SubmissionParts,
};
use proptest::prelude::*;
use time::Date;
use time::macros::date;

fn approval(basis: Basis) -> Review {
    Review::Approved(Approval { at: time(60), basis, aml: Aml::Queued })
}

fn inspected(address_issued: Option<Date>) -> Review {
    approval(Basis::Inspected { id_expires: date!(2031 - 02 - 28), address_issued })
}

fn retake(slots: &[Slot]) -> Review {
    let missing: Slots = slots.iter().copied().collect();
    Review::Incomplete(Retake { at: time(60), missing, comment: None })
}

fn rejection() -> Review {
    let review = rejected(submission(1, form())).review().clone();
    assert!(matches!(review, Review::Rejected(Rejection { .. })));
    review
}

#[track_caller]
fn check(form: Form, review: Review, is_consistent: bool) {
    let parts = SubmissionParts { review, ..submission(1, form).into_parts() };
    assert_eq!(Submission::from_parts(parts).is_some(), is_consistent);
}

const ISSUED: Option<Date> = Some(date!(2026 - 11 - 01));

#[test]
fn an_aml_only_submission_is_approved_by_declaration_and_nothing_else() {
    check(form_aml_only(), approval(Basis::Declared), true);
    check(form_aml_only(), inspected(None), false);
    check(form_aml_only(), inspected(ISSUED), false);
    check(form_aml_only(), Review::Pending, false);
    check(form_aml_only(), rejection(), false);
    check(form_aml_only(), retake(&[Slot::Selfie]), false);
}

#[test]
fn an_identity_review_is_never_approved_by_declaration() {
    for form in [form(), form_l2(), form_full()] {
        check(form.clone(), approval(Basis::Declared), false);
        check(form.clone(), Review::Pending, true);
        check(form, rejection(), true);
    }
}

#[test]
fn an_approval_has_just_the_dates_that_the_documents_have() {
    check(form(), inspected(None), true);
    check(form(), inspected(ISSUED), false);
    check(form_full(), inspected(None), true);
    check(form_full(), inspected(ISSUED), true);
    check(form_l2(), inspected(ISSUED), true);
    check(form_l2(), inspected(None), false);
}

#[test]
fn a_retake_is_of_something_that_was_handed_in() {
    check(form(), retake(&[]), false);
    check(form(), retake(&[Slot::Selfie]), true);
    check(form(), retake(&[Slot::AddressProof]), false);
    check(form(), retake(&Slot::ALL), false);
    check(form_full(), retake(&[Slot::AddressProof]), true);
    check(form_l2(), retake(&Slot::ALL), true);
}

#[test]
fn a_version_is_at_least_1() {
    let with_version =
        |version| Submission::from_parts(SubmissionParts { version, ..approved_parts() });
    assert!(with_version(0).is_none());
    assert!(with_version(1).is_some());
    assert!(with_version(u32::MAX).is_some());
}

fn approved_parts() -> SubmissionParts {
    approved(submission(1, form())).into_parts()
}

#[test]
fn the_proof_of_level_1_decides_whether_it_can_be_missing() {
    let parts = incomplete(submission(1, form_full()), &[Slot::AddressProof]).into_parts();
    let Scope::Identity(known) = &parts.form.scope else { unreachable!("an identity review") };
    let Evidence::L1 { photo_id, selfie, .. } = known.evidence else { unreachable!("level 1") };
    let address = PartialAddress::default();
    let evidence = Evidence::L1 { photo_id, selfie, address, proof: None };
    let scope = Scope::Identity(Box::new(Identification { evidence, ..(**known).clone() }));
    let without = Form { scope, ..parts.form.clone() };
    assert!(Submission::from_parts(SubmissionParts { form: without, ..parts.clone() }).is_none());
    assert!(Submission::from_parts(parts).is_some());
}

#[test]
fn every_state_can_be_rebuilt() {
    for submission in every_state() {
        let rebuilt = Submission::from_parts(submission.clone().into_parts()).unwrap();
        assert_identical(&rebuilt, &submission);
    }
}

proptest! {
    #[test]
    fn what_the_transitions_make_can_be_rebuilt(submission in submissions()) {
        let rebuilt = Submission::from_parts(submission.clone().into_parts());
        prop_assert_eq!(rebuilt, Some(submission));
    }
}
