//! Applicants, forms and submissions to test with. All people are invented.
//!
//! Forms have public fields, so a test changes what it is about by struct update:
//!
//! ```
//! use kyc_core::Form;
//! use kyc_core::conformance::fixture::{approved, form, submission, valid};
//!
//! let leo = Form { email: valid("leo@example.org"), ..form() };
//! let submission = approved(submission(2, leo));
//! assert!(submission.review().aml().is_some());
//! ```

mod reviewed;

use std::fmt::Debug;
use std::str::FromStr;

use time::Date;
use time::macros::date;

use crate::{
    Address, Answer, Applicant, BirthDate, Caller, Client, ClientId, ClientPrefix, DocumentHandle,
    DocumentId, DocumentKind, Evidence, Field, Fingerprint, Form, Gender, IdType, Identification,
    Inspector, KeyedRequest, PartialAddress, Replay, Scope, Spelling, Submission, SubmissionId,
    Timestamp,
};

pub use reviewed::{
    acknowledged, altered, approved, cleared, confirmed, every_state, hit, hit_decision,
    incomplete, list_version, rejected, reopened, rescreened, rescreened_altered, screened,
    screening, stalled,
};

/// The day on which tests take place.
pub const TODAY: Date = date!(2026 - 11 - 20);

/// A submission with nothing remarkable about it: level 1, pending, the first of its applicant.
pub fn sample() -> Submission {
    submission(1, form())
}

/// A new submission; its id and creation order by `number`, one second apart.
pub fn submission(number: u32, form: Form) -> Submission {
    Submission::new(form, submission_id(number), time(number))
}

/// Level 1, with what is required and no more.
pub fn form() -> Form {
    Form {
        email: valid("mira.kole@example.org"),
        user_id: None,
        applicant: applicant(),
        scope: identity(identification(Evidence::L1 {
            photo_id: handle(DocumentKind::Passport, 1),
            selfie: handle(DocumentKind::Selfie, 2),
            address: PartialAddress::default(),
            proof: None,
        })),
    }
}

/// Level 2, with what is required and no more.
pub fn form_l2() -> Form {
    let evidence = Evidence::L2 {
        photo_id: handle(DocumentKind::GovernmentId, 1),
        selfie: handle(DocumentKind::Selfie, 2),
        address: Address {
            street: valid("12 Harbour Lane"),
            city: valid("Vlorë"),
            state: valid("Vlorë County"),
            zipcode: valid("9401"),
            country: valid("Albania, ALB"),
        },
        proof: handle(DocumentKind::Address, 3),
    };
    Form { scope: identity(identification(evidence)), ..form() }
}

/// Screening alone, with what is required and no more.
pub fn form_aml_only() -> Form {
    Form { scope: Scope::AmlOnly, ..form() }
}

/// The texts of [`form_aml_only`], as a client sends them.
///
/// ```
/// use kyc_core::conformance::fixture::{TODAY, form_aml_only, sent};
/// use kyc_core::{CountrySyntax, Form};
///
/// let form = Form::parse_aml_only(&sent, CountrySyntax::Combined, TODAY);
/// assert_eq!(form, Ok(form_aml_only()));
/// ```
pub fn sent(field: Field) -> Option<&'static str> {
    let texts = [
        (Field::Email, "mira.kole@example.org"),
        (Field::FirstName, "Mira"),
        (Field::LastName, "Kole"),
        (Field::Nationality, "Albania, ALB"),
        (Field::DateOfBirth, "1990-05-17"),
        (Field::Gender, "female"),
    ];
    texts.into_iter().find(|(of, _)| *of == field).map(|(_, text)| text)
}

