//! `kyc document`

use std::sync::Arc;

use clap::Subcommand;
use kyc_core::service::EraseDocumentError;
use kyc_core::{
    Client, Directory, DocumentCertificate, DocumentId, DocumentStore, Event, ReasonCode,
    Retention, Slot, Submission, SubmissionId,
};
use kyc_store_sqlite::SqliteStore;
use serde::Serialize;

use super::open;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure};
use crate::output::{data, json, talk};
use crate::wiring;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Erases one document on request, and keeps the submission
    ///
    /// For a file that should never have been sent, such as somebody else's. Its bytes are gone for
    /// good, but for backups that were made before; a certificate remains. A submission that had it
    /// as identity document, selfie or proof of address is incomplete then, until the client supplies
    /// another one.
    ///
    /// It is refused while a submission that refers to it is held, or is approved or rejected: a
    /// decision rests on its documents, so an inspector reopens it first.
    #[command(after_help = ERASE_EXAMPLES)]
    Erase {
        /// Its id, 26 characters: what its filehash ends with, and `kyc submission show` shows
        id: DocumentId,
        /// A code for the certificate: a-z, 0-9 and `_`, nothing about the applicant
        #[arg(long, value_name = "CODE")]
        reason: ReasonCode,
        /// Says what would be done, and does nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Shows what is left of a document that was erased on request
    Certificate {
        /// Its id, 26 characters
        id: DocumentId,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

const ERASE_EXAMPLES: &str = "\
Example:
  kyc document erase 01jd3v9k8m2q4r5s6t7v8w9x0y --reason not_the_applicant";

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Erase { id, reason, dry_run } => erase(globals, *id, reason, *dry_run),
        Verb::Certificate { id, json } => certificate(globals, *id, *json),
    }
}

fn erase(
    globals: &Globals,
    id: DocumentId,
    reason: &ReasonCode,
    is_dry_run: bool,
) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let store = open(globals)?;
    let keeper = wiring::keeper_of_service(store.clone(), &settings)?;
    let client = owner(&store, id)?;
    let erasure = keeper.document_erasure(client.id, id, reason.clone())?;
    let (erased, goes_on) = if is_dry_run {
        ("would erase", "would go on")
    } else {
        keeper.erase_document(client.id, id, reason.clone())?;
        ("erased", "goes on")
    };
    talk(format_args!("{erased} document {id} of {}", client.name));
    if erasure.changed.is_empty() {
        talk("note: no submission referred to it");
    }
    for submission in erasure.changed {
        let incomplete = slot_of_erased(&submission).map_or_else(String::new, |slot| {
            format!(", and is incomplete until the client supplies another {}", slot.as_str())
        });
        talk(format_args!("note: submission {} {goes_on} without it{incomplete}", submission.id()));
    }
    Ok(())
}

/// Where the document stood that was erased last.
fn slot_of_erased(submission: &Submission) -> Option<Slot> {
    let Event::DocumentErased { slot, .. } = submission.history().last()?.event else {
        return None;
    };
    slot
}

/// Whose document it is.
fn owner(store: &SqliteStore, id: DocumentId) -> Result<Arc<Client>, Failure> {
    for client in store.clients()? {
        if DocumentStore::find(store, client.id, id)?.is_some() {
            return Ok(client);
        }
    }
    Err(EraseDocumentError::NotFound.into())
}

impl From<EraseDocumentError> for Failure {
    fn from(error: EraseDocumentError) -> Self {
        match error {
            EraseDocumentError::Failed(error) => error.into(),
            EraseDocumentError::NotFound
            | EraseDocumentError::Kept { .. }
            | EraseDocumentError::Stale => Self::of(Code::Failed, &error),
        }
    }
}

#[derive(Serialize)]
struct Shown {
    id: String,
    client: String,
    created_at: String,
    reason: String,
    erased_at: String,
    submissions: Vec<String>,
}

fn certificate(globals: &Globals, id: DocumentId, as_json: bool) -> Result<(), Failure> {
    let store = open(globals)?;
    for client in store.clients()? {
        if let Some(certificate) = store.document_certificate(client.id, id)? {
            let shown = Shown::of(&certificate, &client);
            return if as_json { json(&shown) } else { data(shown.text()) };
        }
    }
    Err(Failure::new(Code::Failed, "no document of this id was erased on request"))
}

impl Shown {
    fn of(certificate: &DocumentCertificate, client: &Client) -> Self {
        Self {
            id: certificate.document.to_string(),
            client: client.name.to_string(),
            created_at: certificate.created_at.to_string(),
            reason: certificate.reason.as_str().to_owned(),
            erased_at: certificate.erased_at.to_string(),
            submissions: certificate.submissions.iter().map(SubmissionId::to_string).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { id, client, created_at, reason, erased_at, submissions } = self;
        let mut lines = vec![
            format!("document    {id}"),
            format!("client      {client}"),
            format!("uploaded    {created_at}"),
            format!("erased      {erased_at}"),
            format!("reason      {reason}"),
        ];
        lines.extend(submissions.iter().map(|submission| format!("submission  {submission}")));
        lines.join("\n")
    }
}
