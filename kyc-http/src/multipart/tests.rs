mod clients; // bodies as real programs send them

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::InvalidMultipart::{
    BrokenBoundary, BrokenHeader, HeadersTooLong, NoBoundary, NotMultipart, TooManyParts,
    UnknownTransferEncoding, Unnamed, Unterminated,
};
use super::{InvalidMultipart, Multipart, TransferEncoding, Undecodable};

const TYPE: &[u8] = b"multipart/form-data; boundary=b";

type Parts<'a> = Vec<(String, TransferEncoding, &'a [u8])>;

fn parts<'a>(content_type: &[u8], body: &'a [u8]) -> Result<Parts<'a>, InvalidMultipart> {
    let Multipart(parts) = Multipart::parse(content_type, body)?;
    Ok(parts.into_iter().map(|part| (part.name, part.transfer_encoding, part.bytes)).collect())
}

/// Names and contents of the parts that one body holds.
#[track_caller]
fn check(content_type: &str, body: &str, expected: &[(&str, &str)]) {
    let parts = parts(content_type.as_bytes(), body.as_bytes()).unwrap();
    let found: Vec<_> = parts
        .iter()
        .map(|(name, _, bytes)| (name.as_str(), str::from_utf8(bytes).unwrap()))
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_err(body: impl AsRef<[u8]>, expected: &InvalidMultipart) {
    assert_eq!(parts(TYPE, body.as_ref()).err().as_ref(), Some(expected));
}

/// A body of one part with these header lines.
fn with_headers(headers: &str) -> String {
    format!("--b\r\n{headers}\r\nx\r\n--b--\r\n")
}

/// The name that one `Content-Disposition` gives its part.
#[track_caller]
fn check_name(disposition: &str, expected: Result<&str, InvalidMultipart>) {
    let body = with_headers(&format!("Content-Disposition: {disposition}\r\n"));
    let found = parts(TYPE, body.as_bytes()).map(|mut parts| parts.remove(0).0);
    assert_eq!(found, expected.map(str::to_owned));
}

#[track_caller]
fn check_boundary(content_type: &str, expected: Result<&str, InvalidMultipart>) {
    let found = super::boundary(content_type.as_bytes());
    assert_eq!(found, expected.map(|boundary| boundary.as_bytes().to_vec()));
}

#[test]
fn contents_are_kept_to_the_byte() {
    let one = |content: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n{content}\r\n--b--")
    };
    for content in ["", "\r\n", "\n", "\r\n\r\n", "x--b", "\n--b\n", "\r\n-b", "\r\n--", "\0"] {
        check("multipart/form-data; boundary=b", &one(content), &[("a", content)]);
    }
}

#[test]
fn a_preamble_an_epilogue_and_padding_are_stepped_over() {
    check(
        "multipart/form-data; boundary=b",
        "This is a preamble.\r\n--b \t\r\n\
         Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b-- \t\r\nThis is an epilogue.",
        &[("a", "1")],
    );
    check("multipart/form-data; boundary=b", "--b--", &[]);
    check("multipart/form-data; boundary=b", "\r\n--b--\r\n", &[]);
}

#[test]
fn parts_behind_the_closing_boundary_do_not_count() {
    let body = with_headers("Content-Disposition: form-data; name=\"a\"\r\n");
    check("multipart/form-data; boundary=b", &body.repeat(2), &[("a", "x")]);
}

#[test]
fn a_body_ends_with_its_closing_boundary() {
    let body = with_headers("Content-Disposition: form-data; name=\"a\"\r\n");
    let end = body.find("--\r\n--b--").map_or(body.len() - 4, |at| at);
    for cut in 0..end {
        assert!(parts(TYPE, &body.as_bytes()[..cut]).is_err(), "{cut}");
    }
    check_err("", &Unterminated);
    check_err("--b", &Unterminated);
    check_err("--b\r\n", &Unterminated);
    check_err("--c\r\n--c--\r\n", &Unterminated);
    check_err("x--b--\r\n", &Unterminated);
    check_err("\n--b--\r\n", &Unterminated);
}

#[test]
fn a_boundary_is_the_whole_line() {
    check_err("--bb\r\n\r\n--b--", &BrokenBoundary);
    check_err("--b-\r\n\r\n--b--", &BrokenBoundary);
    check_err("--b\n\n--b--\r\n--b--", &BrokenBoundary);
    check_err("--b\r\n--b--", &BrokenBoundary);
}

#[test]
fn boundaries_follow_rfc_2046() {
    let longest = "a".repeat(70);
    check_boundary("multipart/form-data; boundary=b", Ok("b"));
    check_boundary("Multipart/Form-Data;BOUNDARY=b", Ok("b"));
    check_boundary("multipart/form-data; charset=utf-8; boundary=b;", Ok("b"));
    check_boundary("multipart/form-data; boundary=\"a b'()+_,-./:=?\"", Ok("a b'()+_,-./:=?"));
    check_boundary(&format!("multipart/form-data; boundary={longest}"), Ok(&longest));

    check_boundary(&format!("multipart/form-data; boundary={longest}a"), Err(NoBoundary));
    check_boundary("multipart/form-data", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=\"\"", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=\"a \"", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=\"a", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=a*b", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=é", Err(NoBoundary));
    check_boundary("multipart/form-data; boundary=a; boundary=b", Err(NoBoundary));
    check_boundary("multipart/form-data boundary=b", Err(NotMultipart));
    check_boundary("multipart/mixed; boundary=b", Err(NotMultipart));
    check_boundary("application/x-www-form-urlencoded", Err(NotMultipart));
    check_boundary("", Err(NotMultipart));
}

