use std::fmt::Debug;
use std::str::FromStr;

use kyc_core::conformance::fixture::{altered, hit, hit_decision};
use kyc_core::{
    DocumentKind, Gender, HitStanding, HitVerdict, IdType, Level, RiskLevel, Score, Slot, Spelling,
    Status,
};

/// A word is taken in any letter case and nothing else is taken for it (D18).
#[track_caller]
fn check<T: FromStr<Err: Debug + PartialEq> + PartialEq + Debug + Copy>(word: &str, expected: T) {
    assert_eq!(word.to_uppercase().parse::<T>().unwrap(), expected);
    assert_eq!(word.to_lowercase().parse::<T>().unwrap(), expected);
    let (first, rest) = word.split_at(1);
    assert_eq!(format!("{}{rest}", first.to_uppercase()).parse::<T>().unwrap(), expected);
    for wrong in [format!(" {word}"), format!("{word} "), format!("{word}s"), rest.to_owned()] {
        assert!(wrong.parse::<T>().is_err(), "{wrong}");
    }
}

#[test]
fn d18_words_are_taken_in_any_letter_case() {
    check("female", Gender::Female);
    check("male", Gender::Male);
    check("passport", IdType::Passport);
    check("L1", Level::L1);
    check("L2", Level::L2);
    check("passport", DocumentKind::Passport);
    check("drivers_license", DocumentKind::DriversLicense);
    check("selfie", DocumentKind::Selfie);
    check("address", DocumentKind::Address);
    check("other", DocumentKind::Other);
    for status in Status::ALL {
        check(status.as_str(), status);
    }
}

#[test]
fn d19_a_government_id_has_two_spellings_and_is_stored_one_way() {
    check("government_id", IdType::GovernmentId);
    check("governmentid", IdType::GovernmentId);
    check("drivers_license", IdType::DriversLicense);
    check("government_id", DocumentKind::GovernmentId);
    check("governmentid", DocumentKind::GovernmentId);
    assert!("government-id".parse::<IdType>().is_err());
    assert!("government id".parse::<DocumentKind>().is_err());
    assert_eq!(IdType::GovernmentId.as_str(), "government_id");
}

#[test]
fn d18_words_are_written_in_their_canonical_spelling() {
    let words = [
        Gender::Female.as_str(),
        Gender::Male.as_str(),
        IdType::Passport.as_str(),
        IdType::GovernmentId.as_str(),
        IdType::DriversLicense.as_str(),
        Level::L1.as_str(),
        Level::L2.as_str(),
    ];
    let expected = ["female", "male", "passport", "government_id", "drivers_license", "L1", "L2"];
    assert_eq!(words, expected);
}

#[test]
fn d36_the_words_of_a_review() {
    assert_eq!(Status::ALL.map(Status::as_str), ["incomplete", "rejected", "pending", "approved"]);
    assert!("declined".parse::<Status>().is_err());
}

#[test]
fn d30_the_words_of_the_places_for_documents() {
    assert_eq!(Slot::ALL.map(Slot::as_str), ["photo-id", "selfie", "address-proof"]);
}

#[test]
fn d81_the_words_for_where_a_hit_stands() {
    let hit = hit(1_000);
    let cleared = hit_decision(HitVerdict::FalsePositive, &hit);
    let confirmed = hit_decision(HitVerdict::TruePositive, &hit);
    let word = |standing: HitStanding<'_>| (standing.as_str(), standing.is_open());
    assert_eq!(word(HitStanding::of(&hit, None)), ("open", true));
    assert_eq!(word(HitStanding::of(&hit, Some(&cleared))), ("cleared", false));
    assert_eq!(word(HitStanding::of(&hit, Some(&confirmed))), ("confirmed", false));
    let changed = altered(hit);
    assert_eq!(word(HitStanding::of(&changed, Some(&cleared))), ("reopened", true));
    assert_eq!(word(HitStanding::of(&changed, Some(&confirmed))), ("confirmed", false));
}

#[test]
fn d26_each_generation_spells_the_kinds_of_documents() {
    use DocumentKind::{Address, DriversLicense, GovernmentId, Other, Passport, Selfie};
    let kinds = [Passport, GovernmentId, DriversLicense, Selfie, Address, Other];
    assert_eq!(
        kinds.map(|kind| kind.word(Spelling::Joined)),
        ["passport", "governmentid", "drivers_license", "selfie", "address", "other"]
    );
    assert_eq!(
        kinds.map(|kind| kind.word(Spelling::Underscored)),
        ["passport", "government_id", "drivers_license", "selfie", "address", "other"]
    );
    assert_eq!(kinds.map(DocumentKind::is_photo_id), [true, true, true, false, false, false]);
}

#[test]
fn an_unknown_word_is_told_which_words_there_are() {
    #[track_caller]
    fn expected<T: FromStr<Err = kyc_core::UnknownWord> + Debug>(words: &str) {
        let error = "x".parse::<T>().unwrap_err();
        assert_eq!(error.to_string(), format!("must be one of: {words}"));
    }
    expected::<Gender>("male, female");
    expected::<IdType>("passport, government_id, drivers_license");
    expected::<Level>("L1, L2");
    expected::<Status>("pending, approved, rejected, incomplete");
    expected::<DocumentKind>("passport, government_id, drivers_license, selfie, address, other");
}

#[test]
fn risks_are_ordered() {
    use RiskLevel::{High, Low, Medium, NotApplicable};
    assert!([NotApplicable, Low, Medium, High].is_sorted_by(|left, right| left < right));
}

#[test]
fn a_score_is_at_most_one() {
    let text = |thousandths| Score::from_thousandths(thousandths).map(|score| score.to_string());
    assert_eq!(text(0).as_deref(), Some("0.000"));
    assert_eq!(text(7).as_deref(), Some("0.007"));
    assert_eq!(text(999).as_deref(), Some("0.999"));
    assert_eq!(text(1_000).as_deref(), Some("1.000"));
    assert_eq!(text(1_001), None);
    assert_eq!(Score::from_thousandths(1_000), Some(Score::MAX));
    assert_eq!(Score::MAX.thousandths(), 1_000);
}
