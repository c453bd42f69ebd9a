//! Texts with a rule.

use std::fmt::Debug;
use std::str::FromStr;

use proptest::prelude::*;
use proptest::sample::select;

use crate::{
    AccountName, AddressPart, Email, EnglishComment, FreeText, IdNumber, PersonName, ReasonCode,
    UserId, WalletAddress,
};

/// E-mail addresses in many spellings: mixed case, tags, other scripts, international domains.
///
/// ```
/// use kyc_core::Email;
/// use kyc_core::strategies::emails;
/// use proptest::prelude::*;
///
/// proptest!(|(email in emails())| {
///     prop_assert_eq!(email.as_str().parse::<Email>(), Ok(email));
/// });
/// ```
pub fn emails() -> impl Strategy<Value = Email> {
    let locals = prop_oneof![
        4 => "[A-Za-z0-9!$&'*+=^_`{|}~-]{1,12}(\\.[A-Za-z0-9+_-]{1,8}){0,2}",
        1 => "[A-ZÀ-ÖØ-öø-ÿΑ-ΡΣ-ωА-я]{1,10}",
        1 => "[a-zA-Z]\u{301}[a-z]{0,5}",
    ];
    let domains = prop_oneof![
        4 => "[a-zA-Z0-9]{1,10}(-[a-z0-9]{1,6})?\\.(org|example|co\\.uk|Example)",
        1 => select(&[
            "bücher.example", "BÜCHER.example", "xn--bcher-kva.example", "例え.jp", "почта.рф",
        ])
        .prop_map(str::to_owned),
    ];
    valid((locals, domains).prop_map(|(local, domain)| format!("{local}@{domain}")))
}

/// Names in many scripts, of one word or two.
pub fn person_names() -> impl Strategy<Value = PersonName> {
    let words = || {
        prop_oneof![
            4 => "[A-Z][a-z]{0,14}",
            2 => "[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{1,10}",
            1 => "[A-Z]'[A-Z][a-z]{1,8}-[A-Z][a-z]{1,8}",
            1 => "[A-Z][aeiou]\u{308}[a-z]{0,6}",
            1 => "[А-Я][а-я]{1,12}",
            1 => "[Α-ΡΣ-Ω][α-ω]{1,12}",
            1 => "[\u{621}-\u{64a}]{2,10}",
            1 => "[\u{5d0}-\u{5ea}]{2,8}",
            1 => "[\u{4e00}-\u{9fa5}]{1,3}",
            1 => "[\u{30a1}-\u{30fa}]{2,8}",
            1 => "[가-힣]{1,3}",
            1 => "([\u{915}-\u{939}][\u{93e}-\u{94c}]?){1,5}",
        ]
    };
    valid(prop_oneof![
        4 => words(),
        1 => (words(), words()).prop_map(|(one, other)| format!("{one} {other}")),
    ])
}

/// The caller's own ids of applicants.
pub fn user_ids() -> impl Strategy<Value = UserId> {
    valid(prop_oneof![3 => "[a-z0-9-]{1,36}", 1 => "\\PC{1,128}"])
}

/// Streets, cities, states and postal codes.
pub fn address_parts() -> impl Strategy<Value = AddressPart> {
    valid(prop_oneof![3 => "[0-9]{1,4} [A-Z][a-zß-ÿ]{2,20}", 1 => "\\PC{1,60}"])
}

/// Numbers of identity documents.
pub fn id_numbers() -> impl Strategy<Value = IdNumber> {
    valid(prop_oneof![3 => "[A-Z0-9<-]{4,14}", 1 => "\\PC{1,40}"])
}

/// Free texts.
pub fn free_texts() -> impl Strategy<Value = FreeText> {
    valid(prop_oneof![3 => "[a-zA-Z0-9 .,]{1,40}", 1 => "\\PC{1,80}"])
}

/// Comments of inspectors.
pub fn comments() -> impl Strategy<Value = EnglishComment> {
    valid("[A-Z][a-zé ,0-9]{1,60}\\.")
}

/// Reason codes.
pub fn reason_codes() -> impl Strategy<Value = ReasonCode> {
    valid("[a-z0-9_]{1,64}")
}

/// Names of clients and inspectors.
pub fn account_names() -> impl Strategy<Value = AccountName> {
    valid("[a-z0-9][a-z0-9._-]{0,63}")
}

/// Addresses of digital currencies.
pub fn wallet_addresses() -> impl Strategy<Value = WalletAddress> {
    valid(prop_oneof![3 => "0x[0-9a-fA-F]{40}", 1 => "[!-~]{1,128}"])
}

/// The values that `texts` reads as. Few are refused, so that hardly anything is thrown away.
fn valid<T: FromStr + Debug + 'static>(
    texts: impl Strategy<Value = String> + 'static,
) -> impl Strategy<Value = T> {
    // Boxed, here and where parts are put together: value trees are large, and a form has many.
    texts.prop_filter_map("a valid text", |text| text.parse().ok()).boxed()
}
