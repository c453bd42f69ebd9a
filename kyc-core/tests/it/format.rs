use kyc_core::format::FileFormat::{Jpeg, Pdf, Png};
use kyc_core::format::InvalidFile::{BrokenHeader, TooManyPixels, UnknownFormat};
use kyc_core::format::{FileFormat, InvalidFile};
use proptest::prelude::*;

#[track_caller]
fn check(bytes: &[u8], expected: Result<FileFormat, InvalidFile>) {
    assert_eq!(FileFormat::of(bytes), expected);
}

#[test]
fn d24_the_format_is_found_from_the_bytes() {
    check(&jpeg(640, 480), Ok(Jpeg));
    check(&png(640, 480), Ok(Png));
    check(b"%PDF-1.4\n", Ok(Pdf));
    check(b"%PDF-", Ok(Pdf));
}

#[test]
fn d24_anything_else_is_unknown() {
    check(b"", Err(UnknownFormat));
    check(b"GIF89a\x01\0\x01\0", Err(UnknownFormat));
    check(b"<svg xmlns='http://www.w3.org/2000/svg'/>", Err(UnknownFormat));
    check(b"\0\0\0\x18ftypheic", Err(UnknownFormat));
    check(b"RIFF\x24\0\0\0WEBPVP8 ", Err(UnknownFormat));
    check(b"BM\x46\0\0\0", Err(UnknownFormat));
    check(b"II*\0", Err(UnknownFormat));
    check(b"PK\x03\x04", Err(UnknownFormat));
    check(b"iVBORw0KGgo=", Err(UnknownFormat));
}

#[test]
fn d24_a_signature_counts_at_offset_0_only() {
    check(b" %PDF-1.4", Err(UnknownFormat));
    check(b"\n\n\n\n\n\n\n\n\n\n%PDF-1.4", Err(UnknownFormat));
    check(b"\xEF\xBB\xBF%PDF-1.4", Err(UnknownFormat));
    check(&[b"\0", jpeg(1, 1).as_slice()].concat(), Err(UnknownFormat));
    check(&[b"\r\n", png(1, 1).as_slice()].concat(), Err(UnknownFormat));
}

#[test]
fn d24_a_signature_alone_is_no_image() {
    check(b"\xFF\xD8\xFF", Err(BrokenHeader));
    check(b"\xFF\xD8\xFF<html><script>alert(1)</script></html>", Err(BrokenHeader));
    check(b"\xFF\xD8\xFF\xE0<html><script>alert(1)</script></html>", Err(BrokenHeader));
    check(b"\x89PNG\r\n\x1A\n", Err(BrokenHeader));
    check(b"\x89PNG\r\n\x1A\n<html><script>alert(1)</script></html>", Err(BrokenHeader));
}

#[test]
fn d24_the_claimed_pixels_are_limited_to_100_megapixels() {
    check(&jpeg(10_000, 10_000), Ok(Jpeg));
    check(&jpeg(10_000, 10_001), Err(TooManyPixels));
    check(&jpeg(65_535, 65_535), Err(TooManyPixels));
    check(&png(10_000, 10_000), Ok(Png));
    check(&png(10_001, 10_000), Err(TooManyPixels));
    check(&png(100_000_000, 1), Ok(Png));
    check(&png(60_000, 60_000), Err(TooManyPixels));
    check(&png(u32::MAX, u32::MAX), Err(TooManyPixels));
}

#[test]
fn an_image_has_pixels() {
    check(&jpeg(0, 480), Err(BrokenHeader));
    check(&jpeg(640, 0), Err(BrokenHeader));
    check(&png(0, 480), Err(BrokenHeader));
    check(&png(640, 0), Err(BrokenHeader));
}

