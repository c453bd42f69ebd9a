//! The thread that keeps the lists up to date (D77).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kyc_core::{Clock, SystemClock, Timestamp};
use kyc_screening::Shrinkage;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::exit::{Failure, chain};
use crate::fetch::{Attempts, Feed, FetchError, Manner, Outcome, Update, Updater};

/// A running refresh. When it is dropped, it waits until the list at hand is taken or given up.
#[derive(Debug)]
pub(super) struct Refresh(Option<JoinHandle<()>>);

impl Refresh {
    /// Updates lists again and again until `stopping` changes. The screening worker sees by itself
    /// what the library takes.
    pub(super) fn start(
        updater: Updater,
        feeds: Vec<Feed>,
        every: Duration,
        mut stopping: watch::Receiver<()>,
    ) -> Result<Self, Failure> {
        let failed = |error| Failure::because("cannot start the updates of the lists", &error);
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let rounds = Rounds { updater, feeds, every };
        let thread = thread::Builder::new()
            .name("lists".to_owned())
            .spawn(move || {
                run(&runtime, &rounds, &mut stopping);
                // A name that is being looked up must not hold up the end.
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Self(Some(thread)))
    }
}

impl Drop for Refresh {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // A panic was logged where it happened.
            let _ = thread.join();
        }
    }
}

/// Round after round; a download that is under way at the end is gone on with by the next start.
fn run(runtime: &Runtime, rounds: &Rounds, stopping: &mut watch::Receiver<()>) {
    loop {
        let round = catch_unwind(AssertUnwindSafe(|| {
            runtime.block_on(async {
                tokio::select! {
                    _ = stopping.changed() => None,
                    pause = rounds.next() => Some(pause),
                }
            })
        }));
        let pause = match round {
            Ok(None) => return,
            Ok(Some(pause)) => pause,
            // The hook has logged where.
            Err(_panic) => AFTER_FAILURE,
        };
        let is_over = runtime.block_on(async {
            tokio::select! {
                _ = stopping.changed() => true,
                () = sleep(pause) => false,
            }
        });
        if is_over {
            return;
        }
    }
}

struct Rounds {
    updater: Updater,
    feeds: Vec<Feed>,
    every: Duration,
}

impl Rounds {
    /// Updates what is due, and tells when to look again.
    async fn next(&self) -> Duration {
        let record = self.updater.record();
        let now = SystemClock.now();
        let is_due = |feed: &&Feed| is_due(&feed.list, record.of(&feed.list), self.every, now);
        let due: Vec<Feed> = self.feeds.iter().filter(is_due).cloned().collect();
        if due.is_empty() {
            return LOOK_EVERY;
        }
        let manner = Manner {
            clock: &SystemClock,
            shrinkage: Shrinkage::Refuse,
            progress: &|_, _| (),
            done: &log,
        };
        match self.updater.update(&due, &manner).await {
            // Somebody updates by hand, and what that leaves is updated after it.
            Ok(_) | Err(FetchError::Busy) => LOOK_EVERY,
            Err(error) => {
                tracing::error!(reason = chain(&error), "the lists cannot be updated");
                AFTER_FAILURE
            }
        }
    }
}

/// Says what came of a list. A list that fails is an alarm each time: it is getting older.
fn log(Outcome { list, result }: &Outcome) {
    match result {
        Ok(Update::New(new)) => {
            let date = new.version.source_date.map(|date| date.to_string());
            let (version, persons) = (&new.version.version, new.counts.persons);
            tracing::info!(list, version, date, persons, "list updated");
        }
        Ok(Update::Same(_)) => tracing::info!(list, "list not changed"),
        Err(error) => {
            let reason = chain(error);
            tracing::error!(list, reason, "a list cannot be updated: what is in use of it stays");
        }
    }
}

/// Whether a list is to be fetched: never fetched, or so long ago, give or take a tenth, so that
/// services that began at the same time do not ask at the same time. One that failed is tried
/// sooner.
fn is_due(list: &str, attempts: Option<&Attempts>, every: Duration, now: Timestamp) -> bool {
    let Some(attempts) = attempts else { return true };
    let before = attempts.attempted_at();
    let every = if attempts.failing().is_some() { every.min(AFTER_FAILURE) } else { every };
    // The millisecond of the last attempt differs from service to service.
    let pause = jittered(every, (list, before));
    let passed = u64::try_from(now.unix_millis() - before.unix_millis());
    // An attempt in the future was made before the clock was set back.
    passed.map_or(true, |passed| Duration::from_millis(passed) >= pause)
}

/// A pause, give or take a tenth, the same for the same seed.
pub(super) fn jittered(every: Duration, seed: impl Hash) -> Duration {
    let mut hasher = DefaultHasher::new();
    seed.hash(&mut hasher);
    let thousandths = u32::try_from(hasher.finish() % 1_000).unwrap_or(0);
    every * 9 / 10 + every * thousandths / 5_000
}

/// How often it is looked whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// How long a failure is left alone at most.
const AFTER_FAILURE: Duration = Duration::from_secs(60 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;

    fn attempts(at: i64, is_failing: bool) -> Attempts {
        let failing = serde_json::json!({"since_unix_millis": at, "reason": "gone"});
        serde_json::from_value(serde_json::json!({
            "attempted_at_unix_millis": at,
            "failing": if is_failing { failing } else { serde_json::Value::Null },
        }))
        .unwrap()
    }

    /// After how many minutes a list that is fetched every ten hours is fetched again.
    fn minutes(list: &str, at: i64, is_failing: bool) -> i64 {
        let attempts = attempts(at, is_failing);
        let every = Duration::from_secs(36_000);
        let is_due = |minutes: &i64| {
            let now = Timestamp::from_unix_millis(at + minutes * 60_000).unwrap();
            is_due(list, Some(&attempts), every, now)
        };
        (0..10_000).find(is_due).unwrap()
    }

    #[test]
    fn d77_a_list_is_fetched_at_once_and_then_now_and_then() {
        let now = Timestamp::from_unix_millis(1_000 * HOUR).unwrap();
        assert!(is_due("UN", None, Duration::from_secs(1), now));
        let pauses: Vec<i64> = (0..100).map(|n| minutes("UN", 1_000 * HOUR + n, false)).collect();
        assert!(pauses.iter().all(|minutes| (540..=660).contains(minutes)), "{pauses:?}");
        assert!(pauses.iter().max().unwrap() - pauses.iter().min().unwrap() > 60, "{pauses:?}");
        assert_ne!(minutes("UN", 1_000 * HOUR, false), minutes("EU", 1_000 * HOUR, false));
    }

    #[test]
    fn d77_a_failure_is_tried_again_sooner() {
        let pause = minutes("UN", 1_000 * HOUR, true);
        assert!((54..=66).contains(&pause), "{pause}");
    }

    #[test]
    fn t37_a_clock_that_was_set_back_delays_nothing() {
        let attempts = attempts(2_000 * HOUR, false);
        let now = Timestamp::from_unix_millis(1_000 * HOUR).unwrap();
        assert!(is_due("UN", Some(&attempts), Duration::from_secs(36_000), now));
    }
}
