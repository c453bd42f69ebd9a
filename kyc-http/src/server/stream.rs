//! The stream under the HTTP layer, which tells a [`Pace`] what goes through it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Phase;
use super::pace::Pace;
use crate::interface::Refusal;

/// A stream that tells what goes through it.
#[derive(Debug)]
pub(super) struct Paced<S> {
    pub(super) stream: S,
    pace: Arc<Pace>,
    /// The status with which the HTTP layer refused a head that it could not read.
    ///
    /// That answer has no body and is not sent: the interface words it instead.
    refused: Option<StatusCode>,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, pace: Arc<Pace>) -> Self {
        Self { stream, pace, refused: None }
    }

    /// Why the HTTP layer could not read the last head.
    pub(super) fn refusal(&self) -> Refusal {
        match self.refused {
            Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) if self.pace.line_ended() => {
                Refusal::HeadTooLarge
            }
            Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE | StatusCode::URI_TOO_LONG) => {
                Refusal::TargetTooLong
            }
            Some(_) | None => Refusal::BadRequest("the request head is malformed"),
        }
    }

    /// Whether no response is due, so that what is written can only be the HTTP layer's own.
    fn no_response_is_due(&self) -> bool {
        matches!(self.pace.phase(), Phase::Idle | Phase::Head)
    }

    fn keep_status(&mut self, written: &[u8]) {
        let status = written.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.first_chunk::<3>());
        self.refused = self.refused.or(status.and_then(|s| StatusCode::from_bytes(s).ok()));
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        if let Some(arrived @ [_, ..]) = buf.filled().get(before..) {
            self.pace.arrived(arrived);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.no_response_is_due() {
            self.keep_status(buf);
            return Poll::Ready(Ok(buf.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.no_response_is_due() {
            self.keep_status(bufs.first().map_or(&[], |buf| buf));
            return Poll::Ready(Ok(bufs.iter().map(|buf| buf.len()).sum()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        self.pace.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
