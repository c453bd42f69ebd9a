//! What the audit costs: submissions per second with and without it, in turns, from 64 writers, and
//! the time of the processor that each takes, which says the same on a machine that others use, too.
//!
//! ```text
//! cargo run --release -p benches --bin audit
//! ```

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use benches::Failure;
use benches::applicants::{Documents, form};
use clap::Parser;
use kyc_core::{Client, Clock, IdSource, OsIds, Submission, SubmissionStore, SystemClock};
use kyc_store_sqlite::{Options, SqliteStore};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

/// Measures what the audit costs the store
#[derive(Debug, Parser)]
struct Arguments {
    /// How often both are measured in turn
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// How long each measurement takes, in milliseconds
    #[arg(long, default_value_t = 2_000)]
    millis: u64,
    /// Where the data folders are made [default: the system's temporary folder]
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// As many as the load program has connections.
const WRITERS: u64 = 64;

struct Site {
    store: SqliteStore,
    client: Arc<Client>,
    documents: Documents,
    next: AtomicU64,
    _folder: TempDir,
}

impl Site {
    fn new(arguments: &Arguments, options: Options) -> Result<Self, Failure> {
        let folder = match &arguments.folder {
            Some(folder) => tempfile::tempdir_in(folder)?,
            None => tempfile::tempdir()?,
        };
        let store = SqliteStore::open(&folder.path().join("data"), options)?;
        let now = SystemClock.now();
        let client = store.add_client(&"bench".parse()?, now)?;
        let documents = Documents::store(&store, &client, now)?;
        Ok(Self { store, client, documents, next: AtomicU64::new(0), _folder: folder })
    }

    fn insert_one(&self) -> Result<(), Failure> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let at = SystemClock.now();
        let form = form(number, &self.documents)?;
        let submission = Submission::new(form, OsIds.submission_id(at), at);
        Ok(self.store.insert(self.client.id, &submission)?)
    }

    fn rate(&self, time: Duration) -> Result<Rate, Failure> {
        let (began, worked) = (Instant::now(), processor_time());
        let before = self.next.load(Ordering::Relaxed);
        let write = || -> Result<(), Failure> {
            while began.elapsed() < time {
                self.insert_one()?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS).map(|_| scope.spawn(write)).collect();
            writers.into_iter().try_for_each(|writer| writer.join().map_err(|_| "a panic")?)
        })?;
        let inserted = u32::try_from(self.next.load(Ordering::Relaxed) - before)?;
        Ok(Rate {
            per_second: f64::from(inserted) / began.elapsed().as_secs_f64(),
            micros: processor_time().saturating_sub(worked).as_secs_f64() * 1e6
                / f64::from(inserted.max(1)),
        })
    }
}

struct Rate {
    per_second: f64,
    /// Time of the processor for each submission.
    micros: f64,
}

/// What all threads of this process have used.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    let time = Duration::from_millis(arguments.millis);
    let with = Site::new(&arguments, Options::default())?;
    let without = Site::new(&arguments, Options::default().without_audit())?;
    // The first ones fill caches.
    for site in [&with, &without] {
        site.rate(time)?;
    }
    let mut rounds = Vec::new();
    for round in 0..arguments.rounds {
        // Each goes first as often as the other.
        rounds.push(if round % 2 == 0 {
            let audited = with.rate(time)?;
            (audited, without.rate(time)?)
        } else {
            let bare = without.rate(time)?;
            (with.rate(time)?, bare)
        });
    }
    let of = |value: fn(&(Rate, Rate)) -> f64| median(rounds.iter().map(value));
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "                     with the audit   without   cost, median of {}",
        rounds.len()
    )?;
    writeln!(
        out,
        "submissions/s        {:14.0} {:9.0}   {:.1} % (at most 10 %)",
        of(|(with, _)| with.per_second),
        of(|(_, without)| without.per_second),
        of(|(with, without)| 100.0 * (1.0 - with.per_second / without.per_second)),
    )?;
    writeln!(
        out,
        "processor, µs each   {:14.1} {:9.1}   {:.1} %",
        of(|(with, _)| with.micros),
        of(|(_, without)| without.micros),
        of(|(with, without)| 100.0 * (with.micros / without.micros - 1.0)),
    )?;
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
