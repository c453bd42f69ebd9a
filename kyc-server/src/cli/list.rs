//! `kyc list`

mod status;
mod update;

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use kyc_core::{Clock, ListVersion, SystemClock};
use kyc_screening::{Counts, Imported, LibraryError, ListStatus, Mode, Shrinkage};
use serde::Serialize;

use super::data_folder;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure};
use crate::fetch;
use crate::fitness::NOBODY_IS_SCREENED;
use crate::output::{data, json, table, talk};
use crate::wiring::library;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Makes the lists in these files the current ones
    ///
    /// Takes the lists that kyc knows by their content, and lists of your own. Every list that was
    /// imported is required from then on, unless the configuration names those that are
    /// (`lists_required`): `kyc list remove` takes one out again.
    ///
    /// Everything is read before anything changes: a file that is cut off or malformed leaves all
    /// lists as they are. A running service uses the new lists within seconds.
    #[command(after_help = IMPORT_HELP)]
    Import {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Takes a list that lost more than a fifth of its entities, persons, names or wallets, or
        /// that its publisher dated before the current one: somebody has looked
        #[arg(long, visible_alias = "accept-older")]
        accept_shrinkage: bool,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Fetches lists from their publishers and makes them the current ones
    ///
    /// An edition that has not changed is not fetched again, and counts as new as of now. What
    /// breaks off is gone on with by the next update. A list that cannot be fetched, or is cut off,
    /// malformed or suspiciously small, stays as it is, and the others are updated all the same. A
    /// running service uses the new lists within seconds.
    #[command(after_help = update::HELP)]
    Update {
        /// Which lists [default: those of `lists_update` in the configuration]
        #[arg(value_name = "LIST[=ADDRESS]")]
        lists: Vec<String>,
        /// As for `kyc list import`
        #[arg(long, visible_alias = "accept-older")]
        accept_shrinkage: bool,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Takes a list out of the current ones; a running service stops using it within seconds
    ///
    /// Its files stay in the data folder, because results refer to them. To have it back, import
    /// it again. What came of its updates is forgotten, also where it was never there.
    #[command(after_help = "Example:\n  kyc list remove our-watchlist")]
    Remove {
        /// As `kyc list status` shows it
        name: String,
    },
    /// Shows which lists are current, how old they are, and which are missing
    ///
    /// Ends with 0 also when nobody is screened: `screening` of --json tells, and `/readyz` of the
    /// service.
    Status {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Row {
    list: String,
    #[serde(flatten)]
    edition: Edition,
    /// The edition whose place it took.
    replaced: Option<Edition>,
}

#[derive(Serialize)]
struct Edition {
    version: String,
    source_date: Option<String>,
    persons: usize,
    others: usize,
    names: usize,
    wallets: usize,
}

impl Edition {
    fn of(version: ListVersion, counts: Counts) -> Self {
        Self {
            version: version.version,
            source_date: version.source_date.map(|date| date.to_string()),
            persons: counts.persons,
            others: counts.others,
            names: counts.names,
            wallets: counts.wallets,
        }
    }
}

/// What the help of `import` says of files.
const IMPORT_HELP: &str = "\
Published lists, which have names of their own:
  UN         the consolidated list, XML
  OFAC-SDN   sdn.csv; alt.csv, add.csv and sdn_comments.csv beside it are taken along
  OFAC-CONS  cons_prim.csv; cons_alt.csv, cons_add.csv and cons_comments.csv likewise
  EU         the consolidated list, CSV 1.1
  UK         the UK Sanctions List, CSV
  US-CSL     the consolidated screening list of the United States, CSV
Data of OpenSanctions (targets.simple.csv or entities.ftm.json) is called like its file, - for each
dot.

A list of your own is called like its file, in lower case: our-watchlist.csv is our-watchlist. The
name may have letters, digits, - and _. It is CSV in UTF-8, columns separated by commas, with a
header in any order:
  id              required, once in the file
  name            required, the full name
  kind            person (if nothing is said), organisation, vessel, aircraft
  category        sanction (if nothing is said), pep, watchlist
  aliases         other names, separated by ;
  weak_aliases    nicknames, separated by ;
  birth_date      YYYY-MM-DD, YYYY-MM, YYYY, ~YYYY (about) or YYYY..YYYY; several separated by ;
  nationality     ALB, Albania, or \"Albania, ALB\" in quotes; several separated by ;
  gender          male, female
  wallets         addresses of digital currencies, separated by ;
  documents       numbers of identity documents, alone or as kind: number; separated by ;
  programme       why the entity is listed

Examples:
  kyc list import consolidated.xml
  kyc list import sdn.csv cons_prim.csv our-watchlist.csv";

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Import { files, accept_shrinkage, json } => {
            import(globals, files, shrinkage(*accept_shrinkage), *json)
        }
        Verb::Update { lists, accept_shrinkage, json } => {
            update::run(globals, lists, shrinkage(*accept_shrinkage), *json)
        }
        Verb::Remove { name } => remove(globals, name),
        Verb::Status { json } => status::show(globals, *json),
    }
}

fn shrinkage(is_accepted: bool) -> Shrinkage {
    if is_accepted { Shrinkage::Accept } else { Shrinkage::Refuse }
}

fn remove(globals: &Globals, name: &str) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let data_folder = data_folder(globals)?;
    let library = library(&data_folder);
    let at = SystemClock.now();
    let absent = match library.remove(name, at) {
        Ok(_) => None,
        Err(error @ LibraryError::NoSuchList { .. }) => Some(error),
        Err(error) => return Err(error.into()),
    };
    if absent.is_none() {
        talk(format_args!("list {name} removed"));
    }
    // What failed once would be told for ever of a list that nobody wants any more.
    let was_fetched = fetch::forget(&data_folder, name).map_err(|error| {
        Failure::because(&format!("the record of updates of {name} stays"), &error)
    })?;
    if let Some(error) = absent {
        if !was_fetched {
            let status = globals.command("list status");
            return Err(Failure::new(Code::Failed, format!("{error}: see `{status}`")));
        }
        talk(format_args!("there was no list {name}; the record of its updates is removed"));
    }
    if settings.updates.every.is_some()
        && settings.updates.feeds.iter().any(|feed| feed.list == name)
    {
        talk(format_args!(
            "warning: the service fetches {name} again: name the lists that it fetches in \
             lists_update"
        ));
    }
    if settings.policy.required.iter().any(|required| required == name) {
        talk(format_args!(
            "warning: lists_required names {name}: nobody is screened until it is imported again, \
             or is named there no more"
        ));
    } else if library.status(at)?.is_empty() {
        talk(match settings.mode() {
            Mode::Production => format!("warning: no list is left: {NOBODY_IS_SCREENED}"),
            Mode::Development => {
                "warning: no list is left: the SAMPLE of invented people is searched".to_owned()
            }
        });
    }
    Ok(())
}

