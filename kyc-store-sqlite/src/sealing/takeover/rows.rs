use kyc_core::{ClientId, DocumentId, StoreError};
use rusqlite::{Connection, params};

use super::Pass;
use crate::SqliteStore;
use crate::documents;
use crate::error::unavailable;
use crate::sealing::keys::execute;
use crate::sealing::{ENVELOPES, RowKey, Sealing, place};
use crate::submissions::{RECORD, TABLE};
use crate::writer::Extent;

/// Seals the records that are in clear.
pub(super) fn submissions(pass: &Pass) -> Result<(), StoreError> {
    let mut after = -1;
    while !pass.is_ended() {
        let portion = pass.tools.readers.read_now(|connection| records(connection, after))?;
        let Some(last) = portion.last() else { break };
        after = last.key;
        let sealed =
            portion.into_iter().map(|row| row.seal(pass)).collect::<Result<Vec<_>, _>>()?;
        let sealing = pass.tools.sealing.clone();
        pass.tools.writer.change(Extent::Several, move |connection| {
            sealed.iter().try_for_each(|row| row.write(connection, &sealing))
        })?;
    }
    Ok(())
}

struct Row {
    key: i64,
    client: u32,
    id: [u8; 16],
    version: u32,
    content: Vec<u8>,
}

struct SealedRow {
    row: Row,
    data_key: RowKey,
}

impl Row {
    fn seal(mut self, pass: &Pass) -> Result<SealedRow, StoreError> {
        let place = kyc_vault::Place { client: self.client, table: TABLE, row: &self.id };
        let data_key = pass.tools.sealing.row_key(&pass.tools.writer, place)?;
        self.content = data_key.seal(place, RECORD, self.content)?;
        Ok(SealedRow { row: self, data_key })
    }
}

impl SealedRow {
    /// A row that was replaced meanwhile is sealed already.
    fn write(&self, connection: &Connection, sealing: &Sealing) -> Result<(), StoreError> {
        let Row { key, client, id, version, content } = &self.row;
        let place = kyc_vault::Place { client: *client, table: TABLE, row: id };
        let data_key = sealing.settle(connection, place, &self.data_key)?;
        execute(connection, SEAL_RECORD, params![content, data_key, key, version]).map(|_| ())
    }
}

fn records(connection: &Connection, after: i64) -> Result<Vec<Row>, StoreError> {
    let mut statement = connection.prepare_cached(RECORDS).map_err(unavailable)?;
    let rows = statement.query_map([after], |row| {
        Ok(Row {
            key: row.get(0)?,
            client: row.get(1)?,
            id: row.get(2)?,
            version: row.get(3)?,
            content: row.get(4)?,
        })
    });
    rows.map_err(unavailable)?.map(|row| row.map_err(unavailable)).collect()
}

/// Seals the rows of documents, then each file whose row is sealed: a row has its key before its
/// file needs it.
pub(super) fn documents(pass: &Pass) -> Result<(), StoreError> {
    let tools = &pass.tools;
    let mut after = (0, [0; 16]);
    while !pass.is_ended() {
        let portion = tools.readers.read_now(|connection| of_documents(connection, after))?;
        let Some(last) = portion.last() else { break };
        after = *last;
        for (client, id) in portion {
            let Some(client) = ClientId::new(client) else { continue };
            let id = DocumentId::from_bytes(id);
            documents::seal_row(&tools.writer, &tools.readers, &tools.sealing, client, id)?;
            documents::seal_file(&tools.files, &tools.readers, &tools.sealing, client, id)?;
            if pass.is_ended() {
                break;
            }
        }
    }
    Ok(())
}

type DocumentKey = (u32, [u8; 16]);

fn of_documents(
    connection: &Connection,
    after: DocumentKey,
) -> Result<Vec<DocumentKey>, StoreError> {
    let mut statement = connection.prepare_cached(DOCUMENTS).map_err(unavailable)?;
    let rows = statement.query_map(params![after.0, after.1], |row| row.try_into());
    rows.map_err(unavailable)?.map(|row| row.map_err(unavailable)).collect()
}

impl SqliteStore {
    /// Counts what is in clear, which is everything in a store without a vault. Looks at every row and
    /// every file.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn in_clear(&self) -> Result<InClear, StoreError> {
        let (records, has_traces) = self.readers().read_now(|connection| {
            let mut statement = connection.prepare_cached(COUNT).map_err(unavailable)?;
            let records: i64 = statement.query_row([], |row| row.get(0)).map_err(unavailable)?;
            Ok((u64::try_from(records).unwrap_or(0), super::left(connection)?.is_some()))
        })?;
        let (mut documents, mut after) = (0, (0, [0; 16]));
        loop {
            let portion = self.readers().read_now(|connection| of_documents(connection, after))?;
            let Some(last) = portion.last() else { break };
            after = *last;
            for (client, id) in portion {
                let Some(client) = ClientId::new(client) else { continue };
                let id = DocumentId::from_bytes(id);
                documents += u64::from(documents::is_in_clear(self.files(), client, id)?);
            }
        }
        Ok(InClear { records, documents, has_traces })
    }
}

/// What of a store is not sealed.
///
/// ```
/// use kyc_store_sqlite::{InClear, Options, SqliteStore};
/// use kyc_vault::Source;
///
/// let folder = tempfile::tempdir()?;
/// let source = Source::file(folder.path().join("master.key"));
/// let store = SqliteStore::open(folder.path(), Options::default().with_vault(source))?;
/// assert_eq!(store.in_clear()?, InClear::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InClear {
    /// How many submissions have their record in clear, or documents their row.
    pub records: u64,
    /// How many documents have their file in clear.
    pub documents: u64,
    /// Whether free space or copies may still hold what was in clear.
    pub has_traces: bool,
}

/// Seals the small tables, in the transaction that gives the store its vault.
pub(in crate::sealing) fn seal_envelopes(
    connection: &Connection,
    sealing: &Sealing,
) -> Result<(), StoreError> {
    for keyed in ENVELOPES {
        let mut statement = connection.prepare(keyed.select_all).map_err(unavailable)?;
        let rows = statement.query_map([], |row| row.try_into()).map_err(unavailable)?;
        let rows: Vec<(u32, Vec<u8>, Vec<u8>)> =
            rows.collect::<Result<_, _>>().map_err(unavailable)?;
        for (client, row, content) in rows {
            let Some(id) = ClientId::new(client) else { continue };
            let place = place(id, keyed.table, &row);
            let sealed = sealing.seal(connection, place, keyed.column, &content)?;
            execute(connection, keyed.update, params![sealed, client, row, content])?;
        }
    }
    Ok(())
}

const RECORDS: &str = "
    SELECT key, client, id, version, record FROM submission
    WHERE key > :after AND data_key IS NULL
    ORDER BY key LIMIT 128";

const SEAL_RECORD: &str = "
    UPDATE submission SET record = :record, data_key = :data_key
    WHERE key = :key AND version = :version AND data_key IS NULL";

const COUNT: &str = "
    SELECT (SELECT count(*) FROM submission WHERE data_key IS NULL)
        + (SELECT count(*) FROM document WHERE data_key IS NULL)";

const DOCUMENTS: &str = "
    SELECT client, id FROM document WHERE (client, id) > (:client, :id)
    ORDER BY client, id LIMIT 128";
