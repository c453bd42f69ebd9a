//! What is left of erasures.

use std::collections::BTreeSet;
use std::fmt;

use kyc_core::{
    AuditActor, AuditEntry, AuditEvent, ClientId, DocumentId, Retention, StoreError, SubmissionId,
};
use rusqlite::Connection;

use super::{Check, Tally};
use crate::SqliteStore;
use crate::error::unavailable;

/// The certificates of which the audit has not told yet.
pub(super) struct Certificates {
    submissions: BTreeSet<(ClientId, SubmissionId)>,
    documents: BTreeSet<(ClientId, DocumentId)>,
}

impl Certificates {
    /// Reads each certificate, and tells of those that the store did not write.
    pub(super) fn read(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<Self, StoreError> {
        let all = |reader: &Connection| Ok((ids(reader, SUBMISSIONS)?, ids(reader, DOCUMENTS)?));
        let (submissions, documents) = store.readers().read_now(all)?;
        let submissions = submissions.into_iter().map(|(c, id)| (c, SubmissionId::from_bytes(id)));
        let documents = documents.into_iter().map(|(c, id)| (c, DocumentId::from_bytes(id)));
        let all = Self { submissions: submissions.collect(), documents: documents.collect() };
        let read = all.submissions.iter().map(|(client, id)| {
            let certificate = store.certificate(*client, *id);
            certificate.map(|_| ())
        });
        let of_documents = all.documents.iter().map(|(client, id)| {
            let certificate = store.document_certificate(*client, *id);
            certificate.map(|_| ())
        });
        for read in read.chain(of_documents) {
            tally.looked(Check::Erasures, 1);
            if let Err(error) = read {
                tally.corrupt(Check::Erasures, error)?;
            }
        }
        Ok(all)
    }

    /// Takes notice of a row of the audit. What it says was erased has a certificate.
    pub(super) fn told(
        &mut self,
        store: &SqliteStore,
        client: ClientId,
        entry: &AuditEntry,
        tally: &mut Tally<'_>,
    ) -> Result<(), StoreError> {
        // What was not there at the beginning may have come since.
        if let AuditEvent::Erased(id) = entry.event
            && !self.submissions.remove(&(client, id))
            && is_missing(store.certificate(client, id))?
        {
            missing(tally, "certificate", id);
        }
        if let AuditEvent::DocumentErased { document, .. } = entry.event
            && entry.by == AuditActor::Operator
            && !self.documents.remove(&(client, document))
            && is_missing(store.document_certificate(client, document))?
        {
            missing(tally, "erased_document", document);
        }
        Ok(())
    }

    /// Forgets a client whose chain cannot be read.
    pub(super) fn forget(&mut self, client: ClientId) {
        self.submissions.retain(|(other, _)| *other != client);
        self.documents.retain(|(other, _)| *other != client);
    }

    /// Tells of those that are left when all chains were read.
    pub(super) fn tell_untold(&self, tally: &mut Tally<'_>) {
        let what = "the audit does not tell of its erasure";
        for (_, id) in &self.submissions {
            tally.fault(Check::Erasures, "certificate", id, what);
        }
        for (_, id) in &self.documents {
            tally.fault(Check::Erasures, "erased_document", id, what);
        }
    }
}

/// One that cannot be read is there, and was told of.
fn is_missing<T>(certificate: Result<Option<T>, StoreError>) -> Result<bool, StoreError> {
    match certificate {
        Err(StoreError::Corrupt { .. }) => Ok(false),
        certificate => Ok(certificate?.is_none()),
    }
}

fn missing(tally: &mut Tally<'_>, table: &str, id: impl fmt::Display) {
    let what = "the audit says that it was erased, and there is no certificate";
    tally.fault(Check::Erasures, table, id, what);
}

fn ids(reader: &Connection, sql: &str) -> Result<Vec<(ClientId, [u8; 16])>, StoreError> {
    let mut statement = reader.prepare_cached(sql).map_err(unavailable)?;
    let rows = statement.query_map([], |row| row.try_into()).map_err(unavailable)?;
    let rows: Vec<(u32, [u8; 16])> = rows.collect::<Result<_, _>>().map_err(unavailable)?;
    let known = |(client, id)| Some((ClientId::new(client)?, id));
    Ok(rows.into_iter().filter_map(known).collect())
}

const SUBMISSIONS: &str = "
    SELECT client, submission FROM certificate";

const DOCUMENTS: &str = "
    SELECT client, id FROM erased_document WHERE record IS NOT NULL";
