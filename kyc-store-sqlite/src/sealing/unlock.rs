//! Opening the vault of a data folder, or giving it one.

use std::fs::File;

use kyc_vault::{MasterKey, Source};
use rusqlite::{Connection, OptionalExtension, params};
use zeroize::Zeroizing;

use super::keyring::{CLEAR, Keyring};
use super::{Sealing, keys};
use crate::OpenError;
use crate::folder::{DataFolder, fill_random};
use crate::pepper::Pepper;

/// Opens the vault, and takes the pepper out of it. A folder without a vault gets one, if it may.
///
/// The pepper lies in the database, wrapped by the master key. It moves there from its file when the
/// folder gets a vault: the file goes when the database is written. `alone` locks out whoever serves.
pub(crate) fn unlock(
    folder: &DataFolder,
    connection: &mut Connection,
    source: Option<&Source>,
    alone: impl FnOnce() -> Result<Option<File>, OpenError>,
) -> Result<(Pepper, Sealing), OpenError> {
    let Some(source) = source else {
        return match keys::master(connection)? {
            None => Ok((folder.pepper()?, Sealing::new(None))),
            Some(_) => Err(OpenError::Sealed),
        };
    };
    if keys::master(connection)?.is_none() {
        let _lock = alone()?;
        give_vault(folder, connection, source)?;
    }
    let fingerprint = keys::master(connection)?.ok_or(OpenError::Sealed)?;
    let master = source.fitting(&fingerprint)?;
    let wrapped: Vec<u8> = connection.query_row(SEALED_PEPPER, [], |row| row.get(0))?;
    let secret = master.unwrap_secret(PEPPER, &wrapped).map_err(|_| OpenError::PepperWrong)?;
    folder.mark_sealed()?;
    folder.remove_pepper()?;
    let clear: Option<i64> = connection.query_row(CLEAR, [], |row| row.get(0)).optional()?;
    let keyring = Keyring::new(source.clone(), master, clear == Some(1));
    Ok((Pepper::new(&secret), Sealing::new(Some(keyring))))
}

fn give_vault(
    folder: &DataFolder,
    connection: &mut Connection,
    source: &Source,
) -> Result<(), OpenError> {
    // A pepper that the database does not know was never used.
    let is_used = connection.prepare(USED_PEPPER)?.exists([])?;
    let secret = if is_used { folder.pepper_secret()? } else { new_secret()? };
    let master = source.first()?;
    let is_empty = !connection.prepare(HAS_ROWS)?.exists([])?;
    let give = connection.transaction()?;
    give.execute(KEEP, params!["master", master.fingerprint()])?;
    keep_pepper(&give, &master, &secret)?;
    if !is_empty {
        give.execute(KEEP, params!["clear", 1])?;
    }
    give.commit()?;
    Ok(())
}

/// Writes the pepper as a master key wraps it.
pub(super) fn keep_pepper(
    connection: &Connection,
    master: &MasterKey,
    secret: &Zeroizing<[u8; Pepper::BYTES]>,
) -> Result<(), OpenError> {
    let wrapped = master.wrap_secret(PEPPER, secret);
    let wrapped = wrapped.map_err(|error| OpenError::MasterKey(error.into()))?;
    connection.execute(KEEP, params!["pepper.sealed", wrapped])?;
    Ok(())
}

fn new_secret() -> Result<Zeroizing<[u8; Pepper::BYTES]>, OpenError> {
    let mut secret = Zeroizing::new([0; Pepper::BYTES]);
    fill_random(secret.as_mut_slice()).map_err(OpenError::folder("get randomness"))?;
    Ok(secret)
}

/// What the pepper is wrapped as.
pub(super) const PEPPER: &str = "pepper";

const KEEP: &str = "
    INSERT INTO state (name, value) VALUES (:name, :value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

pub(super) const SEALED_PEPPER: &str = "
    SELECT value FROM state WHERE name = 'pepper.sealed'";

const USED_PEPPER: &str = "
    SELECT 1 FROM state WHERE name = 'pepper'";

const HAS_ROWS: &str = "
    SELECT 1 WHERE EXISTS (SELECT 1 FROM submission) OR EXISTS (SELECT 1 FROM document)";
