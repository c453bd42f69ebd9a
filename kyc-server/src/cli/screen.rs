//! `kyc screen`: the engine without the service.

mod many;
mod rows;
mod verdict;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use kyc_core::{Clock, Country, CountrySyntax, Gender, SystemClock, UnknownCountry, day};
use kyc_screening::{Birth, Options, Query, QueryKind, SanctionsScreener};
use time::Date;

use crate::cli::lists;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure, no_result};
use crate::output::{data, json, talk};
use verdict::Verdict;

/// Screens one person, or a file of them, against the current lists
///
/// Prints the risk, every hit with the reasons for it, and the lists that were searched. Nothing
/// is stored. Without configuration, and before the first import, it searches a built-in list of
/// invented people, and marks every result as SAMPLE. A data folder that is named has to be there.
///
/// The exit code is 0 whatever is found, unless --fail-on-hit asks for 4. It is 1 when somebody
/// could not be screened: the risk is `-` then, never `n/a`. With --fail-on-hit a hit stands above
/// that: 4.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("who").required(true).args(["name", "csv"]), after_help = EXAMPLES)]
pub(super) struct Screen {
    /// Full name, in any script
    #[arg(long)]
    name: Option<String>,
    /// The name is that of an organisation, a ship or an aircraft
    #[arg(long, conflicts_with_all = ["birth_date", "nationality", "gender", "csv"])]
    organisation: bool,
    /// Date of birth, YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = day::parse, conflicts_with = "csv")]
    birth_date: Option<Date>,
    /// Nationality: `Albania, ALB` or `ALB`
    #[arg(long, value_name = "COUNTRY", value_parser = country, conflicts_with = "csv")]
    nationality: Option<Country>,
    /// Gender: male or female
    #[arg(long, conflicts_with = "csv")]
    gender: Option<Gender>,
    /// Address of a digital currency; may be repeated
    #[arg(long, value_name = "ADDRESS", conflicts_with = "csv")]
    wallet: Vec<String>,
    /// Number of an identity document; may be repeated
    #[arg(long, value_name = "NUMBER", conflicts_with = "csv")]
    document: Vec<String>,
    #[arg(long, value_name = "FILE", help = CSV_HELP)]
    csv: Option<PathBuf>,
    /// Writes JSON; with --csv one line for each row
    #[arg(long)]
    json: bool,
    /// Ends with code 4 if there is any hit
    #[arg(long)]
    fail_on_hit: bool,
}

const CSV_HELP: &str = "\
CSV file of people, - for standard input: UTF-8, separated by commas. Its header names the columns: \
name (the full name), and if there are any birth_date (YYYY-MM-DD), nationality (ALB, or \
\"Albania, ALB\" in quotes), gender (male, female), wallet (one \
address) and document (the number of one identity document); others are ignored";

const EXAMPLES: &str = "\
Examples:
  kyc screen --name 'Tormund Vexley'
  kyc screen --name 'Oriana Castrobello' --birth-date 1980-02-29 --nationality ITA --json
  kyc screen --name 'Petrel Trading LLC' --organisation
  kyc screen --csv customers.csv > hits.csv";

/// What a run found, for the exit code.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    people: usize,
    with_hits: usize,
    not_screened: usize,
}

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        self.people += 1;
        self.with_hits += usize::from(!verdict.hits.is_empty());
        self.not_screened += usize::from(verdict.risk.is_none());
    }

    /// A hit that was asked for stands above people who could not be screened.
    fn outcome(self, fail_on_hit: bool) -> Result<(), Failure> {
        let Self { people, with_hits, not_screened } = self;
        let is_hit = fail_on_hit && with_hits > 0;
        let not_screened = match not_screened {
            0 => None,
            count => Some(format!("{count} of {people} could not be screened")),
        };
        let hits = is_hit.then(|| format!("{with_hits} of {people} have hits"));
        let faults: Vec<String> = hits.into_iter().chain(not_screened).collect();
        if faults.is_empty() {
            return Ok(());
        }
        let code = if is_hit { Code::Fault } else { Code::Failed };
        Err(Failure::new(code, faults.join(", ")))
    }
}

pub(super) fn run(globals: &Globals, screen: &Screen) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let engine = lists(&settings)?.load(&Options::default())?;
    let screener = SanctionsScreener::new(settings.mode(), settings.policy, engine);
    let at = SystemClock.now();
    screener.ready(at).map_err(|error| {
        let (reason, next) = (no_result(&error), globals.lists_first());
        let sentence = format!("nobody was screened, since {reason}: {next}");
        Failure::new(Code::Failed, sentence)
    })?;
    if screener.uses_sample() {
        talk(
            "SAMPLE: these are invented people, and results prove nothing until lists are imported",
        );
    }
    let tally = match &screen.csv {
        Some(file) => many::screen(&screener, at, file, screen.json)?,
        None => one(&screener, screen)?,
    };
    tally.outcome(screen.fail_on_hit)
}

fn one(screener: &SanctionsScreener, screen: &Screen) -> Result<Tally, Failure> {
    let query = Query {
        kind: if screen.organisation { QueryKind::Other } else { QueryKind::Person },
        name: screen.name.clone().unwrap_or_default(),
        birth: screen.birth_date.map(Birth::Day),
        nationality: screen.nationality,
        gender: screen.gender,
        wallets: screen.wallet.clone(),
        documents: screen.document.clone(),
    };
    let result = screener.search(&query, SystemClock.now());
    let verdict = Verdict::of(result, screener.uses_sample());
    let mut tally = Tally::default();
    tally.add(&verdict);
    if screen.json {
        json(&verdict.record())?;
    } else {
        data(verdict.text())?;
    }
    Ok(tally)
}

/// What is no country here. The interface has a sentence of its own, since `/v2` takes no code
/// alone.
#[derive(Debug, thiserror::Error)]
#[error("must be a country of the country list, such as `Albania, ALB` or `ALB`")]
struct NoCountry;

fn country(text: &str) -> Result<Country, NoCountry> {
    CountrySyntax::CombinedOrCode.parse(text.trim()).map_err(|UnknownCountry| NoCountry)
}
