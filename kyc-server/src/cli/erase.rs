//! `kyc erase`

use clap::Args;
use kyc_core::service::EraseError;
use kyc_core::{ReasonCode, SubmissionId};

use super::open;
use super::submission::found;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure};
use crate::output::talk;
use crate::wiring;

/// Erases a submission on request
///
/// The record, its documents and everything else that is kept of it are gone for good, but for
/// backups that were made before. A certificate remains. It is refused while the record must be
/// kept: while the relationship with the applicant lasts, while its period runs, and while a hold
/// stands.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kyc erase 01jd3v9k8m2q4r5s6t7v8w9x0y --reason gdpr_request_31")]
pub(super) struct Erase {
    /// Its id, 26 characters
    id: SubmissionId,
    /// A code for the certificate: a-z, 0-9 and `_`, nothing about the applicant
    #[arg(long, value_name = "CODE")]
    reason: ReasonCode,
    /// Says what would be done, and does nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(globals: &Globals, erase: &Erase) -> Result<(), Failure> {
    let Erase { id, reason, dry_run } = erase;
    let settings = Settings::of_environment(globals)?;
    let store = open(globals)?;
    let keeper = wiring::keeper_of_service(store.clone(), &settings)?;
    let (client, submission) = found(&store, *id)?;
    if *dry_run {
        keeper.check(client.id, *id)?;
        let documents = submission.documents().len();
        talk(format_args!("would erase {id} of {} with {documents} documents", client.name));
        return Ok(());
    }
    let certificate = keeper.erase(client.id, *id, reason.clone())?;
    let (documents, kept) = (certificate.documents.len(), certificate.documents_kept);
    talk(format_args!("erased {id} of {} with {documents} documents", client.name));
    if kept > 0 {
        talk(format_args!("note: other submissions refer to {kept} more, which are kept"));
    }
    Ok(())
}

impl From<EraseError> for Failure {
    fn from(error: EraseError) -> Self {
        match error {
            EraseError::Failed(error) => error.into(),
            EraseError::NotFound | EraseError::Kept(_) | EraseError::Stale => {
                Self::of(Code::Failed, &error)
            }
        }
    }
}
