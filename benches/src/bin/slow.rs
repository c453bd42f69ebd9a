//! Slow clients against the program with its own limits (T7, G9).
//!
//! ```text
//! cargo build --release && cargo run --release -p benches --bin slow -- --attackers 1000
//! ```
//!
//! Of each of four kinds that many connect within seconds: silent ones, and over TLS slow heads, slow
//! bodies and slow readers. Somebody else asks all the while. The exit code is 1 where one of the promises
//! does not hold: each connection is cut within its limit and two seconds more, the 99th percentile
//! of the others' waits is less than three times what it is without attackers, and descriptors and
//! memory are back afterwards.

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use benches::Failure;
use benches::applicants::{self, Documents};
use benches::client::{Target, get};
use benches::process::Server;
use clap::Parser;
use kyc_core::{Clock, SystemClock};
use kyc_http::server::Limits;
use kyc_store_sqlite::{Options, SqliteStore};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Attacks the program with slow clients.
#[derive(Parser)]
struct Arguments {
    /// How many of each of the four kinds.
    #[arg(long, default_value_t = 1_000)]
    attackers: u32,
    /// How many times the other client asks without attackers, to compare with.
    #[arg(long, default_value_t = 2_000)]
    quiet: usize,
    /// How many milliseconds after the one before an attacker of each kind comes. With fewer than 5 a
    /// machine of two cores is busy with handshakes, the attackers' and the server's.
    #[arg(long, default_value_t = 5)]
    pace: u64,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Silent,
    SlowHead,
    SlowBody,
    SlowRead,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Silent, Self::SlowHead, Self::SlowBody, Self::SlowRead];

    /// When the program cuts such a connection.
    fn limit(self, limits: &Limits) -> Duration {
        match self {
            Self::Silent => limits.handshake,
            Self::SlowHead => limits.head,
            // Answered after the grace; what still comes is read at the lowest rate.
            Self::SlowBody => limits.body_grace * 2,
            Self::SlowRead => limits.write,
        }
    }

    fn opening(self, key: &str) -> String {
        let head = format!("/v2/submissions HTTP/1.1\r\nHost: localhost\r\nx-api-key: {key}\r\n");
        match self {
            Self::Silent => String::new(),
            Self::SlowHead => format!("GET {head}X-A: "),
            Self::SlowBody => format!("POST {head}Content-Length: 60000\r\n\r\n"),
            Self::SlowRead => {
                format!("GET {head}\r\n").replace("submissions ", "submissions/resultall ")
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<ExitCode, Failure> {
    let arguments = Arguments::parse();
    let folder = tempfile::tempdir()?;
    let key = {
        let store = SqliteStore::open(folder.path(), Options::default())?;
        let now = SystemClock.now();
        let client = store.add_client(&"acme".parse()?, now)?;
        let documents = Documents::store(&store, &client, now)?;
        applicants::fill(&store, &client, &documents, 0..SUBMISSIONS, now)?;
        store.create_key(client.id, SystemClock.now())?.as_str().to_owned()
    };
    let server = Server::kyc(folder.path()).await?;
    let target = server.target.clone();
    let mut report = Report { out: stdout(), is_passed: true };

    let quiet = p99(ask(&target, &key, arguments.quiet, None).await?);
    // Once to warm up: memory that was needed once is kept for the next time.
    attack(&target, &key, &arguments).await?;
    let (descriptors, resident) = (server.descriptors()?, server.resident_kib()?);

    let attacked = attack(&target, &key, &arguments);
    let others = ask(&target, &key, usize::MAX, Some(Limits::default().idle));
    let (cut, waits) = tokio::try_join!(attacked, others)?;
    for (kind, slowest) in cut {
        let limit = kind.limit(&Limits::default());
        let is_cut = slowest <= limit + LATE;
        report
            .line(is_cut, &format!("{kind:?}: cut after {slowest:.1?} at most, limit {limit:?}"))?;
    }
    let loud = p99(waits);
    let is_served = loud < 3 * quiet;
    report
        .line(is_served, &format!("somebody else: p99 {loud:.2?}, {quiet:.2?} when it is quiet"))?;
    sleep(LATE).await;
    let (now, resident_now) = (server.descriptors()?, server.resident_kib()?);
    let is_back = now <= descriptors + KEPT;
    report.line(is_back, &format!("descriptors: {now}, before {descriptors}"))?;
    let is_back = resident_now * 100 <= resident * 105;
    report.line(is_back, &format!("resident: {resident_now} KiB, before {resident} KiB"))?;
    server.stop().await?;
    Ok(if report.is_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Enough for the largest page of a list.
const SUBMISSIONS: u64 = 3_000;
/// So many connections to the database are kept that were needed at once.
const KEPT: usize = 4;
/// Later than this, a deadline was not kept.
const LATE: Duration = Duration::from_secs(2);
/// Nobody is let stay so long: who is still there is not cut at all.
const STAY_MAX: Duration = Duration::from_secs(180);
/// How often each attacker sends a byte.
const DRIP: Duration = Duration::from_millis(500);

struct Report {
    out: std::io::Stdout,
    is_passed: bool,
}

impl Report {
    fn line(&mut self, is_kept: bool, what: &str) -> Result<(), Failure> {
        self.is_passed &= is_kept;
        Ok(writeln!(self.out, "{}  {what}", if is_kept { "kept  " } else { "BROKEN" })?)
    }
}

/// How long each request takes, one after the other.
async fn ask(
    target: &Target,
    key: &str,
    count: usize,
    during: Option<Duration>,
) -> Result<Vec<Duration>, Failure> {
    let mut connection = target.connect().await?;
    let (begin, mut waits) = (Instant::now(), Vec::new());
    while waits.len() < count && during.is_none_or(|during| begin.elapsed() < during) {
        let sent = Instant::now();
        connection.ask(get("/v2/submissions/nobody@example.org", key)?).await?;
        waits.push(sent.elapsed());
        sleep(Duration::from_millis(5)).await;
    }
    Ok(waits)
}

fn p99(mut waits: Vec<Duration>) -> Duration {
    waits.sort();
    waits.get(waits.len() * 99 / 100).copied().unwrap_or_default()
}

/// Sends the crowd, and says for each kind how long the last of them stayed.
async fn attack(
    target: &Target,
    key: &str,
    arguments: &Arguments,
) -> Result<[(Kind, Duration); 4], Failure> {
    let mut crowds = Vec::new();
    for kind in Kind::ALL {
        let mut crowd = JoinSet::new();
        for attacker in 0..arguments.attackers {
            let attack = kind.attack(target.clone(), kind.opening(key));
            let arrival = Duration::from_millis(arguments.pace) * attacker;
            crowd.spawn(async move {
                sleep(arrival).await;
                attack.await
            });
        }
        crowds.push(crowd);
    }
    let mut slowest = Kind::ALL.map(|kind| (kind, Duration::ZERO));
    for (crowd, (_, slowest)) in crowds.iter_mut().zip(&mut slowest) {
        while let Some(stayed) = crowd.join_next().await {
            *slowest = stayed??.max(*slowest);
        }
    }
    Ok(slowest)
}

impl Kind {
    /// Connects, and stays until the server closes the connection. Says how long that took.
    async fn attack(self, target: Target, opening: String) -> Result<Duration, Failure> {
        // A small buffer, so that the system does not take the whole answer for a slow reader.
        let stream = target.connect_in_clear(BUFFER_BYTES).await?;
        if let Self::Silent = self {
            return Ok(self.stay(stream).await);
        }
        let mut stream = target.encrypt(stream).await?;
        stream.write_all(opening.as_bytes()).await?;
        Ok(self.stay(stream).await)
    }

    async fn stay(self, mut stream: impl AsyncRead + AsyncWrite + Unpin) -> Duration {
        let (began, mut answer) = (Instant::now(), [0; 1024]);
        while began.elapsed() < STAY_MAX {
            match self {
                Self::SlowRead => sleep(DRIP).await,
                Self::Silent | Self::SlowHead | Self::SlowBody => {
                    let read = timeout(DRIP, stream.read(&mut answer)).await;
                    if let Ok(Ok(0) | Err(_)) = read {
                        return began.elapsed();
                    }
                }
            }
            let is_silent = matches!(self, Self::Silent);
            if !is_silent
                && (stream.write_all(b"x").await.is_err() || stream.flush().await.is_err())
            {
                return began.elapsed();
            }
        }
        began.elapsed()
    }
}

/// What an attacker lets the system receive for it.
const BUFFER_BYTES: u32 = 4_096;