#[test]
fn names_are_quoted_or_not() {
    check_name("form-data; name=\"file\"", Ok("file"));
    check_name("form-data; name=file", Ok("file"));
    check_name("FORM-DATA ; NAME=\"file\";", Ok("file"));
    check_name("form-data;name=\"file\" ; x=y", Ok("file"));
    check_name("form-data; filename=\"name=a\"; name=\"file\"", Ok("file"));
    check_name("form-data; filename=\"a\\\\\"; name=\"file\"", Ok("file"));
    check_name("form-data; filename=\"a;b\\\"; name=c\"; name=\"file\"", Ok("file"));
    check_name("form-data; name=\"a\\\"b\\\\c\\d\"", Ok("a\"b\\c\\d"));
    check_name("form-data; name=\"Zoë\"", Ok("Zoë"));
    check_name("form-data; name=\"\"", Ok(""));
}

#[test]
fn a_part_without_a_name_is_refused() {
    check_name("form-data", Err(Unnamed));
    check_name("form-data; filename=\"file\"", Err(Unnamed));
    check_name("form-data; name*=utf-8''file", Err(Unnamed));
    check_name("attachment; name=\"file\"", Err(Unnamed));
    check_err(with_headers("Content-Type: text/plain\r\n"), &Unnamed);
}

#[test]
fn malformed_headers_are_refused() {
    check_name("form-data; name=\"file", Err(BrokenHeader));
    check_name("form-data; name=\"file\\\"", Err(BrokenHeader));
    check_name("form-data; name=\"file\" filename=\"x\"", Err(BrokenHeader));
    check_name("form-data; name=\"file\"; filename", Err(BrokenHeader));
    check_name("form-data; name =\"file\"", Err(BrokenHeader));
    check_name("form-data; =\"file\"", Err(BrokenHeader));
    check_name("form-data; name=\"file\"; name=\"type\"", Err(BrokenHeader));
    check_name("form-data; name=\"a\0\"", Err(BrokenHeader));
    check_name("form-data; name=\"a\nb\"", Err(BrokenHeader));
    check_name("form-data; name=\"file\";\r\n filename=\"x\"", Err(BrokenHeader));

    let named = "Content-Disposition: form-data; name=\"a\"\r\n";
    check_err(with_headers(""), &BrokenHeader);
    check_err(with_headers(&format!("{named}{named}")), &BrokenHeader);
    check_err(with_headers(&format!("{named}no colon\r\n")), &BrokenHeader);
    check_err(with_headers(&format!("{named}: no name\r\n")), &BrokenHeader);
    check_err(with_headers(&format!("{named}With Space: x\r\n")), &BrokenHeader);
    check_err(with_headers(&format!("{named}X: a\rb\r\n")), &BrokenHeader);
    check_err(format!("--b\r\n{named}x\r\n--b--"), &BrokenHeader);
    check_err(format!("--b\r\n{named}--b--\r\n--b--"), &BrokenHeader);
}

#[test]
fn a_name_is_text_and_a_file_name_may_be_anything() {
    let named = |disposition: &[u8]| {
        [b"--b\r\nContent-Disposition: form-data; ", disposition, b"\r\n\r\nx\r\n--b--"].concat()
    };
    check_err(named(b"name=\"caf\xE9\""), &BrokenHeader);
    assert!(parts(TYPE, &named(b"name=\"file\"; filename=\"caf\xE9\"")).is_ok());
}

#[test]
fn transfer_encodings_are_known_or_refused() {
    let encoding = |lines: &str| {
        let body = with_headers(&format!("Content-Disposition: form-data; name=a\r\n{lines}"));
        parts(TYPE, body.as_bytes()).map(|parts| parts[0].1)
    };
    assert_eq!(encoding(""), Ok(TransferEncoding::Identity));
    for plain in ["7bit", "8bit", "binary", "BINARY"] {
        let line = format!("Content-Transfer-Encoding: {plain}\r\n");
        assert_eq!(encoding(&line), Ok(TransferEncoding::Identity));
    }
    let line = "content-transfer-encoding:  Base64 \r\n";
    assert_eq!(encoding(line), Ok(TransferEncoding::Base64));
    assert_eq!(encoding(&line.repeat(2)), Err(BrokenHeader));
    let line = "Content-Transfer-Encoding: quoted-printable\r\n";
    assert_eq!(encoding(line), Err(UnknownTransferEncoding));
}

