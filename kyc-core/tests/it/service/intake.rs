use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    client, client_record, form, form_aml_only, form_full, form_l2, time, valid,
};
use kyc_core::format::InvalidFile;
use kyc_core::service::{DocumentRefused, Error, Options};
use kyc_core::{
    Aml, ClientPrefix, DocumentHandle, DocumentKind, Field, FileFormat, Forbidden, Lookup, Problem,
    Reason, Review, Spelling, Status,
};

use super::world::{JPEG, PDF, approve, reject, reopen, world, world_with};

#[test]
fn d13_an_upload_gives_a_handle_of_the_client_and_the_kind() {
    let world = world();
    let prefix = client_record(1).prefix;
    let upload = |kind, spelling| {
        let document = world.upload_as(kind, spelling, JPEG).unwrap();
        let text = document.handle.to_text();
        let (head, id) = text.rsplit_once('_').unwrap();
        assert_eq!(id, document.handle.id().to_string());
        head.to_owned()
    };
    let prefix = prefix.as_str();
    assert_eq!(upload(DocumentKind::Passport, Spelling::Joined), format!("{prefix}/passport"));
    assert_eq!(
        upload(DocumentKind::GovernmentId, Spelling::Joined),
        format!("{prefix}/governmentid")
    );
    assert_eq!(
        upload(DocumentKind::GovernmentId, Spelling::Underscored),
        format!("{prefix}/government_id")
    );
}

#[test]
fn an_upload_can_be_read_back_by_its_client_alone() {
    let world = world();
    world.clock.set(time(77));
    let document = world.upload_as(DocumentKind::Passport, Spelling::Joined, PDF).unwrap();
    assert_eq!((document.created_at, document.format), (time(77), FileFormat::Pdf));
    assert_eq!(usize::try_from(document.size_bytes), Ok(PDF.len()));
    assert_eq!(world.document(client(1), &document.handle).unwrap(), document);
    let foreign = world.document(client(2), &document.handle);
    assert!(matches!(foreign, Err(Error::NotFound)));
}

#[test]
fn d23_a_document_may_have_3_mebibytes_and_no_byte_more() {
    assert_eq!(Options::default().document_bytes_max, 3_145_728);
    let world = world_with(Options { document_bytes_max: 20, ..Options::default() });
    assert_eq!(world.options().document_bytes_max, 20);
    let pdf = |bytes: usize| [PDF, &vec![b' '; bytes - PDF.len()]].concat();
    let upload = |bytes: &[u8]| {
        world
            .upload_as(DocumentKind::Passport, Spelling::Joined, bytes)
            .map(|document| document.size_bytes)
    };
    assert_eq!(upload(&pdf(20)).unwrap(), 20);
    let refused = upload(&pdf(21)).unwrap_err();
    assert_eq!(refused.to_string(), "the file is larger than 20 bytes");
    assert!(matches!(refused, Error::Document(DocumentRefused::TooLarge { bytes_max: 20 })));
    // Too large comes before whatever else is wrong.
    assert!(matches!(upload(&[0; 21]), Err(Error::Document(DocumentRefused::TooLarge { .. }))));
}

#[test]
fn d24_the_format_is_found_from_the_bytes_and_a_selfie_is_an_image() {
    use DocumentKind::{Address, Other, Passport, Selfie};
    let world = world();
    let upload = |kind, bytes| match world.upload_as(kind, Spelling::Joined, bytes) {
        Ok(document) => Ok(document.format),
        Err(Error::Document(refused)) => Err(refused),
        Err(other) => unreachable!("{other}"),
    };
    for kind in [Passport, Address, Other] {
        assert_eq!(upload(kind, JPEG), Ok(FileFormat::Jpeg));
        assert_eq!(upload(kind, PDF), Ok(FileFormat::Pdf));
        let unknown = DocumentRefused::Format(InvalidFile::UnknownFormat);
        assert_eq!(upload(kind, b"GIF89a"), Err(unknown));
        let broken = DocumentRefused::Format(InvalidFile::BrokenHeader);
        assert_eq!(upload(kind, b"\xFF\xD8\xFF"), Err(broken));
    }
    assert_eq!(upload(Selfie, JPEG), Ok(FileFormat::Jpeg));
    assert_eq!(upload(Selfie, PDF), Err(DocumentRefused::SelfieNoImage));
    assert_eq!(upload(Passport, b""), Err(DocumentRefused::Format(InvalidFile::UnknownFormat)));
}

#[test]
fn d28_a_form_is_stored_complete_and_pending() {
    let world = world();
    for form in [form(), form_l2(), form_full()] {
        let answered = world.submit_form(1, &form);
        assert_eq!(answered.status(), Status::Pending);
        assert_eq!(answered.created_at(), world.now());
        assert_eq!(answered.form().email.as_str(), form.email.as_str());
        assert_eq!(answered.form().applicant, form.applicant);
        assert_identical(&world.stored(1, answered.id()).unwrap(), &answered);
        assert!(world.stored(2, answered.id()).is_none());
    }
}

#[test]
fn d3_a_form_with_problems_is_not_stored() {
    let world = world();
    let mut sent = world.with_uploads(1, &form());
    sent.texts.remove(&Field::Email);
    sent.texts.insert(Field::Gender, "other".to_owned());
    let Err(Error::Form(problems)) = world.send(client(1), &sent) else {
        unreachable!("two fields are wrong");
    };
    let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(fields, [Field::Email, Field::Gender]);
    sent.is_aml_only = true;
    assert!(
        matches!(world.send(client(1), &sent), Err(Error::Form(problems)) if problems.len() == 2)
    );
    assert_eq!(world.stored_count(1), 0);
}

