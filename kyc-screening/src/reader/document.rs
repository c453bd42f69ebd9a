//! Documents in OFAC's words: what counts as one, and where its number ends.

use crate::Document;

/// The document of a fact such as `Passport X1 (Bulgaria) issued 01 Jan 2001`; `None` for other
/// facts.
pub(super) fn of_fact(fact: &str) -> Option<Document> {
    let kind = KINDS
        .iter()
        .find(|kind| fact.strip_prefix(**kind).is_some_and(|rest| rest.starts_with([' ', ':'])))?;
    let number = fact.get(kind.len()..)?.trim_start_matches([':', ' ']);
    let end = ENDS.iter().filter_map(|end| number.find(end)).min().unwrap_or(number.len());
    of(kind, number.get(..end)?)
}

/// A document by its kind, if that is a known one, and its number.
pub(super) fn of(kind: &str, number: &str) -> Option<Document> {
    let (kind, number) = (kind.trim(), number.trim());
    let is_document = KINDS.contains(&kind) && number.bytes().any(|b| b.is_ascii_digit());
    is_document.then(|| Document { kind: kind.to_owned(), number: number.to_owned() })
}

/// What comes after a number.
const ENDS: [&str; 4] = [" (", " issued", " expires", ","];

/// Everything that a person can be told by, and the registrations of organisations. A kind that
/// begins like another one stands before it.
const KINDS: [&str; 37] = [
    "Birth Certificate Number",
    "Bosnian Personal ID No.",
    "British National Overseas Passport",
    "Business Registration Number",
    "C.U.I.P.",
    "C.U.I.T.",
    "C.U.R.P. #",
    "C.U.R.P.",
    "Cedula No.",
    "Citizen's Card Number",
    "Company Number",
    "Credencial electoral",
    "D.N.I.",
    "Diplomatic Passport",
    "Driver's License No.",
    "Electoral Registry No.",
    "I.F.E.",
    "Identification Number",
    "Italian Fiscal Code",
    "Kenyan ID No.",
    "LE Number",
    "Moroccan Personal ID No.",
    "N.I.E.",
    "NIT #",
    "National Foreign ID Number",
    "National ID No.",
    "Passport",
    "Personal ID Card",
    "R.F.C.",
    "RFC",
    "RUC #",
    "Registration Number",
    "Residency Number",
    "SSN",
    "Tax ID No.",
    "Travel Document Number",
    "Turkish Identification Number",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fact: &str, expected: Option<(&str, &str)>) {
        let document = of_fact(fact);
        let found = document.as_ref().map(|d| (d.kind.as_str(), d.number.as_str()));
        assert_eq!(found, expected, "{fact}");
    }

    #[test]
    fn the_number_of_a_document_is_cut_out() {
        check("Passport X 001 (Utopia) expires 01 Jan 2030", Some(("Passport", "X 001")));
        check("Passport X001 issued 01 Jan 2001", Some(("Passport", "X001")));
        check("Diplomatic Passport D1", Some(("Diplomatic Passport", "D1")));
        check("National ID No.: 7-7", Some(("National ID No.", "7-7")));
        check("C.U.R.P. # AB1", Some(("C.U.R.P. #", "AB1")));
        check("NIT # 9-4 (Utopia)", Some(("NIT #", "9-4")));
    }

    #[test]
    fn other_facts_are_no_documents() {
        check("POB Utopia City", None);
        check("Passports 12", None);
        check("Passport", None);
        check("Passport issued in Utopia", None);
        check("Phone Number 123", None);
    }
}
