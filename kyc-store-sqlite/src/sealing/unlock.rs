//! Opening the vault of a data folder, or giving it one.

use std::fs::File;

use kyc_core::StoreError;
use kyc_vault::{MasterKey, Source};
use rusqlite::{Connection, OptionalExtension, ToSql, params};
use zeroize::Zeroizing;

use super::keyring::{CLEAR, Keyring};
use super::takeover::seal_envelopes;
use super::{Sealing, keys};
use crate::error::unavailable;
use crate::folder::{DataFolder, fill_random};
use crate::pepper::Pepper;
use crate::record::corrupt;
use crate::{OpenError, state};

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
        // Another pepper would fit nothing that is stored.
        if folder.is_marked_sealed()? {
            return Err(state::missing("master").into());
        }
        let _lock = alone()?;
        give_vault(folder, connection, source)?;
    }
    let fingerprint = keys::master(connection)?.ok_or(OpenError::Sealed)?;
    let master = source.fitting(&fingerprint)?;
    let secret = pepper_secret(connection, &master)?;
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
    keep(&give, "master", &master.fingerprint())?;
    keep_pepper(&give, &master, &secret)?;
    keep(&give, "clear", &i64::from(!is_empty))?;
    let keyring = Keyring::new(source.clone(), master, false);
    seal_envelopes(&give, &Sealing::new(Some(keyring)))?;
    give.commit()?;
    Ok(())
}

/// Writes the pepper as a master key wraps it.
pub(super) fn keep_pepper(
    connection: &Connection,
    master: &MasterKey,
    secret: &Secret,
) -> Result<(), StoreError> {
    let wrapped = master.wrap_secret(PEPPER, secret).map_err(unavailable)?;
    keep(connection, "pepper.sealed", &wrapped).map_err(unavailable)
}

/// The pepper that the database has.
pub(super) fn pepper_secret(
    connection: &Connection,
    master: &MasterKey,
) -> Result<Secret, StoreError> {
    let mut statement = connection.prepare_cached(SEALED_PEPPER).map_err(unavailable)?;
    let wrapped: Vec<u8> = statement.query_row([], |row| row.get(0)).map_err(unavailable)?;
    let secret = master.unwrap_secret(PEPPER, &wrapped);
    secret.map_err(|damage| corrupt("state", &"pepper.sealed", damage))
}

/// Keeps a single value.
pub(super) fn keep(connection: &Connection, name: &str, value: &dyn ToSql) -> rusqlite::Result<()> {
    connection.prepare_cached(KEEP)?.execute(params![name, value])?;
    Ok(())
}

fn new_secret() -> Result<Secret, OpenError> {
    let mut secret = Zeroizing::new([0; Pepper::BYTES]);
    fill_random(secret.as_mut_slice()).map_err(OpenError::folder("get randomness"))?;
    Ok(secret)
}

/// The bytes of the pepper.
type Secret = Zeroizing<[u8; Pepper::BYTES]>;

/// What the pepper is wrapped as.
const PEPPER: &str = "pepper";

const KEEP: &str = "
    INSERT INTO state (name, value) VALUES (:name, :value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

const SEALED_PEPPER: &str = "
    SELECT value FROM state WHERE name = 'pepper.sealed'";

const USED_PEPPER: &str = "
    SELECT 1 FROM state WHERE name = 'pepper'";

const HAS_ROWS: &str = "
    SELECT 1 WHERE EXISTS (SELECT 1 FROM submission) OR EXISTS (SELECT 1 FROM document)";
