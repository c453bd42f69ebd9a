use std::sync::Arc;
use std::time::Duration;

use kyc_core::{RiskLevel, ScreenError, Screener, conformance};
use kyc_screening::{
    Engine, Mode, Options, Policy, SAMPLE_LIST, SanctionsScreener, Snapshot, read_plain,
};

use crate::fixtures::{PLAIN, day, named};

/// The plain list under these names, each imported on its day.
fn engine(lists: &[(&str, i64)]) -> Engine {
    let snapshot = |(list, number): &(&str, i64)| {
        let entities = read_plain(PLAIN.as_bytes()).unwrap().into_entities();
        Snapshot { checked_at: Some(day(*number)), ..Snapshot::new(list, entities) }
    };
    Engine::new(lists.iter().map(snapshot).collect(), Options::default())
}

fn policy(required: &[&str]) -> Policy {
    let required = required.iter().map(|list| (*list).to_owned()).collect();
    Policy { required, ..Policy::default() }
}

/// `required` lists, imported ones with their days, and what `screen` says on day 10.
#[track_caller]
fn check(required: &[&str], lists: &[(&str, i64)], expected: Result<RiskLevel, &str>) {
    let screener = SanctionsScreener::new(Mode::Production, policy(required), engine(lists));
    let result = screener.screen(&named("Mira Kole"), day(10)).map(|screening| screening.risk());
    let result = result.map_err(|error| error.to_string());
    assert_eq!(result, expected.map_err(str::to_owned));
    assert_eq!(screener.ready(day(10)).is_ok(), expected.is_ok());
}

#[test]
fn conforms() {
    let never_old = Policy { max_age: Duration::MAX, ..policy(&[]) };
    let engine = engine(&[("UN", 0)]);
    conformance::screener(&SanctionsScreener::new(Mode::Production, never_old, engine));
}

#[test]
fn d34_a_missing_list_is_never_a_clean_result() {
    check(&["UN"], &[("UN", 10)], Ok(RiskLevel::High));
    check(&["UN", "OFAC-SDN"], &[("UN", 10)], Err("the required list OFAC-SDN is missing"));
    check(&["UN"], &[], Err("the required list UN is missing"));
    check(&[], &[], Err("the required list (any) is missing"));
}

#[test]
fn d34_an_old_list_is_never_a_clean_result() {
    check(&["UN"], &[("UN", 3)], Ok(RiskLevel::High));
    check(&["UN"], &[("UN", 2)], Err("the required list UN is too old"));
    check(&["UN"], &[("UN", 3), ("watch", 0)], Ok(RiskLevel::High));
    check(&[], &[("UN", 3), ("watch", 0)], Err("the required list watch is too old"));
    check(&["UN"], &[("UN", 11)], Ok(RiskLevel::High));
}

#[test]
fn the_age_of_lists_is_a_setting() {
    let policy = Policy { max_age: Duration::from_secs(60), ..policy(&[]) };
    let screener = SanctionsScreener::new(Mode::Production, policy, engine(&[("UN", 10)]));
    let minute = day(10).plus_millis(60_000);
    assert!(screener.ready(minute).is_ok());
    let late = screener.ready(minute.plus_millis(1));
    assert!(matches!(late, Err(ScreenError::ListTooOld { list }) if list == "UN"));
}

#[test]
fn development_searches_the_sample_until_a_real_list_is_there() {
    let screener = SanctionsScreener::new(Mode::Development, policy(&["UN"]), engine(&[]));
    assert!(screener.uses_sample());
    assert!(screener.status(day(0))[0].version.sample);
    let screening = screener.screen(&named("Tormund Vexley"), day(0)).unwrap();
    assert_eq!(screening.risk(), RiskLevel::High);
    assert_eq!((screening.lists[0].list.as_str(), screening.lists[0].sample), (SAMPLE_LIST, true));

    screener.replace(engine(&[("UN", 0)]));
    assert!(!screener.uses_sample());
    let screening = screener.screen(&named("Tormund Vexley"), day(0)).unwrap();
    assert_eq!(screening.risk(), RiskLevel::NotApplicable);
    assert!(!screening.lists[0].sample);
}

#[test]
fn production_never_searches_the_sample() {
    let screener = SanctionsScreener::new(Mode::Production, policy(&[]), engine(&[]));
    assert!(!screener.uses_sample());
    assert!(screener.screen(&named("Tormund Vexley"), day(0)).is_err());
}

#[test]
fn everybody_in_the_sample_is_found_by_every_name() {
    let sample = Engine::sample(Options::default());
    for name in [
        "Tormund Vexley",
        "Isolde Quillon",
        "Abdulkarim Naqqad",
        "Lazar Ognedubov",
        "Лазарь Огнедубов",
        "Fenwick Tallowby",
        "Oriana del Castrobello",
        "Kwabena Osumanti",
        "Thiri Zin Maung Hlawga",
        "Baltasar Ruibarbo",
        "Hyeon Duri",
        "Mehregan Shahrdousti",
        "Zbynek Oharvic",
    ] {
        let screening = sample.screen(&named(name), day(0)).unwrap();
        assert_eq!(screening.risk(), RiskLevel::High, "{name}");
        assert_eq!(screening.hits.len(), 1, "{name}");
    }
}

#[test]
fn lists_are_replaced_while_others_screen() {
    let screener = SanctionsScreener::new(Mode::Production, policy(&[]), engine(&[("UN", 0)]));
    let screener: Arc<dyn Screener> = Arc::new(screener);
    let replaced = SanctionsScreener::new(Mode::Production, policy(&[]), engine(&[("UN", 0)]));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert!(screener.screen(&named("Mira Kole"), day(1)).is_ok());
                    assert!(replaced.screen(&named("Mira Kole"), day(1)).is_ok());
                }
            });
        }
        scope.spawn(|| (0..20).for_each(|_| replaced.replace(engine(&[("UN", 0), ("watch", 0)]))));
    });
    assert_eq!(replaced.status(day(1)).len(), 2);
}
