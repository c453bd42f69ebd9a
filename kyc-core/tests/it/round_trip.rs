//! What is printed reads as the same value again, for every type with a text.

use std::fmt::Debug;
use std::str::FromStr;

use kyc_core::{Country, Gender, IdType, Level, Status, strategies};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn same<T>(value: &T, text: &str) -> Result<(), TestCaseError>
where
    T: FromStr<Err: Debug> + PartialEq + Debug,
{
    let read = text.parse::<T>();
    prop_assert!(read.is_ok_and(|read| read == *value), "{}", text);
    Ok(())
}

proptest! {
    #[test]
    fn emails(email in strategies::emails()) {
        same(&email, email.as_str())?;
        same(&email, email.canonical())?;
    }

    #[test]
    fn person_names(name in strategies::person_names()) {
        same(&name, name.as_str())?;
    }

    #[test]
    fn address_parts(part in strategies::address_parts()) {
        same(&part, part.as_str())?;
    }

    #[test]
    fn user_ids(id in strategies::user_ids()) {
        same(&id, id.as_str())?;
    }

    #[test]
    fn id_numbers(number in strategies::id_numbers()) {
        same(&number, number.as_str())?;
    }

    #[test]
    fn free_texts(text in strategies::free_texts()) {
        same(&text, text.as_str())?;
    }

    #[test]
    fn comments(comment in strategies::comments()) {
        same(&comment, comment.as_str())?;
    }

    #[test]
    fn reason_codes(code in strategies::reason_codes()) {
        same(&code, code.as_str())?;
    }

    #[test]
    fn account_names(name in strategies::account_names()) {
        same(&name, name.as_str())?;
        same(&name, &name.to_string())?;
    }

    #[test]
    fn wallet_addresses(wallet in strategies::wallet_addresses()) {
        same(&wallet, wallet.as_str())?;
    }

    #[test]
    fn client_numbers(client in strategies::client_ids()) {
        prop_assert_eq!(kyc_core::ClientId::new(client.get()), Some(client));
    }
}

#[test]
fn words() {
    for gender in [Gender::Female, Gender::Male] {
        assert_eq!(gender.as_str().parse(), Ok(gender));
    }
    for id_type in [IdType::Passport, IdType::GovernmentId, IdType::DriversLicense] {
        assert_eq!(id_type.as_str().parse(), Ok(id_type));
    }
    for level in [Level::L1, Level::L2] {
        assert_eq!(level.as_str().parse(), Ok(level));
    }
    for status in Status::ALL {
        assert_eq!(status.as_str().parse(), Ok(status));
    }
    for country in Country::all() {
        assert_eq!(country.to_string().parse(), Ok(country));
    }
}
