//! Whom a search finds.

use std::collections::BTreeMap;

use crate::entities::Listed;
use crate::finding::{Compared, Finding, NameMatch};
use crate::glance::{Era, Glance, Outlook};
use crate::index::{Needed, Similar};
use crate::{Engine, Identifier, NameKey, Options, Person, Query};

use super::report::name_of;

impl Engine {
    /// Every entity that is reported, with why.
    pub(super) fn findings(&self, name: &NameKey, query: &Query) -> Vec<Finding> {
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
        let mates = query.birth.map_or_else(Vec::new, |birth| names.mates(birth));
        let enough = Enough { outlook: Outlook::of(query, self.options), options: self.options };
        let mut best: BTreeMap<u32, (NameMatch, u32)> = BTreeMap::new();
        for Similar { position, alignment } in names.index.similar(name, &enough, &mates) {
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
        let compared = Compared::of(name, &listed);
        let found = NameMatch::new(bearer.alias, bearer.kind, compared.alignment);
        let nobody = Person::default();
        let person = entity.person().unwrap_or(&nobody);
        let finding = Finding::of_name(number, found, compared, person, query, self.options);
        (finding.strength.score() >= self.options.report_from).then_some(finding)
    }
}

/// What a name has to score so that its entity is reported.
struct Enough {
    outlook: Outlook,
    options: Options,
}

impl Needed for Enough {
    fn least(&self) -> u16 {
        self.options.needed_with(self.outlook.points_max_of_any_other())
    }

    fn era(&self, score: u16) -> Era {
        self.outlook.era(self.options, score)
    }

    fn by(&self, glance: Glance) -> u16 {
        self.options.needed_with(self.outlook.points_max_of_others(glance))
    }

    fn by_mate(&self, glance: Glance) -> u16 {
        self.options.needed_with(self.outlook.points_max(glance))
    }
}
