//! Benches of the embedded store: inserts alone and with 64 writers, reads and pages with 1,000 and
//! with `KYC_BENCH_SUBMISSIONS` (default 1,000,000) submissions.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use benches::Failure;
use benches::applicants::{Documents, email, fill, form};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kyc_core::{
    Client, Clock, Email, IdSource, Lookup, OsIds, Preference, Submission, SubmissionStore,
    SystemClock, Timestamp,
};
use kyc_store_sqlite::{Options, SqliteStore};
use tempfile::TempDir;

struct Site {
    store: SqliteStore,
    client: std::sync::Arc<Client>,
    documents: Documents,
    next: AtomicU64,
    count: u64,
    _folder: TempDir,
}

impl Site {
    fn with(count: u64) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let store = SqliteStore::open(&folder.path().join("data"), Options::default())?;
        let now = SystemClock.now();
        let client = store.add_client(&"bench".parse()?, now)?;
        let documents = Documents::store(&store, &client, now)?;
        fill(&store, &client, &documents, 0..count, Timestamp::EARLIEST)?;
        Ok(Self { store, client, documents, next: AtomicU64::new(count), count, _folder: folder })
    }

    fn insert_one(&self) -> Result<(), Failure> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let at = SystemClock.now();
        let submission =
            Submission::new(form(number, &self.documents)?, OsIds.submission_id(at), at);
        Ok(self.store.insert(self.client.id, &submission)?)
    }

    /// The time that `threads` writers take for so many inserts in all.
    fn insert(&self, count: u64, threads: u64) -> Duration {
        let left = AtomicU64::new(count);
        let began = Instant::now();
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let take = |left: u64| left.checked_sub(1);
                    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
                        assert!(self.insert_one().is_ok(), "an insert failed");
                    }
                });
            }
        });
        began.elapsed()
    }
}

fn store(criterion: &mut Criterion) {
    let many = env::var("KYC_BENCH_SUBMISSIONS").ok().and_then(|text| text.parse().ok());
    for count in [1_000, many.unwrap_or(1_000_000)] {
        match Site::with(count) {
            Ok(site) => measure(criterion, &site),
            Err(error) => panic_free_report(&error),
        }
    }
}

fn panic_free_report(error: &Failure) {
    use std::io::Write;
    drop(writeln!(std::io::stderr(), "the store cannot be filled: {error}"));
}

fn measure(criterion: &mut Criterion, site: &Site) {
    let mut group = criterion.benchmark_group(format!("{} submissions", site.count));
    group.sample_size(20);
    group.throughput(Throughput::Elements(1));
    group.bench_function("insert, one writer", |bencher| {
        bencher.iter_custom(|count| site.insert(count, 1));
    });
    group.bench_function("insert, 64 writers", |bencher| {
        bencher.iter_custom(|count| site.insert(count, 64));
    });
    let mut number = 0_u64;
    group.bench_function("status read with duplicates", |bencher| {
        bencher.iter(|| {
            number = (number + 7_919) % site.count;
            let email: Option<Email> = email(number).parse().ok();
            let lookup = Lookup { email: email.as_ref(), ..Lookup::default() };
            site.store.find_with_duplicates(site.client.id, &lookup, Preference::Best).is_ok()
        });
    });
    group.bench_function("list of 1,600 items", |bencher| {
        bencher.iter(|| {
            let mut seen = 0_u32;
            let listed = site.store.list(site.client.id, None, &mut |item| {
                seen += u32::try_from(item.email.len()).unwrap_or(0).min(1);
                if seen < 1_600 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            (listed.is_ok(), seen)
        });
    });
    group.finish();
}

criterion_group!(benches, store);
criterion_main!(benches);
