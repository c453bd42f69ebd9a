//! Sealing what the tables hold (D90, D91).
//!
//! Everything that goes into a sealed column passes here. There are two ways, and each has one to
//! open:
//!
//! * [`Sealing::row_key`] makes the key of a row; its wrapped form stands in the row's column
//!   `data_key`, where a rotation finds it. It is [settled](Sealing::settle) in the transaction that
//!   writes the row. For tables with several sealed columns, or many rows.
//! * [`Sealing::seal`] makes one value that holds its own key, within a transaction of the writer.
//!   For a column of a small table, which is listed in [`ENVELOPES`].
//!
//! Without a vault, both leave everything in clear.

mod keyring;
mod keys;
mod rotate;
mod takeover;
mod unlock;

pub(crate) use keyring::Keyring;
pub(crate) use keys::client_keys;
pub use rotate::RotationProgress;
pub use takeover::InClear;
pub(crate) use takeover::{Takeover, Tools};
pub(crate) use unlock::unlock;

use std::fmt;
use std::sync::Arc;

use kyc_core::{ClientId, StoreError};
use kyc_vault::{DataKey, DoesNotOpen, Place, WrappedDataKey};
use rusqlite::Connection;

use crate::error::unavailable;
use crate::record::corrupt;
use crate::replay;
use crate::writer::Writer;

/// The columns of small tables whose values hold their own key. A rotation rewrites them.
pub(crate) const ENVELOPES: &[Keyed] = &[replay::SEALED];

/// A column whose values begin with a wrapped key, in a table with a column `client`.
#[derive(Debug)]
pub(crate) struct Keyed {
    table: &'static str,
    column: &'static str,
    /// Some rows of a client, ordered by what is the row of a [`Place`].
    select: &'static str,
    /// Every row.
    select_all: &'static str,
    /// Replaces a value that is still the old one.
    update: &'static str,
}

/// A column of a table, and the column, a blob, that is the row of its [`Place`].
macro_rules! keyed {
    ($table:literal, $column:literal, $row:literal) => {
        $crate::sealing::Keyed::new(
            $table,
            $column,
            [
                concat!(
                    "SELECT ",
                    $row,
                    ", ",
                    $column,
                    " FROM ",
                    $table,
                    " WHERE client = :client AND ",
                    $row,
                    " > :after AND ",
                    $column,
                    " IS NOT NULL ORDER BY ",
                    $row,
                    " LIMIT :limit",
                ),
                concat!("SELECT client, ", $row, ", ", $column, " FROM ", $table),
                concat!(
                    "UPDATE ",
                    $table,
                    " SET ",
                    $column,
                    " = :new WHERE client = :client AND ",
                    $row,
                    " = :row AND ",
                    $column,
                    " = :old",
                ),
            ],
        )
    };
}
pub(crate) use keyed;

impl Keyed {
    pub(crate) const fn new(
        table: &'static str,
        column: &'static str,
        [select, select_all, update]: [&'static str; 3],
    ) -> Self {
        Self { table, column, select, select_all, update }
    }
}

/// The keys of an open store, if it has a vault. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Sealing(Option<Arc<Keyring>>);

/// The key of a row, before it is stored.
#[derive(Debug)]
pub(crate) struct RowKey(Option<(DataKey, WrappedDataKey)>);

/// A wrapped key as a column.
pub(crate) type KeyColumn = [u8; WrappedDataKey::BYTES];

impl Sealing {
    pub(crate) fn new(keyring: Option<Keyring>) -> Self {
        Self(keyring.map(Arc::new))
    }

    /// Makes the key of a row. Outside of the writer's thread: now and then it waits for a commit.
    pub(crate) fn row_key(&self, writer: &Writer, place: Place<'_>) -> Result<RowKey, StoreError> {
        let Some(keyring) = &self.0 else { return Ok(RowKey(None)) };
        let data_key = DataKey::random().map_err(unavailable)?;
        let client_key = keyring.ready_key(writer, place.client)?;
        let wrapped = client_key.wrap(place, &data_key).map_err(unavailable)?;
        Ok(RowKey(Some((data_key, wrapped))))
    }

    /// The column `data_key` for the row that is about to be written. A key that was made under a
    /// version that was replaced meanwhile is wrapped anew, so that no row comes in under an old
    /// version once its replacement is committed.
    pub(crate) fn settle(
        &self,
        connection: &Connection,
        place: Place<'_>,
        key: &RowKey,
    ) -> Result<Option<KeyColumn>, StoreError> {
        let (Some(keyring), Some((data_key, wrapped))) = (&self.0, &key.0) else { return Ok(None) };
        if keyring.is_active(place.client, wrapped.version()) {
            return Ok(Some(wrapped.to_bytes()));
        }
        let client_key = keyring.within(connection, place.client)?;
        if client_key.opening().version() == wrapped.version() {
            return Ok(Some(wrapped.to_bytes()));
        }
        let wrapped = client_key.wrap(place, data_key).map_err(unavailable)?;
        Ok(Some(wrapped.to_bytes()))
    }

