use proptest::prelude::*;
use time::{Date, Month};

use super::*;
use crate::evidence::Evidence;
use crate::mates;

fn shares_birth(births: &[Birth], birth: Birth) -> bool {
    let mut kept = Vec::new();
    for birth in births {
        mates::kept(*birth, |key| kept.push(key));
    }
    let mut is_found = false;
    mates::looked_up(birth, |key| is_found |= kept.contains(&key));
    is_found
}

fn birth() -> impl Strategy<Value = Birth> {
    let year = 1840..2120_i32;
    let day = (1948..1953_i32, 1..4_u8, 1..4_u8).prop_map(|(year, month, day)| {
        Birth::Day(Date::from_calendar_date(year, Month::try_from(month).unwrap(), day).unwrap())
    });
    prop_oneof![
        4 => day,
        1 => (1948..1953_i32, 1..4_u8).prop_map(|(year, month)| Birth::Month { year, month }),
        1 => year.clone().prop_map(Birth::Year),
        1 => year.clone().prop_map(Birth::About),
        1 => (year.clone(), year).prop_map(|(from, to)| Birth::years(from, to)),
    ]
}

fn country() -> impl Strategy<Value = Country> {
    prop::sample::select(
        ["NOR", "KOR", "PRK"].map(|code| Country::from_alpha3(code).unwrap()).to_vec(),
    )
}

fn gender() -> impl Strategy<Value = Gender> {
    prop_oneof![Just(Gender::Male), Just(Gender::Female)]
}

prop_compose! {
    fn person()(
        births in prop::collection::vec(birth(), 0..3),
        nationalities in prop::collection::vec(country(), 0..3),
        gender in prop::option::of(gender()),
    ) -> Person {
        Person { births, nationalities, gender }
    }
}

prop_compose! {
    fn query()(
        birth in prop::option::of(birth()),
        nationality in prop::option::of(country()),
        gender in prop::option::of(gender()),
    ) -> Query {
        Query { birth, nationality, gender, ..Query::named("") }
    }
}

fn day(year: i32, month: u8, day: u8) -> Birth {
    let month = Month::try_from(month).unwrap();
    Birth::Day(Date::from_calendar_date(year, month, day).unwrap())
}

fn listed(births: &[Birth]) -> Glance {
    Glance::of(&Person { births: births.to_vec(), ..Person::default() })
}

/// A glance that promised more would be no less correct, only slower.
#[test]
fn a_glance_tells_apart_what_differs() {
    let born = day(1952, 3, 4);
    let query = Query { birth: Some(born), ..Query::named("") };
    let outlook = Outlook::of(&query, Options::default());
    for (births, points) in [
        (vec![], 0),
        (vec![born], SAME_DAY),
        (vec![day(1952, 3, 5)], ONE_PART_OFF),
        (vec![day(1952, 4, 4)], ONE_PART_OFF),
        (vec![day(1960, 3, 4)], ONE_PART_OFF),
        (vec![day(1954, 5, 6)], OTHER_YEAR),
        (vec![day(1955, 5, 6)], CONTRADICTS),
        (vec![day(1950, 5, 6)], OTHER_YEAR),
        (vec![day(1949, 5, 6)], CONTRADICTS),
        (vec![Birth::Year(1952)], SAME_DAY),
        (vec![Birth::Year(1954)], OTHER_YEAR),
        (vec![Birth::Year(1955)], CONTRADICTS),
        // What is kept is where the years begin, and whether it is one, up to 5 or up to 13.
        (vec![Birth::years(1946, 1950)], OTHER_YEAR),
        (vec![Birth::years(1945, 1949)], CONTRADICTS),
        (vec![Birth::years(1944, 1949)], SAME_DAY),
        (vec![Birth::years(1937, 1949)], CONTRADICTS),
        (vec![Birth::years(1936, 1949)], SAME_DAY),
        (vec![Birth::years(1960, 1961), Birth::Year(1955)], CONTRADICTS),
        (vec![Birth::Year(1840)], CONTRADICTS),
        (vec![Birth::Year(2104)], CONTRADICTS),
        (vec![Birth::Year(2105)], SAME_DAY),
        // Of several birthdays each could be meant.
        (vec![born, day(1952, 3, 5)], SAME_DAY),
        (vec![day(1960, 3, 4), day(1961, 3, 5)], ONE_PART_OFF),
        (vec![day(1960, 3, 4), Birth::Year(1961)], ONE_PART_OFF),
        (vec![day(1960, 3, 5), day(1960, 3, 5)], CONTRADICTS),
    ] {
        let glance = listed(&births);
        assert_eq!(outlook.points_max(glance), points, "{births:?}");
        assert_eq!(outlook.points_max_of_others(glance), points.min(SAME_YEAR), "{births:?}");
        assert_eq!(Glance::of_bits(glance.to_bits()), glance, "{births:?}");
    }
    assert_eq!(outlook.points_max_of_any_other(), SAME_YEAR);
}

#[test]
fn a_glance_of_the_applicant_keeps_the_years() {
    let applicant = listed(&[Birth::About(1952)]);
    let outlook = Outlook::of_glance(applicant, Options::default());
    for (year, points) in [
        (1947, CONTRADICTS),
        (1948, OTHER_YEAR),
        (1950, SAME_DAY),
        (1954, SAME_DAY),
        (1956, OTHER_YEAR),
        (1957, CONTRADICTS),
    ] {
        assert_eq!(outlook.points_max(listed(&[Birth::Year(year)])), points, "{year}");
    }
}

