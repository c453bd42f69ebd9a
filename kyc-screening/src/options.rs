//! The engine's knobs, each by its effect.

use kyc_core::Score;

use crate::digest::sha256_hex;

/// How strict the engine is.
///
/// Every default errs on the side of a false alarm: an inspector can dismiss one, nobody can see
/// a miss.
///
/// ```
/// use kyc_screening::Options;
///
/// let options = Options { hits_max: 5, ..Options::default() };
/// assert_ne!(options.configuration(), Options::default().configuration());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Records that score below this are not reported. Lower finds more, and reports more
    /// strangers.
    pub report_from: Score,

    /// Records that score this or more may be a high risk. Lower makes more reports urgent.
    pub strong_from: Score,

    /// How many years two birth dates may lie apart without speaking against a match. Lists often
    /// know the year only, or guess it. `0` asks for the same year.
    pub birth_years_apart_max: u8,

    /// Names longer than this are cut before they are compared. Comparing costs time in proportion
    /// to the product of both lengths, and the applicant chooses one of them.
    pub name_chars_max: u16,

    /// How many hits are reported at most, strongest first.
    pub hits_max: u8,
}

/// Bumped whenever the same options and lists may give another result.
const RULES: u8 = 7;

impl Options {
    /// Hash of everything that a result depends on besides lists and applicant: these options and
    /// the revision of the rules. 64 hexadecimal digits.
    pub fn configuration(&self) -> String {
        let Self { report_from, strong_from, birth_years_apart_max, name_chars_max, hits_max } =
            self;
        let text = format!(
            "rules={RULES} report_from={report_from} strong_from={strong_from} \
             birth_years_apart_max={birth_years_apart_max} name_chars_max={name_chars_max} \
             hits_max={hits_max}"
        );
        sha256_hex(text.as_bytes())
    }
}

impl Options {
    /// What a name has to score so that its entity is reported, when facts add so many points.
    pub(crate) fn needed_with(self, points: i16) -> u16 {
        self.report_from.thousandths().saturating_add_signed(-points)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            report_from: score(700),
            strong_from: score(850),
            birth_years_apart_max: 2,
            name_chars_max: 512,
            hits_max: 20,
        }
    }
}

/// A score of at least 0 and at most [`Score::MAX`], whatever the number.
pub(crate) fn score(thousandths: u16) -> Score {
    Score::from_thousandths(thousandths).unwrap_or(Score::MAX)
}
