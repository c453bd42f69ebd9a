//! The end of a connection: the last answer, and a close that does not lose it.

use std::io::{self, Write};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::{CONNECTION, CONTENT_LENGTH};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::{Event, Exchange, Limits, Shared};
use crate::interface::{Interface, Refusal};

/// Answers what could not be read as a request, and closes.
pub(super) async fn refuse_and_close<I: Interface>(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    refusal: Refusal,
    shared: &Shared<I>,
) {
    let answer = shared.refuse(refusal);
    (shared.observer)(&Event::Answered(Exchange {
        route: None,
        status: answer.status(),
        body_bytes_received: 0,
        body_bytes_sent: answer.body().len() as u64,
        duration: Duration::ZERO,
    }));
    let sent = async { stream.write_all(&encode(&answer)?).await };
    if let Ok(Ok(())) = timeout(shared.limits.drain, sent).await {
        close(stream, true, &shared.limits).await;
    }
}

/// Closes a stream.
///
/// An operating system that closes a socket with unread bytes resets the connection, and a client
/// may then lose the answer that it was sent. So the rest is read on for a little while.
pub(super) async fn close(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    unread: bool,
    limits: &Limits,
) {
    let closed = async {
        stream.shutdown().await?;
        let mut rest = if unread { limits.drain_bytes_max } else { 0 };
        // On the heap, since all connections would carry the buffer in their state.
        let mut thrown_away = vec![0; rest.min(4096)];
        while rest > 0 {
            match stream.read(&mut thrown_away).await? {
                0 => break,
                read => rest = rest.saturating_sub(read),
            }
        }
        io::Result::Ok(())
    };
    // Whatever happens here, the connection is over.
    let _ = timeout(limits.drain, closed).await;
}

fn encode(answer: &Response<Bytes>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let status = answer.status();
    let reason = status.canonical_reason().unwrap_or_default();
    write!(bytes, "HTTP/1.1 {} {reason}\r\n", status.as_str())?;
    for (name, value) in answer.headers() {
        if name != CONNECTION && name != CONTENT_LENGTH {
            write!(bytes, "{name}: ")?;
            bytes.extend_from_slice(value.as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
    }
    write!(bytes, "connection: close\r\ncontent-length: {}\r\n\r\n", answer.body().len())?;
    bytes.extend_from_slice(answer.body());
    Ok(bytes)
}
