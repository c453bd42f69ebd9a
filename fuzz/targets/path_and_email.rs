//! Paths and e-mail addresses: all spellings of a path are one path, and an address that is
//! accepted is one segment of it, with one lookup form.

#![no_main]

use kyc_core::Email;
use kyc_http::fuzzing::path;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(segments) = path(text) {
        assert_eq!(segments.len(), text.matches('/').count());
        for segment in &segments {
            assert!(!segment.is_empty() && !segment.contains(['/', '\0']));
        }
        let spell = |escape: fn(u8) -> String| -> String {
            segments.iter().map(|segment| "/".to_owned() + &spelt(segment, escape)).collect()
        };
        assert_eq!(path(&spell(|byte| format!("%{byte:02X}"))).as_ref(), Some(&segments));
        assert_eq!(path(&spell(as_few_escapes)).as_ref(), Some(&segments));
    }

    if let Ok(email) = text.parse::<Email>() {
        assert_eq!(email.as_str(), text);
        let canonical: Email = email.canonical().parse().unwrap();
        assert_eq!(canonical.canonical(), email.canonical());
        assert_eq!(canonical, email);
        assert!(!format!("{email:?}").contains(text));

        // Clients join the address into the path as it is.
        let joined = format!("/v2/submissions/{text}/result");
        let expected = ["v2", "submissions", text, "result"].map(str::to_owned);
        assert_eq!(path(&joined).as_deref(), Some(&expected[..]));
    }
});

fn spelt(segment: &str, escape: fn(u8) -> String) -> String {
    segment.bytes().map(escape).collect()
}

fn as_few_escapes(byte: u8) -> String {
    match byte {
        b'%' | 0x80.. => format!("%{byte:02x}"),
        _ => char::from(byte).to_string(),
    }
}
