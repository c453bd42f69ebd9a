//! `kyc list update`: fetches lists now.

use indicatif::{ProgressBar, ProgressStyle};
use kyc_core::SystemClock;
use kyc_screening::{Imported, ListStatus, Shrinkage};
use serde::Serialize;
use tokio::runtime::Builder;

use super::{Edition, change, warn_of_losses};
use crate::cli::data_folder;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure, chain};
use crate::fetch::{Feed, Manner, Outcome, Update, Updater};
use crate::output::{data, json, table, talk};

/// What the help of `update` says beside its flags.
pub(super) const HELP: &str = "\
Published lists have addresses of their own: UN, EU, UK, US-CSL, OFAC-SDN, OFAC-CONS. For a mirror,
or a list of your own, NAME=ADDRESS; the address of an OFAC list is that of the folder of its files.
Formats are found from the content, also in gzip and in a zip of one file. Only https:// is fetched
from, and http:// from this machine. There is no support for a proxy.

Examples:
  kyc list update
  kyc list update UN OFAC-SDN
  kyc list update our-watchlist=https://lists.example.org/watch.csv";

#[derive(Serialize)]
struct Row {
    list: String,
    result: &'static str,
    /// Why it failed.
    reason: Option<String>,
    /// What is in use now; not known where it failed.
    #[serde(flatten)]
    edition: Option<Edition>,
    /// The edition whose place it took.
    replaced: Option<Edition>,
}

pub(super) fn run(
    globals: &Globals,
    lists: &[String],
    shrinkage: Shrinkage,
    as_json: bool,
) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let feeds = chosen(settings.updates.feeds.clone(), lists)?;
    let data_folder = data_folder(globals)?;
    let updater = Updater::new(&data_folder, &settings.updates)?;
    let bar = bar();
    let manner = Manner {
        clock: &SystemClock,
        shrinkage,
        progress: &|list, bytes| {
            bar.set_message(list.to_owned());
            bar.set_position(bytes);
        },
        done: &|outcome| bar.suspend(|| talk(line(outcome))),
    };
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::because("cannot wait for the network", &error))?;
    let result = runtime.block_on(updater.update(&feeds, &manner));
    // A name that is being looked up must not hold up the end.
    runtime.shutdown_background();
    bar.finish_and_clear();
    let outcomes = result.map_err(|error| Failure::of(Code::Failed, &error))?;
    outcomes.iter().filter_map(imported).for_each(warn_of_losses);

    let failed = outcomes.iter().filter(|outcome| outcome.result.is_err()).count();
    let all = outcomes.len();
    show(outcomes, as_json)?;
    if failed > 0 {
        let sentence =
            format!("{failed} of {all} lists could not be updated: what was in use of them stays");
        return Err(Failure::new(Code::Failed, sentence));
    }
    Ok(())
}

/// The lists that are named, as the configuration knows them; all that it knows if none is.
fn chosen(configured: Vec<Feed>, lists: &[String]) -> Result<Vec<Feed>, Failure> {
    if lists.is_empty() && configured.is_empty() {
        let sentence = "there is no list to fetch: name some here, or in lists_update";
        return Err(Failure::new(Code::Failed, sentence));
    }
    if lists.is_empty() {
        return Ok(configured);
    }
    let feed = |text: &String| {
        if let Some(feed) = configured.iter().find(|feed| feed.list == *text) {
            return Ok(feed.clone());
        }
        let name = text.split('=').next().unwrap_or_default();
        text.parse().map_err(|error| Failure::new(Code::Usage, format!("{name}: {error}")))
    };
    lists.iter().map(feed).collect()
}

fn imported(outcome: &Outcome) -> Option<&Imported> {
    match &outcome.result {
        Ok(Update::New(imported)) => Some(imported),
        Ok(Update::Same(_)) | Err(_) => None,
    }
}

/// What came of a list, as a line.
fn line(Outcome { list, result }: &Outcome) -> String {
    match result {
        Ok(Update::New(_)) => format!("{list}: a new edition"),
        Ok(Update::Same(_)) => format!("{list}: not changed"),
        Err(error) => format!("{list}: not updated: {}", chain(error)),
    }
}

fn show(outcomes: Vec<Outcome>, as_json: bool) -> Result<(), Failure> {
    let rows = outcomes.into_iter().map(row);
    if as_json {
        return json(&rows.collect::<Vec<_>>());
    }
    let cells = |row: Row| {
        let old = row.replaced.as_ref();
        let cell = |text: fn(&Edition, Option<&Edition>) -> String| {
            row.edition.as_ref().map_or_else(|| "-".to_owned(), |new| text(new, old))
        };
        [
            row.list.clone(),
            row.result.to_owned(),
            cell(|new, _| new.version.chars().take(12).collect()),
            cell(|new, _| new.source_date.clone().unwrap_or_else(|| "-".to_owned())),
            cell(|new, old| change(old.map(|old| old.persons), new.persons)),
            cell(|new, old| change(old.map(|old| old.names), new.names)),
        ]
    };
    let titles = ["LIST", "RESULT", "VERSION", "DATE", "PERSONS", "NAMES"];
    data(table(titles, &rows.map(cells).collect::<Vec<_>>()))
}

fn row(Outcome { list, result }: Outcome) -> Row {
    let (result, reason, edition, replaced) = match result {
        Ok(Update::New(new)) => {
            let Imported { version, counts, replaced, .. } = *new;
            let of = |ListStatus { version, counts, .. }| Edition::of(version, counts);
            ("new", None, Some(Edition::of(version, counts)), replaced.map(of))
        }
        Ok(Update::Same(list)) => {
            ("same", None, Some(Edition::of(list.version, list.counts)), None)
        }
        Err(error) => ("failed", Some(chain(&error)), None, None),
    };
    Row { list, result, reason, edition, replaced }
}

/// Shows on a terminal how much of a list has come.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{msg}: {binary_bytes}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
