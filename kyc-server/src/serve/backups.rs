//! The thread that makes backups (D112).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::ProgressBar;
use kyc_core::{AuditActor, Clock, SystemClock, Timestamp};
use kyc_store_sqlite::SqliteStore;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::sleep;

use super::refresh::jittered;
use crate::backup::{self, Pace};
use crate::config::Backups;
use crate::exit::Failure;
use crate::folder;

/// Running backups. When it is dropped, it waits until the one at hand is made or given up.
#[derive(Debug)]
pub(super) struct Scheduled(Option<JoinHandle<()>>);

impl Scheduled {
    /// Makes backups again and again until `stopping` changes.
    pub(super) fn start(
        store: SqliteStore,
        data: PathBuf,
        backups: Backups,
        stopping: watch::Receiver<()>,
    ) -> Result<Self, Failure> {
        let failed = |error| Failure::because("cannot start the backups", &error);
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let rounds = Rounds { store, data, backups, stopping };
        let thread = thread::Builder::new()
            .name("backups".to_owned())
            .spawn(move || rounds.run(&runtime))
            .map_err(failed)?;
        Ok(Self(Some(thread)))
    }
}

impl Drop for Scheduled {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // A panic was logged where it happened.
            let _ = thread.join();
        }
    }
}

struct Rounds {
    store: SqliteStore,
    data: PathBuf,
    backups: Backups,
    stopping: watch::Receiver<()>,
}

impl Rounds {
    fn run(mut self, runtime: &Runtime) {
        loop {
            // After a panic the hook has logged where.
            let round = catch_unwind(AssertUnwindSafe(|| self.next()));
            let pause = round.unwrap_or(AFTER_FAILURE);
            let is_over = runtime.block_on(async {
                tokio::select! {
                    _ = self.stopping.changed() => true,
                    () = sleep(pause) => false,
                }
            });
            if is_over {
                return;
            }
        }
    }

    /// Makes a backup if one is due, and tells when to look again.
    fn next(&self) -> Duration {
        let now = SystemClock.now();
        let last = self.backups.shelf.newest();
        if let Ok(Some(last)) = last
            && !is_due(last, self.backups.every, now)
        {
            return LOOK_EVERY;
        }
        match self.make(now) {
            Ok(()) => LOOK_EVERY,
            Err(_) if self.stops() => LOOK_EVERY,
            Err(failure) => {
                let age = last.ok().flatten().map(|last| hours(last, now));
                let reason = failure.sentence.unwrap_or_default();
                tracing::error!(reason, last_good_hours = age, "a backup failed");
                AFTER_FAILURE.min(self.backups.every)
            }
        }
    }

    fn make(&self, at: Timestamp) -> Result<(), Failure> {
        let Backups { shelf, keep, recipients, .. } = &self.backups;
        folder::make(shelf.folder())?;
        if let Err(error) = shelf.clear() {
            tracing::error!(error = %error, "left-overs of backups cannot be removed");
        }
        let to = shelf.place(at, !recipients.is_empty());
        let pace = Pace { bar: &ProgressBar::hidden(), stops: &|| self.stops() };
        let (store, data) = (&self.store, &self.data);
        let made = backup::make(store, data, &to, recipients, AuditActor::Service, pace)?;
        let (bytes, documents) = (made.bytes, made.manifest.documents);
        tracing::info!(file = %to.display(), bytes, documents, "backup made");
        for document in made.manifest.absent(false) {
            tracing::error!(document = %document.id, "a document has no file, and is in no backup");
        }
        match shelf.thin_out(keep.get()) {
            Ok(_) => {}
            Err(error) => {
                tracing::error!(error = %error, "old backups cannot be removed");
            }
        }
        Ok(())
    }

    /// Whether the service is about to end; also when nobody can tell any more.
    fn stops(&self) -> bool {
        self.stopping.has_changed().unwrap_or(true)
    }
}

/// Whether the last backup is so long ago, give or take a tenth.
fn is_due(last: Timestamp, every: Duration, now: Timestamp) -> bool {
    let passed = u64::try_from(now.unix_millis() - last.unix_millis());
    // One of the future was made before the clock was set back.
    passed.map_or(true, |passed| Duration::from_millis(passed) >= jittered(every, last))
}

fn hours(last: Timestamp, now: Timestamp) -> i64 {
    (now.unix_millis() - last.unix_millis()) / (60 * 60 * 1_000)
}

/// How often it is looked whether a backup is due.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// How long a failure is left alone at most.
const AFTER_FAILURE: Duration = Duration::from_secs(60 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d112_t37_a_backup_is_due_in_time_and_a_clock_set_back_delays_none() {
        let at =
            |minutes: i64| Timestamp::from_unix_millis((30_000_000 + minutes) * 60_000).unwrap();
        let day = Duration::from_secs(24 * 60 * 60);
        let due = (0..3_000).find(|minutes| is_due(at(0), day, at(*minutes))).unwrap();
        assert!((24 * 54..=24 * 66).contains(&due), "{due}");
        assert!(is_due(at(100), day, at(0)));
    }
}
