//! What is told of whom a search has found.

use std::cmp::Reverse;
use std::ops::Range;

use kyc_core::{Hit, RiskLevel};

use crate::entities::Listed;
use crate::explanation::{Deduction, WordMatch};
use crate::fact::facts;
use crate::finding::{Compared, Finding};
use crate::risk::{Strength, risk};
use crate::{AliasKind, Category, Engine, Entity, Explanation, NameKey, Query};

impl Engine {
    /// As many findings as are reported, each record of a list once, and the highest risk among
    /// the others.
    pub(super) fn report(&self, findings: Vec<Finding>) -> (Vec<Found<'_>>, RiskLevel) {
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

    /// What the score of a finding is made of; `places` are those of the words of the query.
    pub(super) fn explanation(
        &self,
        places: &[Range<u16>],
        query: &Query,
        found: &Found<'_>,
    ) -> Option<Explanation> {
        let Found { finding, entity, .. } = found;
        let identifier = match finding.strength {
            Strength::Identifier(identifier) => Some(identifier),
            Strength::Name { .. } => None,
        };
        let Some(Compared { alignment, pairs }) = &finding.name else {
            return identifier.map(Explanation::of_identifier);
        };
        let listed = name_of(entity, finding.alias)?;
        let places = [places, &NameKey::places(listed, query.kind, self.options)];
        let alias = finding.alias.and_then(|alias| entity.aliases.get(alias as usize));
        let is_weak = alias.is_some_and(|alias| alias.kind == AliasKind::Weak);
        let weak = is_weak.then_some(Deduction::WeakAlias);
        let mut words: Vec<WordMatch> =
            pairs.iter().map(|(pair, relation)| WordMatch::of(pair, *relation, places)).collect();
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
pub(super) struct Found<'e> {
    finding: Finding,
    pub(super) risk: RiskLevel,
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

    pub(super) fn into_hit(self, query: &Query) -> Option<Hit> {
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
pub(super) fn name_of(entity: &Entity, alias: Option<u32>) -> Option<&str> {
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
