//! The loop that accepts connections, and ends them when the server stops.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::carry;
use super::peers::Place;
use super::{Event, Shared, Transport};
use crate::interface::Interface;

/// Carries connections until `shutdown` completes, then lets open requests finish.
pub(super) async fn run<I: Interface>(
    shared: Arc<Shared<I>>,
    listener: TcpListener,
    transport: Transport,
    shutdown: impl Future<Output = ()>,
) {
    let transport = Arc::new(transport);
    let mut connections = JoinSet::new();
    let (stop, stopping) = watch::channel(());
    let mut shutdown = pin!(shutdown);
    loop {
        let (slot, accepted) = tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&shared, &listener) => accepted,
            // Frees what an ended connection has left.
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, peer)) => {
                let Some(place) = place(&shared, &transport, peer.ip()) else { continue };
                // Responses are written whole, so waiting for more to send would only delay them.
                let _ = stream.set_nodelay(true);
                let carried = carry(
                    Arc::clone(&shared),
                    Arc::clone(&transport),
                    stream,
                    peer.ip(),
                    stopping.clone(),
                );
                connections.spawn(async move {
                    carried.await;
                    drop((slot, place));
                });
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                (shared.observer)(&Event::AcceptFailed(&error));
                tokio::select! {
                    () = &mut shutdown => break,
                    () = sleep(ACCEPT_PAUSE) => {}
                }
            }
        }
    }
    drop(listener);
    drop(stop);
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(shared.limits.stop, all).await;
    connections.shutdown().await;
}

/// Accepts one connection. The slot is taken before, so that sockets are bounded too.
async fn accept<I>(
    shared: &Shared<I>,
    listener: &TcpListener,
) -> (Option<OwnedSemaphorePermit>, io::Result<(TcpStream, SocketAddr)>) {
    let slot = Arc::clone(&shared.connections).acquire_owned().await;
    (slot.ok(), listener.accept().await)
}

/// Takes one of the places of an address. Proxies, which speak for many clients, have any number.
fn place<I>(shared: &Shared<I>, transport: &Transport, peer: IpAddr) -> Option<Place> {
    let proxy = transport.trusts(peer);
    let places = if proxy { usize::MAX } else { shared.limits.connections_per_address_max };
    let place = shared.peers.enter(peer, places);
    if place.is_none() {
        (shared.observer)(&Event::TooManyConnections);
    }
    place
}

/// Whether a failure to accept concerns the one connection that was not accepted. The others,
/// mostly a lack of file descriptors, come back at once if nothing ends in between.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
    )
}

/// Long enough to let connections end, short enough to go unnoticed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
