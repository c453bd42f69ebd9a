//! How the store uses the machine.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use kyc_vault::Source;

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
    /// How far the write-ahead log grows before it is written back, in bytes. Meanwhile it grows on, up
    /// to three times as far where the disk cannot keep up. Larger is faster to write and slower to
    /// open after a crash.
    pub log_bytes: u64,
    /// What each client may use at most.
    pub quotas: Quotas,
    /// Hears of faults that no caller can be told of; see [`with_report`](Self::with_report).
    pub report: Report,
    /// Where the master key comes from that seals everything personal; see
    /// [`with_vault`](Self::with_vault). `None` leaves it in clear: encrypt the disk then.
    pub vault: Option<Source>,
    #[cfg(feature = "measure")]
    #[doc(hidden)]
    pub is_audit_left_out: bool,
}

/// What hears of faults that no caller can be told of.
pub type Report = Arc<dyn Fn(&(dyn Error + 'static)) + Send + Sync>;

/// Tells of a fault. A report that panics does not end the work that it reports on.
pub(crate) fn tell(report: &Report, fault: &(dyn Error + 'static)) {
    let _ = catch_unwind(AssertUnwindSafe(|| report(fault)));
}

impl Options {
    /// Tells `report` about every fault of the sweep of left-over files and of the writing back of the
    /// log. Both are tried again; no data are lost.
    #[must_use]
    pub fn with_report(
        mut self,
        report: impl Fn(&(dyn Error + 'static)) + Send + Sync + 'static,
    ) -> Self {
        self.report = Arc::new(report);
        self
    }

    /// Seals records and documents under the master key of `source`. A store that is in clear is
    /// sealed in the background. There is no way back: a sealed store opens with its key alone.
    ///
    /// ```
    /// use kyc_store_sqlite::{OpenError, Options, SqliteStore};
    /// use kyc_vault::Source;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let data = folder.path().join("data");
    /// let source = Source::file(folder.path().join("master.key"));
    /// drop(SqliteStore::open(&data, Options::default().with_vault(source))?);
    ///
    /// let without = SqliteStore::open(&data, Options::default());
    /// assert!(matches!(without, Err(OpenError::Sealed)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_vault(mut self, source: Source) -> Self {
        self.vault = Some(source);
        self
    }

    /// Records nothing, to measure what recording costs.
    #[cfg(feature = "measure")]
    #[doc(hidden)]
    #[must_use]
    pub fn without_audit(mut self) -> Self {
        self.is_audit_left_out = true;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            readers: cores.max(4),
            busy_timeout: Duration::from_secs(5),
            // It grows meanwhile, and shall stay below 64 MiB (G12).
            log_bytes: 32 << 20,
            quotas: Quotas::default(),
            report: Arc::new(|_| ()),
            vault: None,
            #[cfg(feature = "measure")]
            is_audit_left_out: false,
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
            .field("vault", &self.vault)
            .finish_non_exhaustive()
    }
}
