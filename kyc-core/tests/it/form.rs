use std::collections::BTreeMap;

use kyc_core::conformance::fixture::{
    TODAY, form, form_aml_only, form_full, form_l2, handle, valid,
};
use kyc_core::strategies::{self, SentForm};
use kyc_core::{
    CountrySyntax, DocumentHandle, DocumentKind, Field, Form, Level, Problem, Reason, Slot,
    WalletAddress,
};
use proptest::prelude::*;

fn parse(sent: &SentForm) -> Result<Form, Vec<Problem>> {
    sent.parse(CountrySyntax::CombinedOrCode, TODAY)
}

/// A form with some fields changed: another text, or none.
fn changed(form: &Form, changes: &[(Field, Option<&str>)]) -> SentForm {
    let mut sent = SentForm::of(form);
    for (field, text) in changes {
        match text {
            Some(text) => sent.texts.insert(*field, (*text).to_owned()),
            None => sent.texts.remove(field),
        };
    }
    sent
}

/// The problems that these changes of a valid form cause, in words.
#[track_caller]
fn check(form: &Form, changes: &[(Field, Option<&str>)], expected: &[(Field, &str)]) {
    let problems = parse(&changed(form, changes)).unwrap_err();
    let problems: Vec<(Field, String)> =
        problems.into_iter().map(|Problem { field, reason }| (field, reason.to_string())).collect();
    let expected: Vec<(Field, String)> =
        expected.iter().map(|(field, reason)| (*field, (*reason).to_owned())).collect();
    assert_eq!(problems, expected);
}

/// Changes after which a form is still valid; gives the form that they read as.
#[track_caller]
fn valid_with(form: &Form, changes: &[(Field, Option<&str>)]) -> Form {
    parse(&changed(form, changes)).unwrap()
}

#[test]
fn d1_all_problems_are_told_at_once_in_the_order_of_the_table() {
    let no_texts = SentForm { texts: BTreeMap::new(), ..SentForm::of(&form()) };
    let problems = parse(&no_texts).unwrap_err();
    let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
    let required = [
        Field::Email,
        Field::FirstName,
        Field::LastName,
        Field::Nationality,
        Field::DateOfBirth,
        Field::Gender,
        Field::IdType,
        Field::KycLevel,
        Field::PhotoId,
        Field::Selfie,
    ];
    assert_eq!(fields, required);
    assert!(problems.iter().all(|problem| problem.reason == Reason::Missing));
}

#[test]
fn d3_level_2_asks_for_the_whole_address_and_its_proof() {
    let level_2 = [(Field::KycLevel, Some("L2"))];
    let required = [
        Field::AddressStreet,
        Field::AddressCity,
        Field::AddressState,
        Field::AddressZipcode,
        Field::AddressCountry,
        Field::AddressProof,
    ];
    check(&form(), &level_2, &required.map(|field| (field, "is required")));
    for field in required {
        check(&form_l2(), &[(field, None)], &[(field, "is required")]);
        check(&form_l2(), &[(field, Some("\t "))], &[(field, "is required")]);
        assert!(
            parse(&changed(&form_l2(), &[(field, None), (Field::KycLevel, Some("L1"))])).is_ok()
        );
    }
}

#[test]
fn d3_without_a_level_only_the_level_is_missing() {
    check(&form_l2(), &[(Field::KycLevel, None)], &[(Field::KycLevel, "is required")]);
    check(&form(), &[(Field::KycLevel, None)], &[(Field::KycLevel, "is required")]);
    let not_a_level = [(Field::KycLevel, "must be one of: L1, L2")];
    check(&form(), &[(Field::KycLevel, Some("L3"))], &not_a_level);
}

#[test]
fn d55_missing_and_invalid_values_are_told_together() {
    check(
        &form_l2(),
        &[
            (Field::IpAddress, Some("203.0.113.256")),
            (Field::Custom3, Some("a\0b")),
            (Field::AddressZipcode, Some(" ")),
            (Field::Gender, Some("other")),
            (Field::DateOfBirth, Some("17.05.1990")),
            (Field::LastName, None),
            (Field::Email, Some("mira")),
            (Field::UserId, Some(&"x".repeat(129))),
        ],
        &[
            (Field::UserId, "must be at most 128 characters long"),
            (Field::Email, "must contain one @"),
            (Field::LastName, "is required"),
            (Field::DateOfBirth, "must be a date of the form YYYY-MM-DD"),
            (Field::Gender, "must be one of: male, female"),
            (Field::AddressZipcode, "is required"),
            (Field::Custom3, "must not contain control characters"),
            (Field::IpAddress, "must be an IPv4 address in dotted form"),
        ],
    );
}

#[test]
fn d55_the_order_of_the_fields_is_that_of_the_table() {
    assert!(Field::ALL.is_sorted_by(|left, right| left < right));
    let texts = SentForm::of(&form_full()).texts;
    assert!(texts.keys().is_sorted());
    let groups = [&Field::HANDLES[..], &Field::EXTRA_WALLETS, &Field::EXTRA_IMAGES, &Field::CUSTOM];
    assert!(groups.iter().all(|group| group.is_sorted_by(|left, right| left < right)));
}

