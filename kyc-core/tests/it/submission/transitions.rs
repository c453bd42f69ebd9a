use kyc_core::conformance::fixture::{
    approved, form, form_aml_only, form_full, form_l2, handle, incomplete, inspector, rejected,
    reopened, screened, screening, stalled, submission, submission_id, time, valid,
};
use kyc_core::{
    Actor, Aml, AmlSummary, Approval, Basis, DocumentHandle, DocumentKind, Event, Evidence,
    Forbidden, Form, HistoryEntry, Inspector, Level, ReasonCode, Rejection, Retake, Review,
    RiskLevel, Scope, Screened, Slot, Slots, Stall, Status, Submission,
};
use time::Date;
use time::macros::date;

const EXPIRES: Date = date!(2031 - 02 - 28);
const ISSUED: Date = date!(2026 - 11 - 30);

fn slots(slots: &[Slot]) -> Slots {
    slots.iter().copied().collect()
}

fn ines() -> Actor {
    Actor::Inspector(valid("ines"))
}

/// The kinds of the documents that are there, by slot.
fn documents(submission: &Submission) -> [Option<DocumentKind>; 3] {
    Slot::ALL.map(|slot| submission.document(slot).map(DocumentHandle::kind))
}

#[test]
fn d28_a_new_submission_is_complete_and_pending() {
    let new = submission(1, form());
    assert_eq!(new.review(), &Review::Pending);
    assert_eq!((new.status(), new.review().missing()), (Status::Pending, Slots::NONE));
    assert_eq!((new.version(), new.history(), new.renewed_from()), (1, [].as_slice(), None));
    assert_eq!((new.id(), new.created_at()), (submission_id(1), time(1)));
    assert_eq!(new.level(), Level::L1);
    assert_eq!(submission(1, form_l2()).level(), Level::L2);
    assert_eq!(AmlSummary::of(&new), AmlSummary::NotStarted);
}

#[test]
fn d37_an_aml_only_submission_is_approved_by_declaration_and_queued() {
    let new = submission(1, form_aml_only());
    let declared = Approval { at: time(1), basis: Basis::Declared, aml: Aml::Queued };
    assert_eq!(new.review(), &Review::Approved(declared));
    assert_eq!(new.level(), Level::L1);
    assert_eq!(documents(&new), [None, None, None]);
    assert_eq!((new.version(), new.history()), (1, [].as_slice()));
    assert_eq!(Basis::Declared.id_expires(), None);
    assert_eq!(Basis::Declared.address_expires(), None);
}

#[test]
fn d29_an_approval_keeps_when_by_whom_and_on_what() {
    let approved =
        submission(1, form_l2()).approve(&inspector(), time(60), EXPIRES, Some(ISSUED)).unwrap();
    let basis = Basis::Inspected { id_expires: EXPIRES, address_issued: Some(ISSUED) };
    let approval = Approval { at: time(60), basis, aml: Aml::Queued };
    assert_eq!(approved.review(), &Review::Approved(approval));
    let entry = HistoryEntry { at: time(60), by: ines(), event: Event::Approved(basis) };
    assert_eq!((approved.version(), approved.history()), (2, [entry].as_slice()));
    assert_eq!(AmlSummary::of(&approved), AmlSummary::Waiting);
}

#[test]
fn d33_the_address_document_expires_three_months_after_its_issue() {
    let basis = Basis::Inspected { id_expires: EXPIRES, address_issued: Some(ISSUED) };
    assert_eq!(basis.id_expires(), Some(EXPIRES));
    assert_eq!(basis.address_expires(), Some(date!(2027 - 02 - 28)));
    let basis = Basis::Inspected { id_expires: EXPIRES, address_issued: None };
    assert_eq!(basis.address_expires(), None);
}

#[test]
fn d29_an_approval_has_just_the_dates_that_the_documents_have() {
    #[track_caller]
    fn check(form: Form, issued: Option<Date>, expected: Result<(), Forbidden>) {
        let result = submission(1, form).approve(&inspector(), time(60), EXPIRES, issued);
        assert_eq!(result.map(drop), expected);
    }
    check(form_l2(), Some(ISSUED), Ok(()));
    check(form_l2(), None, Err(Forbidden::AddressDateMissing));
    check(form(), None, Ok(()));
    check(form(), Some(ISSUED), Err(Forbidden::NoAddressDocument));
    // Level 1 with a proof of address: its date may be given.
    check(form_full(), Some(ISSUED), Ok(()));
    check(form_full(), None, Ok(()));
}

