//! The header of a PNG image: its signature and first chunk (W3C PNG, sections 5.2 and 11.2.1).

/// The first eight bytes of every PNG.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// The number of pixels that the `IHDR` chunk claims, `None` if the chunk is not sound.
pub(super) fn pixels(bytes: &[u8]) -> Option<u64> {
    // The chunk is thirteen bytes long; its checksum covers its type and these.
    let chunk = bytes.strip_prefix(SIGNATURE)?.strip_prefix(b"\0\0\0\x0D")?;
    let (typed, after) = chunk.split_first_chunk::<17>()?;
    let checksum = u32::from_be_bytes(*after.first_chunk()?);
    let fields = typed.strip_prefix(b"IHDR")?;
    let (width, rest) = fields.split_first_chunk()?;
    let (height, rest) = rest.split_first_chunk()?;
    // One compression method and one filter method exist; interlaced or not.
    let &[depth, colour, 0, 0, 0 | 1] = rest else { return None };
    let sound = checksum == crc32(typed) && may_have_depth(colour, depth);
    sound.then(|| u64::from(u32::from_be_bytes(*width)) * u64::from(u32::from_be_bytes(*height)))
}

/// Whether a colour type may have so many bits per sample or palette index.
fn may_have_depth(colour: u8, depth: u8) -> bool {
    match colour {
        0 => matches!(depth, 1 | 2 | 4 | 8 | 16),
        3 => matches!(depth, 1 | 2 | 4 | 8),
        2 | 4 | 6 => matches!(depth, 8 | 16),
        _ => false,
    }
}

/// The checksum of a chunk. Bit by bit, because it is computed over 17 bytes only.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 0 { crc >> 1 } else { (crc >> 1) ^ 0xEDB8_8320 };
        }
    }
    !crc
}
