//! Two names side by side: which words answer to each other, and how good that is.

use std::cmp::Reverse;

use kyc_core::Score;

use crate::name::NameKey;
use crate::options::score;
use crate::pair::{JOINED_MAX, Pair};
use crate::word::ORDINARY;

/// The best pairing of the words of two names.
///
/// The score is the similarity of the paired words, weighted by [`Word::weight`], where words
/// without a partner count as follows: those of the name with fewer of them one and a half times,
/// because then *both* names have something that the other lacks, those of the other name four
/// tenths, because lists often know more names of a person than are in daily use. Where names
/// differ and a single word, or only initials, answer to each other, 15 % are taken off.
///
/// [`Word::weight`]: crate::word::Word::weight
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alignment {
    score: u16,
    is_exact: bool,
    ordinary_pairs: u32,
}

/// Tenths of the weight of words without a partner.
const MISSING_ON_BOTH_SIDES: u32 = 15;
const MISSING_ON_ONE_SIDE: u32 = 4;

/// Percent of the score that remains when a single word answers to another, or only initials.
const THIN_PERCENT: u32 = 85;

/// Up to this many words on the shorter side the best pairing is found, beyond it a good one.
const BEST_PAIRING_MAX: usize = 8;

impl Alignment {
    pub(crate) fn of(one: &NameKey, other: &NameKey) -> Self {
        // A fixed order makes ties fall alike, so that the score is symmetric.
        let is_ordered = (one.words().len(), one) <= (other.words().len(), other);
        let (short, long) = if is_ordered { (one, other) } else { (other, one) };
        let pairs = Pair::all(long.words(), short.words());
        let chosen = if short.words().len() <= BEST_PAIRING_MAX {
            best(&pairs, long.words().len(), short.words().len())
        } else {
            greedy(&pairs)
        };
        Self::from_pairs(&chosen, long.weight(), short.weight())
    }

    fn from_pairs(chosen: &[&Pair<'_>], long_weight: u32, short_weight: u32) -> Self {
        let sum = |part: fn(&Pair<'_>) -> u32| chosen.iter().map(|pair| part(pair)).sum::<u32>();
        let missing_long = long_weight - sum(|pair| pair.long_weight);
        let missing_short = short_weight - sum(|pair| pair.short_weight);
        let ordinary_pairs = sum(|pair| pair.ordinary);
        let is_same = !chosen.is_empty() && chosen.iter().all(|pair| pair.similarity == 1_000);
        let is_thin = ordinary_pairs == 0 || sum(|pair| pair.telling) < 2;
        let is_identical = is_same && missing_long + missing_short == 0;
        let (value, covered) = chosen
            .iter()
            .fold((0, 0), |(value, covered), pair| (value + pair.value(), covered + pair.weight()));
        let full = ratio(value, covered, missing_long, missing_short);
        let score = if is_thin && !is_identical { full * THIN_PERCENT / 100 } else { full };
        Self {
            score: u16::try_from(score).unwrap_or(1_000),
            is_exact: is_same && missing_long.max(missing_short) < ORDINARY,
            ordinary_pairs,
        }
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
fn ratio(value: u32, covered: u32, missing_one: u32, missing_other: u32) -> u32 {
    let both_sides = missing_one.min(missing_other) * MISSING_ON_BOTH_SIDES;
    let one_side = missing_one.max(missing_other) * MISSING_ON_ONE_SIDE;
    // Doubled, since `covered` counts every pair on both sides.
    let whole = 10 * covered + 2 * (both_sides + one_side);
    (10 * value).checked_div(whole).unwrap_or(0)
}

/// The best score of names of these weights when at most `covered` of each can be paired.
pub(crate) fn score_max(covered: [u32; 2], weights: [u32; 2]) -> u32 {
    let [one, other] = covered;
    let [one_weight, other_weight] = weights;
    let both = one + other;
    ratio(both * 1_000, both, one_weight.saturating_sub(one), other_weight.saturating_sub(other))
}

/// The pairs of greatest value that share no word, found by dynamic programming: for every place
/// in the long name, for every set of used words of the short one.
fn best<'p, 'n>(pairs: &'p [Pair<'n>], long: usize, short: usize) -> Vec<&'p Pair<'n>> {
    let mut table = Table { sets: 1 << short, values: vec![0; (long + JOINED_MAX) << short] };
    for at in (0..long).rev() {
        table.fill(at, starting_at(pairs, at));
    }
    let mut chosen = Vec::new();
    let (mut at, mut used) = (0, 0);
    while at < long {
        let value = table.value(at, used);
        let is_best = |pair: &&Pair<'_>| table.value_with(pair, used) == value;
        match starting_at(pairs, at).iter().find(is_best) {
            Some(pair) if value > table.value(at + 1, used) => {
                chosen.push(pair);
                used |= pair.short.mask();
                at = pair.long.end();
            }
            Some(_) | None => at += 1,
        }
    }
    chosen
}

/// The most that the words from one place on can add, once some words of the short name are used.
struct Table {
    sets: usize,
    values: Vec<u32>,
}

impl Table {
    fn value(&self, at: usize, used: u32) -> u32 {
        self.values.get(at * self.sets + used as usize).copied().unwrap_or(0)
    }

    /// What this pair adds, and everything behind it.
    fn value_with(&self, pair: &Pair<'_>, used: u32) -> u32 {
        if used & pair.short.mask() != 0 {
            return 0;
        }
        pair.value() + self.value(pair.long.end(), used | pair.short.mask())
    }

    /// `pairs` start at this place, and every later place is filled.
    fn fill(&mut self, at: usize, pairs: &[Pair<'_>]) {
        for (used, index) in (0_u32..).zip(at * self.sets..(at + 1) * self.sets) {
            let without = self.value(at + 1, used);
            let with = pairs.iter().map(|pair| self.value_with(pair, used)).max();
            if let Some(value) = self.values.get_mut(index) {
                *value = without.max(with.unwrap_or(0));
            }
        }
    }
}

/// `pairs` is ordered by the start in the long name.
fn starting_at<'p, 'n>(pairs: &'p [Pair<'n>], at: usize) -> &'p [Pair<'n>] {
    let from = pairs.partition_point(|pair| pair.long.start < at);
    let to = pairs.partition_point(|pair| pair.long.start <= at);
    pairs.get(from..to).unwrap_or_default()
}

/// Takes the most similar free pair again and again, single words before joined ones: equal words
/// always find each other.
fn greedy<'p, 'n>(pairs: &'p [Pair<'n>]) -> Vec<&'p Pair<'n>> {
    let mut sorted: Vec<&Pair<'_>> = pairs.iter().collect();
    sorted.sort_by_key(|pair| {
        let words = pair.long.words.len() + pair.short.words.len();
        (Reverse(pair.similarity), words, Reverse(pair.value()))
    });
    let (mut long, mut short) = (0, 0);
    sorted.retain(|pair| {
        let is_free = long & pair.long.mask() == 0 && short & pair.short.mask() == 0;
        if is_free {
            long |= pair.long.mask();
            short |= pair.short.mask();
        }
        is_free
    });
    sorted
}