#[test]
fn d29_a_rejection_keeps_its_comment_and_codes() {
    let codes: Vec<ReasonCode> = vec![valid("photo_blurred"), valid("expired")];
    let rejected = submission(1, form())
        .reject(&inspector(), time(60), valid("Blurred."), codes.clone())
        .unwrap();
    let rejection =
        Rejection { at: time(60), comment: valid("Blurred."), reason_codes: codes.clone() };
    assert_eq!(rejected.review(), &Review::Rejected(rejection));
    let event = Event::Rejected { comment: valid("Blurred."), reason_codes: codes };
    let entry = HistoryEntry { at: time(60), by: ines(), event };
    assert_eq!((rejected.version(), rejected.history()), (2, [entry].as_slice()));
    assert_eq!(AmlSummary::of(&rejected), AmlSummary::NotStarted);
}

#[test]
fn d30_a_retake_names_what_is_missing() {
    let asked = slots(&[Slot::Selfie, Slot::AddressProof]);
    let comment = Some(valid("Too dark."));
    let incomplete = submission(1, form_l2())
        .ask_retake(&inspector(), time(60), asked, comment.clone())
        .unwrap();
    let retake = Retake { at: time(60), missing: asked, comment: comment.clone() };
    assert_eq!(incomplete.review(), &Review::Incomplete(retake));
    assert_eq!(documents(&incomplete), [Some(DocumentKind::GovernmentId), None, None]);
    let event = Event::RetakeAsked { documents: asked, comment };
    let entry = HistoryEntry { at: time(60), by: ines(), event };
    assert_eq!((incomplete.version(), incomplete.history()), (2, [entry].as_slice()));
}

#[test]
fn d30_a_retake_names_documents_that_were_handed_in() {
    #[track_caller]
    fn check(form: Form, asked: &[Slot], expected: Result<(), Forbidden>) {
        let result = submission(1, form).ask_retake(&inspector(), time(60), slots(asked), None);
        assert_eq!(result.map(drop), expected);
    }
    check(form(), &[], Err(Forbidden::NoDocumentNamed));
    check(form(), &[Slot::PhotoId], Ok(()));
    check(form(), &[Slot::PhotoId, Slot::Selfie], Ok(()));
    check(form(), &[Slot::AddressProof], Err(Forbidden::NoSuchDocument));
    check(form(), &Slot::ALL, Err(Forbidden::NoSuchDocument));
    check(form_full(), &[Slot::AddressProof], Ok(()));
    check(form_l2(), &Slot::ALL, Ok(()));
}

#[test]
fn d30_when_nothing_is_missing_any_more_the_submission_is_pending_again() {
    let (selfie, proof) = (handle(DocumentKind::Selfie, 8), handle(DocumentKind::Address, 9));
    let asked = incomplete(submission(1, form_l2()), &[Slot::Selfie, Slot::AddressProof]);

    let half = asked.clone().supply(time(100), &[(Slot::Selfie, selfie)]).unwrap();
    assert_eq!(half.status(), Status::Incomplete);
    assert_eq!(half.review().missing(), slots(&[Slot::AddressProof]));
    assert_eq!(half.document(Slot::Selfie), Some(&selfie));
    assert_eq!(half.document(Slot::AddressProof), None);
    assert_eq!(half.version(), 3);

    let whole = half.supply(time(200), &[(Slot::AddressProof, proof)]).unwrap();
    assert_eq!(whole.review(), &Review::Pending);
    assert_eq!(whole.document(Slot::AddressProof), Some(&proof));
    assert_eq!((whole.version(), whole.level()), (4, Level::L2));

    let at_once =
        asked.supply(time(200), &[(Slot::AddressProof, proof), (Slot::Selfie, selfie)]).unwrap();
    assert_eq!(at_once.review(), &Review::Pending);
    assert_eq!((at_once.form(), at_once.version()), (whole.form(), 3));
}

#[test]
fn d30_the_history_keeps_the_document_that_was_replaced() {
    for form in [form(), form_full(), form_l2()] {
        for slot in Slot::ALL {
            let Some(old) = submission(1, form.clone()).document(slot).copied() else { continue };
            let new = DocumentHandle::new(
                valid("0000000000"),
                old.kind(),
                kyc_core::Spelling::Joined,
                kyc_core::DocumentId::from_bytes([9; 16]),
            );
            let supplied = incomplete(submission(1, form.clone()), &[slot])
                .supply(time(100), &[(slot, new)])
                .unwrap();
            let event = Event::Supplied { slot, replaced: old };
            let entry = HistoryEntry { at: time(100), by: Actor::Client, event };
            assert_eq!(supplied.history().last(), Some(&entry));
            assert_eq!(supplied.document(slot), Some(&new));
        }
    }
}

