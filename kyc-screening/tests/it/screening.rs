use kyc_core::{Country, Gender, RiskLevel, Score, ScreenError, Screening, Subject};
use kyc_screening::{Birth, Engine, NameKey, Options, Query};
use proptest::prelude::*;
use time::Date;
use time::macros::date;

use crate::fixtures::{day, engine, named};

const HEADER: &str = "id,name,aliases,weak_aliases,birth_date,nationality,gender,wallets,kind";

fn one(row: &str) -> Engine {
    engine(HEADER, row, Options::default())
}

fn screen(engine: &Engine, subject: &Subject<'_>) -> Screening {
    engine.screen(subject, day(0)).unwrap()
}

/// `Tormund Vexley`, `18 March 1971` if nothing else is said.
fn tormund() -> Subject<'static> {
    Subject { birth_date: Some(date!(1971 - 03 - 18)), ..named("Tormund Vexley") }
}

/// A person who is called like the applicant, with one more fact: risk, score, reasons.
#[track_caller]
fn check(row: &str, subject: &Subject<'_>, risk: RiskLevel, thousandths: u16, reasons: &[&str]) {
    let screening = screen(&one(row), subject);
    let hit = &screening.hits[0];
    assert_eq!(screening.risk(), risk);
    assert_eq!(hit.score.thousandths(), thousandths);
    assert_eq!(hit.reasons, reasons);
}

const NAME: &str = "every word of the name agrees";

#[test]
fn d34_what_is_not_listed_is_not_applicable() {
    let screening = screen(&one("7,Tormund Vexley,,,,,,,"), &named("Mira Kole"));
    assert_eq!(screening.risk(), RiskLevel::NotApplicable);
    assert!(screening.hits.is_empty());
    assert_eq!((screening.at, screening.lists.len()), (day(0), 1));
    assert_eq!(screening.configuration, Options::default().configuration());
}

#[test]
fn a_hit_says_who_where_and_why() {
    let list = "id,name,aliases,programme\n7,Tormund Vexley,Torben Wexleigh,SMUGGLING;FRAUD";
    let (header, row) = list.split_once('\n').unwrap();
    let screening = screen(&engine(header, row, Options::default()), &named("Torben Wexleigh"));
    let hit = &screening.hits[0];
    assert_eq!((hit.list.as_str(), hit.entity.as_str()), ("test", "7"));
    assert_eq!((hit.name.as_str(), hit.matched.as_str()), ("Tormund Vexley", "Torben Wexleigh"));
    assert_eq!(hit.programmes, ["SMUGGLING", "FRAUD"]);
    assert_eq!(hit.reasons, [NAME]);
}

#[test]
fn names_are_found_in_every_reading() {
    for (listed, name) in [
        ("Saqib Koli", "ثاقب كولي"),
        ("Ragab Koli", "رجب كولي"),
        ("Sahrawi Koli", "صحراوي كولي"),
        ("Zakir Koli", "ذاكر كولي"),
        ("Alouche Koli", "Alush Koli"),
    ] {
        let screening = screen(&one(&format!("7,{listed},,,,,,,")), &named(name));
        assert_eq!(screening.hits.len(), 1, "{name}");
    }
}

#[test]
fn d34_date_of_birth_raises_or_lowers() {
    let row = |birth: &str| format!("7,Tormund Vexley,,,{birth},,,,");
    let check = |birth: &str, risk, thousandths, reason: &str| {
        check(&row(birth), &tormund(), risk, thousandths, &[NAME, reason]);
    };
    check("1971-03-18", RiskLevel::High, 1_000, "date of birth agrees");
    check("1971-03", RiskLevel::High, 1_000, "month and year of birth agree");
    check("1971", RiskLevel::High, 1_000, "year of birth agrees");
    check("~1973", RiskLevel::High, 1_000, "year of birth is within the listed range");
    check("1965..1971", RiskLevel::High, 1_000, "year of birth is within the listed range");
    check("1971-03-19", RiskLevel::High, 970, "date of birth differs in one part");
    check("1958-03-18", RiskLevel::High, 970, "date of birth differs in one part");
    check("1971-05-20", RiskLevel::High, 950, "day of birth differs");
    check("1972", RiskLevel::High, 880, "year of birth differs by 1 year");
    check("1973", RiskLevel::High, 880, "year of birth differs by 2 years");
    check("1959;1971;1930", RiskLevel::High, 1_000, "year of birth agrees");
}

