//! What names of invented people and organisations score, and why, pair by pair: `tests/scores.csv`.
//!
//! A result is kept with the hash of its configuration, which stands for the rules as well: the same
//! hash means the same scores. `KYC_UPDATE_SCORES=1 cargo test` fills in what new pairs score, and
//! replaces what others do only where the hash has changed. Changes of the file are reviewed like code.

use std::path::Path;
use std::{env, fs};

use csv::{Reader, StringRecord, Writer};
use kyc_core::Score;
use kyc_screening::{
    Engine, Entity, EntityKind, Explanation, Missing, NameKey, Options, Person, Query, QueryKind,
    Snapshot, WordMatch,
};

/// Also what is not reported is explained, from here on.
const EXPLAINED_FROM: u16 = 500;

#[test]
fn names_score_what_is_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scores.csv");
    let text = fs::read_to_string(&path).unwrap();
    let (configuration, pairs) = text.split_once('\n').unwrap();
    let options = Options::default();
    let now = options.configuration();
    let mut pairs = Reader::from_reader(pairs.as_bytes());
    let written: Vec<StringRecord> = pairs.records().map(Result::unwrap).collect();
    let scored: Vec<StringRecord> = written.iter().map(scored).collect();
    if env::var_os("KYC_UPDATE_SCORES").is_some() {
        for (old, new) in written.iter().zip(&scored) {
            let is_kept = old[3].is_empty() || old[3] == new[3];
            assert!(is_kept || configuration != now, "raise `RULES` in options.rs: {old:?}");
        }
        let mut rows = Writer::from_writer(Vec::new());
        rows.write_record(pairs.headers().unwrap()).unwrap();
        for row in &scored {
            rows.write_record(row).unwrap();
        }
        let rows = String::from_utf8(rows.into_inner().unwrap()).unwrap();
        return fs::write(&path, format!("{now}\n{rows}")).unwrap();
    }
    assert_eq!(now, configuration, "KYC_UPDATE_SCORES=1 writes what names score now");
    for (scored, written) in scored.iter().zip(&written) {
        assert_eq!(scored, written);
    }
    assert!(written.len() > 400, "the file was cut off");
}

/// A row with what its names score, and why.
fn scored(row: &StringRecord) -> StringRecord {
    let [kind, name, listed] = [&row[0], &row[1], &row[2]];
    let options = Options {
        report_from: Score::from_thousandths(EXPLAINED_FROM).unwrap(),
        ..Options::default()
    };
    let (kind_of_query, kind_of_entity) = match kind {
        "person" => (QueryKind::Person, EntityKind::Person(Person::default())),
        _ => (QueryKind::Other, EntityKind::Organisation),
    };
    let key = |name| match kind_of_query {
        QueryKind::Person => NameKey::of(name, &options),
        QueryKind::Other => NameKey::of_organisation(name, &options),
    };
    let score = key(name).similarity(&key(listed));
    let entities = vec![Entity::new("7", listed, kind_of_entity)];
    let engine = Engine::new(vec![Snapshot::new("watch", entities)], options);
    let query = Query { kind: kind_of_query, ..Query::named(name) };
    let why = engine.explain(&query).pop().map_or(String::new(), |(hit, explanation)| {
        assert_eq!(hit.score, score, "{name} and {listed}");
        why(&explanation)
    });
    StringRecord::from(vec![kind, name, listed, &score.to_string(), &why])
}

/// `0..7=0..7 Equal 1.000 4+4` for each pair of words: which characters, how alike, and their weights.
fn why(explanation: &Explanation) -> String {
    let words = explanation.words.iter().map(|word| {
        let WordMatch { query, listed, relation, similarity, weights: [one, other] } = word;
        format!("{query:?}={listed:?} {relation:?} {similarity} {one}+{other}")
    });
    let missing =
        explanation.missing.map(|Missing { words, particles }| format!("{words}+{particles}"));
    let deductions = explanation.deductions.iter().map(|deduction| format!("{deduction:?}"));
    let missing = std::iter::once(format!("missing {}", missing.join(" and ")));
    words.chain(missing).chain(deductions).collect::<Vec<_>>().join("; ")
}
