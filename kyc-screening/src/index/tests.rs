use kyc_core::{Country, Score};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::group::Group;
use super::view::{Sections, to_bytes};
use super::*;
use crate::glance::Outlook;
use crate::{Birth, Options, Person, Query};

/// Short words of few letters, so that many are alike, and what is treated in a way of its own:
/// initials, particles, forms of one name, names written apart, other writings.
fn name() -> impl Strategy<Value = String> {
    let special = "j k m a al bin van ali ara abd abdul rahman abdulrahman khan kahn mohamed muhammad mehmet mahmud \
        yusuf joseph jose rachid rashidov schmid sahmid abdali abdabdali nur din nureddin ullah habib habibullah محمد عبدالرحمن 林 晓 Мира 김 정호 kim jongho";
    let special: Vec<&str> = special.split_whitespace().collect();
    let word = prop_oneof![
        3 => "[aehkmrs]{1,6}",
        2 => "[bdk][ae][mnr][ai][lst]{0,2}",
        4 => prop::sample::select(special).prop_map(str::to_owned),
    ];
    prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "))
}

/// Whatever is known of somebody, their name needs so much.
struct Anybody(u16);

impl Needed for Anybody {
    fn least(&self) -> u16 {
        self.0
    }

    fn era(&self, _: u16) -> Era {
        Era::ANY
    }

    fn by(&self, _: Glance) -> u16 {
        self.least()
    }

    fn by_mate(&self, _: Glance) -> u16 {
        self.least()
    }
}

/// Somebody who was born in that year, looked for among those whose era fits, or among everybody.
struct Born {
    outlook: Outlook,
    is_era_known: bool,
}

impl Needed for Born {
    fn least(&self) -> u16 {
        Options::default().needed_with(self.outlook.points_max_of_any_other())
    }

    fn era(&self, score: u16) -> Era {
        if self.is_era_known { self.outlook.era(Options::default(), score) } else { Era::ANY }
    }

    fn by(&self, glance: Glance) -> u16 {
        Options::default().needed_with(self.outlook.points_max_of_others(glance))
    }

    fn by_mate(&self, glance: Glance) -> u16 {
        Options::default().needed_with(self.outlook.points_max(glance))
    }
}

fn born() -> impl Strategy<Value = Option<Birth>> {
    let birth = prop_oneof![
        2 => prop::sample::select(vec![1950, 1953, 1959, 1990]).prop_map(Birth::Year),
        1 => (1950..1990_i32).prop_map(|year| Birth::years(year, year + 3)),
        2 => prop::sample::select(vec!["1951-02-03", "1951-02-07", "1970-02-03"])
            .prop_map(|day| Birth::Day(kyc_core::day::parse(day).unwrap())),
    ];
    prop::option::weighted(0.8, birth)
}

fn key(name: &str) -> NameKey {
    NameKey::of(name, &Options::default())
}

fn index_of<'n>(names: impl IntoIterator<Item = (&'n str, Glance)>) -> Index {
    let mut builder = IndexBuilder::default();
    for (name, glance) in names {
        builder.push(&key(name), glance);
    }
    Index::new(Slab::of(builder.finish()))
}

/// Who was born then and has that nationality.
fn bearer(birth: Option<Birth>, nationality: Option<Country>) -> Glance {
    let (births, nationalities) = (birth.into_iter().collect(), nationality.into_iter().collect());
    Glance::of(&Person { births, nationalities, ..Person::default() })
}

