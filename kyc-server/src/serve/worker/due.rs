//! When something is to be done.

use std::time::{Duration, Instant};

/// When something is to be done next; at once in the beginning.
#[derive(Debug, Default)]
pub(super) struct Due(Option<Instant>);

impl Due {
    pub(super) fn is_now(&self) -> bool {
        self.0.is_none_or(|due| Instant::now() >= due)
    }

    pub(super) fn again_in(&mut self, pause: Duration) {
        self.0 = Some(Instant::now() + pause);
    }
}
