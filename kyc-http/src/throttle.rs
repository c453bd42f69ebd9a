//! How often somebody may ask (D9, D101): the seam, and a limiter that keeps it.
//!
//! An [`Api`](crate::Api) without a [`Throttle`] takes every request. [`Limiter`] is the usual one;
//! a program that counts elsewhere brings its own.

mod addresses;
mod limiter;
mod rates;

use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderName, HeaderValue};
use kyc_core::{AccountName, ClientId};

use crate::interface::Peer;

pub use limiter::Limiter;
pub use rates::Rates;

/// Decides whether a request may be taken now, before its body is read.
///
/// # Contract
///
/// * Neither method waits, and both are called for many requests at once.
/// * What one caller asks for takes nothing from another caller.
///
/// ```
/// use std::time::Duration;
///
/// use kyc_http::interface::Peer;
/// use kyc_http::throttle::{Caller, Class, Throttle, TooMany};
///
/// /// Closed at this hour.
/// struct Closed;
///
/// impl Throttle for Closed {
///     fn admit(&self, _: Caller<'_>, _: Class, _: Option<Peer>) -> Result<(), TooMany> {
///         Err(TooMany { limit: 0, retry_after: Duration::from_secs(3600) })
///     }
///
///     fn refuse(&self, _: Option<Peer>) -> Result<(), TooMany> {
///         Ok(())
///     }
/// }
/// ```
pub trait Throttle: Send + Sync {
    /// Counts a request with a credential that is good.
    ///
    /// # Errors
    ///
    /// [`TooMany`]: the request is refused, and did not count.
    fn admit(&self, caller: Caller<'_>, class: Class, peer: Option<Peer>) -> Result<(), TooMany>;

    /// Counts a request without such a credential, which is refused anyway.
    ///
    /// # Errors
    ///
    /// [`TooMany`]: it is refused with this reason.
    fn refuse(&self, peer: Option<Peer>) -> Result<(), TooMany>;
}

/// Whose request it is. All keys of a client count together; the example of [`Limiter`] has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller<'a> {
    /// A client, by API key.
    Client(ClientId),
    /// An inspector, by token.
    Inspector(&'a AccountName),
}

/// What kind of work a request is; each kind is counted for itself. The example of [`Limiter`] has
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A document is stored.
    Upload,
    /// A form is stored: submissions, renewals, documents that were asked for again.
    Submit,
    /// One submission is read. Requests without a route count here too.
    Read,
    /// A page of many submissions is read.
    List,
    /// Whatever an inspector does.
    Review,
}

/// Why a request is not taken now. The example of [`Limiter`] has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    /// How many requests are taken in a row.
    pub limit: u32,
    /// After how long the next one will be taken.
    pub retry_after: Duration,
}

impl TooMany {
    /// Says so in the header fields that clients look for. Seconds are rounded up, so that whoever
    /// keeps to them is let in.
    pub(crate) fn tell(self, headers: &mut HeaderMap) {
        let nearly_a_second = Duration::from_nanos(999_999_999);
        let seconds = self.retry_after.saturating_add(nearly_a_second).as_secs().max(1);
        let seconds = HeaderValue::from(seconds);
        headers.insert(RETRY_AFTER, seconds.clone());
        headers.insert(LIMIT, self.limit.into());
        headers.insert(REMAINING, HeaderValue::from_static("0"));
        headers.insert(RESET, seconds);
    }
}

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
