//! What a score is made of.

use std::fmt;
use std::ops::Range;

use kyc_core::Score;

use crate::Identifier;
use crate::align::ratio;
use crate::name::NameKey;
use crate::options::score;
use crate::pair::Pair;
use crate::word::Word;

/// Why a listed name scores what it scores: every part of it, so that it can be computed again.
///
/// Its `Display` is one sentence that repeats nothing of the applicant's.
///
/// ```
/// use kyc_screening::{Engine, Options, Query, Relation};
///
/// let engine = Engine::sample(Options::default());
/// let (hit, explanation) = &engine.explain(&Query::named("Tormund Vexlay"))[0];
/// assert_eq!(explanation.score(), hit.score);
/// assert_eq!(explanation.words[1].relation, Relation::Spelling);
/// assert_eq!(explanation.words[1].query, 8..14);
/// assert_eq!(
///     explanation.to_string(),
///     "2 words answer to words of the listed name: 1 equal, 1 in another spelling"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The words that answer to each other, in the order of the name that was looked for.
    pub words: Vec<WordMatch>,
    /// What has no partner: of the name that was looked for, and of the listed one.
    pub missing: [Missing; 2],
    /// What takes a part of the name's score, in this order.
    pub deductions: Vec<Deduction>,
    /// What else was compared.
    pub attributes: Vec<Attribute>,
    /// A wallet or an identity document is listed: then the rest does not matter.
    pub identifier: Option<Identifier>,
}

/// A word, or several, that answer to a listed one; there is an example at [`Explanation`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordMatch {
    /// Which characters of the name that was looked for.
    pub query: Range<u16>,
    /// Which characters of the listed name.
    pub listed: Range<u16>,
    /// In what way they are alike.
    pub relation: Relation,
    /// How much.
    pub similarity: Score,
    /// What they weigh on either side: 5 a long word, 4 an ordinary one, 3 one of three letters
    /// or a common name, 2 one of two letters or an initial, 1 a particle or title.
    pub weights: [u32; 2],
}

/// What words without a partner weigh; there is an example at [`Explanation`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Missing {
    /// Names and initials. They count most where both names have some.
    pub words: u32,
    /// Articles, particles and titles: one says little against another.
    pub particles: u32,
}

impl Missing {
    pub(crate) fn sum(self) -> u32 {
        self.words + self.particles
    }
}

/// In what way two words are alike; there is an example at [`Explanation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Letter for letter.
    Equal,
    /// Forms of one given name.
    SameName,
    /// They sound the same, or differ in what romanisations add, drop and exchange.
    Spelling,
    /// A letter or more is another one.
    Slip,
    /// One is the initial of the other.
    Initial,
    /// Several words of one name are one word of the other.
    Joined,
    /// One is written without vowels.
    WithoutVowels,
}

/// What takes a part of the score; there is an example at [`Explanation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deduction {
    /// A single word answers to another, or only initials do.
    OneWord,
    /// The longer name has a given name before all others: perhaps they are parent and child.
    OneMoreGivenName,
    /// The same in names of Arabic form, where the father's name follows: mostly they are.
    ParentAndChild,
    /// Nothing but names that many people bear answers to each other, and more is missing.
    CommonNames,
    /// Not one word that says something is equal.
    NothingEqual,
    /// A syllable of a Chinese or Korean name is missing: nobody leaves out half a given name.
    MissingSyllable,
    /// One name has an initial and the other a word that does not begin with it.
    OtherInitial,
    /// `A bin B` against `B bin A`.
    TurnedPatronymic,
    /// The listed name is a nickname, or marked as of low quality.
    WeakAlias,
}

impl Deduction {
    /// How many percent of the score remain.
    pub fn percent(self) -> u32 {
        match self {
            Self::OneWord | Self::OtherInitial => 85,
            Self::NothingEqual => 95,
            Self::MissingSyllable => 82,
            Self::CommonNames | Self::OneMoreGivenName => 86,
            Self::ParentAndChild => 70,
            Self::TurnedPatronymic => 65,
            Self::WeakAlias => 90,
        }
    }
}

/// Something besides the name that was compared; there is an example at [`Explanation`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// What was found, without any value of the applicant's.
    pub finding: String,
    /// Added to the score, in thousandths.
    pub points: i16,
}

impl WordMatch {
    pub(crate) fn of(pair: &Pair, relation: Relation, [one, other]: [&[Range<u16>]; 2]) -> Self {
        let cover = |places: &[Range<u16>], mask: u32| {
            let covered = places.iter().enumerate().filter(|(at, _)| mask & (1 << at) != 0);
            let start = covered.clone().map(|(_, place)| place.start).min().unwrap_or(0);
            start..covered.map(|(_, place)| place.end).max().unwrap_or(start)
        };
        Self {
            query: cover(one, pair.one),
            listed: cover(other, pair.other),
            relation,
            similarity: score(pair.similarity),
            weights: [pair.one_weight, pair.other_weight],
        }
    }
}

/// In what way the words of a pair are alike.
pub(crate) fn relation_of(pair: &Pair, names: [&NameKey; 2]) -> Relation {
    let [one, other] = names;
    let at = |mask: u32| mask.trailing_zeros() as usize;
    if pair.is_joined() {
        return Relation::Joined;
    }
    match (one.words().get(at(pair.one)), other.words().get(at(pair.other))) {
        (Some(word), Some(listed)) => relation(word, listed),
        _ => Relation::Joined,
    }
}

