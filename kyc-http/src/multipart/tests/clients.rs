use super::check;

#[test]
fn the_body_of_curl() {
    check(
        "multipart/form-data; boundary=------------------------d74496d66958873e",
        "--------------------------d74496d66958873e\r\n\
         Content-Disposition: form-data; name=\"type\"\r\n\r\n\
         passport\r\n\
         --------------------------d74496d66958873e\r\n\
         Content-Disposition: form-data; name=\"file\"; filename=\"my \\\"best\\\" scan.pdf\"\r\n\
         Content-Type: application/pdf\r\n\r\n\
         %PDF-1.4\r\n\r\n\
         --------------------------d74496d66958873e--\r\n",
        &[("type", "passport"), ("file", "%PDF-1.4\r\n")],
    );
}

#[test]
fn the_body_of_a_browser() {
    check(
        "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
        "------WebKitFormBoundary7MA4YWxkTrZu0gW\r\n\
         Content-Disposition: form-data; name=\"file\"; filename=\"C:\\folder\\scan%22.pdf\"\r\n\
         Content-Type: application/pdf\r\n\r\n\
         %PDF-1.4\r\n\
         ------WebKitFormBoundary7MA4YWxkTrZu0gW\r\n\
         Content-Disposition: form-data; name=\"type\"\r\n\r\n\
         address\r\n\
         ------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n",
        &[("file", "%PDF-1.4"), ("type", "address")],
    );
}

#[test]
fn the_body_of_python_requests() {
    check(
        "multipart/form-data; boundary=0c6b5ef9a1ac4a2ba7a1f3e0ee4dbd5b",
        "--0c6b5ef9a1ac4a2ba7a1f3e0ee4dbd5b\r\n\
         Content-Disposition: form-data; name=\"type\"\r\n\r\n\
         selfie\r\n\
         --0c6b5ef9a1ac4a2ba7a1f3e0ee4dbd5b\r\n\
         Content-Disposition: form-data; name=\"file\"; filename*=utf-8''Zo%C3%AB.pdf\r\n\r\n\
         %PDF-1.4\r\n\
         --0c6b5ef9a1ac4a2ba7a1f3e0ee4dbd5b--\r\n",
        &[("type", "selfie"), ("file", "%PDF-1.4")],
    );
}

#[test]
fn the_body_of_dot_net() {
    check(
        "multipart/form-data; boundary=\"3d0c2c7e-8b1f-4c5e-9f5f-8a2f6f1c7a10\"",
        "--3d0c2c7e-8b1f-4c5e-9f5f-8a2f6f1c7a10\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\
         Content-Disposition: form-data; name=type\r\n\r\n\
         other\r\n\
         --3d0c2c7e-8b1f-4c5e-9f5f-8a2f6f1c7a10\r\n\
         Content-Disposition: form-data; name=file; filename=a.pdf; filename*=utf-8''a.pdf\r\n\r\n\
         %PDF-1.4\r\n\
         --3d0c2c7e-8b1f-4c5e-9f5f-8a2f6f1c7a10--\r\n",
        &[("type", "other"), ("file", "%PDF-1.4")],
    );
}

#[test]
fn the_body_of_java_mail_and_of_guzzle() {
    check(
        "multipart/form-data; boundary=----=_Part_0_1330311.1700000000000; charset=UTF-8",
        "------=_Part_0_1330311.1700000000000\r\n\
         content-disposition: form-data; name=\"type\"\r\n\
         content-type: text/plain; charset=ISO-8859-1\r\n\
         content-transfer-encoding: 8bit\r\n\
         content-length: 5\r\n\r\n\
         other\r\n\
         ------=_Part_0_1330311.1700000000000--",
        &[("type", "other")],
    );
}
