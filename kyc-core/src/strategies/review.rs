//! Results of screenings, and reviews.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::submission::submissions;
use super::text::free_texts;
use super::value::{dates, timestamps};
use crate::{
    Fact, Hit, HitKey, HitVerdict, ListVersion, RetentionDecision, Review, RiskLevel, Score,
    Screening, Stall,
};

/// Reviews in every state.
pub fn reviews() -> impl Strategy<Value = Review> {
    submissions().prop_map(|submission| submission.review().clone())
}

/// Every reason for a screening to have no result.
pub fn stalls() -> impl Strategy<Value = Stall> {
    select(&[Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed])
}

/// Results of screenings. There are hits just where there is a risk, the strongest first, and each
/// listed record once; lists and entities are few, so results of one applicant have hits in common.
pub fn screenings() -> impl Strategy<Value = Screening> {
    let found = prop_oneof![
        1 => Just((Vec::new(), RiskLevel::NotApplicable)),
        3 => (vec(hits(), 1..4), risk_levels()),
    ];
    (found, timestamps(), vec(list_versions(), 1..3), "[0-9a-f]{8}").prop_map(
        |((mut hits, unreported), at, lists, configuration)| {
            hits.sort_by(|one, other| (other.score, one.key()).cmp(&(one.score, other.key())));
            let mut met = Vec::new();
            hits.retain(|hit| {
                let is_new = !met.contains(&hit.key());
                met.push(hit.key());
                is_new
            });
            Screening { at, lists, hits, unreported, configuration }
        },
    )
}

/// Every level of risk.
pub fn risk_levels() -> impl Strategy<Value = RiskLevel> {
    select(&[RiskLevel::NotApplicable, RiskLevel::Low, RiskLevel::Medium, RiskLevel::High])
}

/// Hits of a risk, on one of few listed records.
pub fn hits() -> impl Strategy<Value = Hit> {
    let score = (0..=1_000_u16).prop_filter_map("a score", Score::from_thousandths);
    let risk = select(&[RiskLevel::Low, RiskLevel::Medium, RiskLevel::High]);
    let texts = || vec("\\PC{0,20}", 0..3);
    let names = ("\\PC{1,30}", "\\PC{1,30}");
    (hit_keys(), names, (score, risk), texts(), texts(), facts())
        .prop_map(|(key, (name, matched), (score, risk), programmes, reasons, evidence)| Hit {
            list: key.list,
            entity: key.entity,
            name,
            matched,
            score,
            risk,
            programmes,
            reasons,
            evidence,
        })
        .boxed()
}

/// Few listed records, of few lists.
pub fn hit_keys() -> impl Strategy<Value = HitKey> {
    ("un|ofac-sdn", "[AB]").prop_map(|(list, entity)| HitKey { list, entity })
}

/// Evidence of few facts, each field once.
fn facts() -> impl Strategy<Value = Vec<Fact>> {
    let fields = subsequence(&["name", "date of birth", "gender"], 0..=3);
    (fields, vec("[a-c]", 3)).prop_map(|(fields, listed)| {
        let facts = fields.into_iter().zip(listed);
        facts.map(|(field, listed)| Fact { field: field.to_owned(), listed }).collect()
    })
}

/// Both verdicts.
pub fn hit_verdicts() -> impl Strategy<Value = HitVerdict> {
    select(&[HitVerdict::FalsePositive, HitVerdict::TruePositive])
}

/// Decisions on how long a submission is kept.
pub fn retention_decisions() -> impl Strategy<Value = RetentionDecision> {
    prop_oneof![
        2 => option::of(dates()).prop_map(|on| RetentionDecision::End { on }),
        2 => (free_texts(), option::of(dates()))
            .prop_map(|(reason, until)| RetentionDecision::Hold { reason, until }),
        1 => free_texts().prop_map(|reason| RetentionDecision::Release { reason }),
    ]
}

fn list_versions() -> impl Strategy<Value = ListVersion> {
    ("[a-z-]{2,8}", "[0-9a-f]{16}", option::of(dates()), any::<bool>()).prop_map(
        |(list, version, source_date, sample)| ListVersion { list, version, source_date, sample },
    )
}
