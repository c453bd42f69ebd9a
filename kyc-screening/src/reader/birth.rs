//! Dates of birth, as lists write them.

use kyc_core::day;
use time::{Date, Month};

use crate::Birth;

/// `1957-08-03`, `1957-08` or `1957`.
pub(super) fn iso(text: &str) -> Option<Birth> {
    match text.len() {
        4 => year(text).map(Birth::Year),
        7 => {
            let first_day = day::parse(&format!("{text}-01")).ok()?;
            Some(Birth::Month { year: first_day.year(), month: u8::from(first_day.month()) })
        }
        _ => day::parse(text).ok().map(Birth::Day),
    }
}

/// `03 Aug 1957`, `Aug 1957`, `1957`, `circa 1957`, and ranges of them with ` to ` or `-`.
pub(super) fn spelled(text: &str) -> Option<Birth> {
    if let Some(about) = text.strip_prefix("circa ") {
        return spelled(about).map(approximate);
    }
    if let Some((from, to)) = text.split_once(" to ").or_else(|| text.split_once('-')) {
        let last_year = |text: &str| text.split_whitespace().last().and_then(year);
        return Some(Birth::years(last_year(from)?, last_year(to)?));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [day, month, year_word] => of_parts(year(year_word)?, month_of(month)?, day.parse().ok()?),
        [month, year_word] => {
            Some(Birth::Month { year: year(year_word)?, month: u8::from(month_of(month)?) })
        }
        [year_word] => year(year_word).map(Birth::Year),
        _ => None,
    }
}

/// `03/08/1957`; letters or zeros stand for a day and month that nobody knows: `dd/08/1957`.
pub(super) fn slashed(text: &str) -> Option<Birth> {
    let parts: Vec<&str> = text.split('/').collect();
    let [day, month, year_word] = parts.as_slice() else {
        return year(text).map(Birth::Year);
    };
    let known = |part: &str| part.parse::<u8>().ok().filter(|number| *number > 0);
    let birth_year = year(year_word)?;
    match (known(day), known(month)) {
        (Some(day), Some(month)) => of_parts(birth_year, Month::try_from(month).ok()?, day),
        (None, Some(month @ 1..=12)) => Some(Birth::Month { year: birth_year, month }),
        _ => Some(Birth::Year(birth_year)),
    }
}

/// The same, when the list is not sure of it.
pub(super) fn approximate(birth: Birth) -> Birth {
    match birth {
        Birth::Day(date) => Birth::About(date.year()),
        Birth::Month { year, .. } | Birth::Year(year) => Birth::About(year),
        range @ (Birth::About(_) | Birth::Years { .. }) => range,
    }
}

/// Four digits, as a year that somebody can be born in.
pub(super) fn year(text: &str) -> Option<i32> {
    let is_year = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    if is_year { text.parse().ok().filter(|year| *year >= 1000) } else { None }
}

fn of_parts(year: i32, month: Month, day: u8) -> Option<Birth> {
    Date::from_calendar_date(year, month, day).ok().map(Birth::Day)
}

fn month_of(text: &str) -> Option<Month> {
    let at = MONTHS.iter().position(|month| *month == text)?;
    Month::try_from(u8::try_from(at + 1).ok()?).ok()
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Birth>) {
        assert_eq!(spelled(text), expected, "{text}");
    }

    #[track_caller]
    fn check_slashed(text: &str, expected: Option<Birth>) {
        assert_eq!(slashed(text), expected, "{text}");
    }

    #[test]
    fn every_spelled_date_of_birth_is_read() {
        check("03 Aug 1957", Some(Birth::Day(date!(1957 - 08 - 03))));
        check("Aug 1957", Some(Birth::Month { year: 1957, month: 8 }));
        check("1957", Some(Birth::Year(1957)));
        check("circa 1957", Some(Birth::About(1957)));
        check("circa 03 Aug 1957", Some(Birth::About(1957)));
        check("circa Aug 1957", Some(Birth::About(1957)));
        check("circa 1957-1960", Some(Birth::Years { from: 1957, to: 1960 }));
        check("1957 to 1960", Some(Birth::Years { from: 1957, to: 1960 }));
        check("01 Jan 1957 to 31 Dec 1957", Some(Birth::Year(1957)));
        check("Oct 1957 to Mar 1958", Some(Birth::Years { from: 1957, to: 1958 }));
    }

    #[test]
    fn every_slashed_date_of_birth_is_read() {
        check_slashed("03/08/1957", Some(Birth::Day(date!(1957 - 08 - 03))));
        check_slashed("dd/08/1957", Some(Birth::Month { year: 1957, month: 8 }));
        check_slashed("00/08/1957", Some(Birth::Month { year: 1957, month: 8 }));
        check_slashed("dd/mm/1957", Some(Birth::Year(1957)));
        check_slashed("00/00/1957", Some(Birth::Year(1957)));
        check_slashed("1957", Some(Birth::Year(1957)));
    }

    #[test]
    fn what_is_no_date_is_left_out() {
        for text in ["", "unknown", "31 Feb 1957", "03 August 1957", "57", "0000"] {
            check(text, None);
            assert_eq!(iso(text), None, "{text}");
            assert_eq!(slashed(text), None, "{text}");
        }
        check_slashed("31/02/1957", None);
        check_slashed("01/13/1957", None);
        check_slashed("01/02/57", None);
        check_slashed("01/02/1957/3", None);
    }

    #[test]
    fn whoever_is_listed_about_a_date_has_no_day() {
        assert_eq!(approximate(Birth::Day(date!(1957 - 08 - 03))), Birth::About(1957));
        let range = Birth::Years { from: 1957, to: 1960 };
        assert_eq!(approximate(range), range);
    }
}
