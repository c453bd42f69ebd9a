//! The countries of the published value list (interface, "Country value list"; D20).

mod alpha2;
mod table;

use std::fmt;
use std::str::FromStr;

use alpha2::ALPHA2;
use table::TABLE;

/// A country of the published value list.
///
/// One byte, `Copy`, and always valid: the only way to get one is to look it up.
///
/// # Syntax
///
/// `Display` and `FromStr` use the combined form, `<name>, <alpha-3>`, exactly as published.
///
/// # Order
///
/// By alpha-3 code.
///
/// ```
/// use kyc_core::{Country, UnknownCountry};
///
/// let country: Country = "South Korea, KOR".parse()?;
/// assert_eq!((country.name(), country.alpha3()), ("South Korea", "KOR"));
/// assert_eq!(Country::from_alpha3("KOR"), Some(country));
/// assert_eq!("Korea, KOR".parse::<Country>(), Err(UnknownCountry));
/// # Ok::<(), UnknownCountry>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country(u8);

impl Country {
    /// How many countries there are.
    pub const COUNT: usize = TABLE.len();

    /// Looks up an upper-case ISO 3166-1 alpha-3 code (Kosovo is `XKX`).
    pub fn from_alpha3(code: &str) -> Option<Self> {
        let index = TABLE.binary_search_by(|row| alpha3(row).cmp(code)).ok()?;
        u8::try_from(index).ok().map(Self)
    }

    /// Looks up an upper-case ISO 3166-1 alpha-2 code (Kosovo is `XK`).
    ///
    /// ```
    /// use kyc_core::Country;
    ///
    /// assert_eq!(Country::from_alpha2("AL").map(Country::alpha3), Some("ALB"));
    /// assert_eq!(Country::from_alpha2("al"), None);
    /// ```
    pub fn from_alpha2(code: &str) -> Option<Self> {
        let index = ALPHA2.split(' ').position(|other| other == code)?;
        u8::try_from(index).ok().map(Self)
    }

    /// Every country, ordered by code.
    ///
    /// ```
    /// use kyc_core::Country;
    ///
    /// assert_eq!(Country::all().count(), Country::COUNT);
    /// assert_eq!(Country::all().next().map(Country::combined), Some("Aruba, ABW"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).take(Self::COUNT).map(Self)
    }

    /// The combined form, `Albania, ALB`.
    #[expect(clippy::indexing_slicing, reason = "built only from indices of TABLE")]
    pub fn combined(self) -> &'static str {
        TABLE[usize::from(self.0)]
    }

    /// The name alone, as published.
    pub fn name(self) -> &'static str {
        self.combined().rsplit_once(", ").map_or("", |(name, _)| name)
    }

    /// The ISO 3166-1 alpha-3 code.
    pub fn alpha3(self) -> &'static str {
        alpha3(self.combined())
    }
}

/// Every row ends with its code; `strictly_sorted` proves the length.
fn alpha3(row: &'static str) -> &'static str {
    row.get(row.len() - 3..).unwrap_or("")
}

impl FromStr for Country {
    type Err = UnknownCountry;

    fn from_str(text: &str) -> Result<Self, UnknownCountry> {
        text.rsplit_once(", ")
            .and_then(|(_, code)| Self::from_alpha3(code))
            .filter(|country| country.combined() == text)
            .ok_or(UnknownCountry)
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.combined())
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Country(***)")
    }
}

/// The text is no row of the value list.
///
/// ```
/// use kyc_core::{Country, UnknownCountry};
///
/// assert_eq!("Albania".parse::<Country>(), Err(UnknownCountry));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be `<country name>, <ISO alpha-3>` from the country list")]
pub struct UnknownCountry;

const _: () = assert!(ALPHA2.len() == 3 * Country::COUNT - 1, "an alpha-2 code for every row");

const _: () = assert!(strictly_sorted(&TABLE), "country rows: `<name>, <AAA>`, ordered by code");

#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a bad index stops the build"
)]
const fn strictly_sorted(table: &[&str]) -> bool {
    let mut row = 0;
    while row < table.len() {
        let bytes = table[row].as_bytes();
        let end = bytes.len();
        if end < 6 || bytes[end - 5] != b',' || bytes[end - 4] != b' ' {
            return false;
        }
        if row > 0 && code_of(table[row - 1]) >= code_of(table[row]) {
            return false;
        }
        row += 1;
    }
    true
}

/// The code as a number that orders like its letters; letters outside A–Z give 0, which no order
/// check passes.
#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a bad index stops the build"
)]
const fn code_of(row: &str) -> u32 {
    let bytes = row.as_bytes();
    let mut code = 0;
    let mut at = bytes.len() - 3;
    while at < bytes.len() {
        if !bytes[at].is_ascii_uppercase() {
            return 0;
        }
        code = code * 256 + bytes[at] as u32;
        at += 1;
    }
    code
}
