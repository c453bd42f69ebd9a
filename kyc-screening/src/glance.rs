//! What is seen of a listed person at a glance: how much its facts can add to a score at most.

mod era;

use kyc_core::{Country, Gender};

use crate::evidence::{
    CONTRADICTS, ONE_PART_OFF, OTHER_GENDER, OTHER_NATIONALITY, OTHER_YEAR, SAME_DAY,
    SAME_NATIONALITY, SAME_YEAR, years,
};
use crate::{Birth, Options, Person, Query};

pub(crate) use era::Era;

/// What is seen of a listed person at a glance, in [`Glance::BITS`] bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Glance(u32);

impl Glance {
    pub(crate) const BITS: u32 = Years::BITS + BIRTHDAY_BITS + COUNTRY_BITS + GENDER_BITS;

    pub(crate) fn of(person: &Person) -> Self {
        let countries = person.nationalities.iter().map(|country| country_number(*country));
        let genders = person.gender.iter().map(|gender| gender_number(*gender));
        let mut bits = Years::of(&person.births).to_bits();
        bits = bits << BIRTHDAY_BITS | birthday_of(&person.births);
        bits = bits << COUNTRY_BITS | only::<COUNTRY_BITS>(countries);
        Self(bits << GENDER_BITS | only::<GENDER_BITS>(genders))
    }

    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    /// The reverse of [`to_bits`](Self::to_bits).
    pub(crate) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    fn gender(self) -> u32 {
        self.0 & several::<GENDER_BITS>()
    }

    fn country(self) -> u32 {
        self.0 >> GENDER_BITS & several::<COUNTRY_BITS>()
    }

    fn birthday(self) -> u32 {
        self.0 >> (GENDER_BITS + COUNTRY_BITS) & several::<BIRTHDAY_BITS>()
    }

    fn years(self) -> Years {
        Years::of_bits(self.0 >> (GENDER_BITS + COUNTRY_BITS + BIRTHDAY_BITS))
    }
}

/// Nothing is known.
impl Default for Glance {
    fn default() -> Self {
        Self::of(&Person::default())
    }
}

const BIRTHDAY_BITS: u32 = 9;
const COUNTRY_BITS: u32 = 10;
const GENDER_BITS: u32 = 2;

/// Nothing.
const NONE: u32 = 0;

/// Several different values.
const fn several<const BITS: u32>() -> u32 {
    (1 << BITS) - 1
}

/// The only value of some that are neither nothing nor several.
fn only<const BITS: u32>(mut values: impl Iterator<Item = u32>) -> u32 {
    let Some(first) = values.next() else { return NONE };
    if values.all(|value| value == first) { first } else { several::<BITS>() }
}

/// The birthday, if all dates of birth have it; [`NONE`] if none has one.
fn birthday_of(births: &[Birth]) -> u32 {
    let unknown = several::<BIRTHDAY_BITS>();
    if births.iter().all(|birth| birthday(*birth).is_none()) {
        return NONE;
    }
    only::<BIRTHDAY_BITS>(births.iter().map(|birth| birthday(*birth).unwrap_or(unknown)))
}

/// When somebody may have been born.
#[derive(Clone, Copy)]
struct Years {
    /// In years since 1850. 0 and 255 stand for everything beyond them, too.
    first: u32,
    spread: u32,
}

impl Years {
    const BITS: u32 = 10;
    const SPREAD_BITS: u32 = 2;
    /// How many years the last one lies behind the first at most, by the spread.
    const SPREADS: [i32; 4] = [0, 4, 12, i16::MAX as i32];
    /// Any year, or none is known: told apart by the first.
    const ANY: u32 = 3;

    fn of(births: &[Birth]) -> Self {
        let all = || births.iter().map(|birth| years(*birth));
        let first = all().map(|(from, _)| from).min();
        let last = all().map(|(_, to)| to).max();
        let Some((from, to)) = first.zip(last) else {
            return Self { first: u8::MAX.into(), spread: Self::ANY };
        };
        let first = since_1850(from);
        let wide = (since_1850(to) - first).cast_signed();
        let spread = (0..Self::ANY).zip(Self::SPREADS).find(|(_, most)| wide <= *most);
        match spread.filter(|_| to < EPOCH + i32::from(u8::MAX)) {
            Some((spread, _)) => Self { first, spread },
            None => Self { first: 0, spread: Self::ANY },
        }
    }

    fn to_bits(self) -> u32 {
        self.first << Self::SPREAD_BITS | self.spread
    }

    fn of_bits(bits: u32) -> Self {
        Self { first: bits >> Self::SPREAD_BITS, spread: bits & several::<{ Self::SPREAD_BITS }>() }
    }

    fn is_known(self) -> bool {
        self.spread != Self::ANY || self.first == 0
    }

    /// The first and the last of them; `None` where none is known.
    fn range(self) -> Option<(i32, i32)> {
        let first = EPOCH + self.first.cast_signed();
        let from = if self.first == 0 { i32::from(i16::MIN) } else { first };
        self.is_known().then_some((from, first + self.spread()))
    }

    fn spread(self) -> i32 {
        Self::SPREADS.get(self.spread as usize).copied().unwrap_or(0)
    }

    /// How many years at least lie between these, if they are known, and some others.
    fn apart(self, (first, last): (i32, i32)) -> u32 {
        let from = EPOCH + self.first.cast_signed();
        let before = if self.first == 0 { 0 } else { from - last };
        let after = first - from - self.spread();
        before.max(after).max(0).unsigned_abs()
    }
}