#[test]
fn jpeg_segments_are_stepped_over_up_to_the_frame_header() {
    let preview = segment(0xE1, &jpeg(60_000, 60_000));
    let frame = frame(0xC0, 640, 480);
    check(&[SOI, &preview, &frame].concat(), Ok(Jpeg));
    check(&[SOI, &segment(0xFE, b""), &frame].concat(), Ok(Jpeg));
    check(&[SOI, &segment(0xDB, &[0; 65]), &segment(0xC4, &[0; 30]), &frame].concat(), Ok(Jpeg));
    check(&[SOI, b"\xFF\xFF\xFF", &frame].concat(), Ok(Jpeg));
}

#[test]
fn jpeg_frames_of_every_coding_are_known() {
    for marker in [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] {
        check(&[SOI, &frame(marker, 8, 8)].concat(), Ok(Jpeg));
    }
    // Tables and a reserved code in the same range.
    for marker in [0xC4, 0xC8, 0xCC] {
        check(&[SOI, &frame(marker, 8, 8)].concat(), Err(BrokenHeader));
    }
}

#[test]
fn jpeg_markers_that_cannot_precede_a_frame_are_refused() {
    // Restart, end of image, start of scan, start of image, a reserved and a stuffed byte.
    for marker in [0xD0, 0xD9, 0xDA, 0xD8, 0x3C, 0x00] {
        let out_of_place = segment(marker, &[0; 8]);
        check(&[SOI, &out_of_place, &frame(0xC0, 8, 8)].concat(), Err(BrokenHeader));
    }
}

#[test]
fn jpeg_lengths_must_be_true() {
    let frame = frame(0xC0, 8, 8);
    check(&[SOI, b"\xFF\xE0\x00\x00", &frame].concat(), Err(BrokenHeader));
    check(&[SOI, b"\xFF\xE0\x00\x01", &frame].concat(), Err(BrokenHeader));
    check(&[SOI, b"\xFF\xE0\xFF\xFF", &frame].concat(), Err(BrokenHeader));
    check(&[SOI, b"junk", &frame].concat(), Err(UnknownFormat));
    check(&[SOI, &segment(0xE0, b"JFIF\0"), b"junk", &frame].concat(), Err(BrokenHeader));
}

#[test]
fn jpeg_frames_list_as_many_components_as_they_say() {
    let with = |precision, components, listed: usize| {
        let size = [precision, 0, 8, 0, 8, components];
        [SOI, &segment(0xC0, &[&size[..], &vec![0x11; 3 * listed]].concat())].concat()
    };
    check(&with(8, 1, 1), Ok(Jpeg));
    check(&with(12, 4, 4), Ok(Jpeg));
    check(&with(8, 3, 1), Err(BrokenHeader));
    check(&with(8, 1, 3), Err(BrokenHeader));
    check(&with(8, 0, 0), Err(BrokenHeader));
    check(&with(8, 5, 5), Err(BrokenHeader));
    check(&with(0, 1, 1), Err(BrokenHeader));
    check(&with(17, 1, 1), Err(BrokenHeader));
}

#[test]
fn png_fields_must_fit_together() {
    for (colour, depths) in [
        (0, &[1, 2, 4, 8, 16][..]),
        (2, &[8, 16]),
        (3, &[1, 2, 4, 8]),
        (4, &[8, 16]),
        (6, &[8, 16]),
    ] {
        for depth in 0..=u8::MAX {
            let expected = if depths.contains(&depth) { Ok(Png) } else { Err(BrokenHeader) };
            check(&png_with(8, 8, [depth, colour, 0, 0, 0]), expected);
        }
    }
    for colour in [1, 5, 7, 255] {
        check(&png_with(8, 8, [8, colour, 0, 0, 0]), Err(BrokenHeader));
    }
    check(&png_with(8, 8, [8, 2, 0, 0, 1]), Ok(Png));
    check(&png_with(8, 8, [8, 2, 1, 0, 0]), Err(BrokenHeader));
    check(&png_with(8, 8, [8, 2, 0, 1, 0]), Err(BrokenHeader));
    check(&png_with(8, 8, [8, 2, 0, 0, 2]), Err(BrokenHeader));
}

