//! The log: one line per event to standard error, with nothing personal in it (T23).
//!
//! Only events of this crate are written, at every level: what other crates trace may hold paths
//! and bodies. Writers never wait; lines are queued for a thread of their own, and counted as lost
//! when nobody takes them.

use std::io::{self, IsTerminal, Write};
use std::iter;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use kyc_core::{Clock, SystemClock};
use kyc_http::server::Exchange;
use serde::Deserialize;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;

use crate::exit::Failure;

/// What is logged, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LogSettings {
    pub(crate) level: LevelFilter,
    pub(crate) format: LogFormat,
}

/// The form of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// For people on a terminal, for programs elsewhere
    #[default]
    Auto,
    /// For people
    Human,
    /// For programs
    Json,
}

/// The running log. When it is dropped, everything logged before has been written.
#[derive(Debug)]
pub(super) struct Log {
    queue: Queue,
    /// Whether lines about requests can be written past the formatter.
    writes_requests: bool,
}

impl Log {
    /// Starts logging for the whole process.
    pub(super) fn start(settings: LogSettings) -> Result<Self, Failure> {
        let (sender, lines) = sync_channel(LINES_MAX);
        let queue = Queue { sender, lost: Arc::default() };
        let lost = Arc::clone(&queue.lost);
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&lines, &lost))
            .map_err(|error| Failure::because("cannot start the log", &error))?;

        let is_terminal = io::stderr().is_terminal();
        let is_human = match settings.format {
            LogFormat::Auto => is_terminal,
            LogFormat::Human => true,
            LogFormat::Json => false,
        };
        let layer = fmt::layer().with_timer(OwnClock).with_target(false).with_writer(queue.clone());
        let ours = Targets::new().with_target(env!("CARGO_CRATE_NAME"), settings.level);
        let layer = if is_human {
            let has_colours = is_terminal && std::env::var_os("NO_COLOR").is_none();
            layer.with_ansi(has_colours).with_filter(ours).boxed()
        } else {
            layer.json().flatten_event(true).with_filter(ours).boxed()
        };
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer))
            .map_err(|error| Failure::because("cannot start the log", &error))?;
        // As everywhere in the program: where, and no message, which may hold values.
        panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            tracing::error!(place, "the program panicked");
        }));
        let writes_requests = !is_human && settings.level >= LevelFilter::INFO;
        Ok(Self { queue, writes_requests })
    }

    /// Where lines about requests go.
    pub(super) fn requests(&self) -> RequestLog {
        RequestLog(self.writes_requests.then(|| self.queue.clone()))
    }

    /// Waits until everything logged before has been written, but not for ever.
    pub(super) fn flush(&self) {
        let (done, is_done) = sync_channel(1);
        if self.queue.sender.try_send(Entry::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(FLUSH_PATIENCE);
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Writes one line per request: in JSON past the formatter, which costs a tenth of a status read.
#[derive(Debug)]
pub(super) struct RequestLog(Option<Queue>);

impl RequestLog {
    pub(super) fn log(&self, exchange: &Exchange) {
        let route = exchange.route.unwrap_or("-");
        let status = exchange.status.as_u16();
        let ms = millis(exchange.duration);
        let Exchange { body_bytes_received: bytes_in, body_bytes_sent: bytes_out, .. } = exchange;
        let Some(queue) = &self.0 else {
            tracing::info!(route, status, ms, bytes_in, bytes_out, "request");
            return;
        };
        // The same members as the formatter's; no route has a character that JSON escapes.
        queue.take(
            format!(
                "{{\"timestamp\":\"{}\",\"level\":\"INFO\",\"message\":\"request\",\
                 \"route\":\"{route}\",\"status\":{status},\"ms\":{ms},\
                 \"bytes_in\":{bytes_in},\"bytes_out\":{bytes_out}}}\n",
                SystemClock.now()
            )
            .into_bytes(),
        );
    }
}

/// Milliseconds with three decimals.
fn millis(duration: Duration) -> f64 {
    f64::from(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)) / 1_000.0
}

enum Entry {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

/// Lines on their way to standard error.
#[derive(Debug, Clone)]
struct Queue {
    sender: SyncSender<Entry>,
    lost: Arc<AtomicU64>,
}

impl Queue {
    /// Takes a line, or counts it as lost: nobody waits for the log.
    fn take(&self, line: Vec<u8>) {
        if self.sender.try_send(Entry::Line(line)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<'a> MakeWriter<'a> for Queue {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> &'a Self {
        self
    }
}

impl Write for &Queue {
    /// Takes a whole line: the formatter writes each event at once.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.take(line.to_vec());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_all(entries: &Receiver<Entry>, lost: &AtomicU64) {
    let mut lines = Vec::new();
    while let Ok(first) = entries.recv() {
        let mut flushed = Vec::new();
        for entry in iter::once(first).chain(entries.try_iter()) {
            match entry {
                Entry::Line(line) => lines.extend(line),
                Entry::Flush(done) => flushed.push(done),
            }
            if lines.len() > BATCH_BYTES {
                break;
            }
        }
        // When nobody takes the log, the service goes on without.
        let _ = io::stderr().lock().write_all(&lines);
        lines.clear();
        for done in flushed {
            let _ = done.send(());
        }
        let count = lost.swap(0, Ordering::Relaxed);
        if count > 0 {
            tracing::warn!(count, "lines of the log were lost");
        }
        thread::sleep(GATHERING);
    }
}

/// Times as everywhere else in the service.
struct OwnClock;

impl FormatTime for OwnClock {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{}", SystemClock.now())
    }
}

/// Lines that may wait: some seconds of a busy server.
const LINES_MAX: usize = 16_384;
/// More than a busy server logs in [`GATHERING`].
const BATCH_BYTES: usize = 1024 * 1024;
/// How long lines may wait for others, so that a busy server wakes the log's thread a hundred times
/// in a second and not for each line: waking it costs more than a status read.
const GATHERING: Duration = Duration::from_millis(10);
/// How long the end of the process waits for a reader that does not take the last lines.
const FLUSH_PATIENCE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// The child that panics is this test in a process of its own.
    #[test]
    fn t23_the_log_says_where_the_program_panicked_and_not_why() {
        const CHILD: &str = "KYC_LOG_PANICS";
        const NAME: &str =
            "serve::log::tests::t23_the_log_says_where_the_program_panicked_and_not_why";
        if std::env::var_os(CHILD).is_some() {
            let settings = LogSettings { level: LevelFilter::TRACE, format: LogFormat::Json };
            let log = Log::start(settings).unwrap();
            assert!(thread::spawn(|| panic!("Zqxcanaryvk")).join().is_err());
            return drop(log);
        }
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", NAME, "--nocapture"]).env(CHILD, "").output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(said.contains("the program panicked") && said.contains("log.rs:"), "{said}");
        assert!(!said.contains("Zqxcanaryvk"), "{said}");
    }
}
