//! Measures the screening engine on labelled cases.
//!
//! ```text
//! scorecard pairs CASES.csv OUT.csv
//! scorecard batch QUERIES.csv OUT.csv [--un FILE] [--ofac DIR] [--drop-original-script]
//! ```
//!
//! `pairs` compares `name1` and `name2` of each case (columns `case_id`, `schema`, `is_match` beside
//! them) and writes `case_id,score`. `batch` screens `name`, `dob`, `nationality` and `gender` of each
//! query (beside `qid`, `set` and `truth`) against the persons of the lists and writes a row
//! `qid,entity_id,score` for each hit, or one without entity where there is none. Both print how good
//! the answers are at the threshold 0.700, and the processor time of a single comparison or screening.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use kyc_core::{Country, Gender, Hit, Score, Timestamp, day};
use kyc_screening::{
    AliasKind, Birth, Engine, Entity, NameKey, OfacReader, Options, Query, Snapshot, read_un,
};
use rustix::time::{ClockId, clock_gettime};

type Outcome<T> = Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: scorecard pairs CASES.csv OUT.csv
       scorecard batch QUERIES.csv OUT.csv [--un FILE] [--ofac DIR] [--drop-original-script]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["pairs", cases, out] => pairs(cases, out),
        ["batch", queries, out, rest @ ..] => {
            lists(rest).and_then(|lists| batch(queries, out, &lists))
        }
        ["--help" | "-h"] => writeln!(stdout(), "{USAGE}").map_err(Into::into),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn pairs(cases: &str, out: &str) -> Outcome<()> {
    let options = Options::default();
    let mut out = csv::Writer::from_path(out)?;
    out.write_record(["case_id", "score"])?;
    let (mut times, mut persons, mut all) =
        (Times::default(), Verdicts::default(), Verdicts::default());
    for row in rows(cases)? {
        let is_person = row.text("schema")? == "Person";
        let (one, other) = (row.text("name1")?, row.text("name2")?);
        let score = times.measure(|| {
            let key = |name| {
                if is_person {
                    NameKey::of(name, &options)
                } else {
                    NameKey::of_organisation(name, &options)
                }
            };
            key(one).similarity(&key(other))
        });
        out.write_record([row.text("case_id")?, &score.to_string()])?;
        let is_match = row.text("is_match")? == "true";
        all.add(is_match, score >= threshold());
        if is_person {
            persons.add(is_match, score >= threshold());
        }
    }
    out.flush()?;
    persons.print("persons")?;
    all.print("all")?;
    times.print("pair")
}

/// The lists that the arguments name.
struct Lists {
    un: Vec<Entity>,
    ofac: Vec<Entity>,
}

fn lists(mut arguments: &[&str]) -> Outcome<Lists> {
    let mut lists = Lists { un: Vec::new(), ofac: Vec::new() };
    let mut drops_original_script = false;
    loop {
        arguments = match arguments {
            ["--un", file, rest @ ..] => {
                lists.un = read_un(open(Path::new(file))?)?.into_entities();
                rest
            }
            ["--ofac", folder, rest @ ..] => {
                lists.ofac = read_ofac(Path::new(folder))?;
                rest
            }
            ["--drop-original-script", rest @ ..] => {
                drops_original_script = true;
                rest
            }
            [] => break,
            [unknown, ..] => {
                return Err(format!("{unknown} is unknown, or lacks its value\n{USAGE}").into());
            }
        };
    }
    if lists.un.is_empty() && lists.ofac.is_empty() {
        return Err(format!("name a list: --un FILE, --ofac DIR, or both\n{USAGE}").into());
    }
    if drops_original_script {
        for entity in lists.un.iter_mut().chain(&mut lists.ofac) {
            entity.aliases.retain(|alias| alias.kind != AliasKind::Original);
        }
    }
    Ok(lists)
}

fn open(path: &Path) -> Outcome<File> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn read_ofac(folder: &Path) -> Outcome<Vec<Entity>> {
    let open = |name| open(&folder.join(name));
    let reader = OfacReader::primary(open("sdn.csv")?)?.aliases(open("alt.csv")?)?;
    let reader = reader.addresses(open("add.csv")?)?.comments(open("sdn_comments.csv")?)?;
    Ok(reader.finish()?.into_entities())
}

