//! The worker that screens what waits (D34, D40).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kyc_core::{ScreenError, Screener, Screening, ScreeningQueue, Service, Subject, Timestamp};
use kyc_screening::{Library, LibraryError, Mode, Options, Policy, Revision, SanctionsScreener};

use crate::exit::{Failure, chain, no_result};

/// A running worker. When it is dropped, it stops after the screening under way.
#[derive(Debug)]
pub(super) struct Worker {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts screening what waits in the service's queue.
    pub(super) fn start(
        service: Service,
        library: Library,
        mode: Mode,
        policy: Policy,
    ) -> Result<Self, Failure> {
        let (stop, stopped) = sync_channel::<()>(0);
        let rounds = Rounds {
            service,
            library,
            mode,
            policy,
            lists: None,
            look_for_lists: Due::default(),
            try_stalled: Due::default(),
        };
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
            Ok(Err(failed)) => {
                tracing::error!(error = failed, "screening failed, it will be tried again");
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

/// What a round did.
enum Round {
    Worked,
    Idle,
}

struct Rounds {
    service: Service,
    library: Library,
    mode: Mode,
    policy: Policy,
    /// `None` until the lists have been loaded: nobody is screened before.
    lists: Option<Lists>,
    look_for_lists: Due,
    try_stalled: Due,
}

struct Lists {
    revision: Revision,
    screener: Cautious,
    /// Whether the policy takes them; `None` until it was asked.
    are_fit: Option<bool>,
}

impl Rounds {
    /// Looks for new lists, screens what is new, and now and then what had no result.
    fn next(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<Round, String> {
        if self.look_for_lists.is_now() {
            let next_look = self.reload().map_or_else(
                |error| {
                    tracing::error!(error = chain(&error), "the lists cannot be loaded");
                    LISTS_AFTER_FAULT
                },
                |()| LISTS_EVERY,
            );
            self.look_for_lists.again_in(next_look);
        }
        let Some(lists) = &mut self.lists else { return Ok(Round::Idle) };
        if lists.become_fit(self.service.now()) {
            self.try_stalled = Due::default();
        }
        let screen = |queue, is_over: &dyn Fn() -> bool| {
            let pass =
                self.service.screen_queue(queue, &lists.screener, is_over, &log_without_result);
            pass.map_err(|error| chain(&error))
        };
        // However long the queue is, new lists come in between.
        let is_over = || is_stopped() || self.look_for_lists.is_now();
        let new = screen(ScreeningQueue::New, &is_over)?;
        // While the lists are not fit, trying again changes nothing.
        if lists.are_fit == Some(true) && self.try_stalled.is_now() {
            screen(ScreeningQueue::Stalled, is_stopped)?;
            self.try_stalled.again_in(STALLED_EVERY);
        }
        Ok(if new.screened + new.stalled > 0 { Round::Worked } else { Round::Idle })
    }

    /// Takes the current lists, unless they are in use already.
    fn reload(&mut self) -> Result<(), LibraryError> {
        let revision = self.library.revision()?;
        if self.lists.as_ref().is_some_and(|lists| lists.revision == revision) {
            return Ok(());
        }
        let engine = self.library.load(&Options::default())?;
        let screener = SanctionsScreener::new(self.mode, self.policy.clone(), engine);
        for list in screener.status(self.service.now()) {
            tracing::info!(
                list = list.version.list,
                version = list.version.version,
                date = list.version.source_date.map(|date| date.to_string()),
                persons = list.counts.persons,
                names = list.counts.names,
                "list in use"
            );
        }
        if screener.uses_sample() {
            tracing::warn!("SAMPLE LIST IN USE: its people are invented, results prove nothing");
        }
        self.lists = Some(Lists { revision, screener: Cautious(screener), are_fit: None });
        Ok(())
    }
}

impl Lists {
    /// Looks whether the policy takes the lists now; true when it did not before.
    fn become_fit(&mut self, at: Timestamp) -> bool {
        let fitness = self.screener.0.ready(at);
        let before = self.are_fit.replace(fitness.is_ok());
        match fitness {
            Ok(()) => before != Some(true),
            Err(error) => {
                if before != Some(false) {
                    let reason = no_result(&error);
                    tracing::warn!(reason, "nobody is screened, AML results stay `-`");
                }
                false
            }
        }
    }
}

/// When something is to be done next; at once in the beginning.
#[derive(Debug, Default)]
struct Due(Option<Instant>);

impl Due {
    fn is_now(&self) -> bool {
        self.0.is_none_or(|due| Instant::now() >= due)
    }

    fn again_in(&mut self, pause: Duration) {
        self.0 = Some(Instant::now() + pause);
    }
}

/// A screener whose panics are failures, so that one name cannot stop the queue.
struct Cautious(SanctionsScreener);

impl Screener for Cautious {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        catch_unwind(AssertUnwindSafe(|| self.0.screen(subject, at)))
            .unwrap_or_else(|_| Err(ScreenError::Failed("the engine panicked".into())))
    }
}

fn log_without_result(error: &ScreenError) {
    match error {
        ScreenError::Failed(_) => tracing::error!(reason = chain(error), "no screening result"),
        ScreenError::ListMissing { .. }
        | ScreenError::ListTooOld { .. }
        | ScreenError::NoUsableName => {
            tracing::debug!(reason = chain(error), "no screening result");
        }
    }
}

/// How long an approved submission waits at most before it is looked at.
const IDLE: Duration = Duration::from_millis(200);
const LISTS_EVERY: Duration = Duration::from_secs(1);
const LISTS_AFTER_FAULT: Duration = Duration::from_secs(30);
/// Causes that lists have nothing to do with go seldom.
const STALLED_EVERY: Duration = Duration::from_secs(60);
const BACK_OFF_MAX: Duration = Duration::from_secs(30);
