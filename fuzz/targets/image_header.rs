//! Formats of files: decided by the header alone, and the same however the file was sent.

#![no_main]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kyc_core::format::{FileFormat, InvalidFile};
use kyc_http::fuzzing::file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let format = FileFormat::of(bytes);
    if format == Err(InvalidFile::UnknownFormat) {
        return;
    }

    // What follows a header that was judged does not change the judgement.
    if format.is_ok() || format == Err(InvalidFile::TooManyPixels) {
        assert_eq!(FileFormat::of(&[bytes, bytes].concat()), format);
    }

    // D25: plain, marked as base64, as a `data:` URL, or unmarked.
    let text = STANDARD.encode(bytes);
    let lines = text.as_bytes().chunks(76).collect::<Vec<_>>().join(&b"\r\n"[..]);
    let url = format!("data:image/png;base64,{text}");
    assert_eq!(file(bytes, false).as_deref(), Some(bytes));
    for sent in [text.as_bytes(), &lines, url.as_bytes()] {
        assert_eq!(file(sent, true).as_deref(), Some(bytes));
        assert_eq!(file(sent, false).as_deref(), Some(bytes));
    }
});
