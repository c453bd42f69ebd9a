//! The header of a JPEG image: its segments up to the frame header (ITU-T T.81, annex B).

/// The start-of-image marker, and the byte with which the next marker begins.
pub(super) const SIGNATURE: &[u8] = b"\xFF\xD8\xFF";

/// The number of pixels that the first frame header claims, `None` if no whole one is reached.
///
/// Segments are stepped over by their length, so a preview image inside one is not mistaken for
/// the image. Only segments that may stand before a frame header are stepped over.
pub(super) fn pixels(bytes: &[u8]) -> Option<u64> {
    let mut rest = bytes.strip_prefix(b"\xFF\xD8")?;
    loop {
        let (marker, after) = split_marker(rest)?;
        // The length counts its own two bytes.
        let length = u16::from_be_bytes(*after.first_chunk()?);
        let (segment, following) = after.split_at_checked(length.into())?;
        let content = segment.get(2..)?;
        match marker {
            // SOF0 to SOF15; the codes left out are the tables DHT and DAC, and a reserved one.
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => return frame_pixels(content),
            // DHT, DAC, DQT, DRI, APP0 to APP15, COM.
            0xC4 | 0xCC | 0xDB | 0xDD | 0xE0..=0xEF | 0xFE => rest = following,
            _ => return None,
        }
    }
}

/// Takes a marker off: at least one `FF`, since any number of them may fill up, and its code.
fn split_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let mut rest = bytes.strip_prefix(b"\xFF")?;
    while let Some(shorter) = rest.strip_prefix(b"\xFF") {
        rest = shorter;
    }
    rest.split_first().map(|(marker, after)| (*marker, after))
}

/// Width times height of a frame header with three bytes for each of one to four components.
fn frame_pixels(content: &[u8]) -> Option<u64> {
    let (&precision, rest) = content.split_first()?;
    let (height, rest) = rest.split_first_chunk()?;
    let (width, rest) = rest.split_first_chunk()?;
    let (&components, specifications) = rest.split_first()?;
    let sound = (2..=16).contains(&precision)
        && (1..=4).contains(&components)
        && specifications.len() == 3 * usize::from(components);
    sound.then(|| u64::from(u16::from_be_bytes(*width)) * u64::from(u16::from_be_bytes(*height)))
}
