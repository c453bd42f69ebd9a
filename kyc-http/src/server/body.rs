//! Bodies: a request's is gathered under its limits, a response's tells when it is handed over.

use std::convert::Infallible;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Instant, timeout_at};

use super::Limits;
use super::pace::Pace;
use crate::interface::Refusal;

/// Reads a body to its end, as long as it keeps to its size and its time.
///
/// `received` counts its bytes, of a refused body too.
pub(super) async fn gather<B>(
    mut body: B,
    bytes_max: usize,
    limits: &Limits,
    received: &mut u64,
) -> Result<Bytes, Refusal>
where
    B: Body<Data = Bytes> + Unpin,
{
    let begin = Instant::now();
    let mut gathered = BytesMut::new();
    loop {
        let due = begin + limits.body_due(*received);
        let frame = timeout_at(due, next_frame(&mut body)).await.map_err(|_| Refusal::Timeout)?;
        let Some(frame) = frame else { return Ok(gathered.freeze()) };
        let frame = frame.map_err(|_| Refusal::BadRequest("the request body is malformed"))?;
        // Trailers are bounded by the HTTP layer, and nobody asked for any.
        let Ok(data) = frame.into_data() else { continue };
        *received += data.len() as u64;
        if data.len() > bytes_max - gathered.len() {
            return Err(Refusal::TooLarge);
        }
        if gathered.is_empty() && body.is_end_stream() {
            return Ok(data);
        }
        let rest = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        gathered.reserve(data.len() + rest.min(bytes_max));
        gathered.extend_from_slice(&data);
    }
}

async fn next_frame<B: Body + Unpin>(body: &mut B) -> Option<Result<Frame<B::Data>, B::Error>> {
    std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await
}

/// The body of a response, given to the HTTP layer in one piece.
///
/// It is dropped when nothing of it is left to hand over, of an empty one at once.
#[derive(Debug)]
pub(super) struct Reply {
    data: Bytes,
    pace: Arc<Pace>,
}

impl Reply {
    pub(super) fn new(data: Bytes, pace: Arc<Pace>) -> Self {
        Self { data, pace }
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let data = mem::take(&mut self.data);
        Poll::Ready(if data.is_empty() { None } else { Some(Ok(Frame::data(data))) })
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.len() as u64)
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.pace.handed_over();
    }
}
