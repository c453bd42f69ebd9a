//! Brings stored results up to the current lists (D85).
//!
//! A walk goes over all stored results, portion by portion. Of each portion it screens those again
//! whom the changed records may concern, or everybody in a full walk; what differs is stored. How far
//! it is, is stored as well, so that whoever comes next goes on there: the running service and `kyc
//! rescreen` do the same work on the same state.

mod change;
mod portion;
mod turn;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kyc_core::service::{Rescreened, Service};
use kyc_core::{
    Covered, Editions, Monitoring, MonitoringState, Queued, ScreenError, Screener, StoreError,
    Timestamp, Walk,
};
use kyc_screening::Library;

use crate::exit::Failure;
use crate::parallel::on_threads;
use change::Changes;
use portion::Portion;

pub(crate) use turn::Turn;

/// Walks over the stored results.
pub(crate) struct Monitor {
    service: Service,
    store: Arc<dyn Monitoring>,
    changes: Changes,
    /// How many people are screened at the same time.
    threads: usize,
}

/// Whom a walk screens again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Whom a change of the lists may concern.
    Concerned,
    /// Everybody.
    Everybody,
}

/// What becomes of the results, and by what.
pub(crate) struct Goal<'a> {
    pub(crate) screener: &'a dyn Screener,
    /// What the screener screens with.
    pub(crate) editions: Editions,
    pub(crate) extent: Extent,
    /// Hears why somebody has no new result.
    pub(crate) failed: &'a (dyn Fn(&ScreenError) + Sync),
}

/// What one portion of a walk came to.
#[derive(Debug)]
pub(crate) enum Step {
    /// There are more.
    Went(Tally),
    /// It was the last one.
    Ended(Tally, End),
    /// It was told to stop, the lists are not fit any more, or somebody else went on: what is left
    /// of the portion comes again.
    Interrupted,
}

/// What is known at the end of a walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    /// When it began, maybe in an earlier process.
    pub(crate) begun: Timestamp,
    /// How many have no new result, from the beginning on. Unless there are none, another walk has
    /// to follow.
    pub(crate) failed: u64,
    /// Some results rest on another configuration, which a full walk alone changes.
    pub(crate) needs_full: bool,
}

/// What was done with results.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// How many there were.
    pub(crate) results: u64,
    /// How many of them were screened again.
    pub(crate) screened: u64,
    /// How many of these changed, so that an inspector will look.
    pub(crate) changed: u64,
    /// How many of these have no new result: the earlier one stands.
    pub(crate) failed: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.results += other.results;
        self.screened += other.screened;
        self.changed += other.changed;
        self.failed += other.failed;
    }
}

impl Monitor {
    pub(crate) fn new(
        service: Service,
        store: Arc<dyn Monitoring>,
        library: Library,
        threads: usize,
    ) -> Self {
        Self { service, store, changes: Changes::new(library), threads }
    }

    /// Forgets how the lists differ from earlier ones.
    pub(crate) fn forget_changes(&mut self) {
        self.changes.forget();
    }

    /// Brings the next portion up to a goal. `is_over` is asked again and again in between.
    ///
    /// Nothing is lost whenever it ends: the state moves on when a portion is done, by
    /// compare-and-set. Two that walk at once do some work twice and no harm.
    pub(crate) fn step(
        &mut self,
        goal: &Goal<'_>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Step, Failure> {
        let before = self.store.monitoring()?;
        let walk = self.next_walk(&before, goal);
        let Some((portion, tally)) = self.walk_on(&walk, before.covered.as_ref(), goal, is_over)?
        else {
            return Ok(Step::Interrupted);
        };
        let walk = Walk {
            after: portion.last,
            done: walk.done + tally.results,
            failed: walk.failed + tally.failed,
            ..walk
        };
        let end = portion.is_last.then(|| End::of(&walk, before.covered.as_ref()));
        let after = match end {
            None => MonitoringState { under_way: Some(walk), ..before.clone() },
            Some(_) if walk.failed > 0 => MonitoringState { under_way: None, ..before.clone() },
            Some(_) => {
                let covered = Some(covered_by(walk, before.covered.as_ref()));
                MonitoringState { covered, under_way: None }
            }
        };
        match self.store.advance_monitoring(&before, &after) {
            Ok(()) => Ok(end.map_or(Step::Went(tally), |end| Step::Ended(tally, end))),
            Err(StoreError::Stale) => Ok(Step::Interrupted),
            Err(error) => Err(error.into()),
        }
    }

