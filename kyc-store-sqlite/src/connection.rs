//! How connections are opened and set up.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::OpenError;
use crate::schema::PAGE_BYTES;

/// More than there are statements, so that none is ever planned twice.
const STATEMENTS_MAX: usize = 64;

/// Opens the connection that writes. Also makes an empty file a database in WAL mode.
pub(crate) fn open_writing(path: &Path, busy: Duration) -> Result<Connection, OpenError> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, busy)?;
    // Takes effect only while the file is empty.
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(OpenError::NotLocal);
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is deleted or replaced is overwritten: keys, and what was in clear before there was a vault.
    connection.pragma_update(None, "secure_delete", true)?;
    // Another thread writes the log back, so that no write has to wait for it.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "cache_size", -16 * 1024)?;
    connection.pragma_update(None, "mmap_size", 0x7fff_0000)?;
    Ok(connection)
}

/// Opens a connection that only reads.
pub(crate) fn open_reading(path: &Path, busy: Duration) -> rusqlite::Result<Connection> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy)?;
    // Pages come straight from the operating system's cache, so an own cache would hold them twice.
    // 2 GiB is as far as SQLite maps; what lies behind is read.
    connection.pragma_update(None, "mmap_size", 0x7fff_0000)?;
    connection.pragma_update(None, "cache_size", -2 * 1024)?;
    Ok(connection)
}

fn open(path: &Path, flags: OpenFlags, busy: Duration) -> rusqlite::Result<Connection> {
    // Each connection is used by one thread at a time.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(busy)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    // A prepared statement is never planned again because of the values bound to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The file is foreign input: no trick of its schema may run a function.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}
