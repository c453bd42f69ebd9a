//! Uploads, and which document fits where (D13, D23–D27, D30).

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use http::Method;

use crate::support::*;

const V2: &str = "/v2/submissions/upload";
const F1: &str = "/f1/submissions/upload";

#[test]
fn d23_a_file_has_at_most_3_mib() {
    let world = World::new();
    let mut file = pdf();
    file.resize(3 * 1024 * 1024, b' ');
    for target in [V2, F1] {
        world.upload(Acme, target, "passport", &file).success();
    }
    file.push(b' ');
    for target in [V2, F1] {
        let answer = world.upload(Acme, target, "passport", &file);
        answer.is_error(413, "request_too_large", "Request Entity Too Large");
    }
    // The limit is one of the decoded file.
    let fits = STANDARD.encode(&file[..3 * 1024 * 1024]);
    world.upload(Acme, F1, "passport", fits.as_bytes()).success();
    let answer = world.upload(Acme, F1, "passport", STANDARD.encode(&file).as_bytes());
    answer.is_error(413, "request_too_large", "Request Entity Too Large");
}

#[test]
fn d24_the_format_is_found_from_the_bytes() {
    let world = World::new();
    let check = |kind: &str, file: &[u8], expected: &str| {
        world.upload(Acme, V2, kind, file).success();
        let answer = world.upload(Acme, F1, kind, file).success();
        assert_eq!(answer.text_at("/fileFormat"), expected);
    };
    check("passport", &jpeg(), "image/jpeg");
    check("passport", &png(), "image/png");
    check("passport", &pdf(), "application/pdf");
    check("address", &pdf(), "application/pdf");
    check("selfie", &jpeg(), "image/jpeg");
    check("selfie", &png(), "image/png");
    // What a client says of a file has no part in it.
    let mut body = b"--frontier\r\nContent-Disposition: form-data; name=\"file\"; \
        filename=\"x.pdf\"\r\nContent-Type: application/pdf\r\n\r\n"
        .to_vec();
    body.extend_from_slice(&png());
    body.extend_from_slice(
        b"\r\n--frontier\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\n",
    );
    body.extend_from_slice(b"passport\r\n--frontier--\r\n");
    let answer = world.send_typed(Acme, &Method::POST, F1, Some(upload_type()), &body).success();
    assert_eq!(answer.text_at("/fileFormat"), "image/png");
}

#[test]
fn d24_anything_else_is_an_unsupported_media_type() {
    let world = World::new();
    let truncated = &png()[..20];
    for file in [b"GIF89a\x01\0\x01\0".as_slice(), b"<svg/>", b" %PDF-1.4", b"x", truncated] {
        for target in [V2, F1] {
            let message = "The file has to be a jpeg, png or pdf";
            let answer = world.upload(Acme, target, "passport", file);
            answer.is_error(415, "unsupported_media_type", message);
        }
    }
    for target in [V2, F1] {
        let message = "A selfie has to be a jpeg or png image";
        let answer = world.upload(Acme, target, "selfie", &pdf());
        answer.is_error(415, "unsupported_media_type", message);
    }
}

#[test]
fn d24_an_image_of_more_than_100_megapixels_is_refused() {
    let world = World::new();
    let mut huge = jpeg();
    huge[25..29].copy_from_slice(b"\xFF\xFF\xFF\xFF");
    for target in [V2, F1] {
        let reason = "must be an image of at most 100 megapixels";
        world.upload(Acme, target, "passport", &huge).is_invalid(&[("file", reason)]);
    }
}

/// Uploads a file part with a header of its own and downloads it again.
#[track_caller]
fn kept(target: &str, part_header: &str, content: &[u8]) -> Vec<u8> {
    let world = World::new();
    let body = [
        b"--frontier\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\npassport\r\n",
        b"--frontier\r\nContent-Disposition: form-data; name=\"file\"\r\n".as_slice(),
        part_header.as_bytes(),
        b"\r\n",
        content,
        b"\r\n--frontier--\r\n",
    ]
    .concat();
    let answer = world.send_typed(Acme, &Method::POST, target, Some(upload_type()), &body);
    let handle = answer.success().text_at("/filehash");
    let id = world.submit(Acme, &world.l1(Acme).with("photoid_res", &handle));
    let document = format!("/review/v1/submissions/{id}/documents/photoid_res");
    world.get(Ines, &document).success().body.to_vec()
}

