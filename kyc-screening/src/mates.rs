//! Who was born on the same day, or in the same month where lists know no more.

use time::{Date, Month};

use crate::Birth;
use crate::plain_hash::{BASE, mix};

/// Shows the keys under which a listed birth is kept.
pub(crate) fn kept(birth: Birth, mut show: impl FnMut(u64)) {
    match birth {
        Birth::Day(date) => show(day(date)),
        Birth::Month { year, month: number } => show(month(year, number)),
        Birth::Year(_) | Birth::About(_) | Birth::Years { .. } => {}
    }
}

/// Shows the keys of the births that have day and month in common with one, or month alone where
/// either knows no day.
pub(crate) fn looked_up(birth: Birth, mut show: impl FnMut(u64)) {
    match birth {
        Birth::Day(date) => {
            show(day(date));
            show(month(date.year(), date.month().into()));
        }
        Birth::Month { year, month: number } => {
            show(month(year, number));
            let first = Month::try_from(number)
                .ok()
                .and_then(|month| Date::from_calendar_date(year, month, 1).ok());
            let days = std::iter::successors(first, |day| day.next_day());
            for date in days.take_while(|date| u8::from(date.month()) == number) {
                show(day(date));
            }
        }
        Birth::Year(_) | Birth::About(_) | Birth::Years { .. } => {}
    }
}

fn day(date: Date) -> u64 {
    key(date.to_julian_day(), 0)
}

fn month(year: i32, month: u8) -> u64 {
    key(year, month)
}

fn key(number: i32, kind: u8) -> u64 {
    number.to_le_bytes().into_iter().fold(mix(BASE, kind), mix)
}
