//! What is written in the same transaction as a change.

use kyc_core::{Beside, ClientId, StoreError};
use rusqlite::Connection;

use crate::writer::Extent;
use crate::{SqliteStore, replay};

/// The rows that come with a change of one record.
pub(crate) struct BesideRows {
    answer: Option<replay::Row>,
}

impl BesideRows {
    /// The changed record is the client's, and has the id `about`.
    pub(crate) fn of(
        store: &SqliteStore,
        client: ClientId,
        about: [u8; 16],
        beside: Beside,
    ) -> Self {
        // The key is said in the rows of the audit, which know what changed.
        let Beside { answer, key: _ } = beside;
        Self { answer: answer.map(|replay| replay::Row::of(store, client, about, replay)) }
    }

    /// What the change may do together with these.
    pub(crate) fn extent(&self) -> Extent {
        if self.answer.is_some() { Extent::Several } else { Extent::Statement }
    }

    /// Writes the rows. Comes before the change: a key that is taken is told before anything else.
    pub(crate) fn insert(&self, connection: &Connection) -> Result<(), StoreError> {
        self.answer.as_ref().map_or(Ok(()), |answer| answer.insert(connection))
    }
}
