//! The seam between an interface and the server that carries it.
//!
//! Values of [`http`] only: no socket, no runtime. An [`Interface`] can be called as a function in
//! a test, and any server that speaks HTTP can carry it.

use std::net::{IpAddr, Ipv6Addr};

use bytes::Bytes;
use http::request::Parts;
use http::{Request, Response, StatusCode};

/// What a server carries: it decides on the head of a request, then answers the whole.
///
/// # Contract
///
/// * [`admit`](Self::admit) and [`refuse`](Self::refuse) never wait: the server calls them on the
///   threads that serve all connections.
/// * [`answer`](Self::answer) may wait only where its [`Admission`] said [`Runs::Blocking`], and
///   [`answer_later`](Self::answer_later) never.
/// * A panic in any of them costs one answer ([`Refusal::Failed`]), never the process.
///
/// ```
/// use bytes::Bytes;
/// use http::request::Parts;
/// use http::{Request, Response, StatusCode};
/// use kyc_http::interface::{Admission, Interface, Refusal, Runs};
///
/// /// Answers every request with its own body.
/// struct Echo;
///
/// impl Interface for Echo {
///     type Admitted = ();
///
///     fn admit(&self, _: &Parts) -> Result<Admission<()>, Response<Bytes>> {
///         Ok(Admission { admitted: (), route: "/", body_bytes_max: 1024, runs: Runs::Inline })
///     }
///
///     fn answer(&self, (): (), request: Request<Bytes>) -> Response<Bytes> {
///         Response::new(request.into_body())
///     }
///
///     fn refuse(&self, refusal: Refusal) -> Response<Bytes> {
///         let mut response = Response::new(Bytes::from(refusal.to_string()));
///         *response.status_mut() = refusal.status();
///         response
///     }
/// }
///
/// let too_large = Echo.refuse(Refusal::TooLarge);
/// assert_eq!(too_large.status(), StatusCode::PAYLOAD_TOO_LARGE);
/// ```
pub trait Interface: Send + Sync + 'static {
    /// What `admit` learned and `answer` needs: the route, its parameters, who calls.
    type Admitted: Send + 'static;

    /// Decides on the head alone: route, credentials, declared type and length, and on the
    /// [`Peer`] where the head has one.
    ///
    /// # Errors
    ///
    /// The final answer. The body is not read then, and `100 Continue` is not sent (D6, D7).
    #[expect(clippy::result_large_err, reason = "the error is an answer, moved once per request")]
    fn admit(&self, head: &Parts) -> Result<Admission<Self::Admitted>, Response<Bytes>>;

    /// Answers a request whose whole body was gathered.
    fn answer(&self, admitted: Self::Admitted, request: Request<Bytes>) -> Response<Bytes>;

    /// As [`answer`](Self::answer), for [`Runs::Later`]: returns at once, and calls `respond` when
    /// the answer is known, maybe on another thread.
    fn answer_later(&self, admitted: Self::Admitted, request: Request<Bytes>, respond: Respond) {
        respond(self.answer(admitted, request));
    }

    /// Words a failure that the server found, in the interface's own error form.
    ///
    /// The status is the interface's to choose; [`Refusal::status`] is the usual one. The server
    /// adds `Connection: close` where the connection cannot go on.
    fn refuse(&self, refusal: Refusal) -> Response<Bytes>;
}

/// From which address a request came. A server that knows puts it into the extensions of the head;
/// without it, nothing is counted by address.
///
/// ```
/// use http::Request;
/// use kyc_http::interface::Peer;
///
/// let peer = Peer("192.0.2.17".parse()?);
/// let request = Request::get("/v2/submissions/resultall").extension(peer).body(())?;
/// assert_eq!(request.extensions().get(), Some(&peer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// The address that stands for the machine: one has all addresses of an IPv6 /64.
    pub(crate) fn counted_as(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
            }
        }
    }
}

/// Sends an answer.
pub type Respond = Box<dyn FnOnce(Response<Bytes>) + Send>;

/// What a server may do with a request that an [`Interface`] admitted; there is an example there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission<A> {
    /// Given back to [`Interface::answer`].
    pub admitted: A,
    /// Template of the route, such as `/v2/submissions/{email}`: the only part of the target that
    /// an access log is told, since paths and queries carry personal data.
    pub route: &'static str,
    /// Largest body that this route takes. `0` takes none.
    pub body_bytes_max: usize,
    /// Where `answer` may run.
    pub runs: Runs,
}

/// Where [`Interface::answer`] may run; the example there runs at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Runs {
    /// On the runtime's thread: it never waits and takes well under a millisecond.
    Inline,
    /// On a thread that may wait for a disk, a lock or another service.
    Blocking,
    /// On the runtime's thread, and the answer comes [later](Interface::answer_later): no thread
    /// waits for it.
    Later,
}

/// A failure that the server found before, or instead of, an answer of the interface.
///
/// `Display` is one line that says what is wrong with the request, without repeating any of it.
/// Exhaustive: a new case should stop the build of an interface until it has words for it.
///
/// ```
/// use kyc_http::interface::Refusal;
///
/// let refusal = Refusal::BadRequest("exactly one Host header is required");
/// assert_eq!(refusal.to_string(), "exactly one Host header is required");
/// assert_eq!(refusal.status(), 400);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The request breaks a rule of HTTP, or one that this server adds; says which.
    #[error("{0}")]
    BadRequest(&'static str),
    /// The request came in clear, and not through a trusted proxy that received it over TLS (D11).
    #[error("HTTPS is required")]
    HttpsRequired,
    /// The body came too slowly.
    #[error("the request body was sent too slowly")]
    Timeout,
    /// The body is, or was announced to be, larger than its route takes (D7).
    #[error("the request body is too large")]
    TooLarge,
    /// The target of the request is too long.
    #[error("the request target is too long")]
    TargetTooLong,
    /// There are too many header fields, or too many bytes of them.
    #[error("the request header fields are too large")]
    HeadTooLarge,
    /// The interface panicked; nothing is known of what it did before.
    #[error("the server failed")]
    Failed,
    /// The server was busy for too long to take this request; nothing was done.
    #[error("the server is overloaded")]
    Overloaded,
}

impl Refusal {
    /// The status that usually goes with the failure.
    pub fn status(self) -> StatusCode {
        match self {
            Self::BadRequest(_) | Self::HttpsRequired => StatusCode::BAD_REQUEST,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TargetTooLong => StatusCode::URI_TOO_LONG,
            Self::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
