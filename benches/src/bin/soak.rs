//! A long run (G12): the real server at a share of its capacity, and whether memory, descriptors,
//! the log of the database and the answering time stay where they are.
//!
//! ```text
//! cargo build --release && cargo run --release -p benches --bin soak -- --seconds 300
//! ```
//!
//! Ends with 1 when a figure is out of its bounds. A run of less than an hour whose memory grows is
//! made again, up to twice. Where other programs run (`--beside-others`), the answering time is theirs
//! as well: it is printed, and not judged.

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use benches::Failure;
use benches::applicants::{self, Documents};
use benches::client::{get, post};
use benches::drive::{Requests, drive};
use benches::process::Server;
use benches::trend::Trend;
use bytes::Bytes;
use clap::Parser;
use kyc_core::{Clock, SystemClock, Timestamp};
use kyc_store_sqlite::{Options, SqliteStore};

/// Runs the server for long at a share of its capacity.
#[derive(Parser)]
struct Arguments {
    /// How long.
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// How long the capacity is measured before.
    #[arg(long, default_value_t = 10)]
    capacity_seconds: u64,
    /// How much of the capacity is asked for, in percent.
    #[arg(long, default_value_t = 70)]
    percent: u32,
    /// How many keep-alive connections ask.
    #[arg(long, default_value_t = 32)]
    connections: u32,
    /// Other programs run as well: answering times are printed, and not judged.
    #[arg(long)]
    beside_others: bool,
}

