//! Where a connection stands, and until when it may stand there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::scan::Scan;
use super::{Limits, Phase};

/// Where one connection stands.
///
/// Its stream, its exchanges and its timer share it. They run in one task, so the lock is never
/// contended; it is there because a task may move between threads.
#[derive(Debug)]
pub(super) struct Pace {
    limits: Arc<Limits>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    due: Option<Instant>,
    scan: Scan,
    /// The response is wholly in the hands of the HTTP layer; what remains is to flush it.
    handed_over: bool,
    /// The last answer went out before its request was read to the end.
    unread: bool,
}

impl Pace {
    /// A connection that is about to send its first request.
    pub(super) fn new(limits: Arc<Limits>) -> Self {
        let state = State {
            phase: Phase::Head,
            due: limits.of(Phase::Head).map(|limit| Instant::now() + limit),
            scan: Scan::default(),
            handed_over: false,
            unread: false,
        };
        Self { limits, state: Mutex::new(state) }
    }

    pub(super) fn phase(&self) -> Phase {
        self.state().phase
    }

    /// When the phase is overdue, if it can be.
    pub(super) fn due(&self) -> Option<Instant> {
        self.state().due
    }

    pub(super) fn unread(&self) -> bool {
        self.state().unread
    }

    /// Whether the request line of the present head has ended.
    pub(super) fn line_ended(&self) -> bool {
        self.state().scan.line_ended()
    }

    /// Bytes of a request have arrived.
    pub(super) fn arrived(&self, bytes: &[u8]) {
        let mut state = self.state();
        if state.phase == Phase::Idle {
            self.enter(&mut state, Phase::Head);
        }
        state.scan.feed(bytes);
    }

    /// A head is complete, and its answer begins; returns what the parser did not see.
    ///
    /// `body_bytes` is the length of the body, `None` for a chunked one.
    pub(super) fn begin(&self, body_bytes: Option<u64>) -> Option<&'static str> {
        let mut state = self.state();
        state.unread = false;
        self.enter(&mut state, Phase::Answer);
        state.scan.end_head(body_bytes)
    }

    /// The rest of the request will not be read.
    pub(super) fn leave_unread(&self) {
        self.state().unread = true;
    }

    /// The response is known, and is written from now on.
    pub(super) fn write(&self) {
        let mut state = self.state();
        state.handed_over = false;
        self.enter(&mut state, Phase::Write);
    }

    /// Nothing of the response is left to hand over.
    pub(super) fn handed_over(&self) {
        self.state().handed_over = true;
    }

    /// Everything that was written has left.
    pub(super) fn flushed(&self) {
        let mut state = self.state();
        if state.phase == Phase::Write && state.handed_over {
            self.enter(&mut state, Phase::Idle);
        }
    }

    fn enter(&self, state: &mut State, phase: Phase) {
        state.phase = phase;
        state.due = self.limits.of(phase).map(|limit| Instant::now() + limit);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
