use std::collections::BTreeSet;

use super::fixture::{born, form_full, time, valid};
use crate::{Gender, Hit, HitKey, RiskLevel, ScreenError, Screener, Screening, Subject};

/// The contract of [`Screener`], as far as it holds for every engine. The engine has to have all
/// lists that it needs, none of them too old at [`time(0)`](super::fixture::time).
///
/// # Panics
///
/// When the engine breaks its contract.
pub fn screener(screener: &impl Screener) {
    let form = form_full();
    let known = Subject::of(&form);
    let born_in_1900 =
        Subject { birth_date: known.birth_date, ..Subject::named("Zoë de la O'Quill") };
    for subject in [known, born_in_1900, Subject::named("Mira Kole")] {
        assert_sound(&screened(screener, &subject));
        assert_eq!(
            screened(screener, &subject),
            screened(screener, &subject),
            "the same subject, time and lists give the same result"
        );
    }
    for name in ["", " ", "-", "...", "—", "12345", "\u{1f600}"] {
        let result = screener.screen(&Subject::named(name), time(0));
        assert!(
            matches!(result, Err(ScreenError::NoUsableName)),
            "a name that cannot be compared has no result: {result:?}"
        );
    }
    // The longest names that the types let through, of the shapes that cost most.
    for part in ["a", "ab ", "a a ", "王", "ﷺ", "e\u{301}\u{327}", "X Æ A-12 "] {
        let name = part.repeat(3 * 256 / part.chars().count());
        let wallets = vec!["x"; 4];
        let subject = Subject {
            birth_date: Some(born(time::macros::date!(2000 - 02 - 29)).date()),
            nationality: Some(valid("Niger, NER")),
            gender: Some(Gender::Male),
            wallets,
            ..Subject::named(&name)
        };
        match screener.screen(&subject, time(0)) {
            Ok(screening) => assert_sound(&screening),
            Err(error) => assert!(
                matches!(error, ScreenError::NoUsableName),
                "a name is compared or it cannot be: {error:?}"
            ),
        }
    }
}

#[track_caller]
fn screened(screener: &impl Screener, subject: &Subject<'_>) -> Screening {
    screener.screen(subject, time(0)).expect("a result for a name of letters")
}

#[track_caller]
fn assert_sound(screening: &Screening) {
    assert_eq!(screening.at, time(0), "the result is as of the time that was asked for");
    assert!(!screening.lists.is_empty(), "a result says which lists it rests on");
    assert!(
        screening.hits.is_sorted_by(|left, right| left.score >= right.score),
        "the strongest hit comes first"
    );
    let is_clear = screening.risk() == RiskLevel::NotApplicable;
    assert_eq!(is_clear, screening.hits.is_empty(), "`n/a` says that nothing was found");
    let keys: BTreeSet<HitKey> = screening.hits.iter().map(Hit::key).collect();
    assert_eq!(keys.len(), screening.hits.len(), "each listed record is one hit");
    for Hit { evidence, .. } in &screening.hits {
        let fields: BTreeSet<&str> = evidence.iter().map(|fact| fact.field.as_str()).collect();
        assert_eq!(fields.len(), evidence.len(), "each field is one fact of the evidence");
    }
}
