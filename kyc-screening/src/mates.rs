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

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn who_was_born_on_a_day_or_in_a_month_finds_each_other() {
        let (day, month) = (Birth::Day, |year, month| Birth::Month { year, month });
        let births = [
            day(date!(1972 - 02 - 01)),
            day(date!(1972 - 02 - 29)),
            day(date!(1972 - 03 - 01)),
            month(1972, 2),
            month(1971, 2),
            Birth::Year(1972),
            Birth::About(1972),
            Birth::years(1972, 1973),
        ];
        let found = |birth| {
            let mut keys = Vec::new();
            looked_up(birth, |key| keys.push(key));
            let mut is_found = births.map(|_| false);
            for (is_found, listed) in is_found.iter_mut().zip(births) {
                kept(listed, |key| *is_found |= keys.contains(&key));
            }
            (0..births.len()).filter(|at| is_found[*at]).collect::<Vec<_>>()
        };
        let expected: [&[usize]; 8] = [&[0, 3], &[1, 3], &[2], &[0, 1, 3], &[4], &[], &[], &[]];
        for (birth, expected) in births.into_iter().zip(expected) {
            assert_eq!(found(birth), expected, "{birth:?}");
        }
    }
}