#[test]
fn d16_a_blank_field_counts_as_absent() {
    let optional = [
        Field::UserId,
        Field::MiddleName,
        Field::IdNumber,
        Field::AddressStreet,
        Field::AddressCountry,
        Field::ContributionType,
        Field::WalletAddress,
        Field::EstimatedAmount,
        Field::AddressProof,
        Field::ExtraWallet2,
        Field::ExtraImage4,
        Field::Custom1,
        Field::IpAddress,
    ];
    for field in optional {
        let blank = valid_with(&form_full(), &[(field, Some(" \u{a0}\t"))]);
        assert_eq!(blank, valid_with(&form_full(), &[(field, None)]), "{field:?}");
    }
    for field in [Field::Email, Field::FirstName, Field::Nationality, Field::PhotoId] {
        check(&form(), &[(field, Some(" "))], &[(field, "is required")]);
    }
}

#[test]
fn d15_values_are_trimmed() {
    let padded = valid_with(
        &form(),
        &[
            (Field::Email, Some(" mira.kole@example.org\n")),
            (Field::Nationality, Some("\tAlbania, ALB ")),
            (Field::DateOfBirth, Some(" 1990-05-17 ")),
            (Field::KycLevel, Some(" l1 ")),
        ],
    );
    assert_eq!(padded, form());
}

#[test]
fn d20_the_syntax_of_countries_is_that_of_the_generation() {
    let changes = [(Field::Nationality, Some("ALB")), (Field::AddressCountry, Some("ALB"))];
    let sent = changed(&form_l2(), &changes);
    assert_eq!(sent.parse(CountrySyntax::CombinedOrCode, TODAY), Ok(form_l2()));
    let problems = sent.parse(CountrySyntax::Combined, TODAY).unwrap_err();
    let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(fields, [Field::Nationality, Field::AddressCountry]);
    // At level 1 as well, where an address may be given.
    let sent = changed(&form(), &[(Field::AddressCountry, Some("ALB"))]);
    assert!(sent.parse(CountrySyntax::CombinedOrCode, TODAY).is_ok());
    assert!(sent.parse(CountrySyntax::Combined, TODAY).is_err());
}

#[test]
fn d21_the_day_of_birth_is_compared_with_today() {
    let today = TODAY.to_string();
    let tomorrow = TODAY.next_day().unwrap().to_string();
    valid_with(&form(), &[(Field::DateOfBirth, Some(&today))]);
    let problem = [(Field::DateOfBirth, "must not be in the future")];
    check(&form(), &[(Field::DateOfBirth, Some(&tomorrow))], &problem);
    check(&form_aml_only(), &[(Field::DateOfBirth, Some(&tomorrow))], &problem);
}

#[test]
fn d22_an_ip_address_is_dotted() {
    let of = |text| {
        valid_with(&form(), &[(Field::IpAddress, Some(text))]).identification().unwrap().ip_address
    };
    assert_eq!(of("203.0.113.7"), Some(valid("203.0.113.7")));
    assert_eq!(of("0.0.0.0"), Some(valid("0.0.0.0")));
    for text in ["203.0.113", "203.0.113.07", "::1", "::ffff:1.2.3.4", "1.2.3.4:80", "16909060"] {
        let problem = [(Field::IpAddress, "must be an IPv4 address in dotted form")];
        check(&form(), &[(Field::IpAddress, Some(text))], &problem);
    }
}

const KINDS: [DocumentKind; 6] = [
    DocumentKind::Passport,
    DocumentKind::GovernmentId,
    DocumentKind::DriversLicense,
    DocumentKind::Selfie,
    DocumentKind::Address,
    DocumentKind::Other,
];

#[test]
fn d27_each_field_takes_documents_of_its_kind() {
    use DocumentKind::{Address, DriversLicense, GovernmentId, Other, Passport, Selfie};
    let photo_ids = [Passport, GovernmentId, DriversLicense];
    let fields: [(Field, &[DocumentKind], &str); 7] = [
        (
            Field::PhotoId,
            &photo_ids,
            "must be uploaded as a passport, government id or driver's license",
        ),
        (Field::Selfie, &[Selfie], "must be uploaded as a selfie"),
        (Field::AddressProof, &[Address], "must be uploaded as an address document"),
        (
            Field::ExtraImage1,
            &[Other],
            "must be uploaded as an additional image, with the type `other`",
        ),
        (
            Field::ExtraImage2,
            &[Other],
            "must be uploaded as an additional image, with the type `other`",
        ),
        (
            Field::ExtraImage3,
            &[Other],
            "must be uploaded as an additional image, with the type `other`",
        ),
        (
            Field::ExtraImage4,
            &[Other],
            "must be uploaded as an additional image, with the type `other`",
        ),
    ];
    assert_eq!(fields.map(|(field, ..)| field), Field::HANDLES);
    for (field, taken, reason) in fields {
        for kind in KINDS {
            let document = handle(kind, 9);
            let mut sent = changed(&form_full(), &[(field, Some(&document.to_text()))]);
            sent.documents.push(document);
            let expected = if taken.contains(&kind) {
                None
            } else {
                let reason = Reason::Invalid(reason.to_owned());
                Some(vec![Problem { field, reason }])
            };
            assert_eq!(parse(&sent).err(), expected, "{field:?} {kind:?}");
        }
    }
}

