//! How good a name can be at best of which only some words may have a partner.

use crate::align::{Reach, Worth, worth_max};
use crate::word::{ORDINARY, Word};

use super::build::initials;
use super::posting::Posting;

/// Some words of the name that is searched may have a partner, the others have none.
pub(super) struct Stage {
    /// What may be covered of the name, and of a listed one.
    own: u32,
    listed: u32,
    /// How many words that say something.
    telling: u32,
    /// What the whole name weighs.
    all: u32,
    /// The best beside a listed name of each weight without initials.
    worths: [Worth; WEIGHTS],
    is_enough: bool,
}

const WEIGHTS: usize = Posting::WEIGHT_MAX as usize;

impl Stage {
    pub(super) fn new(query: &[Word<'_>], words: &[usize], floor: u16) -> Self {
        let left =
            || words.iter().filter_map(|at| query.get(*at)).filter(|word| !word.is_initial());
        let initials = initials(query);
        let count = u32::try_from(left().count()).unwrap_or(u32::MAX);
        let telling = left().filter(|word| Reach::is_telling(word.weight)).count();
        let mut stage = Self {
            own: left().map(|word| word.weight()).sum::<u32>() + initials,
            listed: count * u32::from(ORDINARY) + initials,
            telling: u32::try_from(telling).unwrap_or(u32::MAX) + initials,
            all: query.iter().map(|word| word.weight()).sum(),
            worths: [Worth::default(); WEIGHTS],
            is_enough: false,
        };
        if words.len() == query.len() {
            // Also one of several words written as one.
            (stage.telling, stage.listed) = (u32::MAX, u32::MAX);
        }
        stage.worths =
            std::array::from_fn(|weight| stage.compute(u32::try_from(weight).unwrap_or(0), 0));
        stage.is_enough = stage.worths.iter().any(|worth| worth.reaches(floor, 0));
        stage
    }

    /// Whether it can be enough beside a name without initials.
    pub(super) fn is_enough(&self) -> bool {
        self.is_enough
    }

    /// The best beside a listed name without initials, where its weight is known.
    pub(super) fn known(&self, weight: u32) -> Option<Worth> {
        self.worths.get(weight as usize).copied()
    }

    /// The best beside a listed name of this weight, of which so much are initials.
    pub(super) fn compute(&self, weight: u32, initials: u32) -> Worth {
        let covered = [
            self.own.saturating_add(initials).min(self.all),
            self.listed.saturating_add(initials).min(weight),
        ];
        let telling = self.telling.saturating_add(initials);
        worth_max(Reach { covered, weights: [self.all, weight], telling })
    }
}
