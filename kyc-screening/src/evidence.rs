//! What speaks for or against a match besides the name.

use kyc_core::{Country, Gender};
use time::Date;

use crate::risk::Verdict;
use crate::{Attribute, Birth, Options, Person, Query};

/// What date of birth, nationality and gender say together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Added to the score of the name, in thousandths.
    pub(crate) points: i16,
    /// A contradiction outweighs everything that agrees.
    pub(crate) verdict: Verdict,
    /// What it is made of.
    pub(crate) attributes: Vec<Attribute>,
}

impl Evidence {
    pub(crate) fn of(person: &Person, query: &Query, options: Options) -> Self {
        let birth = query.birth.and_then(|birth| closest(&person.births, birth, options));
        let nationality = query.nationality.and_then(|country| nationality(person, country));
        let gender = query.gender.and_then(|gender| same_gender(person, gender));
        let clues = [birth.map(BirthMatch::clue), nationality, gender];
        clues.into_iter().flatten().fold(Self::default(), Self::with)
    }

    fn with(mut self, clue: Clue) -> Self {
        self.points += clue.points;
        self.verdict = self.verdict.max(clue.verdict);
        self.attributes.push(Attribute { finding: clue.reason, points: clue.points });
        self
    }
}

/// One thing that was compared.
struct Clue {
    points: i16,
    verdict: Verdict,
    reason: String,
}

impl Clue {
    fn new(points: i16, verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { points, verdict, reason: reason.into() }
    }
}

/// How a date of birth compares with a listed one. Ordered from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BirthMatch {
    SameDay,
    SameMonth,
    SameYear,
    InRange,
    /// One of day, month and year differs, or day and month are swapped: a slip of the pen.
    OnePartOff,
    YearsApart(u32),
    Contradicts(u32),
}

impl BirthMatch {
    fn clue(self) -> Clue {
        let new = |points, verdict, reason: &str| Clue::new(points, verdict, reason);
        match self {
            Self::SameDay => new(SAME_DAY, Verdict::For, "date of birth agrees"),
            Self::SameMonth => new(80, Verdict::For, "month and year of birth agree"),
            Self::SameYear => new(50, Verdict::For, "year of birth agrees"),
            Self::InRange => new(20, Verdict::For, "year of birth is within the listed range"),
            Self::OnePartOff => {
                new(ONE_PART_OFF, Verdict::Neither, "date of birth differs in one part")
            }
            Self::YearsApart(0) => new(OTHER_DAY, Verdict::Neither, "day of birth differs"),
            Self::YearsApart(years) => Clue::new(APART, Verdict::Neither, years_apart(years)),
            Self::Contradicts(years) => {
                Clue::new(CONTRADICTS, Verdict::Against, years_apart(years))
            }
        }
    }
}

/// What dates of birth, nationalities and genders are worth.
pub(crate) const SAME_DAY: i16 = 120;
pub(crate) const ONE_PART_OFF: i16 = -30;
const OTHER_DAY: i16 = -50;
pub(crate) const APART: i16 = -120;
pub(crate) const CONTRADICTS: i16 = -320;
pub(crate) const SAME_NATIONALITY: i16 = 20;
pub(crate) const OTHER_NATIONALITY: i16 = -200;
pub(crate) const OTHER_GENDER: i16 = -200;

fn years_apart(years: u32) -> String {
    let unit = if years == 1 { "year" } else { "years" };
    format!("year of birth differs by {years} {unit}")
}

/// How the applicant's date compares with the listed one that fits best.
fn closest(births: &[Birth], birth: Birth, options: Options) -> Option<BirthMatch> {
    births.iter().map(|listed| compare(*listed, birth, options)).min()
}

fn compare(listed: Birth, birth: Birth, options: Options) -> BirthMatch {
    if let (Birth::Day(listed), Birth::Day(date)) = (listed, birth) {
        if listed == date {
            return BirthMatch::SameDay;
        }
        if is_one_part_off(listed, date) {
            return BirthMatch::OnePartOff;
        }
    }
    let (one, other) = (years(listed), years(birth));
    let apart = (one.0 - other.1).max(other.0 - one.1).max(0).unsigned_abs();
    let is_exact = one.0 == one.1 && other.0 == other.1;
    match (apart, month(listed), month(birth)) {
        (0, Some(one), Some(other)) if one == other => BirthMatch::SameMonth,
        (0, Some(_), Some(_)) => BirthMatch::YearsApart(0),
        (0, ..) if is_exact => BirthMatch::SameYear,
        (0, ..) => BirthMatch::InRange,
        (years, ..) if years <= options.birth_years_apart_max.into() => {
            BirthMatch::YearsApart(years)
        }
        (years, ..) => BirthMatch::Contradicts(years),
    }
}

/// The years that a date may mean.
pub(crate) fn years(birth: Birth) -> (i32, i32) {
    match birth {
        Birth::Day(date) => (date.year(), date.year()),
        Birth::Month { year, .. } | Birth::Year(year) => (year, year),
        Birth::About(year) => (year - ABOUT_YEARS, year + ABOUT_YEARS),
        Birth::Years { from, to } => (from, to),
    }
}

fn month(birth: Birth) -> Option<u8> {
    match birth {
        Birth::Day(date) => Some(date.month().into()),
        Birth::Month { month, .. } => Some(month),
        Birth::Year(_) | Birth::About(_) | Birth::Years { .. } => None,
    }
}

/// How far lists mean by "about" a year.
const ABOUT_YEARS: i32 = 2;

fn is_one_part_off(listed: Date, date: Date) -> bool {
    let parts = |date: Date| (date.year(), u8::from(date.month()), date.day());
    let (year, month, day) = parts(listed);
    let other = parts(date);
    let agreeing =
        [year == other.0, month == other.1, day == other.2].iter().filter(|same| **same).count();
    agreeing == 2 || other == (year, day, month)
}

fn nationality(person: &Person, country: Country) -> Option<Clue> {
    if person.nationalities.is_empty() {
        return None;
    }
    Some(if person.nationalities.contains(&country) {
        Clue::new(SAME_NATIONALITY, Verdict::For, "nationality agrees")
    } else {
        // People have and gain several; it lowers the score and contradicts nothing.
        Clue::new(OTHER_NATIONALITY, Verdict::Neither, "nationality differs")
    })
}

fn same_gender(person: &Person, gender: Gender) -> Option<Clue> {
    Some(if person.gender? == gender {
        // Half of all strangers agree as well.
        Clue::new(0, Verdict::Neither, "gender agrees")
    } else {
        Clue::new(OTHER_GENDER, Verdict::Against, "gender differs")
    })
}
