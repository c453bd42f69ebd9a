//! One request and its response.

use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header::{CONNECTION, HeaderValue};
use http::request::Parts;
use http::{Request, Response, StatusCode};
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout};

use super::body::{Reply, gather};
use super::origin::Origin;
use super::pace::Pace;
use super::{Event, Exchange, Shared, head};
use crate::interface::{Admission, Interface, Refusal, Respond, Runs};

/// Answers the requests of one connection.
pub(super) struct Exchanges<I> {
    pub(super) shared: Arc<Shared<I>>,
    pub(super) pace: Arc<Pace>,
    pub(super) origin: Origin,
}

impl<I: Interface> Service<Request<Incoming>> for Exchanges<I> {
    type Response = Response<Reply>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        let begin = Instant::now();
        let (mut head, body) = request.into_parts();
        let unseen = self.pace.begin(body.size_hint().exact());
        let exchange = OpenExchange {
            shared: Arc::clone(&self.shared),
            pace: Arc::clone(&self.pace),
            begin,
            route: None,
            received: 0,
        };
        if let Err(refusal) = self.check(&mut head, unseen) {
            return Answering::now(exchange.refuse_rest(refusal));
        }
        exchange.decide(head, body)
    }
}

impl<I: Interface> Exchanges<I> {
    fn check(&self, head: &mut Parts, unseen: Option<&'static str>) -> Result<(), Refusal> {
        if let Some(fault) = unseen {
            return Err(Refusal::BadRequest(fault));
        }
        head::check(head, &self.shared.limits)?;
        self.origin.note(head)
    }
}

/// A request whose answer is not known yet.
struct OpenExchange<I> {
    shared: Arc<Shared<I>>,
    pace: Arc<Pace>,
    begin: Instant,
    route: Option<&'static str>,
    received: u64,
}

impl<I: Interface> OpenExchange<I> {
    /// Answers at once where nothing has to be waited for, which is most requests.
    fn decide(mut self, head: Parts, body: Incoming) -> Answering {
        let admission = match self.shared.admit(&head) {
            Ok(admission) => admission,
            Err(answer) => {
                if !body.is_end_stream() {
                    self.pace.leave_unread();
                }
                return Answering::now(self.reply(answer));
            }
        };
        self.route = Some(admission.route);
        if body.size_hint().lower() > admission.body_bytes_max as u64 {
            return Answering::now(self.refuse_rest(Refusal::TooLarge));
        }
        if body.is_end_stream() && admission.runs == Runs::Inline {
            let request = Request::from_parts(head, Bytes::new());
            let answer = self.shared.answer(admission.admitted, request);
            return Answering::now(self.reply(answer));
        }
        Answering::Later(Box::pin(self.reply_later(admission, head, body)))
    }

    async fn reply_later(
        mut self,
        admission: Admission<I::Admitted>,
        head: Parts,
        body: Incoming,
    ) -> Response<Reply> {
        match self.gather_and_answer(admission, head, body).await {
            Ok(answer) => self.reply(answer),
            Err(refusal) => self.refuse_rest(refusal),
        }
    }

    async fn gather_and_answer(
        &mut self,
        admission: Admission<I::Admitted>,
        head: Parts,
        body: Incoming,
    ) -> Result<Response<Bytes>, Refusal> {
        let Admission { admitted, body_bytes_max, runs, .. } = admission;
        let limits = &self.shared.limits;
        let body_bytes = body.size_hint().upper().unwrap_or(body_bytes_max as u64);
        let body_room = self.room(self.shared.body_rooms.of(body_bytes), body_bytes).await?;
        let bytes = gather(body, body_bytes_max, limits, &mut self.received).await?;
        let request = Request::from_parts(head, bytes);
        if runs == Runs::Inline {
            return Ok(self.shared.answer(admitted, request));
        }
        let thread_room = self.room(&self.shared.blocking_room, 1).await?;
        if runs == Runs::Later {
            let (sender, answer) = oneshot::channel();
            let respond = Box::new(move |answer| {
                let _rooms = (body_room, thread_room);
                // The client may have left.
                drop(sender.send(answer));
            });
            self.shared.answer_later(admitted, request, respond);
            return Ok(answer.await.unwrap_or_else(|_| self.shared.refuse(Refusal::Failed)));
        }
        let shared = Arc::clone(&self.shared);
        let work = tokio::task::spawn_blocking(move || {
            // Moved here, so that a client that leaves does not make room for another too early.
            let _rooms = (body_room, thread_room);
            shared.answer(admitted, request)
        });
        work.await.map_err(|_| Refusal::Failed)
    }

