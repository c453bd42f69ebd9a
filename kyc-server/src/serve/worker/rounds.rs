//! What the worker does, round by round.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kyc_core::{ScreenError, ScreeningQueue, Service};
use kyc_screening::{Library, LibraryError, Mode, Policy};
use kyc_store_sqlite::SqliteStore;

use super::due::Due;
use super::lists::Lists;
use crate::exit::{Failure, chain};
use crate::monitoring::{End, Extent, Goal, Monitor, Step, Tally, Turn};

/// What the worker works with.
pub(in crate::serve) struct Work {
    pub(in crate::serve) service: Service,
    pub(in crate::serve) store: SqliteStore,
    pub(in crate::serve) library: Library,
    pub(in crate::serve) data: PathBuf,
    pub(in crate::serve) mode: Mode,
    pub(in crate::serve) policy: Policy,
    /// Told whether the current lists could be loaded.
    pub(in crate::serve) are_loaded: Arc<AtomicBool>,
}

/// What a round did.
pub(super) enum Round {
    Worked,
    Idle,
}

pub(super) struct Rounds {
    service: Service,
    library: Library,
    data: PathBuf,
    mode: Mode,
    policy: Policy,
    are_loaded: Arc<AtomicBool>,
    monitor: Monitor,
    /// `None` until the lists have been loaded: nobody is screened before.
    lists: Option<Lists>,
    forget_answers: Due,
    look_for_lists: Due,
    try_stalled: Due,
    walk: Due,
    /// Whether it was said that a full walk is needed.
    has_asked_for_full: bool,
}

impl Rounds {
    pub(super) fn new(work: Work) -> Self {
        let Work { service, store, library, data, mode, policy, are_loaded } = work;
        // Clients' requests go before.
        let threads = 1;
        let monitor = Monitor::new(service.clone(), Arc::new(store), library.clone(), threads);
        Self {
            service,
            library,
            data,
            mode,
            policy,
            are_loaded,
            monitor,
            lists: None,
            forget_answers: Due::default(),
            look_for_lists: Due::default(),
            try_stalled: Due::default(),
            walk: Due::default(),
            has_asked_for_full: false,
        }
    }

    /// Forgets answers that are over, looks for new lists, screens what is new, now and then what
    /// had no result, and again whom new lists may concern.
    pub(super) fn next(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<Round, Failure> {
        if self.forget_answers.is_now() {
            self.forget_answers();
        }
        if self.look_for_lists.is_now() {
            let reloaded = self.reload();
            // The old lists stay in use, and nobody may take them for the current ones.
            self.are_loaded.store(reloaded.is_ok(), Ordering::Relaxed);
            let next_look = reloaded.map_or_else(
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
            self.service.screen_queue(queue, &lists.screener, is_over, &log_without_result)
        };
        // However long the queue is, new lists come in between.
        let is_over = || is_stopped() || self.look_for_lists.is_now();
        let new = screen(ScreeningQueue::New, &is_over)?;
        let mut has_worked = new.screened + new.stalled > 0;
        // While the lists are not fit, trying again changes nothing.
        if lists.are_fit() {
            if self.try_stalled.is_now() {
                screen(ScreeningQueue::Stalled, is_stopped)?;
                self.try_stalled.again_in(STALLED_EVERY);
            }
            if lists.are_ahead && self.walk.is_now() {
                has_worked |= self.walk_on(is_stopped)?;
            }
        }
        Ok(if has_worked { Round::Worked } else { Round::Idle })
    }

    /// Removes some answers that are no longer given again (D99); the rest has its turn soon.
    fn forget_answers(&mut self) {
        match self.service.forget_answers(FORGOTTEN_AT_ONCE) {
            Ok(true) => {}
            Ok(false) => self.forget_answers.again_in(FORGET_EVERY),
            Err(error) => {
                tracing::error!(error = chain(&error), "old answers cannot be removed");
                self.forget_answers.again_in(FORGET_EVERY);
            }
        }
    }

    /// Takes the current lists, unless they are in use already.
    fn reload(&mut self) -> Result<(), LibraryError> {
        let revision = self.library.revision()?;
        if self.lists.as_ref().is_none_or(|lists| lists.revision != revision) {
            let lists = Lists::load(&self.library, self.mode, &self.policy, &self.service)?;
            self.lists = Some(lists);
            self.walk = Due::default();
        }
        Ok(())
    }

    /// Brings some of the results up to the lists; whether it did.
    fn walk_on(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<bool, Failure> {
        let Self { service, library, monitor, lists, look_for_lists, .. } = self;
        let (Some(lists), Some(_turn)) = (lists, Turn::take(&self.data)?) else {
            return Ok(false);
        };
        let mut is_over = || {
            if look_for_lists.is_now() {
                if !library.revision().is_ok_and(|revision| revision == lists.revision) {
                    return true;
                }
                look_for_lists.again_in(LISTS_EVERY);
            }
            // Who was approved in the meantime does not wait for the end. A fault comes up again in
            // the next round.
            let queue = ScreeningQueue::New;
            let new = service.screen_queue(queue, &lists.screener, is_stopped, &log_without_result);
            new.is_err() || is_stopped()
        };
        let goal = Goal {
            screener: &lists.screener,
            editions: lists.screener.0.editions(),
            extent: Extent::Concerned,
            failed: &log_without_result,
        };
        match monitor.step(&goal, &mut is_over)? {
            Step::Went(tally) => lists.walked.add(tally),
            Step::Ended(tally, end) => {
                lists.walked.add(tally);
                let walked = std::mem::take(&mut lists.walked);
                // Before, a process with other lists may have stored a result behind its back.
                lists.are_ahead = end.failed > 0 || end.begun < lists.loaded_at;
                self.ended(walked, end);
            }
            Step::Interrupted => {}
        }
        Ok(true)
    }

    fn ended(&mut self, walked: Tally, end: End) {
        let Tally { results, screened, changed, .. } = walked;
        tracing::info!(results, screened, changed, "results are up to the lists");
        if end.failed > 0 {
            let failed = end.failed;
            tracing::error!(
                failed,
                "no new result, the earlier ones stand, it will be tried again"
            );
            self.walk.again_in(WALK_AFTER_FAULT);
        }
        if end.needs_full && !self.has_asked_for_full {
            self.has_asked_for_full = true;
            let next = "kyc rescreen --full";
            tracing::warn!(next, "results rest on another configuration, and stay as they are");
        }
        self.monitor.forget_changes();
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

/// Few enough that a submission hardly waits for it.
const FORGOTTEN_AT_ONCE: usize = 256;
const FORGET_EVERY: Duration = Duration::from_secs(60);
const LISTS_EVERY: Duration = Duration::from_secs(1);
const LISTS_AFTER_FAULT: Duration = Duration::from_secs(30);
/// Causes that lists have nothing to do with go seldom.
const STALLED_EVERY: Duration = Duration::from_secs(60);
/// A walk goes over all results.
const WALK_AFTER_FAULT: Duration = Duration::from_secs(10 * 60);
