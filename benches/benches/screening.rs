//! Benches of screening: applicants against lists of 23,000, 200,000 and 2,000,000 names, beside a
//! comparison with every name (Jaro-Winkler). The larger ones are made of the parts of real names alone,
//! and with new words. `KYC_LISTS_DIR` and `KYC_SCREENING_DIR` name the folders of real lists and
//! applicants; without them both are invented.

use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::thread;
use std::time::{Duration, Instant};

use benches::lists::{Lists, NewNames};
use criterion::Criterion;
use kyc_core::Timestamp;
use kyc_screening::{Engine, Entity, Options, Query, Snapshot};
use rapidfuzz::distance::jaro_winkler::BatchComparator;
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn Error>> {
    let lists = Lists::of_environment()?;
    if !lists.are_real {
        let hint =
            "KYC_LISTS_DIR and KYC_SCREENING_DIR are not set: lists and applicants are invented";
        writeln!(stdout(), "{hint}")?;
    }
    let mut criterion = Criterion::default().configure_from_args();
    for (names, new) in [
        (23_000, NewNames::Spliced),
        (200_000, NewNames::Recombined),
        (200_000, NewNames::Spliced),
        (2_000_000, NewNames::Recombined),
        (2_000_000, NewNames::Spliced),
    ] {
        measure(&mut criterion, &lists, names, new)?;
    }
    criterion.final_summary();
    Ok(())
}

fn measure(
    criterion: &mut Criterion,
    lists: &Lists,
    names: u32,
    new: NewNames,
) -> Result<(), Box<dyn Error>> {
    let persons = lists.of_names(usize::try_from(names)?, new);
    writeln!(stdout(), "\n{names} names, {new}")?;
    let texts: Vec<String> = persons.iter().flat_map(all_names).collect();
    let before = Instant::now();
    let engine = Engine::new(vec![Snapshot::new("made", persons)], Options::default());
    let built = before.elapsed();
    describe(&engine, built, u32::try_from(texts.len())?)?;
    percentiles(&engine, &lists.applicants)?;
    both_cores(&engine, &lists.applicants)?;
    explanations(&engine, &lists.persons)?;
    wallets(&engine, &lists.persons)?;

    let mut group = criterion.benchmark_group(format!("{names} names, {new}"));
    group.sample_size(10);
    let mut applicants = lists.applicants.iter().cycle();
    group.bench_function("an applicant", |bencher| {
        bencher.iter(|| applicants.next().map(|query| screen(&engine, query)));
    });
    group.bench_function("an applicant against every name, Jaro-Winkler", |bencher| {
        bencher.iter(|| applicants.next().map(|query| best(&texts, &query.name)));
    });
    group.finish();
    Ok(())
}

fn describe(engine: &Engine, built: Duration, names: u32) -> Result<(), Box<dyn Error>> {
    let image = engine.to_image();
    let mebibytes = f64::from(u32::try_from(image.len() / 1024)?) / 1024.0;
    let before = Instant::now();
    let again = Engine::of_image(image, Options::default())?;
    let loaded = before.elapsed();
    writeln!(
        stdout(),
        "{names} names of {} persons: prepared in {built:.2?}, read back in {loaded:.2?}, \
         {mebibytes:.1} MiB with all data for explanations, {:.0} MiB a million names",
        again.status(Timestamp::EARLIEST).iter().map(|list| list.counts.persons).sum::<usize>(),
        mebibytes * 1e6 / f64::from(names),
    )?;
    Ok(())
}

/// Of every applicant once, words that were met before included as they come.
fn percentiles(engine: &Engine, applicants: &[Query]) -> Result<(), Box<dyn Error>> {
    let measured = |query| {
        let before = thread_time();
        black_box(screen(engine, query));
        thread_time().saturating_sub(before)
    };
    let mut times: Vec<Duration> = applicants.iter().map(measured).collect();
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len().max(1))?;
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    writeln!(
        stdout(),
        "processor time of an applicant: mean {mean:.1?}, median {:.1?}, 99 of 100 {:.1?}",
        at(50),
        at(99),
    )?;
    Ok(())
}

/// How many applicants two threads screen in a second, each every one of them.
fn both_cores(engine: &Engine, applicants: &[Query]) -> Result<(), Box<dyn Error>> {
    let before = Instant::now();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| applicants.iter().map(|query| screen(engine, query)).sum::<usize>());
        }
    });
    let screened = f64::from(u32::try_from(2 * applicants.len())?);
    let rate = screened / before.elapsed().as_secs_f64();
    writeln!(stdout(), "two threads: {rate:.0} applicants a second of wall time")?;
    Ok(())
}

/// What explaining a hit takes, beside finding it.
fn explanations(engine: &Engine, persons: &[Entity]) -> Result<(), Box<dyn Error>> {
    let queries: Vec<Query> = persons.iter().take(1_000).map(|it| Query::named(&it.name)).collect();
    let used = |ask: &dyn Fn(&Query) -> usize| {
        let before = thread_time();
        let hits: usize = queries.iter().map(ask).sum();
        (thread_time().saturating_sub(before), hits)
    };
    used(&|query| screen(engine, query));
    let (found, _) = used(&|query| screen(engine, query));
    let (explained, hits) = used(&|query| engine.explain(query).len());
    let each = explained.saturating_sub(found) / u32::try_from(hits.max(1))?;
    writeln!(stdout(), "processor time of explaining one hit of {hits}: {each:.1?}")?;
    Ok(())
}

/// What looking up a wallet takes: searches with many wallets beside the same without. One that is
/// listed makes a hit.
fn wallets(engine: &Engine, persons: &[Entity]) -> Result<(), Box<dyn Error>> {
    const MANY: u32 = 100;
    let used = |wallets: &[String]| {
        let query = Query { wallets: wallets.to_vec(), ..Query::named("Qq") };
        let before = thread_time();
        (0..MANY).for_each(|_| _ = black_box(screen(engine, &query)));
        thread_time().saturating_sub(before)
    };
    let strange: Vec<String> = (0..MANY).map(|number| format!("0x{number:040x}")).collect();
    let listed = persons.iter().flat_map(|person| person.wallets.iter().cloned());
    let listed: Vec<String> = listed.take(strange.len()).collect();
    let without = used(&[]);
    for (kind, wallets) in [("strange", strange), ("listed", listed)] {
        let lookups = MANY * u32::try_from(wallets.len().max(1))?;
        let each = used(&wallets).saturating_sub(without) / lookups;
        writeln!(stdout(), "processor time of a {kind} wallet of {}: {each:.1?}", wallets.len())?;
    }
    Ok(())
}

/// What this thread has used so far.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

fn screen(engine: &Engine, query: &Query) -> usize {
    engine.search(query, Timestamp::EARLIEST).map_or(0, |screening| screening.hits.len())
}

fn best(names: &[String], name: &str) -> f64 {
    // By bytes: twice as quick as by characters, and nearly the same for names in Latin letters.
    let comparator = BatchComparator::new(name.bytes());
    names.iter().map(|other| comparator.similarity(other.bytes())).fold(0.0, f64::max)
}

fn all_names(person: &Entity) -> Vec<String> {
    let aliases = person.aliases.iter().map(|alias| alias.text.clone());
    [person.name.clone()].into_iter().chain(aliases).collect()
}
