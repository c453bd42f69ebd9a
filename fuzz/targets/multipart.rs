//! Multipart bodies: the parts of an accepted one survive being sent again.
//!
//! The first line of the input is the content type, the rest is the body.

#![no_main]

use kyc_http::fuzzing::multipart;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut halves = input.splitn(2, |byte| *byte == b'\n');
    let (Some(content_type), Some(body)) = (halves.next(), halves.next()) else { return };
    let Some(parts) = multipart(content_type, body) else { return };

    assert!(parts.len() <= 20);
    let kept: usize = parts.iter().map(|(name, bytes)| name.len() + bytes.len()).sum();
    assert!(kept < body.len());

    // The parts cannot contain their own boundary, so it serves again.
    let boundary = content_type.split(|byte| *byte == b'=').next_back().unwrap();
    let boundary = boundary.trim_ascii();
    let is_plain = boundary.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let is_only = content_type.iter().filter(|byte| **byte == b'=').count() == 1;
    if !is_plain || !is_only {
        return;
    }
    let mut again = Vec::new();
    for (name, bytes) in &parts {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let headers = format!("\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        again.extend([b"--", boundary, headers.as_bytes(), bytes, b"\r\n"].concat());
    }
    again.extend([b"--", boundary, b"--\r\n"].concat());
    assert_eq!(multipart(content_type, &again), Some(parts));
});