#[test]
fn d13_guessed_and_foreign_documents_answer_alike() {
    let world = world();
    let own = world.upload(1, DocumentKind::Passport);
    let foreign = world.upload(2, DocumentKind::Passport);
    let own_prefix = client_record(1).prefix;
    let handle = |prefix: ClientPrefix, kind, id| {
        DocumentHandle::new(prefix, kind, Spelling::Underscored, id).to_text()
    };
    let guesses = [
        foreign.to_text(),
        handle(own_prefix, DocumentKind::Passport, foreign.id()),
        handle(client_record(2).prefix, DocumentKind::Passport, own.id()),
        handle(own_prefix, DocumentKind::DriversLicense, own.id()),
        handle(own_prefix, DocumentKind::Passport, valid("01hzy3v9k4d5e6f7g8h9jkmnpq")),
        own.to_text().to_uppercase(),
        format!("x{}", own.to_text()),
        "passport.jpg".to_owned(),
    ];
    for guess in guesses {
        let mut sent = world.with_uploads(1, &form());
        sent.texts.insert(Field::PhotoId, guess);
        let Err(Error::Form(problems)) = world.send(client(1), &sent) else {
            unreachable!("the document is not the client's");
        };
        let reason = Reason::Invalid("must be the filehash of an uploaded document".to_owned());
        assert_eq!(problems, [Problem { field: Field::PhotoId, reason }]);
    }
    let mut sent = world.with_uploads(1, &form());
    sent.texts.insert(Field::PhotoId, format!(" {} ", own.to_text()));
    assert!(world.send(client(1), &sent).is_ok(), "its own document, with spaces around");
}

#[test]
fn d27_an_image_of_another_kind_does_not_fit() {
    let world = world();
    let selfie = world.upload(1, DocumentKind::Selfie);
    let mut sent = world.with_uploads(1, &form_l2());
    sent.texts.insert(Field::AddressProof, selfie.to_text());
    let Err(Error::Form(problems)) = world.send(client(1), &sent) else {
        unreachable!("a selfie proves no address");
    };
    let reason = Reason::Invalid("must be uploaded as an address document".to_owned());
    assert_eq!(problems, [Problem { field: Field::AddressProof, reason }]);
}

#[test]
fn d37_an_aml_only_form_is_stored_approved_and_queued() {
    let world = world();
    let answered = world.submit_form(1, &form_aml_only());
    assert_eq!(answered.status(), Status::Approved);
    assert_eq!(answered.review().aml(), Some(&Aml::Queued));
    assert_identical(&world.stored(1, answered.id()).unwrap(), &answered);
}

#[test]
fn d38_a_renewal_is_a_new_submission_beside_the_old_one() {
    let world = world();
    let old = world.decided(&world.submit_form(1, &form()), approve());
    world.clock.set(time(9_000));
    let renewed = world.renew(client(1), &valid("MIRA.KOLE@example.org"), old.id()).unwrap();
    assert_ne!(renewed.id(), old.id());
    assert_eq!((renewed.created_at(), renewed.renewed_from()), (time(9_000), Some(old.id())));
    assert_identical(&world.stored(1, renewed.id()).unwrap(), &renewed);
    assert_identical(&world.stored(1, old.id()).unwrap(), &old);
    assert_eq!(world.stored_count(1), 2);
}

#[test]
fn d38_only_an_approved_submission_is_renewed() {
    let world = world();
    let mut submission = world.submit_form(1, &form());
    for decision in [None, Some(reject()), Some(reopen()), Some(approve()), Some(reopen())] {
        submission =
            decision.map_or(submission.clone(), |decision| world.decided(&submission, decision));
        let is_approved = matches!(submission.review(), Review::Approved(_));
        let renewed = world.renew(client(1), &submission.form().email, submission.id());
        match renewed {
            Ok(_) => assert!(is_approved),
            Err(Error::Forbidden(Forbidden::NotApproved)) => assert!(!is_approved),
            Err(other) => unreachable!("{other}"),
        }
    }
    assert_eq!(world.stored_count(1), 2);
}

#[test]
fn d12_a_renewal_needs_the_client_the_address_and_the_id() {
    let world = world();
    let old = world.decided(&world.submit_form(1, &form()), approve());
    let other = world.submit_form(1, &form_full());
    let (email, id) = (&old.form().email, old.id());
    let wrong = [
        world.renew(client(2), email, id),
        world.renew(client(1), &other.form().email, id),
        world.renew(client(1), email, valid("01hzy3v9k4d5e6f7g8h9jkmnpq")),
    ];
    for result in wrong {
        assert!(matches!(result, Err(Error::NotFound)));
    }
    assert_eq!((world.stored_count(1), world.stored_count(2)), (2, 0));
}

#[test]
fn a_form_whose_outcome_is_told_to_a_callback_is_a_form_like_any_other() {
    let world = world();
    for form in [form(), form_full(), form_aml_only()] {
        let sent = world.with_uploads(1, &form);
        let submission = world.send_then(client(1), &sent).unwrap();
        assert_eq!(submission.status(), world.send(client(1), &sent).unwrap().status());
        let lookup = Lookup { id: Some(submission.id()), ..Lookup::default() };
        let found = world.latest(client(1), &lookup).unwrap();
        assert_identical(&found, &submission);
    }
    assert_eq!(world.stored_count(1), 6);

    let foreign = world.with_uploads(2, &form_full());
    let refused = world.send_then(client(1), &foreign);
    assert!(matches!(refused, Err(Error::Form(_))), "{refused:?}");
    let mut empty = world.with_uploads(1, &form_aml_only());
    empty.texts.clear();
    assert!(matches!(world.send_then(client(1), &empty), Err(Error::Form(_))));
    assert_eq!(world.stored_count(1), 6);
}