#[test]
fn d30_only_what_was_asked_for_can_be_supplied() {
    #[track_caller]
    fn check(supplied: &[Slot], expected: Result<(), Forbidden>) {
        let handle = handle(DocumentKind::Selfie, 8);
        let supplied: Vec<_> = supplied.iter().map(|slot| (*slot, handle)).collect();
        let asked = incomplete(submission(1, form()), &[Slot::Selfie]);
        assert_eq!(asked.supply(time(100), &supplied).map(drop), expected);
    }
    check(&[Slot::Selfie], Ok(()));
    check(&[Slot::PhotoId], Err(Forbidden::NothingMissing));
    check(&[Slot::Selfie, Slot::PhotoId], Err(Forbidden::NothingMissing));
    check(&[Slot::Selfie, Slot::Selfie], Err(Forbidden::NothingMissing));
    check(&[Slot::AddressProof], Err(Forbidden::NoSuchDocument));
    check(&[], Err(Forbidden::NoDocumentNamed));
}

#[test]
fn d29_reopening_takes_the_decision_back_and_keeps_the_history() {
    let done = screened(approved(submission(1, form_l2())), RiskLevel::High);
    let taken_back = done.clone().reopen(&inspector(), time(900), valid("A mistake.")).unwrap();
    assert_eq!(taken_back.review(), &Review::Pending);
    let entry = HistoryEntry {
        at: time(900),
        by: ines(),
        event: Event::Reopened { reason: valid("A mistake.") },
    };
    assert_eq!(taken_back.history(), [done.history(), &[entry]].concat());
    assert_eq!(taken_back.version(), 4);
    // The result is gone with the approval, and a new approval is screened anew.
    let again = approved(taken_back);
    assert_eq!(AmlSummary::of(&again), AmlSummary::Waiting);

    assert_eq!(reopened(rejected(submission(1, form()))).review(), &Review::Pending);
}

#[test]
fn d38_a_renewal_copies_form_and_decision_and_is_screened_anew() {
    let old = screened(approved(submission(1, form_full())), RiskLevel::Low);
    let before = old.clone();
    let renewed = old.renew(submission_id(2), time(5_000)).unwrap();
    assert_eq!(old, before);
    assert_eq!((renewed.id(), renewed.created_at()), (submission_id(2), time(5_000)));
    assert_eq!(renewed.renewed_from(), Some(old.id()));
    assert_eq!(renewed.form(), old.form());
    assert_eq!((renewed.version(), renewed.history()), (1, [].as_slice()));
    let (Review::Approved(first), Review::Approved(second)) = (old.review(), renewed.review())
    else {
        unreachable!("both are approved");
    };
    assert_eq!((first.at, first.basis), (second.at, second.basis));
    assert_eq!(second.aml, Aml::Queued);

    let again = renewed.renew(submission_id(3), time(6_000)).unwrap();
    assert_eq!(again.renewed_from(), Some(submission_id(2)));
}

#[test]
fn d38_an_aml_only_submission_can_be_renewed() {
    let renewed = submission(1, form_aml_only()).renew(submission_id(2), time(500)).unwrap();
    let declared = Approval { at: time(1), basis: Basis::Declared, aml: Aml::Queued };
    assert_eq!(renewed.review(), &Review::Approved(declared), "declared when it first was");
    assert_eq!(renewed.form().scope, Scope::AmlOnly);
}

#[test]
fn d34_a_result_is_kept_with_what_it_rests_on() {
    for risk in [RiskLevel::NotApplicable, RiskLevel::Low, RiskLevel::Medium, RiskLevel::High] {
        let screening = screening(risk, time(300));
        let done = approved(submission(1, form())).screened(screening.clone()).unwrap();
        assert_eq!(done.review().aml(), Some(&Aml::Screened(Box::new(Screened::first(screening)))));
        assert_eq!(done.risk(), Some(risk));
        assert_eq!(AmlSummary::of(&done), AmlSummary::Screened(risk));
        assert_eq!(AmlSummary::of(&done).risk(), Some(risk));
        let entry =
            HistoryEntry { at: time(300), by: Actor::Service, event: Event::Screened(risk) };
        assert_eq!(done.history().last(), Some(&entry));
        assert_eq!((done.version(), done.history().len()), (3, 2));
    }
}

