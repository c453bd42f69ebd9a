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
    /// How many words of the listed name that say something have one; at least as many as anybody asks
    /// for where one may be several words of the name.
    telling: u32,
    /// Whether two words may be equal, and whether many people bear all of the listed name.
    has_equal: bool,
    are_common: bool,
    /// How often several words of the listed name may be one of the name.
    joined: usize,
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
            joined: 0,
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

    /// Adds that some words of the listed name may be one word of the name. Which ones is not known.
    pub(super) fn add_joined(&mut self, joined: JoinedName, own: Own) {
        if let Some(best) = self.best.get_mut(joined.at) {
            *best = 1_000;
        }
        self.listed += u32::from(own.weight).saturating_sub(joined.rest.names());
        self.joined += 1;
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
        // Who answers to an initial is not known.
        let mut are_common = self.are_common && weights.initials + u32::from(own.initials) == 0;
        let (mut covered, mut lost, mut telling) = (0, 0, 0);
        let words = query.iter().zip(self.best);
        for (word, best) in words.filter(|(word, best)| *best > 0 && !word.is_particle()) {
            covered += word.weight();
            lost += word.weight() * (1_000 - u32::from(best));
            telling += u32::from(word.rank.is_telling());
            are_common &= word.is_common();
        }
        let is_one_to_one = self.joined == 0 && self.telling < u32::MAX;
        let telling = if is_one_to_one { telling.min(self.telling) } else { u32::MAX };
        let hope = Hope::of_covered(weights, [covered, self.listed], telling);
        let (hope, lost) = if self.joined > 0 {
            (hope.with_joined(self.joined), lost)
        } else {
            (hope.with_equal(self.has_equal).with_common(are_common), lost + self.lost)
        };
        hope.beside(own.weight.into(), own.initials.into()).reaches(needed, lost)
    }
}
