//! `kyc rescreen`: stored results and the current lists.

mod status;

use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kyc_core::{Clock, SystemClock, service};
use kyc_screening::{Library, Options, Revision, SanctionsScreener};
use serde::Serialize;

use crate::cautious::Cautious;
use crate::cli::{data_folder, open};
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure, no_result};
use crate::monitoring::{End, Extent, Goal, Monitor, Step, Tally, Turn};
use crate::output::{json, talk};
use crate::parallel::cores;
use crate::wiring;

/// Brings stored results up to the current lists
///
/// Screens again whom a change of the lists may concern, and stores what differs; inspectors see it
/// in their queue. A running service does so by itself within seconds of an import: this waits for
/// the end. It works beside a running service and without one.
///
/// With --full everybody is screened again. That is for results of another configuration, as after
/// an upgrade that compares names in another way: `kyc rescreen --status` tells.
///
/// Whenever it is stopped or killed, the next one goes on where it was. Somebody for whom there is
/// no new result keeps the earlier one, and the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Rescreen {
    /// Screens everybody, not only whom a change of the lists may concern
    #[arg(long)]
    full: bool,
    /// Shows with which lists the stored results agree, and screens nobody
    #[arg(long, conflicts_with = "full")]
    status: bool,
    /// Writes JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kyc rescreen
  kyc rescreen --full --json
  kyc rescreen --status";

#[derive(Serialize)]
struct Summary {
    /// Stored results that were looked at.
    results: u64,
    /// Those of them that were screened again.
    screened: u64,
    changed: u64,
    unchanged: u64,
    failed: u64,
    seconds: f64,
    per_second: f64,
}

pub(super) fn run(globals: &Globals, rescreen: &Rescreen) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let data = data_folder(globals)?;
    let store = open(globals)?;
    let lists = Lists { library: wiring::library(&data), settings: &settings, globals };
    if rescreen.status {
        return status::show(globals, &store, &lists.load()?.1, rescreen.json);
    }
    let service = wiring::service(store.clone(), service::Options::default());
    // Threads wait for the disk most of the time.
    let threads = cores().max(THREADS_MIN);
    let monitor = Monitor::new(service, Arc::new(store), lists.library.clone(), threads);
    let _turn = Turn::wait(&data)?;
    let extent = if rescreen.full { Extent::Everybody } else { Extent::Concerned };
    let begin = Instant::now();
    let (tally, end) = walk(monitor, &lists, extent)?;
    let summary = Summary::of(tally, begin.elapsed().as_secs_f64());
    if rescreen.json {
        json(&summary)?;
    } else {
        talk(summary.sentence());
    }
    outcome(globals, end)
}

/// The lists of a data folder, under the policy of its settings.
struct Lists<'s> {
    library: Library,
    settings: &'s Settings,
    globals: &'s Globals,
}

impl Lists<'_> {
    fn load(&self) -> Result<(Revision, SanctionsScreener), Failure> {
        let Self { library, settings, .. } = self;
        let revision = library.revision()?;
        let engine = library.load(&Options::default())?;
        let policy = settings.policy.clone();
        Ok((revision, SanctionsScreener::new(settings.mode(), policy, engine)))
    }
}

/// Walks to the end, with the lists that are current on the way.
fn walk(mut monitor: Monitor, lists: &Lists<'_>, extent: Extent) -> Result<(Tally, End), Failure> {
    let bar = bar();
    let mut tally = Tally::default();
    loop {
        let (revision, screener) = lists.load()?;
        let screener = &Cautious(screener);
        let goal = Goal { screener, editions: screener.0.editions(), extent, failed: &|_| () };
        while lists.library.revision()? == revision {
            screener.0.ready(SystemClock.now()).map_err(|error| {
                let (reason, next) = (no_result(&error), lists.globals.lists_first());
                let sentence = format!("results stay as they are, since {reason}: {next}");
                Failure::new(Code::Failed, sentence)
            })?;
            match monitor.step(&goal, &mut || false)? {
                Step::Went(more) => tally.add(more),
                Step::Ended(more, end) => {
                    tally.add(more);
                    bar.finish_and_clear();
                    return Ok((tally, end));
                }
                Step::Interrupted => {}
            }
            bar.set_position(tally.results);
        }
    }
}

fn outcome(globals: &Globals, end: End) -> Result<(), Failure> {
    if end.needs_full {
        let next = globals.command("rescreen --full");
        talk(format_args!("note: some results rest on another configuration: {next}"));
    }
    match end.failed {
        0 => Ok(()),
        failed => {
            let sentence = format!("{failed} have no new result, and keep the earlier one");
            Err(Failure::new(Code::Failed, sentence))
        }
    }
}

impl Summary {
    fn of(tally: Tally, seconds: f64) -> Self {
        let Tally { results, screened, changed, failed } = tally;
        #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
        let per_second = results as f64 / seconds.max(f64::EPSILON);
        let unchanged = screened.saturating_sub(changed + failed);
        Self { results, screened, changed, unchanged, failed, seconds, per_second }
    }

    fn sentence(&self) -> String {
        let Self { results, screened, changed, seconds, per_second, .. } = self;
        format!(
            "{results} results in {seconds:.1} s ({per_second:.0} per second), {screened} screened \
             again, {changed} changed"
        )
    }
}

/// Drawn on a terminal alone. How many results there are is known at the end.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {human_pos} results, {per_sec}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

const THREADS_MIN: usize = 8;