/// The header of many a one-pixel image, written down whole: it pins the checksum of both sides.
#[test]
fn png_of_another_program_is_read() {
    let header =
        b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xDE";
    check(header, Ok(Png));
}

#[test]
fn media_types_are_distinct_and_only_a_pdf_is_no_image() {
    assert_eq!(Jpeg.media_type(), "image/jpeg");
    assert_eq!(Png.media_type(), "image/png");
    assert_eq!(Pdf.media_type(), "application/pdf");
    assert!(Jpeg.is_image() && Png.is_image() && !Pdf.is_image());
}

proptest! {
    #[test]
    fn any_bytes_have_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = FileFormat::of(&bytes);
        let _ = FileFormat::of(&[SOI, &bytes].concat());
        let _ = FileFormat::of(&[PNG_SIGNATURE, &bytes].concat());
    }

    #[test]
    fn an_image_is_accepted_for_its_pixels_alone(width in any::<u16>(), height in any::<u16>()) {
        let expected = match u64::from(width) * u64::from(height) {
            0 => Err(BrokenHeader),
            1..=100_000_000 => Ok(()),
            _ => Err(TooManyPixels),
        };
        prop_assert_eq!(FileFormat::of(&jpeg(width, height)).map(drop), expected);
        prop_assert_eq!(FileFormat::of(&png(width.into(), height.into())).map(drop), expected);
    }

    #[test]
    fn what_follows_the_header_does_not_matter(tail in prop::collection::vec(any::<u8>(), 0..100)) {
        for header in [jpeg(640, 480), png(640, 480), b"%PDF-".to_vec()] {
            let whole = [header.as_slice(), &tail].concat();
            prop_assert_eq!(FileFormat::of(&whole), FileFormat::of(&header));
        }
    }

    #[test]
    fn a_header_cut_short_is_refused(cut in any::<prop::sample::Index>()) {
        for header in [jpeg(640, 480), png(640, 480)] {
            prop_assert!(FileFormat::of(&header[..cut.index(header.len())]).is_err());
        }
    }

    #[test]
    fn a_changed_bit_in_a_png_header_is_noticed(bit in 0..33_usize * 8) {
        let mut header = png(640, 480);
        header[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(FileFormat::of(&header).is_err());
    }
}

/// A header-only JPEG: a JFIF segment, a quantisation table, a baseline frame.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let jfif = segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    [SOI, &jfif, &segment(0xDB, &[1; 65]), &frame(0xC0, width, height)].concat()
}

fn frame(marker: u8, width: u16, height: u16) -> Vec<u8> {
    let [h1, h0] = height.to_be_bytes();
    let [w1, w0] = width.to_be_bytes();
    segment(marker, &[8, h1, h0, w1, w0, 1, 1, 0x11, 0])
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let [.., high, low] = (content.len() + 2).to_be_bytes();
    [&[0xFF, marker, high, low], content].concat()
}

/// A header-only PNG in eight-bit RGB.
fn png(width: u32, height: u32) -> Vec<u8> {
    png_with(width, height, [8, 2, 0, 0, 0])
}

fn png_with(width: u32, height: u32, fields: [u8; 5]) -> Vec<u8> {
    let typed = [b"IHDR", &width.to_be_bytes()[..], &height.to_be_bytes(), &fields].concat();
    let checksum = crc32(&typed).to_be_bytes();
    [PNG_SIGNATURE, b"\0\0\0\x0D", &typed, &checksum].concat()
}

fn crc32(bytes: &[u8]) -> u32 {
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| (byte >> bit) & 1));
    !bits.fold(u32::MAX, |crc, bit| {
        let carry = (crc ^ u32::from(bit)) & 1;
        (crc >> 1) ^ (carry * 0xEDB8_8320)
    })
}

const SOI: &[u8] = b"\xFF\xD8";
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";