#[test]
fn d25_a_base64_file_is_kept_decoded() {
    let marked = "Content-Transfer-Encoding: base64\r\n";
    let text = STANDARD.encode(png());
    assert_eq!(kept(F1, marked, text.as_bytes()), png());
    assert_eq!(kept(F1, "", text.as_bytes()), png());
    assert_eq!(kept(F1, "", STANDARD_NO_PAD.encode(png()).as_bytes()), png());
    let lines: Vec<&[u8]> = text.as_bytes().chunks(20).collect();
    assert_eq!(kept(F1, "", &lines.join(b"\r\n".as_slice())), png());
    let url = format!("data:image/png;base64,{text}");
    assert_eq!(kept(F1, "", url.as_bytes()), png());
    assert_eq!(kept(F1, "", STANDARD.encode(jpeg()).as_bytes()), jpeg());
    assert_eq!(kept(F1, "", STANDARD.encode(pdf()).as_bytes()), pdf());
    // A plain file stays as it is.
    for target in [V2, F1] {
        assert_eq!(kept(target, "", &png()), png());
    }
}

#[test]
fn d25_what_says_that_it_is_base64_has_to_be() {
    let world = World::new();
    let fault = [("file", "the file is not valid base64")];
    let answer = world.upload(Acme, F1, "passport", b"data:image/png;base64,=====");
    answer.is_invalid(&fault);
    let hidden = STANDARD.encode(b"GIF89a\x01\0\x01\0");
    let answer = world.upload(Acme, F1, "passport", hidden.as_bytes());
    let message = "The file has to be a jpeg, png or pdf";
    answer.is_error(415, "unsupported_media_type", message);
    // The other generation does not decode.
    let answer = world.upload(Acme, V2, "passport", STANDARD.encode(png()).as_bytes());
    answer.is_error(415, "unsupported_media_type", message);
}

#[test]
fn d26_types_are_read_in_every_spelling_and_written_as_the_generation_does() {
    let world = World::new();
    let check = |target: &str, word: &str, expected: &str| {
        let answer = world.upload(Acme, target, word, &jpeg()).success();
        assert_eq!(answer.text_at("/filetype"), expected);
        let handle = format!("acme000000/{expected}_{}", answer.text_at("/id"));
        assert_eq!(answer.text_at("/filehash"), handle);
    };
    for word in ["governmentid", "government_id", "GOVERNMENT_ID", " governmentId "] {
        check(V2, word, "governmentid");
        check(F1, word, "government_id");
    }
    for target in [V2, F1] {
        check(target, "Passport", "passport");
        check(target, "drivers_license", "drivers_license");
        check(target, "selfie", "selfie");
        check(target, "ADDRESS", "address");
    }
    check(F1, "Other", "other");
}

/// Each generation tells its own spelling.
const V2_TYPES: &str = "must be one of: passport, governmentid, drivers_license, selfie, address";

#[test]
fn d26_other_words_are_refused() {
    let world = World::new();
    for word in ["other", "photo", "passport2", "pass port"] {
        world.upload(Acme, V2, word, &jpeg()).is_invalid(&[("type", V2_TYPES)]);
    }
    let reason = "must be one of: passport, government_id, drivers_license, selfie, address, other";
    world.upload(Acme, F1, "photo", &jpeg()).is_invalid(&[("type", reason)]);
}

#[test]
fn d3_an_upload_needs_a_file_and_a_type() {
    let world = World::new();
    let required = |name| (name, "is required");
    let both = [required("file"), required("type")];
    let check = |parts: &[(&str, &[u8])], faults: &[(&str, &str)]| {
        for target in [V2, F1] {
            let body = multipart(parts);
            let answer = world.send_typed(Acme, &Method::POST, target, Some(upload_type()), &body);
            answer.is_missing(faults);
        }
    };
    check(&[], &both);
    check(&[("photo", &jpeg()), ("kind", b"passport")], &both);
    check(&[("file", &jpeg())], &both[1..]);
    check(&[("file", &jpeg()), ("type", b" ")], &both[1..]);
    check(&[("type", b"passport")], &both[..1]);
    check(&[("type", b"passport"), ("file", b"")], &both[..1]);
    let body = multipart(&[("type", b"x")]);
    let answer = world.send_typed(Acme, &Method::POST, V2, Some(upload_type()), &body);
    answer.is_missing(&[required("file"), ("type", V2_TYPES)]);
}

