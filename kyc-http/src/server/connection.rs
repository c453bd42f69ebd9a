//! One connection, from its first byte to its last.

use std::future::{Future, poll_fn};
use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::exchange::Exchanges;
use super::farewell::{close, refuse_and_close};
use super::origin::Origin;
use super::pace::Pace;
use super::stream::Paced;
use super::{Event, Phase, Shared, Transport};
use crate::interface::{Interface, Peer, Refusal};

/// Carries a connection until it ends. `stopping` changes when the server stops.
pub(super) async fn carry<I: Interface>(
    shared: Arc<Shared<I>>,
    transport: Arc<Transport>,
    stream: TcpStream,
    peer: IpAddr,
    mut stopping: watch::Receiver<()>,
) {
    let acceptor = match &*transport {
        Transport::Tls(tls) => &tls.acceptor,
        Transport::BehindProxy(_) => {
            let proxy = transport.trusts(peer).then(|| Origin::Proxy(Arc::clone(&transport)));
            let origin = proxy.unwrap_or(Origin::Stranger);
            return serve_http(shared, stream, origin, stopping).await;
        }
    };
    let handshake = timeout(shared.limits.handshake, handshake(acceptor, stream));
    let opened = tokio::select! {
        opened = handshake => opened,
        _ = stopping.changed() => return,
    };
    match opened {
        Ok(Ok(Opened::Tls(stream))) => {
            let origin = Origin::Client(Peer(peer));
            serve_http(shared, stream, origin, stopping).await;
        }
        Ok(Ok(Opened::PlainText(mut stream))) => {
            let farewell = refuse_and_close(&mut stream, Refusal::HttpsRequired, &shared);
            hurry_at_stop(farewell, stopping).await;
        }
        Ok(Err(_)) => (shared.observer)(&Event::HandshakeFailed),
        Err(_) => (shared.observer)(&Event::Overdue(Phase::Handshake)),
    }
}

enum Opened {
    Tls(Box<TlsStream<TcpStream>>),
    PlainText(TcpStream),
}

async fn handshake(acceptor: &TlsAcceptor, stream: TcpStream) -> io::Result<Opened> {
    let mut first = [HANDSHAKE_RECORD];
    stream.peek(&mut first).await?;
    if first != [HANDSHAKE_RECORD] {
        return Ok(Opened::PlainText(stream));
    }
    Ok(Opened::Tls(Box::new(acceptor.accept(stream).await?)))
}

async fn serve_http<I, S>(
    shared: Arc<Shared<I>>,
    stream: S,
    origin: Origin,
    stopping: watch::Receiver<()>,
) where
    I: Interface,
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let pace = Arc::new(Pace::new(Arc::clone(&shared.limits)));
    let exchanges = Exchanges { shared: Arc::clone(&shared), pace: Arc::clone(&pace), origin };
    let stream = TokioIo::new(Paced::new(stream, Arc::clone(&pace)));
    let mut http = shared.http.serve_connection(stream, exchanges);
    let end = drive(&mut http, &pace, stopping.clone()).await;
    let mut paced = http.into_parts().io.into_inner();
    let farewell = async {
        match end {
            End::Agreed => close(&mut paced.stream, pace.unread(), &shared.limits).await,
            End::Malformed => {
                let refusal = paced.refusal();
                refuse_and_close(&mut paced.stream, refusal, &shared).await;
            }
            End::Overdue(phase) => {
                (shared.observer)(&Event::Overdue(phase));
                // A client that does not take its response would not take the end of it either.
                if phase != Phase::Write {
                    close(&mut paced.stream, false, &shared.limits).await;
                }
            }
            End::Broken => {}
        }
    };
    hurry_at_stop(farewell, stopping).await;
}

/// Ends a farewell soon when the server stops: nothing is lost but a refusal.
async fn hurry_at_stop(farewell: impl Future<Output = ()>, mut stopping: watch::Receiver<()>) {
    let in_a_hurry = async {
        let _ = stopping.changed().await;
        sleep(HURRY).await;
    };
    tokio::select! {
        () = farewell => {}
        () = in_a_hurry => {}
    }
}

/// How the HTTP layer ended.
enum End {
    /// As both sides agreed.
    Agreed,
    /// With a head that cannot be read.
    Malformed,
    /// With a phase that took too long.
    Overdue(Phase),
    /// With a broken stream.
    Broken,
}

async fn drive<I, S>(
    http: &mut Connection<I, S>,
    pace: &Pace,
    mut stopping: watch::Receiver<()>,
) -> End
where
    I: Interface,
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let mut timer = pin!(sleep_until(pace.due().unwrap_or_else(Instant::now)));
    let mut stopping = pin!(stopping.changed());
    let mut stopped = false;
    poll_fn(|cx| {
        if !stopped && stopping.as_mut().poll(cx).is_ready() {
            stopped = true;
            Pin::new(&mut *http).graceful_shutdown();
        }
        match http.poll_without_shutdown(cx) {
            Poll::Ready(Ok(())) => Poll::Ready(End::Agreed),
            Poll::Ready(Err(error)) if error.is_parse() => Poll::Ready(End::Malformed),
            Poll::Ready(Err(_)) => Poll::Ready(End::Broken),
            Poll::Pending => poll_overdue(pace, timer.as_mut(), cx).map(End::Overdue),
        }
    })
    .await
}

/// Waits until a phase is overdue.
///
/// The timer is set where it would ring too late. Where it rings too early, it is set again, so
/// that most requests do not touch it.
fn poll_overdue(pace: &Pace, mut timer: Pin<&mut Sleep>, cx: &mut Context<'_>) -> Poll<Phase> {
    loop {
        let Some(due) = pace.due() else { return Poll::Pending };
        if due < timer.deadline() || timer.is_elapsed() {
            timer.as_mut().reset(due);
        }
        ready!(timer.as_mut().poll(cx));
        if due <= timer.deadline() {
            return Poll::Ready(pace.phase());
        }
    }
}

type Connection<I, S> = hyper::server::conn::http1::Connection<TokioIo<Paced<S>>, Exchanges<I>>;

/// The first byte of a TLS connection; no HTTP request begins with it.
const HANDSHAKE_RECORD: u8 = 0x16;

/// As long as an answer may travel.
const HURRY: Duration = Duration::from_secs(1);
