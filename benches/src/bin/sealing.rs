//! What sealing costs: the same store with a vault and without, in turns, in one run.
//!
//! ```text
//! cargo run --release -p benches --bin sealing -- --submissions 100000
//! ```

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use benches::Failure;
use benches::applicants::{Documents, email, fill, form};
use clap::Parser;
use kyc_core::{
    Client, Clock, Email, IdSource, Lookup, OsIds, Preference, Submission, SubmissionStore,
    SystemClock, Timestamp,
};
use kyc_store_sqlite::{Options, SqliteStore};
use kyc_vault::Source;
use rustix::time::{ClockId, clock_gettime};

/// Compares a store with a vault with the same store without.
#[derive(Parser)]
struct Arguments {
    /// Where the stores are made, in a folder that is removed. Default: that of temporary files.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// How many submissions are there before anything is measured.
    #[arg(long, default_value_t = 100_000)]
    submissions: u64,
    /// How many submissions a run inserts.
    #[arg(long, default_value_t = 20_000)]
    inserts: u64,
    /// How long a run reads.
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// How many runs there are of each; the median counts.
    #[arg(long, default_value_t = 7)]
    runs: usize,
}

/// As many wait for the same commit as connections of a busy server.
const WRITERS: usize = 64;
const READERS: usize = 2;

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    let made = match &arguments.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let clear = Site::with(&made.path().join("clear"), None, arguments.submissions)?;
    let source = Source::file(made.path().join("master.key"));
    let sealed = Site::with(&made.path().join("sealed"), Some(source), arguments.submissions)?;
    let sites = [&clear, &sealed];
    let time = Duration::from_secs(arguments.seconds);
    compare("status reads", sites, arguments.runs, |site| site.reads(time, &Site::status))?;
    compare("pages of 1600", sites, arguments.runs, |site| site.reads(time, &Site::page))?;
    compare("submissions", sites, arguments.runs, |site| site.submissions(arguments.inserts))
}

/// Measures both in turns, so that whatever else the machine does concerns both.
fn compare(
    name: &str,
    [clear, sealed]: [&Site; 2],
    runs: usize,
    measure: impl Fn(&Site) -> Result<Rate, Failure>,
) -> Result<(), Failure> {
    let mut pairs = Vec::new();
    for run in 0..runs {
        // Who is first may have it easier.
        let (first, second) = if run % 2 == 0 { (clear, sealed) } else { (sealed, clear) };
        let (first, second) = (measure(first)?, measure(second)?);
        pairs.push(if run % 2 == 0 { (first, second) } else { (second, first) });
    }
    let of = |figure: &dyn Fn(&(Rate, Rate)) -> f64| median(pairs.iter().map(figure).collect());
    let (without, with) = (of(&|(clear, _)| clear.wall)?, of(&|(_, sealed)| sealed.wall)?);
    let wall = of(&|(clear, sealed)| sealed.wall / clear.wall)?;
    let cpu = of(&|(clear, sealed)| sealed.cpu / clear.cpu)?;
    let line = format!(
        "{name}: {without:.0}/s in clear, {with:.0}/s sealed => ratio {wall:.3}; \
         per second of processor time => ratio {cpu:.3}"
    );
    Ok(writeln!(stdout(), "{line}")?)
}

/// How much was done.
struct Rate {
    /// In a second of time.
    wall: f64,
    /// In a second of processor time, which other programs disturb less.
    cpu: f64,
}

impl Rate {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    fn of(work: impl FnOnce() -> Result<usize, Failure>) -> Result<Self, Failure> {
        let (began, cpu_began) = (Instant::now(), processor_time());
        let count = work()? as f64;
        let cpu = processor_time().saturating_sub(cpu_began);
        Ok(Self { wall: count / began.elapsed().as_secs_f64(), cpu: count / cpu.as_secs_f64() })
    }
}

/// What this process has used so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn median(mut values: Vec<f64>) -> Result<f64, Failure> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().ok_or_else(|| "no runs".into())
}

struct Site {
    store: SqliteStore,
    client: Arc<Client>,
    documents: Documents,
    count: u64,
    next: AtomicU64,
}

impl Site {
    fn with(data: &Path, vault: Option<Source>, count: u64) -> Result<Self, Failure> {
        let options = Options { vault, ..Options::default() };
        let store = SqliteStore::open(data, options.clone())?;
        let now = SystemClock.now();
        let client = store.add_client(&"bench".parse()?, now)?;
        let documents = Documents::store(&store, &client, now)?;
        fill(&store, &client, &documents, 0..count, Timestamp::EARLIEST)?;
        // Closed, it writes its log back: how long that is differs from run to run.
        drop(store);
        let store = SqliteStore::open(data, options)?;
        let next = AtomicU64::new(count);
        Ok(Self { store, client, documents, count, next })
    }

    /// Durable submissions a second, without what it takes to read their forms.
    fn submissions(&self, count: u64) -> Result<Rate, Failure> {
        let at = SystemClock.now();
        let submission = |_| -> Result<Submission, Failure> {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            Ok(Submission::new(form(number, &self.documents)?, OsIds.submission_id(at), at))
        };
        let all = (0..count).map(submission).collect::<Result<Vec<_>, _>>()?;
        let insert = |part: &[Submission]| {
            part.iter().try_for_each(|one| self.store.insert(self.client.id, one))
        };
        let insert_all = || {
            thread::scope(|scope| {
                let parts = all.chunks(all.len().div_ceil(WRITERS));
                let writers: Vec<_> = parts.map(|part| scope.spawn(move || insert(part))).collect();
                writers.into_iter().try_for_each(|writer| -> Result<(), Failure> {
                    Ok(writer.join().map_err(|_| "a writer panicked")??)
                })
            })
        };
        Rate::of(|| insert_all().map(|()| all.len()))
    }

    /// Reads a second.
    fn reads(
        &self,
        time: Duration,
        read: &(impl Fn(&Self, u64) -> bool + Sync),
    ) -> Result<Rate, Failure> {
        let began = Instant::now();
        let reader = |reader: usize| -> Option<usize> {
            let mut done = 0;
            while began.elapsed() < time {
                for _ in 0..64 {
                    let number = (reader + READERS * done) as u64;
                    if !read(self, number.wrapping_mul(7_919) % self.count) {
                        return None;
                    }
                    done += 1;
                }
            }
            Some(done)
        };
        Rate::of(|| {
            let done: Option<usize> = thread::scope(|scope| {
                let readers: Vec<_> =
                    (0..READERS).map(|number| scope.spawn(move || reader(number))).collect();
                readers.into_iter().map(|reader| reader.join().ok().flatten()).sum()
            });
            Ok(done.ok_or("a read failed")?)
        })
    }

    fn status(&self, number: u64) -> bool {
        let email: Option<Email> = email(number).parse().ok();
        let lookup = Lookup { email: email.as_ref(), ..Lookup::default() };
        let found = self.store.find_with_duplicates(self.client.id, &lookup, Preference::Best);
        found.is_ok_and(|found| found.is_some())
    }

    fn page(&self, _: u64) -> bool {
        let mut seen = 0;
        let listed = self.store.list(self.client.id, None, &mut |_| {
            seen += 1;
            if seen < 1_600 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        listed.is_ok()
    }
}
