//! Two names side by side: which words answer to each other, and how good that is.

use std::cmp::Reverse;

use kyc_core::Score;

use crate::doubt::{Deductions, deductions};
use crate::explanation::{Deduction, Missing, lowered};
use crate::letters::Writing;
use crate::name::NameKey;
use crate::options::score;
use crate::pair::Pair;
use crate::word::Word;

/// The best pairing of the words of two names.
///
/// The score is the similarity of the paired words, weighted by [`Word::weight`]. Words without a
/// partner count against it: those of the name with fewer of them more than once, because then
/// *both* names have something that the other lacks, unless it is a particle or title; those of the
/// other name less than once, because lists often know more names of a person than are in daily use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alignment {
    score: u16,
    is_exact: bool,
    ordinary_pairs: u32,
    /// What the words without a partner weigh in either name.
    missing: [Missing; 2],
    deductions: Deductions,
}

/// Percent of the weight of words without a partner.
const MISSING_ON_BOTH_SIDES: u32 = 200;
const MISSING_ON_ONE_SIDE: u32 = 35;

impl Alignment {
    pub(crate) fn of(one: &NameKey, other: &NameKey) -> Self {
        Self::with_pairs(one, other).0
    }

    /// The alignment, and the pairs of words that it rests on.
    pub(crate) fn with_pairs(one: &NameKey, other: &NameKey) -> (Self, Vec<Pair>) {
        let mut pairs = Vec::new();
        for (at, word) in one.words().iter().enumerate() {
            for (other_at, other_word) in other.words().iter().enumerate() {
                let (left, right) = ((at, word), (other_at, other_word));
                if word.is_initial_with(other_word) {
                    pairs.push(Pair::of_initial(left, right));
                    continue;
                }
                match word.similarity(other_word) {
                    0 => {}
                    similarity => pairs.push(Pair::of_words(left, right, similarity)),
                }
            }
        }
        let (one, other): (Vec<_>, Vec<_>) =
            (one.words().iter().collect(), other.words().iter().collect());
        pairs.extend(Pair::joined(&one, &other));
        pairs.extend(Pair::joined(&other, &one).into_iter().map(Pair::turned));
        let alignment = Self::from_pairs(&mut pairs, &one, &other);
        (alignment, pairs)
    }

    /// The best alignment with these pairs, of which only the chosen ones remain.
    pub(crate) fn from_pairs(pairs: &mut Vec<Pair>, one: &[Word<'_>], other: &[Word<'_>]) -> Self {
        // A fixed order makes ties fall alike, so that the score is symmetric.
        if spelling(other).lt(spelling(one)) {
            turn(pairs);
            let turned = Self::in_order(pairs, other, one);
            turn(pairs);
            let [missing_other, missing_one] = turned.missing;
            return Self { missing: [missing_one, missing_other], ..turned };
        }
        Self::in_order(pairs, one, other)
    }

    fn in_order(pairs: &mut Vec<Pair>, one: &[Word<'_>], other: &[Word<'_>]) -> Self {
        let has_joined = pairs.iter().any(Pair::is_joined);
        let mut otherwise = if has_joined { pairs.clone() } else { Vec::new() };
        choose(pairs, First::Single);
        let single = Self::of_chosen(pairs, one, other);
        if !has_joined {
            return single;
        }
        choose(&mut otherwise, First::Joined);
        let joined = Self::of_chosen(&otherwise, one, other);
        if joined.score <= single.score {
            return single;
        }
        *pairs = otherwise;
        joined
    }

