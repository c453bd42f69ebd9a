//! Values without a text of their own: countries, days, ids, people.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use time::Date;

use super::text::person_names;
use crate::{
    Applicant, BirthDate, ClientId, ClientPrefix, Country, DocumentHandle, DocumentId,
    DocumentKind, Gender, Slot, Slots, Spelling, SubmissionId, Timestamp,
};

/// Every country of the value list.
pub fn countries() -> impl Strategy<Value = Country> {
    select(Country::all().collect::<Vec<_>>())
}

/// Both genders of the interface.
pub fn genders() -> impl Strategy<Value = Gender> {
    select(&[Gender::Female, Gender::Male])
}

/// Dates of birth from 1900 to the end of 2020, leap days and both ends among them.
pub fn birth_dates() -> impl Strategy<Value = BirthDate> {
    const DAYS: u32 = 44_194;
    prop_oneof![8 => 0..=DAYS, 1 => select(&[0, 59, DAYS])]
        .prop_filter_map("a day", BirthDate::from_days)
}

/// Calendar days of the years 1 to 9999, most of them near our time.
pub fn dates() -> impl Strategy<Value = Date> {
    prop_oneof![8 => 1950..2100_i32, 1 => 1..=9999_i32]
        .prop_flat_map(|year| (Just(year), 1..=365_u16))
        .prop_filter_map("a day", |(year, day)| Date::from_ordinal_date(year, day).ok())
}

/// Points in time, most of them near ours.
pub fn timestamps() -> impl Strategy<Value = Timestamp> {
    let whole = Timestamp::EARLIEST.unix_millis()..=Timestamp::LATEST.unix_millis();
    prop_oneof![8 => 1_000_000_000_000..2_000_000_000_000_i64, 1 => whole]
        .prop_filter_map("a time", Timestamp::from_unix_millis)
}

/// Numbers of clients.
pub fn client_ids() -> impl Strategy<Value = ClientId> {
    (1..=ClientId::MAX).prop_filter_map("a client's number", ClientId::new)
}

/// Prefixes of handles.
pub fn client_prefixes() -> impl Strategy<Value = ClientPrefix> {
    any::<[u8; 16]>().prop_map(ClientPrefix::from_random)
}

/// Ids of submissions, of any time.
pub fn submission_ids() -> impl Strategy<Value = SubmissionId> {
    any::<[u8; 16]>().prop_map(SubmissionId::from_bytes)
}

/// Ids of documents, of any time.
pub fn document_ids() -> impl Strategy<Value = DocumentId> {
    any::<[u8; 16]>().prop_map(DocumentId::from_bytes)
}

/// Handles of documents of one of these kinds, in both spellings.
///
/// # Panics
///
/// When there are no kinds.
pub fn document_handles(kinds: &'static [DocumentKind]) -> impl Strategy<Value = DocumentHandle> {
    let spellings = select(&[Spelling::Joined, Spelling::Underscored]);
    (client_prefixes(), select(kinds), spellings, document_ids())
        .prop_map(|(prefix, kind, spelling, id)| DocumentHandle::new(prefix, kind, spelling, id))
}

/// Sets of slots, the empty one among them.
pub fn slots() -> impl Strategy<Value = Slots> {
    subsequence(&Slot::ALL, 0..=Slot::ALL.len()).prop_map(|slots| slots.into_iter().collect())
}

/// People.
pub fn applicants() -> impl Strategy<Value = Applicant> {
    let names = (person_names(), option::of(person_names()), person_names());
    (names, countries(), birth_dates(), genders())
        .prop_map(|((first_name, middle_name, last_name), nationality, birth_date, gender)| {
            Applicant { first_name, middle_name, last_name, nationality, birth_date, gender }
        })
        .boxed()
}
