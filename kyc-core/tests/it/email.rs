use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use kyc_core::{Email, InvalidEmail, strategies};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

fn email(text: &str) -> Email {
    text.parse().unwrap()
}

/// Both are addresses, and one finds what the other stored.
#[track_caller]
fn same(one: &str, other: &str) {
    let (one, other) = (email(one), email(other));
    assert_eq!(one.canonical(), other.canonical());
    assert_eq!(one, other);
}

/// Both are addresses, of two applicants.
#[track_caller]
fn different(one: &str, other: &str) {
    let (one, other) = (email(one), email(other));
    assert_ne!(one.canonical(), other.canonical());
    assert_ne!(one, other);
}

#[track_caller]
fn refused(text: &str, expected: InvalidEmail) {
    assert_eq!(text.parse::<Email>().map(|email| email.canonical().to_owned()), Err(expected));
}

#[test]
fn d14_the_letter_case_does_not_matter() {
    same("mira@example.org", "MIRA@EXAMPLE.ORG");
    same("Mira.Kole@example.org", "mira.kole@Example.Org");
    same("mira+KYC@example.org", "mira+kyc@example.org");
    same("ÄRGER@example.org", "ärger@example.org");
    same("МИРА@example.org", "мира@example.org");
    same("ΑΛΈΞΗΣ@example.org", "αλέξης@example.org");
    same("αλέξησ@example.org", "αλέξης@example.org");
    same("ΣΊΣΥΦΟΣ.ΑΣ@example.org", "σίσυφος.ας@example.org");
    same("ẞ@example.org", "ß@example.org");
    same("ǅ@example.org", "ǆ@example.org");
}

#[test]
fn d14_canonically_equivalent_texts_are_one_address() {
    same("zoe\u{308}@example.org", "zoë@example.org");
    same("ZOE\u{308}@example.org", "zoë@example.org");
    same("q\u{307}\u{323}@example.org", "q\u{323}\u{307}@example.org");
    same("\u{212b}se@example.org", "åse@example.org");
    same("\u{212a}ole@example.org", "kole@example.org");
    same("\u{2126}@example.org", "ω@example.org");
    same("한@example.org", "\u{1112}\u{1161}\u{11ab}@example.org");
    same("mira@bu\u{308}cher.example", "mira@bücher.example");
}

#[test]
fn d14_a_domain_and_its_a_label_are_one_address() {
    same("mira@bücher.example", "mira@xn--bcher-kva.example");
    same("mira@BÜCHER.example", "mira@XN--BCHER-KVA.example");
    same("mira@straße.example", "mira@xn--strae-oqa.example");
    same("mira@почта.рф", "mira@xn--80a1acny.xn--p1ai");
    same("mira@ПОЧТА.РФ", "mira@почта.рф");
    same("mira@例え.jp", "mira@xn--r8jz45g.jp");
    same("mira@ΑΣ.example", "mira@ασ.example");
    same("mira@faß.bücher.example", "mira@xn--fa-hia.xn--bcher-kva.example");
    same("mira@bücher.xn--strae-oqa.example", "mira@bücher.straße.example");
}

#[test]
fn d14_what_mail_systems_may_merge_stays_apart() {
    different("mira@example.org", "mira+kyc@example.org");
    different("mira.kole@example.org", "mirakole@example.org");
    different("mira_kole@example.org", "mira-kole@example.org");
    different("mira@example.org", "mira@example.com");
    different("mira@example.org", "mira@mail.example.org");
    different("mira@googlemail.com", "mira@gmail.com");
    different("zoe@example.org", "zoë@example.org");
    different("strasse@example.org", "straße@example.org");
    different("mira@strasse.example", "mira@straße.example");
    different("mira@ας.example", "mira@ασ.example");
    different("i@example.org", "ı@example.org");
    different("İ@example.org", "i@example.org");
    different("İ@example.org", "ı@example.org");
}

