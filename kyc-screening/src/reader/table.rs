//! CSV files whose header row names the columns.

use std::collections::HashMap;
use std::io::Read;

use csv::StringRecord;

use super::rows::Rows;
use super::{Place, ReadError};

/// A position in a table: behind its header row at first.
#[derive(Debug)]
pub(super) struct Table<R> {
    rows: Rows<R>,
    columns: Columns,
}

/// The columns of a format, as its publisher spells them.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) required: &'static [&'static str],
    pub(super) optional: &'static [&'static str],
}

impl Known {
    fn all(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied()
    }

    /// How many columns of this format a row names.
    pub(super) fn count_in(&self, row: &StringRecord) -> usize {
        self.all().filter(|column| row.iter().any(|title| is_title(title, column))).count()
    }
}

/// Where each known column is.
#[derive(Debug)]
struct Columns {
    by_title: HashMap<&'static str, usize>,
    width: usize,
}

impl<R: Read> Table<R> {
    /// Reads the header row. Unknown columns are ignored, whatever their order.
    pub(super) fn new(input: R, delimiter: u8, known: &Known) -> Result<Self, ReadError> {
        Self::of_rows(Rows::new(input, delimiter), known)
    }

    /// Reads the header row where other rows came before it.
    pub(super) fn of_rows(mut rows: Rows<R>, known: &Known) -> Result<Self, ReadError> {
        let Some((line, header)) = rows.next()? else { return Err(ReadError::Empty) };
        let columns = Columns::of(line, header, known)?;
        Ok(Self { rows, columns })
    }

    /// The next row; `None` behind the last one.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>, ReadError> {
        let columns = &self.columns;
        let Some((line, row)) = self.rows.next()? else { return Ok(None) };
        let blank = |field: &str| field.trim().is_empty();
        if row.len() < columns.width || !row.iter().skip(columns.width).all(blank) {
            return Err(ReadError::at_line(line, "as many columns as in the header"));
        }
        Ok(Some(Record { line, row, columns }))
    }
}

impl Columns {
    fn of(line: u64, header: &StringRecord, known: &Known) -> Result<Self, ReadError> {
        let mut by_title = HashMap::new();
        for column in known.all() {
            let mut places = header.iter().enumerate().filter(|(_, title)| is_title(title, column));
            let place = places.next().map(|(at, _)| at);
            if places.next().is_some() {
                return Err(ReadError::at_line(line, "each column once"));
            }
            by_title.extend(place.map(|at| (column, at)));
        }
        match known.required.iter().find(|column| !by_title.contains_key(*column)) {
            Some(column) => Err(ReadError::MissingColumn { place: Place::Line(line), column }),
            None => Ok(Self { by_title, width: header.len() }),
        }
    }
}

/// One row, its fields by the titles of their columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'t> {
    line: u64,
    row: &'t StringRecord,
    columns: &'t Columns,
}

impl<'t> Record<'t> {
    /// A field without the space around it; empty when the file has no such column.
    pub(super) fn get(self, column: &str) -> &'t str {
        let at = self.columns.by_title.get(column);
        at.and_then(|at| self.row.get(*at)).map_or("", str::trim)
    }

    /// A field that every row has.
    pub(super) fn required(
        self,
        column: &str,
        expected: &'static str,
    ) -> Result<&'t str, ReadError> {
        match self.get(column) {
            "" => Err(self.fault(expected)),
            text => Ok(text),
        }
    }

    /// The filled ones of some fields, in this order.
    pub(super) fn filled(self, columns: &[&str]) -> Vec<&'t str> {
        columns.iter().map(|column| self.get(column)).filter(|text| !text.is_empty()).collect()
    }

    pub(super) fn line(self) -> u64 {
        self.line
    }

    /// A fault in this row.
    pub(super) fn fault(self, expected: &'static str) -> ReadError {
        ReadError::at_line(self.line, expected)
    }
}

fn is_title(title: &str, column: &str) -> bool {
    title.trim().eq_ignore_ascii_case(column)
}
