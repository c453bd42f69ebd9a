//! Form bodies: an accepted one means what the standard says, and survives encoding.

#![no_main]

use std::collections::BTreeMap;

use form_urlencoded::Serializer;
use kyc_http::fuzzing::form;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Some(arguments) = form(text) else { return };

    // Strict, but not different: the standard reader finds the same arguments.
    let standard: Vec<_> = form_urlencoded::parse(text).into_owned().collect();
    assert_eq!(standard.len(), arguments.len());
    assert_eq!(BTreeMap::from_iter(standard), arguments);

    assert!(!arguments.iter().any(|(name, value)| name.contains('\0') || value.contains('\0')));
    let encoded = Serializer::new(String::new()).extend_pairs(&arguments).finish();
    assert_eq!(form(encoded.as_bytes()), Some(arguments));
});
