//! The folders of the data folder: there, writable, and with nothing of others in them.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use kyc_store_sqlite::DocumentFile;

use super::Finding;
use crate::config::Globals;

pub(super) fn findings(globals: &Globals, data: &Path) -> Vec<Finding> {
    let mut findings = vec![writable(data)];
    if is_used(data) {
        findings.extend(PARTS.iter().map(|part| match data.join(part) {
            there if is_folder(&there) => writable(&there),
            gone => missing(globals, &gone),
        }));
    }
    findings.extend(stray(data));
    findings
}

fn is_used(data: &Path) -> bool {
    data.join("kyc.sqlite").exists()
}

/// A link to one is refused when the service starts.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}

fn missing(globals: &Globals, part: &Path) -> Finding {
    let what = format!("there is no folder {}, and uploads fail", part.display());
    let verify = globals.command("verify");
    let next = format!(
        "move away what has its name; then start the service, which makes it, and `{verify}` names what is lost"
    );
    Finding::fail("folders", what, next)
}

fn writable(folder: &Path) -> Finding {
    let path = folder.join(format!("doctor.{}", std::process::id()));
    let write = || -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).open(&path)?.sync_all()?;
        fs::remove_file(&path)
    };
    match write() {
        Ok(()) => Finding::ok("writable", format!("files can be made in {}", folder.display())),
        Err(error) => Finding::fail(
            "writable",
            format!("nothing can be written to {}: {error}", folder.display()),
            "check the permissions and the disk",
        ),
    }
}

/// Files of no document, by their place and name. Those that only lack a row are found by `kyc verify`.
fn stray(data: &Path) -> Option<Finding> {
    let (mut documents, mut others) = (0_u64, 0_u64);
    let mut folders = vec![data.join("documents")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            let name = path.strip_prefix(data).ok().and_then(Path::to_str);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && name.and_then(DocumentFile::of_path).is_some() {
                documents += 1;
            } else {
                others += 1;
            }
        }
    }
    if others == 0 {
        return Some(Finding::ok("documents", format!("{documents} files, and no stray ones")));
    }
    let what = format!("{others} stray files in documents/, which are in no backup");
    Some(Finding::warn("documents", what, "see who put them there, and move them away"))
}

/// The folders that the store needs.
const PARTS: [&str; 2] = ["documents", "tmp"];
