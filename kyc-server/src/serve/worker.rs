//! The worker that screens what waits (D34, D40), and again whom new lists concern (D85).

mod due;
mod lists;
mod rounds;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::exit::Failure;
use rounds::{Round, Rounds};

pub(super) use rounds::Work;

/// A running worker. When it is dropped, it stops after the screening under way.
#[derive(Debug)]
pub(super) struct Worker {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts screening what waits in the service's queue.
    pub(super) fn start(work: Work) -> Result<Self, Failure> {
        let (stop, stopped) = sync_channel::<()>(0);
        let rounds = Rounds::new(work);
        let is_stopped = move |patience| {
            // Nobody ever sends: the channel ends with the worker's handle.
            stopped.recv_timeout(patience) != Err(RecvTimeoutError::Timeout)
        };
        let thread = thread::Builder::new()
            .name("screening".to_owned())
            .spawn(move || run(rounds, &is_stopped))
            .map_err(|error| Failure::because("cannot start the screening worker", &error))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic was logged where it happened.
            let _ = thread.join();
        }
    }
}

/// Round after round, at once while there is work, more and more seldom while rounds fail.
fn run(mut rounds: Rounds, is_stopped: &dyn Fn(Duration) -> bool) {
    let mut failures = 0;
    let mut pause = Duration::ZERO;
    while !is_stopped(pause) {
        let round = catch_unwind(AssertUnwindSafe(|| rounds.next(&|| is_stopped(Duration::ZERO))));
        pause = match round {
            Ok(Ok(Round::Worked)) => Duration::ZERO,
            Ok(Ok(Round::Idle)) => IDLE,
            Ok(Err(failure)) => {
                let error = failure.sentence.unwrap_or_default();
                tracing::error!(error, "screening failed, it will be tried again");
                backed_off(failures)
            }
            // The hook has logged where.
            Err(_panic) => backed_off(failures),
        };
        failures = if pause > IDLE { failures + 1 } else { 0 };
    }
}

fn backed_off(failures: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(failures.saturating_add(1));
    IDLE.saturating_mul(doubled).min(BACK_OFF_MAX)
}

/// How long an approved submission waits at most before it is looked at.
const IDLE: Duration = Duration::from_millis(200);
const BACK_OFF_MAX: Duration = Duration::from_secs(30);
