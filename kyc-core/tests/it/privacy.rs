mod kept; // what is kept beside a change, and for how long

use std::error::Error as _;
use std::fmt::Debug;
use std::sync::Arc;

use kyc_core::conformance::fixture::{
    TODAY, approved, born, client, client_record, form_full, incomplete, inspector, rejected,
    reopened, screened, stalled, submission, submission_id, time, valid,
};
use kyc_core::memory::{MemoryDirectory, MemoryDocuments, MemorySubmissions};
use kyc_core::service::{CaseFile, Decision, Error};
use kyc_core::strategies::SentForm;
use kyc_core::{
    Address, Applicant, Basis, ClientPrefix, CountrySyntax, DocumentHandle, DocumentId,
    DocumentKind, DocumentStore, EnglishComment, Evidence, Fact, FactChange, Field, Form, Gender,
    Hit, HitVerdict, Identification, Listed, Lookup, PageKey, PartialAddress, QueueFilter, Queued,
    Rescreening, RiskLevel, Scope, Score, Screening, Slot, Slots, Spelling, Stall, StoreError,
    Subject, Submission, SubmissionStore,
};
use time::macros::date;

/// What must never be seen. Every personal value of [`form`] and of what is decided on it holds
/// one of these.
const CANARIES: [&str; 17] = [
    "canary",
    "CANARY",
    "Canary",
    "канарейка", // texts
    "1987",
    "06-05",
    "Jun", // the date of birth
    "Bhutan",
    "BTN",
    "Gabon",
    "GAB", // the countries
    "Male",
    "male",         // the gender
    "203.0.113.77", // the IP address
    "2033",
    "2026-10", // the dates of the documents
    "0c0a0n0a0r0y",
];

fn document(kind: DocumentKind) -> DocumentHandle {
    let prefix: ClientPrefix = valid("canarycage");
    DocumentHandle::new(
        prefix,
        kind,
        Spelling::Joined,
        DocumentId::from_bytes(*b"canary--canary--"),
    )
}

fn form() -> Form {
    let address = Address {
        street: valid("1 Canary Row"),
        city: valid("Canary City"),
        state: valid("Canary State"),
        zipcode: valid("CANARY-1"),
        country: valid("Gabon, GAB"),
    };
    let evidence = Evidence::L2 {
        photo_id: document(DocumentKind::Passport),
        selfie: document(DocumentKind::Selfie),
        address,
        proof: document(DocumentKind::Address),
    };
    let identification = Identification {
        id_number: Some(valid("CANARY-2")),
        evidence,
        contribution_type: Some(valid("canary coins")),
        wallet_address: Some(valid("0xcanary")),
        estimated_amount: Some(valid("9 canaries")),
        extra_wallets: [Some(valid("1canary")), Some(valid("2canary")), Some(valid("3canary"))],
        extra_images: [Some(document(DocumentKind::Other)); 4],
        custom: [Some(valid("1 canary")), Some(valid("2 canary")), Some(valid("3 canary"))],
        ip_address: Some(valid("203.0.113.77")),
        ..form_full().identification().unwrap().clone()
    };
    Form {
        email: valid("Canary@canary.example"),
        user_id: Some(valid("canary-3")),
        applicant: Applicant {
            first_name: valid("Canary"),
            middle_name: Some(valid("канарейка")),
            last_name: valid("McCanary"),
            nationality: valid("Bhutan, BTN"),
            birth_date: born(date!(1987 - 06 - 05)),
            gender: Gender::Male,
        },
        scope: Scope::Identity(Box::new(identification)),
    }
}

fn fact(listed: &str) -> Fact {
    Fact { field: "name".to_owned(), listed: listed.to_owned() }
}

fn screening() -> Screening {
    let hit = Hit {
        list: "sample".to_owned(),
        entity: "canary".to_owned(),
        name: "CANARY, McCanary".to_owned(),
        matched: "Canary".to_owned(),
        score: Score::MAX,
        risk: RiskLevel::High,
        programmes: vec!["canary".to_owned()],
        reasons: vec!["canary".to_owned()],
        evidence: vec![fact("Canary")],
    };
    Screening {
        at: time(700),
        lists: Vec::new(),
        hits: vec![hit],
        unreported: RiskLevel::NotApplicable,
        configuration: "c1".to_owned(),
    }
}

/// A submission that went through every transition.
fn well_travelled() -> Submission {
    let (by, at) = (inspector(), time(500));
    let comment = || valid("the canary sings");
    let supplied: Vec<_> = [
        (Slot::PhotoId, document(DocumentKind::Passport)),
        (Slot::Selfie, document(DocumentKind::Selfie)),
        (Slot::AddressProof, document(DocumentKind::Address)),
    ]
    .into();
    let asked = Slot::ALL.into_iter().collect();
    submission(1, form())
        .ask_retake(&by, at, asked, Some(valid("a canary")))
        .and_then(|incomplete| incomplete.supply(at, &supplied))
        .and_then(|pending| pending.reject(&by, at, comment(), vec![valid("blurred")]))
        .and_then(|rejected| rejected.reopen(&by, at, valid("a canary")))
        .and_then(|pending| {
            pending.approve(&by, at, date!(2033 - 04 - 09), Some(date!(2026 - 10 - 01)))
        })
        .and_then(|approved| approved.screened(screening()))
        .and_then(|screened| {
            let key = screening().hits[0].key();
            screened.decide_hit(&by, at, &key, HitVerdict::FalsePositive, valid("a canary"))
        })
        .unwrap()
}

