use kyc_core::conformance::fixture::TODAY;
use kyc_core::{
    BirthDate, Clock, InvalidBirthDate, InvalidDay, SystemClock, Timestamp, day, strategies,
};
use proptest::prelude::*;
use time::macros::{date, utc_datetime};
use time::{Date, Duration, Month, UtcDateTime};

#[track_caller]
fn day(text: &str, expected: Result<Date, InvalidDay>) {
    assert_eq!(day::parse(text), expected);
}

#[test]
fn d21_a_date_is_a_day_that_exists() {
    day("2026-11-20", Ok(date!(2026 - 11 - 20)));
    day("2024-02-29", Ok(date!(2024 - 02 - 29)));
    day("2000-02-29", Ok(date!(2000 - 02 - 29)));
    day("0001-01-01", Ok(date!(0001 - 01 - 01)));
    day("9999-12-31", Ok(date!(9999 - 12 - 31)));
    day("2023-02-29", Err(InvalidDay::NoSuchDay));
    day("1900-02-29", Err(InvalidDay::NoSuchDay));
    day("2026-04-31", Err(InvalidDay::NoSuchDay));
    day("2026-13-01", Err(InvalidDay::NoSuchDay));
    day("2026-00-01", Err(InvalidDay::NoSuchDay));
    day("2026-01-00", Err(InvalidDay::NoSuchDay));
    day("2026-01-32", Err(InvalidDay::NoSuchDay));
    day("0000-01-01", Err(InvalidDay::NoSuchDay));
}

#[test]
fn d21_a_date_is_written_in_one_shape() {
    for text in [
        "",
        "2026-1-20",
        "20261120",
        "2026/11/20",
        "20-11-2026",
        "+2026-11-2",
        "-2026-11-2",
        " 2026-11-20",
        "2026-11-20 ",
        "2026-11-20T00:00:00Z",
        "２026-11-2",
        "2026-11-2０",
        "2026--1-20",
        "2026-11--1",
        "abcd-ef-gh",
        "20261-1-20",
    ] {
        day(text, Err(InvalidDay::Shape));
    }
}

#[test]
fn d21_a_birth_is_neither_in_the_future_nor_before_1900() {
    #[track_caller]
    fn check(text: &str, expected: Result<Date, InvalidBirthDate>) {
        assert_eq!(BirthDate::parse(text, TODAY).map(BirthDate::date), expected);
    }
    check("2026-11-20", Ok(TODAY));
    check("2026-11-21", Err(InvalidBirthDate::Future));
    check("1900-01-01", Ok(date!(1900 - 01 - 01)));
    check("1899-12-31", Err(InvalidBirthDate::TooEarly));
    check("2026-11-2O", Err(InvalidBirthDate::NoDay(InvalidDay::Shape)));
    check("2025-02-29", Err(InvalidBirthDate::NoDay(InvalidDay::NoSuchDay)));
    assert_eq!(BirthDate::EARLIEST, date!(1900 - 01 - 01));
}

#[test]
fn a_birth_date_is_a_number_of_days() {
    let days = |day| BirthDate::new(day, TODAY).unwrap().days();
    assert_eq!(days(date!(1900 - 01 - 01)), 0);
    assert_eq!(days(date!(1900 - 01 - 02)), 1);
    assert_eq!(days(date!(2000 - 01 - 01)), 36_524);
    assert_eq!(BirthDate::from_days(36_524).map(BirthDate::date), Some(date!(2000 - 01 - 01)));
    assert_eq!(BirthDate::from_days(u32::MAX), None);
}

#[track_caller]
fn expires(issued: Date, expected: Date) {
    assert_eq!(day::address_expiry(issued), expected);
}

#[test]
fn d33_an_address_document_expires_three_calendar_months_after_its_issue() {
    expires(date!(2026 - 01 - 01), date!(2026 - 04 - 01));
    expires(date!(2026 - 01 - 31), date!(2026 - 04 - 30));
    expires(date!(2026 - 03 - 31), date!(2026 - 06 - 30));
    expires(date!(2026 - 05 - 31), date!(2026 - 08 - 31));
    expires(date!(2026 - 09 - 30), date!(2026 - 12 - 30));
    expires(date!(2026 - 10 - 01), date!(2027 - 01 - 01));
    expires(date!(2026 - 12 - 31), date!(2027 - 03 - 31));
}

