//! Erasing what is over: the port.

pub(crate) mod erase;
mod policy;
pub(crate) mod scrub;
pub(crate) mod uses;

use kyc_core::{
    Certificate, ClientId, DocumentCertificate, DocumentErasure, DocumentId, Erasure, Retention,
    RetentionRuns, StoreError, SubmissionId, Timestamp,
};
use rusqlite::{OptionalExtension, ToSql, params};
use time::Date;

use crate::error::unavailable;
use crate::record::{
    Damage, corrupt, decode_certificate, decode_document_certificate, decode_runs, encode_runs,
};
use crate::submissions::{Row, extent, perhaps_over};
use crate::writer::Extent;
use crate::{SqliteStore, state};

impl Retention for SqliteStore {
    fn perhaps_over(
        &self,
        client: ClientId,
        counted_to: Date,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        self.readers().read_now(|connection| perhaps_over(connection, client, counted_to))
    }

    fn extent(&self, client: ClientId) -> Result<(u64, Option<Timestamp>), StoreError> {
        self.readers().read_now(|connection| extent(connection, client))
    }

    fn erase(
        &self,
        client: ClientId,
        erasure: &Erasure,
    ) -> Result<Option<Certificate>, StoreError> {
        let (parts, erasure) = (erase::Parts::of(self), erasure.clone());
        self.writer().change(Extent::Several, move |connection| {
            erase::submission(connection, &parts, client, &erasure)
        })
    }

    fn certificate(
        &self,
        client: ClientId,
        submission: SubmissionId,
    ) -> Result<Option<Certificate>, StoreError> {
        let found = certified(self, CERTIFICATE, params![client.get(), submission.to_bytes()])?;
        let Some((record, tag)) = found else { return Ok(None) };
        let damaged = |damage| corrupt("certificate", &submission, damage);
        if self.pepper().certificate(client, submission, &record) != tag {
            return Err(damaged(Damage::Value("tag")));
        }
        decode_certificate(&record, client, submission).map(Some).map_err(damaged)
    }

    fn referring(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        self.readers().read_now(|connection| uses::referring(connection, client, document))
    }

    fn erase_document(
        &self,
        client: ClientId,
        erasure: &DocumentErasure,
    ) -> Result<Option<DocumentCertificate>, StoreError> {
        let rows = erasure.changed.iter().map(|changed| Row::of(self, client, changed));
        let rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
        let (parts, erasure) = (erase::Parts::of(self), erasure.clone());
        self.writer().change(Extent::Several, move |connection| {
            erase::one_document(connection, &parts, client, &erasure, &rows)
        })
    }

    fn document_certificate(
        &self,
        client: ClientId,
        document: DocumentId,
    ) -> Result<Option<DocumentCertificate>, StoreError> {
        let key = params![client.get(), document.to_bytes()];
        let found = certified(self, DOCUMENT_CERTIFICATE, key)?;
        let Some((record, tag)) = found else { return Ok(None) };
        let damaged = |damage| corrupt("erased_document", &document, damage);
        if self.pepper().document_certificate(client, document, &record) != tag {
            return Err(damaged(Damage::Value("tag")));
        }
        decode_document_certificate(&record, client, document).map(Some).map_err(damaged)
    }

    fn unused_documents(
        &self,
        client: ClientId,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers().read_now(|connection| {
            let mut statement = connection.prepare_cached(UNUSED).map_err(unavailable)?;
            let columns = params![client.get(), before.unix_millis(), limit];
            let ids = statement
                .query_map(columns, |row| row.get(0).map(DocumentId::from_bytes))
                .map_err(unavailable)?;
            ids.collect::<Result<_, _>>().map_err(unavailable)
        })
    }

    fn erase_unused(
        &self,
        client: ClientId,
        documents: &[DocumentId],
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let (parts, documents) = (erase::Parts::of(self), documents.to_vec());
        self.writer().change(Extent::Several, move |connection| {
            erase::unused(connection, &parts, client, &documents, at)
        })
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        self.scrub_all()
    }

    fn runs(&self) -> Result<RetentionRuns, StoreError> {
        let runs = self.readers().read_now(|connection| state::value(connection, RUNS))?;
        decode_runs(&runs).map_err(|damage| corrupt("state", &RUNS, damage))
    }

    fn advance_runs(
        &self,
        before: &RetentionRuns,
        after: &RetentionRuns,
    ) -> Result<(), StoreError> {
        state::advance(self, RUNS, encode_runs(before), encode_runs(after))
    }
}

/// A record and its tag.
type Tagged = (Vec<u8>, [u8; 32]);

/// The certificate under a key.
fn certified(
    store: &SqliteStore,
    query: &str,
    key: &[&dyn ToSql],
) -> Result<Option<Tagged>, StoreError> {
    store.readers().read_now(|connection| {
        let mut statement = connection.prepare_cached(query).map_err(unavailable)?;
        statement.query_row(key, |row| row.try_into()).optional().map_err(unavailable)
    })
}

const RUNS: &str = "retention";

pub(crate) const CERTIFICATE: &str = "
    SELECT record, tag FROM certificate WHERE client = :client AND submission = :submission";

pub(crate) const DOCUMENT_CERTIFICATE: &str = "
    SELECT record, tag FROM erased_document
    WHERE client = :client AND id = :document AND record IS NOT NULL";

pub(crate) const UNUSED: &str = "
    SELECT id FROM document AS stored
    WHERE client = :client AND created_ms < :before AND NOT EXISTS (
        SELECT 1 FROM document_use AS used
        WHERE used.client = stored.client AND used.document = stored.id
    )
    ORDER BY id
    LIMIT :limit";
