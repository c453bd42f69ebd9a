//! What was found about one entity.

use crate::align::Alignment;
use crate::evidence::Evidence;
use crate::explanation::{Deduction, Relation, in_words, lowered, relation_of};
use crate::options::score;
use crate::pair::Pair;
use crate::risk::Strength;
use crate::{AliasKind, Attribute, Identifier, NameKey, Options, Person, Query};

/// The name of somebody who is looked for beside a listed one, with all that an explanation needs.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) alignment: Alignment,
    /// The words that answer to each other, and in what way.
    pub(crate) pairs: Vec<(Pair, Relation)>,
}

impl Compared {
    pub(crate) fn of(name: &NameKey, listed: &NameKey) -> Self {
        let (alignment, pairs) = Alignment::with_pairs(name, listed);
        let related = |pair| (pair, relation_of(&pair, [name, listed]));
        Self { alignment, pairs: pairs.into_iter().map(related).collect() }
    }

    fn in_words(&self) -> String {
        in_words(&self.pairs.iter().map(|(_, relation)| *relation))
    }
}

/// A listed name beside the applicant's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameMatch {
    /// `None` for the primary name.
    pub(crate) alias: Option<u32>,
    kind: Option<AliasKind>,
    alignment: Alignment,
    /// Thousandths.
    points: u16,
}

impl NameMatch {
    pub(crate) fn new(alias: Option<u32>, kind: Option<AliasKind>, alignment: Alignment) -> Self {
        let full = alignment.score().thousandths();
        let weak = (kind == Some(AliasKind::Weak)).then_some(Deduction::WeakAlias);
        let points = lowered(full.into(), weak.iter());
        Self { alias, kind, alignment, points }
    }

    pub(crate) fn is_better_than(self, other: Self) -> bool {
        self.points > other.points
    }

    /// Several words, all equal, and no nickname.
    fn is_full(self) -> bool {
        self.kind != Some(AliasKind::Weak)
            && self.alignment.is_exact()
            && self.alignment.ordinary_pairs() > 1
    }

    fn reasons(self, words: &str) -> Vec<String> {
        let name = if self.alignment.is_exact() {
            "every word of the name agrees".to_owned()
        } else {
            format!("the name is similar ({}): {words}", self.alignment.score())
        };
        let kind = match self.kind {
            Some(AliasKind::Weak) => Some("it is a weak alias"),
            Some(AliasKind::Former) => Some("it is a former name"),
            Some(AliasKind::Original) => Some("it is the name in its original script"),
            Some(AliasKind::Good) | None => None,
        };
        [name].into_iter().chain(kind.map(str::to_owned)).collect()
    }
}

/// What was found about one entity.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) entity: u32,
    /// The name that is alike; `None` where an identifier alone is listed.
    pub(crate) name: Option<Compared>,
    /// The alias that matched; `None` for the primary name.
    pub(crate) alias: Option<u32>,
    pub(crate) strength: Strength,
    /// Strongest first.
    pub(crate) reasons: Vec<String>,
    /// What else was compared.
    pub(crate) attributes: Vec<Attribute>,
}

impl Finding {
    /// A name is alike; what else is known speaks for or against it.
    pub(crate) fn of_name(
        entity: u32,
        name: NameMatch,
        compared: Compared,
        person: &Person,
        query: &Query,
        options: Options,
    ) -> Self {
        let evidence = Evidence::of(person, query, options);
        let strength = Strength::Name {
            score: score(name.points.saturating_add_signed(evidence.points)),
            is_full: name.is_full(),
            verdict: evidence.verdict,
        };
        let attributes = evidence.attributes;
        let findings = attributes.iter().map(|attribute| attribute.finding.clone());
        let reasons = name.reasons(&compared.in_words()).into_iter().chain(findings).collect();
        Self { entity, name: Some(compared), alias: name.alias, strength, reasons, attributes }
    }

    /// What identifies the applicant is listed, whatever the name.
    pub(crate) fn of_identifier(entity: u32, identifier: Identifier) -> Self {
        Self {
            entity,
            name: None,
            alias: None,
            strength: Strength::Identifier(identifier),
            reasons: vec![identifier.words().to_owned()],
            attributes: Vec::new(),
        }
    }

    /// What identifies the applicant is listed as well.
    pub(crate) fn add_identifier(&mut self, identifier: Identifier) {
        if !matches!(self.strength, Strength::Identifier(_)) {
            self.strength = Strength::Identifier(identifier);
            self.reasons.insert(0, identifier.words().to_owned());
        }
    }
}
