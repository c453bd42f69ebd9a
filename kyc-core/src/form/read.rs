use time::Date;

use super::{
    Address, CountrySyntax, Evidence, Form, Identification, PartialAddress, Scope, Values,
};
use crate::field::Reader;
use crate::{
    Applicant, BirthDate, DocumentHandle, DocumentKind, Email, Field, IdType, InvalidHandle, Level,
    Problem, UserId,
};

impl Form {
    /// Reads the form of an identity review.
    ///
    /// `documents` are the client's own documents among those that the form refers to; a handle
    /// that is not among them is refused, whether unknown or another client's (D13).
    ///
    /// ```
    /// use kyc_core::{CountrySyntax, Field, Form};
    /// use time::macros::date;
    ///
    /// let selfie = "k3v9x0q2ab/selfie_01hzy3v9k4d5e6f7g8h9jkmnpq";
    /// let passport = "k3v9x0q2ab/passport_01hzy3v9k4d5e6f7g8h9jkmnpr";
    /// let value = |field| match field {
    ///     Field::Email => Some("mira@example.org"),
    ///     Field::FirstName => Some("Mira"),
    ///     Field::LastName => Some("Kole"),
    ///     Field::Nationality => Some("Albania, ALB"),
    ///     Field::DateOfBirth => Some("1990-05-17"),
    ///     Field::Gender => Some("female"),
    ///     Field::IdType => Some("passport"),
    ///     Field::KycLevel => Some("L1"),
    ///     Field::PhotoId => Some(passport),
    ///     Field::Selfie => Some(selfie),
    ///     _ => None,
    /// };
    /// let read = |documents: &[&str]| {
    ///     let documents: Vec<_> = documents.iter().flat_map(|text| text.parse()).collect();
    ///     Form::parse(&value, CountrySyntax::Combined, date!(2026 - 11 - 20), &documents)
    /// };
    /// assert!(read(&[passport, selfie]).is_ok());
    ///
    /// let problems = read(&[passport]).unwrap_err();
    /// assert_eq!(problems[0].field, Field::Selfie);
    /// let reason = problems[0].reason.to_string();
    /// assert_eq!(reason, "must be the filehash of an uploaded document");
    /// ```
    ///
    /// # Errors
    ///
    /// Every problem of the form, in the order of the fields.
    pub fn parse(
        values: Values<'_>,
        countries: CountrySyntax,
        today: Date,
        documents: &[DocumentHandle],
    ) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader::new(values);
        let person = Person::read(&mut reader, countries, today);
        let identification = read_identification(&mut reader, countries, documents);
        let complete = || Some(person?.with(Scope::Identity(Box::new(identification?))));
        let form = complete();
        reader.finish(form)
    }

    /// Reads the form of an AML-only submission.
    ///
    /// # Errors
    ///
    /// Every problem of the form, in the order of the fields.
    pub fn parse_aml_only(
        values: Values<'_>,
        countries: CountrySyntax,
        today: Date,
    ) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader::new(values);
        let form =
            Person::read(&mut reader, countries, today).map(|person| person.with(Scope::AmlOnly));
        reader.finish(form)
    }
}

/// What both kinds of form have in common.
struct Person {
    email: Email,
    user_id: Option<UserId>,
    applicant: Applicant,
}

impl Person {
    fn read(reader: &mut Reader<'_>, countries: CountrySyntax, today: Date) -> Option<Self> {
        let user_id = reader.optional(Field::UserId);
        let email = reader.required(Field::Email);
        let first_name = reader.required(Field::FirstName);
        let middle_name = reader.optional(Field::MiddleName);
        let last_name = reader.required(Field::LastName);
        let nationality = reader.required_by(Field::Nationality, |text| countries.parse(text));
        let birth_date =
            reader.required_by(Field::DateOfBirth, |text| BirthDate::parse(text, today));
        let gender = reader.required(Field::Gender);
        Some(Self {
            email: email?,
            user_id,
            applicant: Applicant {
                first_name: first_name?,
                middle_name,
                last_name: last_name?,
                nationality: nationality?,
                birth_date: birth_date?,
                gender: gender?,
            },
        })
    }

    fn with(self, scope: Scope) -> Form {
        let Self { email, user_id, applicant } = self;
        Form { email, user_id, applicant, scope }
    }
}

