//! How far monitoring is: the port.

use kyc_core::{Monitoring, MonitoringState, StoreError};
use rusqlite::Connection;

use crate::record::{corrupt, decode_monitoring, encode_monitoring};
use crate::{SqliteStore, state};

impl Monitoring for SqliteStore {
    fn monitoring(&self) -> Result<MonitoringState, StoreError> {
        // Beside a server, the other process may have gone on a moment ago.
        self.readers().read_now(stored)
    }

    fn advance_monitoring(
        &self,
        before: &MonitoringState,
        after: &MonitoringState,
    ) -> Result<(), StoreError> {
        state::advance(self, STATE, encode_monitoring(before), encode_monitoring(after))
    }
}

/// What is stored of it.
pub(crate) fn stored(connection: &Connection) -> Result<MonitoringState, StoreError> {
    let stored = state::value(connection, STATE)?;
    decode_monitoring(&stored).map_err(|damage| corrupt("state", &STATE, damage))
}

const STATE: &str = "monitoring";
