//! How long a submission is kept, and what is left of it.

use std::sync::Arc;

use clap::Subcommand;
use kyc_core::service::Options;
use kyc_core::{
    Actor, Certificate, Client, Directory, DocumentId, FreeText, Lookup, Preference, ReasonCode,
    Retention, RetentionDecision, Submission, SubmissionId, SubmissionStore, day,
};
use kyc_store_sqlite::SqliteStore;
use serde::Serialize;
use time::Date;

use crate::cli::open;
use crate::config::Globals;
use crate::exit::{Code, Failure};
use crate::output::{data, json, talk};
use crate::wiring::service;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Keeping {
    /// Says when the relationship with the applicant ended: then the time of retention begins
    ///
    /// It holds for all submissions of the client under the same e-mail address that were handed in
    /// until then. What was never approved needs no end: its time counts from its last change.
    #[command(
        after_help = "Example:\n  kyc submission end 01jd3v9k8m2q4r5s6t7v8w9x0y --on 2026-11-30"
    )]
    End {
        /// Its id, 26 characters
        id: SubmissionId,
        /// The last day of the relationship, YYYY-MM-DD in UTC
        #[arg(long, value_name = "DAY", value_parser = day::parse, required_unless_present = "undo")]
        on: Option<Date>,
        /// Takes back what was said before: the relationship goes on
        #[arg(long, conflicts_with = "on")]
        undo: bool,
    },
    /// Keeps the applicant's submissions whatever their time of retention says
    #[command(
        after_help = "Example:\n  kyc submission hold 01jd3v9k8m2q4r5s6t7v8w9x0y --reason 'Case 17'"
    )]
    Hold {
        /// Its id, 26 characters
        id: SubmissionId,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: FreeText,
        /// The last day of the hold, YYYY-MM-DD in UTC [default: until it is released]
        #[arg(long, value_name = "DAY", value_parser = day::parse)]
        until: Option<Date>,
    },
    /// Ends a hold
    Release {
        /// Its id, 26 characters
        id: SubmissionId,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: FreeText,
    },
    /// Shows what is left of an erased submission
    Certificate {
        /// Its id, 26 characters
        id: SubmissionId,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(globals: &Globals, keeping: &Keeping) -> Result<(), Failure> {
    let (id, decision) = match keeping {
        Keeping::Certificate { id, json } => return certificate(globals, *id, *json),
        Keeping::End { id, on, undo: _ } => (id, RetentionDecision::End { on: *on }),
        Keeping::Hold { id, reason, until } => {
            (id, RetentionDecision::Hold { reason: reason.clone(), until: *until })
        }
        Keeping::Release { id, reason } => {
            (id, RetentionDecision::Release { reason: reason.clone() })
        }
    };
    decide(globals, *id, &decision)
}

/// The submission of that id, and whose it is.
pub(in crate::cli) fn found(
    store: &SqliteStore,
    id: SubmissionId,
) -> Result<(Arc<Client>, Submission), Failure> {
    let lookup = Lookup { id: Some(id), ..Lookup::default() };
    for client in store.clients()? {
        let submission = SubmissionStore::find(store, client.id, &lookup, Preference::Latest)?;
        if let Some(submission) = submission {
            return Ok((client, submission));
        }
    }
    Err(Failure::new(Code::Failed, "there is no such submission"))
}

fn decide(
    globals: &Globals,
    id: SubmissionId,
    decision: &RetentionDecision,
) -> Result<(), Failure> {
    let store = open(globals)?;
    let (client, _) = found(&store, id)?;
    let service = service(store, Options::default());
    let decided = service.decide_retention(client.id, id, &Actor::Operator, decision)?;
    let ended = decided.ended().map_or_else(|| "not ended".to_owned(), |on| format!("ended {on}"));
    let held = if decided.hold().is_some() { "held" } else { "not held" };
    talk(format_args!("{id} of {}: the relationship is {ended}, and it is {held}", client.name));
    Ok(())
}

#[derive(Serialize)]
struct Shown {
    id: String,
    client: String,
    created_at: String,
    ended: Option<String>,
    cause: &'static str,
    reason: Option<String>,
    erased_at: String,
    documents: Vec<String>,
    documents_kept: u32,
}

fn certificate(globals: &Globals, id: SubmissionId, as_json: bool) -> Result<(), Failure> {
    let store = open(globals)?;
    for client in store.clients()? {
        if let Some(certificate) = store.certificate(client.id, id)? {
            let shown = Shown::of(&certificate, &client);
            return if as_json { json(&shown) } else { data(shown.text()) };
        }
    }
    Err(Failure::new(Code::Failed, "no submission of this id was erased"))
}

impl Shown {
    fn of(certificate: &Certificate, client: &Client) -> Self {
        let reason = certificate.cause.reason().map(ReasonCode::as_str);
        Self {
            id: certificate.submission.to_string(),
            client: client.name.to_string(),
            created_at: certificate.created_at.to_string(),
            ended: certificate.ended.map(day::text),
            cause: if reason.is_some() { "request" } else { "retention" },
            reason: reason.map(str::to_owned),
            erased_at: certificate.erased_at.to_string(),
            documents: certificate.documents.iter().map(DocumentId::to_string).collect(),
            documents_kept: certificate.documents_kept,
        }
    }

    fn text(&self) -> String {
        let Self { id, client, created_at, cause, erased_at, documents_kept, .. } = self;
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let mut lines = vec![
            format!("submission      {id}"),
            format!("client          {client}"),
            format!("handed in       {created_at}"),
            format!("ended           {}", or_none(&self.ended)),
            format!("erased          {erased_at}"),
            format!("cause           {cause}"),
            format!("reason          {}", or_none(&self.reason)),
            format!("documents kept  {documents_kept}"),
        ];
        lines.extend(self.documents.iter().map(|document| format!("document        {document}")));
        lines.join("\n")
    }
}