#[test]
fn d17_parts_that_are_unknown_are_ignored_and_repeated_ones_refused() {
    let world = World::new();
    let (file, kind) = (jpeg(), b"passport".as_slice());
    let send = |parts: &[(&str, &[u8])]| {
        world.send_typed(Acme, &Method::POST, V2, Some(upload_type()), &multipart(parts))
    };
    send(&[("file", &file), ("type", kind), ("note", b"x")]).success();
    let twice = send(&[("type", kind), ("file", &file), ("type", kind)]);
    twice.is_invalid(&[("type", "must be given once")]);
    let unknown = send(&[("note", b"x"), ("file", &file), ("type", kind), ("note", b"y")]);
    unknown.is_error(400, "bad_request", "A part is given more than once");
}

#[test]
fn a_broken_upload_body_is_a_bad_request() {
    let world = World::new();
    let check = |content_type: &str, body: &[u8], message: &str| {
        let answer = world.send_typed(Acme, &Method::POST, F1, Some(content_type), body);
        answer.is_error(400, "bad_request", message);
    };
    let body = multipart(&[("type", b"passport"), ("file", &jpeg())]);
    let cut = &body[..body.len() - 20];
    check(upload_type(), cut, "The body does not end with its closing boundary");
    check(upload_type(), b"", "The body does not end with its closing boundary");
    check("multipart/form-data", &body, "The content type names no valid boundary");
}

#[test]
fn d27_each_field_takes_documents_of_its_kinds() {
    let world = World::new();
    let form = world.l2(Acme);
    let fits = [
        ("photoid_res", "passport"),
        ("photoid_res", "government_id"),
        ("photoid_res", "drivers_license"),
        ("selfie_res", "selfie"),
        ("address_res", "address"),
        ("image_res1", "other"),
        ("image_res2", "other"),
        ("image_res3", "other"),
        ("image_res4", "other"),
    ];
    let expected = |field: &str| match field {
        "photoid_res" => "must be uploaded as a passport, government id or driver's license",
        "selfie_res" => "must be uploaded as a selfie",
        "address_res" => "must be uploaded as an address document",
        _ => "must be uploaded as an additional image, with the type `other`",
    };
    let kinds = ["passport", "government_id", "drivers_license", "selfie", "address", "other"];
    for kind in kinds {
        let handle = world.document(Acme, kind);
        for (field, _) in fits {
            let sent = form.clone().with(field, &handle);
            let answer = world.post(Acme, "/f1/submissions", &sent.body());
            if fits.contains(&(field, kind)) {
                assert_eq!(answer.success().text_at(&format!("/{field}")), handle);
            } else {
                answer.is_invalid(&[(field, expected(field))]);
            }
        }
    }
}

#[test]
fn d13_a_handle_has_to_be_whole_and_known() {
    let world = World::new();
    let form = world.l1(Acme);
    let handle = form.value("photoid_res").to_owned();
    let id = handle.rsplit_once('_').unwrap().1;
    let selfie = form.value("selfie_res").rsplit_once('_').unwrap().1;
    let foreign = world.document(Birch, "passport");
    for unknown in [
        String::new() + &handle + "0",
        handle.replace("acme000000", "birch00000"),
        handle.to_uppercase(),
        format!("acme000000/government_id_{id}"),
        format!("acme000000/passport_{selfie}"),
        "acme000000/passport_01m7w4nmaj0000000000000099".to_owned(),
        id.to_owned(),
        foreign,
        "../passport".to_owned(),
    ] {
        let sent = form.clone().with("photoid_res", &unknown);
        let fault = [("photoid_res", "must be the filehash of an uploaded document")];
        world.post(Acme, "/v2/submissions", &sent.body()).is_invalid(&fault);
        world.post(Acme, "/f1/submissions", &sent.body()).is_invalid(&fault);
    }
    let padded = form.with("photoid_res", &format!(" {handle} "));
    world.post(Acme, "/v2/submissions", &padded.body()).success();
}

#[test]
fn d13_one_document_can_be_used_again() {
    let world = World::new();
    let form = world.l1(Acme);
    assert_ne!(world.submit(Acme, &form), world.submit(Acme, &form));
}
