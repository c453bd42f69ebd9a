//! Benches of monitoring: a thousand changed names against a portion of the applicants, and screening
//! all of them again. The rate is in applicants: a million divided by it is the time for a million.

use std::hint::black_box;

use benches::names::Names;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kyc_core::{Screening, Subject, Timestamp};
use kyc_screening::{
    Applicants, Birth, Delta, Engine, Entity, EntityKind, Options, Person, Snapshot,
};
use time::Date;

/// As many as the service takes at once.
const PORTION: u32 = 65_536;
const CHANGED: u32 = 1_000;
const LISTED: u32 = 23_600;

/// Listed people of these numbers. As in real lists, of most the year of birth is known.
fn people(names: &Names, numbers: std::ops::Range<u32>) -> Vec<Entity> {
    let person = |number: u32| {
        let births = birth_date(number).map(|date| Birth::Year(date.year()));
        let births = births.filter(|_| !number.is_multiple_of(8)).into_iter().collect();
        let kind = EntityKind::Person(Person { births, ..Person::default() });
        Entity::new(&number.to_string(), &names.full(number), kind)
    };
    numbers.map(person).collect()
}

fn birth_date(number: u32) -> Option<Date> {
    let (year, day) = (1_940 + number % 67, 1 + number % 365);
    Date::from_ordinal_date(i32::try_from(year).ok()?, u16::try_from(day).ok()?).ok()
}

fn applicants(subjects: &[Subject<'_>]) -> Applicants<u32> {
    let clear = Engine::sample(Options::default())
        .screen(&Subject::named("Perpetua Nightjar"), Timestamp::EARLIEST);
    let mut applicants = Applicants::new(Options::default());
    if let Ok(clear) = &clear {
        for (number, subject) in (0..).zip(subjects) {
            applicants.add(number, subject, clear);
        }
    }
    applicants
}

fn monitoring(criterion: &mut Criterion) {
    let names = Names::new();
    let subject =
        |number| Subject { birth_date: birth_date(number), ..Subject::named(&names.full(number)) };
    let subjects: Vec<Subject<'_>> = (0..PORTION).map(subject).collect();
    let listed = people(&names, PORTION..PORTION + LISTED);
    let (old, new) = listed.split_at((LISTED - CHANGED) as usize);
    let snapshot = |entities: &[Entity]| [Snapshot::new("watch", entities.to_vec())];
    let delta = Delta::between(&snapshot(old), &snapshot(&[old, new].concat()));
    let engine = Engine::new(snapshot(&listed).to_vec(), Options::default());

    let mut group = criterion.benchmark_group("monitoring");
    group.throughput(Throughput::Elements(PORTION.into())).sample_size(10);
    let indexed = applicants(&subjects);
    group.bench_function("1,000 changed names", |bencher| {
        bencher.iter(|| indexed.affected(black_box(&delta)).len());
    });
    group.bench_function("1,000 changed names, applicants indexed first", |bencher| {
        bencher.iter_batched(
            || (),
            |()| applicants(&subjects).affected(black_box(&delta)).len(),
            BatchSize::PerIteration,
        );
    });
    group.bench_function("everybody against 23,600 names, one thread", |bencher| {
        let screen =
            |subject| -> Option<Screening> { engine.screen(subject, Timestamp::EARLIEST).ok() };
        bencher.iter(|| {
            subjects.iter().filter_map(screen).map(|found| found.hits.len()).sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, monitoring);
criterion_main!(benches);
