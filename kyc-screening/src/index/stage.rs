//! How good a name can be at best of which only some words may have a partner.

use crate::align::{Reach, Worth, worth_max};
use crate::word::{ORDINARY, Word};

use super::build::initials;
use super::posting::Posting;

/// Some words of the name that is searched may have a partner, the others have none.
#[derive(Clone, Copy)]
pub(super) struct Hope {
    /// What may be covered of the name, and of a listed one.
    own: u32,
    listed: u32,
    /// How many words that say something.
    telling: u32,
    /// What the whole name weighs.
    all: u32,
}

impl Hope {
    /// Words of the name that may have a partner each; its initials may in any case.
    pub(super) fn of<'q>(query: &[Word<'q>], words: impl Iterator<Item = Word<'q>>) -> Self {
        let initials = initials(query);
        let all = query.iter().map(|word| word.weight()).sum();
        // A letter may also be a whole word beside a short one (`m` and `eem`).
        let letters = query.iter().filter(|word| word.is_initial());
        let listed = letters.map(|_| u32::from(ORDINARY)).sum();
        let nothing = Self { own: initials, listed, telling: initials, all };
        words.filter(|word| !word.is_initial()).fold(nothing, |hope, word| Self {
            own: hope.own + word.weight(),
            listed: hope.listed + u32::from(ORDINARY),
            telling: hope.telling + u32::from(Reach::is_telling(word.weight)),
            all,
        })
    }

    /// Every word may have a partner, also several together, or one may have several.
    fn of_all(query: &[Word<'_>]) -> Self {
        let all = query.iter().map(|word| word.weight()).sum();
        Self { own: all, listed: u32::MAX, telling: u32::MAX, all }
    }

    /// The best beside a listed name of this weight, of which so much are initials.
    pub(super) fn beside(self, weight: u32, initials: u32) -> Worth {
        let covered = [
            self.own.saturating_add(initials).min(self.all),
            self.listed.saturating_add(initials).min(weight),
        ];
        let telling = self.telling.saturating_add(initials);
        worth_max(Reach { covered, weights: [self.all, weight], telling })
    }
}

/// A part of the search in which some words may have a partner.
pub(super) struct Stage {
    hope: Hope,
    /// The best beside a listed name of each weight without initials.
    worths: [Worth; WEIGHTS],
    is_enough: bool,
}

const WEIGHTS: usize = Posting::WEIGHT_MAX as usize;

impl Stage {
    pub(super) fn of_all(query: &[Word<'_>], floor: u16) -> Self {
        Self::new(Hope::of_all(query), floor)
    }

    pub(super) fn of<'q>(
        query: &[Word<'q>],
        words: impl Iterator<Item = Word<'q>>,
        floor: u16,
    ) -> Self {
        Self::new(Hope::of(query, words), floor)
    }

    fn new(hope: Hope, floor: u16) -> Self {
        let worths = std::array::from_fn(|weight| {
            u32::try_from(weight).map_or_else(|_| Worth::default(), |weight| hope.beside(weight, 0))
        });
        let is_enough = worths.iter().any(|worth| worth.reaches(floor, 0));
        Self { hope, worths, is_enough }
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
    pub(super) fn beside(&self, weight: u8, initials: u8) -> Worth {
        self.hope.beside(weight.into(), initials.into())
    }
}