    /// Waits for a share of something that all connections have in common.
    async fn room(&self, room: &Room, share: u64) -> Result<OwnedSemaphorePermit, Refusal> {
        let share = u32::try_from(share).unwrap_or(u32::MAX).min(room.size);
        let permit = Arc::clone(&room.free).acquire_many_owned(share);
        let permit = timeout(self.shared.limits.room, permit).await;
        permit.ok().and_then(Result::ok).ok_or(Refusal::Overloaded)
    }

    /// Refuses a request that may not have been read to its end, and the connection with it.
    fn refuse_rest(self, refusal: Refusal) -> Response<Reply> {
        self.pace.leave_unread();
        let mut answer = self.shared.refuse(refusal);
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        self.reply(answer)
    }

    /// Notes the answer, which is written from now on.
    fn reply(self, answer: Response<Bytes>) -> Response<Reply> {
        (self.shared.observer)(&Event::Answered(Exchange {
            route: self.route,
            status: answer.status(),
            body_bytes_received: self.received,
            body_bytes_sent: answer.body().len() as u64,
            duration: self.begin.elapsed(),
        }));
        self.pace.write();
        answer.map(|data| Reply::new(data, self.pace))
    }
}

/// The calls of the interface; a panic in one of them costs one answer, not the process.
impl<I: Interface> Shared<I> {
    #[expect(clippy::result_large_err, reason = "as the interface answers")]
    fn admit(&self, head: &Parts) -> Result<Admission<I::Admitted>, Response<Bytes>> {
        catch_unwind(AssertUnwindSafe(|| self.interface.admit(head)))
            .unwrap_or_else(|_| Err(self.refuse(Refusal::Failed)))
    }

    fn answer(&self, admitted: I::Admitted, request: Request<Bytes>) -> Response<Bytes> {
        catch_unwind(AssertUnwindSafe(|| self.interface.answer(admitted, request)))
            .unwrap_or_else(|_| self.refuse(Refusal::Failed))
    }

    /// After a panic nobody is left to respond, which is how the one who waits learns of it.
    fn answer_later(&self, admitted: I::Admitted, request: Request<Bytes>, respond: Respond) {
        let answer = || self.interface.answer_later(admitted, request, respond);
        let _ = catch_unwind(AssertUnwindSafe(answer));
    }

    pub(super) fn refuse(&self, refusal: Refusal) -> Response<Bytes> {
        catch_unwind(AssertUnwindSafe(|| self.interface.refuse(refusal))).unwrap_or_else(|_| {
            let mut answer = Response::default();
            *answer.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            answer
        })
    }
}

/// Something of which all connections together have only so much.
#[derive(Debug)]
pub(super) struct Room {
    free: Arc<Semaphore>,
    size: u32,
}

impl Room {
    pub(super) fn new(size: usize) -> Self {
        // A share is never more than the whole, so with none at all everything would find room.
        let size = u32::try_from(size).unwrap_or(u32::MAX).max(1);
        Self { free: Arc::new(Semaphore::new(size as usize)), size }
    }
}

/// The room for bodies, in which small ones never wait for large ones.
#[derive(Debug)]
pub(super) struct BodyRooms {
    small: Room,
    large: Room,
}

impl BodyRooms {
    pub(super) fn new(bytes: usize) -> Self {
        let small = bytes / SMALL_BODIES_PART;
        Self { small: Room::new(small), large: Room::new(bytes - small) }
    }

    fn of(&self, body_bytes: u64) -> &Room {
        if body_bytes <= SMALL_BODY_BYTES_MAX { &self.small } else { &self.large }
    }
}

/// Forms and JSON are no longer; uploads are.
const SMALL_BODY_BYTES_MAX: u64 = 64 * 1024;
/// Small bodies have a quarter: of the default, 512 of the longest.
const SMALL_BODIES_PART: usize = 4;

/// The answer to a request, now or later.
pub(super) enum Answering {
    Now(Option<Response<Reply>>),
    Later(Pin<Box<dyn Future<Output = Response<Reply>> + Send>>),
}

impl Answering {
    fn now(response: Response<Reply>) -> Self {
        Self::Now(Some(response))
    }
}

impl Future for Answering {
    type Output = Result<Response<Reply>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Now(response) => response.take().map_or(Poll::Pending, |r| Poll::Ready(Ok(r))),
            Self::Later(response) => Poll::Ready(Ok(ready!(response.as_mut().poll(cx)))),
        }
    }
}