fn import(
    globals: &Globals,
    files: &[PathBuf],
    shrinkage: Shrinkage,
    as_json: bool,
) -> Result<(), Failure> {
    let imported = library(&data_folder(globals)?)
        .import(files, SystemClock.now(), shrinkage)
        .inspect_err(hint)?;
    imported.iter().for_each(warn_of_losses);
    for list in imported.iter().filter(|list| !list.absent.is_empty()) {
        let absent = list.absent.join(", ");
        talk(format_args!(
            "warning: {} came without {absent}: names and remarks are missing",
            list.version.list
        ));
    }
    let rows = imported.into_iter().map(|Imported { version, counts, replaced, .. }| Row {
        list: version.list.clone(),
        edition: Edition::of(version, counts),
        replaced: replaced.map(|ListStatus { version, counts, .. }| Edition::of(version, counts)),
    });
    if as_json {
        return json(&rows.collect::<Vec<_>>());
    }
    let cells = |row: Row| {
        let (new, old) = (row.edition, row.replaced.as_ref());
        [
            row.list,
            new.version.chars().take(12).collect(),
            new.source_date.unwrap_or_else(|| "-".to_owned()),
            change(old.map(|old| old.persons), new.persons),
            change(old.map(|old| old.others), new.others),
            change(old.map(|old| old.names), new.names),
            change(old.map(|old| old.wallets), new.wallets),
        ]
    };
    let titles = ["LIST", "VERSION", "DATE", "PERSONS", "OTHERS", "NAMES", "WALLETS"];
    data(table(titles, &rows.map(cells).collect::<Vec<_>>()))
}

/// A count, and the one before where it differs.
fn change(before: Option<usize>, now: usize) -> String {
    match before {
        Some(before) if before != now => format!("{before} -> {now}"),
        Some(_) | None => now.to_string(),
    }
}

/// Lists grow. Where the publisher puts no date on a file, less of it is all that tells an old one.
fn warn_of_losses(list: &Imported) {
    let Some(old) = &list.replaced else { return };
    let (before, now) = (old.counts, list.counts);
    let counts = [
        ("persons", before.persons, now.persons),
        ("names", before.names, now.names),
        ("wallets", before.wallets, now.wallets),
    ];
    for (what, before, now) in counts.into_iter().filter(|(_, before, now)| now < before) {
        talk(format_args!(
            "warning: {} has fewer {what} than the edition it replaced, {before} -> {now}: is the \
             file an old one?",
            list.version.list
        ));
    }
}

/// Says what to do about an import that failed.
fn hint(error: &LibraryError) {
    if let LibraryError::Shrank { .. } | LibraryError::Older { .. } = error {
        talk("nothing was imported; --accept-shrinkage takes it if you have looked");
    } else if let LibraryError::Io { path, source } = error
        && source.kind() == ErrorKind::IsADirectory
    {
        let file = path.join("sdn.csv");
        talk(format_args!("name the list file in the folder, such as {}", file.display()));
    } else if let LibraryError::UnknownFormat { file } = error
        && has_other_separator(file)
    {
        talk("its columns are not separated by commas, which a list of your own needs");
    }
}

/// Whether the first line of a file looks like columns between semicolons or tabs.
fn has_other_separator(file: &Path) -> bool {
    let mut line = String::new();
    let read = File::open(file)
        .and_then(|file| BufReader::new(file.take(LINE_BYTES_MAX)).read_line(&mut line));
    read.is_ok() && line.contains([';', '\t']) && !line.contains(',')
}

/// More than any header.
const LINE_BYTES_MAX: u64 = 4096;
