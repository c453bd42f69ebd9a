use std::collections::BTreeSet;

use kyc_core::{
    AccountName, ApiKeyId, ClientId, ClientPrefix, DocumentHandle, DocumentId, DocumentKind,
    Inspector, InvalidApiKeyId, InvalidHandle, InvalidId, Spelling, SubmissionId, Timestamp,
    strategies,
};
use proptest::prelude::*;

#[test]
fn d13_an_id_is_26_lower_case_characters() {
    #[track_caller]
    fn check(text: &str, is_id: bool) {
        let printed = |id: Result<String, InvalidId>| id.ok();
        let expected = is_id.then(|| text.to_owned());
        assert_eq!(printed(text.parse::<SubmissionId>().map(|id| id.to_string())), expected);
        assert_eq!(printed(text.parse::<DocumentId>().map(|id| id.to_string())), expected);
    }
    check("01hzy3v9k4d5e6f7g8h9jkmnpq", true);
    check("00000000000000000000000000", true);
    check("7zzzzzzzzzzzzzzzzzzzzzzzzz", true);
    check("80000000000000000000000000", false);
    check("zzzzzzzzzzzzzzzzzzzzzzzzzz", false);
    check("01HZY3V9K4D5E6F7G8H9JKMNPQ", false);
    check("01hzy3v9k4d5e6f7g8h9jkmnp", false);
    check("01hzy3v9k4d5e6f7g8h9jkmnpq0", false);
    check("", false);
    check(" 1hzy3v9k4d5e6f7g8h9jkmnpq", false);
    check("01hzy3v9k4d5e6f7g8h9jkmnp\0", false);
    // Letters that are taken for digits are in no id.
    for letter in ["i", "l", "o", "u", "-", "é"] {
        check(&format!("01hzy3v9k4d5e6f7g8h9jkmnp{letter}"), false);
    }
}

#[test]
fn d13_an_id_is_time_and_then_randomness() {
    let id = |millis, random| {
        let at = Timestamp::from_unix_millis(millis).unwrap();
        let (submission, document) = (SubmissionId::new(at, random), DocumentId::new(at, random));
        assert_eq!(submission.to_bytes(), document.to_bytes());
        submission.to_string()
    };
    assert_eq!(id(0, [0; 10]), "00000000000000000000000000");
    assert_eq!(id(0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), "00000000000000000000000001");
    assert_eq!(id(1, [0; 10]), "00000000010000000000000000");
    assert_eq!(id(1_469_918_176_385, [0xff; 10]), "01aryz6s41zzzzzzzzzzzzzzzz");
    let at = 0x0102_0304_0506_i64;
    let bytes = SubmissionId::new(Timestamp::from_unix_millis(at).unwrap(), [7; 10]).to_bytes();
    assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]);
}

#[test]
fn ids_of_submissions_and_documents_say_which_they_are() {
    let (submission, document) =
        (SubmissionId::from_bytes([0; 16]), DocumentId::from_bytes([0; 16]));
    assert_eq!(format!("{submission:?}"), "SubmissionId(00000000000000000000000000)");
    assert_eq!(format!("{document:?}"), "DocumentId(00000000000000000000000000)");
    assert_eq!(InvalidId.to_string(), "must be 26 lower-case letters and digits");
}

#[test]
fn d13_a_handle_is_a_prefix_a_kind_and_an_id() {
    #[track_caller]
    fn reads(text: &str, kind: DocumentKind, word: &str) {
        let handle: DocumentHandle = text.parse().unwrap();
        assert_eq!((handle.kind(), handle.word()), (kind, word));
        assert_eq!(handle.id().to_string(), "01hzy3v9k4d5e6f7g8h9jkmnpq");
        assert_eq!(handle.to_text(), text);
    }
    reads("k3v9x0q2ab/passport_01hzy3v9k4d5e6f7g8h9jkmnpq", DocumentKind::Passport, "passport");
    reads(
        "k3v9x0q2ab/governmentid_01hzy3v9k4d5e6f7g8h9jkmnpq",
        DocumentKind::GovernmentId,
        "governmentid",
    );
    reads(
        "k3v9x0q2ab/government_id_01hzy3v9k4d5e6f7g8h9jkmnpq",
        DocumentKind::GovernmentId,
        "government_id",
    );
    reads(
        "0000000000/drivers_license_01hzy3v9k4d5e6f7g8h9jkmnpq",
        DocumentKind::DriversLicense,
        "drivers_license",
    );
    reads("zzzzzzzzzz/selfie_01hzy3v9k4d5e6f7g8h9jkmnpq", DocumentKind::Selfie, "selfie");
    reads("k3v9x0q2ab/address_01hzy3v9k4d5e6f7g8h9jkmnpq", DocumentKind::Address, "address");
    reads("k3v9x0q2ab/other_01hzy3v9k4d5e6f7g8h9jkmnpq", DocumentKind::Other, "other");
}

#[test]
fn d13_what_is_almost_a_handle_is_none() {
    for text in [
        "",
        "/",
        "k3v9x0q2ab/",
        "k3v9x0q2ab",
        "k3v9x0q2ab/passport",
        "k3v9x0q2ab/passport_",
        "k3v9x0q2ab/_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab/01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab/Passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab/visa_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab/passport-01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab/passport_01HZY3V9K4D5E6F7G8H9JKMNPQ",
        "k3v9x0q2ab/passport_01hzy3v9k4d5e6f7g8h9jkmnp",
        "k3v9x0q2ab/../passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab//passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "../../../../passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "K3V9X0Q2AB/passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2a/passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2abc/passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2a_/passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        " k3v9x0q2ab/passport_01hzy3v9k4d5e6f7g8h9jkmnpq",
        "k3v9x0q2ab/passport_01hzy3v9k4d5e6f7g8h9jkmnpq\0",
    ] {
        assert_eq!(text.parse::<DocumentHandle>(), Err(InvalidHandle), "{text}");
    }
}

