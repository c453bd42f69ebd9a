//! The load comparison: the real server against bare hyper and bare SQLite, in one run.
//!
//! ```text
//! cargo build --release && cargo run --release -p benches --bin load -- --submissions 1000000
//! ```

use std::fs;
use std::io::{Write, stdout};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use benches::applicants::{self, Documents, wire_name};
use benches::client::{get, post};
use benches::drive::{Outcome, Requests, drive};
use benches::kinds::{self, Kind};
use benches::process::Server;
use benches::{Failure, bare, sqlite_bound};
use bytes::Bytes;
use clap::{Parser, Subcommand};
use kyc_core::{Client, Clock, SystemClock, Timestamp};
use kyc_store_sqlite::{Options, SqliteStore};

/// Compares the real server with bare hyper and bare SQLite, in one run.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    role: Option<Role>,
    /// Where the databases are made; kept and used again. Default: a folder that is removed.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// How many submissions are there before anything is measured.
    #[arg(long, default_value_t = 1_000_000)]
    submissions: u64,
    /// How long each figure is measured.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// How many keep-alive connections ask at once.
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Measure only what has this in its name.
    #[arg(long, default_value = "")]
    only: String,
}

#[derive(Subcommand)]
enum Role {
    /// Be the bare server (started by this program itself).
    Bare {
        #[arg(long)]
        answer_bytes: usize,
        #[arg(long)]
        ready_file: PathBuf,
    },
    /// Be the service over a store of one kind (started by this program itself).
    Kind {
        kind: Kind,
        #[arg(long)]
        data: PathBuf,
        #[arg(long)]
        ready_file: PathBuf,
    },
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    match arguments.role {
        None => {}
        Some(Role::Bare { answer_bytes, ready_file }) => {
            return be_bare(answer_bytes, &ready_file).await;
        }
        Some(Role::Kind { kind, data, ready_file }) => {
            let ready = |address, ca_file: PathBuf| tell_ready(&ready_file, address, &ca_file);
            return kinds::serve(kind, &data, ready).await;
        }
    }
    let made = tempfile::tempdir()?;
    let folder = arguments.folder.clone().unwrap_or_else(|| made.path().to_owned());
    let few = Site::prepare(&folder.join("few"), 1_000)?;
    let many = Site::prepare(&folder.join("many"), arguments.submissions)?;
    let bench = Bench { arguments, many, few };
    bench.run(&folder).await
}

async fn be_bare(answer_bytes: usize, ready_file: &Path) -> Result<(), Failure> {
    let (config, pem) = bare::certificate()?;
    let ca_file = ready_file.with_extension("pem");
    fs::write(&ca_file, pem)?;
    bare::serve(config, answer_bytes, |address| tell_ready(ready_file, address, &ca_file)).await
}

fn tell_ready(ready_file: &Path, address: SocketAddr, ca_file: &Path) -> Result<(), Failure> {
    let ready = serde_json::json!({ "address": address.to_string(), "ca_file": ca_file });
    let temporary = ready_file.with_extension("part");
    fs::write(&temporary, ready.to_string())?;
    Ok(fs::rename(&temporary, ready_file)?)
}

/// A data folder with submissions, and what is needed to ask for them.
struct Site {
    data: PathBuf,
    count: u64,
    key: String,
    documents: Documents,
}

impl Site {
    fn prepare(data: &Path, count: u64) -> Result<Self, Failure> {
        Self::fill(&SqliteStore::open(data, Options::default())?, data, count)
    }

    fn fill(store: &SqliteStore, data: &Path, count: u64) -> Result<Self, Failure> {
        let name = "load".parse()?;
        let now = SystemClock.now();
        let client: Arc<Client> = match store.client_named(&name)? {
            Some(client) => client,
            None => store.add_client(&name, now)?,
        };
        let documents = Documents::store(store, &client, now)?;
        let mark = data.join("filled");
        let filled: u64 = fs::read_to_string(&mark).ok().map_or(Ok(0), |text| text.parse())?;
        if filled < count {
            say(&format!("filling {} with {count} submissions", data.display()))?;
            let start = Timestamp::from_unix_millis(1_700_000_000_000).ok_or("no time")?;
            applicants::fill(store, &client, &documents, filled..count, start)?;
            fs::write(&mark, count.to_string())?;
        }
        let key = store.create_key(client.id, now)?.as_str().to_owned();
        Ok(Self { data: data.to_owned(), count, key, documents })
    }

    fn status_reads(&self) -> Requests {
        let (key, count) = (self.key.clone(), self.count);
        Arc::new(move |number| {
            // A step that shares no factor with the count visits every applicant.
            let applicant = number.wrapping_mul(7_919) % count;
            get(&format!("/v2/submissions/{}", applicants::email(applicant)), &key)
        })
    }

