//! `kyc key`

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use kyc_core::{AccountName, Client, Clock, Directory, SystemClock};
use kyc_store_sqlite::{AdminError, CredentialId, SqliteStore};
use serde::Serialize;

use super::open;
use crate::config::Globals;
use crate::exit::Failure;
use crate::output::{data, json, table, talk};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Makes an API key and prints it: it is kept nowhere
    ///
    /// The key is the only thing on standard output. A running service takes it within a second.
    #[command(after_help = "Example:\n  KYC_API_KEY=$(kyc key create --client acme)")]
    Create {
        /// Whose key it is
        #[arg(long, value_name = "NAME")]
        client: AccountName,
    },
    /// Lists the keys, without their secrets
    List {
        /// Of one client alone
        #[arg(long, value_name = "NAME")]
        client: Option<AccountName>,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Ends a key; a running service refuses it within a second
    #[command(after_help = "Example:\n  kyc key revoke 0a1b2c3d4e5f")]
    Revoke {
        /// The part between `kyc_` and the next `_`, as `kyc key list` shows it
        key_id: CredentialId,
    },
    /// Replaces a key that others are wrapped by, beside a running service
    ///
    /// A client's key: everything of the client is wrapped with a new one, then the old one is
    /// destroyed. Cut short, the same command goes on. The master key: every client's key is wrapped
    /// with a new one, which takes its place in the file; keep a copy of it apart from the data.
    #[command(after_help = ROTATE_EXAMPLES)]
    Rotate(Rotate),
}

const ROTATE_EXAMPLES: &str = "\
Examples:
  kyc key rotate --client acme
  kyc key rotate --master";

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Rotate {
    /// The key of a client
    #[arg(long, value_name = "NAME")]
    client: Option<AccountName>,
    /// The key that wraps those of all clients
    #[arg(long)]
    master: bool,
}

#[derive(Serialize)]
struct Row {
    id: String,
    client: String,
    created_at: String,
    revoked_at: Option<String>,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    let store = open(globals)?;
    match verb {
        Verb::Create { client } => {
            let known = store.client_named(client)?.ok_or(AdminError::NoSuchClient)?;
            let key = store.create_key(known.id, SystemClock.now())?;
            data(key.as_str())
        }
        Verb::List { client, json } => list(&store, client.as_ref(), *json),
        Verb::Revoke { key_id } => {
            store.revoke_key(*key_id, SystemClock.now())?;
            talk(format_args!("key {key_id} revoked"));
            Ok(())
        }
        Verb::Rotate(Rotate { client: Some(client), .. }) => rotate_client(&store, client),
        Verb::Rotate(Rotate { client: None, .. }) => {
            store.rotate_master_key(SystemClock.now())?;
            talk("the master key was replaced: keep a copy of the new one apart from the data");
            Ok(())
        }
    }
}

fn rotate_client(store: &SqliteStore, name: &AccountName) -> Result<(), Failure> {
    let client = store.client_named(name)?.ok_or(AdminError::NoSuchClient)?;
    let bar = bar();
    let mut wrapped = 0;
    let version = store.rotate_client_key(client.id, SystemClock.now(), &mut |progress| {
        wrapped = progress.wrapped;
        bar.set_position(progress.looked_at);
    })?;
    bar.finish_and_clear();
    talk(format_args!("{name} has key {version}: {wrapped} wrapped anew, the old one destroyed"));
    Ok(())
}

/// Drawn on a terminal alone.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {human_pos} looked at, {per_sec}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn list(store: &SqliteStore, of: Option<&AccountName>, as_json: bool) -> Result<(), Failure> {
    if let Some(name) = of {
        store.client_named(name)?.ok_or(AdminError::NoSuchClient)?;
    }
    let clients = store.clients()?;
    let find = |id| clients.iter().find(|client| client.id == id);
    let name = |client: &Client| client.name.to_string();
    let rows: Vec<Row> = store
        .keys()?
        .into_iter()
        .map(|key| Row {
            id: key.id.to_string(),
            client: find(key.client).map_or_else(String::new, |client| name(client)),
            created_at: key.created_at.to_string(),
            revoked_at: key.revoked_at.map(|at| at.to_string()),
        })
        .filter(|row| of.is_none_or(|name| name.as_str() == row.client))
        .collect();
    if as_json {
        return json(&rows);
    }
    let cells = |row: Row| {
        [row.id, row.client, row.created_at, row.revoked_at.unwrap_or_else(|| "-".to_owned())]
    };
    let rows: Vec<_> = rows.into_iter().map(cells).collect();
    data(table(["KEY-ID", "CLIENT", "CREATED", "REVOKED"], &rows))
}
