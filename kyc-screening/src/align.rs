//! Two names side by side: which word answers to which, and how good that is.

use kyc_core::Score;

use crate::name::NameKey;
use crate::options::score;
use crate::word::{INITIAL_SIMILARITY, ORDINARY, Word};

/// The best pairing of the words of two names.
///
/// The score is the similarity of the paired words, weighted by [`Word::weight`], where words
/// without a partner count as follows: those of the name with fewer of them one and a half times,
/// because then *both* names have something that the other lacks, those of the other name four
/// tenths, because lists often know more names of a person than are in daily use. A single
/// ordinary pair in names that differ is weak evidence and takes 15 % off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alignment {
    score: u16,
    exact: bool,
    ordinary_pairs: u32,
}

/// Tenths of the weight of words without a partner.
const MISSING_ON_BOTH_SIDES: u32 = 15;
const MISSING_ON_ONE_SIDE: u32 = 4;

/// Percent of the score that remains when only one ordinary word answers to another.
const SINGLE_PAIR_PERCENT: u32 = 85;

/// Up to this many words on the shorter side the best pairing is found, beyond it a good one.
const BEST_PAIRING_MAX: usize = 8;

/// So many words in a row may be written as one (`Abd al-Rahman`, `Abdulrahman`).
pub(crate) const JOINED_MAX: usize = 3;

impl Alignment {
    pub(crate) fn of(one: &NameKey, other: &NameKey) -> Self {
        // The order makes ties fall alike, so that the score is symmetric.
        let (short, long) = if (one.words().len(), one) <= (other.words().len(), other) {
            (one, other)
        } else {
            (other, one)
        };
        let pairs = pairs(long.words(), short.words());
        let chosen = if short.words().len() <= BEST_PAIRING_MAX {
            best(&pairs, long.words().len(), short.words().len())
        } else {
            greedy(&pairs)
        };
        Self::from_pairs(&chosen, long.weight(), short.weight())
    }

    fn from_pairs(chosen: &[&Pair], long_weight: u32, short_weight: u32) -> Self {
        let missing_long = long_weight - chosen.iter().map(|pair| pair.long.weight).sum::<u32>();
        let missing_short = short_weight - chosen.iter().map(|pair| pair.short.weight).sum::<u32>();
        let is_same = chosen.iter().all(|pair| pair.similarity == 1_000);
        let ordinary_pairs = chosen.iter().map(|pair| pair.ordinary).sum();
        let value: u32 = chosen.iter().map(|pair| pair.value()).sum();
        let covered: u32 = chosen.iter().map(|pair| pair.weight()).sum();
        let exact = is_same && !chosen.is_empty() && missing_long.max(missing_short) < ORDINARY;
        let mut score = ratio(value, covered, missing_long, missing_short);
        if ordinary_pairs <= 1 && !(is_same && missing_long + missing_short == 0) {
            score = score * SINGLE_PAIR_PERCENT / 100;
        }
        Self { score: u16::try_from(score).unwrap_or(1_000), exact, ordinary_pairs }
    }

    pub(crate) fn score(self) -> Score {
        score(self.score)
    }

    /// Whether every word answers to an equal one, but for particles.
    pub(crate) fn is_exact(self) -> bool {
        self.exact
    }

    /// How many ordinary words answer to each other.
    pub(crate) fn ordinary_pairs(self) -> u32 {
        self.ordinary_pairs
    }
}

/// `value` is in thousandths of `covered`, which holds the weights of both sides.
fn ratio(value: u32, covered: u32, missing_one: u32, missing_other: u32) -> u32 {
    let both = missing_one.min(missing_other) * MISSING_ON_BOTH_SIDES;
    let one_sided = missing_one.max(missing_other) * MISSING_ON_ONE_SIDE;
    // Doubled, since `covered` counts every pair on both sides.
    let whole = 10 * covered + 2 * (both + one_sided);
    (10 * value).checked_div(whole).unwrap_or(0)
}

/// The best score that names can have when at most these weights are paired.
pub(crate) fn score_max(covered: [u32; 2], weights: [u32; 2]) -> u32 {
    let [one, other] = covered;
    let [one_weight, other_weight] = weights;
    let missing = [one_weight.saturating_sub(one), other_weight.saturating_sub(other)];
    ratio((one + other) * 1_000, one + other, missing[0], missing[1])
}

/// Words that answer to each other: one to one, or several to one.
#[derive(Debug)]
struct Pair {
    long: Span,
    short: Span,
    similarity: u16,
    /// Of an initial only its own weight counts, on both sides.
    counted: u32,
    ordinary: u32,
}

impl Pair {
    fn weight(&self) -> u32 {
        self.counted
    }

    fn value(&self) -> u32 {
        self.counted * u32::from(self.similarity)
    }
}

/// Some words in a row.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    count: usize,
    weight: u32,
    ordinary: u32,
}

