use kyc_core::{Fact, Gender, Hit, RiskLevel, Screening, Subject};
use kyc_screening::{Engine, Options, Snapshot, read_plain};
use proptest::prelude::*;
use time::macros::date;

use crate::fixtures::{day, engine, named};

const HEADER: &str =
    "id,name,aliases,weak_aliases,birth_date,nationality,gender,wallets,documents,category";

fn screen(engine: &Engine, subject: &Subject<'_>) -> Screening {
    engine.screen(subject, day(0)).unwrap()
}

/// Everything that an applicant may have.
fn tormund() -> Subject<'static> {
    Subject {
        birth_date: Some(date!(1971 - 03 - 18)),
        nationality: Some("Norway, NOR".parse().unwrap()),
        gender: Some(Gender::Male),
        ..named("Tormund Vexley")
    }
}

#[track_caller]
fn check(row: &str, subject: &Subject<'_>, expected: &[(&str, &str)]) {
    let screening = screen(&engine(HEADER, row, Options::default()), subject);
    let facts: Vec<(&str, &str)> = screening.hits[0]
        .evidence
        .iter()
        .map(|Fact { field, listed }| (&**field, &**listed))
        .collect();
    assert_eq!(facts, expected);
}

const NAMED: [(&str, &str); 3] =
    [("name", "Tormund Vexley"), ("kind of name", "primary name"), ("category", "sanctioned")];

#[test]
fn d81_evidence_is_what_the_list_says_where_something_was_compared() {
    let row = "7,Tormund Vexley,,,1971-03-18,Norway,male,,,";
    let [name, kind, category] = NAMED;
    let all = [
        name,
        kind,
        category,
        ("date of birth", "1971-03-18"),
        ("nationality", "NOR"),
        ("gender", "male"),
    ];
    check(row, &tormund(), &all);
    check(row, &named("Tormund Vexley"), &NAMED);
    check("7,Tormund Vexley,,,,,,,,", &tormund(), &NAMED);
}

#[test]
fn d81_evidence_is_the_same_text_for_the_same_content() {
    let [name, kind, category] = NAMED;
    let all = [
        name,
        kind,
        category,
        ("date of birth", "1971-03-18; 1971-04; 1972; about 1973; 1974 to 1976"),
        ("nationality", "NOR; SWE"),
    ];
    let births = ["1971-03-18", "1971-04", "1972", "~1973", "1974..1976"];
    for births in [births.join(";"), births.iter().rev().copied().collect::<Vec<_>>().join(";")] {
        for countries in ["Norway;Sweden", "Sweden;Norway;Sweden"] {
            let row = format!("7,Tormund Vexley,,,{births},{countries},,,,");
            check(&row, &tormund(), &all);
        }
    }
}

#[test]
fn d81_evidence_names_the_kind_of_name_and_of_entity() {
    let subject = named("Torben Wexleigh");
    let row = "7,Tormund Vexley,Torben Wexleigh,,,,,,,pep";
    let alias = [("name", "Torben Wexleigh"), ("kind of name", "alias")];
    check(row, &subject, &[alias[0], alias[1], ("category", "politically exposed")]);
    let row = "7,Tormund Vexley,,Torben Wexleigh,,,,,,watchlist";
    let weak = ("kind of name", "weak alias");
    check(row, &subject, &[alias[0], weak, ("category", "on a watch list")]);
}

#[test]
fn d81_an_identifier_is_evidence_by_its_kind_alone() {
    let row = "7,Mira Kole,,,1990,,,wallet1,X1234567,";
    let wallet = Subject { wallets: vec!["wallet1"], ..named("Tormund Vexley") };
    check(row, &wallet, &[("identifier", "wallet address")]);
    let document = Subject { documents: vec!["X1234567"], ..tormund() };
    check(row, &document, &[("identifier", "identity document")]);
    let both = Subject { documents: vec!["X1234567"], ..named("Mira Kole") };
    let expected = [
        ("identifier", "identity document"),
        ("name", "Mira Kole"),
        ("kind of name", "primary name"),
        ("category", "sanctioned"),
    ];
    check(row, &both, &expected);
}