#[test]
fn d14_look_alikes_share_no_answer() {
    different("mira@example.org", "mirа@example.org"); // a Cyrillic а
    different("mira@example.org", "mirα@example.org"); // a Greek alpha
    different("mira@example.org", "ｍira@example.org"); // a full-width m
    different("fi@example.org", "ﬁ@example.org"); // a ligature
    different("fl@example.org", "ﬂ@example.org");
    different("mira@example.org", "mırа@example.org");
    different("s@example.org", "ſ@example.org"); // a long s
    different("a@example.org", "ª@example.org"); // an ordinal
    different("1@example.org", "¹@example.org"); // a superscript
    different("1@example.org", "①@example.org");
    different("µ@example.org", "μ@example.org"); // micro sign and mu
    different("ĳ@example.org", "ij@example.org");
    different("a-b@example.org", "a‐b@example.org"); // a hyphen of its own
    different("a.b@example.org", "a․b@example.org"); // a one-dot leader
    different("a'b@example.org", "a’b@example.org");
    different("mira@example.org", "mira@exаmple.org"); // a Cyrillic а in the domain
    different("mira@apple.com", "mira@аррӏе.com");
    different("mira@example.org", "mira@exámple.org");
    different("mira@rnail.example", "mira@mail.example");
    different("l@example.org", "I@example.org");
    different("o@example.org", "0@example.org");
}

#[test]
fn d14_domains_that_only_map_to_another_one_are_refused() {
    refused("mira@ｅxample.org", InvalidEmail::Domain);
    refused("mira@ﬁle.example", InvalidEmail::Domain);
    refused("mira@example。org", InvalidEmail::Domain);
    refused("mira@example．org", InvalidEmail::Domain);
    refused("mira@①.example", InvalidEmail::Domain);
    refused("mira@ſample.example", InvalidEmail::Domain);
    refused("mira@ªexample.org", InvalidEmail::Domain);
    refused("mira@xn--a.example", InvalidEmail::Domain);
    refused("mira@xn--mira-.example", InvalidEmail::Domain);
    refused("mira@xn--.example", InvalidEmail::Domain);
}

#[test]
fn d14_domains_are_host_names() {
    refused("mira@example", InvalidEmail::Domain);
    refused("mira@localhost", InvalidEmail::Domain);
    refused("mira@.org", InvalidEmail::Domain);
    refused("mira@example.", InvalidEmail::Domain);
    refused("mira@example..org", InvalidEmail::Domain);
    refused("mira@.", InvalidEmail::Domain);
    refused("mira@-example.org", InvalidEmail::Domain);
    refused("mira@example-.org", InvalidEmail::Domain);
    refused("mira@exa_mple.org", InvalidEmail::Domain);
    refused("mira@exa!mple.org", InvalidEmail::Domain);
    refused("mira@127.0.0.1", InvalidEmail::Domain);
    refused("mira@1.2.3.4.5", InvalidEmail::Domain);
    refused("mira@example.123", InvalidEmail::Domain);
    refused("mira@[127.0.0.1]", InvalidEmail::RefusedCharacter);
    refused("mira@[IPv6:::1]", InvalidEmail::RefusedCharacter);
    refused(&format!("mira@{}.org", "a".repeat(64)), InvalidEmail::Domain);
    assert!(format!("mira@{}.org", "a".repeat(63)).parse::<Email>().is_ok());
    assert!("mira@3com.123x".parse::<Email>().is_ok());
    assert!("mira@a-b.example".parse::<Email>().is_ok());
}

#[test]
fn d14_an_address_has_one_at_and_text_on_both_sides() {
    refused("", InvalidEmail::NotOneAt);
    refused("mira", InvalidEmail::NotOneAt);
    refused(".", InvalidEmail::NotOneAt);
    refused("..", InvalidEmail::NotOneAt);
    refused("mira@kole@example.org", InvalidEmail::NotOneAt);
    refused("mira@@example.org", InvalidEmail::NotOneAt);
    refused("mira＠example.org", InvalidEmail::NotOneAt);
    refused("@", InvalidEmail::EmptyPart);
    refused("@example.org", InvalidEmail::EmptyPart);
    refused("mira@", InvalidEmail::EmptyPart);
}

#[test]
fn d14_dots_stand_alone_and_inside_the_local_part() {
    refused(".@example.org", InvalidEmail::Dots);
    refused("..@example.org", InvalidEmail::Dots);
    refused(".mira@example.org", InvalidEmail::Dots);
    refused("mira.@example.org", InvalidEmail::Dots);
    refused("mi..ra@example.org", InvalidEmail::Dots);
    assert!("m.i.r.a@example.org".parse::<Email>().is_ok());
}

