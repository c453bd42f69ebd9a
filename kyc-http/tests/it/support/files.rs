//! Small files, and upload bodies around them.

pub(crate) fn jpeg() -> Vec<u8> {
    [
        b"\xFF\xD8".as_slice(),
        b"\xFF\xE0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00",
        b"\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00",
        b"\xFF\xD9",
    ]
    .concat()
}

/// One pixel.
pub(crate) fn png() -> Vec<u8> {
    [
        b"\x89PNG\r\n\x1A\n".as_slice(),
        b"\x00\x00\x00\x0DIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1F\x15\xC4\x89",
        b"\x00\x00\x00\x0AIDAT\x78\x9C\x63\x00\x01\x00\x00\x05\x00\x01\x0D\x0A\x2D\xB4",
        b"\x00\x00\x00\x00IEND\xAE\x42\x60\x82",
    ]
    .concat()
}

pub(crate) fn pdf() -> Vec<u8> {
    b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n".to_vec()
}

pub(crate) fn upload_type() -> &'static str {
    "multipart/form-data; boundary=frontier"
}

/// A body of the type [`upload_type`].
pub(crate) fn multipart(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in parts {
        let file_name = if *name == "file" { "; filename=\"photo.jpg\"" } else { "" };
        let head = format!(
            "--frontier\r\nContent-Disposition: form-data; name=\"{name}\"{file_name}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--frontier--\r\n");
    body
}
