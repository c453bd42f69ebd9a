use std::num::NonZeroU32;

/// Requests a minute, in each class. `None` does not limit.
///
/// As many may come at once, and they are granted anew evenly over the minute. The defaults are
/// what no honest caller meets: each is several times what a million applicants a day need.
///
/// ```
/// use kyc_http::throttle::Rates;
///
/// let rates = Rates { lists: None, ..Rates::default() };
/// assert_eq!(rates.uploads.map(|rate| rate.get()), Some(3_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Documents that a client stores. 3,000: with the largest ones, what a line of 1 Gbit/s
    /// carries.
    pub uploads: Option<NonZeroU32>,
    /// Forms that a client stores. 3,000.
    pub submissions: Option<NonZeroU32>,
    /// Submissions that a client reads. 60,000: a client may ask for each of its applicants again
    /// and again.
    pub reads: Option<NonZeroU32>,
    /// Pages that a client lists. 600: each costs as much as thousands of reads.
    pub lists: Option<NonZeroU32>,
    /// Requests of an inspector. 3,000: a console asks for several things with each click.
    pub reviews: Option<NonZeroU32>,
    /// Requests from one address (one /64 network of IPv6) whose credential is missing or wrong.
    /// 60: a program with a key that was revoked is told so, and nobody gets to try many.
    pub refusals: Option<NonZeroU32>,
}

impl Rates {
    /// Limits nothing.
    pub const NONE: Self = Self {
        uploads: None,
        submissions: None,
        reads: None,
        lists: None,
        reviews: None,
        refusals: None,
    };
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            uploads: NonZeroU32::new(3_000),
            submissions: NonZeroU32::new(3_000),
            reads: NonZeroU32::new(60_000),
            lists: NonZeroU32::new(600),
            reviews: NonZeroU32::new(3_000),
            refusals: NonZeroU32::new(60),
        }
    }
}
