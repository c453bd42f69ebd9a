//! How good a name can be at best of which only some words may have a partner.

use std::cell::OnceCell;

use crate::align::{Reach, Worth};
use crate::pair::JOINED_MAX;
use crate::rank::{LONG, MINOR};
use crate::word::Word;

use super::posting::Posting;

/// What the words of a name weigh.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    /// Names and initials.
    pub(super) names: u32,
    /// Initials: each may be the partner of many words.
    pub(super) initials: u32,
    /// Articles, particles and titles: nothing is looked for because of them.
    pub(super) particles: u32,
    /// What may answer to initials and particles at most.
    partners_of_light: u32,
    /// Listed particles that may answer to names (`al` to `Ali`).
    light_partners: u32,
}

impl Weights {
    pub(super) fn of(words: &[Word<'_>]) -> Self {
        let sum = |is_meant: fn(&&Word<'_>) -> bool| {
            words.iter().filter(is_meant).map(|word| word.weight()).sum()
        };
        Self {
            names: sum(|word| !word.is_particle()),
            initials: sum(|word| word.is_initial()),
            particles: sum(|word| word.is_particle()),
            partners_of_light: words
                .iter()
                .filter(|word| word.is_initial() || word.is_particle())
                .map(|_| u32::from(LONG))
                .sum(),
            light_partners: 0,
        }
    }
}

impl Weights {
    /// The same where so many more listed particles may answer to names.
    pub(super) fn with_light_partners(self, more: usize) -> Self {
        let more = u32::try_from(more).unwrap_or(u32::MAX).saturating_mul(MINOR.into());
        Self { light_partners: self.light_partners.saturating_add(more), ..self }
    }
}

/// Some words of the name that is searched may have a partner, the others have none.
#[derive(Clone, Copy)]
pub(super) struct Hope {
    /// What may be covered of the name, and of a listed one.
    own: u32,
    listed: u32,
    /// How many words that say something.
    telling: u32,
    /// Whether two words may be equal, and whether many people bear every word that may be covered.
    has_equal: bool,
    are_common: bool,
    query: Weights,
}

impl Hope {
    /// Words of the name that may have a partner each; its initials may in any case.
    pub(super) fn of<'q>(query: Weights, words: impl Iterator<Item = Word<'q>>) -> Self {
        let Weights { initials, partners_of_light, .. } = query;
        let nothing = Self::new(query, [initials, partners_of_light], initials);
        let words = words.filter(|word| !word.is_initial() && !word.is_particle());
        words.fold(nothing, |hope, word| Self {
            own: hope.own + word.weight(),
            listed: hope.listed + u32::from(LONG),
            telling: hope.telling + u32::from(word.rank.is_telling()),
            ..hope
        })
    }

    /// Every word may have a partner, also several together, or one may have several.
    fn of_all(query: Weights) -> Self {
        Self::new(query, [query.names, u32::MAX], u32::MAX)
    }

    /// One word may be all that a listed name is made of: nothing is left for the others.
    pub(super) fn of_whole(query: Weights, word: Word<'_>) -> Self {
        Self::new(query, [word.weight(), u32::MAX], u32::MAX).with_joined(1)
    }

    /// The same where so many words answer to several listed ones each: there may be particles among
    /// these.
    pub(super) fn with_joined(self, words: usize) -> Self {
        Self { query: self.query.with_light_partners(JOINED_MAX * words), ..self }
    }

    fn new(query: Weights, [own, listed]: [u32; 2], telling: u32) -> Self {
        Self { own, listed, telling, has_equal: true, are_common: false, query }
    }

    /// Whether it can be enough if one of the words has that partner and loses so much by it, beside
    /// whatever name without initials.
    fn is_enough(self, partner_weight: u32, lost: u32, least: u16) -> bool {
        let listed = self.listed - u32::from(LONG).min(self.listed) + partner_weight;
        Self { listed, ..self }.best().reaches(least, lost)
    }

    /// The best beside whatever name without initials: one of nothing but partners.
    fn best(self) -> Worth {
        self.beside(self.listed.min(NAME_WEIGHT_MAX), 0)
    }