    fn of_chosen(chosen: &[Pair], one: &[Word<'_>], other: &[Word<'_>]) -> Self {
        let sum = |part: fn(&Pair) -> u32| chosen.iter().map(part).sum::<u32>();
        let weight = |words: &[Word<'_>]| words.iter().map(|word| word.weight()).sum::<u32>();
        let paired = [
            chosen.iter().fold(0, |places, pair| places | pair.one),
            chosen.iter().fold(0, |places, pair| places | pair.other),
        ];
        let missing = [
            missing(weight(one) - sum(|pair| pair.one_weight), paired[0], one),
            missing(weight(other) - sum(|pair| pair.other_weight), paired[1], other),
        ];
        let ordinary_pairs = sum(|pair| pair.ordinary);
        let is_same = !chosen.is_empty() && chosen.iter().all(|pair| pair.similarity == 1_000);
        let deductions = deductions(chosen, [one, other], paired, missing);
        let full = ratio(sum(Pair::value), sum(Pair::weight), missing);
        Self {
            score: lowered(full, deductions.iter().flatten()),
            is_exact: is_same && missing.iter().all(|missing| missing.words == 0),
            ordinary_pairs,
            missing,
            deductions,
        }
    }

    /// What the words without a partner weigh in either name.
    pub(crate) fn missing(self) -> [Missing; 2] {
        self.missing
    }

    pub(crate) fn deductions(self) -> impl Iterator<Item = Deduction> {
        self.deductions.into_iter().flatten()
    }

    pub(crate) fn score(self) -> Score {
        score(self.score)
    }

    /// Whether every word answers to an equal one, but for particles.
    pub(crate) fn is_exact(self) -> bool {
        self.is_exact
    }

    /// How many ordinary words answer to each other.
    pub(crate) fn ordinary_pairs(self) -> u32 {
        self.ordinary_pairs
    }
}

/// What words without a partner weigh, all in all `weight`.
fn missing(weight: u32, paired: u32, words: &[Word<'_>]) -> Missing {
    let words = words.iter().enumerate();
    let is_missing =
        |(at, word): &(usize, &Word<'_>)| word.is_particle() && paired & (1 << at) == 0;
    let particles = words.filter(is_missing).map(|(_, word)| word.weight()).sum();
    Missing { words: weight.saturating_sub(particles), particles }
}

/// The score of pairs that weigh `covered`, both sides counted, and are worth `value`.
pub(crate) fn ratio(value: u32, covered: u32, missing: [Missing; 2]) -> u32 {
    (100 * value).checked_div(whole(covered, missing)).unwrap_or(0)
}

/// What pairs would have to be worth that everything is paired with its equal, in hundredths.
fn whole(covered: u32, [one, other]: [Missing; 2]) -> u32 {
    let both_sides = one.words.min(other.words) * MISSING_ON_BOTH_SIDES;
    let one_side = one.sum().max(other.sum()) * MISSING_ON_ONE_SIDE;
    // Doubled, since `covered` counts every pair on both sides.
    100 * covered + 2 * (both_sides + one_side)
}

/// What of two names may be paired at most.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Of the weight of either name.
    pub(crate) covered: [u32; 2],
    pub(crate) weights: [u32; 2],
    /// How many words that say something.
    pub(crate) telling: u32,
    /// Whether two words that say something may be equal.
    pub(crate) has_equal: bool,
    /// Whether many people bear every word that may be paired.
    pub(crate) are_common: bool,
}

impl Reach {
    /// What they are worth at most. No particle may be among what is not covered.
    pub(crate) fn worth_max(self) -> Worth {
        let Self { covered: [one, other], weights: [one_weight, other_weight], .. } = self;
        let missing = |weight: u32, covered: u32| Missing {
            words: weight.saturating_sub(covered),
            particles: 0,
        };
        let missing = [missing(one_weight, one), missing(other_weight, other)];
        let is_whole = missing == [Missing::default(); 2];
        let deductions = [
            (self.telling < 2 && !is_whole).then_some(Deduction::OneWord),
            (!self.has_equal).then_some(Deduction::NothingEqual),
            (self.are_common && !is_whole).then_some(Deduction::CommonNames),
        ];
        // What remains of a deduction is never taken for less than it is.
        let percent = deductions.iter().flatten().fold(100, |percent, deduction: &Deduction| {
            (percent * deduction.percent()).div_ceil(100)
        });
        let both = one + other;
        Worth { value: both * 1_000, percent, whole: whole(both, missing) }
    }
}

/// A score as a fraction, which can be held against what is needed without dividing.
#[derive(Clone, Copy, Default)]
pub(crate) struct Worth {
    /// What the pairs are worth.
    value: u32,
    /// What deductions leave of it.
    percent: u32,
    whole: u32,
}

impl Worth {
    /// The most that may be needed after pairs have lost some value: what it [`reaches`](Self::reaches).
    pub(crate) fn needed_max(self, lost: u32) -> u16 {
        let value = self.value.saturating_sub(lost) * self.percent;
        value.checked_div(self.whole).and_then(|most| u16::try_from(most).ok()).unwrap_or(u16::MAX)
    }

    /// Whether it is as much as is needed after pairs have lost some value.
    pub(crate) fn reaches(self, needed: u16, lost: u32) -> bool {
        self.value.saturating_sub(lost) * self.percent >= u32::from(needed) * self.whole
    }
}

/// What tells the words of one name from those of another.
fn spelling<'n>(words: &'n [Word<'_>]) -> impl Iterator<Item = (&'n [u8], Writing)> {
    words.iter().map(|word| (word.text, word.writing))
}

fn turn(pairs: &mut [Pair]) {
    for pair in pairs {
        *pair = pair.turned();
    }
}

/// What is taken first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Single,
    Joined,
}

/// Leaves a good set of pairs that share no word: the most similar pair is taken again and again, so
/// equal words always find each other.
fn choose(pairs: &mut Vec<Pair>, first: First) {
    pairs.sort_unstable_by_key(|pair| {
        let is_later = pair.is_joined() != (first == First::Joined);
        (is_later, Reverse((pair.similarity, pair.weight())), pair.one, pair.other)
    });
    let (mut one, mut other) = (0, 0);
    pairs.retain(|pair| {
        let is_free = one & pair.one == 0 && other & pair.other == 0;
        if is_free {
            one |= pair.one;
            other |= pair.other;
        }
        is_free
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_may_be_needed_is_what_is_reached(
            covered in [0..60_u32, 0..60_u32],
            missing in [0..60_u32, 0..60_u32],
            telling in 0..3_u32,
            has_equal: bool,
            are_common: bool,
            lost in 0..60_000_u32,
            needed in 0..=1_000_u16,
        ) {
            let [one, other] = covered;
            let weights = [one + missing[0], other + missing[1]];
            let worth = Reach { covered, weights, telling, has_equal, are_common }.worth_max();
            prop_assert_eq!(worth.reaches(needed, lost), needed <= worth.needed_max(lost));
        }
    }
}
