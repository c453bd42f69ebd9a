//! `kyc key`

mod master;

use std::path::PathBuf;

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
        /// The 12 characters before its last `_`, as `kyc key list` shows them; or the whole key
        key_id: CredentialId,
    },
    /// Replaces a key that others are wrapped by, beside a running service
    ///
    /// A client's key: everything of the client is wrapped with a new one, then the old one is
    /// destroyed. Cut short, the same command goes on.
    ///
    /// The master key: every client's key is wrapped with a new one, and opened with it as it stands in
    /// its file; only then it takes the place of the old one. Before, keep a copy of the old one for as
    /// long as backups of its time; afterwards, keep one of the new one, apart from data and backups.
    #[command(after_help = ROTATE_EXAMPLES)]
    Rotate(Rotate),
    /// Makes a master key in a new file of mode 0600, and needs no service for it
    ///
    /// The key is shown nowhere. A file that is there is kept. Keep a copy of it apart from the data and
    /// from backups.
    #[command(after_help = MAKE_MASTER_EXAMPLES)]
    MakeMaster {
        /// The new file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Splits the master key between two custodians, into two new files of mode 0600
    ///
    /// Both together open what the key opens; one alone says nothing about it. The key is taken from
    /// where it is now, stays there and is shown nowhere, nor are the shares. Files that are there are
    /// kept.
    ///
    /// When `kyc doctor --master-share-files ONE,OTHER` is content, remove the whole key.
    #[command(after_help = SPLIT_MASTER_EXAMPLES)]
    SplitMaster {
        /// The new file of one custodian
        #[arg(value_name = "ONE")]
        one: PathBuf,
        /// The new file of the other
        #[arg(value_name = "OTHER")]
        other: PathBuf,
    },
}

const ROTATE_EXAMPLES: &str = "\
Examples:
  kyc key rotate --client acme
  kyc key rotate --master";

const MAKE_MASTER_EXAMPLES: &str = "\
Example:
  kyc key make-master /etc/kyc/master.key";

const SPLIT_MASTER_EXAMPLES: &str = "\
Examples:
  kyc key split-master /media/one/kyc.share /media/other/kyc.share
  kyc key split-master one.share other.share --master-key-file /etc/kyc/master.key";

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
    match verb {
        Verb::Create { client } => {
            let store = open(globals)?;
            let known = store.client_named(client)?.ok_or(AdminError::NoSuchClient)?;
            let key = store.create_key(known.id, SystemClock.now())?;
            data(key.as_str())
        }
        Verb::List { client, json } => list(&open(globals)?, client.as_ref(), *json),
        Verb::Revoke { key_id } => {
            open(globals)?.revoke_key(*key_id, SystemClock.now())?;
            talk(format_args!("key {key_id} revoked"));
            Ok(())
        }
        Verb::Rotate(Rotate { client: Some(client), .. }) => rotate_client(&open(globals)?, client),
        Verb::Rotate(Rotate { client: None, .. }) => master::rotate(globals),
        Verb::MakeMaster { file } => master::make(file),
        Verb::SplitMaster { one, other } => master::split(globals, [one, other].map(Clone::clone)),
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