    /// What is known to have a partner of the name, and of a listed one.
    pub(super) fn of_covered(query: Weights, [own, listed]: [u32; 2], telling: u32) -> Self {
        let initials = query.initials;
        let covered = [own + initials, listed + initials];
        Self::new(query, covered, telling.saturating_add(initials))
    }

    /// The same where it is known whether two words may be equal.
    pub(super) fn with_equal(self, has_equal: bool) -> Self {
        Self { has_equal, ..self }
    }

    /// The same where it is known whether many people bear every word that may be covered.
    pub(super) fn with_common(self, are_common: bool) -> Self {
        Self { are_common, ..self }
    }

    /// The best beside a listed name of this weight without particles, of which so much are initials.
    ///
    /// Particles of the name are taken to have partners: they can only make it better. Those of the
    /// listed one are left out: without a partner they can only make it worse.
    pub(super) fn beside(self, weight: u32, initials: u32) -> Worth {
        let Weights { names, particles, light_partners, .. } = self.query;
        let listed_particles = particles + light_partners;
        let covered = [
            self.own.saturating_add(initials).min(names) + particles,
            self.listed.saturating_add(initials).min(weight) + listed_particles,
        ];
        let weights = [names + particles, weight + listed_particles];
        Reach {
            covered,
            weights,
            telling: self.telling.saturating_add(initials),
            has_equal: self.has_equal,
            are_common: self.are_common,
        }
        .worth_max()
    }
}

/// A part of the search in which some words may have a partner.
pub(super) struct Stage {
    hope: Hope,
    /// The best beside a listed name of each weight without initials, once it is asked for.
    worths: OnceCell<[Worth; WEIGHTS]>,
    is_enough: bool,
}

const WEIGHTS: usize = Posting::WEIGHT_MAX as usize;
/// More is not kept of what a name weighs.
const NAME_WEIGHT_MAX: u32 = u8::MAX as u32;

impl Stage {
    pub(super) fn of_all(query: Weights, least: u16) -> Self {
        Self::new(Hope::of_all(query), least)
    }

    pub(super) fn of<'q>(
        query: Weights,
        words: impl Iterator<Item = Word<'q>>,
        least: u16,
    ) -> Self {
        Self::new(Hope::of(query, words), least)
    }

    fn new(hope: Hope, least: u16) -> Self {
        Self { hope, worths: OnceCell::new(), is_enough: hope.best().reaches(least, 0) }
    }

    /// Whether it can be enough beside a name without initials.
    pub(super) fn is_enough(&self) -> bool {
        self.is_enough
    }

    /// The same where one of the words has that partner and loses so much by it.
    pub(super) fn is_enough_with(&self, partner_weight: u8, lost: u32, least: u16) -> bool {
        self.is_enough && self.hope.is_enough(partner_weight.into(), lost, least)
    }

    /// Whether no name is enough from that weight on, where a pair of words loses so much: all that may
    /// have a partner has one, and more is missing in each.
    pub(super) fn ends_at(&self, weight: u32, lost: u32, least: u16) -> bool {
        let worth = self.known(weight).filter(|_| weight >= self.hope.listed);
        worth.is_some_and(|worth| !worth.reaches(least, lost))
    }

    /// The best beside a name, where it has no initials and its weight is known.
    pub(super) fn known_of(&self, posting: Posting) -> Option<Worth> {
        self.known(posting.weight()).filter(|_| !posting.has_initials())
    }

    /// The best beside a listed name without initials, where its weight is known.
    fn known(&self, weight: u32) -> Option<Worth> {
        let worths = self.worths.get_or_init(|| {
            let weight = |at: usize| u32::try_from(at).unwrap_or(NAME_WEIGHT_MAX);
            std::array::from_fn(|at| self.hope.beside(weight(at), 0))
        });
        worths.get(weight as usize).copied()
    }

    /// The best beside a listed name of this weight, of which so much are initials.
    pub(super) fn beside(&self, weight: u8, initials: u8) -> Worth {
        self.hope.beside(weight.into(), initials.into())
    }
}