#[test]
fn d34_a_stall_is_no_result_and_no_event() {
    let waiting = approved(submission(1, form()));
    for stall in [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed] {
        let tried = stalled(waiting.clone(), stall);
        assert_eq!(tried.review().aml(), Some(&Aml::Stalled(stall)));
        assert_eq!(tried.risk(), None);
        assert_eq!(AmlSummary::of(&tried), AmlSummary::Stalled);
        assert_eq!(AmlSummary::of(&tried).risk(), None);
        assert_eq!((tried.version(), tried.history()), (3, waiting.history()));
        assert!(tried.screened(screening(RiskLevel::Low, time(300))).is_ok());
    }
}

#[test]
fn a_stall_says_why_in_words() {
    let stalls = [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed];
    let words = [
        "a required list is missing",
        "a required list is too old",
        "the name has no letters that can be compared",
        "the screening engine failed",
    ];
    assert_eq!(stalls.map(Stall::as_str), words);
}

#[test]
fn the_history_names_the_inspector_who_decided() {
    let omar = Inspector { name: valid("omar"), clients: Some(Vec::new()) };
    let decided = submission(1, form()).reject(&omar, time(60), valid("No."), Vec::new()).unwrap();
    let by: Vec<&Actor> = decided.history().iter().map(|entry| &entry.by).collect();
    assert_eq!(by, [&Actor::Inspector(valid("omar"))]);
}

#[test]
fn a_refusal_says_what_would_be_allowed() {
    let sentences = [
        Forbidden::NotPending,
        Forbidden::NotFinal,
        Forbidden::NothingMissing,
        Forbidden::NotApproved,
        Forbidden::AmlOnly,
        Forbidden::AddressDateMissing,
        Forbidden::NoAddressDocument,
        Forbidden::NoSuchDocument,
        Forbidden::NoDocumentNamed,
        Forbidden::NotAwaitingScreening,
    ]
    .map(|forbidden| forbidden.to_string());
    let expected = [
        "only a pending submission can be decided",
        "only an approved or rejected submission can be reopened",
        "no document was asked for again",
        "only an approved submission can be renewed",
        "an AML-only submission has no review",
        "the issue date of the address document is needed for level 2",
        "the submission has no address document",
        "the submission has no such document",
        "at least one document has to be named",
        "the submission does not wait for screening",
    ];
    assert_eq!(sentences, expected);
}

#[test]
fn a_set_of_slots_has_each_slot_once_in_order() {
    let all = slots(&[Slot::AddressProof, Slot::PhotoId, Slot::Selfie, Slot::PhotoId]);
    assert_eq!(all.iter().collect::<Vec<_>>(), Slot::ALL);
    for slot in Slot::ALL {
        let rest = all.without(slot);
        assert!(!rest.contains(slot) && !rest.is_empty());
        assert_eq!(rest.iter().count(), 2);
        assert_eq!(rest.without(slot), rest);
        let alone = slots(&[slot]);
        assert!(alone.contains(slot) && alone.without(slot).is_empty());
        assert_eq!(alone.without(slot), Slots::NONE);
    }
    assert_eq!(format!("{:?}", slots(&[Slot::Selfie, Slot::PhotoId])), "{PhotoId, Selfie}");
    assert_eq!(Slots::default(), Slots::NONE);
}

#[test]
fn the_evidence_gives_as_much_of_an_address_as_there_is() {
    let parts = |form: &Form| {
        let evidence: &Evidence = &form.identification().unwrap().evidence;
        let address = evidence.address();
        let texts = [address.street, address.city, address.state, address.zipcode];
        (
            texts.map(|part| part.map(|part| part.as_str().to_owned())),
            address.country.map(kyc_core::Country::alpha3),
        )
    };
    let texts = |texts: [Option<&str>; 4]| texts.map(|text| text.map(str::to_owned));
    assert_eq!(parts(&form()), (texts([None; 4]), None));
    assert_eq!(
        parts(&form_full()),
        (
            texts([Some("Straße des 17. Juni 135"), Some("Berlin"), None, Some("10623")]),
            Some("DEU")
        )
    );
    assert_eq!(
        parts(&form_l2()),
        (
            texts([Some("12 Harbour Lane"), Some("Vlorë"), Some("Vlorë County"), Some("9401")]),
            Some("ALB")
        )
    );
}
