use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use kyc_core::StoreError;
use rusqlite::Connection;
use tempfile::TempDir;

use super::{Extent, Gate, Writer};
use crate::Options;
use crate::audit::Audit;
use crate::connection::open_writing;
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::readers::Commits;
use crate::sealing::Sealing;
use crate::tests::folder;

type Answer = Receiver<Result<(), StoreError>>;

/// A writer over a table of numbers, each of which may stand there once.
struct Fixture {
    folder: TempDir,
    commits: Arc<AtomicUsize>,
    fails_to_commit: Arc<AtomicBool>,
    writer: Writer,
}

fn fixture(prepare: impl FnOnce(&Connection)) -> Fixture {
    let folder = folder();
    let path = folder.path().join("test.sqlite");
    fs::write(&path, "").unwrap();
    let mut connection = open_writing(&path, Duration::from_millis(10)).unwrap();
    connection.execute_batch("CREATE TABLE number (n INTEGER PRIMARY KEY, fill BLOB)").unwrap();
    prepare(&connection);
    let (commits, fails_to_commit) = (Arc::default(), Arc::default());
    let (counter, fails) = (Arc::clone(&commits), Arc::clone(&fails_to_commit));
    let hook = move || {
        AtomicUsize::fetch_add(&counter, 1, Ordering::SeqCst);
        AtomicBool::load(&fails, Ordering::SeqCst)
    };
    connection.commit_hook(Some(hook)).unwrap();
    let (gate, commits_of_writer, sealing) =
        (Gate::default(), Commits::default(), Sealing::new(None));
    let audit = Audit::new(&Pepper::new(&[7; Pepper::BYTES]), &Options::default());
    let writer = Writer::start(connection, gate, commits_of_writer, sealing, audit).unwrap();
    Fixture { folder, commits, fails_to_commit, writer }
}

fn insert(connection: &Connection, number: usize) -> Result<(), StoreError> {
    let row = (i64::try_from(number).unwrap(), [0_u8; 1_000]);
    let inserted = connection.execute("INSERT INTO number (n, fill) VALUES (?1, ?2)", row);
    inserted.map(|_| ()).map_err(unavailable)
}

impl Fixture {
    fn queue(&self, number: usize) -> Answer {
        let insert = move |connection: &Connection| insert(connection, number);
        self.writer.queue(Extent::Statement, insert).unwrap()
    }

    fn insert(&self, number: usize) -> Result<(), StoreError> {
        self.queue(number).recv().unwrap()
    }

    /// Runs `queue` while the writer is busy, so that what it queues is one group.
    fn while_busy<T>(&self, queue: impl FnOnce() -> T) -> T {
        let (started, has_started) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let busy = self.writer.queue(Extent::Statement, move |_| {
            started.send(()).unwrap();
            released.recv().unwrap();
            Ok::<(), StoreError>(())
        });
        has_started.recv().unwrap();
        let queued = queue();
        release.send(()).unwrap();
        busy.unwrap().recv().unwrap().unwrap();
        queued
    }

    /// What is stored, as another connection sees it.
    #[track_caller]
    fn assert_stored(&self, expected: impl IntoIterator<Item = usize>) {
        let other = Connection::open(self.folder.path().join("test.sqlite")).unwrap();
        let mut statement = other.prepare("SELECT n FROM number ORDER BY n").unwrap();
        let stored = statement.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        let stored: Vec<_> = stored.map(|n| usize::try_from(n.unwrap()).unwrap()).collect();
        assert_eq!(stored, expected.into_iter().collect::<Vec<_>>());
    }
}

fn outcomes(answers: Vec<Answer>) -> Vec<bool> {
    answers.into_iter().map(|answer| answer.recv().unwrap().is_ok()).collect()
}

#[test]
fn what_queues_while_the_writer_is_busy_is_one_commit() {
    let fixture = fixture(|_| ());
    let answers: Vec<Answer> =
        fixture.while_busy(|| (0..100).map(|number| fixture.queue(number)).collect());
    assert_eq!(outcomes(answers), [true; 100]);
    // That of the change that kept the writer busy, and one for all others.
    assert_eq!(fixture.commits.load(Ordering::SeqCst), 2);
    fixture.assert_stored(0..100);
}

#[test]
fn a_change_that_fails_does_not_touch_its_neighbours() {
    let fixture = fixture(|_| ());
    fixture.insert(3).unwrap();
    let answers: Vec<Answer> =
        fixture.while_busy(|| (0..6).map(|number| fixture.queue(number)).collect());
    assert_eq!(outcomes(answers), [true, true, true, false, true, true]);
    fixture.assert_stored(0..6);
}

