//! `kyc list status`: which lists are current, and whether applicants can be screened.

use kyc_core::{Clock, SystemClock, Timestamp};
use kyc_http::ListState;
use serde::Serialize;

use crate::config::{Globals, Settings};
use crate::exit::Failure;
use crate::fetch::{self, Attempts, Record};
use crate::fitness::{Fit, Fitness, NOBODY_IS_SCREENED};
use crate::output::{data, json, table, talk};

#[derive(Debug, Serialize)]
struct Row {
    list: String,
    state: ListState,
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

#[derive(Debug, Serialize)]
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
    let library = crate::cli::lists(settings)?;
    let fitness = Fitness::of(&library, settings.mode(), &settings.policy, at)?;
    let record = Record::read(&fetch::folder_of(&settings.data));
    let report = Report {
        screening: fitness.screening,
        sample: fitness.is_sample,
        max_age_days: settings.policy.max_age.as_secs() / DAY,
        lists: rows(fitness.lists, &record, at),
    };
    if as_json {
        return json(&report);
    }
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
        talk(format_args!("{NOBODY_IS_SCREENED}: {}", globals.lists_first()));
    }
    Ok(())
}

fn cells(row: &Row) -> [String; 8] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let days_ago = |days: Option<u64>| or_dash(days.map(|days| format!("{days} d ago")));
    let published = row.source_date.as_ref().zip(row.source_age_days);
    let state = match row.state {
        ListState::Current => "current",
        ListState::TooOld => "TOO OLD",
        ListState::Missing => "MISSING",
        ListState::Sample => "SAMPLE: invented people",
    };
    [
        row.list.clone(),
        state.to_owned(),
        if row.required { "yes" } else { "no" }.to_owned(),
        or_dash(published.map(|(date, days)| format!("{date}, {days} d ago"))),
        days_ago(row.imported_age_days),
        days_ago(row.age_days),
        or_dash(row.persons.map(|count| count.to_string())),
        or_dash(row.names.map(|count| count.to_string())),
    ]
}

/// A row for each list that is there or required, or that should have been fetched and never was.
fn rows(fits: Vec<Fit>, record: &Record, at: Timestamp) -> Vec<Row> {
    let mut rows: Vec<Row> =
        fits.into_iter().map(|fit| Row::of(&fit, record.of(&fit.list), at)).collect();
    for (list, attempts) in record.iter().filter(|(_, attempts)| attempts.failing().is_some()) {
        if !rows.iter().any(|row| row.list == list) {
            let (list, state) = (list.to_owned(), ListState::Missing);
            let fit = Fit { list, state, is_required: false, status: None };
            rows.push(Row::of(&fit, Some(attempts), at));
        }
    }
    rows
}

impl Row {
    fn of(fit: &Fit, attempts: Option<&Attempts>, at: Timestamp) -> Self {
        let status = fit.status.as_ref();
        let source_date = status.and_then(|status| status.version.source_date);
        let imported_at = status.and_then(|status| status.imported_at);
        Self {
            list: fit.list.clone(),
            state: fit.state,
            required: fit.is_required,
            version: status.map(|status| status.version.version.clone()),
            source_date: source_date.map(|date| date.to_string()),
            source_age_days: source_date.map(|date| (at.date() - date).whole_days()),
            imported_at: imported_at.map(|at| at.to_string()),
            imported_age_days: imported_at.map(|imported| days_between(imported, at)),
            checked_at: status.and_then(|status| status.checked_at).map(|at| at.to_string()),
            age_days: status.and_then(|status| status.age).map(|age| age.as_secs() / DAY),
            attempted_at: attempts.map(|attempts| attempts.attempted_at().to_string()),
            failing: attempts.and_then(Attempts::failing).map(|failing| Failing {
                since: failing.since().to_string(),
                reason: failing.reason.clone(),
            }),
            persons: status.map(|status| status.counts.persons),
            names: status.map(|status| status.counts.names),
        }
    }
}

fn days_between(before: Timestamp, at: Timestamp) -> u64 {
    u64::try_from(at.unix_millis() - before.unix_millis()).unwrap_or(0) / (DAY * 1000)
}

const DAY: u64 = 24 * 60 * 60;
