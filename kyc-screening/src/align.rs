//! Two names side by side: which words answer to each other, and how good that is.

use std::cmp::Reverse;

use kyc_core::Score;

use crate::explanation::{Deduction, lowered};
use crate::letters::Writing;
use crate::name::NameKey;
use crate::options::score;
use crate::pair::Pair;
use crate::word::{MINOR, ORDINARY, Word};

/// The best pairing of the words of two names.
///
/// The score is the similarity of the paired words, weighted by [`Word::weight`]. Words without a
/// partner count against it: those of the name with fewer of them more than once, because then
/// *both* names have something that the other lacks; those of the other name less than once,
/// because lists often know more names of a person than are in daily use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alignment {
    score: u16,
    is_exact: bool,
    ordinary_pairs: u32,
    /// What the words without a partner weigh in either name.
    missing: [u32; 2],
    deductions: [Option<Deduction>; 4],
}

/// Percent of the weight of words without a partner.
const MISSING_ON_BOTH_SIDES: u32 = 180;
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
        let missing = [
            weight(one) - sum(|pair| pair.one_weight),
            weight(other) - sum(|pair| pair.other_weight),
        ];
        let ordinary_pairs = sum(|pair| pair.ordinary);
        let is_same = !chosen.is_empty() && chosen.iter().all(|pair| pair.similarity == 1_000);
        let is_thin = ordinary_pairs == 0 || sum(|pair| pair.telling) < 2;
        let is_identical = is_same && missing == [0, 0];
        let (left, right) = (Side::of(chosen, one), Side::of_other(chosen, other));
        let has_child = left.is_child_of(right) || right.is_child_of(left);
        let has_other_initial = left.has_other_initial(right) || right.has_other_initial(left);
        let deductions = [
            (is_thin && !is_identical).then_some(Deduction::OneWord),
            has_child.then_some(Deduction::ParentAndChild),
            has_other_initial.then_some(Deduction::OtherInitial),
            is_turned(chosen, one, other).then_some(Deduction::TurnedPatronymic),
        ];
        let full = ratio(sum(Pair::value), sum(Pair::weight), missing);
        Self {
            score: lowered(full, deductions.iter().flatten()),
            is_exact: is_same && missing.iter().all(|missing| *missing < ORDINARY.into()),
            ordinary_pairs,
            missing,
            deductions,
        }
    }

    /// What the words without a partner weigh in either name.
    pub(crate) fn missing(self) -> [u32; 2] {
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

/// The score of pairs that weigh `covered`, both sides counted, and are worth `value`.
pub(crate) fn ratio(value: u32, covered: u32, missing: [u32; 2]) -> u32 {
    (100 * value).checked_div(whole(covered, missing)).unwrap_or(0)
}

/// What pairs would have to be worth that everything is paired with its equal, in hundredths.
fn whole(covered: u32, missing: [u32; 2]) -> u32 {
    let [missing_one, missing_other] = missing;
    let both_sides = missing_one.min(missing_other) * MISSING_ON_BOTH_SIDES;
    let one_side = missing_one.max(missing_other) * MISSING_ON_ONE_SIDE;
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
}

impl Reach {
    /// Whether a word of this weight says something.
    pub(crate) fn is_telling(weight: u8) -> bool {
        weight > MINOR
    }
}

/// What two names are worth at most of which no more can be paired.
pub(crate) fn worth_max(reach: Reach) -> Worth {
    let Reach { covered: [one, other], weights: [one_weight, other_weight], telling } = reach;
    let both = one + other;
    let missing = [one_weight.saturating_sub(one), other_weight.saturating_sub(other)];
    let is_thin = telling < 2 && missing != [0, 0];
    let percent = if is_thin { Deduction::OneWord.percent() } else { 100 };
    Worth { value: both * 1_000, percent, whole: whole(both, missing) }
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
    /// Whether it is as much as is needed after pairs have lost some value.
    pub(crate) fn reaches(self, needed: u16, lost: u32) -> bool {
        self.value.saturating_sub(lost) * self.percent >= u32::from(needed) * self.whole
    }
}

/// One name of an alignment: which of its words that say something have a partner.
#[derive(Clone, Copy)]
struct Side {
    /// Its first such word has one.
    leads: bool,
    /// All of them have one.
    is_whole: bool,
    /// An initial has none.
    has_initial: bool,
}

impl Side {
    fn of(chosen: &[Pair], words: &[Word<'_>]) -> Self {
        Self::new(chosen.iter().fold(0, |places, pair| places | pair.one), words)
    }

    fn of_other(chosen: &[Pair], words: &[Word<'_>]) -> Self {
        Self::new(chosen.iter().fold(0, |places, pair| places | pair.other), words)
    }

    fn new(paired: u32, words: &[Word<'_>]) -> Self {
        let mut telling = words.iter().enumerate().filter(|(_, word)| word.is_leading());
        let is_paired = |(at, _): (usize, &Word<'_>)| paired & (1 << at) != 0;
        let is_whole = telling.clone().all(is_paired);
        let mut words = words.iter().enumerate();
        let has_initial = words.any(|word| word.1.is_initial() && !is_paired(word));
        Self { leads: telling.next().is_none_or(is_paired), is_whole, has_initial }
    }

    fn has_other_initial(self, other: Self) -> bool {
        self.has_initial && (other.has_initial || !other.is_whole)
    }

    /// Whether it names one person more, before all that the other one names.
    fn is_child_of(self, other: Self) -> bool {
        !self.leads && other.is_whole
    }
}

/// Whether the words around a patronymic particle have changed places.
fn is_turned(chosen: &[Pair], one: &[Word<'_>], other: &[Word<'_>]) -> bool {
    let around = |words: &[Word<'_>]| {
        let at = words.iter().position(|word| word.text == b"bin")?;
        (at > 0 && at + 1 < words.len()).then(|| (1_u32 << (at - 1), 1_u32 << (at + 1)))
    };
    let (Some((son, father)), Some((other_son, other_father))) = (around(one), around(other))
    else {
        return false;
    };
    let is_pair = |left, right| chosen.iter().any(|pair| pair.one == left && pair.other == right);
    is_pair(son, other_father) && is_pair(father, other_son)
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
