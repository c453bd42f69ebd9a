//! Points in time, in whole milliseconds.

use std::fmt;

use time::{Date, Duration, UtcDateTime};

use crate::day;

/// A point in time, UTC, in whole milliseconds: the precision of the interface (D48), so that what
/// was answered equals what is read back.
///
/// # Syntax
///
/// `Display` writes ISO 8601 with milliseconds, `2018-10-08T10:08:35.710Z`.
///
/// ```
/// use kyc_core::Timestamp;
///
/// let time = Timestamp::from_unix_millis(1_538_993_315_710).ok_or("out of range")?;
/// assert_eq!(time.to_string(), "2018-10-08T10:08:35.710Z");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 1970-01-01, the earliest time.
    pub const EARLIEST: Self = Self(0);
    /// The last millisecond of the year 9999, the latest time.
    pub const LATEST: Self = Self(253_402_300_799_999);

    /// Milliseconds since 1970. `None` before 1970 and after 9999.
    pub fn from_unix_millis(millis: i64) -> Option<Self> {
        (Self::EARLIEST.0..=Self::LATEST.0).contains(&millis).then_some(Self(millis))
    }

    /// Milliseconds since 1970; never negative.
    pub fn unix_millis(self) -> i64 {
        self.0
    }

    /// Cuts to milliseconds; times outside the range become its ends.
    ///
    /// ```
    /// use kyc_core::Timestamp;
    /// use time::macros::utc_datetime;
    ///
    /// let time = Timestamp::from_utc(utc_datetime!(2026-11-20 23:59:59.999_999));
    /// assert_eq!(time.to_string(), "2026-11-20T23:59:59.999Z");
    /// ```
    pub fn from_utc(time: UtcDateTime) -> Self {
        let millis = time.unix_timestamp_nanos() / 1_000_000;
        let clamped = millis.clamp(0, i128::from(Self::LATEST.0));
        Self(i64::try_from(clamped).unwrap_or(Self::LATEST.0))
    }

    /// Date and time of day.
    pub fn to_utc(self) -> UtcDateTime {
        let (seconds, millis) = (self.0.div_euclid(1_000), self.0.rem_euclid(1_000));
        let time = UtcDateTime::from_unix_timestamp(seconds).unwrap_or(UtcDateTime::UNIX_EPOCH);
        time + Duration::milliseconds(millis)
    }

    /// The calendar day in UTC.
    pub fn date(self) -> Date {
        self.to_utc().date()
    }

    /// This time plus some milliseconds, at most [`LATEST`](Self::LATEST).
    #[must_use]
    pub fn plus_millis(self, millis: u32) -> Self {
        self.plus(std::time::Duration::from_millis(millis.into()))
    }

    /// This time plus the whole milliseconds of a duration, at most [`LATEST`](Self::LATEST).
    #[must_use]
    pub fn plus(self, duration: std::time::Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(millis).min(Self::LATEST.0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = self.to_utc();
        let mut text = String::with_capacity("0000-00-00T00:00:00.000Z".len());
        day::push(&mut text, utc.date());
        for (mark, number) in [('T', utc.hour()), (':', utc.minute()), (':', utc.second())] {
            text.push(mark);
            day::push_number(&mut text, number.into(), 2);
        }
        text.push('.');
        day::push_number(&mut text, utc.millisecond().into(), 3);
        text.push('Z');
        f.write_str(&text)
    }
}