#[test]
fn a_namesake_of_another_age_is_not_reported() {
    for birth in ["1959", "~1960", "1990-01-01"] {
        let screening = screen(&one(&format!("7,Tormund Vexley,,,{birth},,,,")), &tormund());
        assert_eq!(screening.risk(), RiskLevel::NotApplicable, "{birth}");
    }
    // Unless something else agrees.
    let subject = Subject { nationality: Country::from_alpha3("NOR"), ..tormund() };
    let screening = screen(&one("7,Tormund Vexley,,,1959,Norway,,,"), &subject);
    assert_eq!(screening.risk(), RiskLevel::Low);
}

#[test]
fn facts_make_up_for_what_a_name_lacks() {
    let found = |listed: (&str, &str), query: Query| {
        let (name, birth) = listed;
        let hits = one(&format!("7,{name},,,{birth},Italy,,,")).explain(&query);
        hits.first().map(|(hit, _)| hit.score.thousandths())
    };
    let day = Birth::Day(date!(1980 - 02 - 29));
    let month = Birth::Month { year: 1980, month: 2 };
    let (oriana, salim) = ("Oriana del Castrobello", "Muhammad bin Salim al-Harthawi");
    let query = |name: &str, birth| Query { birth: Some(birth), ..Query::named(name) };
    let with_country = |query: Query, country: &str| Query {
        nationality: Some(country.parse().unwrap()),
        ..query
    };
    let given = query("Oriana del", day);
    assert_eq!(found((oriana, ""), given.clone()), None, "0.629");
    assert_eq!(found((oriana, "1980-02-29"), given.clone()), Some(749));
    assert_eq!(found((oriana, "1980-02"), given.clone()), Some(709));
    assert_eq!(found((oriana, "1980-02-29"), query("Oriana del", month)), Some(709));
    assert_eq!(found((oriana, "1980"), with_country(given.clone(), "Italy, ITA")), None, "0.699");
    assert_eq!(found((oriana, "1980-02-29"), with_country(given, "Norway, NOR")), None, "0.549");
    let turned = query("Salim bin Muhammad al-Harthawi", day);
    assert_eq!(found((salim, "1980"), turned.clone()), Some(700));
    assert_eq!(found((salim, "1981"), turned), None, "0.530");
}

#[test]
fn swapped_day_and_month_are_a_slip_of_the_pen() {
    let subject = Subject { birth_date: Some(date!(1971 - 03 - 08)), ..tormund() };
    let reasons = [NAME, "date of birth differs in one part"];
    check("7,Tormund Vexley,,,1971-08-03,,,,", &subject, RiskLevel::High, 970, &reasons);
}

#[test]
fn nationality_and_gender_raise_or_lower() {
    let subject = Subject {
        nationality: Country::from_alpha3("NOR"),
        gender: Some(Gender::Male),
        ..named("Tormund Vexley")
    };
    let check = |facts: &str, risk, thousandths, reasons: &[&str]| {
        let row = format!("7,Tormund Vexley,,,,{facts},,");
        check(&row, &subject, risk, thousandths, &[&[NAME], reasons].concat());
    };
    check("Norway,", RiskLevel::High, 1_000, &["nationality agrees"]);
    check("Iran;Norway,", RiskLevel::High, 1_000, &["nationality agrees"]);
    check("Iran,", RiskLevel::Medium, 800, &["nationality differs"]);
    check(",male", RiskLevel::High, 1_000, &["gender agrees"]);
    check(",female", RiskLevel::Low, 800, &["gender differs"]);
}

#[test]
fn a_namesake_of_another_age_and_country_is_not_reported() {
    let subject = Subject { nationality: Country::from_alpha3("NOR"), ..tormund() };
    let screening = screen(&one("7,Tormund Vexley,,,1959,Iran,,,"), &subject);
    assert_eq!(screening.risk(), RiskLevel::NotApplicable);
}

#[test]
fn d34_a_similar_name_is_medium_until_something_supports_it() {
    let similar = named("Tormund Vexly");
    let row = "7,Tormund Vexley,,,1971,,,,";
    check(
        row,
        &similar,
        RiskLevel::Medium,
        958,
        &["the name is similar (0.958): 1 equal, 1 in another spelling"],
    );
    let supported = Subject { birth_date: Some(date!(1971 - 03 - 18)), ..similar };
    let reasons =
        ["the name is similar (0.958): 1 equal, 1 in another spelling", "year of birth agrees"];
    check(row, &supported, RiskLevel::High, 1_000, &reasons);
}

#[test]
fn a_weak_alias_counts_less() {
    let reasons = [NAME, "it is a weak alias"];
    let row = "7,Tormund Vexley,,Old Ferryman,,,,,";
    check(row, &named("Old Ferryman"), RiskLevel::Medium, 900, &reasons);
}

