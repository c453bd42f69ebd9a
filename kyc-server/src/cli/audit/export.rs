use clap::Args;
use kyc_core::{AccountName, AuditEntry, AuditEvent, ClientId, Directory, SubmissionId, day};
use kyc_store_sqlite::{AdminError, SqliteStore, VerifiedChain};
use serde::Serialize;
use time::Date;

use super::SERVICE;
use crate::anchors;
use crate::exit::{Code, Failure};
use crate::output::{Records, talk};

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
    /// What happened to one submission, and who was shown it
    #[arg(long, value_name = "ID")]
    submission: Option<SubmissionId>,
    /// Writes JSON lines
    #[arg(long)]
    json: bool,
}

impl Export {
    fn takes(&self, entry: &AuditEntry) -> bool {
        let day = entry.at.date();
        self.from.is_none_or(|from| from <= day)
            && self.to.is_none_or(|to| day <= to)
            && self.submission.is_none_or(|id| is_about(&entry.event, id))
    }
}

/// Whether it happened to a submission, also where that was renewed by another one.
fn is_about(event: &AuditEvent, id: SubmissionId) -> bool {
    let is_renewed = matches!(event, AuditEvent::Renewed { from, .. } if *from == id);
    is_renewed || event.submissions().contains(&id)
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
    if let (Some(from), Some(to)) = (export.from, export.to)
        && from > to
    {
        return Err(Failure::new(Code::Usage, "--from is later than --to: there is no such time"));
    }
    let clients = store.clients()?;
    let mut chains: Vec<(Option<ClientId>, Option<&str>)> = vec![(None, None)];
    chains.extend(clients.iter().map(|known| (Some(known.id), Some(known.name.as_str()))));
    if let Some(name) = &export.client {
        store.client_named(name)?.ok_or(AdminError::NoSuchClient)?;
        chains.retain(|(_, client)| *client == Some(name.as_str()));
    }
    let mut output = Records::begin(export.json, TITLES)?;
    let mut is_empty = true;
    for (chain, client) in chains {
        let mut after = 0;
        loop {
            let page = store.audited_as_it_stands(chain, after, PAGE)?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            for (position, entry) in page {
                if let Some(entry) = entry.filter(|entry| export.takes(entry)) {
                    let row = Row::of(client, position, &entry);
                    output.write(|| row.cells(), || &row)?;
                    is_empty = false;
                }
            }
        }
    }
    output.finish()?;
    match export.submission {
        Some(id) if is_empty => talk(format_args!(
            "note: no row tells of a submission {id}: check the id, which is not a document's, and \
             what else was asked for"
        )),
        None if is_empty => talk("note: there is no such row"),
        Some(_) | None => {}
    }
    tell_damage(store, export)
}

/// Says where the exported chains are not as they were written, and fails if one is not.
fn tell_damage(store: &SqliteStore, export: &Export) -> Result<(), Failure> {
    let mut is_damaged = false;
    for VerifiedChain { chain, fault, .. } in store.verify_audit(&[])? {
        let client = chain.map(|client| anchors::name(store, client)).transpose()?;
        let wanted = export.client.as_ref().map(AccountName::as_str);
        let Some(fault) = fault.filter(|_| wanted.is_none() || wanted == client.as_deref()) else {
            continue;
        };
        is_damaged = true;
        let chain = client.unwrap_or_else(|| SERVICE.to_owned());
        talk(format_args!("damage: chain {chain}: {fault}"));
    }
    if !is_damaged {
        return Ok(());
    }
    let sentence = "the audit is not as it was written: from the damage on, its rows prove nothing";
    Err(Failure::new(Code::Fault, sentence))
}

impl<'a> Row<'a> {
    fn of(client: Option<&'a str>, position: u64, entry: &AuditEntry) -> Self {
        let AuditEntry { at, by, event, about } = entry;
        Self {
            at: at.to_string(),
            client,
            position,
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
