//! Keys as text: a prefix, and digits of base 16 with a checksum, so that a slip is noticed.

use aws_lc_rs::digest::{SHA256, digest};
use zeroize::Zeroizing;

const CHECK_BYTES: usize = 4;

pub(crate) fn write(prefix: &str, bytes: &[u8]) -> Zeroizing<String> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let check = check(prefix, bytes);
    // Long enough from the start: one that grows leaves copies behind.
    let mut text = Zeroizing::new(String::with_capacity(prefix.len() + 2 * (bytes.len() + 4)));
    text.push_str(prefix);
    for byte in bytes.iter().chain(&check) {
        for digit in [byte >> 4, byte & 15] {
            let digit = DIGITS.get(usize::from(digit)).copied();
            text.push(char::from(digit.unwrap_or_default()));
        }
    }
    text
}

pub(crate) fn read<const N: usize>(
    prefix: &str,
    text: &str,
) -> Result<Zeroizing<[u8; N]>, InvalidKeyText> {
    let digits = text.trim().strip_prefix(prefix).ok_or(InvalidKeyText)?.as_bytes();
    if digits.len() != 2 * (N + CHECK_BYTES) {
        return Err(InvalidKeyText);
    }
    let mut bytes = Zeroizing::new([0; N]);
    let mut found = [0; CHECK_BYTES];
    for (pair, byte) in digits.chunks_exact(2).zip(bytes.iter_mut().chain(&mut found)) {
        for digit in pair {
            *byte = *byte << 4 | value(*digit)?;
        }
    }
    if found == check(prefix, bytes.as_slice()) { Ok(bytes) } else { Err(InvalidKeyText) }
}

fn value(digit: u8) -> Result<u8, InvalidKeyText> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(InvalidKeyText),
    }
}

fn check(prefix: &str, bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let text = Zeroizing::new([prefix.as_bytes(), bytes].concat());
    digest(&SHA256, &text).as_ref().first_chunk().copied().unwrap_or_default()
}

/// The text is no key: mistyped, cut off, or something else.
///
/// ```
/// use kyc_vault::{InvalidKeyText, MasterKey};
///
/// assert_eq!(MasterKey::from_text("kycm_0").unwrap_err(), InvalidKeyText);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text is no key: it was mistyped or cut off")]
pub struct InvalidKeyText;
