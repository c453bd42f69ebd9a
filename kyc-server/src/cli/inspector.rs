//! `kyc inspector`

use clap::Subcommand;
use kyc_core::{AccountName, ClientId, Clock, Directory, SystemClock};
use kyc_store_sqlite::{AdminError, SqliteStore};
use serde::Serialize;

use super::open;
use crate::config::Globals;
use crate::exit::Failure;
use crate::output::{data, json, table, talk};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Adds an inspector and prints the token: it is kept nowhere
    ///
    /// The token is the only thing on standard output. A running service takes it within a second.
    #[command(after_help = "\
Examples:
  kyc inspector add ines
  kyc inspector add olga --client acme --client globex")]
    Add {
        /// What the history of a submission calls the inspector
        name: AccountName,
        /// Sees this client's submissions alone; may be repeated [default: sees all]
        #[arg(long, value_name = "NAME")]
        client: Vec<AccountName>,
    },
    /// Lists the inspectors
    List {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Removes an inspector; a running service refuses the token within a second
    Remove {
        /// As `kyc inspector list` shows it
        name: AccountName,
    },
}

#[derive(Serialize)]
struct Row {
    name: String,
    /// `None`: all.
    clients: Option<Vec<String>>,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Add { name, client } => {
            let store = open(globals)?;
            let clients = client_ids(&store, client)?;
            let clients = (!clients.is_empty()).then_some(clients);
            let token = store.add_inspector(name, clients.as_deref(), SystemClock.now())?;
            data(token.as_str())
        }
        Verb::List { json } => list(&open(globals)?, *json),
        Verb::Remove { name } => {
            open(globals)?.remove_inspector(name, SystemClock.now())?;
            talk(format_args!("inspector {name} removed"));
            Ok(())
        }
    }
}

/// The numbers of named clients.
pub(super) fn client_ids(
    store: &SqliteStore,
    names: &[AccountName],
) -> Result<Vec<ClientId>, Failure> {
    let id = |name| Ok(store.client_named(name)?.ok_or(AdminError::NoSuchClient)?.id);
    names.iter().map(id).collect()
}

fn list(store: &SqliteStore, as_json: bool) -> Result<(), Failure> {
    let clients = store.clients()?;
    let names = |ids: &Vec<ClientId>| {
        let seen = clients.iter().filter(|client| ids.contains(&client.id));
        seen.map(|client| client.name.to_string()).collect::<Vec<_>>()
    };
    let inspectors = store.inspectors()?;
    let rows = inspectors.iter().map(|inspector| Row {
        name: inspector.name.to_string(),
        clients: inspector.clients.as_ref().map(names),
    });
    if as_json {
        return json(&rows.collect::<Vec<_>>());
    }
    let cells = |row: Row| {
        [row.name, row.clients.map_or_else(|| "(all)".to_owned(), |names| names.join(", "))]
    };
    let rows: Vec<_> = rows.map(cells).collect();
    data(table(["INSPECTOR", "CLIENTS"], &rows))
}
