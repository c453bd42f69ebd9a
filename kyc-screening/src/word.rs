//! The words of names: what they weigh, and how alike two of them are.

use crate::compound::SERVANT;
use crate::distance::{distance, distance_without_vowels, is_one_edit};
use crate::hangul::{are_written, is_same_family};
use crate::letters::Writing;
use crate::rank::{Rank, TINY_BYTES_MAX};
use crate::tally::Tally;
use crate::variant::Usual;

/// Longer words are cut. The longest real ones have two thirds of it.
pub(crate) const WORD_BYTES_MAX: usize = 32;

/// What an initial is worth against a word that begins with it.
pub(crate) const INITIAL_SIMILARITY: u16 = 700;

/// What two forms of one given name are worth at least.
pub(crate) const SAME_NAME: u16 = 960;
/// What two characters are worth that are read alike.
const SAME_SYLLABLE: u16 = 900;
/// What two given names are worth at most that are known to be different.
const OTHER_NAME: u16 = 750;
/// What a servant's name is worth against the same one without the servant.
const WITHOUT_SERVANT: u16 = 850;

/// The most that a word without vowels is worth against one with vowels.
const WITHOUT_VOWELS_MAX: u16 = 960;

/// One word of a prepared name. It has no `Debug`, since it may be the applicant's.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    /// Lower-case ASCII letters and digits.
    pub(crate) text: &'a [u8],
    pub(crate) sounds: &'a [u8],
    /// What is left without vowels and differences that only romanisation makes.
    pub(crate) skeleton: &'a [u8],
    /// How often each sound occurs.
    pub(crate) tally: Tally,
    /// The usual form of a given name that has several.
    pub(crate) usual: Option<Usual>,
    pub(crate) writing: Writing,
    pub(crate) rank: Rank,
}

