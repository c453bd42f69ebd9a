//! Whether a listed word may be like one of the search, by what is quick to see of it.

use crate::compound::SERVANT;
use crate::distance::{Pattern, is_one_edit};
use crate::letters::Writing;
use crate::tally::Tally;
use crate::word::{Word, cost_max, cost_max_without_vowels};
use crate::words::Shape;

use super::group::{Gist, Group};
use super::keep::keep;
use super::keys::Of;

const ALPHABET: u32 = Writing::Alphabet.number();
const CONSONANTS: u32 = Writing::Consonants.number();

/// A word of the search, ready to be held against many listed ones.
///
/// Nothing here turns away a word that [`Word::similarity`] finds alike, but for slips of the pen and
/// forms of a name that are found by another key.
pub(super) struct Sight<'q> {
    word: Word<'q>,
    pattern: Pattern,
    letters: Tally,
    writing: u32,
    is_contracted: bool,
    has_master: bool,
    /// Whether it is spelled with vowels and has no servant.
    pub(super) is_spelled: bool,
}

impl<'q> Sight<'q> {
    pub(super) fn of(word: Word<'q>) -> Self {
        Self {
            word,
            pattern: Pattern::of(word.sounds),
            letters: Tally::of(word.text),
            writing: word.writing.number(),
            is_contracted: word.is_contracted(),
            has_master: word.master().is_some(),
            is_spelled: word.is_spelled(),
        }
    }

    /// Collects the words of a group that may be alike, by what is seen of them without looking there: for
    /// a word that [is spelled](Self::is_spelled). Other forms of a name are found by another key.
    pub(super) fn keep_near(&self, group: Group<'_>, near: &mut Vec<(u32, Of)>) {
        let [most, ..] = cost_max(self.word.text.len()).to_le_bytes();
        let is_near = |gist: &[u8; Gist::BYTES]| {
            let gist = Gist::of_bytes(*gist);
            self.word.tally.cost_min(gist.tally) <= usize::from(most.max(gist.cost_max))
        };
        let number = |at: usize| group.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        keep(near, group.gists, is_near, |at, _| (number(at), Of::Skeleton));
    }

    /// Whether a listed word that is found by such a key may be alike, by its shape.
    pub(super) fn may_be_like(&self, listed: Shape<'_>, found_by: Of) -> bool {
        // Most words have one form, which is spelled with vowels.
        let is_plain = self.is_spelled && self.word.usual.is_none();
        if is_plain && listed.is_spelled() {
            return self.is_tally_near(listed) | self.may_be_slip(listed, found_by);
        }
        // All are worked out, though one is enough: a branch would cost more.
        self.is_near(listed)
            | self.may_be_slip(listed, found_by)
            | self.is_other_form(listed)
            | (self.is_contracted(listed) && self.bare_consonants(listed).is_some())
    }

    /// Whether a listed word, whose letters are these, differs in one of them, and so maybe in several
    /// sounds. It is found by letters.
    pub(super) fn is_slip(&self, listed: Shape<'_>, text: &[u8], found_by: Of) -> bool {
        self.may_be_slip(listed, found_by) && is_one_edit(self.word.text, text)
    }

    /// Whether a listed word with these letters and sounds may be alike, other than by a slip. The answer
    /// takes longer than those from its shape or gist.
    pub(super) fn is_like(&self, listed: Shape<'_>, (text, sounds): (&[u8], &[u8])) -> bool {
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
            None => self.is_tally_near(listed),
            Some(bare) => own.cost_min_without_vowels(other) <= cost_max_without_vowels(bare),
        }
    }

    fn is_tally_near(&self, listed: Shape<'_>) -> bool {
        self.word.tally.cost_min(listed.tally()) <= self.most(listed)
    }

    /// The same by the edits between them: some cost half a letter, the others a whole one.
    fn is_nearer(&self, listed: Shape<'_>, sounds: &[u8]) -> bool {
        let whole = self.word.tally.whole_min(listed.tally());
        self.pattern.edits(sounds) + whole <= self.most(listed)
    }

    fn most(&self, listed: Shape<'_>) -> usize {
        cost_max(self.word.text.len().max(listed.letters()))
    }

    /// How many consonants the word has that is written without vowels, if the other one is with.
    fn bare_consonants(&self, listed: Shape<'_>) -> Option<usize> {
        match [self.writing, listed.writing()] {
            [CONSONANTS, ALPHABET] => Some(self.word.skeleton.len()),
            [ALPHABET, CONSONANTS] => Some(listed.consonants()),
            _ => None,
        }
    }

    /// Whether they may be forms of one name, one with and one without the servant, or romanisations of
    /// one syllable.
    fn is_other_form(&self, listed: Shape<'_>) -> bool {
        let is_form = self.word.usual.is_some_and(|usual| usual.number() == listed.usual())
            || self.writing.max(listed.writing()) > CONSONANTS;
        let is_servant = self.has_master || listed.has_master();
        is_form || is_servant && self.word.text.len().abs_diff(listed.letters()) == SERVANT.len()
    }

    fn may_be_slip(&self, listed: Shape<'_>, found_by: Of) -> bool {
        found_by == Of::Letters && self.is_contracted(listed)
    }

    fn is_contracted(&self, listed: Shape<'_>) -> bool {
        self.is_contracted || listed.is_contracted()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::Words;
    use crate::words::tests::{like_words, words_of_one};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn words_that_are_alike_are_not_turned_away(words in like_words()) {
            let words = words.each_ref().map(words_of_one);
            let [one, other] = words.each_ref().map(Words::view);
            let (word, listed) = (one.get(0).unwrap(), other.get(0).unwrap());
            let (sight, shape) = (Sight::of(word), other.shape(0).unwrap());
            let is_slip = sight.is_slip(shape, listed.text, Of::Letters);
            let is_form = word.usual.is_some() && word.usual == listed.usual;
            if sight.is_spelled && word.similarity(listed) > 0 {
                let (mut near, gists) = (Vec::new(), [Gist::of(listed).to_bytes()]);
                sight.keep_near(Group { first: 7, gists: &gists }, &mut near);
                prop_assert!(is_slip || is_form || near == [(7, Of::Skeleton)]);
            }
            let is_like = sight.may_be_like(shape, Of::Sounds)
                && sight.is_like(shape, (listed.text, listed.sounds));
            if word.similarity(listed) > 0 {
                prop_assert!(is_slip || is_like);
            }
            prop_assert!(!is_slip || sight.may_be_like(shape, Of::Letters));
        }
    }
}