/// The facts of whoever is looked for, ready to be held against glances.
#[derive(Clone, Copy)]
pub(crate) struct Outlook {
    years: Option<(i32, i32)>,
    birthday: Option<u32>,
    years_apart_max: u32,
    country: Option<u32>,
    gender: Option<u32>,
}

impl Outlook {
    /// The most that can be added for anybody whose day or month of birth is known to differ.
    pub(crate) const POINTS_MAX_OF_OTHERS: i16 = SAME_YEAR + SAME_NATIONALITY;

    pub(crate) fn of(query: &Query, options: Options) -> Self {
        Self {
            years: query.birth.map(years),
            birthday: query.birth.and_then(birthday),
            years_apart_max: options.birth_years_apart_max.into(),
            country: query.nationality.map(country_number),
            gender: query.gender.map(gender_number),
        }
    }

    /// The facts of somebody of whom there is but a glance, with one date of birth, nationality and
    /// gender at most. Where it is blurred they agree with more than the facts themselves, and never
    /// with less.
    pub(crate) fn of_glance(glance: Glance, options: Options) -> Self {
        let some = |number: u32| (number != NONE).then_some(number);
        Self {
            years: glance.years().range(),
            birthday: some(glance.birthday()),
            years_apart_max: options.birth_years_apart_max.into(),
            country: some(glance.country()),
            gender: some(glance.gender()),
        }
    }

    /// At least as much as [`Evidence`](crate::evidence::Evidence) adds to a score, or as little as it
    /// takes off.
    pub(crate) fn points_max(self, glance: Glance) -> i16 {
        self.points(glance, SAME_DAY)
    }

    /// The same for somebody whose day or month of birth is known to differ.
    pub(crate) fn points_max_of_others(self, glance: Glance) -> i16 {
        self.points(glance, SAME_YEAR)
    }

    /// The same for anybody of those.
    pub(crate) fn points_max_of_any_other(self) -> i16 {
        self.years.map_or(0, |_| SAME_YEAR) + self.country.map_or(0, |_| SAME_NATIONALITY)
    }

    /// The same for anybody whose date of birth contradicts.
    fn points_max_of_contradicted(self) -> i16 {
        CONTRADICTS + self.country.map_or(0, |_| SAME_NATIONALITY)
    }

    /// When somebody has to be born whose name needs no more than this.
    pub(crate) fn era(self, options: Options, score: u16) -> Era {
        let contradicted = options.needed_with(self.points_max_of_contradicted());
        if contradicted <= score { Era::ANY } else { Era::beside(self) }
    }

    // All of it is worked out: what is listed cannot be foreseen, and a branch would cost more.
    fn points(self, glance: Glance, birth_max: i16) -> i16 {
        let (country, own) = (glance.country(), self.country.unwrap_or(NONE));
        let (is_listed, is_asked) = (country != NONE, own != NONE);
        let is_known = is_listed & is_asked;
        let is_same = (country == own) | (country == several::<COUNTRY_BITS>());
        let nationality = match (is_known, is_same) {
            (false, _) => 0,
            (true, true) => SAME_NATIONALITY,
            (true, false) => OTHER_NATIONALITY,
        };
        let (gender, own) = (glance.gender(), self.gender.unwrap_or(NONE));
        let (is_listed, is_asked, is_other) = (gender != NONE, own != NONE, gender != own);
        let is_other = is_listed & is_asked & is_other;
        let gender = if is_other { OTHER_GENDER } else { 0 };
        self.birth(glance).min(birth_max) + nationality + gender
    }

    #[inline]
    fn birth(self, glance: Glance) -> i16 {
        let Some(years) = self.years else { return 0 };
        let (day, own) = (glance.birthday(), self.birthday.unwrap_or(NONE));
        let (is_listed, is_asked) = (day != NONE, own != NONE);
        let is_known = is_listed & is_asked;
        let is_same = (day == own) | (day == several::<BIRTHDAY_BITS>());
        let listed = glance.years();
        let apart = listed.apart(years);
        let in_same_year = match (is_known, is_same) {
            (true, false) => ONE_PART_OFF,
            (true, true) | (false, _) => SAME_DAY,
        };
        let is_near = apart <= self.years_apart_max;
        let in_other_year = match (is_known & is_same, is_near) {
            (true, _) => ONE_PART_OFF,
            (false, true) => OTHER_YEAR,
            (false, false) => CONTRADICTS,
        };
        let points = if apart == 0 { in_same_year } else { in_other_year };
        if listed.is_known() { points } else { 0 }
    }
}

const EPOCH: i32 = 1850;

fn since_1850(year: i32) -> u32 {
    u8::try_from((year - EPOCH).max(0)).unwrap_or(u8::MAX).into()
}

/// Month and day, where both are known.
fn birthday(birth: Birth) -> Option<u32> {
    match birth {
        Birth::Day(date) => Some(u32::from(u8::from(date.month())) << 5 | u32::from(date.day())),
        Birth::Month { .. } | Birth::Year(_) | Birth::About(_) | Birth::Years { .. } => None,
    }
}

/// A few countries share a number: then the other one is taken for the same.
fn country_number(country: Country) -> u32 {
    /// The largest prime that leaves room for nothing and several.
    const NUMBERS: u32 = 1_021;
    let code = country.alpha3().bytes().fold(0, |code, letter| code << 5 | u32::from(letter & 31));
    1 + code % NUMBERS
}

fn gender_number(gender: Gender) -> u32 {
    match gender {
        Gender::Male => 1,
        Gender::Female => 2,
    }
}

#[cfg(test)]
mod tests;