#[test]
fn d80_each_hit_has_its_own_risk_and_what_is_cut_keeps_its_own() {
    // Higher scores are reported first, whatever their risk.
    let rows =
        "1,Tormund Vexley,,,,,female,,,\n2,Tormund Vexley,,,,,,,,pep\n3,Tormund Vexlay,,,,,,,,";
    let risks = |hits_max| {
        let options = Options { hits_max, ..Options::default() };
        let screening = screen(&engine(HEADER, rows, options), &tormund());
        let hits: Vec<(String, RiskLevel)> =
            screening.hits.iter().map(|hit| (hit.entity.clone(), hit.risk)).collect();
        (hits, screening.unreported, screening.risk())
    };
    let (all, unreported, risk) = risks(20);
    let ids: Vec<&str> = all.iter().map(|(id, _)| &**id).collect();
    assert_eq!(ids, ["2", "3", "1"]);
    assert_eq!(unreported, RiskLevel::NotApplicable);
    assert_eq!(Some(risk), all.iter().map(|(_, risk)| *risk).max());
    for count in 0..3_u8 {
        let (hits, unreported, whole) = risks(count);
        let (kept, cut) = all.split_at(count.into());
        assert_eq!(hits, kept);
        assert_eq!(Some(unreported), cut.iter().map(|(_, risk)| *risk).max());
        assert_eq!(whole, risk, "what is cut counts all the same");
    }
}

#[test]
fn d80_a_record_that_a_list_has_twice_is_one_hit() {
    // A reader refuses such a list; an engine may be made of any.
    let entities =
        |name: &str| read_plain(format!("id,name\n7,{name}\n").as_bytes()).unwrap().into_entities();
    let lists =
        ["Tormund Vexlay", "Tormund Vexley"].map(|name| Snapshot::new("test", entities(name)));
    let screening = screen(&Engine::new(lists.into(), Options::default()), &tormund());
    assert_eq!(screening.hits.len(), 1);
    assert_eq!(screening.hits[0].matched, "Tormund Vexley");
    assert_eq!(screening.unreported, RiskLevel::Medium);
}

#[test]
fn a_hit_of_an_explanation_is_that_of_the_screening() {
    let rows = "1,Tormund Vexley,,,1971,,,,,\n2,Tormund Vexlay,,,,,,,,";
    let engine = engine(HEADER, rows, Options { hits_max: 1, ..Options::default() });
    let query = kyc_screening::Query::from(&tormund());
    let explained: Vec<Hit> = engine.explain(&query).into_iter().map(|(hit, _)| hit).collect();
    assert_eq!(explained, screen(&engine, &tormund()).hits);
}

proptest! {
    #[test]
    fn d82_a_result_does_not_depend_on_the_order_of_lists_and_records(
        names in prop::collection::vec(
            prop::sample::select(vec![
                "Tormund Vexley", "Vexley Tormund", "Tormund Vexlay", "Thormund Vexley", "Mira Kole",
            ]),
            1..12,
        ),
        seed in any::<u64>(),
        hits_max in 1..5_u8,
    ) {
        let rows: Vec<(usize, String)> =
            names.iter().enumerate().map(|(id, name)| (id, format!("{id},{name}"))).collect();
        let options = Options { hits_max, ..Options::default() };
        let of = |list: &str, rows: &[(usize, String)]| {
            let rows: Vec<&str> = rows.iter().map(|(_, row)| &**row).collect();
            let read = read_plain(format!("id,name\n{}\n", rows.join("\n")).as_bytes()).unwrap();
            Snapshot::new(list, read.into_entities())
        };
        let one = Engine::new(vec![of("a", &rows), of("b", &rows)], options);
        let mut shuffled = rows.clone();
        shuffled.sort_by_key(|(id, _)| (*id as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let other = Engine::new(vec![of("b", &shuffled), of("a", &shuffled)], options);
        let found = |engine: &Engine| {
            let Screening { hits, unreported, .. } = screen(engine, &named("Tormund Vexley"));
            (hits, unreported)
        };
        prop_assert_eq!(found(&one), found(&other));
    }
}
