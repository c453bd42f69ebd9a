//! The proof of address: a bill as a PDF of one page, written object by object.

use std::fmt::Write as _;

/// A water bill to the invented Mira Kole.
pub(crate) fn pdf() -> Vec<u8> {
    let content = content();
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}endstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];

    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (object, number) in objects.iter().zip(1..) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let size = objects.len() + 1;
    let start = file.len();
    let _ = write!(
        file,
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}

/// The instructions that draw the page: a pale diagonal word below the lines of the letter.
fn content() -> String {
    let mut content =
        "BT 0.95 0.78 0.77 rg /F1 96 Tf 0.7 0.7 -0.7 0.7 130 220 Tm (SPECIMEN) Tj ET\n\
                       BT 0 0 0 rg 16 TL 70 760 Td\n"
            .to_owned();
    for (size, line) in LINES {
        let _ = writeln!(content, "/F1 {size} Tf ({line}) Tj T*");
    }
    content.push_str("ET\n");
    content
}

/// Font size and text. The text contains no brackets and no backslash.
const LINES: &[(u8, &str)] = &[
    (16, "Utopia Water and Power"),
    (9, "1 Reservoir Road, 10000 Amaurot, Utopia"),
    (11, ""),
    (11, ""),
    (11, "Mira Kole"),
    (11, "7 Harbour Lane"),
    (11, "10117 Amaurot"),
    (11, "Utopia"),
    (11, ""),
    (11, "2 November 2026"),
    (11, ""),
    (13, "Your water bill for October 2026"),
    (11, ""),
    (11, "Customer number: 000-SPECIMEN"),
    (11, "Supply address: 7 Harbour Lane, 10117 Amaurot"),
    (11, "Water used: 9 cubic metres"),
    (11, "Amount due: 27.40"),
    (11, ""),
    (11, "This letter is a specimen. The person, the address and the company do not exist."),
];
