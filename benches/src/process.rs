//! Servers as processes of their own, so that memory and time are theirs alone.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

use crate::Failure;
use crate::client::Target;
use crate::kinds::Kind;

/// A server in a process of its own, which ends with this value.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it listens.
    pub target: Target,
    /// From the start of the process until its port answered.
    pub started_in: Duration,
}

impl Server {
    /// Starts the program `kyc` that was built beside this one.
    ///
    /// # Errors
    ///
    /// When it is missing or does not come up.
    pub async fn kyc(data: &Path) -> Result<Self, Failure> {
        let program = beside_this("kyc")?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        // One client does the work of many here: its requests are counted, and never too many.
        for class in ["uploads", "submissions", "reads", "lists", "reviews"] {
            command.args([format!("--{class}-per-minute"), u32::MAX.to_string()]);
        }
        command.args(["--uploads-per-day", "0", "--submissions-per-day", "0"]);
        Self::start(command).await
    }

    /// Starts this program again as the bare server of `bare` (see there).
    ///
    /// # Errors
    ///
    /// When it does not come up.
    pub async fn bare(answer_bytes: usize) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["bare", "--answer-bytes", &answer_bytes.to_string()]);
        Self::start(command).await
    }

    /// Starts this program again as the service over a store of one kind (see `kinds`).
    ///
    /// # Errors
    ///
    /// When it does not come up.
    pub async fn kind(kind: Kind, data: &Path) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["kind", kind.name(), "--data"]).arg(data);
        Self::start(command).await
    }

    async fn start(mut command: Command) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let ready_file = folder.path().join("ready.json");
        command.arg("--ready-file").arg(&ready_file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let began = Instant::now();
        let mut child = command.kill_on_drop(true).spawn()?;
        let ready: serde_json::Value = loop {
            if let Some(ready) =
                fs::read(&ready_file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok())
            {
                break ready;
            }
            if let Some(status) = child.try_wait()? {
                return Err(format!("the server ended with {status}").into());
            }
            if began.elapsed() > Duration::from_secs(60) {
                return Err("the server did not come up within a minute".into());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        let started_in = began.elapsed();
        let text = |name: &str| ready.get(name).and_then(|value| value.as_str());
        let address: SocketAddr = text("address").ok_or("no address")?.parse()?;
        let ca_file = PathBuf::from(text("ca_file").ok_or("no ca_file")?);
        let target = Target::new(address, &ca_file)?;
        Ok(Self { child, target, started_in })
    }

    /// Resident memory in KiB.
    ///
    /// # Errors
    ///
    /// When the system does not tell (it does on Linux).
    pub fn resident_kib(&self) -> Result<u64, Failure> {
        self.memory_kib("VmRSS:")
    }

    /// Memory of its own in KiB: without the parts of files that the system maps for it, which come
    /// and go with the files.
    ///
    /// # Errors
    ///
    /// When the system does not tell (it does on Linux).
    pub fn own_kib(&self) -> Result<u64, Failure> {
        self.memory_kib("RssAnon:")
    }

    /// How many descriptors are open.
    ///
    /// # Errors
    ///
    /// When the system does not tell (it does on Linux).
    pub fn descriptors(&self) -> Result<usize, Failure> {
        Ok(fs::read_dir(format!("/proc/{}/fd", self.id()?))?.count())
    }

    fn memory_kib(&self, name: &str) -> Result<u64, Failure> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id()?))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let line = line.ok_or("the system does not tell the memory")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }

    fn id(&self) -> Result<u32, Failure> {
        Ok(self.child.id().ok_or("the server ended")?)
    }

    /// Ends the server and waits until it is gone.
    ///
    /// # Errors
    ///
    /// When it cannot be ended.
    pub async fn stop(mut self) -> Result<(), Failure> {
        Ok(self.child.kill().await?)
    }
}

fn beside_this(name: &str) -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?.with_file_name(name);
    if program.exists() {
        return Ok(program);
    }
    Err(format!("{name} is not built: run `cargo build --release` first").into())
}
