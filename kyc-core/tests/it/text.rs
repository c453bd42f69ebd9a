use std::fmt::{Debug, Display};
use std::str::FromStr;

use kyc_core::{
    AddressPart, EnglishComment, FreeText, IdNumber, InvalidComment, InvalidText, PersonName,
    ReasonCode, UserId, WalletAddress,
};
use proptest::prelude::*;

#[track_caller]
fn reads<T: FromStr<Err: Debug>>(text: &str, as_str: fn(&T) -> &str, expected: &str) {
    assert_eq!(as_str(&text.parse().unwrap()), expected);
}

#[track_caller]
fn refused<T: FromStr<Err: Display> + Debug>(text: &str, reason: &str) {
    assert_eq!(text.parse::<T>().unwrap_err().to_string(), reason);
}

#[test]
fn d15_texts_are_trimmed_and_composed() {
    reads(" Mira ", PersonName::as_str, "Mira");
    reads("\t\r\nMira\u{a0}\u{3000}", PersonName::as_str, "Mira");
    reads("Zoe\u{308}", PersonName::as_str, "Zoë");
    reads("\u{212b}sa", PersonName::as_str, "Åsa");
    reads("Mary  Ann", PersonName::as_str, "Mary  Ann");
    reads("ﬁ ＡＢ ①", FreeText::as_str, "ﬁ ＡＢ ①");
}

#[test]
fn d15_the_original_script_is_kept() {
    for name in
        ["王小明", "محمد", "Ольга", "Γιάννης", "יעל", "さくら", "김민준", "राम", "สมชาย", "𐍈𐌰"]
    {
        reads(name, PersonName::as_str, name);
    }
}

#[test]
fn d15_control_characters_are_refused() {
    for control in ["\0", "\n", "\r", "\t", "\u{b}", "\u{1b}", "\u{7f}", "\u{85}", "\u{9f}"] {
        let text = format!("a{control}b");
        refused::<PersonName>(&text, "must not contain control characters");
        refused::<AddressPart>(&text, "must not contain control characters");
        refused::<UserId>(&text, "must not contain control characters");
        refused::<IdNumber>(&text, "must not contain control characters");
        refused::<FreeText>(&text, "must not contain control characters");
        refused::<EnglishComment>(&text, "must not contain control characters");
    }
}

#[test]
fn d16_a_blank_text_is_none() {
    for blank in ["", " ", "\t\n ", "\u{a0}\u{2003}"] {
        refused::<PersonName>(blank, "must not be blank");
        refused::<FreeText>(blank, "must not be blank");
        refused::<EnglishComment>(blank, "must not be blank");
    }
}

/// Characters count, not bytes, and they count as they are kept.
#[track_caller]
fn holds<T: FromStr<Err: Display> + Debug>(chars_max: usize) {
    let reason = format!("must be at most {chars_max} characters long");
    for letter in ["a", "é", "王", "𐍈"] {
        assert!(letter.repeat(chars_max).parse::<T>().is_ok());
        assert!(format!(" {} ", letter.repeat(chars_max)).parse::<T>().is_ok());
        refused::<T>(&letter.repeat(chars_max + 1), &reason);
    }
    assert!("e\u{301}".repeat(chars_max).parse::<T>().is_ok(), "composed, they are half as many");
    refused::<T>(&"e\u{301}".repeat(chars_max + 1), &reason);
    let syllables = "\u{1112}\u{1161}\u{11ab}".repeat(chars_max);
    assert!(syllables.parse::<T>().is_ok(), "composed, they are a third as many");
    // Without a composed form, each mark counts.
    assert!("q\u{301}".repeat(chars_max / 2).parse::<T>().is_ok());
    refused::<T>(&"q\u{301}".repeat(chars_max / 2 + 1), &reason);
    refused::<T>(&"a".repeat(4_000_000), &reason);
}

#[test]
fn d15_every_text_is_bounded() {
    holds::<PersonName>(256);
    holds::<AddressPart>(256);
    holds::<UserId>(128);
    holds::<IdNumber>(128);
    holds::<FreeText>(1_024);
    let bounds = [
        PersonName::CHARS_MAX,
        AddressPart::CHARS_MAX,
        UserId::CHARS_MAX,
        IdNumber::CHARS_MAX,
        FreeText::CHARS_MAX,
        EnglishComment::CHARS_MAX,
    ];
    assert_eq!(bounds, [256, 256, 128, 128, 1_024, 1_024]);
    assert_eq!("x".repeat(129).parse::<UserId>(), Err(InvalidText::TooLong { chars_max: 128 }));
}