    /// The walk that is under way, if it leads to the goal, or a new one. As long as nothing is
    /// known of the results, everybody is screened.
    fn next_walk(&self, state: &MonitoringState, goal: &Goal<'_>) -> Walk {
        let full = goal.extent == Extent::Everybody || state.covered.is_none();
        let leads_there = |walk: &&Walk| walk.target == goal.editions && (walk.full || !full);
        state.under_way.as_ref().filter(leads_there).cloned().unwrap_or_else(|| Walk {
            target: goal.editions.clone(),
            full,
            begun: self.service.now(),
            after: None,
            done: 0,
            failed: 0,
        })
    }

    fn walk_on(
        &mut self,
        walk: &Walk,
        covered: Option<&Covered>,
        goal: &Goal<'_>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Portion, Tally)>, Failure> {
        let portion = if walk.full {
            Some(Portion::of_everybody(&self.service, walk)?)
        } else {
            Portion::of_concerned(&self.service, &mut self.changes, walk, covered, is_over)?
        };
        let Some(mut portion) = portion else { return Ok(None) };
        let mut tally = Tally { results: portion.results, ..Tally::default() };
        while !is_over() {
            let Some(batch) = portion.next_batch(&self.service, BATCH)? else {
                return Ok(Some((portion, tally)));
            };
            let Some(screened) = self.screen(&batch, goal)? else { break };
            tally.add(screened);
        }
        Ok(None)
    }

    /// Screens again, and stores what differs; `None` when the lists are not fit.
    fn screen(&self, batch: &[Queued], goal: &Goal<'_>) -> Result<Option<Tally>, Failure> {
        let is_unfit = AtomicBool::new(false);
        let failed = |error: &ScreenError| match error {
            ScreenError::ListMissing { .. } | ScreenError::ListTooOld { .. } => {
                is_unfit.store(true, Ordering::Relaxed);
            }
            ScreenError::NoUsableName | ScreenError::Failed(_) => (goal.failed)(error),
        };
        let rescreen = |queued: &Queued| self.service.rescreen_one(queued, goal.screener, &failed);
        let mut tally = Tally::default();
        for outcome in on_threads(self.threads, batch, rescreen) {
            let outcome = outcome?;
            tally.screened += 1;
            tally.changed += u64::from(outcome == Rescreened::Changed);
            tally.failed += u64::from(outcome == Rescreened::NoResult);
        }
        Ok((!is_unfit.into_inner()).then_some(tally))
    }
}

impl End {
    fn of(walk: &Walk, covered: Option<&Covered>) -> Self {
        let is_other =
            |covered: &Covered| covered.editions.configuration != walk.target.configuration;
        let needs_full = !walk.full && covered.is_some_and(is_other);
        Self { begun: walk.begun, failed: walk.failed, needs_full }
    }
}

/// What every result agrees with when a walk has ended. One over those whom changes of the lists
/// concern leaves the others with the configuration that they have.
fn covered_by(walk: Walk, before: Option<&Covered>) -> Covered {
    let Walk { target, full, begun, .. } = walk;
    let configuration = match before {
        Some(before) if !full => before.editions.configuration.clone(),
        Some(_) | None => target.configuration,
    };
    Covered { editions: Editions { lists: target.lists, configuration }, since: begun }
}

/// The version of each list, under its name.
type Lists = BTreeMap<String, String>;

/// So many are screened before somebody may interrupt.
const BATCH: usize = 256;

#[cfg(test)]
mod tests;
