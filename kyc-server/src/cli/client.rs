//! `kyc client`

use clap::Subcommand;
use kyc_core::{AccountName, Clock, Directory, SystemClock};
use serde::Serialize;

use super::open;
use crate::config::Globals;
use crate::exit::Failure;
use crate::output::{data, json, table, talk};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Adds a client, also beside a running service
    #[command(after_help = "Example:\n  kyc client add acme && kyc key create --client acme")]
    Add {
        /// What to call it: a-z, 0-9, `-`, `_` and `.`
        name: AccountName,
    },
    /// Lists the clients
    List {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    /// What its document handles begin with.
    prefix: &'a str,
    /// How many of its keys work.
    keys: usize,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Add { name } => {
            open(globals)?.add_client(name, SystemClock.now())?;
            let next = globals.command(&format!("key create --client {name}"));
            talk(format_args!("client {name} added; next: {next}"));
            Ok(())
        }
        Verb::List { json } => list(globals, *json),
    }
}

fn list(globals: &Globals, as_json: bool) -> Result<(), Failure> {
    let store = open(globals)?;
    let keys = store.keys()?;
    let clients = store.clients()?;
    let rows = clients.iter().map(|client| {
        let working = keys.iter().filter(|key| key.client == client.id && key.revoked_at.is_none());
        Row { name: client.name.as_str(), prefix: client.prefix.as_str(), keys: working.count() }
    });
    if as_json {
        return json(&rows.collect::<Vec<_>>());
    }
    let rows: Vec<_> =
        rows.map(|row| [row.name.into(), row.prefix.into(), row.keys.to_string()]).collect();
    data(table(["CLIENT", "PREFIX", "KEYS"], &rows))
}