fn relation(word: Word<'_>, listed: Word<'_>) -> Relation {
    if word.text == listed.text {
        Relation::Equal
    } else if word.is_initial_with(listed) {
        Relation::Initial
    } else if word.usual.is_some() && word.usual == listed.usual {
        Relation::SameName
    } else if word.is_bare() != listed.is_bare() {
        Relation::WithoutVowels
    } else if word.skeleton == listed.skeleton || word.is_syllable() || listed.is_syllable() {
        Relation::Spelling
    } else {
        Relation::Slip
    }
}

impl Explanation {
    pub(crate) fn of_identifier(identifier: Identifier) -> Self {
        Self {
            words: Vec::new(),
            missing: [Missing::default(); 2],
            deductions: Vec::new(),
            attributes: Vec::new(),
            identifier: Some(identifier),
        }
    }

    /// The score, from the parts.
    pub fn score(&self) -> Score {
        if self.identifier.is_some() {
            return Score::MAX;
        }
        let points = self.attributes.iter().map(|attribute| attribute.points).sum();
        score(self.name_thousandths().saturating_add_signed(points))
    }

    /// What the name alone would score.
    pub fn name_score(&self) -> Score {
        score(self.name_thousandths())
    }

    fn name_thousandths(&self) -> u16 {
        let weight = |word: &WordMatch| word.weights.iter().sum::<u32>();
        let value = |word: &WordMatch| weight(word) * u32::from(word.similarity.thousandths());
        let covered = self.words.iter().map(weight).sum();
        let full = ratio(self.words.iter().map(value).sum(), covered, self.missing);
        lowered(full, &self.deductions)
    }
}

/// What remains of a score.
pub(crate) fn lowered<'d>(full: u32, deductions: impl IntoIterator<Item = &'d Deduction>) -> u16 {
    let left = deductions.into_iter().fold(full, |left, rule| left * rule.percent() / 100);
    u16::try_from(left).unwrap_or(1_000).min(1_000)
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.identifier.map(|identifier| identifier.words().to_owned()));
        if !self.words.is_empty() {
            parts.push(self.words_in_words());
        }
        parts.extend(self.deductions.iter().map(|deduction| deduction.words().to_owned()));
        parts.extend(self.attributes.iter().map(|attribute| attribute.finding.clone()));
        f.write_str(&parts.join("; "))
    }
}

impl Explanation {
    fn words_in_words(&self) -> String {
        let relations = in_words(&self.words.iter().map(|word| word.relation));
        match self.words.len() {
            1 => format!("1 word answers to the listed name: {relations}"),
            count => format!("{count} words answer to words of the listed name: {relations}"),
        }
    }
}

/// How many words are alike in which way.
pub(crate) fn in_words(relations: &(impl Iterator<Item = Relation> + Clone)) -> String {
    let words = [
        (Relation::Equal, "equal"),
        (Relation::SameName, "in another form of the name"),
        (Relation::Spelling, "in another spelling"),
        (Relation::Slip, "with other letters"),
        (Relation::Initial, "by its initial"),
        (Relation::Joined, "written together"),
        (Relation::WithoutVowels, "without vowels"),
    ];
    let counts = words.into_iter().filter_map(|(relation, words)| {
        let count = relations.clone().filter(|other| *other == relation).count();
        (count > 0).then(|| format!("{count} {words}"))
    });
    counts.collect::<Vec<_>>().join(", ")
}

impl Deduction {
    fn words(self) -> &'static str {
        match self {
            Self::OneWord => "a single word says little",
            Self::OneMoreGivenName => "one more given name stands before: perhaps parent and child",
            Self::ParentAndChild => "one more given name stands before: mostly parent and child",
            Self::CommonNames => "only names that many people bear agree",
            Self::NothingEqual => "no word is equal",
            Self::MissingSyllable => "a part of a given name is missing",
            Self::OtherInitial => "an initial is another one",
            Self::TurnedPatronymic => "father and child are exchanged",
            Self::WeakAlias => "it is a weak alias",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deduction_says_what_it_is_and_takes_something() {
        let deductions = [
            Deduction::OneWord,
            Deduction::OneMoreGivenName,
            Deduction::ParentAndChild,
            Deduction::CommonNames,
            Deduction::NothingEqual,
            Deduction::MissingSyllable,
            Deduction::OtherInitial,
            Deduction::TurnedPatronymic,
            Deduction::WeakAlias,
        ];
        let words: Vec<&str> = deductions.map(Deduction::words).to_vec();
        assert!(words.iter().all(|words| words.len() > 10));
        let explanation = Explanation {
            words: Vec::new(),
            missing: [Missing::default(); 2],
            deductions: deductions.to_vec(),
            attributes: vec![Attribute { finding: "gender agrees".to_owned(), points: 0 }],
            identifier: None,
        };
        assert_eq!(
            explanation.to_string(),
            [words.join("; ").as_str(), "gender agrees"].join("; ")
        );
        for deduction in deductions {
            assert!(lowered(1_000, [&deduction]) < 1_000);
        }
    }
}