#[test]
fn d13_a_prefix_is_ten_characters_of_base_36() {
    let prefix = |random| ClientPrefix::from_random(random).as_str().to_owned();
    assert_eq!(prefix([0; 16]), "0000000000");
    assert_eq!(prefix(9_u128.to_be_bytes()), "9000000000");
    assert_eq!(prefix(10_u128.to_be_bytes()), "a000000000");
    assert_eq!(prefix(35_u128.to_be_bytes()), "z000000000");
    assert_eq!(prefix(36_u128.to_be_bytes()), "0100000000");
    assert_eq!(prefix(36_u128.pow(10).to_be_bytes()), "0000000000");
    for text in
        ["", "k3v9x0q2a", "k3v9x0q2abc", "K3V9X0Q2AB", "k3v9x0q2a-", "k3v9x0q2a{", "k3v9x0q2a/"]
    {
        assert!(text.parse::<ClientPrefix>().is_err(), "{text}");
    }
}

#[test]
fn a_client_has_a_number_of_23_bits() {
    assert_eq!(ClientId::new(0), None);
    assert_eq!(ClientId::new(1).map(ClientId::get), Some(1));
    assert_eq!(ClientId::new(8_388_607).map(ClientId::get), Some(8_388_607));
    assert_eq!(ClientId::new(8_388_608), None);
    assert_eq!(ClientId::MAX, 8_388_607);
}

#[test]
fn an_account_name_is_short_and_plain() {
    for text in ["a", "0", "acme-payments", "a_b.c-d", &"x".repeat(64)] {
        assert_eq!(text.parse::<AccountName>().unwrap().to_string(), text);
    }
    for text in ["", "-a", "_a", ".a", "Acme", "a b", "a/b", "é", "a\n", &"x".repeat(65)] {
        assert!(text.parse::<AccountName>().is_err(), "{text}");
    }
}

#[test]
fn d121_the_id_of_a_key_is_letters_and_digits_so_that_no_whole_key_is_one() {
    for text in ["0", "Z", "0a1b2c3d4e5f", &"x".repeat(64)] {
        let id: ApiKeyId = text.parse().unwrap();
        assert_eq!((id.as_str(), &*id.to_string()), (text, text));
    }
    let refused = Err(InvalidApiKeyId);
    for text in ["", "kyc_0a1b2c3d4e5f_secret", "a-b", "a b", "a\n", "é", &"x".repeat(65)] {
        assert_eq!(text.parse::<ApiKeyId>(), refused, "{text}");
    }
    assert_eq!(InvalidApiKeyId.to_string(), "must be 1 to 64 letters and digits");
}

#[test]
fn d53_an_inspector_sees_all_clients_unless_bound_to_some() {
    let client = |number| ClientId::new(number).unwrap();
    let inspector = |clients| Inspector { name: "ines".parse().unwrap(), clients };
    assert!(inspector(None).sees(client(1)));
    assert!(inspector(Some(vec![client(1), client(3)])).sees(client(3)));
    assert!(!inspector(Some(vec![client(1), client(3)])).sees(client(2)));
    assert!(!inspector(Some(Vec::new())).sees(client(1)));
}

proptest! {
    #[test]
    fn d13_text_bytes_and_value_of_an_id_order_alike(one: [u8; 16], other: [u8; 16]) {
        let ids = [one, other].map(SubmissionId::from_bytes);
        prop_assert_eq!(ids[0].cmp(&ids[1]), one.cmp(&other));
        prop_assert_eq!(ids[0].to_string().cmp(&ids[1].to_string()), one.cmp(&other));
        prop_assert_eq!(ids[0].to_bytes(), one);
        prop_assert_eq!(ids[0].text().as_str().parse(), Ok(ids[0]));
        let document = DocumentId::from_bytes(one);
        prop_assert_eq!(document.text().as_str().parse(), Ok(document));
        prop_assert_eq!(document.to_bytes(), one);
    }

    #[test]
    fn d13_a_handle_reads_as_it_is_printed(handle in strategies::document_handles(&[
        DocumentKind::Passport, DocumentKind::GovernmentId, DocumentKind::DriversLicense,
        DocumentKind::Selfie, DocumentKind::Address, DocumentKind::Other,
    ])) {
        prop_assert_eq!(handle.to_text().parse(), Ok(handle));
    }

    #[test]
    fn a_prefix_reads_as_it_is_printed(prefix in strategies::client_prefixes()) {
        prop_assert_eq!(prefix.as_str().parse(), Ok(prefix));
    }
}

#[test]
fn d13_one_text_is_one_handle() {
    let handle = |kind, spelling| {
        let (prefix, id) = (ClientPrefix::from_random([1; 16]), DocumentId::from_bytes([2; 16]));
        DocumentHandle::new(prefix, kind, spelling, id)
    };
    let both =
        |kind| [Spelling::Joined, Spelling::Underscored].map(|spelling| handle(kind, spelling));
    let [joined, underscored] = both(DocumentKind::Passport);
    assert_eq!(joined, underscored);
    let [joined, underscored] = both(DocumentKind::GovernmentId);
    assert_ne!(joined, underscored);
    let texts: BTreeSet<String> =
        [joined, underscored].iter().map(DocumentHandle::to_text).collect();
    assert_eq!(texts.len(), 2);
}