#[tokio::main]
async fn main() -> Result<ExitCode, Failure> {
    let arguments = Arguments::parse();
    let folder = tempfile::tempdir()?;
    let requests = prepare(folder.path())?;
    let server = Server::kyc(folder.path()).await?;
    let time = Duration::from_secs(arguments.capacity_seconds);
    let connections = usize::try_from(arguments.connections)?;
    let capacity = drive(&server.target, connections, time, Arc::clone(&requests)).await?;
    let rate = capacity.per_second() * f64::from(arguments.percent) / 100.0;
    say(&format!("capacity {:.0}/s; asked for are {rate:.0}/s", capacity.per_second()))?;

    let soak = Soak { server, rate, arguments, requests };
    let mut figures = soak.run(folder.path()).await?;
    // An allocator takes memory in steps, and one may fall into a short run. A leak is in each.
    let runs_max = if soak.arguments.seconds < 3_600 { 3 } else { 1 };
    for _ in 1..runs_max {
        if figures.memory_stays(&soak.arguments) {
            break;
        }
        say(&format!("own memory grew, {}; once more", figures.memory()))?;
        figures = soak.run(folder.path()).await?;
    }
    soak.server.stop().await?;
    Ok(if figures.verdict(&soak.arguments)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Stores some applicants, and says what is asked: six reads, three forms and an upload of ten.
fn prepare(data: &Path) -> Result<Requests, Failure> {
    const STORED: u64 = 10_000;
    let store = SqliteStore::open(data, Options::default())?;
    let now = SystemClock.now();
    let client = store.add_client(&"soak".parse()?, now)?;
    let documents = Documents::store(&store, &client, now)?;
    let start = Timestamp::from_unix_millis(1_700_000_000_000).ok_or("no time")?;
    applicants::fill(&store, &client, &documents, 0..STORED, start)?;
    let key = store.create_key(client.id, now)?.as_str().to_owned();
    let upload = Bytes::from(multipart());
    // Not started again with each drive, so that no applicant comes twice.
    let next = AtomicU64::new(STORED);
    Ok(Arc::new(move |number| match number % 10 {
        0..6 => {
            let applicant = number.wrapping_mul(7_919) % STORED;
            get(&format!("/v2/submissions/{}", applicants::email(applicant)), &key)
        }
        6..9 => {
            let body = form(next.fetch_add(1, Ordering::Relaxed), &documents);
            post("/v2/submissions", &key, "application/x-www-form-urlencoded", body.into())
        }
        _ => {
            let form = "multipart/form-data; boundary=b0undary";
            post("/v2/submissions/upload", &key, form, upload.clone())
        }
    }))
}

/// A form as a client sends it, of somebody whom nobody resembles.
fn form(number: u64, documents: &Documents) -> String {
    let digits = number.to_string().into_bytes();
    let letters: String = digits.iter().map(|digit| char::from(digit - b'0' + b'a')).collect();
    format!(
        "email={}&first_name=Mira&last_name=Kole{letters}&nationality=Albania, ALB\
         &date_of_birth=1990-05-17&gender=female&id_type=passport&kyc_level=L1\
         &photoid_res={}&selfie_res={}",
        applicants::email(number),
        documents.photo_id.to_text(),
        documents.selfie.to_text(),
    )
}

/// A document of 32 KiB.
fn multipart() -> Vec<u8> {
    let mut body =
        b"--b0undary\r\ncontent-disposition: form-data; name=\"type\"\r\n\r\npassport\r\n\
        --b0undary\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n"
            .to_vec();
    body.extend_from_slice(b"%PDF-1.7\n");
    body.resize(body.len() + (32 << 10), b'x');
    body.extend_from_slice(b"\r\n--b0undary--\r\n");
    body
}

struct Soak {
    server: Server,
    rate: f64,
    arguments: Arguments,
    requests: Requests,
}

/// What was seen, from the end of the warm-up on.
#[derive(Default)]
struct Figures {
    own_kib: Trend,
    descriptors: Trend,
    log_mib: Trend,
    p99_millis: Trend,
}

impl Soak {
    async fn run(&self, data: &Path) -> Result<Figures, Failure> {
        let began = Instant::now();
        let end = began + Duration::from_secs(self.arguments.seconds);
        let answered = Arc::new(Mutex::new(Vec::new()));
        let workers: Vec<_> = (0..self.arguments.connections)
            .map(|place| tokio::spawn(self.ask(place, began, end, Arc::clone(&answered))))
            .collect();
        let figures = self.watch(data, began, end, &answered).await?;
        for worker in workers {
            worker.await??;
        }
        Ok(figures)
    }

    /// Asks in turn with the other connections, each time when it is due.
    fn ask(
        &self,
        place: u32,
        began: Instant,
        end: Instant,
        answered: Arc<Mutex<Vec<u32>>>,
    ) -> impl Future<Output = Result<(), Failure>> + use<> {
        let (target, requests) = (self.server.target.clone(), Arc::clone(&self.requests));
        let (connections, rate) = (self.arguments.connections, self.rate);
        async move {
            let mut connection = target.connect().await?;
            for round in 0_u32.. {
                let number = u64::from(round) * u64::from(connections) + u64::from(place);
                let turn = f64::from(round) * f64::from(connections) + f64::from(place);
                let due = began + Duration::from_secs_f64(turn / rate);
                if due >= end {
                    break;
                }
                tokio::time::sleep_until(due.into()).await;
                let asked = Instant::now();
                let (status, body) = connection.ask(requests(number)?).await?;
                if !status.is_success() {
                    let body = String::from_utf8_lossy(&body).into_owned();
                    return Err(format!("status {status}: {body}").into());
                }
                let micros = u32::try_from(asked.elapsed().as_micros())?;
                answered.lock().map_err(|_| "a connection panicked")?.push(micros);
            }
            Ok(())
        }
    }

    async fn watch(
        &self,
        data: &Path,
        began: Instant,
        end: Instant,
        answered: &Mutex<Vec<u32>>,
    ) -> Result<Figures, Failure> {
        let whole = end.duration_since(began);
        let pause = (whole / 100).max(Duration::from_millis(500));
        let mut figures = Figures::default();
        loop {
            tokio::time::sleep(pause).await;
            let at = began.elapsed();
            if at >= whole {
                return Ok(figures);
            }
            let mut micros =
                std::mem::take(&mut *answered.lock().map_err(|_| "a connection panicked")?);
            micros.sort_unstable();
            let p99 = micros.get(micros.len() * 99 / 100).copied().unwrap_or(0);
            if at < whole / 4 {
                continue;
            }
            let log = fs::metadata(data.join("kyc.sqlite-wal")).map_or(0, |log| log.len());
            let own_kib = f64::from(u32::try_from(self.server.own_kib()?)?);
            // Ten times in all: a run of hours says how it goes.
            let tenth = |at: Duration| (at.as_secs_f64() * 10.0 / whole.as_secs_f64()).floor();
            if tenth(at) > tenth(at.saturating_sub(pause)) {
                say(&format!("after {} s: own memory {:.1} MiB", at.as_secs(), own_kib / 1_024.0))?;
            }
            figures.own_kib.note(at, own_kib);
            figures.descriptors.note(at, f64::from(u32::try_from(self.server.descriptors()?)?));
            figures.log_mib.note(at, f64::from(u32::try_from(log >> 10)?) / 1_024.0);
            figures.p99_millis.note(at, f64::from(p99) / 1_000.0);
        }
    }
}

impl Figures {
    /// Whether the server's own memory grows by less than a MiB in an hour.
    ///
    /// In less than an hour it may grow by as much as in one; what a short run cannot tell apart from
    /// nothing is nothing.
    fn memory_stays(&self, arguments: &Arguments) -> bool {
        let kib_per_hour = self.own_kib.per_hour() - 2.0 * self.own_kib.doubt_per_hour();
        let hours = Duration::from_secs(arguments.seconds).as_secs_f64() / 3_600.0;
        kib_per_hour * hours.min(1.0) < 1_024.0
    }

    fn memory(&self) -> String {
        let mib = |kib: f64| kib / 1_024.0;
        format!(
            "{:.1} MiB early, {:.1} late, {:+.2} MiB/h (± {:.2})",
            mib(self.own_kib.early()),
            mib(self.own_kib.late()),
            mib(self.own_kib.per_hour()),
            mib(self.own_kib.doubt_per_hour()),
        )
    }

    /// Prints each figure with its bound, and says whether all keep to theirs.
    fn verdict(&self, arguments: &Arguments) -> Result<bool, Failure> {
        let (early, late) = (self.p99_millis.early(), self.p99_millis.late());
        let descriptors = (self.descriptors.early(), self.descriptors.late());
        let log = self.log_mib.largest();
        let verdicts = [
            (
                Some(self.memory_stays(arguments)),
                format!("own memory: {}, bound 1 in an hour or less", self.memory()),
            ),
            (
                Some(descriptors.1 <= descriptors.0 + UNDER_WAY),
                format!(
                    "descriptors: {} early, {} late, bound + {UNDER_WAY}",
                    descriptors.0, descriptors.1
                ),
            ),
            (
                (!arguments.beside_others).then_some(late < early * 1.2),
                format!("p99: {early:.2} ms early, {late:.2} ms late, bound + 20 %"),
            ),
            (Some(log <= 64.0), format!("log of the database: {log:.1} MiB at most, bound 64")),
        ];
        for (is_kept, text) in &verdicts {
            let verdict = match is_kept {
                Some(true) => "kept      ",
                Some(false) => "BROKEN    ",
                None => "not judged",
            };
            say(&format!("{verdict} {text}"))?;
        }
        Ok(verdicts.iter().all(|(is_kept, _)| *is_kept != Some(false)))
    }
}

/// So many more files may be open at one moment than at another: those of uploads, and of connections
/// to the database that a burst has opened.
const UNDER_WAY: f64 = 4.0;

fn say(line: &str) -> Result<(), Failure> {
    Ok(writeln!(stdout(), "{line}")?)
}
