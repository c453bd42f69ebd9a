//! Calendar days: strict parsing, dates of birth, expiry (D21, D33).

use std::fmt;

use time::macros::{date, format_description};
use time::{Date, Duration, Month};

/// Reads a calendar day, strictly `YYYY-MM-DD`.
///
/// ```
/// use kyc_core::day;
///
/// assert!(day::parse("2024-02-29").is_ok());
/// assert!(day::parse("2023-02-29").is_err());
/// assert!(day::parse("+2000-01-1").is_err());
/// ```
///
/// # Errors
///
/// [`InvalidDay`] for every other shape and for days that do not exist.
pub fn parse(text: &str) -> Result<Date, InvalidDay> {
    // `time` alone would accept signs, so the shape is checked first.
    let is_shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_shaped {
        return Err(InvalidDay::Shape);
    }
    let day = Date::parse(text, format_description!("[year]-[month]-[day]"));
    day.ok().filter(|day| day.year() > 0).ok_or(InvalidDay::NoSuchDay)
}

/// Writes a calendar day of the years 0 to 9999 as `YYYY-MM-DD`.
///
/// ```
/// use kyc_core::day;
/// use time::macros::date;
///
/// assert_eq!(day::text(date!(2024 - 02 - 29)), "2024-02-29");
/// ```
pub fn text(day: Date) -> String {
    let mut text = String::with_capacity("0000-00-00".len());
    push(&mut text, day);
    text
}

pub(crate) fn push(text: &mut String, day: Date) {
    push_number(text, day.year().unsigned_abs(), 4);
    text.push('-');
    push_number(text, u8::from(day.month()).into(), 2);
    text.push('-');
    push_number(text, day.day().into(), 2);
}

/// The formatter of the standard library takes several times as long, and a page of a list has
/// thousands of numbers.
pub(crate) fn push_number(text: &mut String, number: u32, digits: u32) {
    for place in (0..digits).rev() {
        let digit = number / 10_u32.pow(place) % 10;
        text.push(char::from_digit(digit, 10).unwrap_or('0'));
    }
}

/// The day on which a proof of address expires: three calendar months after its issue, clamped to
/// the end of the month (D33).
///
/// ```
/// use kyc_core::day;
/// use time::macros::date;
///
/// assert_eq!(day::address_expiry(date!(2024 - 11 - 30)), date!(2025 - 02 - 28));
/// ```
pub fn address_expiry(issued: Date) -> Date {
    plus_months(issued, 3)
}

/// A day some calendar months later, clamped to the end of the month.
///
/// ```
/// use kyc_core::day;
/// use time::macros::date;
///
/// assert_eq!(day::plus_months(date!(2024 - 02 - 29), 5 * 12), date!(2029 - 02 - 28));
/// ```
pub fn plus_months(day: Date, months: u16) -> Date {
    let months = i32::from(months) + i32::from(u8::from(day.month())) - 1;
    let year = day.year() + months / 12;
    let month = Month::January.nth_next(u8::try_from(months % 12).unwrap_or(0));
    // Fails only behind the last year that `time` knows, where the end of time is right enough.
    Date::from_calendar_date(year, month, day.day().min(month.length(year))).unwrap_or(Date::MAX)
}

/// Why a text is not a calendar day.
///
/// ```
/// use kyc_core::{InvalidDay, day};
///
/// assert_eq!(day::parse("17.05.1990"), Err(InvalidDay::Shape));
/// assert_eq!(day::parse("1990-02-30"), Err(InvalidDay::NoSuchDay));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidDay {
    /// Not ten characters of the shape `YYYY-MM-DD`.
    #[error("must be a date of the form YYYY-MM-DD")]
    Shape,
    /// The calendar has no such day.
    #[error("must be a day that exists")]
    NoSuchDay,
}

/// A date of birth: not in the future, not before 1900 (D21).
///
/// ```
/// use kyc_core::{BirthDate, InvalidBirthDate};
/// use time::macros::date;
///
/// let today = date!(2026 - 11 - 20);
/// assert_eq!(BirthDate::parse("1990-05-17", today)?.date(), date!(1990 - 05 - 17));
/// assert_eq!(BirthDate::parse("2026-11-21", today), Err(InvalidBirthDate::Future));
/// # Ok::<(), InvalidBirthDate>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BirthDate(Date);

impl BirthDate {
    /// The earliest day accepted.
    pub const EARLIEST: Date = date!(1900 - 01 - 01);

    /// Reads `YYYY-MM-DD` and compares it with `today`.
    ///
    /// # Errors
    ///
    /// [`InvalidBirthDate`] names the rule that the text breaks.
    pub fn parse(text: &str, today: Date) -> Result<Self, InvalidBirthDate> {
        Self::new(parse(text)?, today)
    }

    /// Takes a calendar day and compares it with `today`, in UTC.
    ///
    /// # Errors
    ///
    /// [`InvalidBirthDate::Future`] and [`InvalidBirthDate::TooEarly`].
    pub fn new(day: Date, today: Date) -> Result<Self, InvalidBirthDate> {
        if day > today {
            return Err(InvalidBirthDate::Future);
        }
        if day < Self::EARLIEST {
            return Err(InvalidBirthDate::TooEarly);
        }
        Ok(Self(day))
    }

    /// The calendar day.
    pub fn date(self) -> Date {
        self.0
    }

    /// Days since [`EARLIEST`](Self::EARLIEST): a small number that stores can keep.
    ///
    /// ```
    /// use kyc_core::BirthDate;
    /// use time::macros::date;
    ///
    /// let born = BirthDate::new(date!(1900 - 02 - 01), date!(2026 - 11 - 20))?;
    /// assert_eq!(born.days(), 31);
    /// assert_eq!(BirthDate::from_days(31), Some(born));
    /// # Ok::<(), kyc_core::InvalidBirthDate>(())
    /// ```
    pub fn days(self) -> u32 {
        u32::try_from((self.0 - Self::EARLIEST).whole_days()).unwrap_or(0)
    }

    /// The reverse of [`days`](Self::days). `None` behind the calendar's end.
    pub fn from_days(days: u32) -> Option<Self> {
        Self::EARLIEST.checked_add(Duration::days(i64::from(days))).map(Self)
    }
}

impl fmt::Debug for BirthDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BirthDate(***)")
    }
}

/// Why a text is not a [`BirthDate`].
///
/// ```
/// use kyc_core::{BirthDate, InvalidBirthDate, InvalidDay};
/// use time::macros::date;
///
/// let parse = |text| BirthDate::parse(text, date!(2026 - 11 - 20));
/// assert_eq!(parse("1899-12-31"), Err(InvalidBirthDate::TooEarly));
/// assert_eq!(parse("1990"), Err(InvalidBirthDate::NoDay(InvalidDay::Shape)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidBirthDate {
    /// No calendar day at all.
    #[error(transparent)]
    NoDay(#[from] InvalidDay),
    /// Later than today.
    #[error("must not be in the future")]
    Future,
    /// Before [`BirthDate::EARLIEST`].
    #[error("must not be before 1900-01-01")]
    TooEarly,
}
