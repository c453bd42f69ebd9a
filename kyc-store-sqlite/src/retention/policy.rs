//! The periods that a data folder is kept by, so that every process erases by the same ones.

use kyc_core::{RetentionPolicy, StoreError};
use rusqlite::{OptionalExtension, params};

use crate::SqliteStore;
use crate::error::unavailable;
use crate::record::{Damage, corrupt};
use crate::writer::Extent;

impl SqliteStore {
    /// The periods by which the service of this folder erases, `None` until one was
    /// [set](Self::set_retention_policy).
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn retention_policy(&self) -> Result<Option<RetentionPolicy>, StoreError> {
        let stored: Option<i64> = self.readers().read_now(|connection| {
            let mut statement = connection.prepare_cached(POLICY).map_err(unavailable)?;
            statement.query_row([], |row| row.get(0)).optional().map_err(unavailable)
        })?;
        let Some(stored) = stored else { return Ok(None) };
        let (years, days) = (stored >> DAYS_BITS, stored & ((1 << DAYS_BITS) - 1));
        match (u8::try_from(years), u16::try_from(days)) {
            (Ok(years), Ok(unused_upload_days)) => {
                Ok(Some(RetentionPolicy { years, unused_upload_days }))
            }
            _ => Err(corrupt("state", &"retention_policy", Damage::Value("periods"))),
        }
    }

    /// Sets the periods by which the service of this folder erases.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn set_retention_policy(&self, policy: RetentionPolicy) -> Result<(), StoreError> {
        let RetentionPolicy { years, unused_upload_days } = policy;
        let value = i64::from(years) << DAYS_BITS | i64::from(unused_upload_days);
        self.writer().change(Extent::Statement, move |connection| {
            let mut statement = connection.prepare_cached(SET_POLICY).map_err(unavailable)?;
            statement.execute(params![value]).map_err(unavailable)?;
            Ok(())
        })
    }
}

/// The years stand above the days.
const DAYS_BITS: u32 = 16;

const POLICY: &str = "
    SELECT value FROM state WHERE name = 'retention_policy'";

const SET_POLICY: &str = "
    INSERT INTO state (name, value) VALUES ('retention_policy', :value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
