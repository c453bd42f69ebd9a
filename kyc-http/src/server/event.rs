use std::io;
use std::time::Duration;

use http::StatusCode;

/// What an observer of a server is told, to write logs and count.
///
/// Nothing here comes from a request's target, header fields or body, so nothing here is personal.
/// Non-exhaustive: observers only show these.
///
/// ```
/// use kyc_http::server::{Event, Phase};
///
/// let words = |event: &Event<'_>| match event {
///     Event::Answered(exchange) => format!("{} {:?}", exchange.status, exchange.duration),
///     Event::Overdue(phase) => format!("closed, too slow in {phase:?}"),
///     other => format!("{other:?}"),
/// };
/// assert_eq!(words(&Event::Overdue(Phase::Head)), "closed, too slow in Head");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A request was answered; its response is about to be written.
    Answered(Exchange),
    /// A connection was closed because a phase took too long. A slow body is answered instead.
    Overdue(Phase),
    /// A TLS handshake failed: an unknown version, a client that does not trust the certificate,
    /// or no TLS at all.
    HandshakeFailed,
    /// A connection was closed because its address has as many as it may.
    TooManyConnections,
    /// No connection could be accepted, mostly for lack of file descriptors; it is tried again.
    AcceptFailed(&'a io::Error),
}

/// One request and its answer, without anything personal.
///
/// ```
/// use kyc_http::server::Exchange;
///
/// let exchange = Exchange {
///     route: None,
///     status: http::StatusCode::FORBIDDEN,
///     body_bytes_received: 0,
///     body_bytes_sent: 90,
///     duration: std::time::Duration::from_micros(15),
/// };
/// let line = format!("{} {}", exchange.route.unwrap_or("-"), exchange.status.as_u16());
/// assert_eq!(line, "- 403");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// Template of the route; `None` if the request was not admitted.
    pub route: Option<&'static str>,
    /// Status of the answer.
    pub status: StatusCode,
    /// Bytes of the request's body that were read as such.
    pub body_bytes_received: u64,
    /// Bytes of the answer's body.
    pub body_bytes_sent: u64,
    /// From the end of the request's head until the answer was known.
    pub duration: Duration,
}

/// Where a connection stands.
///
/// ```
/// use kyc_http::server::Phase;
///
/// assert_ne!(Phase::Idle, Phase::Head);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// In the TLS handshake.
    Handshake,
    /// Between two requests.
    Idle,
    /// In the head of a request.
    Head,
    /// From the end of a head until the answer is known. Has no limit of its own; the body has.
    Answer,
    /// In the response.
    Write,
}
