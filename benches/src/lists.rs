//! Lists of any size, and whom to look for in them.

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use kyc_core::{Country, Gender, day};
use kyc_screening::{AliasKind, Birth, Entity, EntityKind, OfacReader, Person, Query, read_un};
use time::Date;

use crate::names::Names;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Listed persons, and applicants that are not among them.
#[derive(Debug)]
pub struct Lists {
    /// Persons with all their names.
    pub persons: Vec<Entity>,
    /// Strangers.
    pub applicants: Vec<Query>,
    /// Whether they are real lists; otherwise both are invented.
    pub are_real: bool,
}

/// What the names are made of that are added to a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewNames {
    /// Parts of the names that are there.
    Recombined,
    /// The same, and every third name has a word that is half of one and half of another. So there are
    /// more different words than in real lists of that size, and many that are alike.
    Spliced,
}

impl fmt::Display for NewNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Recombined => "recombined",
            Self::Spliced => "recombined and spliced",
        })
    }
}

impl Lists {
    /// The UN's and OFAC's persons in the folder `KYC_LISTS_DIR` and the strangers in the queries of
    /// `KYC_SCREENING_DIR`; invented people where these are not set.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn of_environment() -> Outcome<Self> {
        match (env::var_os("KYC_LISTS_DIR"), env::var_os("KYC_SCREENING_DIR")) {
            (Some(lists), Some(cases)) => Self::real(&PathBuf::from(lists), &PathBuf::from(cases)),
            _ => Ok(Self::invented()),
        }
    }

    fn real(lists: &Path, cases: &Path) -> Outcome<Self> {
        let un = read_un(File::open(lists.join("un-2026-02/UN_consolidated.xml"))?)?;
        let open = |name| File::open(lists.join("ofac-sdn-2021-07").join(name));
        let ofac = OfacReader::primary(open("sdn.csv")?)?.aliases(open("alt.csv")?)?;
        let ofac = ofac.addresses(open("add.csv")?)?.comments(open("sdn_comments.csv")?)?;
        let mut persons = un.into_entities();
        persons.extend(ofac.finish()?.into_entities());
        persons.retain(|entity| entity.person().is_some());
        for person in &mut persons {
            person.aliases.retain(|alias| alias.kind != AliasKind::Original);
        }
        let queries = csv::Reader::from_path(cases.join("queries_dev_handover.csv"))?;
        Ok(Self { persons, applicants: strangers(queries)?, are_real: true })
    }

    fn invented() -> Self {
        const LISTED: u32 = 7_000;
        let names = Names::new();
        let person = |number: u32| {
            let births = vec![Birth::Day(birth_of(number))];
            let person = Person { births, ..Person::default() };
            Entity::new(&number.to_string(), &names.full(number), EntityKind::Person(person))
        };
        let applicant = |number: u32| Query {
            birth: Some(Birth::Day(birth_of(number))),
            ..Query::named(&names.full(number))
        };
        Self {
            persons: (0..LISTED).map(person).collect(),
            applicants: (LISTED..LISTED + 3_000).map(applicant).collect(),
            are_real: false,
        }
    }

    /// As many persons as have so many names: those, and others whose names are made of theirs.
    pub fn of_names(&self, count: usize, new: NewNames) -> Vec<Entity> {
        let names = |person: &Entity| {
            let aliases = person.aliases.iter().map(|alias| words(&alias.text));
            [words(&person.name)].into_iter().chain(aliases).collect::<Vec<_>>()
        };
        let parts: Vec<Vec<String>> = self.persons.iter().flat_map(names).collect();
        let mut random = Random(88_172_645_463_325_252);
        let mut persons = self.persons.clone();
        let mut left = count.saturating_sub(parts.len());
        while left > 0 {
            let Some(model) = random.pick(&self.persons) else { break };
            let mut person = Entity { id: format!("made-{left}"), ..model.clone() };
            person.name = new_name(&mut random, &parts, new);
            for alias in &mut person.aliases {
                alias.text = new_name(&mut random, &parts, new);
            }
            left = left.saturating_sub(person.name_count());
            persons.push(person);
        }
        persons
    }
}

fn strangers(mut queries: csv::Reader<File>) -> Outcome<Vec<Query>> {
    let sets: HashSet<&str> = ["neg_global", "neg_us"].into();
    let mut strangers = Vec::new();
    for row in queries.records() {
        let row = row?;
        let text = |column: usize| row.get(column).unwrap_or_default();
        if sets.contains(text(1)) {
            strangers.push(Query {
                birth: day::parse(text(4)).ok().map(Birth::Day),
                nationality: Country::from_alpha2(&text(5).to_uppercase()),
                gender: match text(6) {
                    "male" => Some(Gender::Male),
                    "female" => Some(Gender::Female),
                    _ => None,
                },
                ..Query::named(text(3))
            });
        }
    }
    Ok(strangers)
}

fn birth_of(number: u32) -> Date {
    const FIRST: i32 = 2_431_000;
    let days = i32::try_from(number.wrapping_mul(2_654_435_761) % 25_000).unwrap_or(0);
    Date::from_julian_day(FIRST + days).unwrap_or(Date::MIN)
}

fn words(name: &str) -> Vec<String> {
    name.replace(',', "").split_whitespace().map(str::to_owned).collect()
}

fn new_name(random: &mut Random, parts: &[Vec<String>], new: NewNames) -> String {
    let half = |words: Option<&Vec<String>>, is_first: bool| {
        let words = words.map(Vec::as_slice).unwrap_or_default();
        let (first, last) = words.split_at(words.len().div_ceil(2));
        if is_first { first.to_vec() } else { last.to_vec() }
    };
    let mut name = half(random.pick(parts), true);
    name.extend(half(random.pick(parts), false));
    if new == NewNames::Spliced
        && random.below(3) == 0
        && let Some(other) = random.pick(parts).and_then(|words| words.last())
    {
        let at = random.below(name.len());
        if let Some(word) = name.get_mut(at) {
            let (own, other): (Vec<char>, Vec<char>) =
                (word.chars().collect(), other.chars().collect());
            let own = own.iter().take(own.len().div_ceil(2));
            *word = own.chain(other.iter().skip(other.len() / 2)).collect();
        }
    }
    name.join(" ")
}

/// The same numbers in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0).unwrap_or(0).checked_rem(end).unwrap_or(0)
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        let at = self.below(all.len());
        all.get(at)
    }
}
