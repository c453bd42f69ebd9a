use kyc_core::conformance::fixture::{
    approved, form, form_aml_only, form_l2, handle, incomplete, inspector, rejected, screened,
    screening, stalled, submission, submission_id, time, valid,
};
use kyc_core::{DocumentKind, Forbidden, RiskLevel, Slot, Slots, Stall, Submission};
use time::macros::date;

type Outcome = Result<(), Forbidden>;

/// What approving, rejecting, asking for a retake, supplying, reopening, renewing, screening and
/// stalling give in one state.
type Row = [Outcome; 8];

fn row(submission: &Submission) -> Row {
    let (by, at) = (inspector(), time(9_000));
    let issued = (submission.level() == kyc_core::Level::L2).then_some(date!(2026 - 11 - 01));
    let asked: Slots = [Slot::Selfie].into_iter().collect();
    let supplied = [(Slot::Selfie, handle(DocumentKind::Selfie, 9))];
    let now = || submission.clone();
    [
        now().approve(&by, at, date!(2031 - 02 - 28), issued).map(drop),
        now().reject(&by, at, valid("No."), Vec::new()).map(drop),
        now().ask_retake(&by, at, asked, None).map(drop),
        now().supply(at, &supplied).map(drop),
        now().reopen(&by, at, valid("A mistake.")).map(drop),
        now().renew(submission_id(99), at).map(drop),
        now().screened(screening(RiskLevel::Low, at)).map(drop),
        now().stalled(Stall::Failed).map(drop),
    ]
}

const OK: Outcome = Ok(());
const NOT_PENDING: Outcome = Err(Forbidden::NotPending);
const NOT_FINAL: Outcome = Err(Forbidden::NotFinal);
const NOT_ASKED: Outcome = Err(Forbidden::NothingMissing);
const NOT_APPROVED: Outcome = Err(Forbidden::NotApproved);
const NOT_AWAITED: Outcome = Err(Forbidden::NotAwaitingScreening);
const AML_ONLY: Outcome = Err(Forbidden::AmlOnly);

#[track_caller]
fn check(submission: &Submission, expected: Row) {
    assert_eq!(row(submission), expected);
}

#[test]
fn d29_a_pending_submission_can_be_decided() {
    let expected = [OK, OK, OK, NOT_ASKED, NOT_FINAL, NOT_APPROVED, NOT_AWAITED, NOT_AWAITED];
    check(&submission(1, form()), expected);
    check(&submission(1, form_l2()), expected);
}

#[test]
fn d30_an_incomplete_submission_waits_for_documents() {
    let expected = [
        NOT_PENDING,
        NOT_PENDING,
        NOT_PENDING,
        OK,
        NOT_FINAL,
        NOT_APPROVED,
        NOT_AWAITED,
        NOT_AWAITED,
    ];
    check(&incomplete(submission(1, form()), &[Slot::Selfie]), expected);
    check(&incomplete(submission(1, form_l2()), &Slot::ALL), expected);
}

#[test]
fn d29_a_rejected_submission_can_only_be_reopened() {
    let expected = [
        NOT_PENDING,
        NOT_PENDING,
        NOT_PENDING,
        NOT_ASKED,
        OK,
        NOT_APPROVED,
        NOT_AWAITED,
        NOT_AWAITED,
    ];
    check(&rejected(submission(1, form())), expected);
    check(&rejected(submission(1, form_l2())), expected);
}

#[test]
fn d34_an_approved_submission_waits_for_screening() {
    let expected = [NOT_PENDING, NOT_PENDING, NOT_PENDING, NOT_ASKED, OK, OK, OK, OK];
    let waiting = approved(submission(1, form()));
    check(&waiting, expected);
    check(&stalled(waiting, Stall::ListMissing), expected);
    check(&approved(submission(1, form_l2())), expected);
}

#[test]
fn d40_a_screened_submission_keeps_its_result() {
    let expected =
        [NOT_PENDING, NOT_PENDING, NOT_PENDING, NOT_ASKED, OK, OK, NOT_AWAITED, NOT_AWAITED];
    check(&screened(approved(submission(1, form())), RiskLevel::NotApplicable), expected);
    check(&screened(approved(submission(1, form_l2())), RiskLevel::High), expected);
}

#[test]
fn d37_an_aml_only_submission_has_no_review() {
    let waiting = [NOT_PENDING, NOT_PENDING, NOT_PENDING, NOT_ASKED, AML_ONLY, OK, OK, OK];
    let new = submission(1, form_aml_only());
    check(&new, waiting);
    check(&stalled(new.clone(), Stall::NoUsableName), waiting);
    let done =
        [NOT_PENDING, NOT_PENDING, NOT_PENDING, NOT_ASKED, AML_ONLY, OK, NOT_AWAITED, NOT_AWAITED];
    check(&screened(new, RiskLevel::Medium), done);
}

#[test]
fn a_renewed_submission_stands_as_the_approved_one_did() {
    let renewed = screened(approved(submission(1, form())), RiskLevel::Low)
        .renew(submission_id(2), time(2))
        .unwrap();
    check(&renewed, row(&approved(submission(1, form()))));
    let renewed = submission(1, form_aml_only()).renew(submission_id(2), time(2)).unwrap();
    check(&renewed, row(&submission(1, form_aml_only())));
}
