//! Lists that are ready to be searched.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::iter::once;

use kyc_core::{Hit, ListVersion, RiskLevel, ScreenError, Screening, Subject, Timestamp};

use crate::align::Alignment;
use crate::evidence::POINTS_MAX;
use crate::explanation::{Deduction, WordMatch, in_words, relation_of};
use crate::fact::facts;
use crate::finding::{Finding, NameMatch};
use crate::index::{Index, Similar};
use crate::pair::Pair;
use crate::risk::{Strength, risk};
use crate::{
    AliasKind, Category, Counts, Entity, Explanation, Identifier, ListStatus, NameKey, Options,
    Person, Query, QueryKind, Snapshot, sample,
};

/// Lists that are ready to be searched. Immutable: a new edition makes a new engine.
///
/// ```
/// use kyc_core::{RiskLevel, Subject, Timestamp};
/// use kyc_screening::{Engine, Options};
///
/// let engine = Engine::sample(Options::default());
/// let screening = engine.screen(&Subject::named("Tormund Vexley"), Timestamp::EARLIEST)?;
/// assert_eq!(screening.risk(), RiskLevel::High);
/// assert_eq!(screening.hits[0].reasons, ["every word of the name agrees"]);
/// # Ok::<(), kyc_core::ScreenError>(())
/// ```
pub struct Engine {
    options: Options,
    configuration: String,
    lists: Vec<LoadedList>,
    entities: Vec<Listed>,
    persons: Names,
    others: Names,
    /// The entities of each wallet and identity document, in its one spelling.
    identifiers: HashMap<(Identifier, String), Vec<usize>>,
}

struct LoadedList {
    version: ListVersion,
    imported_at: Option<Timestamp>,
    counts: Counts,
}

struct Listed {
    list: usize,
    entity: Entity,
}

/// The names of one kind of entities.
#[derive(Default)]
struct Names {
    names: Vec<ListedName>,
    index: Index,
}

struct ListedName {
    entity: usize,
    /// `None` for the primary name.
    alias: Option<usize>,
    key: NameKey,
}

impl Engine {
    /// Prepares lists for searching.
    pub fn new(snapshots: Vec<Snapshot>, options: Options) -> Self {
        let mut engine = Self {
            options,
            configuration: options.configuration(),
            lists: Vec::new(),
            entities: Vec::new(),
            persons: Names::default(),
            others: Names::default(),
            identifiers: HashMap::new(),
        };
        for (list, snapshot) in snapshots.into_iter().enumerate() {
            let Snapshot { version, imported_at, entities } = snapshot;
            let counts = Counts::of(&entities);
            engine.lists.push(LoadedList { version, imported_at, counts });
            for entity in entities {
                engine.add(Listed { list, entity });
            }
        }
        for names in [&mut engine.persons, &mut engine.others] {
            names.index = Index::of(names.names.iter().map(|name| &name.key));
        }
        engine
    }

    /// The built-in list of invented people, for trying things out. Every result is marked.
    pub fn sample(options: Options) -> Self {
        Self::new(vec![sample::snapshot()], options)
    }

    fn add(&mut self, listed: Listed) {
        let at = self.entities.len();
        let wallets = listed.entity.wallets.iter().map(|text| (Identifier::Wallet, text));
        let documents = listed.entity.documents.iter();
        let documents = documents.map(|document| (Identifier::Document, &document.number));
        for (kind, text) in wallets.chain(documents) {
            if let Some(canonical) = kind.canonical(text) {
                self.identifiers.entry((kind, canonical)).or_default().push(at);
            }
        }
        let (kind, names) = match listed.entity.person() {
            Some(_) => (QueryKind::Person, &mut self.persons.names),
            None => (QueryKind::Other, &mut self.others.names),
        };
        let aliases = listed.entity.aliases.iter().map(|alias| &alias.text);
        for (number, text) in once(&listed.entity.name).chain(aliases).enumerate() {
            let key = NameKey::of_kind(text, kind, self.options);
            if key.is_usable() {
                names.push(ListedName { entity: at, alias: number.checked_sub(1), key });
            }
        }
        self.entities.push(listed);
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether it holds no list at all: it screens nobody.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Which editions of which lists it holds, and how old they are at `at`.
    pub fn status(&self, at: Timestamp) -> Vec<ListStatus> {
        let status = |list: &LoadedList| {
            ListStatus::new(list.version.clone(), list.imported_at, list.counts, at)
        };
        self.lists.iter().map(status).collect()
    }

    /// Screens one person as of `at`, whatever the age of the lists: a policy about that is
    /// [`SanctionsScreener`](crate::SanctionsScreener)'s.
    ///
    /// # Errors
    ///
    /// [`ScreenError::NoUsableName`] when the name has no letters to compare, even if a wallet is
    /// listed; [`ScreenError::ListMissing`] when there is no list at all.
    pub fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        self.search(&Query::from(subject), at)
    }

