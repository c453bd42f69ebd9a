//! Invented applicants in any number.

use std::thread;

use kyc_core::{
    Client, CountrySyntax, DocumentHandle, DocumentId, DocumentKind, DocumentStore, Field,
    FileFormat, Form, IdSource, OsIds, Spelling, Submission, SubmissionStore, Timestamp,
};
use kyc_core::{Country, Document};
use kyc_store_sqlite::SqliteStore;
use time::macros::date;

use crate::Failure;

const GIVEN: [&str; 16] = [
    "Mira", "Jonas", "Lena", "Tarik", "Sofia", "Emil", "Nadia", "Pavel", "Aiko", "Omar", "Clara",
    "Dmitri", "Ines", "Kofi", "Ruth", "Selim",
];
const FAMILY: [&str; 16] = [
    "Kole",
    "Brandt",
    "Okafor",
    "Lindqvist",
    "Marek",
    "Sato",
    "Haddad",
    "Novak",
    "Rivera",
    "Tanaka",
    "Wick",
    "Zeman",
    "Abara",
    "Conti",
    "Duarte",
    "Falk",
];

/// The documents that every invented submission refers to.
#[derive(Debug, Clone, Copy)]
pub struct Documents {
    /// A passport.
    pub photo_id: DocumentHandle,
    /// A selfie.
    pub selfie: DocumentHandle,
}

impl Documents {
    /// Stores two small documents.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn store(store: &SqliteStore, client: &Client, at: Timestamp) -> Result<Self, Failure> {
        let put = |kind| -> Result<DocumentHandle, Failure> {
            let id: DocumentId = OsIds.document_id(at);
            let handle = DocumentHandle::new(client.prefix, kind, Spelling::Joined, id);
            let document =
                Document { handle, created_at: at, format: FileFormat::Png, size_bytes: 8 };
            store.put(client.id, &document, b"12345678")?;
            Ok(handle)
        };
        Ok(Self { photo_id: put(DocumentKind::Passport)?, selfie: put(DocumentKind::Selfie)? })
    }
}

/// The e-mail address of an applicant.
pub fn email(number: u64) -> String {
    format!("applicant-{number}@example.org")
}

/// The form of an applicant as `name=value` pairs. Every tenth has a duplicate under another
/// address, and every second a caller's id.
#[expect(clippy::indexing_slicing, reason = "indices are taken modulo the length")]
pub fn fields(number: u64, documents: &Documents) -> Vec<(Field, String)> {
    let person = if number % 10 == 1 { number - 1 } else { number };
    let place = |divisor: u64, len: usize| usize::try_from(person / divisor).unwrap_or(0) % len;
    let day = date!(1950 - 01 - 01)
        + time::Duration::days(i64::try_from(person * 7_919 % 18_000).unwrap_or(0));
    let country = Country::all().nth(place(31, Country::COUNT)).map_or("", Country::combined);
    let mut fields = vec![
        (Field::Email, email(number)),
        (Field::FirstName, GIVEN[place(1, 16)].to_owned()),
        (Field::MiddleName, GIVEN[place(16, 16)].to_owned()),
        (Field::LastName, format!("{}{}", FAMILY[place(256, 16)], FAMILY[place(7, 16)])),
        (Field::Nationality, country.to_owned()),
        (Field::DateOfBirth, day.to_string()),
        (Field::Gender, if person % 2 == 0 { "female" } else { "male" }.to_owned()),
        (Field::IdType, "passport".to_owned()),
        (Field::IdNumber, format!("X{number:08}")),
        (Field::AddressStreet, format!("{} Harbour Lane", number % 200)),
        (Field::AddressCity, "Port Example".to_owned()),
        (Field::AddressZipcode, format!("{:05}", number % 100_000)),
        (Field::EstimatedAmount, "1000".to_owned()),
        (Field::KycLevel, "L1".to_owned()),
        (Field::PhotoId, documents.photo_id.to_text()),
        (Field::Selfie, documents.selfie.to_text()),
    ];
    if number.is_multiple_of(2) {
        fields.push((Field::UserId, format!("user-{number}")));
    }
    fields
}

/// The form of an applicant.
///
/// # Errors
///
/// Never: the invented values are valid.
pub fn form(number: u64, documents: &Documents) -> Result<Form, Failure> {
    let fields = fields(number, documents);
    let value =
        |field| fields.iter().find(|(name, _)| *name == field).map(|(_, text)| text.as_str());
    let known = [documents.photo_id, documents.selfie];
    Form::parse(&value, CountrySyntax::Combined, date!(2026 - 01 - 01), &known)
        .map_err(|problems| format!("{problems:?}").into())
}

/// Inserts the applicants `from..to` from 64 threads, so that the store commits in groups.
///
/// # Errors
///
/// When the store fails.
pub fn fill(
    store: &SqliteStore,
    client: &Client,
    documents: &Documents,
    range: std::ops::Range<u64>,
    at: Timestamp,
) -> Result<(), Failure> {
    const THREADS: u64 = 64;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                let range = range.clone();
                scope.spawn(move || -> Result<(), Failure> {
                    for number in range.skip(usize::try_from(worker)?).step_by(64) {
                        let at = at.plus_millis(u32::try_from(number)?);
                        let form = form(number, documents)?;
                        let submission = Submission::new(form, OsIds.submission_id(at), at);
                        store.insert(client.id, &submission)?;
                    }
                    Ok(())
                })
            })
            .collect();
        for worker in workers {
            worker.join().map_err(|_| "a filling thread panicked")??;
        }
        Ok(())
    })
}

/// The name of a field on the wire, as a client program has it.
pub fn wire_name(field: Field) -> Option<&'static str> {
    let names = [
        (Field::Email, "email"),
        (Field::FirstName, "first_name"),
        (Field::MiddleName, "middle_name"),
        (Field::LastName, "last_name"),
        (Field::Nationality, "nationality"),
        (Field::DateOfBirth, "date_of_birth"),
        (Field::Gender, "gender"),
        (Field::IdType, "id_type"),
        (Field::IdNumber, "id_number"),
        (Field::AddressStreet, "address_street"),
        (Field::AddressCity, "address_city"),
        (Field::AddressZipcode, "address_zipcode"),
        (Field::EstimatedAmount, "estimated_amount"),
        (Field::KycLevel, "kyc_level"),
        (Field::PhotoId, "photoid_res"),
        (Field::Selfie, "selfie_res"),
        (Field::UserId, "userid"),
    ];
    names.iter().find(|(known, _)| *known == field).map(|(_, name)| *name)
}
