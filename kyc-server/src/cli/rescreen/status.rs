//! `kyc rescreen --status`: with which lists the stored results agree.

use std::collections::{BTreeMap, BTreeSet};

use kyc_core::{Clock, Covered, Editions, Monitoring, MonitoringState, SystemClock, Walk};
use kyc_screening::SanctionsScreener;
use kyc_store_sqlite::SqliteStore;
use serde::Serialize;

use crate::config::Globals;
use crate::exit::{Failure, no_result};
use crate::output::{data, json, table, talk};

#[derive(Serialize)]
struct Report {
    /// Whether every result is what screening with the current lists gives.
    up_to_date: bool,
    /// Whether some rest on another configuration, which `--full` alone changes.
    needs_full: bool,
    /// When the walk began that ended last.
    covered_since: Option<String>,
    /// `None` until everybody was screened once.
    covered: Option<Basis>,
    current: Basis,
    under_way: Option<UnderWay>,
}

/// What results rest on.
#[derive(Serialize)]
struct Basis {
    /// The version of each list.
    lists: BTreeMap<String, String>,
    configuration: String,
}

#[derive(Serialize)]
struct UnderWay {
    full: bool,
    begun: String,
    done: u64,
    failed: u64,
}

pub(super) fn show(
    globals: &Globals,
    store: &SqliteStore,
    screener: &SanctionsScreener,
    as_json: bool,
) -> Result<(), Failure> {
    let report = Report::of(store.monitoring()?, screener.editions());
    if as_json {
        return json(&report);
    }
    data(table(["LIST", "RESULTS", "CURRENT"], &report.rows()))?;
    if let Some(UnderWay { full, begun, done, .. }) = &report.under_way {
        let everybody = if *full { "everybody" } else { "whom changes concern" };
        talk(format_args!("under way since {begun}, {everybody}: {done} results are done"));
    }
    if let Err(error) = screener.ready(SystemClock.now()) {
        let (reason, next) = (no_result(&error), globals.lists_first());
        talk(format_args!("results stay as they are, since {reason}: {next}"));
    } else if !report.up_to_date {
        let next = globals.command("rescreen");
        talk(format_args!(
            "results are behind; a running service catches up by itself, or: {next}"
        ));
    }
    if report.needs_full {
        let next = globals.command("rescreen --full");
        talk(format_args!("some results rest on another configuration: {next}"));
    }
    Ok(())
}

impl Report {
    fn of(state: MonitoringState, current: Editions) -> Self {
        let covered = state.covered.as_ref();
        let is_covered = |covered: &Covered| covered.editions.lists == current.lists;
        let is_other = |covered: &Covered| covered.editions.configuration != current.configuration;
        Self {
            up_to_date: covered.is_some_and(is_covered),
            needs_full: covered.is_some_and(is_other),
            covered_since: covered.map(|covered| covered.since.to_string()),
            covered: state.covered.map(|covered| Basis::of(covered.editions)),
            current: Basis::of(current),
            under_way: state.under_way.as_ref().map(UnderWay::of),
        }
    }

    fn rows(&self) -> Vec<[String; 3]> {
        let none = BTreeMap::new();
        let covered = self.covered.as_ref().map_or(&none, |covered| &covered.lists);
        let current = &self.current.lists;
        let names: BTreeSet<&String> = covered.keys().chain(current.keys()).collect();
        let version = |lists: &BTreeMap<String, String>, name: &String| {
            lists.get(name).map_or("-", |version| version.get(..12).unwrap_or(version)).to_owned()
        };
        let row = |name: &String| [name.clone(), version(covered, name), version(current, name)];
        names.into_iter().map(row).collect()
    }
}

impl Basis {
    fn of(editions: Editions) -> Self {
        let Editions { lists, configuration } = editions;
        Self { lists, configuration }
    }
}

impl UnderWay {
    fn of(walk: &Walk) -> Self {
        let Walk { full, begun, done, failed, .. } = *walk;
        Self { full, begun: begun.to_string(), done, failed }
    }
}
