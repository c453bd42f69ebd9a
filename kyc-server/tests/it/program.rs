//! The program as a process.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::client::Client;

/// Long enough for anything on a busy machine, short enough for a test that fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A folder with a data folder in it.
pub(crate) struct Site {
    folder: TempDir,
}

impl Site {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// One whose data folder is there, as before the first start of a configured service.
    pub(crate) fn with_data() -> Self {
        let site = Self::new();
        fs::create_dir(site.data()).unwrap();
        site
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The program with this data folder, knowing nothing of the test's environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kyc"));
        command.args(arguments).current_dir(self.folder.path()).env_clear();
        command.env("KYC_DATA", self.data()).stdin(Stdio::null());
        // No test asks the real publishers.
        command.env("KYC_LISTS_UPDATE_HOURS", "0");
        // Tests ask as fast as they can; those of the rates set them.
        for class in ["UPLOADS", "SUBMISSIONS", "READS", "LISTS", "REVIEWS", "REFUSALS"] {
            command.env(format!("KYC_{class}_PER_MINUTE"), "0");
        }
        command
    }

    /// Runs a command to its end.
    pub(crate) fn kyc(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command that works writes to standard output.
    #[track_caller]
    pub(crate) fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.kyc(arguments);
        assert!(output.status.success(), "kyc {arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The JSON that a command writes.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.stdout(arguments)).unwrap()
    }

    /// Checks that a command fails with a code and one sentence, and gives the sentence.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = self.kyc(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "kyc {arguments:?}: {said}");
        said.lines().rfind(|line| line.starts_with("error: ")).unwrap_or_default().to_owned()
    }

    /// Starts the service without configuration, on a port of its own.
    pub(crate) fn develop(&self) -> Running {
        self.serve(&["--listen", "127.0.0.1:0"])
    }

    /// Starts the service and waits until it is ready.
    #[track_caller]
    pub(crate) fn serve(&self, arguments: &[&str]) -> Running {
        self.serve_with::<PathBuf>(arguments, [])
    }

    /// As [`serve`](Self::serve), with variables of the environment.
    #[track_caller]
    pub(crate) fn serve_with<V: AsRef<OsStr>>(
        &self,
        arguments: &[&str],
        variables: impl IntoIterator<Item = (&'static str, V)>,
    ) -> Running {
        let mut command = self.command(&["serve", "--ready-file", "ready.json"]);
        command.args(arguments).envs(variables);
        self.start(command)
    }

    /// Starts the service by a command with `--ready-file ready.json`, and waits until it is ready.
    #[track_caller]
    pub(crate) fn start(&self, mut command: Command) -> Running {
        let ready_file = self.path("ready.json");
        let _ = fs::remove_file(&ready_file);
        command.stdout(File::create(self.path("stdout")).unwrap());
        command.stderr(File::create(self.path("stderr")).unwrap());
        let child = command.spawn().unwrap();
        let mut running =
            Running { child, ready: Value::Null, ca: None, stderr: self.path("stderr") };
        eventually(|| {
            assert_eq!(running.child.try_wait().unwrap(), None, "{}", running.log());
            ready_file.exists()
        });
        running.ready = serde_json::from_slice(&fs::read(&ready_file).unwrap()).unwrap();
        running.ca = running.ready["ca_file"].as_str().map(PathBuf::from);
        running
    }
}

/// The same command for somebody who lets everybody read and write what is theirs.
pub(crate) fn careless(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(command.get_program());
    shell.args(command.get_args()).current_dir(command.get_current_dir().unwrap()).env_clear();
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(Stdio::null());
    shell
}

/// A running service. Dropping it kills it.
pub(crate) struct Running {
    pub(crate) child: Child,
    /// What the ready file says.
    pub(crate) ready: Value,
    /// Whom its clients trust.
    pub(crate) ca: Option<PathBuf>,
    stderr: PathBuf,
}

impl Running {
    /// A client that presents the first key.
    pub(crate) fn client(&self) -> Client {
        self.client_with(self.ready["api_key"].as_str().unwrap())
    }

    pub(crate) fn client_with(&self, key: &str) -> Client {
        Client::new(self, &format!("x-api-key: {key}\r\n"))
    }

    /// A client that presents the first inspector's token.
    pub(crate) fn inspector(&self) -> Client {
        self.inspector_with(self.ready["inspector_token"].as_str().unwrap())
    }

    pub(crate) fn inspector_with(&self, token: &str) -> Client {
        Client::new(self, &format!("authorization: Bearer {token}\r\n"))
    }

    pub(crate) fn address(&self) -> &str {
        self.ready["address"].as_str().unwrap()
    }

    /// Everything on standard error so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.stderr).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn wait_for_log(&self, words: &str) {
        eventually(|| self.log().contains(words));
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// Waits for the end of the process.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let mut status = None;
        eventually(|| {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }

    /// Asks it to stop, and waits.
    #[track_caller]
    pub(crate) fn stop(mut self) {
        self.signal("-TERM");
        assert_eq!(self.end().code(), Some(0), "{}", self.log());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tries again until it holds. The pause only spares the other processes.
#[track_caller]
pub(crate) fn eventually(mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "it never held");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// All bytes of a stream, until it ends.
pub(crate) fn read_all(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
