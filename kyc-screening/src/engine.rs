//! Lists that are ready to be searched.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use kyc_core::{Editions, Hit, ListVersion, RiskLevel, ScreenError, Screening, Subject, Timestamp};

use crate::align::Alignment;
use crate::catalogue::{Catalogue, CatalogueBuilder};
use crate::entities::Listed;
use crate::evidence::POINTS_MAX;
use crate::explanation::{Deduction, WordMatch, in_words, relation_of};
use crate::fact::facts;
use crate::finding::{Finding, NameMatch};
use crate::glance::Outlook;
use crate::image::{self, Head, ListHead};
use crate::index::Similar;
use crate::pair::Pair;
use crate::risk::{Strength, risk};
use crate::slab::Slab;
use crate::{
    AliasKind, Category, Counts, Entity, Explanation, Identifier, ImageError, ListStatus, NameKey,
    Options, Person, Query, Snapshot, sample,
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
    catalogue: Catalogue,
}

struct LoadedList {
    version: ListVersion,
    imported_at: Option<Timestamp>,
    checked_at: Option<Timestamp>,
    counts: Counts,
}

impl Engine {
    /// Prepares lists for searching.
    pub fn new(snapshots: Vec<Snapshot>, options: Options) -> Self {
        let mut lists = Vec::new();
        let mut catalogue = CatalogueBuilder::new(options);
        for (number, snapshot) in snapshots.into_iter().enumerate() {
            let Snapshot { version, imported_at, checked_at, entities } = snapshot;
            let counts = Counts::of(&entities);
            lists.push(LoadedList { version, imported_at, checked_at, counts });
            for entity in &entities {
                catalogue.push(number, entity);
            }
        }
        let configuration = options.configuration();
        Self { options, configuration, lists, catalogue: catalogue.finish() }
    }

    /// The built-in list of invented people, for trying things out. Every result is marked.
    pub fn sample(options: Options) -> Self {
        Self::new(vec![sample::snapshot()], options)
    }

    /// The engine in bytes, so that it can be searched again without preparing the lists:
    /// [`of_image`](Self::of_image) reads it where it lies.
    pub fn to_image(&self) -> Vec<u8> {
        let lists = self.lists.iter();
        let lists = lists.map(|list| {
            ListHead::new(&list.version, [list.imported_at, list.checked_at], list.counts)
        });
        let configuration = self.configuration.clone();
        image::write(&Head { configuration, lists: lists.collect() }, self.catalogue.bytes())
    }

