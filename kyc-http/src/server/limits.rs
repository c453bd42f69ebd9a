use std::time::Duration;

use super::Phase;

/// What a server grants to its clients, and for how long.
///
/// Every number is there because without it one client could take what all share. Body sizes are
/// not here: each route has its own ([`Admission::body_bytes_max`]).
///
/// ```
/// use kyc_http::server::Limits;
///
/// let limits = Limits { connections_max: 500, ..Limits::default() };
/// assert_eq!(limits.head_bytes_max, 16 * 1024);
/// ```
///
/// [`Admission::body_bytes_max`]: crate::interface::Admission::body_bytes_max
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Open connections. More wait in the backlog of the operating system.
    ///
    /// 10,000: an idle one costs at most 32 KiB, so they never hold more than 320 MiB.
    pub connections_max: usize,

    /// Open connections from one IPv4 address, or from one /64 network of IPv6, of which a single
    /// machine usually has all. More are closed at once. Trusted proxies are not counted.
    ///
    /// 5,000, half of the whole: no single address can shut out the others, and many clients
    /// behind one address still get in.
    pub connections_per_address_max: usize,

    /// Bytes of a request line and its header fields, and of trailers; at least 8,192.
    ///
    /// 16 KiB: some proxies and browsers send 8 KiB of header fields; nobody needs twice that.
    pub head_bytes_max: usize,

    /// Header fields of a request. The parser takes at most 100 itself, so more has no effect.
    ///
    /// 100: proxies add a dozen at most.
    pub headers_max: usize,

    /// Bytes of the target of a request.
    ///
    /// 8,000: what RFC 9110 asks servers to support at the least.
    pub target_bytes_max: usize,

    /// Bytes of request bodies held at the same time, over all connections.
    ///
    /// A quarter is for bodies of at most 64 KiB, which forms and JSON are, and the rest for larger
    /// ones, so that uploads, however slow, never hold up forms (D72). A body larger than the room
    /// for its kind takes all of it.
    ///
    /// 128 MiB: thirty of the largest uploads at once, and 512 of the longest forms.
    pub body_bytes_in_flight_max: usize,

    /// Answers that wait at the same time for a disk or another service ([`Runs::Blocking`] and
    /// [`Runs::Later`]).
    ///
    /// 128: the former have a thread each; a store that commits in groups gains nothing from more.
    ///
    /// [`Runs::Later`]: crate::interface::Runs::Later
    /// [`Runs::Blocking`]: crate::interface::Runs::Blocking
    pub blocking_max: usize,

    /// How long a request may wait for room for its body, and again for a thread, before it is
    /// refused as [`Refusal::Overloaded`].
    ///
    /// 5 s: shorter than the patience of a client, longer than a burst.
    ///
    /// [`Refusal::Overloaded`]: crate::interface::Refusal::Overloaded
    pub room: Duration,

    /// The whole TLS handshake.
    ///
    /// 5 s: three round trips over the slowest real network take one.
    pub handshake: Duration,

    /// From the first byte of a request to the end of its header fields. On a new connection it
    /// counts from the end of the handshake.
    ///
    /// 10 s: a head fits into a few packets.
    pub head: Duration,

    /// The whole body of a request.
    ///
    /// 30 s: the largest upload over a line of 1 Mbit/s.
    pub body: Duration,

    /// When the lowest rate of a body begins to count.
    ///
    /// 5 s: a lost packet or a pause of the radio must not count as an attack.
    pub body_grace: Duration,

    /// Bytes per second that a body must reach on average, from its start, after the grace.
    ///
    /// 8 KiB: slower senders would not finish in time, so their memory is freed earlier.
    pub body_bytes_per_second_min: u64,

    /// Until the client has taken the whole response.
    ///
    /// 30 s: the largest page is 1 MiB.
    pub write: Duration,

    /// Until the next request begins on an open connection.
    ///
    /// 60 s: longer than most clients keep a connection in their pool, so that it is they who
    /// close it, and no request is lost on the way.
    pub idle: Duration,

    /// How long a connection that was refused is read on, and what comes thrown away (D73): many
    /// clients look for the answer only when they have sent the whole body, and would find a reset
    /// instead. The lowest rate of a body holds here too, and the stop of the server ends it.
    ///
    /// 30 s: as long as the body could have taken.
    pub drain: Duration,

    /// How many bytes are thrown away at most; none of them is kept.
    ///
    /// 16 MiB: four times the largest upload, which is a photograph that nobody made smaller.
    pub drain_bytes_max: u64,

    /// How long open requests may take to finish when the server stops.
    ///
    /// 30 s: service managers usually wait longer before they kill.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 10_000,
            connections_per_address_max: 5_000,
            head_bytes_max: 16 * 1024,
            headers_max: 100,
            target_bytes_max: 8_000,
            body_bytes_in_flight_max: 128 * 1024 * 1024,
            blocking_max: 128,
            room: Duration::from_secs(5),
            handshake: Duration::from_secs(5),
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            body_grace: Duration::from_secs(5),
            body_bytes_per_second_min: 8 * 1024,
            write: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            drain: Duration::from_secs(30),
            drain_bytes_max: 16 * 1024 * 1024,
            stop: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// How long a connection may stay in a phase.
    pub(super) fn of(&self, phase: Phase) -> Option<Duration> {
        match phase {
            Phase::Handshake => Some(self.handshake),
            Phase::Idle => Some(self.idle),
            Phase::Head => Some(self.head),
            Phase::Answer => None,
            Phase::Write => Some(self.write),
        }
    }

    /// When a body is overdue, counted from its start, unless more than `received` bytes come.
    pub(super) fn body_due(&self, received: u64) -> Duration {
        let rate = self.body_bytes_per_second_min.max(1);
        let by_rate = Duration::from_millis(received.saturating_mul(1000) / rate);
        self.body.min(self.body_grace.max(by_rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(received: u64, due_seconds: u64) {
        assert_eq!(Limits::default().body_due(received), Duration::from_secs(due_seconds));
    }

    #[test]
    fn a_body_has_a_grace_then_a_rate_then_an_end() {
        check(0, 5);
        check(5 * 8 * 1024, 5);
        check(10 * 8 * 1024, 10);
        check(30 * 8 * 1024, 30);
        check(u64::MAX, 30);
    }
}
