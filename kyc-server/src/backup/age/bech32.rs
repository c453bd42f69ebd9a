//! Keys as text: Bech32 (BIP 173) without its limit of length.

use zeroize::Zeroizing;

use super::KEY_BYTES;

/// The key of a text with this prefix, which is all in lower or all in upper case.
pub(super) fn decode(prefix: &str, text: &str) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
    let is_mixed = text.bytes().any(|byte| byte.is_ascii_lowercase())
        && text.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_mixed {
        return None;
    }
    let lower = Zeroizing::new(text.to_ascii_lowercase());
    let (found, data) = lower.rsplit_once('1')?;
    let value = |byte: u8| CHARACTERS.iter().position(|character| *character == byte);
    let values = data.bytes().map(|byte| value(byte).and_then(|value| u8::try_from(value).ok()));
    let values = Zeroizing::new(values.collect::<Option<Vec<u8>>>()?);
    if found != prefix || checksum(prefix, &values) != 1 {
        return None;
    }
    let (values, _) = values.split_at_checked(values.len().checked_sub(CHECKSUM_VALUES)?)?;
    bytes(values)
}

/// Five bits of each value, joined to bytes. What is left over is less than five bits, and zero.
fn bytes(values: &[u8]) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    let mut room = key.iter_mut();
    let (mut held, mut bits) = (0_u32, 0_u32);
    for value in values {
        held = (held << 5) | u32::from(*value);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            *room.next()? = u8::try_from((held >> bits) & 0xff).ok()?;
            held &= (1 << bits) - 1;
        }
    }
    let is_full = room.next().is_none();
    (is_full && bits < 5 && held == 0).then_some(key)
}

fn checksum(prefix: &str, values: &[u8]) -> u32 {
    let high = prefix.bytes().map(|byte| byte >> 5);
    let low = prefix.bytes().map(|byte| byte & 31);
    let all = high.chain([0]).chain(low).chain(values.iter().copied());
    all.fold(1, |sum: u32, value| {
        let top = sum >> 25;
        let sum = ((sum & 0x01ff_ffff) << 5) ^ u32::from(value);
        let terms = (0..).zip(GENERATOR).filter(|(bit, _)| (top >> bit) & 1 == 1);
        terms.fold(sum, |sum, (_, term)| sum ^ term)
    })
}

const CHARACTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_VALUES: usize = 6;
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