    /// An engine in bytes that [`to_image`](Self::to_image) made. They are searched where they lie, so
    /// `bytes` may also be a file that is mapped into memory; it must not change then. All of it is
    /// read once, to see that it is whole.
    ///
    /// ```
    /// use kyc_core::{Subject, Timestamp};
    /// use kyc_screening::{Engine, Options};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("lists.image");
    /// std::fs::write(&path, Engine::sample(Options::default()).to_image())?;
    ///
    /// let engine = Engine::of_image(std::fs::read(&path)?, Options::default())?;
    /// let screening = engine.screen(&Subject::named("Tormund Vexley"), Timestamp::EARLIEST)?;
    /// assert_eq!(screening.hits[0].name, "Tormund Vexley");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ImageError`] says why the lists have to be prepared again.
    pub fn of_image(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        options: Options,
    ) -> Result<Self, ImageError> {
        let configuration = options.configuration();
        let (head, catalogue) = image::read(&Slab::of_owner(Arc::new(bytes)))?;
        if head.configuration != configuration {
            return Err(ImageError::OtherOptions);
        }
        let lists = head.lists.iter().map(|list| LoadedList {
            version: list.version(),
            imported_at: list.imported_at(),
            checked_at: list.checked_at(),
            counts: list.counts(),
        });
        let (lists, catalogue) = (lists.collect(), Catalogue::new(catalogue));
        Ok(Self { options, configuration, lists, catalogue })
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
            let version = list.version.clone();
            ListStatus::new(version, list.imported_at, list.checked_at, list.counts, at)
        };
        self.lists.iter().map(status).collect()
    }

    /// What its results depend on besides the applicant.
    pub fn editions(&self) -> Editions {
        let versions = self.lists.iter().map(|list| list.version.clone());
        Editions {
            lists: versions.map(|edition| (edition.list, edition.version)).collect(),
            configuration: self.configuration.clone(),
        }
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
            hits: reported.into_iter().filter_map(|found| found.into_hit(query)).collect(),
            unreported,
            configuration: self.configuration.clone(),
        })
    }

    /// As many findings as are reported, each record of a list once, and the highest risk among
    /// the others.
    fn report(&self, findings: Vec<Finding>) -> (Vec<Found<'_>>, RiskLevel) {
        let mut found: Vec<Found<'_>> =
            findings.into_iter().filter_map(|finding| self.found(finding)).collect();
        found.sort_by(|one, other| one.place().cmp(&other.place()));
        let (mut reported, mut unreported) = (Vec::<Found<'_>>::new(), RiskLevel::NotApplicable);
        for found in found {
            let is_known = reported.iter().any(|known| known.record() == found.record());
            if is_known || reported.len() >= self.options.hits_max.into() {
                unreported = unreported.max(found.risk);
            } else {
                reported.push(found);
            }
        }
        (reported, unreported)
    }

    /// Every entity that is reported, with why.
    fn findings(&self, name: &NameKey, query: &Query) -> Vec<Finding> {
        let mut findings: BTreeMap<u32, Finding> = BTreeMap::new();
        for (entity, position) in self.best_names(name, query) {
            if let Some(finding) = self.finding(name, query, entity, position) {
                findings.insert(entity, finding);
            }
        }
        for (kind, canonical) in Identifier::of_query(query) {
            for entity in self.catalogue.identified(kind, &canonical) {
                findings
                    .entry(entity)
                    .and_modify(|finding| finding.add_identifier(kind))
                    .or_insert_with(|| Finding::of_identifier(entity, kind));
            }
        }
        findings.into_values().collect()
    }

    /// The entities of which a name may be enough, and where that name stands.
    fn best_names(&self, name: &NameKey, query: &Query) -> BTreeMap<u32, u32> {
        let names = self.catalogue.names(query.kind);
        let outlook = Outlook::of(query, self.options);
        let least = self.options.report_from.thousandths();
        let needed = |glance| least.saturating_add_signed(-outlook.points_max(glance));
        let floor = least.saturating_sub(POINTS_MAX);
        let mut best: BTreeMap<u32, (NameMatch, u32)> = BTreeMap::new();
        for Similar { position, alignment } in names.index.similar(name, floor, needed) {
            let Some(bearer) = names.bearer(position) else { continue };
            let found = NameMatch::new(bearer.alias, bearer.kind, alignment);
            let kept = best.entry(bearer.entity).or_insert((found, position));
            if found.is_better_than(kept.0) {
                *kept = (found, position);
            }
        }
        best.into_iter().map(|(entity, (_, position))| (entity, position)).collect()
    }

    /// What is found of an entity by its name there; `None` if that is too little to be reported.
    fn finding(
        &self,
        name: &NameKey,
        query: &Query,
        number: u32,
        position: u32,
    ) -> Option<Finding> {
        let bearer = self.catalogue.names(query.kind).bearer(position)?;
        let Listed { entity, .. } = self.catalogue.entity(number)?;
        let listed = NameKey::of_kind(name_of(&entity, bearer.alias)?, query.kind, self.options);
        // The index may have missed that a second word is alike, too.
        let (alignment, pairs) = Alignment::with_pairs(name, &listed);
        let relation = |pair: &Pair| relation_of(pair, [name, &listed]);
        let words = in_words(&pairs.iter().map(relation).collect::<Vec<_>>());
        let found = NameMatch::new(bearer.alias, bearer.kind, alignment);
        let nobody = Person::default();
        let person = entity.person().unwrap_or(&nobody);
        let finding = Finding::of_name(number, found, &words, person, query, self.options);
        (finding.strength.score() >= self.options.report_from).then_some(finding)
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
        let explained = |found: Found<'_>| {
            let explanation = self.explanation(&name, query, &found)?;
            Some((found.into_hit(query)?, explanation))
        };
        let (reported, _) = self.report(self.findings(&name, query));
        reported.into_iter().filter_map(explained).collect()
    }

    fn explanation(&self, name: &NameKey, query: &Query, found: &Found<'_>) -> Option<Explanation> {
        let Found { finding, entity, .. } = found;
        let identifier = match finding.strength {
            Strength::Identifier(identifier) => Some(identifier),
            Strength::Name { .. } => None,
        };
        if !finding.has_name {
            return identifier.map(Explanation::of_identifier);
        }
        let listed = name_of(entity, finding.alias)?;
        let key = NameKey::of_kind(listed, query.kind, self.options);
        let (alignment, pairs) = Alignment::with_pairs(name, &key);
        let places = [query.name.as_str(), listed]
            .map(|name| NameKey::places(name, query.kind, self.options));
        let alias = finding.alias.and_then(|alias| entity.aliases.get(alias as usize));
        let is_weak = alias.is_some_and(|alias| alias.kind == AliasKind::Weak);
        let weak = is_weak.then_some(Deduction::WeakAlias);
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

    /// The entity with what the list says of it.
    fn found(&self, finding: Finding) -> Option<Found<'_>> {
        let Listed { list, entity } = self.catalogue.entity(finding.entity)?;
        let list = &self.lists.get(list)?.version.list;
        let risk = risk(finding.strength, entity.category, self.options);
        Some(Found { finding, risk, list, entity })
    }
}

/// A finding, and whom it is about.
struct Found<'e> {
    finding: Finding,
    risk: RiskLevel,
    list: &'e str,
    entity: Entity,
}

impl Found<'_> {
    /// The list and the id in it.
    fn record(&self) -> (&str, &str) {
        (self.list, &self.entity.id)
    }

    /// What comes first is reported first: by what lists say alone, not by how they lie in memory.
    fn place(&self) -> impl Ord {
        (Reverse(self.finding.strength.rank()), self.record(), &self.entity.name)
    }

    fn into_hit(self, query: &Query) -> Option<Hit> {
        let Self { finding, risk, list, entity } = self;
        let evidence = facts(&entity, &finding, query);
        let matched = name_of(&entity, finding.alias)?.to_owned();
        let reasons = finding.reasons.into_iter().chain(not_sanctioned(entity.category)).collect();
        Some(Hit {
            list: list.to_owned(),
            entity: entity.id,
            name: entity.name,
            matched,
            score: finding.strength.score(),
            risk,
            programmes: entity.programmes,
            reasons,
            evidence,
        })
    }
}

/// A name of an entity: that of an alias, or the primary one.
fn name_of(entity: &Entity, alias: Option<u32>) -> Option<&str> {
    match alias {
        None => Some(&entity.name),
        Some(alias) => entity.aliases.get(alias as usize).map(|alias| alias.text.as_str()),
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
