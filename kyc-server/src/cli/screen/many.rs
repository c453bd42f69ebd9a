//! A file of people, screened on all cores, in its own order.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::Instant;

use csv::StringRecord;
use indicatif::{ProgressBar, ProgressStyle};
use kyc_core::{Timestamp, day};
use kyc_screening::{Birth, Query, QueryKind, SanctionsScreener};
use serde::Serialize;

use super::rows::Rows;
use super::verdict::{Record, TITLES, Verdict};
use super::{Tally, country};
use crate::exit::{Code, Failure};
use crate::output::{Records, talk};
use crate::parallel::{cores, on_threads};

#[derive(Serialize)]
struct Row<'a> {
    line: u64,
    name: &'a str,
    #[serde(flatten)]
    verdict: Record<'a>,
}

/// Reads people from a file and writes a row for each to standard output.
pub(super) fn screen(
    screener: &SanctionsScreener,
    at: Timestamp,
    file: &Path,
    as_json: bool,
) -> Result<Tally, Failure> {
    let begin = Instant::now();
    let (input, bytes) = open(file)?;
    let progress = bar(bytes);
    let mut rows = Rows::new(file, progress.wrap_read(input));
    let (_, titles) = rows.next().transpose()?.unwrap_or_default();
    let columns = Columns::of(&titles, file)?;
    let mut output = Records::begin(as_json, ["line", "name"].into_iter().chain(TITLES))?;
    let mut tally = Tally::default();
    loop {
        let batch: Vec<_> = rows.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            break;
        }
        let verdicts = on_threads(cores(), &batch, |(_, row)| columns.verdict(row, screener, at));
        for ((line, row), verdict) in batch.iter().zip(&verdicts) {
            tally.add(verdict);
            let name = columns.name(row);
            let person = || [line.to_string(), name.to_owned()];
            output.write(
                || person().into_iter().chain(verdict.cells()),
                || Row { line: *line, name, verdict: verdict.record() },
            )?;
        }
    }
    output.finish()?;
    progress.finish_and_clear();
    let seconds = begin.elapsed().as_secs_f64();
    let Tally { people, with_hits, .. } = tally;
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let rate = people as f64 / seconds.max(f64::EPSILON);
    talk(format_args!(
        "{people} people in {seconds:.1} s ({rate:.0} per second), {with_hits} with hits"
    ));
    Ok(tally)
}

fn open(file: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if file == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let opened = File::open(file).and_then(|file| Ok((file.metadata()?.len(), file)));
    let (bytes, file) = opened
        .map_err(|error| Failure::because(&format!("cannot read {}", file.display()), &error))?;
    Ok((Box::new(file), Some(bytes)))
}

fn missing_name_column(file: &Path, titles: &StringRecord) -> Failure {
    let hint = match titles {
        one if one.len() == 1 && one.iter().any(|title| title.contains([';', '\t'])) => {
            ": columns are separated by commas"
        }
        _ => ": it holds the full name; join given and family names in it",
    };
    let sentence = format!("the first line of {} has no column `name`{hint}", file.display());
    Failure::new(Code::Failed, sentence)
}

/// Drawn on a terminal alone, unless the rows go there.
fn bar(bytes: Option<u64>) -> ProgressBar {
    if io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let Some(bytes) = bytes else { return ProgressBar::new_spinner() };
    let bar = ProgressBar::new(bytes);
    match ProgressStyle::with_template("{bar:40} {percent:>3}%  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Where the columns are.
struct Columns {
    name: usize,
    birth_date: Option<usize>,
    nationality: Option<usize>,
    gender: Option<usize>,
    wallet: Option<usize>,
    document: Option<usize>,
}

impl Columns {
    fn of(titles: &StringRecord, file: &Path) -> Result<Self, Failure> {
        let find = |column: &str| {
            let is_it = |title: &str| title.trim().eq_ignore_ascii_case(column);
            if titles.iter().filter(|title| is_it(title)).count() > 1 {
                let file = file.display();
                let sentence = format!("the first line of {file} has two columns `{column}`");
                return Err(Failure::new(Code::Failed, sentence));
            }
            Ok(titles.iter().position(is_it))
        };
        Ok(Self {
            name: find("name")?.ok_or_else(|| missing_name_column(file, titles))?,
            birth_date: find("birth_date")?,
            nationality: find("nationality")?,
            gender: find("gender")?,
            wallet: find("wallet")?,
            document: find("document")?,
        })
    }

    fn name<'r>(&self, row: &'r StringRecord) -> &'r str {
        row.get(self.name).map_or("", str::trim)
    }

    fn verdict(&self, row: &StringRecord, screener: &SanctionsScreener, at: Timestamp) -> Verdict {
        match self.person(row) {
            Ok(person) => Verdict::of(screener.search(&person, at), screener.uses_sample()),
            Err(fault) => Verdict::none(fault),
        }
    }

    /// A value that cannot be read could have been what speaks for a hit, so it is a fault.
    fn person(&self, row: &StringRecord) -> Result<Query, String> {
        let cell = |column: Option<usize>| {
            column.and_then(|at| row.get(at)).map(str::trim).filter(|text| !text.is_empty())
        };
        let fault = |column: &str, error: &dyn std::error::Error| format!("{column} {error}");
        let birth_date = cell(self.birth_date).map(day::parse).transpose();
        let nationality = cell(self.nationality).map(country).transpose();
        let gender = cell(self.gender).map(str::parse).transpose();
        Ok(Query {
            kind: QueryKind::Person,
            name: self.name(row).to_owned(),
            birth: birth_date.map_err(|error| fault("birth_date", &error))?.map(Birth::Day),
            nationality: nationality.map_err(|error| fault("nationality", &error))?,
            gender: gender.map_err(|error| fault("gender", &error))?,
            wallets: cell(self.wallet).into_iter().map(str::to_owned).collect(),
            documents: cell(self.document).into_iter().map(str::to_owned).collect(),
        })
    }
}

/// Enough to keep all cores busy, little enough to write early.
const BATCH: usize = 4096;
