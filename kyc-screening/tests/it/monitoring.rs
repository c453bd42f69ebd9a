//! Screening again whom a change of the lists concerns: the same as screening everybody.

use kyc_core::{Country, Screening, Subject};
use kyc_screening::{
    Alias, AliasKind, Applicants, Birth, Category, Delta, Document, Engine, Entity, EntityKind,
    Options, Person, Snapshot,
};
use proptest::prelude::*;
use time::Date;

use crate::fixtures::{day, named};

fn screen(engine: &Engine, subject: &Subject<'_>) -> Option<Screening> {
    engine.screen(subject, day(0)).ok()
}

/// What of a result may not depend on how it was come by.
fn substance(screening: Option<&Screening>) -> impl PartialEq + std::fmt::Debug + '_ {
    screening.map(|screening| (screening.unreported, &screening.hits))
}

/// Everybody's results on the old lists, where a change concerns somebody replaced by those on the
/// new ones; and how many were.
fn by_delta(
    [old, new]: [&[Snapshot]; 2],
    people: &[Subject<'_>],
    options: Options,
) -> (Vec<Option<Screening>>, usize) {
    let engine = |lists: &[Snapshot]| Engine::new(lists.to_vec(), options);
    let (before, after) = (engine(old), engine(new));
    let mut results: Vec<_> = people.iter().map(|person| screen(&before, person)).collect();
    let mut applicants = Applicants::new(options);
    for (at, (person, result)) in people.iter().zip(&results).enumerate() {
        if let Some(result) = result {
            applicants.add(at, person, result);
        }
    }
    let affected: Vec<usize> =
        applicants.affected(&Delta::between(old, new)).into_iter().copied().collect();
    for at in &affected {
        results[*at] = screen(&after, &people[*at]);
    }
    (results, affected.len())
}

#[track_caller]
pub(crate) fn check_same(
    lists: [&[Snapshot]; 2],
    people: &[Subject<'_>],
    options: Options,
) -> usize {
    let (results, affected) = by_delta(lists, people, options);
    let engine = Engine::new(lists[1].to_vec(), options);
    for (at, (person, result)) in people.iter().zip(&results).enumerate() {
        let full = screen(&engine, person);
        assert_eq!(substance(result.as_ref()), substance(full.as_ref()), "applicant {at}");
    }
    affected
}

/// Some of a few words, so that many names are alike.
fn name() -> impl Strategy<Value = String> {
    let words = "tormund tormunt vexley wexley mira myra mirjana kole kohl al bin abdul rahman \
        abdulrahman mohamed mehmet khan kahn m t k quill";
    let words: Vec<&str> = words.split_whitespace().collect();
    prop::collection::vec(prop::sample::select(words), 1..4).prop_map(|words| words.join(" "))
}

fn birth() -> impl Strategy<Value = Date> {
    (1_968..1_973_i32, prop::sample::select(vec![40_u16, 41, 200]))
        .prop_map(|(year, day)| Date::from_ordinal_date(year, day).unwrap())
}

/// One of few, so that they meet.
fn identifiers(kind: &'static str) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((0..6).prop_map(move |n| format!("{kind}000{n}")), 0..2)
}

fn entity() -> impl Strategy<Value = Entity> {
    let alias = (name(), prop::sample::select(vec![AliasKind::Good, AliasKind::Weak]))
        .prop_map(|(text, kind)| Alias { text, kind });
    let category = prop::sample::select(vec![
        Category::Sanction,
        Category::PoliticallyExposed,
        Category::Watchlist,
    ]);
    let names = (name(), prop::collection::vec(alias, 0..3));
    let facts = (proptest::option::of(birth()), any::<bool>(), prop::bool::weighted(0.9));
    let others = (category, identifiers("1invented"), identifiers("X0"), any::<bool>());
    (0..8_u8, names, facts, others).prop_map(|(id, names, facts, others)| {
        let nationalities = facts.1.then(|| Country::from_alpha3("NOR").unwrap());
        let person = Person {
            births: facts.0.map(Birth::Day).into_iter().collect(),
            nationalities: nationalities.into_iter().collect(),
            gender: None,
        };
        let kind = if facts.2 { EntityKind::Person(person) } else { EntityKind::Organisation };
        let document = |number| Document { kind: String::new(), number };
        Entity {
            aliases: names.1,
            category: others.0,
            programmes: others.3.then(|| "FRAUD".to_owned()).into_iter().collect(),
            wallets: others.1,
            documents: others.2.into_iter().map(document).collect(),
            ..Entity::new(&id.to_string(), &names.0, kind)
        }
    })
}

/// What becomes of one record in the next edition.
#[derive(Debug, Clone)]
enum Edit {
    Keep,
    Remove,
    Replace(Box<Entity>),
    Rename(String),
    Born(Option<Date>),
    Alias(String),
    Category(Category),
    Wallets(Vec<String>),
}

impl Edit {
    fn apply(self, mut entity: Entity) -> Option<Entity> {
        match self {
            Self::Keep => {}
            Self::Remove => return None,
            Self::Replace(other) => entity = *other,
            Self::Rename(name) => entity.name = name,
            Self::Born(date) => {
                if let EntityKind::Person(person) = &mut entity.kind {
                    person.births = date.map(Birth::Day).into_iter().collect();
                }
            }
            Self::Alias(text) => entity.aliases.push(Alias { text, kind: AliasKind::Good }),
            Self::Category(category) => entity.category = category,
            Self::Wallets(wallets) => entity.wallets = wallets,
        }
        Some(entity)
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        6 => Just(Edit::Keep),
        1 => Just(Edit::Remove),
        1 => entity().prop_map(|entity| Edit::Replace(Box::new(entity))),
        1 => name().prop_map(Edit::Rename),
        1 => proptest::option::of(birth()).prop_map(Edit::Born),
        1 => name().prop_map(Edit::Alias),
        1 => Just(Edit::Category(Category::Watchlist)),
        1 => identifiers("1invented").prop_map(Edit::Wallets),
    ]
}

/// Two editions of a list. Ids repeat, and a list may be new or gone as a whole.
fn editions(list: &'static str) -> impl Strategy<Value = [Vec<Snapshot>; 2]> {
    let records = prop::collection::vec((entity(), edit()), 0..12);
    let added = prop::collection::vec(entity(), 0..3);
    (records, added, prop::bool::weighted(0.9), prop::bool::weighted(0.9)).prop_map(
        move |(records, added, was_there, is_there)| {
            let old = records.iter().map(|(entity, _)| entity.clone()).collect();
            let kept = records.into_iter().filter_map(|(entity, edit)| edit.apply(entity));
            let new = kept.chain(added).collect();
            let snapshot = |is_there: bool, entities| {
                is_there.then(|| Snapshot::new(list, entities)).into_iter().collect()
            };
            [snapshot(was_there, old), snapshot(is_there, new)]
        },
    )
}

#[derive(Debug, Clone)]
struct Somebody {
    name: String,
    birth: Option<Date>,
    wallets: Vec<String>,
    documents: Vec<String>,
}

impl Somebody {
    fn subject(&self) -> Subject<'_> {
        Subject {
            birth_date: self.birth,
            nationality: Country::from_alpha3("NOR"),
            wallets: self.wallets.iter().map(String::as_str).collect(),
            documents: self.documents.iter().map(String::as_str).collect(),
            ..named(&self.name)
        }
    }
}

fn somebody() -> impl Strategy<Value = Somebody> {
    let birth = proptest::option::of(birth());
    (name(), birth, identifiers("1invented"), identifiers("X0"))
        .prop_map(|(name, birth, wallets, documents)| Somebody { name, birth, wallets, documents })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn d85_the_delta_gives_what_screening_everybody_gives(
        [one_old, one_new] in editions("one"),
        [other_old, other_new] in editions("other"),
        people in prop::collection::vec(somebody(), 1..12),
        hits_max in prop::sample::select(vec![1_u8, 2, 20]),
    ) {
        // Without any list there are no results at all.
        let always = vec![Snapshot::new("always", Vec::new())];
        let old = [always.clone(), one_old, other_old].concat();
        let new = [always, one_new, other_new].concat();
        let options = Options { hits_max, ..Options::default() };
        let people: Vec<Subject<'_>> = people.iter().map(Somebody::subject).collect();
        check_same([&old, &new], &people, options);
    }
}

fn person(id: &str, name: &str) -> Entity {
    Entity::new(id, name, EntityKind::Person(Person::default()))
}

#[test]
fn applicants_are_kept_in_their_order() {
    let lists = vec![Snapshot::new("watch", vec![person("7", "Tobin Ashgrove")])];
    let engine = Engine::new(lists, Options::default());
    let subject = named("Mira Kole");
    let screening = engine.screen(&subject, day(0)).unwrap();
    let mut applicants = Applicants::new(Options::default());
    assert!(applicants.is_empty() && applicants.keys().is_empty());
    for key in ["second", "first", "second"] {
        applicants.add(key, &subject, &screening);
    }
    assert_eq!((applicants.len(), applicants.is_empty()), (3, false));
    assert_eq!(applicants.keys(), ["second", "first", "second"]);
    assert_eq!(format!("{applicants:?}"), "Applicants { len: 3, .. }");
}

#[test]
fn nobody_else_is_screened_again() {
    let list = |entities| [Snapshot::new("watch", entities)];
    let old = list(vec![person("1", "Tormund Vexley"), person("2", "Mira Kole")]);
    let new = list(vec![person("1", "Tormund Vexley"), person("2", "Basil Quandary")]);
    let people = ["Mira Kole", "Basil Quandary", "Tormund Vexley", "Perpetua Nightjar"].map(named);
    assert_eq!(check_same([&old, &new], &people, Options::default()), 2);
    assert_eq!(check_same([&old, &old], &people, Options::default()), 0);
    assert_eq!(check_same([&old, &list(Vec::new())], &people, Options::default()), 2);
}

#[test]
fn a_hit_that_was_cut_off_may_go() {
    let born = |year| Person { births: vec![Birth::Year(year)], ..Person::default() };
    let entity = |id, year, category| Entity {
        category,
        ..Entity::new(id, "Tormund Vexley", EntityKind::Person(born(year)))
    };
    let watched = entity("1", 1971, Category::Watchlist);
    let old = vec![watched.clone(), entity("2", 1972, Category::Sanction)];
    let list = |entities| [Snapshot::new("watch", entities)];
    let birth_date = Some(time::macros::date!(1971 - 03 - 18));
    let people = [Subject { birth_date, ..named("Tormund Vexley") }, named("Mira Kole")];
    let options = Options { hits_max: 1, ..Options::default() };
    assert_eq!(check_same([&list(old), &list(vec![watched])], &people, options), 1);
}

#[test]
fn records_of_one_id_are_compared_in_their_order() {
    let list = |entities| [Snapshot::new("bad", entities)];
    let (one, other) = (person("7", "Mira Kole"), person("7", "Tormund Vexley"));
    let old = list(vec![one.clone(), other.clone()]);
    assert!(Delta::between(&old, &list(vec![one.clone(), other.clone()])).is_empty());
    let turned = Delta::between(&old, &list(vec![other, one.clone()]));
    assert_eq!(turned.lists()[0].changed.len(), 2);
    let fewer = Delta::between(&old, &list(vec![one]));
    assert_eq!((fewer.lists()[0].changed.len(), fewer.lists()[0].removed.len()), (1, 0));
}
