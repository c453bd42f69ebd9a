//! Reading of records as a function over plain values, and folders of earlier releases.
//!
//! For the fuzz targets and the tests of upgrades of this workspace, which state the properties. Not
//! an interface: anything here may change or go at any time.

use std::path::Path;
use std::time::Duration;

use kyc_core::{Audited, ClientId, Submission};

use crate::OpenError;
use crate::connection::open_writing;
use crate::folder::DataFolder;
use crate::migrate::{is_empty, migrate};
use crate::record::{Place, decode, decode_audit, encode, encode_audit, listed};
use crate::schema::STEPS;
use crate::store::check_pepper;

/// How many steps the schema has.
pub const STEPS_COUNT: usize = STEPS.len();

/// Makes a data folder as the release left it whose schema had so many steps.
///
/// # Errors
///
/// When the folder cannot be made.
pub fn make_older(folder: &Path, steps: usize) -> Result<(), OpenError> {
    let folder = DataFolder::make(folder)?;
    folder.make_database()?;
    let mut writing = open_writing(&folder.database(), Duration::from_secs(5))?;
    if is_empty(&writing)? {
        folder.make_pepper()?;
    }
    let pepper = folder.pepper()?;
    let steps = STEPS.get(..steps).unwrap_or(STEPS);
    migrate(&mut writing, steps, &folder.backups())?;
    check_pepper(&writing, &pepper)?;
    folder.keep_pepper()
}

/// The submission in a stored record, `None` if the record is damaged.
pub fn decode_record(record: &[u8]) -> Option<Submission> {
    decode(record).ok()
}

/// A submission as it is stored.
pub fn encode_record(submission: &Submission) -> Vec<u8> {
    encode(submission)
}

/// Whether a list would show a stored record.
pub fn is_listed(record: &[u8]) -> bool {
    listed(record).is_ok()
}

/// The row of the audit in a stored record with its place, `None` if the record is damaged.
pub fn decode_audit_record(record: &[u8]) -> Option<(Option<ClientId>, Audited)> {
    let (place, entry) = decode_audit(record).ok()?;
    Some((place.chain, Audited { position: place.position, entry }))
}

/// A row of the audit as it is stored.
pub fn encode_audit_record(chain: Option<ClientId>, row: &Audited) -> Vec<u8> {
    encode_audit(Place { chain, position: row.position }, &row.entry)
}
