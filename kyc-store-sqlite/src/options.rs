//! How the store uses the machine.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crate::Quotas;

/// How the store uses the machine. The defaults suit a server with its own disk.
///
/// ```
/// use kyc_store_sqlite::Options;
///
/// let options = Options::default().with_report(|fault| eprintln!("{fault}"));
/// assert!(options.readers > 0);
/// ```
#[derive(Clone)]
pub struct Options {
    /// How many read connections are kept when they are idle. More are opened when more reads run
    /// at once, and closed afterwards.
    pub readers: usize,
    /// How long a write waits for another process that writes, such as an administration command.
    pub busy_timeout: Duration,
    /// How far the write-ahead log grows before it is written back, in bytes. Larger is faster to
    /// write and slower to open after a crash.
    pub log_bytes: u64,
    /// What each client may use at most.
    pub quotas: Quotas,
    /// Hears of faults that no caller can be told of; see [`with_report`](Self::with_report).
    pub report: Report,
}

/// What hears of faults that no caller can be told of.
pub type Report = Arc<dyn Fn(&(dyn Error + 'static)) + Send + Sync>;

/// Tells of a fault. A report that panics does not end the work that it reports on.
pub(crate) fn tell(report: &Report, fault: &(dyn Error + 'static)) {
    let _ = catch_unwind(AssertUnwindSafe(|| report(fault)));
}

impl Options {
    /// Tells `report` about every fault of the background work: the sweep of left-over files and
    /// the writing back of the log. Both are tried again; no data are lost.
    #[must_use]
    pub fn with_report(
        mut self,
        report: impl Fn(&(dyn Error + 'static)) + Send + Sync + 'static,
    ) -> Self {
        self.report = Arc::new(report);
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            readers: cores.max(4),
            busy_timeout: Duration::from_secs(5),
            log_bytes: 64 << 20,
            quotas: Quotas::default(),
            report: Arc::new(|_| ()),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("readers", &self.readers)
            .field("busy_timeout", &self.busy_timeout)
            .field("log_bytes", &self.log_bytes)
            .field("quotas", &self.quotas)
            .finish_non_exhaustive()
    }
}
