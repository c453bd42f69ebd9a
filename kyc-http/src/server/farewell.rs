//! The end of a connection: the last answer, and a close that does not lose it.

use std::io::{self, Write};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::{CONNECTION, CONTENT_LENGTH};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout, timeout_at};

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
/// may then lose the answer that it was sent. So the rest is read and thrown away (D73).
pub(super) async fn close(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    unread: bool,
    limits: &Limits,
) {
    let closed = async {
        stream.shutdown().await?;
        if unread { throw_away(stream, limits).await } else { Ok(()) }
    };
    // Whatever happens here, the connection is over.
    let _ = timeout(limits.drain, closed).await;
}

/// Reads until the client has sent everything, is too slow, or has sent too much.
async fn throw_away(stream: &mut (impl AsyncRead + Unpin), limits: &Limits) -> io::Result<()> {
    let begin = Instant::now();
    // On the heap, since all connections would carry the buffer in their state.
    let mut thrown_away = vec![0; 16 * 1024];
    let mut received = 0;
    while received < limits.drain_bytes_max {
        let due = begin + limits.body_due(received);
        match timeout_at(due, stream.read(&mut thrown_away)).await?? {
            0 => break,
            read => received += read as u64,
        }
    }
    Ok(())
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