#[test]
fn d14_characters_with_a_meaning_elsewhere_are_refused() {
    for c in
        "/?#%\\\"<>()[],;: \t\n\r\0\u{7f}\u{80}\u{85}\u{9f}\u{a0}\u{2003}\u{2028}\u{3000}".chars()
    {
        for text in [format!("mi{c}ra@example.org"), format!("mira@exa{c}mple.org")] {
            refused(&text, InvalidEmail::RefusedCharacter);
        }
    }
    refused("\"mira kole\"@example.org", InvalidEmail::RefusedCharacter);
    refused(" mira@example.org", InvalidEmail::RefusedCharacter);
    refused("mira@example.org ", InvalidEmail::RefusedCharacter);
    refused("Mira <mira@example.org>", InvalidEmail::RefusedCharacter);
    refused("a%2Fb@example.org", InvalidEmail::RefusedCharacter);
    refused("a@example.org?userid=1", InvalidEmail::RefusedCharacter);
    // Each of these composes to one of them: a Greek question mark is a semicolon.
    refused("mi\u{37e}ra@example.org", InvalidEmail::RefusedCharacter);
}

#[test]
fn d14_invisible_characters_are_refused() {
    for c in "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}\u{180e}\u{180f}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\
              \u{202a}\u{202e}\u{2060}\u{2064}\u{2066}\u{206f}\u{3164}\u{fe00}\u{fe0f}\u{feff}\
              \u{ffa0}\u{fff0}\u{fff8}\u{e0000}\u{e0001}\u{e007f}\u{e0100}\u{e0fff}"
        .chars()
    {
        refused(&format!("mi{c}ra@example.org"), InvalidEmail::RefusedCharacter);
        refused(&format!("mira@exa{c}mple.org"), InvalidEmail::RefusedCharacter);
    }
}

#[test]
fn d14_an_address_has_at_most_254_bytes_in_both_forms() {
    let of_bytes =
        |bytes: usize| format!("{}@example.org", "a".repeat(bytes - "@example.org".len()));
    assert!(of_bytes(254).parse::<Email>().is_ok());
    refused(&of_bytes(255), InvalidEmail::TooLong);
    // Short as sent, long as an A-label: each label grows by four bytes and a number.
    let labels = "ü.".repeat(80);
    assert!(format!("mira@{labels}org").len() < 254);
    assert!(format!("mira@{labels}org").parse::<Email>().is_err());
    // A dotted capital I is two bytes, and three in lower case.
    let grows = format!("{}@example.org", "İ".repeat(110));
    assert!(grows.len() < 254);
    refused(&grows, InvalidEmail::TooLong);
}

#[test]
fn d14_the_address_is_echoed_as_it_was_sent() {
    let sent = "Zoe\u{308}.Kole@BÜCHER.Example";
    let email: Email = sent.parse().unwrap();
    assert_eq!(email.as_str(), sent);
    assert_eq!(email.canonical(), "zoë.kole@xn--bcher-kva.example");
}

#[test]
fn equal_addresses_have_one_hash() {
    let spellings = ["mira@bücher.example", "MIRA@xn--bcher-kva.example"];
    let addresses = spellings.map(email);
    assert_eq!(HashSet::from(addresses).len(), 1);
    let hash = |text: &str| BuildHasherDefault::<DefaultHasher>::new().hash_one(email(text));
    assert_eq!(hash("mira@example.org"), hash("MIRA@example.org"));
    assert_ne!(hash("mira@example.org"), hash("leo@example.org"));
}

#[test]
fn d14_every_letter_with_another_form_has_one_canonical_form() {
    let has_another_form =
        |c: &char| !c.to_lowercase().eq([*c]) || !std::iter::once(*c).nfc().eq([*c]);
    let mut met = 0;
    for c in ('\u{80}'..=char::MAX).filter(has_another_form) {
        let Ok(email) = format!("x{c}x@example.org").parse::<Email>() else { continue };
        let again: Email = email.canonical().parse().unwrap();
        assert_eq!(again.canonical(), email.canonical(), "{c:?}");
        met += 1;
    }
    assert!(met > 2_000, "{met} letters were met");
}