    fn submissions(&self, from: u64) -> Requests {
        let (key, documents) = (self.key.clone(), self.documents);
        Arc::new(move |number| {
            let fields = applicants::fields(from + number, &documents);
            let pairs: Vec<String> = fields
                .iter()
                .filter_map(|(field, value)| Some(format!("{}={value}", wire_name(*field)?)))
                .collect();
            let body = pairs.join("&");
            let form = "application/x-www-form-urlencoded";
            post("/v2/submissions", &key, form, body.into())
        })
    }
}

struct Bench {
    arguments: Arguments,
    many: Site,
    few: Site,
}

impl Bench {
    async fn run(&self, folder: &Path) -> Result<(), Failure> {
        let server = Server::kyc(&self.many.data).await?;
        say(&format!("start to ready with {}: {:?}", self.many.count, server.started_in))?;
        if self.wants("memory") {
            self.memory(&server).await?;
        }
        if self.wants("status") {
            self.status(&server).await?;
        }
        if self.wants("list") {
            self.list(&server).await?;
        }
        if self.wants("submit") {
            self.submit(&server, folder).await?;
        }
        if self.wants("upload") {
            self.upload(&server).await?;
        }
        server.stop().await?;
        if self.wants("promises") {
            self.promises(&folder.join("kinds")).await?;
        }
        Ok(remove_uploads(&self.many.data)?)
    }

    /// What sealing and the audit cost, each against the same service without it, in turns.
    async fn promises(&self, folder: &Path) -> Result<(), Failure> {
        let mut servers = Vec::new();
        for kind in Kind::ALL {
            let data = folder.join(kind.name());
            fs::create_dir_all(folder)?;
            let site = Site::fill(&kind.open(&data)?, &data, KINDS_COUNT)?;
            servers.push((Server::kind(kind, &data).await?, site));
        }
        let mut start = u64::try_from(SystemClock.now().unix_millis())? * 1_000;
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for _ in 0..KINDS_ROUNDS {
            let (mut read, mut written) = (Vec::new(), Vec::new());
            for (server, site) in &servers {
                read.push(self.drive(server, site.status_reads()).await?.per_second());
                start += 100_000_000;
                written.push(self.drive(server, site.submissions(start)).await?.per_second());
            }
            reads.push(read);
            writes.push(written);
        }
        for (server, _) in servers {
            server.stop().await?;
        }
        for (name, rounds) in [("status read", &reads), ("form submission", &writes)] {
            ratio(&format!("{name}, sealed against clear"), median(rounds, 1, 0)?, 1.0)?;
            ratio(&format!("{name}, audited against sealed alone"), median(rounds, 2, 1)?, 1.0)?;
        }
        Ok(())
    }

    fn wants(&self, name: &str) -> bool {
        name.contains(&self.arguments.only)
    }

    async fn drive(&self, server: &Server, requests: Requests) -> Result<Outcome, Failure> {
        let time = Duration::from_secs(self.arguments.seconds);
        drive(&server.target, self.arguments.connections, time, requests).await
    }

    /// Drives a bare server that answers with as many bytes as `like` does to the same request.
    async fn bound(&self, like: &Server, requests: Requests) -> Result<Outcome, Failure> {
        let mut connection = like.target.connect().await?;
        let (_, body) = connection.ask(requests(0)?).await?;
        let bare = Server::bare(body.len()).await?;
        let outcome = self.drive(&bare, requests).await?;
        bare.stop().await?;
        Ok(outcome)
    }

    async fn status(&self, server: &Server) -> Result<(), Failure> {
        let reads = self.many.status_reads();
        let bound = self.bound(server, Arc::clone(&reads)).await?;
        let many = self.drive(server, Arc::clone(&reads)).await?;
        report("status read by e-mail", &many)?;
        report("  bound: bare hyper, same size", &bound)?;
        ratio("status read", many.per_second(), bound.per_second())?;

        let small = Server::kyc(&self.few.data).await?;
        let alone = Duration::from_secs(self.arguments.seconds);
        let few = drive(&small.target, 1, alone, self.few.status_reads()).await?;
        let many = drive(&server.target, 1, alone, reads).await?;
        small.stop().await?;
        let (few, many) = (few.percentile(50), many.percentile(50));
        say(&format!("status p50, one client: {many:?} at {}, {few:?} at 1000", self.many.count))?;
        ratio("status p50, many against few", many.as_secs_f64(), few.as_secs_f64())
    }

    async fn list(&self, server: &Server) -> Result<(), Failure> {
        let key = self.many.key.clone();
        let pages: Requests = Arc::new(move |_| get("/v2/submissions/resultall", &key));
        let bound = self.bound(server, Arc::clone(&pages)).await?;
        let real = self.drive(server, pages).await?;
        report("list page of 1 MiB", &real)?;
        report("  bound: bare hyper, same size", &bound)?;
        ratio("list page", real.per_second(), bound.per_second())
    }

