//! Names: whatever somebody calls themselves, its key is short and Latin, is made in little time,
//! and compares the same from both sides.
//!
//! The first line of the input is one name, the rest another.

#![no_main]

use kyc_core::Score;
use kyc_screening::{NameKey, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (one, other) = text.split_once('\n').unwrap_or((text, ""));
    let options = Options::default();
    for of in [NameKey::of, NameKey::of_organisation] {
        let [one, other] = [one, other].map(|name| of(name, &options));
        for key in [&one, &other] {
            let text = key.to_string();
            assert!(text.len() <= 33 * 32);
            assert!(
                text.bytes().all(|b| b == b' ' || b.is_ascii_digit() || b.is_ascii_lowercase())
            );
            assert!(text.len() < 12 || !format!("{key:?}").contains(&text));
            if key.is_usable() {
                assert_eq!(key.similarity(key), Score::MAX);
            }
        }
        assert_eq!(one.similarity(&other), other.similarity(&one));
    }
});