#[track_caller]
fn check(value: &dyn Debug) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        for canary in CANARIES {
            assert!(!text.contains(canary), "{canary} is seen in {text}");
        }
    }
}

#[test]
fn no_personal_value_is_seen_of_a_submission() {
    let submission = well_travelled();
    check(&submission);
    check(&submission.clone().into_parts());
    check(&submission.review());
    check(&submission.history());
    check(&submission.person_key());
    check(&submission.as_duplicate());
    check(&Listed::from(&submission));
    check(&Queued { client: client(1), submission: submission.clone() });
    check(&CaseFile {
        client: Arc::new(client_record(1)),
        duplicates: vec![submission.as_duplicate()],
        submission,
    });
}

#[test]
fn no_personal_value_is_seen_in_any_state() {
    let new = || submission(1, form());
    check(&new());
    check(&incomplete(new(), &Slot::ALL));
    check(&rejected(new()));
    check(&reopened(rejected(new())));
    let approved = approved(new());
    check(&approved);
    check(&stalled(approved.clone(), Stall::Failed));
    check(&screened(approved.clone(), RiskLevel::High));
    check(&approved.renew(submission_id(2), time(2)));
    check(&submission(1, Form { scope: Scope::AmlOnly, ..form() }));
}

#[test]
fn no_personal_value_is_seen_of_a_form() {
    let form = form();
    check(&form);
    check(&form.applicant);
    check(&form.identification());
    check(&form.identification().map(|known| known.evidence.clone()));
    check(&form.identification().map(|known| known.evidence.address()));
    let Some(Evidence::L2 { address, .. }) = form.identification().map(|known| &known.evidence)
    else {
        unreachable!("level 2");
    };
    check(address);
    check(&PartialAddress::from(address.clone()));
    check(&Subject::of(&form));
    check(&form.email);
    check(&form.user_id);
}

#[test]
fn no_personal_value_is_seen_of_a_lookup() {
    let form = form();
    let lookup = Lookup { email: Some(&form.email), user_id: form.user_id.as_ref(), id: None };
    check(&lookup);
    check(&QueueFilter { email: Some(&form.email), ..QueueFilter::all(&[]) });
    check(&PageKey { email: form.email.clone(), id: submission(1, form.clone()).id() });
}

#[test]
fn no_personal_value_is_seen_of_a_decision() {
    let (id_expires, issued) = (date!(2033 - 04 - 09), date!(2026 - 10 - 01));
    check(&Decision::Approve { id_expires, address_issued: Some(issued) });
    check(&Decision::Reject { comment: valid("a canary"), reason_codes: Vec::new() });
    check(&Decision::Retake {
        documents: Slot::ALL.into_iter().collect(),
        comment: Some(valid("a canary")),
    });
    check(&Decision::Reopen { reason: valid("a canary") });
    check(&Basis::Inspected { id_expires, address_issued: Some(issued) });
    let hit = screening().hits[0].key();
    let (verdict, note) = (Some(HitVerdict::TruePositive), valid("a canary"));
    check(&Decision::Hit { hit, verdict, note });
    check(&screening());
    check(&screening().hits);
    check(&screening().hits[0].key());
    check(&screening().hits[0].evidence);
    let submission = well_travelled();
    check(&submission.decisions());
    check(&submission.result());
    check(&submission.standing(&screening().hits[0]));
    // The list says something else: every word of the difference is personal.
    let mut other = screening().hits;
    other[0].evidence = vec![fact("Canary, CANARY")];
    check(&submission.standing(&other[0]));
    let rescreened = submission.rescreened(Screening { hits: other, ..screening() }).unwrap();
    check(&rescreened);
    let Rescreening::Changed(changed) = rescreened else { unreachable!("other evidence") };
    check(&changed);
    check(&changed.result().unwrap().news());
}

#[test]
fn no_personal_value_is_seen_of_a_store() {
    let submissions = MemorySubmissions::default();
    submissions.insert(client(1), &well_travelled()).unwrap();
    check(&submissions);
    let documents = MemoryDocuments::default();
    let handle = document(DocumentKind::Passport);
    let document = kyc_core::Document {
        handle,
        created_at: time(0),
        format: kyc_core::FileFormat::Jpeg,
        size_bytes: 6,
    };
    documents.put(client(1), &document, b"canary").unwrap();
    check(&document);
    check(&documents);
    let secret = format!("{:?}", b"canary");
    assert!(!format!("{documents:?}").contains(secret.trim_matches(['[', ']'])));
    check(&MemoryDirectory::default().with_client("a canary", client_record(1)));
}

