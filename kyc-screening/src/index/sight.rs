//! Whether a listed word may be like another one, by what is quick to see of it.

use crate::distance::{Pattern, is_one_edit};
use crate::letters::Writing;
use crate::word::{Word, cost_max, cost_max_without_vowels};
use crate::words::{Shape, WordsView};

use super::keys::Of;

/// A word that is held against many listed ones.
pub(super) struct Sight<'q> {
    word: Word<'q>,
    pattern: Pattern,
}

impl<'q> Sight<'q> {
    pub(super) fn of(word: Word<'q>) -> Self {
        Self { word, pattern: Pattern::of(word.sounds) }
    }

    /// Whether a listed word that is found by such a key may be like the word.
    pub(super) fn may_be_like(&self, listed: Shape<'_>, found_by: Of) -> bool {
        self.is_near(listed)
            | self.may_be_slip(listed, found_by)
            | self.may_be_like_otherwise(listed)
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
        self.may_be_like_otherwise(listed)
            || self.is_near(listed) && (self.is_bare_beside(listed) || self.is_nearer(listed, sounds))
    }

    /// Whether their sounds do not differ too much, by how often each occurs.
    fn is_near(&self, listed: Shape<'_>) -> bool {
        let (own, other) = (self.word.tally, listed.tally());
        if self.is_bare_beside(listed) {
            let bare = if self.word.is_alphabetic() { listed.consonants() } else { self.word.skeleton.len() };
            return own.cost_min_without_vowels(other) <= cost_max_without_vowels(bare);
        }
        own.cost_min(other) <= self.most(listed)
    }

    /// The same by the edits between them: some cost half a letter, the others a whole one.
    fn is_nearer(&self, listed: Shape<'_>, sounds: &[u8]) -> bool {
        self.pattern.edits(sounds) + self.word.tally.whole_min(listed.tally()) <= self.most(listed)
    }

    fn most(&self, listed: Shape<'_>) -> usize {
        cost_max(self.word.text.len().max(listed.letters()))
    }

    /// Whether one of the two is written without vowels, the other one with.
    fn is_bare_beside(&self, listed: Shape<'_>) -> bool {
        let bare = Writing::Consonants.number();
        let full = Writing::Alphabet.number();
        [self.word.writing.number(), listed.writing()] == [bare, full]
            || [self.word.writing.number(), listed.writing()] == [full, bare]
    }

    /// Whether they may be alike whatever their sounds.
    fn may_be_like_otherwise(&self, listed: Shape<'_>) -> bool {
        self.word.usual.is_some_and(|usual| usual.number() == listed.usual())
            || listed.has_master() != self.word.master().is_some()
            || self.is_bare_beside(listed) && (self.word.is_contracted() || listed.is_contracted())
    }

    /// Whether a slip of the pen may have changed what sounds as one. It is found by letters.
    fn may_be_slip(&self, listed: Shape<'_>, found_by: Of) -> bool {
        found_by == Of::Letters && (self.word.is_contracted() || listed.is_contracted())
    }
}