#[test]
fn a_change_of_several_statements_is_undone_whole() {
    let fixture = fixture(|_| ());
    fixture.insert(3).unwrap();
    let (several, neighbours) = fixture.while_busy(|| {
        let before = fixture.queue(0);
        let several = fixture.writer.queue(Extent::Several, |connection| {
            insert(connection, 1)?;
            insert(connection, 3)
        });
        (several.unwrap(), vec![before, fixture.queue(2)])
    });
    several.recv().unwrap().unwrap_err();
    assert_eq!(outcomes(neighbours), [true, true]);
    fixture.assert_stored([0, 2, 3]);
}

#[test]
fn a_change_that_panics_is_undone_and_answered() {
    let fixture = fixture(|_| ());
    let panics = |connection: &Connection| -> Result<(), StoreError> {
        insert(connection, 1)?;
        panic!("told to");
    };
    let outcome = fixture.writer.change(Extent::Several, panics);
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    fixture.insert(2).unwrap();
    fixture.assert_stored([2]);
}

#[test]
fn when_the_commit_fails_everybody_is_told() {
    let fixture = fixture(|_| ());
    let fails = Arc::clone(&fixture.fails_to_commit);
    let fail = move |_: &Connection| -> Result<(), StoreError> {
        fails.store(true, Ordering::SeqCst);
        Ok(())
    };
    let answers: Vec<Answer> = fixture.while_busy(|| {
        let fail = fixture.writer.queue(Extent::Statement, fail).unwrap();
        // The second 0 is refused because of the first one, which is not stored in the end.
        (0..5).chain([0]).map(|number| fixture.queue(number)).chain([fail]).collect()
    });
    for answer in answers {
        let Err(StoreError::Unavailable(cause)) = answer.recv().unwrap() else {
            panic!("the commit has failed");
        };
        assert_eq!(cause.to_string(), "the transaction cannot be committed");
    }
    fixture.assert_stored([]);

    fixture.fails_to_commit.store(false, Ordering::SeqCst);
    fixture.insert(7).unwrap();
    fixture.assert_stored([7]);
}

#[test]
fn when_sqlite_undoes_the_transaction_everybody_is_told() {
    let fixture = fixture(|connection| {
        let trigger = "CREATE TRIGGER undo BEFORE INSERT ON number WHEN new.n = 2
                       BEGIN SELECT raise(ROLLBACK, 'told to'); END";
        connection.execute_batch(trigger).unwrap();
    });
    let answers: Vec<Answer> =
        fixture.while_busy(|| (0..5).map(|number| fixture.queue(number)).collect());
    let causes = answers.into_iter().map(|answer| match answer.recv().unwrap() {
        Err(StoreError::Unavailable(cause)) => cause.to_string(),
        outcome => panic!("{outcome:?}"),
    });
    let other = "another change broke the transaction";
    assert_eq!(causes.collect::<Vec<_>>(), [other, other, "told to", other, other]);
    fixture.assert_stored([]);
    fixture.insert(7).unwrap();
    fixture.assert_stored([7]);
}

#[test]
fn a_full_disk_passes() {
    let fixture = fixture(|connection| {
        connection.pragma_update(None, "max_page_count", 20).unwrap();
    });
    let stored = (0..1_000).take_while(|number| fixture.insert(*number).is_ok()).count();
    assert!((10..1_000).contains(&stored), "the disk was full after {stored}");
    fixture.assert_stored(0..stored);
    // Full for one is full for all, and none of them is half stored.
    let answers: Vec<Answer> =
        fixture.while_busy(|| (stored..stored + 50).map(|n| fixture.queue(n)).collect());
    assert!(outcomes(answers).contains(&false));

    let more_space = |connection: &Connection| {
        connection.pragma_update(None, "max_page_count", 10_000).map_err(unavailable)
    };
    fixture.writer.change(Extent::Statement, more_space).unwrap();
    fixture.insert(5_000).unwrap();
}

#[test]
fn a_database_that_another_process_holds_too_long_is_unavailable() {
    let fixture = fixture(|_| ());
    let other = Connection::open(fixture.folder.path().join("test.sqlite")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = fixture.insert(1);
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    other.execute_batch("ROLLBACK").unwrap();
    fixture.insert(2).unwrap();
    fixture.assert_stored([2]);
}

#[test]
fn what_is_queued_is_finished_when_the_writer_ends() {
    let Fixture { folder, commits, fails_to_commit, writer } = fixture(|_| ());
    let fixture = Fixture { folder, commits, fails_to_commit, writer };
    let answers: Vec<Answer> =
        fixture.while_busy(|| (0..50).map(|number| fixture.queue(number)).collect());
    let Fixture { folder, writer, .. } = fixture;
    drop(writer);
    assert_eq!(outcomes(answers), [true; 50]);
    let other = Connection::open(folder.path().join("test.sqlite")).unwrap();
    let count = "SELECT count(*) FROM number";
    assert_eq!(other.query_row(count, [], |row| row.get::<_, u32>(0)).unwrap(), 50);
}
