use clap::Args;
use kyc_core::{
    AccountName, AuditEntry, AuditLog, Audited, ClientId, Directory, SubmissionId, Timestamp, day,
};
use kyc_store_sqlite::{AdminError, SqliteStore};
use serde::Serialize;
use time::Date;

use crate::exit::Failure;
use crate::output::Records;

#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// One client's chain alone [default: all, the service's own first]
    #[arg(long, value_name = "NAME")]
    client: Option<AccountName>,
    /// From the beginning of this day on, UTC
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day::parse)]
    from: Option<Date>,
    /// To the end of this day, UTC
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day::parse)]
    to: Option<Date>,
    /// Writes JSON lines
    #[arg(long)]
    json: bool,
}

impl Export {
    fn takes(&self, at: Timestamp) -> bool {
        let day = at.date();
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }
}

#[derive(Serialize)]
struct Row<'a> {
    at: String,
    /// `None`: the service's own chain.
    client: Option<&'a str>,
    position: u64,
    by: String,
    event: &'static str,
    submissions: Vec<String>,
    object: Option<String>,
    about: Option<String>,
}

const TITLES: [&str; 8] =
    ["at", "client", "position", "by", "event", "submissions", "object", "about"];

pub(super) fn run(store: &SqliteStore, export: &Export) -> Result<(), Failure> {
    let clients = store.clients()?;
    let mut chains: Vec<(Option<ClientId>, Option<&str>)> = vec![(None, None)];
    chains.extend(clients.iter().map(|known| (Some(known.id), Some(known.name.as_str()))));
    if let Some(name) = &export.client {
        store.client_named(name)?.ok_or(AdminError::NoSuchClient)?;
        chains.retain(|(_, client)| *client == Some(name.as_str()));
    }
    let mut output = Records::begin(export.json, TITLES)?;
    for (chain, client) in chains {
        let mut after = 0;
        loop {
            let page = store.audited(chain, after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.position;
            for row in page.iter().filter(|row| export.takes(row.entry.at)) {
                let row = Row::of(client, row);
                output.write(|| row.cells(), || &row)?;
            }
        }
    }
    output.finish()
}

impl<'a> Row<'a> {
    fn of(client: Option<&'a str>, row: &Audited) -> Self {
        let Audited { position, entry: AuditEntry { at, by, event, about } } = row;
        Self {
            at: at.to_string(),
            client,
            position: *position,
            by: by.to_string(),
            event: event.as_str(),
            submissions: event.submissions().iter().map(SubmissionId::to_string).collect(),
            object: event.object(),
            about: about.map(|about| about.to_string()),
        }
    }

    fn cells(&self) -> [String; 8] {
        let Self { at, client, position, by, event, submissions, object, about } = self;
        [
            at.clone(),
            client.unwrap_or_default().to_owned(),
            position.to_string(),
            by.clone(),
            (*event).to_owned(),
            submissions.join(" "),
            object.clone().unwrap_or_default(),
            about.clone().unwrap_or_default(),
        ]
    }
}

/// So many rows are read at once.
const PAGE: usize = 1_000;
