//! `kyc list status`: which lists are current, and whether applicants can be screened.

use kyc_core::{Clock, SystemClock, Timestamp};
use kyc_screening::{Engine, ListStatus, Mode, Options, Policy};
use serde::Serialize;

use crate::config::{Globals, Settings};
use crate::exit::Failure;
use crate::fetch::{self, Record};
use crate::output::{data, json, table, talk};

/// What a list is fit for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Fitness {
    Current,
    /// Imported or checked longer ago than the policy allows.
    TooOld,
    /// Required or fetched, and not there.
    Missing,
    /// Invented people.
    Sample,
}

impl Fitness {
    fn words(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::TooOld => "TOO OLD",
            Self::Missing => "MISSING",
            Self::Sample => "SAMPLE: invented people",
        }
    }
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Row {
    list: String,
    state: Fitness,
    required: bool,
    version: Option<String>,
    source_date: Option<String>,
    /// Since the day that the publisher put on it.
    source_age_days: Option<i64>,
    imported_at: Option<String>,
    imported_age_days: Option<u64>,
    /// When it was last imported or found to be what its publisher has.
    checked_at: Option<String>,
    /// Since then: what the policy asks for.
    age_days: Option<u64>,
    /// When somebody last tried to fetch it.
    attempted_at: Option<String>,
    /// Why that did not work, and since when it does not.
    failing: Option<Failing>,
    persons: Option<usize>,
    names: Option<usize>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Failing {
    since: String,
    reason: String,
}

#[derive(Serialize)]
struct Report {
    /// Whether applicants are screened with these lists.
    screening: bool,
    /// Whether they are compared with invented people.
    sample: bool,
    max_age_days: u64,
    lists: Vec<Row>,
}

pub(super) fn show(globals: &Globals, as_json: bool) -> Result<(), Failure> {
    let settings = &Settings::of_environment(globals)?;
    let at = SystemClock.now();
    let mut lists = crate::cli::lists(settings)?.status(at)?;
    let is_sample = settings.mode() == Mode::Development && lists.is_empty();
    if is_sample {
        lists = Engine::sample(Options::default()).status(at);
    }
    let record = Record::read(&fetch::folder_of(&settings.data));
    let report = report(&settings.policy, lists, &record, is_sample, at);
    if as_json {
        return json(&report);
    }
    let cells = |row: &Row| {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        [
            row.list.clone(),
            row.state.words().to_owned(),
            if row.required { "yes" } else { "no" }.to_owned(),
            or_dash(
                row.source_date
                    .clone()
                    .zip(row.source_age_days)
                    .map(|(date, days)| format!("{date}, {days} d ago")),
            ),
            or_dash(row.imported_age_days.map(|days| format!("{days} d ago"))),
            or_dash(row.age_days.map(|days| format!("{days} d ago"))),
            or_dash(row.persons.map(|count| count.to_string())),
            or_dash(row.names.map(|count| count.to_string())),
        ]
    };
    let titles =
        ["LIST", "STATE", "REQUIRED", "PUBLISHED", "IMPORTED", "CHECKED", "PERSONS", "NAMES"];
    data(table(titles, &report.lists.iter().map(cells).collect::<Vec<_>>()))?;
    for row in &report.lists {
        if let Some(Failing { since, reason }) = &row.failing {
            talk(format_args!("warning: {} cannot be updated since {since}: {reason}", row.list));
        }
    }
    if report.sample {
        talk("SAMPLE LIST IN USE until real lists are imported: results prove nothing");
    } else if !report.screening {
        let next = globals.command("list import FILE...");
        talk(format_args!("nobody is screened, AML results stay `-`: {next}"));
    }
    Ok(())
}

/// What the policy says about these lists (D34).
fn report(
    policy: &Policy,
    lists: Vec<ListStatus>,
    record: &Record,
    is_sample: bool,
    at: Timestamp,
) -> Report {
    let is_required = |name: &str| {
        !is_sample && (policy.required.is_empty() || policy.required.iter().any(|r| r == name))
    };
    let is_there = |name: &str| lists.iter().any(|list| list.version.list == name);
    let required = policy.required.iter().map(String::as_str);
    let failing = record.iter().filter(|(_, attempts)| attempts.failing().is_some());
    let mut missing: Vec<&str> = required.chain(failing.map(|(list, _)| list)).collect();
    missing.retain(|name| !is_there(name));
    missing.sort_unstable();
    missing.dedup();
    let missing = missing.into_iter().map(|name| Row::missing(name, is_required(name)));
    let missing: Vec<Row> = missing.collect();
    let known = lists.into_iter().map(|list| {
        let is_old = list.age.is_some_and(|age| age > policy.max_age);
        let state = match (list.version.sample, is_old) {
            (true, _) => Fitness::Sample,
            (false, true) => Fitness::TooOld,
            (false, false) => Fitness::Current,
        };
        Row {
            required: is_required(&list.version.list),
            state,
            version: Some(list.version.version),
            source_date: list.version.source_date.map(|date| date.to_string()),
            source_age_days: list.version.source_date.map(|date| (at.date() - date).whole_days()),
            imported_at: list.imported_at.map(|at| at.to_string()),
            imported_age_days: list.imported_at.map(|imported| days_between(imported, at)),
            checked_at: list.checked_at.map(|at| at.to_string()),
            age_days: list.age.map(|age| age.as_secs() / DAY),
            attempted_at: None,
            failing: None,
            persons: Some(list.counts.persons),
            names: Some(list.counts.names),
            list: list.version.list,
        }
    });
    let mut lists: Vec<Row> = known.chain(missing).collect();
    for row in &mut lists {
        let Some(attempts) = record.of(&row.list) else { continue };
        row.attempted_at = Some(attempts.attempted_at().to_string());
        row.failing = attempts.failing().map(|failing| Failing {
            since: failing.since().to_string(),
            reason: failing.reason.clone(),
        });
    }
    let is_unfit = |row: &Row| row.required && row.state != Fitness::Current;
    let screening = is_sample || (!lists.is_empty() && !lists.iter().any(is_unfit));
    Report { screening, sample: is_sample, max_age_days: policy.max_age.as_secs() / DAY, lists }
}

impl Row {
    fn missing(name: &str, required: bool) -> Self {
        Self {
            list: name.to_owned(),
            state: Fitness::Missing,
            required,
            version: None,
            source_date: None,
            source_age_days: None,
            imported_at: None,
            imported_age_days: None,
            checked_at: None,
            age_days: None,
            attempted_at: None,
            failing: None,
            persons: None,
            names: None,
        }
    }
}

fn days_between(before: Timestamp, at: Timestamp) -> u64 {
    u64::try_from(at.unix_millis() - before.unix_millis()).unwrap_or(0) / (DAY * 1000)
}

const DAY: u64 = 24 * 60 * 60;

#[cfg(test)]
mod tests {
    use kyc_core::{Screener, Subject};
    use kyc_screening::{SanctionsScreener, Snapshot, read_plain};

    use super::*;

    const TODAY: i64 = 20_000 * 86_400_000;

    fn list(name: &str, age_days: i64) -> Snapshot {
        let people = read_plain("id,name\n1,Mira Kole\n".as_bytes()).unwrap().into_entities();
        let checked_at = Timestamp::from_unix_millis(TODAY - age_days * 86_400_000);
        Snapshot { checked_at, ..Snapshot::new(name, people) }
    }

    /// One policy, seen by the report and by the screener.
    #[track_caller]
    fn check(required: &[&str], lists: &[(&str, i64)], states: &[Fitness], screening: bool) {
        let at = Timestamp::from_unix_millis(TODAY).unwrap();
        let required = required.iter().map(|name| (*name).to_owned()).collect();
        let policy = Policy { required, ..Policy::default() };
        let snapshots = lists.iter().map(|(name, age)| list(name, *age)).collect();
        let engine = Engine::new(snapshots, Options::default());

        let report = report(&policy, engine.status(at), &Record::default(), false, at);
        assert_eq!(report.lists.iter().map(|row| row.state).collect::<Vec<_>>(), states);
        assert_eq!(report.screening, screening);

        let screener = SanctionsScreener::new(Mode::Production, policy, engine);
        assert_eq!(screener.screen(&Subject::named("Mira Kole"), at).is_ok(), screening);
    }

    #[test]
    fn d34_the_report_says_what_the_screener_does() {
        use Fitness::{Current, Missing, TooOld};
        check(&[], &[], &[], false);
        check(&[], &[("UN", 0)], &[Current], true);
        check(&[], &[("UN", 7), ("own", 8)], &[Current, TooOld], false);
        check(&["UN"], &[("UN", 7), ("own", 8)], &[Current, TooOld], true);
        check(&["UN", "OFAC-SDN"], &[("UN", 0)], &[Current, Missing], false);
    }
}
