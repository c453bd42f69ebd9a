//! The thread that erases what is over (D106, D107).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kyc_core::service::{Error, Keeper, Run};

use crate::config::Globals;
use crate::exit::{Failure, chain};

/// The running deletion job. When it is dropped, it waits for the end of the run at hand.
#[derive(Debug)]
pub(super) struct Deletion {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Deletion {
    pub(super) fn start(keeper: Keeper, globals: &Globals) -> Result<Self, Failure> {
        let (stop, stopped) = sync_channel::<()>(0);
        let mut rounds = Rounds { keeper, status: globals.command("retention status"), next: None };
        let thread = thread::Builder::new()
            .name("retention".to_owned())
            .spawn(move || run(&mut rounds, &stopped))
            .map_err(|error| Failure::because("cannot start the deletion job", &error))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Deletion {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic was logged where it happened.
            let _ = thread.join();
        }
    }
}

fn run(rounds: &mut Rounds, stopped: &Receiver<()>) {
    // What a crash interrupted is finished at once; runs wait until the service is up.
    let mut pause = Duration::ZERO;
    // Nobody ever sends: the channel ends with the handle.
    while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        // The hook has logged where it panicked.
        if let Ok(Err(error)) = catch_unwind(AssertUnwindSafe(|| rounds.next())) {
            tracing::error!(error = chain(&error), "erasing failed, it will be tried again");
        }
        pause = LOOK_EVERY;
    }
}

struct Rounds {
    keeper: Keeper,
    /// What an operator is to look at in doubt.
    status: String,
    /// When the next run is due: by the clock that nobody sets.
    next: Option<Instant>,
}

impl Rounds {
    fn next(&mut self) -> Result<(), Error> {
        self.keeper.finish()?;
        let of_sandboxes = self.keeper.run_sandboxes()?;
        if of_sandboxes > 0 {
            tracing::info!(submissions = of_sandboxes, "erased in sandboxes");
        }
        let now = Instant::now();
        let next = *self.next.get_or_insert(now + AFTER_START);
        if now < next {
            return Ok(());
        }
        self.next = Some(now + EVERY);
        match self.keeper.run(None) {
            Ok(run) => {
                self.log(&run);
                Ok(())
            }
            // Somebody runs it by hand.
            Err(Error::Stale) => Ok(()),
            Err(error) => {
                self.next = Some(now + AFTER_FAILURE);
                Err(error)
            }
        }
    }

    /// A run that erases nothing for a doubt is an alarm each time.
    fn log(&self, run: &Run) {
        let Run { due, erased, uploads, of_sandboxes: _, doubt } = *run;
        match doubt {
            Some(doubt) => tracing::error!(
                reason = %doubt,
                due,
                next = self.status,
                "nothing is erased until somebody confirms it"
            ),
            None if erased + uploads > 0 => {
                let left = due.saturating_sub(erased);
                tracing::info!(submissions = erased, uploads, left, "erased what was over");
            }
            None => tracing::debug!("nothing was to be erased"),
        }
    }
}

const LOOK_EVERY: Duration = Duration::from_secs(60);
const AFTER_START: Duration = Duration::from_secs(60);
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
const AFTER_FAILURE: Duration = Duration::from_secs(60 * 60);