/// Pieces of which addresses are made, with all that composes, maps or has a case of its own.
fn confusing_texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "[a-zA-Z0-9.@-]{1,3}",
        "[!-~]",
        proptest::char::any().prop_map(String::from),
        prop::sample::select(vec![
            "ß",
            "ẞ",
            "Σ",
            "ς",
            "σ",
            "İ",
            "ı",
            "\u{308}",
            "\u{301}",
            "\u{323}",
            "\u{345}",
            "ﬁ",
            "Å",
            "\u{212b}",
            "\u{37e}",
            "\u{1fef}",
            "\u{387}",
            "\u{2126}",
            "ａ",
            "。",
            "xn--",
            "ü",
            "Ω",
            "\u{200d}",
            "ﷺ",
            "\u{fb2c}",
            "가",
            "\u{1100}\u{1161}",
            "א",
            "ا",
        ])
        .prop_map(str::to_owned),
    ];
    (prop::collection::vec(pieces.clone(), 1..6), prop::collection::vec(pieces, 0..4))
        .prop_map(|(local, domain)| format!("{}@{}example.org", local.concat(), domain.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn d14_canonicalising_twice_changes_nothing(text in confusing_texts()) {
        if let Ok(email) = text.parse::<Email>() {
            let again: Email = email.canonical().parse().unwrap();
            prop_assert_eq!(again.canonical(), email.canonical(), "{}", text);
            prop_assert_eq!(again.as_str(), email.canonical());
        }
    }

    #[test]
    fn d14_the_canonical_form_is_safe_in_a_path(text in confusing_texts()) {
        if let Ok(email) = text.parse::<Email>() {
            let canonical = email.canonical();
            let (local, domain) = canonical.split_once('@').unwrap();
            for label in domain.split('.') {
                let is_inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                prop_assert!(!label.is_empty() && label.chars().all(is_inside), "{}", domain);
                prop_assert!(!label.starts_with('-') && !label.ends_with('-'), "{}", domain);
            }
            prop_assert!(!local.contains(|c: char| c.is_control() || "/?#%\\@,;:\"<>()[]".contains(c)));
            prop_assert!(canonical.nfc().eq(canonical.chars()));
            prop_assert!(canonical.len() <= Email::BYTES_MAX);
        }
    }

    #[test]
    fn d14_case_and_composition_lead_to_one_address(email in strategies::emails()) {
        let sent = email.as_str();
        prop_assert_eq!(sent.to_lowercase().parse::<Email>(), Ok(email.clone()));
        prop_assert_eq!(sent.nfd().collect::<String>().parse::<Email>(), Ok(email.clone()));
        let (local, domain) = sent.split_once('@').unwrap();
        // `ß` in capitals is another text, so only what comes back from capitals is compared.
        if local.to_uppercase().to_lowercase() == local.to_lowercase() {
            let loud = format!("{}@{domain}", local.to_uppercase());
            prop_assert_eq!(loud.parse::<Email>(), Ok(email));
        }
    }
}

/// Domains of ASCII characters, most of them near what a host name may be.
fn ascii_domains() -> impl Strategy<Value = String> {
    let label = prop_oneof![
        8 => "[a-zA-Z0-9-]{1,6}",
        1 => "xn--[a-z0-9]{0,4}",
        1 => "[a-z0-9]{62,64}",
        1 => "[ -~]{0,3}",
    ];
    prop::collection::vec(label, 1..6).prop_map(|labels| labels.join("."))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// What is decided without the tables of IDNA is what they would decide.
    #[test]
    fn d14_ascii_domains_are_those_of_idna(domain in ascii_domains()) {
        let parsed = format!("mira@{domain}").parse::<Email>();
        let canonical = parsed.as_ref().ok().and_then(|email| email.canonical().split_once('@'));
        let is_encoded = domain.to_ascii_lowercase().split('.').any(|label| label.starts_with("xn--"));
        let has_refused = domain.contains(|c: char| "/?#%\\@,;:\"<>()[] ".contains(c));
        let is_address = domain.rsplit('.').next().unwrap().bytes().all(|b| b.is_ascii_digit());
        let expected = idna::domain_to_ascii_strict(&domain).ok()
            .filter(|_| domain.contains('.') && !has_refused && !is_address);
        if !is_encoded {
            prop_assert_eq!(canonical.map(|(_, domain)| domain.to_owned()), expected);
        } else if let Some((_, canonical)) = canonical {
            prop_assert_eq!(Some(canonical.to_owned()), expected);
        }
    }
}
