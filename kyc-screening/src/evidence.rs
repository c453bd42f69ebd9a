//! What speaks for or against a match besides the name.

use std::fmt;

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

/// What dates of birth, nationalities and genders are worth.
pub(crate) const SAME_DAY: i16 = 120;
pub(crate) const SAME_MONTH: i16 = 80;
pub(crate) const SAME_YEAR: i16 = 50;
pub(crate) const IN_RANGE: i16 = 20;
pub(crate) const ONE_PART_OFF: i16 = -30;
pub(crate) const OTHER_DAY: i16 = -50;
pub(crate) const OTHER_YEAR: i16 = -120;
pub(crate) const CONTRADICTS: i16 = -320;
pub(crate) const SAME_NATIONALITY: i16 = 20;
pub(crate) const OTHER_NATIONALITY: i16 = -200;
pub(crate) const OTHER_GENDER: i16 = -200;

impl Evidence {
    pub(crate) fn of(person: &Person, query: &Query, options: Options) -> Self {
        clues(person, query, options).fold(Self::default(), |sum, clue| sum.with(&clue))
    }

    fn with(mut self, clue: &Clue) -> Self {
        self.points += clue.points;
        self.verdict = self.verdict.max(clue.verdict);
        self.attributes.push(Attribute { finding: clue.reason.to_string(), points: clue.points });
        self
    }
}

fn clues(person: &Person, query: &Query, options: Options) -> impl Iterator<Item = Clue> {
    let birth = query.birth.and_then(|birth| closest(&person.births, birth, options));
    let nationality = query.nationality.and_then(|country| nationality(person, country));
    let gender = query.gender.and_then(|gender| same_gender(person, gender));
    [birth.map(BirthMatch::clue), nationality, gender].into_iter().flatten()
}

/// One thing that was compared.
struct Clue {
    points: i16,
    verdict: Verdict,
    reason: Reason,
}

impl Clue {
    const fn new(points: i16, verdict: Verdict, reason: &'static str) -> Self {
        Self { points, verdict, reason: Reason::Words(reason) }
    }
}

/// What a clue says.
enum Reason {
    Words(&'static str),
    YearsApart(u32),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::YearsApart(1) => f.write_str("year of birth differs by 1 year"),
            Self::YearsApart(years) => write!(f, "year of birth differs by {years} years"),
        }
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
        match self {
            Self::SameDay => Clue::new(SAME_DAY, Verdict::For, "date of birth agrees"),
            Self::SameMonth => Clue::new(SAME_MONTH, Verdict::For, "month and year of birth agree"),
            Self::SameYear => Clue::new(SAME_YEAR, Verdict::For, "year of birth agrees"),
            Self::InRange => {
                Clue::new(IN_RANGE, Verdict::For, "year of birth is within the listed range")
            }
            Self::OnePartOff => {
                Clue::new(ONE_PART_OFF, Verdict::Neither, "date of birth differs in one part")
            }
            Self::YearsApart(0) => Clue::new(OTHER_DAY, Verdict::Neither, "day of birth differs"),
            Self::YearsApart(years) => {
                let reason = Reason::YearsApart(years);
                Clue { points: OTHER_YEAR, verdict: Verdict::Neither, reason }
            }
            Self::Contradicts(years) => {
                let reason = Reason::YearsApart(years);
                Clue { points: CONTRADICTS, verdict: Verdict::Against, reason }
            }
        }
    }
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
    let (from, to) = match birth {
        Birth::Day(date) => (date.year(), date.year()),
        Birth::Month { year, .. } | Birth::Year(year) => (year, year),
        Birth::About(year) => (year.saturating_sub(ABOUT_YEARS), year.saturating_add(ABOUT_YEARS)),
        Birth::Years { from, to } => (from, to),
    };
    // Nobody was born beyond the calendar, whatever a caller says: so what lies between years is a number.
    let of_calendar = |year: i32| year.clamp(Date::MIN.year(), Date::MAX.year());
    (of_calendar(from), of_calendar(to))
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

#[cfg(test)]
mod tests {
    use time::Month;

    use super::*;

    fn day(year: i32, month: u8, day: u8) -> Birth {
        let month = Month::try_from(month).unwrap();
        Birth::Day(Date::from_calendar_date(year, month, day).unwrap())
    }

    #[test]
    fn dates_are_compared_as_exactly_as_both_are_known() {
        use BirthMatch::{
            Contradicts, InRange, OnePartOff, SameDay, SameMonth, SameYear, YearsApart,
        };
        let month = |year, month| Birth::Month { year, month };
        for (one, other, expected) in [
            (day(1971, 3, 4), day(1971, 3, 4), SameDay),
            (day(1971, 3, 4), day(1971, 3, 5), OnePartOff),
            (day(1971, 3, 4), day(1971, 8, 4), OnePartOff),
            (day(1971, 3, 4), day(1985, 3, 4), OnePartOff),
            (day(1971, 3, 4), day(1971, 4, 3), OnePartOff),
            (day(1971, 3, 4), day(1971, 5, 6), YearsApart(0)),
            (day(1971, 3, 4), day(1972, 4, 3), YearsApart(1)),
            (day(1971, 3, 4), day(1973, 3, 5), YearsApart(2)),
            (day(1971, 3, 4), day(1974, 3, 5), Contradicts(3)),
            (month(1971, 3), day(1971, 3, 4), SameMonth),
            (month(1971, 3), month(1971, 3), SameMonth),
            (month(1971, 3), day(1971, 4, 4), YearsApart(0)),
            (month(1971, 3), day(1972, 3, 4), YearsApart(1)),
            (month(1971, 3), Birth::Year(1971), SameYear),
            (Birth::Year(1971), day(1971, 3, 4), SameYear),
            (Birth::Year(1971), Birth::Year(1974), Contradicts(3)),
            (Birth::About(1971), day(1973, 3, 4), InRange),
            (Birth::About(1971), day(1969, 3, 4), InRange),
            (Birth::About(1971), day(1968, 3, 4), YearsApart(1)),
            (Birth::About(1971), Birth::About(1977), YearsApart(2)),
            (Birth::years(1970, 1972), Birth::Year(1970), InRange),
            (Birth::years(1970, 1972), month(1972, 3), InRange),
            (Birth::years(1970, 1972), Birth::Year(1974), YearsApart(2)),
            (Birth::years(1970, 1972), Birth::Year(1967), Contradicts(3)),
        ] {
            assert_eq!(compare(one, other, Options::default()), expected, "{one:?} {other:?}");
            assert_eq!(compare(other, one, Options::default()), expected, "{other:?} {one:?}");
        }
    }

    #[test]
    fn the_listed_date_that_fits_best_counts() {
        let births = [Birth::Year(1980), day(1971, 3, 4), Birth::Year(1971)];
        let closest = |birth| closest(&births, birth, Options::default());
        assert_eq!(closest(day(1971, 3, 4)), Some(BirthMatch::SameDay));
        assert_eq!(closest(day(1980, 3, 5)), Some(BirthMatch::SameYear));
        assert_eq!(super::closest(&[], day(1971, 3, 4), Options::default()), None);
    }
}
