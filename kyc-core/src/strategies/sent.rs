//! Forms as clients send them: a text for each field.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use time::Date;

use super::form::forms;
use crate::{
    AddressPart, Country, CountrySyntax, DocumentHandle, Field, Form, FreeText, IdNumber, IdType,
    PersonName, Problem, Scope, Slot, UserId, WalletAddress,
};

/// A form as a client sends it, and the documents that the client has uploaded before.
///
/// `Debug` shows everything: the values are invented.
///
/// ```
/// use kyc_core::strategies::{SentForm, forms};
/// use kyc_core::CountrySyntax;
/// use proptest::prelude::*;
/// use time::macros::date;
///
/// proptest!(|(form in forms())| {
///     let parsed = SentForm::of(&form).parse(CountrySyntax::Combined, date!(2026 - 11 - 20));
///     prop_assert_eq!(parsed, Ok(form));
/// });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentForm {
    /// Whether screening alone is asked for.
    pub is_aml_only: bool,
    /// The text of each field that is sent.
    pub texts: BTreeMap<Field, String>,
    /// The client's own documents.
    pub documents: Vec<DocumentHandle>,
}

impl SentForm {
    /// Writes a form as texts, in canonical spelling; every document that it refers to is the
    /// client's own.
    pub fn of(form: &Form) -> Self {
        let person = &form.applicant;
        let mut texts = BTreeMap::new();
        let mut send = |field, text: Option<&str>| {
            texts.extend(text.map(|text| (field, text.to_owned())));
        };
        send(Field::UserId, form.user_id.as_ref().map(UserId::as_str));
        send(Field::Email, Some(form.email.as_str()));
        send(Field::FirstName, Some(person.first_name.as_str()));
        send(Field::MiddleName, person.middle_name.as_ref().map(PersonName::as_str));
        send(Field::LastName, Some(person.last_name.as_str()));
        send(Field::Nationality, Some(person.nationality.combined()));
        send(Field::DateOfBirth, Some(&person.birth_date.date().to_string()));
        send(Field::Gender, Some(person.gender.as_str()));
        let Scope::Identity(known) = &form.scope else {
            return Self { is_aml_only: true, texts, documents: Vec::new() };
        };

        send(Field::IdType, Some(known.id_type.as_str()));
        send(Field::IdNumber, known.id_number.as_ref().map(IdNumber::as_str));
        let address = known.evidence.address();
        send(Field::AddressStreet, address.street.map(AddressPart::as_str));
        send(Field::AddressCity, address.city.map(AddressPart::as_str));
        send(Field::AddressState, address.state.map(AddressPart::as_str));
        send(Field::AddressZipcode, address.zipcode.map(AddressPart::as_str));
        send(Field::AddressCountry, address.country.map(Country::combined));
        send(Field::ContributionType, known.contribution_type.as_ref().map(FreeText::as_str));
        send(Field::WalletAddress, known.wallet_address.as_ref().map(WalletAddress::as_str));
        send(Field::EstimatedAmount, known.estimated_amount.as_ref().map(FreeText::as_str));
        send(Field::KycLevel, Some(known.evidence.level().as_str()));
        for (field, wallet) in Field::EXTRA_WALLETS.into_iter().zip(&known.extra_wallets) {
            send(field, wallet.as_ref().map(WalletAddress::as_str));
        }
        for (field, text) in Field::CUSTOM.into_iter().zip(&known.custom) {
            send(field, text.as_ref().map(FreeText::as_str));
        }
        send(Field::IpAddress, known.ip_address.map(|address| address.to_string()).as_deref());

        let slots = Slot::ALL.map(|slot| known.evidence.document(slot).copied());
        let documents: Vec<(Field, DocumentHandle)> = Field::HANDLES
            .into_iter()
            .zip(slots.into_iter().chain(known.extra_images))
            .filter_map(|(field, handle)| Some((field, handle?)))
            .collect();
        for (field, handle) in &documents {
            send(*field, Some(&handle.to_text()));
        }
        let documents = documents.into_iter().map(|(_, handle)| handle).collect();
        Self { is_aml_only: false, texts, documents }
    }

    /// Reads the texts as the service does.
    ///
    /// # Errors
    ///
    /// Every problem of the form, in the order of the fields.
    pub fn parse(&self, countries: CountrySyntax, today: Date) -> Result<Form, Vec<Problem>> {
        let values = |field: Field| self.texts.get(&field).map(String::as_str);
        if self.is_aml_only {
            Form::parse_aml_only(&values, countries, today)
        } else {
            Form::parse(&values, countries, today, &self.documents)
        }
    }
}

/// Valid forms as clients send them, with what they read as: surrounded by spaces, words in any
/// letter case (D18), both spellings of a government id (D19).
pub fn sent_forms() -> impl Strategy<Value = (Form, SentForm)> {
    let habits = (select(&["", " ", "\t \u{a0}"]), any::<bool>(), any::<bool>());
    (forms(), habits).prop_map(|(form, (margin, is_loud, is_joined))| {
        let mut sent = SentForm::of(&form);
        for field in [Field::Gender, Field::IdType, Field::KycLevel] {
            let Some(word) = sent.texts.get_mut(&field) else { continue };
            if is_joined && *word == IdType::GovernmentId.as_str() {
                "governmentid".clone_into(word);
            }
            if is_loud {
                *word = word.to_uppercase();
            }
        }
        for text in sent.texts.values_mut() {
            *text = format!("{margin}{text}{margin}");
        }
        (form, sent)
    })
}

/// Forms in which fields were left out, left blank, mixed up or filled with anything, and
/// documents that are not the client's own. Some are still valid.
pub fn damaged_forms() -> impl Strategy<Value = SentForm> {
    let damage = (select(&Field::ALL), damaged_texts());
    (sent_forms(), vec(damage, 0..6), any::<bool>()).prop_map(|((_, mut sent), damages, forget)| {
        for (field, text) in damages {
            match text {
                Some(text) => sent.texts.insert(field, text),
                None => sent.texts.remove(&field),
            };
        }
        if forget {
            sent.documents.pop();
        }
        sent
    })
}

fn damaged_texts() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        1 => Just(None),
        1 => Just(Some(" ".to_owned())),
        1 => "[a-z0-9@., -]{0,20}".prop_map(Some),
        1 => "(?s).{0,300}".prop_map(Some),
        1 => "[a-z]{1000,1100}".prop_map(Some),
    ]
}