#[test]
fn a_listed_wallet_is_high_whatever_the_name() {
    let address = "0xabcdef0123456789ABCDEF0123456789abcdef01";
    let subject = Subject { wallets: vec!["1nobody", address], ..named("Mira Kole") };
    let row =
        format!("7,Petrel Trading,,,,,,{},organisation", address.to_uppercase().replace('X', "x"));
    check(&row, &subject, RiskLevel::High, 1_000, &["a wallet address is listed"]);

    let both = Subject { wallets: vec![address, address], ..named("Tormund Vexley") };
    let row = format!("7,Tormund Vexley,,,,,,{address},");
    check(&row, &both, RiskLevel::High, 1_000, &["a wallet address is listed", NAME]);
}

#[test]
fn a_listed_identity_document_is_high_whatever_the_name() {
    let list = "id,name,birth_date,documents\n7,Tormund Vexley,1930,passport: X-123 4567;12345";
    let (header, row) = list.split_once('\n').unwrap();
    let engine = engine(header, row, Options::default());
    let documents = |number| Subject { documents: vec![number], ..named("Mira Kole") };
    let found = screen(&engine, &documents("x1234567"));
    assert_eq!(found.risk(), RiskLevel::High);
    assert_eq!(found.hits[0].reasons, ["the number of an identity document is listed"]);
    for other in ["x1234568", "12345", ""] {
        assert_eq!(screen(&engine, &documents(other)).risk(), RiskLevel::NotApplicable, "{other}");
    }
}

#[test]
fn d34_without_a_sanction_a_name_is_at_most_medium() {
    for (category, reason) in [
        ("pep", "it is a politically exposed person, no sanction"),
        ("watchlist", "it is on a watch list, no sanction"),
    ] {
        let row = format!("7,Tormund Vexley,{category}");
        let engine = engine("id,name,category", &row, Options::default());
        let screening = screen(&engine, &tormund());
        assert_eq!(screening.risk(), RiskLevel::Medium, "{category}");
        assert_eq!(screening.hits[0].reasons, [NAME, reason]);
    }
}

#[test]
fn other_kinds_of_entities_are_not_compared_by_name() {
    let screening = screen(&one("7,Tormund Vexley,,,,,,,vessel"), &named("Tormund Vexley"));
    assert_eq!(screening.risk(), RiskLevel::NotApplicable);
}

#[test]
fn reasons_repeat_nothing_of_the_applicant() {
    let subject = Subject {
        nationality: Country::from_alpha3("NOR"),
        gender: Some(Gender::Male),
        wallets: vec!["1invented"],
        ..tormund()
    };
    let row = "7,Tormund Vexley,,,1971-03-18,Norway,male,1invented,";
    let reasons = screen(&one(row), &subject).hits[0].reasons.join("; ").to_lowercase();
    for value in ["tormund", "vexley", "1971", "norw", "male", "1invented"] {
        assert!(!reasons.contains(value), "{value}");
    }
}

#[test]
fn at_most_twenty_hits_are_reported_strongest_first() {
    let rows: Vec<String> = (0..30)
        .map(|n| format!("{n},Tormund Vexley,,,{},,,,", 1971 + i32::from(n != 11)))
        .collect();
    let screening = screen(&one(&rows.join("\n")), &tormund());
    let scores: Vec<u16> = screening.hits.iter().map(|hit| hit.score.thousandths()).collect();
    assert_eq!(screening.hits.len(), 20);
    assert_eq!(screening.hits[0].entity, "11");
    assert!(scores.is_sorted_by(|one, other| one >= other));
}

#[test]
fn d34_a_name_that_cannot_be_compared_has_no_result() {
    let engine = one("7,Tormund Vexley,,,,,,1invented,");
    let subject = Subject { wallets: vec!["1invented"], ..named("…") };
    assert!(matches!(engine.screen(&subject, day(0)), Err(ScreenError::NoUsableName)));
}

#[test]
fn d34_without_any_list_there_is_no_result() {
    let engine = Engine::new(Vec::new(), Options::default());
    let result = engine.screen(&tormund(), day(0));
    assert!(matches!(result, Err(ScreenError::ListMissing { .. })));
}

#[test]
fn an_engine_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Engine>();
}

fn names() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        "[aehkmrs]{1,7}",
        Just("al".to_owned()),
        Just("abd".to_owned()),
        Just("kemal".to_owned()),
    ];
    let name = prop::collection::vec(word, 1..5).prop_map(|words| words.join(" "));
    prop::collection::vec(name, 1..60)
}

