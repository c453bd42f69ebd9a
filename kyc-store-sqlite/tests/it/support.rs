use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use kyc_core::conformance::fixture::{form, handle, submission, valid};
use kyc_core::{Document, DocumentKind, FileFormat, Form, Lookup, Submission};
use kyc_store_sqlite::{Options, SqliteStore};
use kyc_vault::Source;
use rusqlite::Connection;
use tempfile::TempDir;

/// A folder in memory where the system has one, for what is not about the disk.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.unwrap()
}

pub(crate) fn open(folder: &TempDir) -> SqliteStore {
    SqliteStore::open(folder.path(), Options::default()).unwrap()
}

/// Every file in a folder and below.
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let (folders, mut found): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    found.extend(folders.iter().flat_map(|folder| files(folder)));
    found
}

/// Opens a store that is sealed.
pub(crate) fn open_sealed(folder: &TempDir) -> SqliteStore {
    SqliteStore::open(folder.path(), sealed(folder)).unwrap()
}

/// Options with a vault whose key lies in the folder.
pub(crate) fn sealed(folder: &TempDir) -> Options {
    Options::default().with_vault(Source::file(folder.path().join("master.key")))
}

/// The database, as somebody else opens it.
pub(crate) fn database(folder: &TempDir) -> Connection {
    let database = Connection::open(folder.path().join("kyc.sqlite")).unwrap();
    database.busy_timeout(Duration::from_secs(5)).unwrap();
    database
}

/// A submission under another address.
pub(crate) fn submission_of(number: u32, email: &str) -> Submission {
    submission(number, Form { email: valid(email), ..form() })
}

/// The document with that number.
pub(crate) fn document(number: u32, bytes: &[u8]) -> Document {
    Document {
        handle: handle(DocumentKind::Passport, number),
        created_at: kyc_core::conformance::fixture::time(number),
        format: FileFormat::Jpeg,
        size_bytes: u32::try_from(bytes.len()).unwrap(),
    }
}

pub(crate) fn by_id(submission: &Submission) -> Lookup<'static> {
    Lookup { id: Some(submission.id()), ..Lookup::default() }
}

/// Waits until something has happened in the background.
#[track_caller]
pub(crate) fn wait_until(what: &str, has_happened: impl Fn() -> bool) {
    let started = Instant::now();
    while !has_happened() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// The folder that a test works in when it runs as a process of its own.
const CHILD: &str = "KYC_STORE_TEST_FOLDER";

/// The folder given by [`child`]; `None` where the test runs by itself.
pub(crate) fn folder_of_child() -> Option<PathBuf> {
    env::var_os(CHILD).map(Into::into)
}

/// Runs the test of that name as a process of its own. What it prints is read line by line.
pub(crate) fn child(test: &str, folder: &Path) -> (Child, BufReader<ChildStdout>) {
    // A file that grows beyond a limit is an error, not the end of the process.
    let script = "trap '' XFSZ; exec \"$0\" --exact \"$1\" --nocapture --test-threads=1";
    let mut child = Command::new("sh")
        .args(["-c", script])
        .arg(env::current_exe().unwrap())
        .arg(test)
        .env(CHILD, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// The next line of a child that begins with a word; the rest of it.
pub(crate) fn line(output: &mut impl BufRead, word: &str) -> Option<String> {
    let mut line = String::new();
    loop {
        line.clear();
        if output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        if let Some(rest) = line.strip_suffix('\n').and_then(|line| line.strip_prefix(word)) {
            return Some(rest.trim().to_owned());
        }
    }
}
