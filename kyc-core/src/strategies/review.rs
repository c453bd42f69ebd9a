//! Results of screenings, and reviews.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::submission::submissions;
use super::value::{dates, timestamps};
use crate::{Hit, ListVersion, Review, RiskLevel, Score, Screening, Stall};

/// Reviews in every state.
pub fn reviews() -> impl Strategy<Value = Review> {
    submissions().prop_map(|submission| submission.review().clone())
}

/// Every reason for a screening to have no result.
pub fn stalls() -> impl Strategy<Value = Stall> {
    select(&[Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed])
}

/// Results of screenings. There are hits just where there is a risk, the strongest first.
pub fn screenings() -> impl Strategy<Value = Screening> {
    let found = prop_oneof![
        (Just(RiskLevel::NotApplicable), Just(Vec::new())),
        (select(&[RiskLevel::Low, RiskLevel::Medium, RiskLevel::High]), vec(hits(), 1..4)),
    ];
    (found, timestamps(), vec(list_versions(), 1..3), "[0-9a-f]{8}").prop_map(
        |((risk, mut hits), at, lists, configuration)| {
            hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
            Screening { risk, at, lists, hits, configuration }
        },
    )
}

fn hits() -> impl Strategy<Value = Hit> {
    let score = (0..=1_000_u16).prop_filter_map("a score", Score::from_thousandths);
    let texts = || vec("\\PC{0,20}", 0..3);
    ("[a-z-]{2,8}", "[A-Z0-9-]{1,12}", "\\PC{1,30}", "\\PC{1,30}", score, texts(), texts())
        .prop_map(|(list, entity, name, matched, score, programmes, reasons)| Hit {
            list,
            entity,
            name,
            matched,
            score,
            programmes,
            reasons,
        })
}

fn list_versions() -> impl Strategy<Value = ListVersion> {
    ("[a-z-]{2,8}", "[0-9a-f]{16}", option::of(dates()), any::<bool>()).prop_map(
        |(list, version, source_date, sample)| ListVersion { list, version, source_date, sample },
    )
}
