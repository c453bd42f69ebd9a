//! Whether a listed word may be like another one, by what is quick to see of it.

use crate::distance::{Pattern, is_one_edit};
use crate::letters::Writing;
use crate::tally::Tally;
use crate::compound::SERVANT;
use crate::word::{Word, cost_max, cost_max_without_vowels};
use crate::words::{Shape, WordsView};

use super::keys::Of;

/// The numbers of writings with and without vowels.
const ALPHABET: u32 = Writing::Alphabet.number();
const CONSONANTS: u32 = Writing::Consonants.number();

/// A word that is held against many listed ones.
pub(super) struct Sight<'q> {
    word: Word<'q>,
    pattern: Pattern,
    letters: Tally,
}

impl<'q> Sight<'q> {
    pub(super) fn of(word: Word<'q>) -> Self {
        Self { word, pattern: Pattern::of(word.sounds), letters: Tally::of(word.text) }
    }

    /// Whether a listed word that is found by such a key may be like the word.
    pub(super) fn may_be_like(&self, listed: Shape<'_>, found_by: Of) -> bool {
        self.is_near(listed)
            | self.may_be_slip(listed, found_by)
            | self.is_other_form(listed)
            | (self.is_contracted(listed) && self.bare_consonants(listed).is_some())
    }

    /// Whether letters and sounds of a listed word that may be like the word do not speak against it.
    /// A word found by several keys is looked at once but for slips.
    pub(super) fn is_like(
        &self,
        listed: Shape<'_>,
        found_by: Of,
        words: WordsView<'_>,
        is_first: impl FnOnce() -> bool,
    ) -> bool {
        let (text, sounds) = words.spelling(listed);
        if self.may_be_slip(listed, found_by) && is_one_edit(self.word.text, text) {
            return true;
        }
        if !is_first() {
            return false;
        }
        match self.bare_consonants(listed) {
            _ if self.is_other_form(listed) => true,
            None => self.is_nearer(listed, sounds),
            Some(bare) => {
                let letters = self.letters.cost_min_without_vowels(Tally::of(text));
                self.is_near(listed) || letters <= cost_max_without_vowels(bare)
            }
        }
    }

    /// Whether their sounds do not differ too much, by how often each occurs.
    fn is_near(&self, listed: Shape<'_>) -> bool {
        let (own, other) = (self.word.tally, listed.tally());
        match self.bare_consonants(listed) {
            None => own.cost_min(other) <= self.most(listed),
            Some(bare) => own.cost_min_without_vowels(other) <= cost_max_without_vowels(bare),
        }
    }

    /// The same by the edits between them: some cost half a letter, the others a whole one.
    fn is_nearer(&self, listed: Shape<'_>, sounds: &[u8]) -> bool {
        self.is_near(listed)
            && self.pattern.edits(sounds) + self.word.tally.whole_min(listed.tally())
                <= self.most(listed)
    }

    fn most(&self, listed: Shape<'_>) -> usize {
        cost_max(self.word.text.len().max(listed.letters()))
    }

    /// How many consonants the word has that is written without vowels, if the other one is with.
    fn bare_consonants(&self, listed: Shape<'_>) -> Option<usize> {
        let [own, other] = [self.word.writing.number(), listed.writing()];
        match [own, other] {
            [CONSONANTS, ALPHABET] => Some(self.word.skeleton.len()),
            [ALPHABET, CONSONANTS] => Some(listed.consonants()),
            _ => None,
        }
    }

    /// Whether they may be forms of one name, or one with and one without the servant.
    fn is_other_form(&self, listed: Shape<'_>) -> bool {
        self.word.usual.is_some_and(|usual| usual.number() == listed.usual())
            || listed.has_master() != self.word.master().is_some()
                && self.word.text.len().abs_diff(listed.letters()) == SERVANT.len()
    }

    /// Whether a slip of the pen may have changed what sounds as one. It is found by letters.
    fn may_be_slip(&self, listed: Shape<'_>, found_by: Of) -> bool {
        found_by == Of::Letters && self.is_contracted(listed)
    }

    fn is_contracted(&self, listed: Shape<'_>) -> bool {
        self.word.is_contracted() || listed.is_contracted()
    }
}
