use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{client, form, form_aml_only, form_l2, valid};
use kyc_core::service::Error;
use kyc_core::{DocumentKind, Event, Field, Forbidden, Problem, Reason, Slot, Status, Submission};

use super::world::{World, approve, reject, retake, world};

/// A submission of client 1 of which these documents are missing.
fn incomplete(world: &World, slots: &[Slot]) -> Submission {
    world.decided(&world.submit_form(1, &form_l2()), retake(slots))
}

#[track_caller]
fn problems(result: Result<Submission, Error>) -> Vec<Problem> {
    match result {
        Err(Error::Form(problems)) => problems,
        other => unreachable!("the form has problems: {other:?}"),
    }
}

#[test]
fn d30_supplying_all_that_is_missing_makes_it_pending_again() {
    let world = world();
    let asked = incomplete(&world, &[Slot::Selfie, Slot::AddressProof]);
    let selfie = world.upload(1, DocumentKind::Selfie);
    let proof = world.upload(1, DocumentKind::Address);

    let half = world.resupply(1, &asked, &[(Field::Selfie, &selfie.to_text())]).unwrap();
    assert_eq!(half.status(), Status::Incomplete);
    assert_identical(&world.stored(1, asked.id()).unwrap(), &half);

    let whole = world.resupply(1, &half, &[(Field::AddressProof, &proof.to_text())]).unwrap();
    assert_eq!(whole.status(), Status::Pending);
    assert_eq!(whole.document(Slot::Selfie), Some(&selfie));
    assert_eq!(whole.document(Slot::AddressProof), Some(&proof));
    assert_identical(&world.stored(1, asked.id()).unwrap(), &whole);
}

#[test]
fn d30_several_documents_are_supplied_at_once() {
    let world = world();
    let asked = incomplete(&world, &Slot::ALL);
    let texts = [
        (Field::PhotoId, world.upload(1, DocumentKind::DriversLicense).to_text()),
        (Field::Selfie, world.upload(1, DocumentKind::Selfie).to_text()),
        (Field::AddressProof, world.upload(1, DocumentKind::Address).to_text()),
    ];
    let texts = texts.each_ref().map(|(field, text)| (*field, text.as_str()));
    let whole = world.resupply(1, &asked, &texts).unwrap();
    assert_eq!(whole.status(), Status::Pending);
    assert_eq!(whole.version(), asked.version() + 1);
    let mut supplied = Vec::new();
    for entry in whole.history() {
        if let Event::Supplied { slot, .. } = entry.event {
            supplied.push(slot);
        }
    }
    assert_eq!(supplied, Slot::ALL);
}

#[test]
fn d30_sending_nothing_tells_what_is_missing() {
    let world = world();
    let asked = incomplete(&world, &[Slot::AddressProof, Slot::PhotoId]);
    let missing = [Field::PhotoId, Field::AddressProof]
        .map(|field| Problem { field, reason: Reason::Missing });
    assert_eq!(problems(world.resupply(1, &asked, &[])), missing);
    let blank = [(Field::Selfie, ""), (Field::PhotoId, " \t")];
    assert_eq!(problems(world.resupply(1, &asked, &blank)), missing);
    assert_identical(&world.stored(1, asked.id()).unwrap(), &asked);
}

#[test]
fn d30_what_was_not_asked_for_is_refused() {
    let world = world();
    let asked = incomplete(&world, &[Slot::Selfie]);
    let selfie = world.upload(1, DocumentKind::Selfie).to_text();
    let passport = world.upload(1, DocumentKind::Passport).to_text();
    for texts in [
        vec![(Field::PhotoId, passport.as_str())],
        vec![(Field::Selfie, selfie.as_str()), (Field::PhotoId, passport.as_str())],
    ] {
        let refused = world.resupply(1, &asked, &texts);
        assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NothingMissing))));
    }
    assert_identical(&world.stored(1, asked.id()).unwrap(), &asked);

    let level_1 = world.decided(&world.submit_form(1, &form()), retake(&[Slot::Selfie]));
    let proof = world.upload(1, DocumentKind::Address).to_text();
    let refused = world.resupply(1, &level_1, &[(Field::AddressProof, &proof)]);
    assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NoSuchDocument))));
}

#[test]
fn d30_only_an_incomplete_submission_takes_documents() {
    let world = world();
    let selfie = world.upload(1, DocumentKind::Selfie).to_text();
    let pending = world.submit_form(1, &form());
    let approved = world.decided(&world.submit_form(1, &form()), approve());
    let rejected = world.decided(&world.submit_form(1, &form()), reject());
    let aml_only = world.submit_form(1, &form_aml_only());
    for submission in [pending, approved, rejected, aml_only] {
        for texts in [vec![], vec![(Field::Selfie, selfie.as_str())]] {
            let refused = world.resupply(1, &submission, &texts);
            assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NothingMissing))));
        }
        assert_identical(&world.stored(1, submission.id()).unwrap(), &submission);
    }
}

#[test]
fn d27_a_document_that_does_not_fit_is_refused() {
    let world = world();
    let asked = incomplete(&world, &Slot::ALL);
    let foreign = world.upload(2, DocumentKind::Selfie).to_text();
    let passport = world.upload(1, DocumentKind::Passport).to_text();
    let found = problems(world.resupply(
        1,
        &asked,
        &[(Field::AddressProof, &passport), (Field::Selfie, &foreign), (Field::PhotoId, &passport)],
    ));
    let invalid =
        |field, reason: &str| Problem { field, reason: Reason::Invalid(reason.to_owned()) };
    assert_eq!(
        found,
        [
            invalid(Field::Selfie, "must be the filehash of an uploaded document"),
            invalid(Field::AddressProof, "must be uploaded as an address document"),
        ]
    );
    assert_identical(&world.stored(1, asked.id()).unwrap(), &asked);
}

#[test]
fn d12_documents_are_supplied_by_the_client_with_address_and_id() {
    let world = world();
    let asked = incomplete(&world, &[Slot::Selfie]);
    let selfie = world.upload(2, DocumentKind::Selfie).to_text();
    let values = |field: Field| (field == Field::Selfie).then_some(selfie.as_str());
    let (email, id) = (&asked.form().email, asked.id());
    let wrong = [
        world.supply_documents(client(2), email, id, &values),
        world.supply_documents(client(1), &valid("leo@example.org"), id, &values),
        world.supply_documents(client(1), email, valid("01hzy3v9k4d5e6f7g8h9jkmnpq"), &values),
    ];
    for result in wrong {
        assert!(matches!(result, Err(Error::NotFound)));
    }
}

#[test]
fn of_two_supplies_at_once_one_wins() {
    let world = world();
    let asked = incomplete(&world, &[Slot::Selfie]);
    let (first, second) =
        (world.upload(1, DocumentKind::Selfie), world.upload(1, DocumentKind::Selfie));
    let faster = asked.clone().supply(world.now(), &[(Slot::Selfie, first)]).unwrap();
    world.store.overtaken_by(client(1), faster.clone());
    let slower = world.resupply(1, &asked, &[(Field::Selfie, &second.to_text())]);
    assert!(matches!(slower, Err(Error::Stale)));
    assert_identical(&world.stored(1, asked.id()).unwrap(), &faster);
}
