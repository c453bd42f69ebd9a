//! What the operating system asks of a running service.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Failure;

/// The signals that a service hears.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    /// Listens from now on.
    pub(super) fn listen() -> Result<Self, Failure> {
        let listen = |kind| {
            signal(kind).map_err(|error| Failure::because("cannot listen to signals", &error))
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal to stop, and calls `reload` at each SIGHUP until then.
    pub(super) async fn until_stop(&mut self, reload: impl Fn()) {
        loop {
            tokio::select! {
                _ = self.hang_up.recv() => reload(),
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
            }
        }
    }
}
