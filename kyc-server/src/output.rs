//! Data to standard output, talk to standard error.
//!
//! Scripts read standard output, so nothing but what was asked for goes there.

mod records;

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use serde::Serialize;

use crate::exit::Failure;

pub(crate) use records::Records;

/// Writes one line of data.
pub(crate) fn data(line: impl Display) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| unwritable(&error))
}

/// Writes a value as JSON, indented for people who look at it.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value);
    data(text.map_err(|error| Failure::because("cannot write the answer as JSON", &error))?)
}

/// Tells the person at the terminal something. When nobody listens, nothing is lost.
pub(crate) fn talk(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// A reader that has seen enough is no failure worth a sentence.
fn unwritable(error: &io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        return Failure::silent();
    }
    Failure::because("cannot write to standard output", error)
}

/// As [`unwritable`], for rows of CSV.
fn csv_unwritable(error: &csv::Error) -> Failure {
    if let csv::ErrorKind::Io(error) = error.kind() {
        return unwritable(error);
    }
    Failure::because("cannot write a row", error)
}

/// A cell that a spreadsheet takes for text and never for a formula (T20).
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell != "-" {
        return format!("'{cell}");
    }
    cell
}

/// A word as a shell takes it.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Rows as a table, each column as wide as its widest cell.
pub(crate) fn table<const N: usize>(titles: [&str; N], rows: &[[String; N]]) -> String {
    let titles = titles.map(str::to_owned);
    let all = || std::iter::once(&titles).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        all().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    });
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_word_is_one_word() {
        assert_eq!(quoted("/srv/kyc-data/tls/ca.pem"), "/srv/kyc-data/tls/ca.pem");
        assert_eq!(quoted("/my data/ca.pem"), "'/my data/ca.pem'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["acme".to_owned(), "1".to_owned()], ["zoë".to_owned(), String::new()]];
        assert_eq!(table(["NAME", "KEYS"], &rows), "NAME  KEYS\nacme  1\nzoë");
    }

    #[track_caller]
    fn check(cell: &str, written: &str) {
        assert_eq!(harmless(cell.to_owned()), written);
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        check("Mira Kole", "Mira Kole");
        check("=1+1", "'=1+1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("-Mira", "'-Mira");
        check("\t=1", "'\t=1");
    }

    #[test]
    fn the_word_for_no_result_stays_as_it_is() {
        check("-", "-");
    }
}
