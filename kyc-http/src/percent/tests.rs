use proptest::prelude::*;

use super::Undecodable::{BrokenEscape, NotUtf8, Nul};
use super::{Plus, Undecodable, decode};

#[track_caller]
fn check(text: impl AsRef<[u8]>, expected: Result<&str, Undecodable>) {
    assert_eq!(decode(text.as_ref(), Plus::Space).as_deref(), expected.as_ref().copied());
}

#[test]
fn d51_escapes_are_decoded_once() {
    check("", Ok(""));
    check("Mira", Ok("Mira"));
    check("a%20b", Ok("a b"));
    check("%C3%A9%c3%a9", Ok("éé"));
    check("%2541", Ok("%41"));
    check("%25%32%35", Ok("%25"));
}

#[test]
fn d50_d51_a_plus_is_a_space_in_a_form_and_itself_in_a_path() {
    check("a+b%2Bc", Ok("a b+c"));
    assert_eq!(decode(b"a+b%2Bc", Plus::Itself).as_deref(), Ok("a+b+c"));
}

#[test]
fn d51_what_should_have_been_escaped_stands_for_itself() {
    check("South Korea, KOR", Ok("South Korea, KOR"));
    check("a@b.c", Ok("a@b.c"));
    check("Zoë", Ok("Zoë"));
    check("?#/\\\"<>", Ok("?#/\\\"<>"));
    // The two halves of one character, one of them escaped.
    check(b"\xC3%A9", Ok("é"));
}

#[test]
fn d51_a_broken_escape_is_refused() {
    check("%", Err(BrokenEscape));
    check("100%", Err(BrokenEscape));
    check("%2", Err(BrokenEscape));
    check("%ZZ", Err(BrokenEscape));
    check("%2G", Err(BrokenEscape));
    check("%%41", Err(BrokenEscape));
    check("%+1", Err(BrokenEscape));
    check("% 20", Err(BrokenEscape));
    check("%u0041", Err(BrokenEscape));
    check("%-1", Err(BrokenEscape));
}

#[test]
fn d51_bytes_that_are_not_utf_8_are_refused() {
    check(b"\xFF", Err(NotUtf8));
    check("%FF", Err(NotUtf8));
    check("%C3", Err(NotUtf8));
    check("caf%E9", Err(NotUtf8));
    // An overlong `/`, half of a surrogate pair, a code point beyond the last.
    check("%C0%AF", Err(NotUtf8));
    check("%ED%A0%80", Err(NotUtf8));
    check("%F4%90%80%80", Err(NotUtf8));
}

#[test]
fn d51_nul_is_refused_escaped_or_not() {
    check("a%00b", Err(Nul));
    check("a\0b", Err(Nul));
}

proptest! {
    #[test]
    fn decoding_undoes_any_encoding(text in "[^\0]{0,40}", escape in any::<[bool; 8]>()) {
        for plus in [Plus::Space, Plus::Itself] {
            let encoded: String = text.bytes().zip(escape.iter().cycle()).map(encode).collect();
            let decoded = decode(encoded.as_bytes(), plus);
            prop_assert_eq!(decoded.as_deref(), Ok(text.as_str()));
        }
    }

    #[test]
    fn a_decoded_text_accounts_for_every_byte(
        bytes in prop::collection::vec(prop_oneof![Just(b'%'), any::<u8>(), b'0'..=b'f'], 0..40),
    ) {
        if let Ok(text) = decode(&bytes, Plus::Itself) {
            let escapes = bytes.split(|byte| *byte == b'%').count() - 1;
            prop_assert_eq!(text.len() + 2 * escapes, bytes.len());
        }
    }
}

/// Escapes a byte if it has to be, or if asked to; a mix of upper-case and lower-case digits.
fn encode((byte, escape): (u8, &bool)) -> String {
    match byte {
        b'%' | b'+' | 0x80.. => format!("%{byte:02X}"),
        _ if *escape => format!("%{byte:02x}"),
        _ => char::from(byte).to_string(),
    }
}