fn dates() -> impl Strategy<Value = Option<Date>> {
    proptest::option::of(
        (1_960..1_980_i32, 1..=365_u16)
            .prop_map(|(year, ordinal)| Date::from_ordinal_date(year, ordinal).unwrap()),
    )
}

proptest! {
    #[test]
    fn a_hit_scores_what_a_full_scan_gives_it(names in names(), query in names()) {
        let options = Options { hits_max: u8::MAX, ..Options::default() };
        let rows: Vec<String> = (0..).zip(&names).map(|(id, name)| format!("{id},{name}")).collect();
        let engine = engine("id,name", &rows.join("\n"), options);
        let key = NameKey::of(&query[0], &options);
        for hit in screen(&engine, &named(&query[0])).hits {
            let name = &names[hit.entity.parse::<usize>().unwrap()];
            prop_assert_eq!(hit.score, key.similarity(&NameKey::of(name, &options)), "{}", name);
        }
    }

    #[test]
    fn a_score_can_be_computed_from_its_explanation(
        names in names(),
        query in names(),
        birth in dates(),
        wallets in any::<bool>(),
    ) {
        let rows = names.iter().enumerate()
            .map(|(id, name)| format!("{id},{name},{name},1970,1invented{id}"));
        let rows: Vec<String> = rows.collect();
        let options = Options { report_from: Score::from_thousandths(300).unwrap(), ..Options::default() };
        let engine = engine("id,name,weak_aliases,birth_date,wallets", &rows.join("\n"), options);
        let query = Query {
            birth: birth.map(Birth::Day),
            wallets: if wallets { vec!["1invented0".to_owned()] } else { Vec::new() },
            ..Query::named(&query[0])
        };
        let hits = engine.search(&query, day(0)).map(|screening| screening.hits).unwrap_or_default();
        let explained = engine.explain(&query);
        prop_assert_eq!(explained.len(), hits.len());
        for ((hit, explanation), expected) in explained.iter().zip(&hits) {
            prop_assert_eq!(hit, expected);
            prop_assert_eq!(explanation.score(), hit.score, "{:?}", explanation);
            for word in &explanation.words {
                prop_assert!(word.query.end as usize <= query.name.chars().count());
                prop_assert!(word.listed.end as usize <= hit.matched.chars().count());
            }
        }
    }

    #[test]
    fn the_index_loses_no_name_with_one_slip_of_the_pen(
        words in prop::collection::vec("[b-z][aeiou][a-z]{2,6}", 2..4),
        others in names(),
        word in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        letter in prop::char::range('a', 'z'),
        edit in 0..4_u8,
    ) {
        let options = Options::default();
        let (name, mut words) = (words.join(" "), words);
        let count = words.len();
        let word = &mut words[word.index(count)];
        let mut letters: Vec<char> = word.chars().collect();
        let at = at.index(letters.len() - 1);
        match edit {
            0 => letters[at] = letter,
            1 => letters.insert(at, letter),
            2 => drop(letters.remove(at)),
            _ => letters.swap(at, at + 1),
        }
        *word = letters.into_iter().collect();
        let slipped = words.join(" ");
        let scanned = NameKey::of(&slipped, &options).similarity(&NameKey::of(&name, &options));
        let rows: Vec<String> = [&name].into_iter().chain(&others).enumerate()
            .map(|(id, name)| format!("{id},{name}")).collect();
        let engine = engine("id,name", &rows.join("\n"), options);
        let hits = screen(&engine, &named(&slipped)).hits;
        let found = hits.iter().find(|hit| hit.entity == "0").map(|hit| hit.score);
        prop_assert_eq!(found, Some(scanned).filter(|score| *score >= options.report_from));
    }

    #[test]
    fn screening_twice_gives_the_same(names in names(), query in names(), birth in dates()) {
        let rows: Vec<String> = (0..).zip(&names).map(|(id, name)| format!("{id},{name},1970")).collect();
        let engine = || engine("id,name,birth_date", &rows.join("\n"), Options::default());
        let subject = Subject { birth_date: birth, ..named(&query[0]) };
        prop_assert_eq!(screen(&engine(), &subject), screen(&engine(), &subject));
    }

    #[test]
    fn hits_and_risk_agree(names in names(), query in names(), birth in dates()) {
        let rows: Vec<String> = (0..).zip(&names).map(|(id, name)| format!("{id},{name},1970")).collect();
        let engine = engine("id,name,birth_date", &rows.join("\n"), Options::default());
        let screening = screen(&engine, &Subject { birth_date: birth, ..named(&query[0]) });
        prop_assert_eq!(screening.hits.is_empty(), screening.risk() == RiskLevel::NotApplicable);
    }
}