#[test]
fn d13_an_unknown_document_and_a_foreign_one_answer_as_what_is_no_handle() {
    let reason = "must be the filehash of an uploaded document";
    let texts = [
        "passport.jpg".to_owned(),
        // Never uploaded, or by somebody else.
        handle(DocumentKind::Passport, 9).to_text(),
        // Unknown and of the wrong kind: the kind is not told.
        handle(DocumentKind::Selfie, 9).to_text(),
        // Known under another client's prefix.
        handle(DocumentKind::Passport, 1).to_text().replacen('1', "2", 1),
        // Known as another kind.
        handle(DocumentKind::GovernmentId, 1).to_text(),
    ];
    for text in texts {
        check(&form(), &[(Field::PhotoId, Some(&text))], &[(Field::PhotoId, reason)]);
    }
    let no_documents = SentForm { documents: Vec::new(), ..SentForm::of(&form()) };
    let problems = parse(&no_documents).unwrap_err();
    let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(fields, [Field::PhotoId, Field::Selfie]);
}

#[test]
fn d37_an_aml_only_form_looks_at_the_person_alone() {
    let sent = SentForm { is_aml_only: true, ..SentForm::of(&form_full()) };
    let read = parse(&sent).unwrap();
    assert!(read.identification().is_none());
    assert_eq!(read.wallets().count(), 0);
    assert_eq!((read.email, read.applicant), (form_full().email, form_full().applicant));
    let nothing = SentForm { texts: BTreeMap::new(), ..sent };
    let problems = parse(&nothing).unwrap_err();
    let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(
        fields,
        [
            Field::Email,
            Field::FirstName,
            Field::LastName,
            Field::Nationality,
            Field::DateOfBirth,
            Field::Gender,
        ]
    );
}

#[test]
fn every_field_of_a_full_form_arrives_in_its_place() {
    assert_eq!(parse(&SentForm::of(&form_full())), Ok(form_full()));
    assert_eq!(parse(&SentForm::of(&form_l2())), Ok(form_l2()));
    let full = form_full();
    let known = full.identification().unwrap();
    let custom = known.custom.clone().map(|text| text.map(|text| text.as_str().to_owned()));
    assert_eq!(
        custom.each_ref().map(Option::as_deref),
        [Some("first \"custom\" field"), Some("второе поле"), None]
    );
    let wallets: Vec<&str> = full.wallets().map(WalletAddress::as_str).collect();
    assert_eq!(
        wallets,
        ["0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B", "bc1qexample0", "bc1qexample2"]
    );
}

#[test]
fn the_level_and_the_documents_are_those_of_the_evidence() {
    use DocumentKind::{Address, GovernmentId, Passport, Selfie};
    let documents = |form: &Form| {
        let evidence = &form.identification().unwrap().evidence;
        let kinds = Slot::ALL.map(|slot| evidence.document(slot).map(DocumentHandle::kind));
        (evidence.level(), kinds)
    };
    assert_eq!(documents(&form()), (Level::L1, [Some(Passport), Some(Selfie), None]));
    assert_eq!(
        documents(&form_l2()),
        (Level::L2, [Some(GovernmentId), Some(Selfie), Some(Address)])
    );
}

proptest! {
    #[test]
    fn d1_a_form_never_both_succeeds_and_has_a_problem(sent in strategies::damaged_forms()) {
        if let Err(problems) = parse(&sent) {
            prop_assert!(!problems.is_empty());
            let is_ordered = problems.is_sorted_by(|left, right| left.field < right.field);
            prop_assert!(is_ordered, "each field once, in order");
        }
    }

    #[test]
    fn d1_values_are_never_echoed(sent in strategies::damaged_forms()) {
        for Problem { field, reason } in parse(&sent).err().into_iter().flatten() {
            let text = sent.texts.get(&field).map_or("", |text| text.trim());
            // Short texts may stand in the words of the reason by chance.
            if text.chars().count() > 6 {
                let told = format!("{reason} {reason:?}");
                prop_assert!(!told.contains(text), "{}", told);
            }
        }
    }

    #[test]
    fn d3_removing_a_field_is_a_problem_just_where_it_is_required(
        form in strategies::forms(),
        field in prop::sample::select(&Field::ALL),
    ) {
        let sent = changed(&form, &[(field, None)]);
        let required = Field::Email <= field && field <= Field::Gender && field != Field::MiddleName
            || form.identification().is_some_and(|known| {
                matches!(field, Field::IdType | Field::KycLevel | Field::PhotoId | Field::Selfie)
                    || known.evidence.level() == Level::L2
                        && (Field::AddressStreet <= field && field <= Field::AddressCountry
                            || field == Field::AddressProof)
            });
        let missing = vec![Problem { field, reason: Reason::Missing }];
        prop_assert_eq!(parse(&sent).err(), required.then_some(missing));
    }
}
