use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::{InvalidBase64, Part, TransferEncoding};

const PDF: &[u8] = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
const BASE64_PDF: &str = "JVBERi0xLjQKJeLjz9MK";

fn file(transfer_encoding: TransferEncoding, bytes: &[u8]) -> Result<Cow<'_, [u8]>, InvalidBase64> {
    Part { name: "file".to_owned(), transfer_encoding, bytes }.file()
}

#[track_caller]
fn check_marked(bytes: &str, expected: Result<&[u8], InvalidBase64>) {
    let file = file(TransferEncoding::Base64, bytes.as_bytes());
    assert_eq!(file.as_deref(), expected.as_ref().copied());
}

#[track_caller]
fn check_unmarked(bytes: impl AsRef<[u8]>, expected: Result<&[u8], InvalidBase64>) {
    let file = file(TransferEncoding::Identity, bytes.as_ref());
    assert_eq!(file.as_deref(), expected.as_ref().copied());
}

#[test]
fn d25_a_part_that_is_marked_is_decoded() {
    check_marked(BASE64_PDF, Ok(PDF));
    check_marked("", Ok(b""));
    check_marked("aGVsbG8=", Ok(b"hello"));
    check_marked("aGVsbG8", Ok(b"hello"));
}

#[test]
fn d25_spaces_and_line_breaks_do_not_count() {
    check_marked("JVBERi0xLjQK\r\nJeLjz9MK\r\n", Ok(PDF));
    check_marked(" J V B E R i 0\txLjQKJe\nLjz9MK ", Ok(PDF));
    check_unmarked("\n\n  JVBE\r\nRi0xLjQKJe\nLjz9MK\n", Ok(PDF));
}

#[test]
fn d25_a_part_that_is_marked_and_not_base64_is_refused() {
    check_marked("%PDF-1.4", Err(InvalidBase64));
    check_marked("JVBERi0xLjQKJ", Err(InvalidBase64));
    check_marked("JVBERi0x=LjQK", Err(InvalidBase64));
    check_marked("JVBERi0x-_", Err(InvalidBase64));
    // The last character holds bits that belong to no byte.
    check_marked("aGVsbG9=", Err(InvalidBase64));
}

#[test]
fn d25_a_data_url_is_decoded_marked_or_not() {
    for url in [
        format!("data:application/pdf;base64,{BASE64_PDF}"),
        format!("DATA:application/pdf;name=a.pdf;BASE64,{BASE64_PDF}"),
        format!("data:;base64,{BASE64_PDF}"),
        format!("  data:image/png;base64,\r\n{BASE64_PDF}\r\n"),
    ] {
        check_marked(&url, Ok(PDF));
        check_unmarked(&url, Ok(PDF));
    }
}

#[test]
fn d25_a_data_url_of_another_kind_is_refused() {
    check_unmarked(format!("data:application/pdf,{BASE64_PDF}"), Err(InvalidBase64));
    check_unmarked(format!("data:application/pdf;base64{BASE64_PDF}"), Err(InvalidBase64));
    check_unmarked("data:application/pdf;base64,%25PDF", Err(InvalidBase64));
    check_unmarked("data:", Err(InvalidBase64));
    check_unmarked("data:,", Err(InvalidBase64));
}

#[test]
fn d25_an_unmarked_text_is_decoded_if_it_hides_a_known_format() {
    check_unmarked(BASE64_PDF, Ok(PDF));
    check_unmarked("JVBERi0=", Ok(b"%PDF-"));
    check_unmarked("/9j/4AAQSkZJRgABAQEA", Ok(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\x01\0"));
    check_unmarked("iVBORw0KGgoAAAANSUhEUg==", Ok(b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR"));
}

#[test]
fn d25_any_other_unmarked_part_is_the_file_itself() {
    for bytes in [
        PDF,
        b"",
        b"\xFF\xD8\xFF\xE0",
        b"aGVsbG8=",
        b"GIF89a",
        b"JVBERi0xLjQKJeLjz9MK but not to the end",
        b"database64,",
        b"dat",
    ] {
        let file = file(TransferEncoding::Identity, bytes).unwrap();
        assert!(matches!(file, Cow::Borrowed(same) if same == bytes), "{bytes:?}");
    }
}

#[test]
fn d25_base64_is_decoded_once() {
    let twice = STANDARD.encode(BASE64_PDF);
    check_unmarked(&twice, Ok(twice.as_bytes()));
    check_marked(&twice, Ok(BASE64_PDF.as_bytes()));
}

proptest! {
    #[test]
    fn d25_every_way_of_sending_a_file_gives_the_same_bytes(
        tail in prop::collection::vec(any::<u8>(), 0..200),
        width in 1_usize..100,
        signature in prop::sample::select(vec![&b"%PDF-"[..], b"\xFF\xD8\xFF", b"\x89PNG\r\n\x1A\n"]),
    ) {
        let sent = [signature, &tail].concat();
        let text = STANDARD.encode(&sent);
        let lines: Vec<&str> = text.as_bytes().chunks(width).map(|l| str::from_utf8(l).unwrap()).collect();
        let folded = lines.join("\r\n");
        let url = format!("data:image/png;base64,{folded}");

        prop_assert_eq!(&*file(TransferEncoding::Identity, &sent).unwrap(), &sent);
        for encoded in [text.trim_end_matches('='), &text, &folded, &url] {
            prop_assert_eq!(&*file(TransferEncoding::Base64, encoded.as_bytes()).unwrap(), &sent);
            prop_assert_eq!(&*file(TransferEncoding::Identity, encoded.as_bytes()).unwrap(), &sent);
        }
    }

    #[test]
    fn a_decoded_file_is_never_longer_than_what_was_sent(bytes in "[A-Za-z0-9+/= \n:,;]{0,60}") {
        for encoding in [TransferEncoding::Base64, TransferEncoding::Identity] {
            if let Ok(decoded) = file(encoding, bytes.as_bytes()) {
                prop_assert!(decoded.len() <= bytes.len());
            }
        }
    }
}