    async fn submit(&self, server: &Server, folder: &Path) -> Result<(), Failure> {
        let time = Duration::from_secs(self.arguments.seconds);
        let copy = folder.join("bound.sqlite");
        drop(fs::remove_file(&copy));
        let database = self.many.data.join("kyc.sqlite");
        let bound = sqlite_bound::inserts_per_second(&database, &copy, time)?;
        for suffix in ["", "-wal", "-shm"] {
            drop(fs::remove_file(folder.join(format!("bound.sqlite{suffix}"))));
        }
        // Numbers that no run before has used, so that no applicant is a duplicate of many.
        let start = u64::try_from(SystemClock.now().unix_millis())? * 1_000;
        let real = self.drive(server, self.many.submissions(start)).await?;
        report("durable form submission", &real)?;
        say(&format!("  bound: bare SQLite, groups of 64: {bound:.0}/s"))?;
        ratio("form submission", real.per_second(), bound)?;

        let start = start + 100_000_000;
        let alone = drive(&server.target, 1, time, self.many.submissions(start)).await?;
        report("submission, one client alone", &alone)?;

        let start = start + 100_000_000;
        let (writers, readers) = tokio::join!(
            drive(&server.target, 32, time, self.many.submissions(start)),
            drive(&server.target, 32, time, self.many.status_reads()),
        );
        report("32 writers beside 32 readers", &writers?)?;
        report("32 readers beside 32 writers", &readers?)
    }

    async fn upload(&self, server: &Server) -> Result<(), Failure> {
        let (key, body) = (self.many.key.clone(), Bytes::from(multipart(1 << 20)));
        let form = "multipart/form-data; boundary=b0undary";
        let uploads: Requests =
            Arc::new(move |_| post("/v2/submissions/upload", &key, form, body.clone()));
        let bound = self.bound(server, Arc::clone(&uploads)).await?;
        let real = self.drive(server, uploads).await?;
        report("upload of 1 MiB, durable", &real)?;
        report("  bound: bare hyper, received and dropped", &bound)?;
        ratio("upload", real.per_second(), bound.per_second())
    }

    async fn memory(&self, server: &Server) -> Result<(), Failure> {
        const CONNECTIONS: u64 = 1_000;
        let bare = Server::bare(100).await?;
        for (name, server) in [("kyc", server), ("bare hyper", &bare)] {
            let idle = server.resident_kib()?;
            let mut open = Vec::new();
            for _ in 0..CONNECTIONS {
                let mut connection = server.target.connect().await?;
                let read = get("/v2/submissions/nobody@example.org", &self.many.key)?;
                connection.ask(read).await?;
                open.push(connection);
            }
            let each = (server.resident_kib()?.saturating_sub(idle)) * 1_024 / CONNECTIONS;
            say(&format!("idle memory, {name}: {idle} KiB; per idle connection {each} bytes"))?;
        }
        bare.stop().await
    }
}

/// The median over the rounds of one figure against another.
fn median(rounds: &[Vec<f64>], of: usize, against: usize) -> Result<f64, Failure> {
    let ratio = |round: &Vec<f64>| Some(round.get(of)? / round.get(against)?);
    let mut ratios: Vec<f64> = rounds.iter().filter_map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    Ok(*ratios.get(ratios.len() / 2).ok_or("no rounds")?)
}

/// How many submissions the stores of each kind hold before they are measured.
const KINDS_COUNT: u64 = 20_000;
/// Odd, so that there is a median; each round has every kind once.
const KINDS_ROUNDS: usize = 5;

/// Each run uploads gigabytes, which would fill the disk of a folder that is kept.
fn remove_uploads(data: &Path) -> std::io::Result<()> {
    for client in fs::read_dir(data.join("documents"))? {
        fs::remove_dir_all(client?.path())?;
    }
    Ok(())
}

/// A passport image of the given size, as a client uploads it. Only the header of a PNG is read.
fn multipart(bytes: usize) -> Vec<u8> {
    let mut body =
        b"--b0undary\r\ncontent-disposition: form-data; name=\"type\"\r\n\r\npassport\r\n\
        --b0undary\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n"
            .to_vec();
    let start = body.len();
    body.extend_from_slice(b"%PDF-1.7\n");
    body.resize(start + bytes, b'x');
    body.extend_from_slice(b"\r\n--b0undary--\r\n");
    body
}

fn report(name: &str, outcome: &Outcome) -> Result<(), Failure> {
    say(&format!(
        "{name}: {:.0}/s, p50 {:?}, p99 {:?}",
        outcome.per_second(),
        outcome.percentile(50),
        outcome.percentile(99)
    ))
}

fn ratio(name: &str, real: f64, bound: f64) -> Result<(), Failure> {
    say(&format!("=> {name}: ratio {:.2}", real / bound))
}

fn say(line: &str) -> Result<(), Failure> {
    Ok(writeln!(stdout(), "{line}")?)
}
