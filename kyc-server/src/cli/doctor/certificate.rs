//! Until when a certificate is valid.

use std::path::Path;

use kyc_core::Timestamp;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use time::macros::format_description;
use time::{PrimitiveDateTime, UtcDateTime};

/// When the first certificate of a file ends. `None` where it cannot be read.
pub(super) fn valid_until(path: &Path) -> Option<Timestamp> {
    let certificate = CertificateDer::from_pem_file(path).ok()?;
    let (SEQUENCE, mut certificate, _) = element(&certificate)? else { return None };
    let (SEQUENCE, signed, _) = element(certificate)? else { return None };
    certificate = signed;
    // The version is left out in the oldest ones; serial number, algorithm and issuer follow.
    let (tag, _, rest) = element(certificate)?;
    let skipped = if tag == VERSION { 3 } else { 2 };
    let mut rest = rest;
    for _ in 0..skipped {
        rest = element(rest)?.2;
    }
    let (SEQUENCE, validity, _) = element(rest)? else { return None };
    let (_, _, after) = element(validity)?;
    let (tag, text, _) = element(after)?;
    time_of(tag, std::str::from_utf8(text).ok()?)
}

/// The tag and content of the first element in DER, and what stands behind it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, length], rest) = bytes.split_first_chunk()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81 => rest.split_first().map(|(byte, rest)| (usize::from(*byte), rest))?,
        0x82 => {
            let (bytes, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_be_bytes(*bytes)), rest)
        }
        // A certificate has less than 64 KiB.
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

fn time_of(tag: u8, text: &str) -> Option<Timestamp> {
    let text = match tag {
        // Two digits of the year: from 1950 to 2049.
        UTC_TIME if text.get(..2)? < "50" => format!("20{text}"),
        UTC_TIME => format!("19{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let form = format_description!("[year][month][day][hour][minute][second]Z");
    let at = PrimitiveDateTime::parse(&text, form).ok()?;
    Some(Timestamp::from_utc(UtcDateTime::new(at.date(), at.time())))
}

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_found_in_both_notations_of_time() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for year in [1999, 2027, 2049, 2050, 2120] {
            let mut params = CertificateParams::new(vec!["kyc.example.org".to_owned()]).unwrap();
            params.not_after = date_time_ymd(year, 3, 9);
            let key = KeyPair::generate().unwrap();
            let pem = params.self_signed(&key).unwrap().pem();
            std::fs::write(file.path(), pem).unwrap();
            let until = valid_until(file.path());
            assert_eq!(until.map(|until| until.date().to_string()), Some(format!("{year}-03-09")));
        }
        std::fs::write(file.path(), "no certificate").unwrap();
        assert_eq!(valid_until(file.path()), None);
    }
}