fn batch(queries: &str, out: &str, lists: &Lists) -> Outcome<()> {
    let snapshots =
        vec![Snapshot::new("un", lists.un.clone()), Snapshot::new("ofac2021", lists.ofac.clone())];
    let engine = Engine::new(snapshots, Options::default());
    let mut out = csv::Writer::from_path(out)?;
    out.write_record(["qid", "entity_id", "score"])?;
    let (mut times, mut sets) = (Times::default(), BTreeMap::<String, Set>::new());
    for row in rows(queries)? {
        let query = Query {
            birth: birth(row.text("dob")?),
            nationality: Country::from_alpha2(&row.text("nationality")?.to_uppercase()),
            gender: gender(row.text("gender")?),
            ..Query::named(row.text("name")?)
        };
        let screening = times.measure(|| engine.search(&query, Timestamp::EARLIEST));
        let hits = screening.map(|screening| screening.hits).unwrap_or_default();
        let truth = row.text("truth")?;
        let is_answer = |hit: &&Hit| {
            truth.is_empty()
                || truth.split('|').any(|id| id == format!("{}-{}", hit.list, hit.entity))
        };
        let is_found =
            hits.iter().filter(|hit| hit.score >= threshold()).any(|hit| is_answer(&hit));
        let set = sets.entry(row.text("set")?.to_owned()).or_default();
        set.found += u32::from(is_found);
        set.times.0.extend(times.0.last());
        if hits.is_empty() {
            out.write_record([row.text("qid")?, "", ""])?;
        }
        for hit in hits {
            let entity = format!("{}-{}", hit.list, hit.entity);
            out.write_record([row.text("qid")?, &entity, &hit.score.to_string()])?;
        }
    }
    out.flush()?;
    for (name, Set { found, times }) in sets {
        let count = times.0.len();
        let share = f64::from(found) / f64::from(u32::try_from(count)?);
        writeln!(stdout(), "{name}: {found} of {count} found, {share:.4}")?;
        times.print("query")?;
    }
    times.print("query")
}

/// The queries of one set.
#[derive(Default)]
struct Set {
    found: u32,
    times: Times,
}

/// A day, a month or a year.
fn birth(text: &str) -> Option<Birth> {
    let year = text.get(..4)?.parse().ok()?;
    let month = text.get(5..7).and_then(|month| month.parse().ok());
    Some(match (day::parse(text), month) {
        (Ok(day), _) => Birth::Day(day),
        (Err(_), Some(month)) => Birth::Month { year, month },
        (Err(_), None) => Birth::Year(year),
    })
}

fn gender(text: &str) -> Option<Gender> {
    match text {
        "male" => Some(Gender::Male),
        "female" => Some(Gender::Female),
        _ => None,
    }
}

/// The rows of a CSV file, read whole.
fn rows(path: &str) -> Outcome<Vec<Row>> {
    let mut reader = csv::Reader::from_reader(open(Path::new(path))?);
    let columns: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let columns = std::sync::Arc::new(columns);
    reader.records().map(|record| Ok(Row { columns: columns.clone(), record: record? })).collect()
}

struct Row {
    columns: std::sync::Arc<Vec<String>>,
    record: csv::StringRecord,
}

impl Row {
    fn text(&self, column: &str) -> Outcome<&str> {
        let at = self.columns.iter().position(|name| name == column);
        let text = at.and_then(|at| self.record.get(at));
        text.ok_or_else(|| format!("a row has no column {column}").into())
    }
}

fn threshold() -> Score {
    Options::default().report_from
}

/// How often a matcher was right.
#[derive(Default)]
struct Verdicts {
    right: u32,
    wrong: u32,
    missed: u32,
}

impl Verdicts {
    fn add(&mut self, is_match: bool, is_found: bool) {
        match (is_match, is_found) {
            (true, true) => self.right += 1,
            (false, true) => self.wrong += 1,
            (true, false) => self.missed += 1,
            (false, false) => {}
        }
    }

    fn print(&self, what: &str) -> Outcome<()> {
        let share = |of: u32| f64::from(self.right) / f64::from((self.right + of).max(1));
        let f1 = f64::from(2 * self.right)
            / f64::from((2 * self.right + self.wrong + self.missed).max(1));
        writeln!(
            stdout(),
            "{what}: precision {:.4}, recall {:.4}, F1 {f1:.4}",
            share(self.wrong),
            share(self.missed),
        )?;
        Ok(())
    }
}

/// Processor time of single calls.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn measure<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let before = processor_time();
        let outcome = call();
        self.0.push(processor_time().saturating_sub(before));
        outcome
    }

    fn print(mut self, unit: &str) -> Outcome<()> {
        self.0.sort_unstable();
        let count = self.0.len().max(1);
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let mean = micros(self.0.iter().sum::<Duration>() / u32::try_from(count)?);
        let at = |percent: usize| {
            self.0.get((count * percent / 100).min(count - 1)).copied().unwrap_or_default()
        };
        writeln!(
            stdout(),
            "{count} times: mean {mean:.1} µs, p50 {:.1} µs, p99 {:.1} µs per {unit}",
            micros(at(50)),
            micros(at(99)),
        )?;
        Ok(())
    }
}

/// What this thread has used so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