#[test]
fn a_glance_tells_countries_and_genders_apart() {
    let country = |code| Country::from_alpha3(code).unwrap();
    let (norway, korea) = (country("NOR"), country("KOR"));
    let query =
        Query { nationality: Some(norway), gender: Some(Gender::Female), ..Query::named("") };
    let outlook = Outlook::of(&query, Options::default());
    for (nationalities, points) in [
        (vec![], 0),
        (vec![norway], SAME_NATIONALITY),
        (vec![korea], OTHER_NATIONALITY),
        (vec![korea, norway], SAME_NATIONALITY),
        (vec![korea, korea], OTHER_NATIONALITY),
    ] {
        for (gender, of_gender) in
            [(None, 0), (Some(Gender::Female), 0), (Some(Gender::Male), OTHER_GENDER)]
        {
            let nationalities = nationalities.clone();
            let person = Person { nationalities, gender, ..Person::default() };
            assert_eq!(outlook.points_max(Glance::of(&person)), points + of_gender);
        }
    }
    assert_eq!(outlook.points_max_of_any_other(), SAME_NATIONALITY);
    assert_eq!(Outlook::of_glance(Glance::default(), Options::default()).country, None);
}

#[test]
fn eras_part_those_whose_dates_of_birth_contradict() {
    let person = |births: &[Birth]| Person { births: births.to_vec(), ..Person::default() };
    let of = |births: &[Birth]| Era::of(Glance::of(&person(births)));
    let beside = |birth| {
        let query = Query { birth, ..Query::named("") };
        Outlook::of(&query, Options::default()).era(Options::default(), 999)
    };
    let [day, other_day] = [day(1950, 2, 3), day(1990, 2, 4)];
    assert!(!of(&[other_day]).meets(beside(Some(day))), "another year, and another share of days");
    assert!(of(&[day, other_day]).meets(beside(Some(day))));
    assert!(of(&[]).meets(beside(Some(day))) && of(&[day]).meets(beside(None)));
    assert!(!of(&[Birth::Year(1960)]).meets(beside(Some(Birth::Year(1950)))));
    assert!(of(&[Birth::Year(1956)]).meets(beside(Some(Birth::Year(1953)))), "two years off");
    assert_eq!(Era::of_bits(u16::MAX), Era::ANY);
}

#[test]
fn years_beyond_the_calendar_are_as_far_as_it_goes() {
    let extremes = [i32::MIN, i32::MAX];
    let births = extremes
        .into_iter()
        .flat_map(|year| [Birth::Year(year), Birth::About(year), Birth::years(i32::MIN, year)]);
    let births: Vec<Birth> = births.chain([Birth::Year(1950), Birth::About(2100)]).collect();
    for birth in &births {
        let query = Query { birth: Some(*birth), ..Query::named("") };
        for listed in births.iter().map(|birth| vec![*birth]).chain([vec![]]) {
            let person = Person { births: listed, ..Person::default() };
            let points = Evidence::of(&person, &query, Options::default()).points;
            let outlook = Outlook::of(&query, Options::default());
            assert!(outlook.points_max(Glance::of(&person)) >= points, "{birth:?} {person:?}");
        }
    }
}

proptest! {
    #[test]
    fn who_has_no_era_in_common_is_contradicted(person in person(), query in query()) {
        let options = Options::default();
        let glance = Glance::of(&person);
        let outlook = Outlook::of(&query, options);
        let contradicted = outlook.birth(glance) == CONTRADICTS;
        prop_assert!(contradicted || Era::of(glance).meets(outlook.era(options, 999)));
        if contradicted {
            prop_assert!(outlook.points_max(glance) <= outlook.points_max_of_contradicted());
        }
        let births = query.birth.into_iter().collect();
        let applicant = Glance::of(&Person { births, ..Person::default() });
        let contradicted = Outlook::of_glance(applicant, options).birth(glance) == CONTRADICTS;
        let era = Outlook::of_glance(glance, options).era(options, 999);
        prop_assert!(contradicted || Era::of(applicant).meets(era));
    }

    #[test]
    fn a_glance_never_promises_too_little(person in person(), query in query()) {
        let options = Options::default();
        let glance = Glance::of(&person);
        prop_assert!(glance.to_bits() < 1 << Glance::BITS);
        let (outlook, evidence) = (Outlook::of(&query, options), Evidence::of(&person, &query, options));
        prop_assert!(outlook.points_max(glance) >= evidence.points);
        let born = query.birth.map(|birth| shares_birth(&person.births, birth));
        if born != Some(true) {
            prop_assert!(outlook.points_max_of_others(glance) >= evidence.points);
            prop_assert!(outlook.points_max_of_any_other() >= evidence.points);
        }
        let births = query.birth.into_iter().collect();
        let nationalities = query.nationality.into_iter().collect();
        let seen = Glance::of(&Person { births, nationalities, gender: query.gender });
        let most = outlook.points_max(glance);
        let seen_again = Outlook::of_glance(seen, options).points_max(glance);
        prop_assert!(seen_again >= most);
        if matches!(query.birth, None | Some(Birth::Day(_) | Birth::Month { .. })) {
            prop_assert_eq!(seen_again, most);
        }
    }
}