impl<'a> Word<'a> {
    /// What follows the servant in a servant's name.
    pub(crate) fn master(self) -> Option<&'a [u8]> {
        self.text.strip_prefix(SERVANT.as_bytes()).filter(|master| master.len() > 2)
    }

    /// Whether it is spelled with vowels and is no servant's name.
    pub(crate) fn is_spelled(self) -> bool {
        self.writing == Writing::Alphabet && self.master().is_none()
    }

    /// Whether it is written without most vowels.
    pub(crate) fn is_bare(self) -> bool {
        self.writing == Writing::Consonants
    }

    /// Whether one character stands for it.
    pub(crate) fn is_syllable(self) -> bool {
        self.writing.is_syllable()
    }

    /// The character that it is in Hangul.
    pub(crate) fn hangul(self) -> Option<char> {
        match self.writing {
            Writing::Syllable(c @ '가'..='힣') => Some(c),
            Writing::Alphabet | Writing::Consonants | Writing::Syllable(_) => None,
        }
    }

    pub(crate) fn is_initial(self) -> bool {
        self.text.len() == 1 && !self.is_syllable()
    }

    /// Whether several of its letters sound as one.
    pub(crate) fn is_contracted(self) -> bool {
        self.sounds.len() < self.text.len()
    }

    pub(crate) fn weight(self) -> u32 {
        self.rank.weight.into()
    }

    /// Whether it is left out, or another one, at will.
    pub(crate) fn is_particle(self) -> bool {
        self.rank.is_particle
    }

    /// Whether many people bear it, or it says little anyway.
    pub(crate) fn is_common(self) -> bool {
        self.rank.tells_little()
    }

    /// Whether it says who is meant, at the beginning of a name: not what is often left out there.
    pub(crate) fn is_leading(self) -> bool {
        self.is_ordinary()
            && !matches!(self.usual.map(Usual::as_str), Some("muhammad" | "sayyid" | "jose"))
            && self.text != b"maria"
    }

    pub(crate) fn is_ordinary(self) -> bool {
        self.rank.is_ordinary()
    }

    /// Whether one of the two is an initial of the other.
    pub(crate) fn is_initial_with(self, other: Word<'_>) -> bool {
        (self.is_initial() || other.is_initial())
            && self.text.first() == other.text.first()
            && self.text.len() != other.text.len()
    }

    /// How alike two words are in thousandths: 0, or at least 700. Symmetric, and 1,000 only for
    /// equal words.
    pub(crate) fn similarity(self, other: Word<'_>) -> u16 {
        self.similarity_from(0, other)
    }

    /// The same, or anything less than `least` where it is less.
    pub(crate) fn similarity_from(self, least: u16, other: Word<'_>) -> u16 {
        let spelled = self.similarity_of_spelling(least, other);
        match (self.usual, other.usual) {
            _ if spelled == 1_000 => spelled,
            (Some(one), Some(other)) if one == other => spelled.max(SAME_NAME),
            (Some(_), Some(_)) if self.writing != other.writing => 0,
            (Some(_), Some(_)) => spelled.min(OTHER_NAME),
            _ => spelled.max(self.similarity_of_servant(other)),
        }
    }

    /// The servant is left out now and then.
    fn similarity_of_servant(self, other: Word<'_>) -> u16 {
        let is_master = |one: Word<'_>, other: Word<'_>| one.master() == Some(other.text);
        if is_master(self, other) || is_master(other, self) { WITHOUT_SERVANT } else { 0 }
    }

    fn similarity_of_spelling(self, least: u16, other: Word<'_>) -> u16 {
        match (self.writing, other.writing) {
            (Writing::Syllable(one), Writing::Syllable(another)) if one != another => {
                return self.similarity_of_syllables(other);
            }
            (Writing::Syllable(c), Writing::Alphabet) => {
                return self.similarity_of_syllable(c, other);
            }
            (Writing::Alphabet, Writing::Syllable(c)) => {
                return other.similarity_of_syllable(c, self);
            }
            (Writing::Consonants, Writing::Alphabet) => return self.similarity_to_full(other),
            (Writing::Alphabet, Writing::Consonants) => return other.similarity_to_full(self),
            _ => {}
        }
        if self.text == other.text {
            return 1_000;
        }
        let length = self.text.len().max(other.text.len());
        let most = cost_max(length).min(cost_from(least, length));
        // A slip of the pen falls on letters, and may make or break what sounds as one.
        let is_slip = || {
            most >= SLIP
                && (self.is_contracted() || other.is_contracted())
                && is_one_edit(self.text, other.text)
        };
        if length == TINY_BYTES_MAX && !self.is_like_tiny(other) {
            return 0;
        }
        let is_near = self.tally.cost_min(other.tally) <= most;
        let cost = is_near.then(|| distance(self.sounds, other.sounds, most)).flatten();
        let cost = cost.into_iter().chain(is_slip().then_some(SLIP)).min();
        let cost = cost
            .map(|cost| cost + usize::from(self.is_other_gender(other)))
            .filter(|cost| *cost <= most);
        cost.map_or(0, |cost| u16::try_from(1_000 - 500 * cost / length).unwrap_or(0).min(990))
    }

    /// Both are syllables, and not the same character.
    fn similarity_of_syllables(self, other: Word<'_>) -> u16 {
        match (self.hangul(), other.hangul()) {
            (Some(one), Some(other)) if is_same_family(one, other) => SAME_NAME,
            // Han has several characters for one syllable of a name.
            (None, None) if self.text == other.text => SAME_SYLLABLE,
            _ => 0,
        }
    }

    /// This word is one syllable of Han or Hangul, the other one is spelled. Syllables are so short that
    /// most are alike by chance.
    fn similarity_of_syllable(self, syllable: char, other: Word<'_>) -> u16 {
        if self.text == other.text {
            1_000
        } else if self.sounds == other.sounds {
            990
        } else if are_written(&[syllable], other.text) {
            SAME_NAME
        } else {
            0
        }
    }

    /// Whether in two words of two letters nothing but one consonant is spelled otherwise (`Xi`, `Si`).
    fn is_like_tiny(self, other: Word<'_>) -> bool {
        let last = |word: Word<'_>| word.sounds.get(1).copied();
        last(self).is_some()
            && last(self) == last(other)
            && !self.skeleton.is_empty()
            && self.skeleton == other.skeleton
    }

    /// Whether they end as a man's and a woman's name do in Romance languages (`Mario`, `Maria`).
    fn is_other_gender(self, other: Word<'_>) -> bool {
        matches!(
            (self.sounds.last(), other.sounds.last()),
            (Some(b'o'), Some(b'a')) | (Some(b'a'), Some(b'o'))
        )
    }

    /// This word is written without vowels, the other one with.
    fn similarity_to_full(self, full: Word<'_>) -> u16 {
        let bare = self.sounds;
        let length = bare.len().max(full.sounds.len());
        let most = cost_max_without_vowels(self.skeleton.len());
        let is_near = self.tally.cost_min_without_vowels(full.tally) <= most;
        let mut cost = is_near.then(|| distance_without_vowels(bare, full.sounds, most)).flatten();
        if self.is_contracted() {
            // Vowels that are not written may stand between what sounds as one.
            let letters = distance_without_vowels(self.text, full.text, most);
            cost = cost.into_iter().chain(letters).min();
        }
        cost.map_or(0, |cost| {
            u16::try_from(1_000 - 500 * cost / length).unwrap_or(0).min(WITHOUT_VOWELS_MAX)
        })
    }
}