/// What a delta pass rests on: who is found by whom depends on the two names alone, and not on which
/// of them is in the index, nor on who else is.
fn check(names: &[String], queries: &[String]) -> Result<(), TestCaseError> {
    let found = |listed: &[String], query: &str| -> Vec<(u32, Score)> {
        let index = index_of(listed.iter().map(|name| (name.as_str(), Glance::default())));
        let similar = index.similar(&key(query), &Anybody(620), &[]).into_iter();
        similar.map(|found| (found.position, found.alignment.score())).collect()
    };
    for (at, query) in queries.iter().enumerate() {
        let score = |found: Vec<(u32, Score)>, position| {
            found.into_iter().find(|(at, _)| *at == position).map(|(_, score)| score)
        };
        for (position, name) in (0..).zip(names) {
            let expected = score(found(names, query), position);
            let alone = score(found(std::slice::from_ref(name), query), 0);
            prop_assert_eq!(alone, expected, "alone: {} in {}", query, name);
            let turned = score(found(queries, name), u32::try_from(at).unwrap());
            prop_assert_eq!(turned, expected, "turned: {} in {}", query, name);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_found_depends_on_two_names_alone(
        names in prop::collection::vec(name(), 1..20),
        queries in prop::collection::vec(name(), 1..8),
    ) {
        check(&names, &queries)?;
    }
}

#[test]
fn equal_words_are_found_in_spite_of_a_contradiction() {
    for [listed, name] in [
        ["Mira Kole", "Mira Kole"],
        ["Abd Al-Rahman Kole", "Abdalrahman Kole"],
        ["김정호", "Kim Jongho"],
        ["Kim Jongho", "김정호"],
    ] {
        let nationality = Country::from_alpha3("KOR");
        let index = index_of([(listed, bearer(Some(Birth::Year(1950)), nationality))]);
        let birth = Some(Birth::Year(1990));
        let query = Query { birth, nationality, ..Query::named(name) };
        let found = |is_era_known| {
            let born = Born { outlook: Outlook::of(&query, Options::default()), is_era_known };
            index.similar(&key(name), &born, &[]).len()
        };
        assert_eq!(found(true), found(false), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whoever_is_contradicted_is_left_out_and_nobody_else(
        listed in prop::collection::vec((name(), born()), 1..20),
        queries in prop::collection::vec((0..20_usize, name(), born()), 1..8),
        nationality in prop::option::of(Just("ALB")),
    ) {
        let nationality = nationality.map(|code| Country::from_alpha3(code).unwrap());
        let names = listed.iter().map(|(name, born)| (name.as_str(), bearer(*born, nationality)));
        let index = index_of(names);
        for (at, name, birth) in &queries {
            // Some are called as somebody who is listed.
            let name = listed.get(*at).map_or(name, |(listed, _)| listed);
            let query = Query { birth: *birth, nationality, ..Query::named(name) };
            let found = |is_era_known| -> Vec<(u32, Score)> {
                let born = Born { outlook: Outlook::of(&query, Options::default()), is_era_known };
                let similar = index.similar(&key(name), &born, &[0, 1]).into_iter();
                similar.map(|found| (found.position, found.alignment.score())).collect()
            };
            prop_assert_eq!(found(true), found(false), "{} in {:?}", name, &listed);
        }
    }
}

/// A name that has much in common with another one: with letters and words more, less or other, in
/// another order, written as one or apart.
fn altered(name: &str, changes: &[(u8, usize, char)]) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    for (change, place, letter) in changes {
        let at = place % letters.len().max(1);
        match change % 6 {
            0 => letters.insert(at, *letter),
            1 if letters.len() > 1 => _ = letters.remove(at),
            2 => letters.iter_mut().skip(at).take(1).for_each(|own| *own = *letter),
            3 => letters.insert(at, ' '),
            4 => letters.rotate_left(at),
            _ => letters.splice(at..at, " al ".chars()).for_each(drop),
        }
    }
    letters.into_iter().collect()
}

fn changes() -> impl Strategy<Value = Vec<(u8, usize, char)>> {
    let change = (any::<u8>(), any::<usize>(), prop::sample::select(vec!['a', 'e', 'h', 'k', 'm']));
    prop::collection::vec(change, 0..5)
}

/// No name is left out that reaches what is needed, however closely.
fn check_where_just_enough(names: &[String], query: &str) -> Result<(), TestCaseError> {
    // In a small table much is found that is only looked at.
    let others: Vec<String> = (0..200_u32)
        .map(|number| {
            let letter = |digit: u8| char::from(digit - b'0' + b'n');
            let word = |number: u32| number.to_string().bytes().map(letter).collect::<String>();
            format!("{}go {}v", word(number), word(7 * number))
        })
        .collect();
    let all = names.iter().chain(&others);
    let index = index_of(all.map(|name| (name.as_str(), Glance::default())));
    let found = |needed| index.similar(&key(query), &Anybody(needed), &[]);
    for Similar { position, alignment } in found(500) {
        let score = alignment.score().thousandths();
        let again = found(score).into_iter().any(|again| again.position == position);
        let name = names.get(position as usize);
        prop_assert!(again, "{score}: {query} and {name:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn whoever_is_found_is_found_where_that_is_just_enough(
        query in name(),
        changes in prop::collection::vec(changes(), 1..20),
    ) {
        let names: Vec<String> = changes.iter().map(|changes| altered(&query, changes)).collect();
        check_where_just_enough(&names, &query)?;
    }
}

#[test]
fn a_particle_that_answers_to_a_name_adds_to_what_may_be_reached() {
    for [name, query] in [
        ["al dana juan manbu", "jenna donna ali"],
        ["abd al rahman", "abdulrahman kole"],
        ["van der berg de la vega tal", "vanderberg delavega"],
    ] {
        check_where_just_enough(&[name.to_owned()], query).unwrap();
        check_where_just_enough(&[query.to_owned()], name).unwrap();
    }
}

#[test]
fn words_that_are_only_just_alike_are_found_from_both_sides() {
    for (names, query) in [
        // One of them may lack a consonant, and the other one, of the same skeleton, may not.
        (&["karim", "karimoa"][..], "kazimua"),
        (&["صحراوي"], "sah rawi"),
        (&["kleem"], "kle oem"),
        // An `x` is two sounds, and words are cut.
        (&["kaxlexmixtoxnaxvexdixboxfaxrexgu"], "kaxle xmixtoxnaxvexdixboxfaxrexgu"),
    ] {
        let names: Vec<String> = names.iter().copied().map(str::to_owned).collect();
        check(&names, &[query.to_owned()]).unwrap();
        let index = index_of(names.iter().map(|name| (name.as_str(), Glance::default())));
        let is_like = |name: &&String| key(name).similarity(&key(query)).thousandths() >= 620;
        let found = index.similar(&key(query), &Anybody(620), &[]).len();
        assert_eq!(found, names.iter().filter(is_like).count(), "{query}");
        assert!(found > 0, "{query}");
    }
}

#[test]
fn no_word_of_a_forged_image_is_looked_at_twice() {
    let mut sections = Sections::default();
    let [.., gists, group_ends, _, _, _, _, _, _] = &mut sections;
    *gists = vec![0; 8 * 4];
    *group_ends = [4_u32, 0, 4, 2, 3, 4, 9].into_iter().flat_map(u32::to_le_bytes).collect();
    let bytes = to_bytes(&sections);
    let view = View::new(&bytes);
    let words: Vec<u32> = view.groups(&mut (0..9).collect()).flat_map(Group::words).collect();
    assert_eq!(words, [0, 1, 2, 3]);
}

#[test]
fn bounds_are_the_same_from_both_sides() {
    // A particle and an initial may answer to a heavier word, and one word to a name of two.
    for pair in [["van", "abd van"], ["k", "hkkk"], ["beritl", "baritl kama"]] {
        let [name, query] = pair.map(str::to_owned);
        check(&[name], &[query]).unwrap();
    }
}
