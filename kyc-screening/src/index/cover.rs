//! What of two names may answer to each other, by how alike their words are.

use crate::name::WORDS_MAX;
use crate::word::Word;

use super::scratch::{JoinedName, Like};
use super::stage::{Hope, Weights};
use super::view::Own;

/// What of a name and a listed one may answer to each other: each word has the best partner that it may
/// have, whoever else has the same one.
pub(super) struct Cover {
    /// How alike the best partner of each word of the name is; 0 if it has none.
    best: [u16; WORDS_MAX],
    /// What the words of the listed name that have partners weigh, and what they lose by them.
    listed: u32,
    lost: u32,
    /// How many words of the listed name that say something have one.
    telling: u32,
    /// Whether two words may be equal, and whether many people bear all of the listed name.
    has_equal: bool,
    are_common: bool,
    has_joined: bool,
}

impl Default for Cover {
    fn default() -> Self {
        Self {
            best: [0; WORDS_MAX],
            listed: 0,
            lost: 0,
            telling: 0,
            has_equal: false,
            are_common: true,
            has_joined: false,
        }
    }
}

impl Cover {
    /// Adds a listed word with what it may answer to: places in the name, and whether they are several.
    pub(super) fn add(&mut self, entries: impl Iterator<Item = ((u32, bool), Like)>) {
        let mut word: Option<Like> = None;
        for ((mut places, are_several), like) in entries {
            while let Some(best) = self.best.get_mut(places.trailing_zeros() as usize) {
                *best = like.similarity.max(*best);
                places &= places - 1;
            }
            if are_several {
                self.telling = u32::MAX;
            }
            let best = word.map_or(0, |word| word.similarity);
            word = Some(Like { similarity: best.max(like.similarity), ..like });
        }
        let Some(word) = word else { return };
        self.has_equal |= word.similarity == 1_000;
        if !word.is_particle {
            self.listed += u32::from(word.weight);
            self.lost += u32::from(word.weight) * (1_000 - u32::from(word.similarity));
            self.telling = self.telling.saturating_add(1);
            self.are_common &= word.is_common;
        }
    }

    /// Adds that some words of the listed name may be one word of the name.
    pub(super) fn add_joined(&mut self, joined: JoinedName, own: Own) {
        if let Some(best) = self.best.get_mut(joined.at) {
            *best = 1_000;
        }
        self.listed += u32::from(own.weight).saturating_sub(joined.rest.names());
        (self.lost, self.telling) = (0, u32::MAX);
        (self.has_equal, self.are_common, self.has_joined) = (true, false, true);
    }

    /// Whether that may be as much as is needed.
    ///
    /// Nobody loses by a partner: two words that are alike are at least worth what is taken off where one
    /// of them has none. So it is never more than with the best partner for every word.
    pub(super) fn reaches(
        &self,
        needed: u16,
        (query, weights): (&[Word<'_>], Weights),
        own: Own,
    ) -> bool {
        let words = query.iter().zip(self.best);
        let words = words.filter(|(word, best)| *best > 0 && !word.is_particle());
        let (mut covered, mut lost, mut telling) = (0, self.lost, 0);
        // Who answers to an initial is not known.
        let mut are_common = self.are_common && weights.initials + u32::from(own.initials) == 0;
        for (word, best) in words {
            covered += word.weight();
            lost += word.weight() * (1_000 - u32::from(best));
            telling += u32::from(word.rank.is_telling());
            are_common &= word.is_common();
        }
        let telling = if self.telling == u32::MAX { u32::MAX } else { telling.min(self.telling) };
        let hope = Hope::of_covered(weights, [covered, self.listed], telling)
            .with_equal(self.has_equal)
            .with_common(are_common);
        let hope = if self.has_joined { hope.with_joined() } else { hope };
        hope.beside(own.weight.into(), own.initials.into()).reaches(needed, lost)
    }
}
