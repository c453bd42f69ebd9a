//! Whose dates of birth do not contradict each other, seen from afar.

use super::{Glance, NONE, Outlook, several};

/// In which years and on which days of a year somebody may have been born, a bit for each share of
/// them. Who has no bit in common with the era [beside](Outlook::era) somebody is contradicted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Era(u16);

/// The first year of each share but the first: about as many people are listed in each.
const FIRST_YEARS: [i32; YEARS_BITS as usize - 1] =
    [1949, 1955, 1960, 1965, 1970, 1975, 1981, 1988];
const YEARS_BITS: u32 = 9;
/// Into so many shares go the days of a year.
const DAYS_BITS: u32 = 4;

impl Era {
    pub(crate) const BITS: u32 = YEARS_BITS + DAYS_BITS;
    pub(crate) const BYTES: usize = 2;
    /// Anybody.
    pub(crate) const ANY: Self = Self((1 << Self::BITS) - 1);

    /// When somebody was born who is seen at a glance.
    pub(crate) fn of(glance: Glance) -> Self {
        let birthday = Some(glance.birthday()).filter(|birthday| *birthday != NONE);
        Self::new(glance.years().range(), birthday, 0)
    }

    /// When somebody has to be born for not being contradicted by these facts.
    pub(super) fn beside(outlook: Outlook) -> Self {
        Self::new(outlook.years, outlook.birthday, outlook.years_apart_max)
    }

    fn new(years: Option<(i32, i32)>, birthday: Option<u32>, apart: u32) -> Self {
        let Some((from, to)) = years else { return Self::ANY };
        let share = |year: i32| FIRST_YEARS.partition_point(|first| *first <= year);
        let first = share(from.saturating_sub_unsigned(apart));
        let last = share(to.saturating_add_unsigned(apart));
        let years = (first..=last).fold(0, |years, share| years | 1 << share);
        let days = match birthday {
            None => 0,
            Some(day) if day == several::<{ super::BIRTHDAY_BITS }>() => several::<DAYS_BITS>(),
            Some(day) => 1 << (day % DAYS_BITS),
        };
        let [low, high, ..] = (days << YEARS_BITS | years).to_le_bytes();
        Self(u16::from_le_bytes([low, high]))
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn to_bits(self) -> u16 {
        self.0
    }

    /// The reverse of [`to_bits`](Self::to_bits), whatever the bits above are.
    pub(crate) fn of_bits(bits: u16) -> Self {
        Self(bits & Self::ANY.0)
    }
}