#[test]
fn d1_no_value_is_seen_of_an_error() {
    let mut sent = SentForm::of(&form());
    for text in sent.texts.values_mut() {
        *text = format!("\0canary {text} \u{200b}@canary Canary\0");
    }
    let problems = sent.parse(CountrySyntax::Combined, TODAY).unwrap_err();
    assert!(problems.len() > 25, "almost every field is wrong");
    // The words of the gender are told to whoever sends another one.
    let (words, problems): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.field == Field::Gender);
    assert_eq!(words.len(), 1);
    for problem in &problems {
        check(problem);
        check(&problem.reason.to_string());
    }
    let corrupt = StoreError::Corrupt {
        table: "submission",
        key: "01hzy3v9k4d5e6f7g8h9jkmnpq".to_owned(),
        source: "canary".parse::<kyc_core::Email>().unwrap_err().into(),
    };
    let errors =
        [Error::Form(problems), Error::Store(corrupt), Error::NotFound, Error::UnknownPageKey];
    for error in errors {
        check(&error);
        check(&error.to_string());
        let mut cause = error.source();
        while let Some(error) = cause {
            check(&error.to_string());
            cause = error.source();
        }
    }
}

#[test]
fn masked_values_still_say_what_they_are() {
    #[track_caller]
    fn says(value: &dyn Debug, expected: &str) {
        assert_eq!(format!("{value:?}"), expected);
    }
    let submission = well_travelled();
    let form = submission.form();
    let known = form.identification().unwrap();
    says(&form.email, "Email(***)");
    says(&form.user_id, "Some(UserId(***))");
    says(&form.applicant, "Applicant(***)");
    says(&form.applicant.first_name, "PersonName(***)");
    says(&form.applicant.birth_date, "BirthDate(***)");
    says(&form.applicant.nationality, "Country(***)");
    says(&submission.person_key(), "PersonKey(***)");
    says(&known.id_number, "Some(IdNumber(***))");
    says(&known.wallet_address, "Some(WalletAddress(***))");
    says(&known.estimated_amount, "Some(FreeText(***))");
    says(&known.evidence.address(), "AddressParts(***)");
    says(&known.evidence.address().street, "Some(AddressPart(***))");
    says(&document(DocumentKind::GovernmentId), "DocumentHandle(governmentid_***)");
    says(&client_record(1).prefix, "ClientPrefix(1000000000)");
    says(&Subject::of(form), "Subject(***)");
    says(&valid::<EnglishComment>("A canary."), "EnglishComment(***)");
    says(&screening().hits, "[Hit(sample, ***)]");
    says(&screening().hits[0].key(), "HitKey(sample, ***)");
    says(&fact("Canary"), "Fact(name, ***)");
    says(&FactChange::between(&[], &[fact("Canary")]), "[FactChange(name, ***)]");
    let (hit, note) = (screening().hits[0].key(), valid("A canary."));
    says(&Decision::Hit { hit, verdict: None, note }, "Hit(***)");
    says(&Decision::Acknowledge, "Acknowledge");
    says(&Basis::Declared, "Declared");
    says(&Listed::from(&submission), &format!("Listed({}, ***)", submission.id()));
    let (id_expires, address_issued) = (date!(2033 - 04 - 09), None);
    says(&Basis::Inspected { id_expires, address_issued }, "Inspected(***)");
    says(&Decision::Approve { id_expires, address_issued }, "Approve(***)");
    let comment = valid("A canary.");
    says(&Decision::Reject { comment, reason_codes: Vec::new() }, "Reject(***)");
    says(&Decision::Retake { documents: Slots::NONE, comment: None }, "Retake(***)");
    says(&Decision::Reopen { reason: valid("A canary.") }, "Reopen(***)");
    says(&MemoryDocuments::default(), "MemoryDocuments { .. }");
    says(&MemoryDirectory::default(), "MemoryDirectory { .. }");
    let evidence = format!("{:?}", known.evidence);
    assert_eq!(
        format!("{known:?}"),
        format!("Identification {{ id_type: DriversLicense, evidence: {evidence}, .. }}")
    );
}

#[test]
fn every_canary_can_be_seen_where_it_is_asked_for() {
    // So that the search above finds what it looks for.
    let submission = well_travelled();
    let form = submission.form();
    let sent = SentForm::of(form);
    let seen: String = sent.texts.values().map(String::as_str).collect::<Vec<_>>().join(" ");
    for canary in [
        "Canary",
        "CANARY",
        "канарейка",
        "1987",
        "06-05",
        "Bhutan",
        "BTN",
        "Gabon",
        "GAB",
        "male",
        "203.0.113.77",
    ] {
        assert!(seen.contains(canary), "{canary}");
    }
    assert!(sent.texts.keys().copied().eq(Field::ALL), "every field is filled");
}