fn read_identification(
    reader: &mut Reader<'_>,
    countries: CountrySyntax,
    documents: &[DocumentHandle],
) -> Option<Identification> {
    let id_type = reader.required::<IdType>(Field::IdType);
    let id_number = reader.optional(Field::IdNumber);
    let level = reader.required(Field::KycLevel);
    let photo_id = required_document(reader, Field::PhotoId, documents);
    let selfie = required_document(reader, Field::Selfie, documents);
    let contribution_type = reader.optional(Field::ContributionType);
    let wallet_address = reader.optional(Field::WalletAddress);
    let estimated_amount = reader.optional(Field::EstimatedAmount);
    let extra_wallets = Field::EXTRA_WALLETS.map(|field| reader.optional(field));
    let extra_images = Field::EXTRA_IMAGES.map(|field| optional_document(reader, field, documents));
    let custom = Field::CUSTOM.map(|field| reader.optional(field));
    let ip_address = reader.optional_by(Field::IpAddress, |text| {
        text.parse().map_err(|_| "must be an IPv4 address in dotted form")
    });
    let evidence = match level {
        // Without a level, what only one level asks for is not reported as missing.
        None | Some(Level::L1) => {
            let address = PartialAddress {
                street: reader.optional(Field::AddressStreet),
                city: reader.optional(Field::AddressCity),
                state: reader.optional(Field::AddressState),
                zipcode: reader.optional(Field::AddressZipcode),
                country: reader.optional_by(Field::AddressCountry, |text| countries.parse(text)),
            };
            let proof = optional_document(reader, Field::AddressProof, documents);
            Evidence::L1 { photo_id: photo_id?, selfie: selfie?, address, proof }
        }
        Some(Level::L2) => {
            let street = reader.required(Field::AddressStreet);
            let city = reader.required(Field::AddressCity);
            let state = reader.required(Field::AddressState);
            let zipcode = reader.required(Field::AddressZipcode);
            let country = reader.required_by(Field::AddressCountry, |text| countries.parse(text));
            let proof = required_document(reader, Field::AddressProof, documents);
            let address = Address {
                street: street?,
                city: city?,
                state: state?,
                zipcode: zipcode?,
                country: country?,
            };
            Evidence::L2 { photo_id: photo_id?, selfie: selfie?, address, proof: proof? }
        }
    };
    Some(Identification {
        id_type: id_type?,
        id_number,
        evidence,
        contribution_type,
        wallet_address,
        estimated_amount,
        extra_wallets,
        extra_images,
        custom,
        ip_address,
    })
}

fn required_document(
    reader: &mut Reader<'_>,
    field: Field,
    documents: &[DocumentHandle],
) -> Option<DocumentHandle> {
    reader.required_by(field, |text| document_for(field, text, documents))
}

pub(crate) fn optional_document(
    reader: &mut Reader<'_>,
    field: Field,
    documents: &[DocumentHandle],
) -> Option<DocumentHandle> {
    reader.optional_by(field, |text| document_for(field, text, documents))
}

/// Finds the document that `text` refers to and checks that it fits the field (D27).
fn document_for(
    field: Field,
    text: &str,
    documents: &[DocumentHandle],
) -> Result<DocumentHandle, UnfitDocument> {
    let handle: DocumentHandle = text.parse()?;
    if !documents.contains(&handle) {
        return Err(UnfitDocument::Unknown);
    }
    let fits = match handle.kind() {
        DocumentKind::Passport | DocumentKind::GovernmentId | DocumentKind::DriversLicense => {
            field == Field::PhotoId
        }
        DocumentKind::Selfie => field == Field::Selfie,
        DocumentKind::Address => field == Field::AddressProof,
        DocumentKind::Other => Field::EXTRA_IMAGES.contains(&field),
    };
    if fits { Ok(handle) } else { Err(UnfitDocument::WrongKind(field)) }
}

/// Why a document cannot stand in a field.
#[derive(Debug, thiserror::Error)]
enum UnfitDocument {
    #[error(transparent)]
    NoHandle(#[from] InvalidHandle),
    // The same words as for what is no handle at all: unknown and another client's answer alike.
    #[error("{InvalidHandle}")]
    Unknown,
    #[error("must be uploaded as {}", kind_for(*.0))]
    WrongKind(Field),
}

fn kind_for(field: Field) -> &'static str {
    if field == Field::PhotoId {
        "a passport, government id or driver's license"
    } else if field == Field::Selfie {
        "a selfie"
    } else if field == Field::AddressProof {
        "an address document"
    } else {
        "an additional image, with the type `other`"
    }
}
