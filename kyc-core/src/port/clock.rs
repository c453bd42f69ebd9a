use time::UtcDateTime;

use crate::Timestamp;

/// Where the current time comes from.
///
/// Nothing in this workspace reads the system clock directly (clippy forbids it), so every rule
/// about time can be tested at any time.
///
/// ```
/// use kyc_core::{Clock, Timestamp};
///
/// /// A clock that stands still.
/// struct Stopped(Timestamp);
///
/// impl Clock for Stopped {
///     fn now(&self) -> Timestamp {
///         self.0
///     }
/// }
///
/// assert_eq!(Stopped(Timestamp::EARLIEST).now(), Timestamp::EARLIEST);
/// ```
pub trait Clock: Send + Sync {
    /// The current time. Need not be monotonic.
    fn now(&self) -> Timestamp;
}

/// The operating system's clock.
///
/// ```
/// use kyc_core::{Clock, SystemClock, Timestamp};
///
/// assert!(SystemClock.now() > Timestamp::EARLIEST);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system clock")]
    fn now(&self) -> Timestamp {
        Timestamp::from_utc(UtcDateTime::now())
    }
}
