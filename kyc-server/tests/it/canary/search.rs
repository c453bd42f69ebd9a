//! Searching for a value, however it was written.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

/// An encoding, and a value as it shows in it: one text, or one for each place that it may have
/// within a longer one.
type Encoding = (&'static str, fn(&str) -> Vec<Vec<u8>>);

/// All in lower case, since what is searched is, too.
pub(super) const ENCODINGS: [Encoding; 8] = [
    ("plain text", |value| vec![value.into()]),
    ("percent-encoded", |value| vec![join(value, |byte| format!("%{byte:02x}")), reserved(value)]),
    ("form-encoded", |value| {
        vec![String::from_utf8(reserved(value)).unwrap().replace("%20", "+").into()]
    }),
    ("base64", |value| base64(value, &STANDARD)),
    ("base64 for URLs", |value| base64(value, &URL_SAFE)),
    ("hexadecimal", |value| vec![join(value, |byte| format!("{byte:02x}"))]),
    ("escaped in JSON", |value| vec![join(value, |byte| format!("\\u{byte:04x}"))]),
    ("UTF-16", |value| {
        let units: Vec<u16> = value.encode_utf16().collect();
        let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        vec![little, units.iter().flat_map(|unit| unit.to_be_bytes()).collect()]
    }),
];

fn join(value: &str, escape: impl Fn(u8) -> String) -> Vec<u8> {
    value.bytes().map(escape).collect::<String>().into()
}

/// As in a URL: only what has to be is escaped.
fn reserved(value: &str) -> Vec<u8> {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    join(value, |byte| if keep(byte) { char::from(byte).into() } else { format!("%{byte:02x}") })
}

/// What surrounds a value changes the outer characters, so those are cut off, for each of the three
/// places at which it can begin.
fn base64(value: &str, engine: &impl base64::Engine) -> Vec<Vec<u8>> {
    let at = |place: usize| {
        let encoded = engine.encode([&"-".repeat(place), value].concat());
        let whole = value.len() + place;
        let inner = &encoded[(place * 8).div_ceil(6)..whole * 8 / 6];
        inner.as_bytes().to_vec()
    };
    (0..3).map(at).collect()
}

/// The first value that is somewhere in the bytes, and how it is written there.
pub(super) fn find<'v>(bytes: &[u8], values: &[&'v str]) -> Option<(&'v str, &'static str)> {
    let bytes = bytes.to_ascii_lowercase();
    values.iter().find_map(|value| {
        let lower = value.to_lowercase();
        let mut found = ENCODINGS.iter().filter(|(_, encode)| {
            // Base64 is of the value as it was sent; its own letters are searched in any case.
            [*value, lower.as_str()]
                .iter()
                .flat_map(|value| encode(value))
                .any(|form| memchr::memmem::find(&bytes, &form.to_ascii_lowercase()).is_some())
        });
        found.next().map(|(encoding, _)| (*value, *encoding))
    })
}

/// Checks that none of the values is anywhere in the bytes.
#[track_caller]
pub(super) fn is_nowhere(what: &str, bytes: &[u8], values: &[&str]) {
    let found = find(bytes, values);
    assert!(found.is_none(), "{what} holds {found:?}");
}

/// Every file below a folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_value_is_found_in_every_encoding_wherever_it_stands() {
    let value = "Zqxcanaryvk 7731@example.org";
    for (name, encode) in ENCODINGS {
        for form in encode(value) {
            let text = [b"around ".as_slice(), &form, b" it"].concat();
            assert_eq!(find(&text, &[value]).map(|(value, _)| value), Some(value), "{name}");
            assert!(find(&text.to_ascii_uppercase(), &[value]).is_some(), "{name} in capitals");
        }
    }
    for around in ["", "a", "ab", "abc", "{\"name\":\""] {
        for engine in [STANDARD, URL_SAFE] {
            let text = engine.encode(format!("{around}{value}\"}}"));
            assert!(find(text.as_bytes(), &[value]).is_some(), "{text}");
        }
    }
    assert_eq!(find(b"around nothing of it: Zqxcanary", &[value]), None);
    assert_eq!(find(b"", &[value]), None);
}