/// Whether all are syllables of Hangul.
pub(crate) fn are_hangul(words: &[Word<'_>]) -> bool {
    words.iter().all(|word| word.hangul().is_some())
}

/// What one other letter costs, in half letters.
pub(crate) const SLIP: usize = 2;

/// What may differ in a word of so many letters, in half letters. Up to four one matter of spelling;
/// longer ones may differ in a quarter of their letters.
pub(crate) fn cost_max(long: usize) -> usize {
    match long {
        0..=1 => 0,
        2..=4 => 1,
        _ => long / 2,
    }
}

/// The same in a word that is written without vowels, by its consonants.
pub(crate) fn cost_max_without_vowels(consonants: usize) -> usize {
    (consonants / 2).max(1)
}

/// What may differ in a word of so many letters that is this similar.
pub(crate) fn cost_from(similarity: u16, long: usize) -> usize {
    (long * (1_001 - usize::from(similarity)) - 1) / 500
}

/// Words of one name are joined from this length on, and only compared with words that are as long;
/// shorter ones would meet by chance.
pub(crate) const JOINED_BYTES_MIN: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::tests::{like_words, words_of_one};

    fn similarity(one: &str, other: &str) -> u16 {
        let words = [one, other].map(|text| words_of_one(&(text.to_owned(), Writing::Alphabet)));
        let [one, other] = words.each_ref().map(|words| words.view().get(0).unwrap());
        one.similarity(other)
    }

    #[test]
    fn words_of_two_letters_are_alike_in_one_consonant_alone() {
        assert!(similarity("xi", "si") >= 700);
        for other in ["le", "ni", "il", "l"] {
            assert_eq!(similarity("li", other), 0, "{other}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_may_make_another_sound() {
        assert!(similarity("khashoggi", "khashogci") >= 700);
        assert_eq!(similarity("karim", "salem"), 0);
    }

    #[test]
    fn what_may_differ_grows_with_the_word() {
        let most = [0, 1, 2, 4, 5, 8, 32].map(cost_max);
        assert_eq!(most, [0, 0, 1, 1, 2, 4, 16]);
        assert_eq!([0, 3, 4, 7].map(cost_max_without_vowels), [1, 1, 2, 3]);
        for long in 1..=WORD_BYTES_MAX {
            for similarity in 0..=1_000 {
                let reached = |cost| 1_000 - 500 * cost / long >= usize::from(similarity);
                let most = cost_from(similarity, long);
                assert!(reached(most.min(2 * long)) && (most >= 2 * long || !reached(most + 1)));
            }
        }
    }

    proptest! {
        #[test]
        fn similarity_is_the_same_from_either_side(words in like_words()) {
            let words = words.each_ref().map(words_of_one);
            let [one, other] = words.each_ref().map(|words| words.view().get(0).unwrap());
            prop_assert_eq!(one.similarity(other), other.similarity(one));
            prop_assert_eq!(one.similarity(one), 1_000);
        }
    }

    /// The property above has no syllables that are read as they should be.
    #[test]
    fn syllables_are_alike_from_either_side() {
        let word = |text: &str, writing| words_of_one(&(text.to_owned(), writing));
        let words = [
            word("han", Writing::Syllable('韓')),
            word("han", Writing::Syllable('한')),
            word("han", Writing::Syllable('漢')),
            word("i", Writing::Syllable('이')),
            word("ri", Writing::Syllable('리')),
            word("lee", Writing::Alphabet),
            word("i", Writing::Alphabet),
            word("mhmd", Writing::Consonants),
            word("mohamed", Writing::Alphabet),
        ];
        let words: Vec<Word<'_>> = words.iter().map(|word| word.view().get(0).unwrap()).collect();
        let expected: [(usize, usize, u16); 6] =
            [(0, 2, 900), (3, 4, 960), (3, 5, 960), (4, 5, 960), (3, 6, 1_000), (4, 6, 960)];
        for (at, one) in words.iter().enumerate().take(7) {
            for (other_at, other) in words.iter().enumerate().take(7).skip(at + 1) {
                let expected = expected.iter().find(|pair| (pair.0, pair.1) == (at, other_at));
                let expected = expected.map_or(0, |(_, _, similarity)| *similarity);
                assert_eq!(one.similarity(*other), expected, "{at} {other_at}");
                assert_eq!(other.similarity(*one), expected, "{other_at} {at}");
            }
        }
        assert!(words[7].similarity(words[8]) > 700 && words[8].similarity(words[7]) > 700);
    }
}
