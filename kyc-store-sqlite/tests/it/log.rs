use std::ops::ControlFlow;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use kyc_core::conformance::fixture::client;
use kyc_core::{Lookup, Preference, SubmissionStore};
use kyc_store_sqlite::{Options, SqliteStore};

use crate::support::{folder, submission_of};

#[test]
fn the_log_starts_over_while_others_read_and_write() {
    let whole = log_bytes_after_work(u64::MAX);
    // It starts over when its thread gets a turn, which other work of the machine may delay.
    let logs = [256 << 10; 3].map(log_bytes_after_work);
    let stays = logs.iter().any(|log| *log < whole / 4);
    assert!(stays, "the log has grown to {logs:?} of {whole} bytes");
}

/// The size that the log once had: the file keeps it.
fn log_bytes_after_work(log_bytes: u64) -> u64 {
    let folder = folder();
    let options = Options { log_bytes, ..Options::default() };
    let store = SqliteStore::open(folder.path(), options).unwrap();
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    let lookup = Lookup::default();
                    SubmissionStore::find(&store, client(1), &lookup, Preference::Best).unwrap();
                }
            });
        }
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let store = &store;
                scope.spawn(move || {
                    for number in 0..400 {
                        let number = 1 + writer * 400 + number;
                        let submission = submission_of(number, &format!("{number}@example.org"));
                        store.insert(client(1), &submission).unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        ends.store(true, Ordering::Relaxed);
    });
    folder.path().join("kyc.sqlite-wal").metadata().unwrap().len()
}

/// Who crashes again and again before it can be written back would otherwise leave a log without end.
#[test]
fn a_long_log_that_a_crash_left_is_written_back_at_the_start() {
    let (folder, crashed) = (folder(), folder());
    let options = |log_bytes| Options { log_bytes, ..Options::default() };
    let store = SqliteStore::open(folder.path(), options(u64::MAX)).unwrap();
    for number in 1..=100 {
        store.insert(client(1), &submission_of(number, "kole@example.org")).unwrap();
    }
    // A copy made by another process: this one must not close files that SQLite has locked.
    let files = folder.path().join(".");
    let copied = Command::new("cp").arg("-R").arg(files).arg(crashed.path()).status();
    assert!(copied.unwrap().success());
    let log = crashed.path().join("kyc.sqlite-wal");
    let log_bytes = || log.metadata().unwrap().len();
    assert!(log_bytes() > 256 << 10);

    let store = SqliteStore::open(crashed.path(), options(256 << 10)).unwrap();
    assert_eq!(log_bytes(), 0);
    let mut count = 0;
    let counted = store.list(client(1), None, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    counted.unwrap();
    assert_eq!(count, 100);
}