/// Level 1 with every optional field, each with another value.
pub fn form_full() -> Form {
    let evidence = Evidence::L1 {
        photo_id: handle(DocumentKind::DriversLicense, 1),
        selfie: handle(DocumentKind::Selfie, 2),
        address: PartialAddress {
            street: Some(valid("Straße des 17. Juni 135")),
            city: Some(valid("Berlin")),
            state: None,
            zipcode: Some(valid("10623")),
            country: Some(valid("Germany, DEU")),
        },
        proof: Some(handle(DocumentKind::Address, 3)),
    };
    let identification = Identification {
        id_type: IdType::DriversLicense,
        id_number: Some(valid("D-7741-ÄÖ")),
        evidence,
        contribution_type: Some(valid("ETH")),
        wallet_address: Some(valid("0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B")),
        estimated_amount: Some(valid("about 3,000 €")),
        extra_wallets: [Some(valid("bc1qexample0")), None, Some(valid("bc1qexample2"))],
        extra_images: [
            None,
            Some(handle(DocumentKind::Other, 4)),
            None,
            Some(handle(DocumentKind::Other, 5)),
        ],
        custom: [Some(valid("first \"custom\" field")), Some(valid("второе поле")), None],
        ip_address: Some(valid("203.0.113.7")),
    };
    Form {
        email: valid("Zoe.Quill+kyc@Bücher.Example"),
        user_id: Some(valid("user-1")),
        applicant: Applicant {
            first_name: valid("Zoë"),
            middle_name: Some(valid("Анна 𐍈")),
            last_name: valid("de la O'Quill"),
            nationality: valid("Cote dIvoire, CIV"),
            birth_date: born(date!(1900 - 01 - 01)),
            gender: Gender::Female,
        },
        scope: identity(identification),
    }
}

/// Mira Kole, born on 17 May 1990 in Albania.
pub fn applicant() -> Applicant {
    Applicant {
        first_name: valid("Mira"),
        middle_name: None,
        last_name: valid("Kole"),
        nationality: valid("Albania, ALB"),
        birth_date: born(date!(1990 - 05 - 17)),
        gender: Gender::Female,
    }
}

/// What an identity review works on, with what is required and no more.
pub fn identification(evidence: Evidence) -> Identification {
    Identification {
        id_type: IdType::Passport,
        id_number: None,
        evidence,
        contribution_type: None,
        wallet_address: None,
        estimated_amount: None,
        extra_wallets: [const { None }; 3],
        extra_images: [None; 4],
        custom: [const { None }; 3],
        ip_address: None,
    }
}

fn identity(identification: Identification) -> Scope {
    Scope::Identity(Box::new(identification))
}

/// A date of birth.
///
/// # Panics
///
/// When the day is no valid date of birth on [`TODAY`].
#[track_caller]
pub fn born(day: Date) -> BirthDate {
    BirthDate::new(day, TODAY).expect("a valid date of birth")
}

/// Reads a text that is known to be valid.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub fn valid<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().expect("a valid text")
}

/// Some seconds after eight o'clock in the morning of [`TODAY`].
pub fn time(seconds: u32) -> Timestamp {
    let morning = TODAY.midnight().as_utc() + time::Duration::hours(8);
    Timestamp::from_utc(morning + time::Duration::seconds(i64::from(seconds)))
}

/// The id of the submission with that number.
pub fn submission_id(number: u32) -> SubmissionId {
    SubmissionId::new(time(number), random(number))
}

/// The id of the document with that number.
pub fn document_id(number: u32) -> DocumentId {
    DocumentId::new(time(number), random(number))
}

/// The handle of the document with that number, of the first [`client_record`].
pub fn handle(kind: DocumentKind, number: u32) -> DocumentHandle {
    DocumentHandle::new(prefix(1), kind, Spelling::Underscored, document_id(number))
}

/// An answer of [`client`] 1, under a key.
///
/// # Panics
///
/// When it is no valid key.
#[track_caller]
pub fn replay(key: &str, at: Timestamp) -> Replay {
    let request = KeyedRequest {
        caller: Caller::Client(client(1)),
        key: valid(key),
        fingerprint: Fingerprint([1; 32]),
    };
    Replay { request, answer: Answer { status: 200, body: b"{\"is\":\"stored\"}".to_vec() }, at }
}

fn random(number: u32) -> [u8; 10] {
    let [a, b, c, d] = number.to_be_bytes();
    [0x5a, 0, 0, 0, 0, 0, a, b, c, d]
}

fn prefix(number: u32) -> ClientPrefix {
    ClientPrefix::from_random(u128::from(number).to_be_bytes())
}

/// The client with that number.
///
/// # Panics
///
/// When there is no such number.
#[track_caller]
pub fn client(number: u32) -> ClientId {
    ClientId::new(number).expect("a client's number")
}

/// The client with that number, its name and its prefix.
///
/// # Panics
///
/// When there is no such number.
#[track_caller]
pub fn client_record(number: u32) -> Client {
    Client { id: client(number), name: valid(&format!("client-{number}")), prefix: prefix(number) }
}

/// An inspector who sees all clients.
pub fn inspector() -> Inspector {
    Inspector { name: valid("ines"), clients: None }
}