#[test]
fn d17_a_repeated_part_is_refused_by_name() {
    let part =
        |name: &str| format!("--b\r\nContent-Disposition: form-data; name={name}\r\n\r\n\r\n");
    let twice = |name: &str| format!("{}{}{}--b--", part(name), part("c"), part(name));
    check_err(twice("file"), &InvalidMultipart::Repeated { name: Some("file".to_owned()) });
    check_err(twice("mira@example.org"), &InvalidMultipart::Repeated { name: None });
}

#[test]
fn a_part_is_found_by_name_and_read_as_text() {
    let body = b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\nZo\xC3\xAB\r\n\
                 --b\r\nContent-Disposition: form-data; name=c\r\n\r\n\xFF\r\n\
                 --b\r\nContent-Disposition: form-data; name=d\r\n\r\n\0\r\n--b--";
    let Ok(multipart) = Multipart::parse(TYPE, body) else { panic!("the body is valid") };
    let text = |name| multipart.part(name).map(super::Part::text);
    assert_eq!(text("a"), Some(Ok("Zoë")));
    assert_eq!(text("c"), Some(Err(Undecodable::NotUtf8)));
    assert_eq!(text("d"), Some(Err(Undecodable::Nul)));
    assert_eq!(text("A"), None);
}

#[test]
fn the_number_of_parts_is_limited() {
    let body = |count: usize| {
        let part = |n| format!("--b\r\nContent-Disposition: form-data; name=a{n}\r\n\r\n\r\n");
        (0..count).map(part).collect::<String>() + "--b--"
    };
    assert_eq!(parts(TYPE, body(20).as_bytes()).map(|parts| parts.len()), Ok(20));
    check_err(body(21), &TooManyParts);
    // What follows the last part is not looked at.
    check_err(body(20).replace("--b--", "--b\r\nbroken"), &TooManyParts);
}

#[test]
fn the_headers_of_a_part_are_limited() {
    let headers = |length: usize| {
        let named = "Content-Disposition: form-data; name=\"a\"\r\n";
        let filler = length - named.len() - "X: \r\n".len();
        with_headers(&format!("{named}X: {}\r\n", "y".repeat(filler)))
    };
    check("multipart/form-data; boundary=b", &headers(8 * 1024), &[("a", "x")]);
    check_err(headers(8 * 1024 + 1), &HeadersTooLong);
    check_err(format!("--b\r\n{}\r\n--b--", "y".repeat(9_000)), &HeadersTooLong);
}

/// Work that grew with the square of the length would take hours here, so the bound is generous
/// enough for any machine.
#[test]
fn t9_the_worst_bodies_take_one_pass() {
    let start = Instant::now();
    let boundary = "b".repeat(70);
    let content_type = format!("multipart/form-data; boundary={boundary}");
    let opening = format!("--{boundary}\r\nContent-Disposition: form-data; name=a\r\n\r\n");
    let almost = format!("\r\n--{}", &boundary[1..]);
    for filler in ["\r\n--", "\r", "\r\n\r\n", "-", "b", almost.as_str(), "--b\r\n", "X: y\r\n"] {
        let filler = filler.repeat(4 * 1024 * 1024 / filler.len());
        for body in
            [filler.clone(), format!("{opening}{filler}"), opening.clone() + &opening + &filler]
        {
            assert!(parts(content_type.as_bytes(), body.as_bytes()).is_err());
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60));
}

proptest! {
    #[test]
    fn what_a_client_sends_is_what_the_caller_gets(
        sent in prop::collection::btree_map("[a-z]{1,6}", contents(), 0..6),
        boundary in "[0-9A-Za-z'()+_,./:=?-]{20,70}",
    ) {
        let mut body = Vec::new();
        for (name, content) in &sent {
            let headers = format!("Content-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend([format!("--{boundary}\r\n{headers}").as_bytes(), content, b"\r\n"].concat());
        }
        body.extend(format!("--{boundary}--\r\n").as_bytes());
        let content_type = format!("multipart/form-data; boundary=\"{boundary}\"");

        let received = parts(content_type.as_bytes(), &body).unwrap();

        let received = received.into_iter().map(|(name, _, bytes)| (name, bytes.to_vec()));
        prop_assert_eq!(received.collect::<Vec<_>>(), sent.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn any_bytes_have_an_answer(
        pieces in prop::collection::vec(
            prop::sample::select(&[
                "--b", "\r\n", "--", "b", " ", "Content-Disposition: form-data; name=", "\"", "a", ";",
                "Content-Transfer-Encoding: base64", "\\", "=", "\r", "\n", "\0", "\u{e9}",
            ][..]),
            0..40,
        ),
    ) {
        let body = pieces.concat();
        if let Ok(parts) = parts(TYPE, body.as_bytes()) {
            let kept: usize = parts.iter().map(|(name, _, bytes)| name.len() + bytes.len()).sum();
            prop_assert!(kept < body.len());
        }
    }
}

/// Contents full of what could be mistaken for a boundary.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        prop::sample::select(vec!["\r\n", "--", "\r\n--", "\r\n\r\n", "\n--"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}
