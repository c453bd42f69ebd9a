//! From hits to a risk level (D34).

use kyc_core::{RiskLevel, Score};

use crate::{Category, Identifier, Options};

/// What one hit rests on, as far as the risk depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strength {
    /// A name is alike.
    Name {
        /// The score, evidence included.
        score: Score,
        /// Every word of a name of several words agrees, and it is no nickname.
        is_full: bool,
        /// What birth, nationality and gender say about it.
        verdict: Verdict,
    },
    /// What identifies the applicant is listed.
    Identifier(Identifier),
}

/// Whether facts besides the name speak for a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Nothing is known, or it says little.
    #[default]
    Neither,
    /// Something agrees that seldom agrees by chance.
    For,
    /// Something speaks against one person, whatever else agrees.
    Against,
}

impl Strength {
    pub(crate) fn score(self) -> Score {
        match self {
            Self::Name { score, .. } => score,
            Self::Identifier(_) => Score::MAX,
        }
    }

    /// Higher is reported first.
    pub(crate) fn rank(self) -> (bool, Score) {
        (matches!(self, Self::Identifier(_)), self.score())
    }
}

/// The risk of one hit, by the first row that fits (D34):
///
/// | hit | risk |
/// |---|---|
/// | a wallet or identity document is listed | high |
/// | below [`Options::report_from`] | n/a |
/// | from [`Options::strong_from`], contradicted | medium |
/// | contradicted | low |
/// | from [`Options::strong_from`], a full name or supported | high |
/// | everything else | medium |
///
/// A name alone is at most medium where the entity is not sanctioned.
pub(crate) fn risk(hit: Strength, category: Category, options: Options) -> RiskLevel {
    let Strength::Name { score, is_full, verdict } = hit else { return RiskLevel::High };
    let is_strong = score >= options.strong_from;
    let risk = match verdict {
        _ if score < options.report_from => RiskLevel::NotApplicable,
        Verdict::Against if is_strong => RiskLevel::Medium,
        Verdict::Against => RiskLevel::Low,
        Verdict::For if is_strong => RiskLevel::High,
        Verdict::Neither if is_strong && is_full => RiskLevel::High,
        Verdict::For | Verdict::Neither => RiskLevel::Medium,
    };
    match category {
        Category::Sanction => risk,
        Category::PoliticallyExposed | Category::Watchlist => risk.min(RiskLevel::Medium),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::score;

    #[track_caller]
    fn check(thousandths: u16, is_full: bool, verdict: Verdict, expected: RiskLevel) {
        let hit = Strength::Name { score: score(thousandths), is_full, verdict };
        assert_eq!(risk(hit, Category::Sanction, Options::default()), expected);
        for other in [Category::PoliticallyExposed, Category::Watchlist] {
            let least = expected.min(RiskLevel::Medium);
            assert_eq!(risk(hit, other, Options::default()), least);
        }
    }

    #[test]
    fn d34_a_listed_wallet_or_document_is_high() {
        for identifier in [Identifier::Wallet, Identifier::Document] {
            let strength = Strength::Identifier(identifier);
            for category in [Category::Sanction, Category::Watchlist] {
                assert_eq!(risk(strength, category, Options::default()), RiskLevel::High);
            }
        }
    }

    #[test]
    fn d34_a_strong_match_is_high_when_something_else_agrees() {
        check(850, false, Verdict::For, RiskLevel::High);
        check(850, true, Verdict::Neither, RiskLevel::High);
        check(1_000, false, Verdict::Neither, RiskLevel::Medium);
    }

    #[test]
    fn d34_weaker_matches_are_medium() {
        check(700, false, Verdict::Neither, RiskLevel::Medium);
        check(849, true, Verdict::For, RiskLevel::Medium);
    }

    #[test]
    fn d34_a_contradiction_lowers_by_one() {
        check(1_000, true, Verdict::Against, RiskLevel::Medium);
        check(849, false, Verdict::Against, RiskLevel::Low);
    }

    #[test]
    fn d34_below_the_threshold_is_nothing() {
        check(699, true, Verdict::For, RiskLevel::NotApplicable);
        check(0, false, Verdict::Against, RiskLevel::NotApplicable);
    }
}
