//! Whose result may change with the lists.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::OnceLock;

use kyc_core::{Screening, Subject};

use crate::glance::{Era, Glance, Outlook};
use crate::index::{Index, IndexBuilder, Needed};
use crate::plain_hash::PlainMap;
use crate::slab::Slab;
use crate::{Delta, Entity, Identifier, NameKey, Options, Person, Query, mates};

/// People who have a result, ready to be searched for whom a change of the lists concerns.
///
/// The other way round than [`Engine`](crate::Engine): applicants are indexed, and the changed
/// records look for them.
///
/// # Contract
///
/// For applicants whose results an engine with the same options gave on the old lists,
/// [`affected`](Self::affected) leaves nobody out whose result the new lists change in anything but
/// its time and editions. That holds because a hit depends on the applicant and on its record alone:
///
/// * a hit that is new or different belongs to a record that was added or changed, and that record's
///   names find the applicant as the applicant finds them, or it has one of their identifiers;
/// * a hit that is gone is in the old result, unless some were cut off there.
///
/// Memory is in proportion to the number of applicants, some hundred bytes each. Many are taken in
/// portions.
///
/// ```
/// use kyc_core::{Subject, Timestamp};
/// use kyc_screening::{Applicants, Delta, Engine, Options, Snapshot, read_plain};
///
/// let edition = |rows: &str| {
///     let list = read_plain(format!("id,name\n{rows}").as_bytes())?;
///     Ok::<_, kyc_screening::ReadError>([Snapshot::new("watch", list.into_entities())])
/// };
/// let (old, new) = (edition("1,Tormund Vexley\n")?, edition("1,Tormund Vexley\n2,Mira Kole\n")?);
///
/// let engine = Engine::new(old.to_vec(), Options::default());
/// let mut applicants = Applicants::new(Options::default());
/// for name in ["Tobin Ashgrove", "Mirra Kole"] {
///     let subject = Subject::named(name);
///     applicants.add(name, &subject, &engine.screen(&subject, Timestamp::EARLIEST)?);
/// }
/// assert_eq!(applicants.affected(&Delta::between(&old, &new)), [&"Mirra Kole"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Applicants<K> {
    options: Options,
    keys: Vec<K>,
    /// With what is known besides.
    names: Vec<(NameKey, Glance)>,
    /// Made when somebody is looked for.
    index: OnceLock<Index>,
    /// Who was born on each day.
    born: PlainMap<u64, Vec<u32>>,
    identifiers: HashMap<(Identifier, String), Vec<u32>>,
    /// Who has a hit on which record, by list and id.
    hits: HashMap<(String, String), Vec<u32>>,
    /// Whose result may lack hits.
    cut_off: Vec<u32>,
}

impl<K> Applicants<K> {
    /// Nobody yet. The options are those that the results were given with.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            keys: Vec::new(),
            names: Vec::new(),
            index: OnceLock::new(),
            born: PlainMap::default(),
            identifiers: HashMap::new(),
            hits: HashMap::new(),
            cut_off: Vec::new(),
        }
    }

    /// Adds somebody, with the result of the last screening. `key` is what
    /// [`affected`](Self::affected) calls the applicant by.
    pub fn add(&mut self, key: K, subject: &Subject<'_>, screening: &Screening) {
        let query = Query::from(subject);
        let position = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.keys.push(key);
        if let Some(birth) = query.birth {
            mates::kept(birth, |key| self.born.entry(key).or_default().push(position));
        }
        let person = Person {
            births: query.birth.into_iter().collect(),
            nationalities: query.nationality.into_iter().collect(),
            gender: query.gender,
        };
        self.names.push((NameKey::of(&query.name, &self.options), Glance::of(&person)));
        self.index = OnceLock::new();
        for identifier in Identifier::of_query(&query) {
            self.identifiers.entry(identifier).or_default().push(position);
        }
        for hit in &screening.hits {
            let record = (hit.list.clone(), hit.entity.clone());
            self.hits.entry(record).or_default().push(position);
        }
        if screening.hits.len() >= self.options.hits_max.into() {
            self.cut_off.push(position);
        }
    }

    /// What everybody is called by, in the order in which they were added.
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Everybody whose result a change of the lists may change, in the order in which they were
    /// added. Some of them will have the same result again.
    ///
    /// The first call makes the index of names, which takes longer than the search.
    pub fn affected(&self, delta: &Delta) -> Vec<&K> {
        if delta.is_empty() {
            return Vec::new();
        }
        let mut affected: BTreeSet<u32> = self.cut_off.iter().copied().collect();
        for list in delta.lists() {
            for id in list.former_ids() {
                let record = (list.list.clone(), id.to_owned());
                affected.extend(self.hits.get(&record).into_iter().flatten());
            }
            for entity in list.current() {
                for identifier in Identifier::of_entity(entity) {
                    affected.extend(self.identifiers.get(&identifier).into_iter().flatten());
                }
                // Applicants are compared with the names of persons alone.
                if let Some(person) = entity.person() {
                    affected.extend(self.with_name_like(entity, person));
                }
            }
        }
        affected.into_iter().filter_map(|position| self.keys.get(position as usize)).collect()
    }

    /// Whoever may have a hit on a person by the name.
    fn with_name_like(&self, entity: &Entity, person: &Person) -> BTreeSet<u32> {
        let index = self.index.get_or_init(|| {
            let mut builder = IndexBuilder::default();
            for (name, glance) in &self.names {
                builder.push(name, *glance);
            }
            Index::new(Slab::of(builder.finish()))
        });
        let enough = Enough { person: Glance::of(person), options: self.options };
        let mut mates = Vec::new();
        for birth in &person.births {
            mates::looked_up(*birth, |key| mates.extend(self.born.get(&key).into_iter().flatten()));
        }
        let names = entity.names().map(|name| NameKey::of(name, &self.options));
        let similar = names.flat_map(|name| index.similar(&name, &enough, &mates));
        similar.map(|found| found.position).collect()
    }
}

/// What an applicant's name has to score beside that of a listed person. No more than the engine asks
/// for, which knows the applicant better.
struct Enough {
    person: Glance,
    options: Options,
}

impl Needed for Enough {
    fn least(&self) -> u16 {
        self.options.needed_with(Outlook::POINTS_MAX_OF_OTHERS)
    }

    fn era(&self, score: u16) -> Era {
        Outlook::of_glance(self.person, self.options).era(self.options, score)
    }

    fn by(&self, applicant: Glance) -> u16 {
        let outlook = Outlook::of_glance(applicant, self.options);
        self.options.needed_with(outlook.points_max_of_others(self.person))
    }

    fn by_mate(&self, applicant: Glance) -> u16 {
        self.options
            .needed_with(Outlook::of_glance(applicant, self.options).points_max(self.person))
    }
}

impl<K> fmt::Debug for Applicants<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Applicants").field("len", &self.len()).finish_non_exhaustive()
    }
}
