//! `kyc list`

mod status;

use std::path::PathBuf;

use clap::Subcommand;
use kyc_core::{Clock, SystemClock};
use kyc_screening::{Imported, Shrinkage};
use serde::Serialize;

use crate::config::{Globals, Settings};
use crate::exit::Failure;
use crate::folder;
use crate::output::{data, json, table, talk};
use crate::wiring::library;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Makes the lists in these files the current ones
    ///
    /// Takes the consolidated list of the United Nations (XML), the OFAC lists (`sdn.csv` or
    /// `cons_prim.csv`; the files alt, add and comments beside them are taken along), the lists of
    /// the European Union (CSV 1.1) and the United Kingdom (CSV), the consolidated screening list
    /// of the United States (CSV), data of OpenSanctions (targets.simple.csv or
    /// entities.ftm.json), and lists of your own (CSV with a header: id, name, and if you have them
    /// kind, category, aliases, `weak_aliases`, `birth_date`, nationality, gender, wallets,
    /// documents, programme). The format is found from the content.
    ///
    /// Everything is read before anything changes: a file that is cut off or malformed leaves all
    /// lists as they are. A running service uses the new lists within seconds.
    #[command(after_help = "\
Examples:
  kyc list import consolidated.xml
  kyc list import sdn.csv cons_prim.csv our-watchlist.csv")]
    Import {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Takes a list that lost more than a fifth of its people: somebody has looked
        #[arg(long)]
        accept_shrinkage: bool,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows which lists are current, how old they are, and which are missing
    Status {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Row {
    list: String,
    version: String,
    source_date: Option<String>,
    persons: usize,
    others: usize,
    names: usize,
    wallets: usize,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Import { files, accept_shrinkage, json } => {
            let shrinkage = if *accept_shrinkage { Shrinkage::Accept } else { Shrinkage::Refuse };
            import(globals, files, shrinkage, *json)
        }
        Verb::Status { json } => status::show(&Settings::of_environment(globals)?, *json),
    }
}

fn import(
    globals: &Globals,
    files: &[PathBuf],
    shrinkage: Shrinkage,
    as_json: bool,
) -> Result<(), Failure> {
    let folder = globals.data_folder()?;
    folder::make(&folder)?;
    let imported = library(&folder).import(files, SystemClock.now(), shrinkage);
    let imported = imported.map_err(|error| {
        if matches!(error, kyc_screening::LibraryError::Shrank { .. }) {
            talk("nothing was imported; --accept-shrinkage takes it if you have looked");
        }
        error
    })?;
    for list in imported.iter().filter(|list| !list.absent.is_empty()) {
        let absent = list.absent.join(", ");
        talk(format_args!(
            "warning: {} came without {absent}: names and remarks are missing",
            list.version.list
        ));
    }
    let rows = imported.into_iter().map(|Imported { version, counts, .. }| Row {
        list: version.list,
        version: version.version,
        source_date: version.source_date.map(|date| date.to_string()),
        persons: counts.persons,
        others: counts.others,
        names: counts.names,
        wallets: counts.wallets,
    });
    if as_json {
        return json(&rows.collect::<Vec<_>>());
    }
    let cells = |row: Row| {
        [
            row.list,
            row.version.chars().take(12).collect(),
            row.source_date.unwrap_or_else(|| "-".to_owned()),
            row.persons.to_string(),
            row.others.to_string(),
            row.names.to_string(),
            row.wallets.to_string(),
        ]
    };
    let titles = ["LIST", "VERSION", "DATE", "PERSONS", "OTHERS", "NAMES", "WALLETS"];
    data(table(titles, &rows.map(cells).collect::<Vec<_>>()))
}