#[test]
fn d32_a_comment_is_written_in_latin_letters() {
    for comment in [
        "The photo is blurred.",
        "Naïve façade, Straße, Łódź, İstanbul, Việt Nam",
        "1 of 2 documents expired (2019-03-04) — see § 4; cost: 3 € ¥ ₽",
        "42",
        "a",
        "🙂",
        "ÀÖØöøʸḀỿⱠⱿꜢꞇꞋꟿ ªº",
    ] {
        reads(comment, EnglishComment::as_str, comment);
    }
    reads(" Ko\u{308}ln ", EnglishComment::as_str, "Köln");
}

#[test]
fn d32_letters_of_other_scripts_are_refused() {
    for letter in "аΑאم王さサ가กकა፩ⴰᚠａﬁℓⅣµΩՀʹͅ".chars().filter(|c| c.is_alphabetic())
    {
        let text = format!("The photo {letter} is blurred.");
        assert_eq!(text.parse::<EnglishComment>(), Err(InvalidComment::NotLatin), "{letter}");
    }
    refused::<EnglishComment>(
        "фото",
        "must be written in English: letters of the Latin script only",
    );
}

#[test]
fn d32_the_latin_script_begins_and_ends_where_unicode_says() {
    #[track_caller]
    fn check(latin: &str, others: &str) {
        for letter in latin.chars() {
            assert!(letter.to_string().parse::<EnglishComment>().is_ok(), "{letter:?}");
        }
        for letter in others.chars() {
            assert!(letter.is_alphabetic(), "{letter:?} is a letter");
            let refused = letter.to_string().parse::<EnglishComment>();
            assert_eq!(refused, Err(InvalidComment::NotLatin), "{letter:?}");
        }
    }
    check("AZazªº\u{c0}\u{2b8}", "\u{b5}\u{2b9}\u{2bb}");
    check("\u{2e0}\u{2e4}", "\u{2d0}\u{2ec}\u{370}");
    check("\u{1d00}\u{1d25}", "\u{1d26}\u{1d2b}");
    check("\u{1d2c}\u{1d5c}", "\u{1d5d}\u{1d61}");
    check("\u{1d62}\u{1d65}", "\u{1d66}\u{1d6a}");
    check("\u{1e00}\u{1eff}", "\u{1f00}");
    check("\u{2c60}\u{2c7f}", "\u{2c5f}\u{2c80}");
    check("\u{a722}\u{a787}", "\u{a71f}\u{a69c}");
    check("\u{a78b}\u{a7ff}", "\u{a800}");
    check("", "\u{ff21}\u{fb01}\u{2071}\u{1d400}");
}

#[test]
fn d32_a_comment_has_at_most_1024_characters() {
    assert!("a".repeat(1_024).parse::<EnglishComment>().is_ok());
    refused::<EnglishComment>(&"a".repeat(1_025), "must be at most 1024 characters long");
}

#[test]
fn a_reason_code_is_a_word_for_machines() {
    reads("photo_blurred", ReasonCode::as_str, "photo_blurred");
    reads("r2_d2", ReasonCode::as_str, "r2_d2");
    reads("_", ReasonCode::as_str, "_");
    reads(&"x".repeat(64), ReasonCode::as_str, &"x".repeat(64));
    for text in ["", " a", "a b", "A", "a-b", "a.b", "é", "a\n", &"x".repeat(65)] {
        refused::<ReasonCode>(text, "must be 1 to 64 characters of a-z, 0-9 and `_`");
    }
}

#[test]
fn d22_a_wallet_address_is_visible_ascii() {
    reads(" 0xAb5801a7D3 ", WalletAddress::as_str, "0xAb5801a7D3");
    reads("!~", WalletAddress::as_str, "!~");
    reads(&"x".repeat(128), WalletAddress::as_str, &"x".repeat(128));
    for text in ["", " ", "0x 1", "0x\0", "0x\u{7f}", "０x1", "ü", &"x".repeat(129)] {
        refused::<WalletAddress>(text, "must be at most 128 visible ASCII characters");
    }
}

proptest! {
    #[test]
    fn d15_what_is_kept_reads_as_itself(text in "(?s).{0,40}") {
        if let Ok(name) = text.parse::<PersonName>() {
            prop_assert_eq!(name.as_str().parse::<PersonName>(), Ok(name.clone()));
            prop_assert!(!name.as_str().is_empty());
            prop_assert_eq!(name.as_str().trim(), name.as_str());
        }
    }
}