#[test]
fn d33_the_expiry_is_clamped_to_the_end_of_february() {
    expires(date!(2024 - 11 - 28), date!(2025 - 02 - 28));
    expires(date!(2024 - 11 - 29), date!(2025 - 02 - 28));
    expires(date!(2024 - 11 - 30), date!(2025 - 02 - 28));
    expires(date!(2023 - 11 - 28), date!(2024 - 02 - 28));
    expires(date!(2023 - 11 - 29), date!(2024 - 02 - 29));
    expires(date!(2023 - 11 - 30), date!(2024 - 02 - 29));
    expires(Date::MAX, Date::MAX);
}

proptest! {
    #[test]
    fn d33_an_expiry_lies_89_to_92_days_behind_the_issue(issued in strategies::dates()) {
        let expiry = day::address_expiry(issued);
        if expiry != Date::MAX {
            let days = (expiry - issued).whole_days();
            prop_assert!((89..=92).contains(&days), "{} days", days);
            prop_assert!(expiry.day() <= issued.day());
            prop_assert_eq!((u8::from(issued.month()) + 2) % 12 + 1, u8::from(expiry.month()));
        }
    }

    #[test]
    fn d21_a_day_reads_as_it_is_printed(day in strategies::dates()) {
        prop_assert_eq!(day::parse(&day.to_string()), Ok(day));
        prop_assert_eq!(day::parse(&day::text(day)), Ok(day));
    }

    #[test]
    fn d21_no_text_makes_the_reader_fall(text in "[0-9+-]{8,12}") {
        if let Ok(day) = day::parse(&text) {
            prop_assert_eq!(day.to_string(), text);
        }
    }

    #[test]
    fn a_birth_date_and_its_days_are_one_value(born in strategies::birth_dates()) {
        prop_assert_eq!(BirthDate::from_days(born.days()), Some(born));
        prop_assert_eq!(BirthDate::parse(&born.date().to_string(), TODAY), Ok(born));
    }

    #[test]
    fn a_time_and_its_parts_are_one_value(time in strategies::timestamps()) {
        prop_assert_eq!(Timestamp::from_utc(time.to_utc()), time);
        prop_assert_eq!(Timestamp::from_unix_millis(time.unix_millis()), Some(time));
        prop_assert_eq!(time.date(), time.to_utc().date());
    }

    #[test]
    fn times_order_as_their_texts_do(one in strategies::timestamps(), other in strategies::timestamps()) {
        prop_assert_eq!(one.cmp(&other), one.to_string().cmp(&other.to_string()));
    }
}

#[test]
fn d48_a_time_is_written_in_utc_with_milliseconds() {
    let text = |millis| Timestamp::from_unix_millis(millis).unwrap().to_string();
    assert_eq!(text(1_538_993_315_710), "2018-10-08T10:08:35.710Z");
    assert_eq!(text(0), "1970-01-01T00:00:00.000Z");
    assert_eq!(text(7), "1970-01-01T00:00:00.007Z");
    assert_eq!(Timestamp::LATEST.to_string(), "9999-12-31T23:59:59.999Z");
}

#[test]
fn times_lie_between_1970_and_9999() {
    assert_eq!(Timestamp::from_unix_millis(-1), None);
    assert_eq!(Timestamp::from_unix_millis(0), Some(Timestamp::EARLIEST));
    assert_eq!(Timestamp::from_unix_millis(253_402_300_799_999), Some(Timestamp::LATEST));
    assert_eq!(Timestamp::from_unix_millis(253_402_300_800_000), None);
    assert_eq!(Timestamp::from_utc(utc_datetime!(1969-12-31 23:59:59.999)), Timestamp::EARLIEST);
    assert_eq!(Timestamp::from_utc(UtcDateTime::MIN), Timestamp::EARLIEST);
    assert_eq!(Timestamp::from_utc(UtcDateTime::MAX), Timestamp::LATEST);
}

#[test]
fn a_time_is_cut_to_milliseconds_and_never_rounded_up() {
    let time = Timestamp::from_utc(utc_datetime!(2026-11-20 23:59:59.999_999_999));
    assert_eq!(time.to_string(), "2026-11-20T23:59:59.999Z");
    assert_eq!(time.date(), TODAY);
    assert_eq!(time.plus_millis(1).date(), TODAY + Duration::DAY);
}

#[test]
fn adding_to_the_latest_time_stays_there() {
    assert_eq!(Timestamp::LATEST.plus_millis(1), Timestamp::LATEST);
    assert_eq!(Timestamp::EARLIEST.plus_millis(u32::MAX).unix_millis(), i64::from(u32::MAX));
}

#[test]
fn the_system_clock_shows_our_time() {
    let now = SystemClock.now().to_utc();
    assert!(now > utc_datetime!(2025-01-01 0:00), "{now}");
    assert!(now.month() >= Month::January && now < utc_datetime!(2200-01-01 0:00), "{now}");
}
