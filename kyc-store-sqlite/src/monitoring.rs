//! How far monitoring is: the port.

use kyc_core::{Monitoring, MonitoringState, StoreError};
use rusqlite::params;

use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::{corrupt, decode_monitoring, encode_monitoring};
use crate::writer::Extent;

impl Monitoring for SqliteStore {
    fn monitoring(&self) -> Result<MonitoringState, StoreError> {
        // Beside a server, the other process may have gone on a moment ago.
        let state: Vec<u8> = self.readers().read_now(|connection| {
            let mut statement = connection.prepare_cached(STATE).map_err(unavailable)?;
            statement.query_row([], |row| row.get(0)).map_err(unavailable)
        })?;
        decode_monitoring(&state).map_err(|damage| corrupt("state", &"monitoring", damage))
    }

    fn advance_monitoring(
        &self,
        before: &MonitoringState,
        after: &MonitoringState,
    ) -> Result<(), StoreError> {
        let (before, after) = (encode_monitoring(before), encode_monitoring(after));
        self.writer().change(Extent::Statement, move |connection| {
            let mut statement = connection.prepare_cached(ADVANCE).map_err(unavailable)?;
            match statement.execute(params![after, before]) {
                Ok(0) => Err(StoreError::Stale),
                Ok(_) => Ok(()),
                Err(error) => Err(unavailable(error)),
            }
        })
    }
}

pub(crate) const STATE: &str = "
    SELECT value FROM state WHERE name = 'monitoring'";

// Compare-and-set, as of a submission.
pub(crate) const ADVANCE: &str = "
    UPDATE state SET value = :after WHERE name = 'monitoring' AND value = :before";