    /// Seals one value, within a transaction of the writer.
    pub(crate) fn seal(
        &self,
        connection: &Connection,
        place: Place<'_>,
        column: &str,
        content: &[u8],
    ) -> Result<Vec<u8>, StoreError> {
        let Some(keyring) = &self.0 else { return Ok(content.to_vec()) };
        let data_key = DataKey::random().map_err(unavailable)?;
        let client_key = keyring.within(connection, place.client)?;
        let wrapped = client_key.wrap(place, &data_key).map_err(unavailable)?;
        let mut sealed = wrapped.to_bytes().to_vec();
        data_key.seal_onto(place, column, content, &mut sealed).map_err(unavailable)?;
        Ok(sealed)
    }

    /// Opens what [`seal`](Self::seal) made.
    pub(crate) fn open(
        &self,
        connection: &Connection,
        place: Place<'_>,
        column: &str,
        sealed: Vec<u8>,
    ) -> Result<Vec<u8>, Closed> {
        if self.0.is_none() {
            return Ok(sealed);
        }
        let (data_key, content) =
            sealed.split_first_chunk::<{ WrappedDataKey::BYTES }>().ok_or(DoesNotOpen)?;
        let mut opened = Vec::new();
        let key = self.open_key(connection, place, Some(data_key))?;
        let length = key.open(place, column, content, &mut opened)?.len();
        // What is behind the content is the seal's own.
        opened.truncate(length);
        Ok(opened)
    }

    /// The key of a row that was read, from its column `data_key`.
    pub(crate) fn open_key(
        &self,
        connection: &Connection,
        place: Place<'_>,
        data_key: Option<&[u8]>,
    ) -> Result<OpenRowKey, Closed> {
        match (&self.0, data_key) {
            (None, None) => Ok(OpenRowKey(None)),
            // What is in clear in a sealed store was put there by somebody else.
            (Some(keyring), None) if keyring.may_be_clear(connection)? => Ok(OpenRowKey(None)),
            (Some(keyring), Some(data_key)) => {
                let wrapped = WrappedDataKey::from_bytes(data_key).ok_or(DoesNotOpen)?;
                let client_key = keyring.opening(connection, place.client, wrapped.version())?;
                Ok(OpenRowKey(Some(client_key.unwrap(place, &wrapped)?)))
            }
            (Some(_), None) | (None, Some(_)) => Err(DoesNotOpen.into()),
        }
    }

    /// Takes notice of keys that were replaced, at the start of each transaction that writes.
    pub(crate) fn refresh(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.0.as_ref().map_or(Ok(()), |keyring| keyring.refresh(connection))
    }

    /// Whether everything has to be sealed by now.
    pub(crate) fn is_complete(&self, connection: &Connection) -> Result<bool, StoreError> {
        self.0.as_ref().map_or(Ok(false), |keyring| Ok(!keyring.may_be_clear(connection)?))
    }

    pub(crate) fn keyring(&self) -> Option<&Arc<Keyring>> {
        self.0.as_ref()
    }
}

impl RowKey {
    /// Seals the content of a column of the row.
    pub(crate) fn seal(
        &self,
        place: Place<'_>,
        column: &str,
        content: Vec<u8>,
    ) -> Result<Vec<u8>, StoreError> {
        match &self.0 {
            None => Ok(content),
            Some((key, _)) => key.seal(place, column, &content).map_err(unavailable),
        }
    }

    /// Seals behind what is in `sealed` already; does nothing without a key.
    pub(crate) fn seal_onto(
        &self,
        place: Place<'_>,
        column: &str,
        content: &[u8],
        sealed: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let Some((key, _)) = &self.0 else { return Ok(()) };
        key.seal_onto(place, column, content, sealed).map_err(unavailable)
    }

    pub(crate) fn is_clear(&self) -> bool {
        self.0.is_none()
    }
}

/// The key of a row that was read.
#[derive(Debug)]
pub(crate) struct OpenRowKey(Option<DataKey>);

impl OpenRowKey {
    /// Opens the content of a column, in the place of `buffer`'s content. What is in clear stays
    /// where it is.
    pub(crate) fn open<'b>(
        &self,
        place: Place<'_>,
        column: &str,
        stored: &'b [u8],
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], DoesNotOpen> {
        match &self.0 {
            None => Ok(stored),
            Some(key) => key.open(place, column, stored, buffer),
        }
    }

    /// Seals what was left in clear.
    pub(crate) fn seal_onto(
        &self,
        place: Place<'_>,
        column: &str,
        content: &[u8],
        sealed: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let Some(key) = &self.0 else { return Ok(()) };
        key.seal_onto(place, column, content, sealed).map_err(unavailable)
    }

    pub(crate) fn is_clear(&self) -> bool {
        self.0.is_none()
    }
}

/// Where a row of a client belongs.
pub(crate) fn place<'a>(client: ClientId, table: &'a str, row: &'a [u8]) -> Place<'a> {
    Place { client: client.get(), table, row }
}

/// Why something sealed cannot be read.
#[derive(Debug)]
pub(crate) enum Closed {
    Damaged(DoesNotOpen),
    Unavailable(StoreError),
}

impl Closed {
    /// The error that names the row.
    pub(crate) fn of(self, table: &'static str, key: &dyn fmt::Display) -> StoreError {
        match self {
            Self::Damaged(damage) => corrupt(table, key, damage),
            Self::Unavailable(error) => error,
        }
    }
}

impl From<DoesNotOpen> for Closed {
    fn from(damage: DoesNotOpen) -> Self {
        Self::Damaged(damage)
    }
}

impl From<StoreError> for Closed {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error)
    }
}
