//! A server that carries an [`Interface`] over HTTP/1.1 and TLS.
//!
//! hyper reads and writes HTTP, rustls encrypts, tokio waits. What is added here is what they
//! leave to their caller: limits, deadlines, rules for request heads that close the gaps of the
//! parser, and a stop that loses nothing. No route, no credential and no word of the interface is
//! known here.
//!
//! | module | what is there |
//! |---|---|
//! | `accept` | the loop that accepts connections and stops |
//! | `connection` | one connection: handshake, HTTP, end |
//! | `pace` | where a connection stands and until when |
//! | `exchange` | one request and its answer |
//! | `head`, `scan` | rules for heads, parsed and raw |
//! | `body` | gathering a bounded body |
//! | `farewell` | last answers, and closing without losing them |
//! | `origin` | from where requests come, also through a proxy |
//! | `tls` | certificates and their renewal |
//! | `peers` | trusted networks, connections by address |

mod accept;
mod body;
mod connection;
mod event;
mod exchange;
mod farewell;
mod head;
mod limits;
mod origin;
mod pace;
mod peers;
mod scan;
mod stream;
mod tls;

use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;

use hyper::server::conn::http1;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use event::{Event, Exchange, Phase};
pub use limits::Limits;
pub use peers::{InvalidNetwork, Network};
pub use tls::{Tls, TlsError, TlsFiles};

use crate::interface::Interface;
use exchange::{BodyRooms, Room};
use peers::Peers;

/// A server that carries an [`Interface`].
///
/// It may serve several listeners; its limits hold for all of them together. A clone is another
/// handle to the same server.
///
/// ```no_run
/// use kyc_http::interface::Interface;
/// use kyc_http::server::{Event, Limits, Server, TlsFiles, Transport};
/// use tokio::net::TcpListener;
///
/// async fn run(api: impl Interface) -> Result<(), Box<dyn std::error::Error>> {
///     let server = Server::new(api, Limits::default(), |event| {
///         if let Event::Answered(exchange) = event {
///             eprintln!("{:?} {}", exchange.route, exchange.status);
///         }
///     });
///     let files = TlsFiles { certificate: "server.pem".into(), key: "server.key".into() };
///     let tls = files.load()?;
///     let listener = TcpListener::bind(("0.0.0.0", 8443)).await?;
///     let stop = async { drop(tokio::signal::ctrl_c().await) };
///     server.serve(listener, Transport::Tls(tls), stop).await;
///     Ok(())
/// }
/// ```
pub struct Server<I> {
    shared: Arc<Shared<I>>,
}

impl<I: Interface> Server<I> {
    /// Makes a server. `observer` is told of every answer and every cut connection, on the
    /// threads that serve all connections, so it must not wait.
    pub fn new(
        interface: I,
        limits: Limits,
        observer: impl Fn(&Event<'_>) + Send + Sync + 'static,
    ) -> Self {
        let mut http = http1::Builder::new();
        let head_bytes_max = limits.head_bytes_max.max(HEAD_BYTES_MAX_MIN);
        http.max_header_size(head_bytes_max)
            .max_buf_size(head_bytes_max)
            // Every deadline is kept by `pace`: hyper's has no difference between an idle
            // connection and a slow head.
            .header_read_timeout(None);
        Self {
            shared: Arc::new(Shared {
                interface,
                observer: Box::new(observer),
                connections: Arc::new(Semaphore::new(
                    limits.connections_max.min(Semaphore::MAX_PERMITS),
                )),
                peers: Arc::new(Peers::default()),
                body_rooms: BodyRooms::new(limits.body_bytes_in_flight_max),
                blocking_room: Room::new(limits.blocking_max),
                limits: Arc::new(limits),
                http,
            }),
        }
    }

    /// Serves a listener until `shutdown` completes.
    ///
    /// Then the listener is closed, idle connections are closed, and open requests may finish
    /// within [`Limits::stop`]; what is open after that is cut. Answers that run on a thread of
    /// their own ([`Runs::Blocking`]) cannot be cut: they end by themselves, unheard.
    ///
    /// If the future is dropped, all connections are cut.
    ///
    /// [`Runs::Blocking`]: crate::interface::Runs::Blocking
    pub async fn serve(
        &self,
        listener: TcpListener,
        transport: Transport,
        shutdown: impl Future<Output = ()>,
    ) {
        accept::run(Arc::clone(&self.shared), listener, transport, shutdown).await;
    }
}

impl<I> Clone for Server<I> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<I> fmt::Debug for Server<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("limits", &self.shared.limits).finish_non_exhaustive()
    }
}

/// How requests reach a listener.
///
/// ```
/// use kyc_http::server::Transport;
///
/// let behind_nginx = Transport::BehindProxy(vec!["127.0.0.1".parse()?]);
/// # Ok::<(), kyc_http::server::InvalidNetwork>(())
/// ```
#[derive(Debug, Clone)]
pub enum Transport {
    /// Over TLS. A request in clear is told that HTTPS is required, and not served (D11).
    Tls(Tls),
    /// In clear, from a TLS terminator at one of these addresses, and only requests that it marks
    /// `X-Forwarded-Proto: https` (D11). It must overwrite that header, not append to it. It should
    /// append the address that it was called from to `X-Forwarded-For`; without that, nothing is
    /// counted by address (D102).
    BehindProxy(Vec<Network>),
}

impl Transport {
    /// Whether an address is that of a proxy, which speaks for many clients.
    fn trusts(&self, peer: IpAddr) -> bool {
        match self {
            Self::Tls(_) => false,
            Self::BehindProxy(proxies) => proxies.iter().any(|proxy| proxy.contains(peer)),
        }
    }
}

/// What all connections have in common.
struct Shared<I> {
    interface: I,
    limits: Arc<Limits>,
    observer: Box<dyn Fn(&Event<'_>) + Send + Sync>,
    connections: Arc<Semaphore>,
    peers: Arc<Peers>,
    body_rooms: BodyRooms,
    blocking_room: Room,
    http: http1::Builder,
}

/// The least that hyper takes.
const HEAD_BYTES_MAX_MIN: usize = 8192;
