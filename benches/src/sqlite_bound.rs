//! The bound of durable submissions: rusqlite alone, committing groups of the same rows with the
//! same indexes.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::Failure;

/// Rows per transaction, as 64 connections give.
const GROUP: usize = 64;

/// Inserts rows like those of the store in `database` into a copy of it at `copy` for `time`, and
/// gives the rows per second.
///
/// # Errors
///
/// When SQLite fails.
pub fn inserts_per_second(database: &Path, copy: &Path, time: Duration) -> Result<f64, Failure> {
    let source = Connection::open(database)?;
    source.execute("VACUUM INTO ?1", [copy.to_str().ok_or("the path is no UTF-8")?])?;
    let columns: Vec<String> = source
        .prepare("SELECT name FROM pragma_table_info('submission')")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let rows = sample_rows(&source, &columns)?;
    let last: i64 = source.query_one("SELECT max(key) FROM submission", [], |row| row.get(0))?;
    drop(source);

    let target = Connection::open(copy)?;
    target.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
         PRAGMA mmap_size = 8589934592; PRAGMA wal_autocheckpoint = 8192;",
    )?;
    let places = vec!["?"; columns.len()].join(", ");
    let insert = format!("INSERT INTO submission ({}) VALUES ({places})", columns.join(", "));
    let mut insert = target.prepare(&insert)?;
    let mut random = Scramble(0x9e37_79b9_7f4a_7c15);
    let mut rows = rows.iter().cycle();
    let mut key = last;
    let mut inserted: u32 = 0;
    let began = Instant::now();
    while began.elapsed() < time {
        target.execute_batch("BEGIN IMMEDIATE")?;
        for row in rows.by_ref().take(GROUP) {
            key += 1;
            let values = columns
                .iter()
                .zip(row)
                .map(|(column, value)| fresh(column, value, key, &mut random));
            insert.execute(params_from_iter(values))?;
        }
        target.execute_batch("COMMIT")?;
        inserted += u32::try_from(GROUP)?;
    }
    Ok(f64::from(inserted) / began.elapsed().as_secs_f64())
}

fn sample_rows(source: &Connection, columns: &[String]) -> Result<Vec<Vec<Value>>, Failure> {
    let select = format!("SELECT {} FROM submission LIMIT 10000", columns.join(", "));
    let mut select = source.prepare(&select)?;
    let rows = select.query_map([], |row| (0..columns.len()).map(|at| row.get(at)).collect())?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A row's value, with what has to be unique or spread made anew as the store would.
fn fresh(column: &str, value: &Value, key: i64, random: &mut Scramble) -> Value {
    match (column, value) {
        ("key", _) => Value::Integer(key),
        // Time first, then randomness, as ids are.
        ("id", _) => {
            let mut id = key.to_be_bytes().to_vec();
            id.extend_from_slice(&random.next().to_be_bytes());
            Value::Blob(id)
        }
        (name, Value::Integer(_)) if name.ends_with("_key") => Value::Integer(random.next()),
        (_, value) => value.clone(),
    }
}

/// Splitmix64: spread as a keyed digest is, at no cost.
struct Scramble(u64);

impl Scramble {
    fn next(&mut self) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).cast_signed()
    }
}
