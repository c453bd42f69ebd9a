//! What speaks against two names whose words answer to each other.

use crate::explanation::{Deduction, Missing};
use crate::pair::Pair;
use crate::word::Word;

/// What is taken off the score of an alignment.
pub(crate) type Deductions = [Option<Deduction>; 7];

/// What is taken off the score of these pairs of words of two names.
///
/// `paired` are the places that they cover in either name, `missing` is what the others weigh.
pub(crate) fn deductions(
    chosen: &[Pair],
    names: [&[Word<'_>]; 2],
    paired: [u32; 2],
    missing: [Missing; 2],
) -> Deductions {
    let [one, other] = names;
    let is_whole = missing == [Missing::default(); 2];
    let sum = |part: fn(&Pair) -> u32| chosen.iter().map(part).sum::<u32>();
    let is_thin = sum(|pair| pair.ordinary) == 0 || sum(|pair| pair.telling) < 2;
    let is_identical = is_whole && chosen.iter().all(|pair| pair.similarity == 1_000);
    let (left, right) = (Side::new(paired[0], one), Side::new(paired[1], other));
    let has_child = left.is_child_of(right) || right.is_child_of(left);
    let has_other_initial = left.has_other_initial(right) || right.has_other_initial(left);
    let is_equal = |pair: &Pair| pair.telling > 0 && pair.similarity == 1_000;
    [
        (is_thin && !is_identical).then_some(Deduction::OneWord),
        has_child.then_some(if names.iter().any(|name| is_arabic(name)) {
            Deduction::ParentAndChild
        } else {
            Deduction::OneMoreGivenName
        }),
        (!is_whole && is_common(chosen, names)).then_some(Deduction::CommonNames),
        (!is_identical && !chosen.iter().any(is_equal)).then_some(Deduction::NothingEqual),
        (left.lacks_syllable || right.lacks_syllable).then_some(Deduction::MissingSyllable),
        has_other_initial.then_some(Deduction::OtherInitial),
        is_turned(chosen, one, other).then_some(Deduction::TurnedPatronymic),
    ]
}

/// One name of an alignment: which of its words that say something have a partner.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "four answers, asked one by one")]
struct Side {
    /// Its first such word has one.
    leads: bool,
    /// All of them have one.
    is_whole: bool,
    /// An initial has none.
    has_initial: bool,
    /// A word of one syllable, in Han or Hangul, has none.
    lacks_syllable: bool,
}

impl Side {
    fn new(paired: u32, words: &[Word<'_>]) -> Self {
        let mut telling = words.iter().enumerate().filter(|(_, word)| word.is_leading());
        let is_paired = |(at, _): (usize, &Word<'_>)| paired & (1 << at) != 0;
        let is_whole = telling.clone().all(is_paired);
        let unpaired = || {
            let words = words.iter().enumerate();
            words.filter(|place| !is_paired(*place)).map(|(_, word)| *word)
        };
        Self {
            leads: telling.next().is_none_or(is_paired),
            is_whole,
            has_initial: unpaired().any(Word::is_initial),
            lacks_syllable: unpaired().any(Word::is_syllable),
        }
    }

    fn has_other_initial(self, other: Self) -> bool {
        self.has_initial && (other.has_initial || !other.is_whole)
    }

    /// Whether it names one person more, before all that the other one names.
    fn is_child_of(self, other: Self) -> bool {
        !self.leads && other.is_whole
    }
}

/// Whether many people bear every word that has a partner.
fn is_common(chosen: &[Pair], [one, other]: [&[Word<'_>]; 2]) -> bool {
    let are_common = |places: u32, words: &[Word<'_>]| {
        let mut words = words.iter().enumerate().filter(|(at, _)| places & (1 << at) != 0);
        words.all(|(_, word)| word.says_little())
    };
    chosen.iter().all(|pair| are_common(pair.one, one) && are_common(pair.other, other))
}

/// Whether an article or a patronymic particle shows that a father's name follows the given one.
fn is_arabic(name: &[Word<'_>]) -> bool {
    name.iter().any(|word| {
        matches!(word.text, b"al" | b"el")
            || word.usual.is_some_and(|usual| usual.as_str() == "bin")
    })
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