impl Span {
    fn of(words: &[Word], start: usize, count: usize) -> Self {
        let span = words.iter().skip(start).take(count);
        let weight = span.clone().map(Word::weight).sum();
        let ordinary = span.filter(|word| word.is_ordinary()).map(|_| 1).sum();
        Self { start, count, weight, ordinary }
    }

    fn mask(self) -> usize {
        ((1 << self.count) - 1) << self.start
    }
}

/// Every pair with something in common, ordered by its place in `long`.
fn pairs(long: &[Word], short: &[Word]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, word) in long.iter().enumerate() {
        for (j, other) in short.iter().enumerate() {
            pairs.extend(single(Span::of(long, i, 1), word, Span::of(short, j, 1), other));
        }
        for count in 2..=JOINED_MAX {
            for start in 0..short.len().saturating_sub(count - 1) {
                let span = Span::of(short, start, count);
                let parts = short.get(start..start + count).unwrap_or_default();
                pairs.extend(
                    joined(word, parts)
                        .map(|similarity| Pair::several(Span::of(long, i, 1), span, similarity)),
                );
            }
            let Some(parts) = long.get(i..i + count) else { continue };
            for (j, other) in short.iter().enumerate() {
                pairs.extend(joined(other, parts).map(|similarity| {
                    Pair::several(Span::of(long, i, count), Span::of(short, j, 1), similarity)
                }));
            }
        }
    }
    pairs
}

impl Pair {
    fn several(long: Span, short: Span, similarity: u16) -> Self {
        let ordinary = long.ordinary.max(short.ordinary);
        Self { long, short, similarity, counted: long.weight + short.weight, ordinary }
    }
}

fn single(long: Span, word: &Word, short: Span, other: &Word) -> Option<Pair> {
    if word.is_initial_with(other) {
        let counted = 2 * word.weight().min(other.weight());
        return Some(Pair { long, short, similarity: INITIAL_SIMILARITY, counted, ordinary: 0 });
    }
    let similarity = word.similarity(other);
    let ordinary = long.ordinary.min(short.ordinary);
    let counted = long.weight + short.weight;
    (similarity > 0).then_some(Pair { long, short, similarity, counted, ordinary })
}

/// How alike one word and several joined ones are. Their skeletons must be equal, so that an index
/// can look them up.
pub(crate) fn joined(word: &Word, parts: &[Word]) -> Option<u16> {
    let letters = parts.iter().fold(0, |letters, part| letters | part.signature());
    if letters != word.signature() {
        return None;
    }
    let joined = Word::joined(parts).filter(|joined| joined.skeleton() == word.skeleton())?;
    Some(word.similarity(&joined)).filter(|similarity| *similarity > 0)
}

/// The pairs of greatest value that share no word, found by dynamic programming: for every word
/// of the long name, for every set of used words of the short one.
fn best(pairs: &[Pair], long: usize, short: usize) -> Vec<&Pair> {
    let table = Table { sets: 1 << short, values: vec![0; (long + JOINED_MAX + 1) << short] };
    let table = (0..long).rev().fold(table, |table, i| table.with_row(i, starting_at(pairs, i)));
    let mut chosen = Vec::new();
    let (mut i, mut used) = (0, 0);
    while i < long {
        let value = table.value(i, used);
        let improves = |pair: &&Pair| table.with(pair, used) == value;
        match starting_at(pairs, i).iter().find(improves) {
            Some(pair) if value > table.value(i + 1, used) => {
                chosen.push(pair);
                used |= pair.short.mask();
                i += pair.long.count;
            }
            Some(_) | None => i += 1,
        }
    }
    chosen
}

/// The most that the words from `i` on can add, once the words `used` of the short name are taken.
struct Table {
    sets: usize,
    values: Vec<u32>,
}

impl Table {
    fn value(&self, i: usize, used: usize) -> u32 {
        self.values.get(i * self.sets + used).copied().unwrap_or(0)
    }

    /// What this pair adds, and everything behind it.
    fn with(&self, pair: &Pair, used: usize) -> u32 {
        if used & pair.short.mask() != 0 {
            return 0;
        }
        pair.value() + self.value(pair.long.start + pair.long.count, used | pair.short.mask())
    }

    fn with_row(mut self, i: usize, pairs: &[Pair]) -> Self {
        for used in 0..self.sets {
            let without = self.value(i + 1, used);
            let best = pairs.iter().map(|pair| self.with(pair, used)).fold(without, u32::max);
            if let Some(value) = self.values.get_mut(i * self.sets + used) {
                *value = best;
            }
        }
        self
    }
}

/// `pairs` is ordered by the place in the long name.
fn starting_at(pairs: &[Pair], i: usize) -> &[Pair] {
    let from = pairs.partition_point(|pair| pair.long.start < i);
    let to = pairs.partition_point(|pair| pair.long.start <= i);
    pairs.get(from..to).unwrap_or_default()
}

/// Takes the most valuable pair again and again.
fn greedy(pairs: &[Pair]) -> Vec<&Pair> {
    let mut sorted: Vec<&Pair> = pairs.iter().collect();
    sorted.sort_by_key(|pair| std::cmp::Reverse(pair.value()));
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