    /// Screens whoever is looked for, in the way of [`screen`](Self::screen).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn search(&self, query: &Query, at: Timestamp) -> Result<Screening, ScreenError> {
        if self.is_empty() {
            return Err(ScreenError::ListMissing { list: "(any)".to_owned() });
        }
        let name = NameKey::of_kind(&query.name, query.kind, self.options);
        if !name.is_usable() {
            return Err(ScreenError::NoUsableName);
        }
        let (reported, unreported) = self.report(self.findings(&name, query));
        Ok(Screening {
            at,
            lists: self.lists.iter().map(|list| list.version.clone()).collect(),
            hits: reported.into_iter().filter_map(|finding| self.hit(finding, query)).collect(),
            unreported,
            configuration: self.configuration.clone(),
        })
    }

    /// As many findings as are reported, each record of a list once, and the highest risk among
    /// the others.
    fn report(&self, findings: Vec<Finding>) -> (Vec<Finding>, RiskLevel) {
        let (mut reported, mut unreported) = (Vec::new(), RiskLevel::NotApplicable);
        for finding in findings {
            let record = self.record(finding.entity);
            let is_known =
                reported.iter().any(|known: &Finding| self.record(known.entity) == record);
            if is_known || reported.len() >= self.options.hits_max.into() {
                unreported = unreported.max(self.risk(&finding));
            } else {
                reported.push(finding);
            }
        }
        (reported, unreported)
    }

    /// Every entity that is reported, with why.
    fn findings(&self, name: &NameKey, query: &Query) -> Vec<Finding> {
        let mut best: BTreeMap<usize, (NameMatch, u32)> = BTreeMap::new();
        let floor = self.options.report_from.thousandths().saturating_sub(POINTS_MAX);
        let names = match query.kind {
            QueryKind::Person => &self.persons,
            QueryKind::Other => &self.others,
        };
        let nobody = Person::default();
        for Similar { position, alignment } in names.index.similar(name, floor) {
            let Some(listed) = names.names.get(position as usize) else { continue };
            let found = NameMatch::new(listed.alias, self.alias_kind(listed), alignment);
            let kept = best.entry(listed.entity).or_insert((found, position));
            if found.is_better_than(kept.0) {
                *kept = (found, position);
            }
        }
        let finding = |(entity, (_, position)): (usize, (NameMatch, u32))| {
            let person = self.entities.get(entity)?.entity.person().unwrap_or(&nobody);
            let listed = names.names.get(position as usize)?;
            // The index may have missed that a second word is alike, too.
            let (alignment, pairs) = Alignment::with_pairs(name, &listed.key);
            let relation = |pair: &Pair| relation_of(pair, [name, &listed.key]);
            let words = in_words(&pairs.iter().map(relation).collect::<Vec<_>>());
            let name = NameMatch::new(listed.alias, self.alias_kind(listed), alignment);
            let finding = Finding::of_name(entity, name, &words, person, query, self.options);
            (finding.strength.score() >= self.options.report_from).then_some((entity, finding))
        };
        let mut findings: BTreeMap<usize, Finding> = best.into_iter().filter_map(finding).collect();
        let wallets = query.wallets.iter().map(|text| (Identifier::Wallet, text));
        let documents = query.documents.iter().map(|text| (Identifier::Document, text));
        for (kind, text) in wallets.chain(documents) {
            let Some(canonical) = kind.canonical(text) else { continue };
            for entity in self.identifiers.get(&(kind, canonical)).into_iter().flatten() {
                findings
                    .entry(*entity)
                    .and_modify(|finding| finding.add_identifier(kind))
                    .or_insert_with(|| Finding::of_identifier(*entity, kind));
            }
        }
        let mut findings: Vec<Finding> = findings.into_values().collect();
        // By what the lists say alone, not by how they lie in memory.
        findings.sort_by_cached_key(|finding| {
            let name = self.entities.get(finding.entity).map(|listed| &listed.entity.name);
            (Reverse(finding.strength.rank()), self.record(finding.entity), name)
        });
        findings
    }

    /// Every hit for whoever is looked for, strongest first, with what its score is made of. None
    /// where [`search`](Self::search) has no result.
    ///
    /// The example is at [`Explanation`].
    pub fn explain(&self, query: &Query) -> Vec<(Hit, Explanation)> {
        let name = NameKey::of_kind(&query.name, query.kind, self.options);
        if !name.is_usable() {
            return Vec::new();
        }
        let explained = |finding: Finding| {
            let explanation = self.explanation(&name, query, &finding)?;
            Some((self.hit(finding, query)?, explanation))
        };
        let (reported, _) = self.report(self.findings(&name, query));
        reported.into_iter().filter_map(explained).collect()
    }

    fn explanation(&self, name: &NameKey, query: &Query, finding: &Finding) -> Option<Explanation> {
        let identifier = match finding.strength {
            Strength::Identifier(identifier) => Some(identifier),
            Strength::Name { .. } => None,
        };
        let entity = &self.entities.get(finding.entity)?.entity;
        if !finding.has_name {
            return identifier.map(Explanation::of_identifier);
        }
        let alias = finding.alias.and_then(|alias| entity.aliases.get(alias));
        let listed = alias.map_or(&entity.name, |alias| &alias.text);
        let key = NameKey::of_kind(listed, query.kind, self.options);
        let (alignment, pairs) = Alignment::with_pairs(name, &key);
        let places =
            [&query.name, listed].map(|name| NameKey::places(name, query.kind, self.options));
        let weak = alias.is_some_and(|alias| alias.kind == AliasKind::Weak);
        let weak = weak.then_some(Deduction::WeakAlias);
        let mut words: Vec<WordMatch> =
            pairs.iter().map(|pair| WordMatch::of(pair, [name, &key], &places)).collect();
        words.sort_by_key(|word| word.query.start);
        Some(Explanation {
            words,
            missing: alignment.missing(),
            deductions: alignment.deductions().chain(weak).collect(),
            attributes: finding.attributes.clone(),
            identifier,
        })
    }

    fn alias_kind(&self, name: &ListedName) -> Option<AliasKind> {
        Some(self.entities.get(name.entity)?.entity.aliases.get(name.alias?)?.kind)
    }

    /// The list and the id in it.
    fn record(&self, entity: usize) -> Option<(&str, &str)> {
        let Listed { list, entity } = self.entities.get(entity)?;
        Some((&self.lists.get(*list)?.version.list, &entity.id))
    }

    fn risk(&self, finding: &Finding) -> RiskLevel {
        let listed = self.entities.get(finding.entity);
        let category = listed.map_or_else(Category::default, |listed| listed.entity.category);
        risk(finding.strength, category, self.options)
    }

    fn hit(&self, finding: Finding, query: &Query) -> Option<Hit> {
        let Listed { list, entity } = self.entities.get(finding.entity)?;
        let alias = finding.alias.and_then(|alias| entity.aliases.get(alias));
        Some(Hit {
            list: self.lists.get(*list)?.version.list.clone(),
            entity: entity.id.clone(),
            name: entity.name.clone(),
            matched: alias.map_or(&entity.name, |alias| &alias.text).clone(),
            score: finding.strength.score(),
            risk: self.risk(&finding),
            evidence: facts(entity, &finding, query),
            programmes: entity.programmes.clone(),
            reasons: finding.reasons.into_iter().chain(not_sanctioned(entity.category)).collect(),
        })
    }
}

/// What is said of an entity that is listed for another reason than sanctions.
fn not_sanctioned(category: Category) -> Option<String> {
    match category {
        Category::Sanction => None,
        Category::PoliticallyExposed => Some("it is a politically exposed person, no sanction"),
        Category::Watchlist => Some("it is on a watch list, no sanction"),
    }
    .map(str::to_owned)
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists: Vec<&ListVersion> = self.lists.iter().map(|list| &list.version).collect();
        f.debug_struct("Engine").field("lists", &lists).finish_non_exhaustive()
    }
}
