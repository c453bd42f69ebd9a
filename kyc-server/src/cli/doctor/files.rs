//! Who may read what (T6, T34).

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Finding;
use crate::config::{Doors, Globals, Settings, Start};
use crate::exit::Failure;

pub(super) fn findings(settings: &Settings) -> Vec<Finding> {
    let data = &settings.data;
    let owner = fs::metadata(data).map(|folder| folder.uid());
    let own = rustix::process::geteuid().as_raw();
    let mut findings: Vec<Finding> =
        private_parts(settings).iter().filter_map(|path| mode(path)).collect();
    findings.push(match owner {
        Ok(owner) if owner == own => Finding::ok("owner", "the data folder is this user's"),
        Ok(owner) => Finding::warn(
            "owner",
            format!("the data folder is of the user {owner}, and this is {own}"),
            "run the commands as the user of the service",
        ),
        Err(error) => {
            Finding::fail("owner", format!("{}: {error}", data.display()), "check the path")
        }
    });
    findings
}

/// The parts of a next master key beside the current one.
pub(super) fn waiting_keys(globals: &Globals, data: &Path) -> Result<Vec<Finding>, Failure> {
    let rotate = globals.command("key rotate --master");
    let finding = |path: &PathBuf| {
        let what = format!("{} waits to be the master key, or a share of it", path.display());
        let next = format!(
            "keep it: it is in use if it cannot be moved to its place, and else of a rotation that was \
             cut short, which `{rotate}` does anew"
        );
        Finding::warn("master key", what, next)
    };
    Ok(globals.vault(data)?.waiting().iter().map(finding).collect())
}

/// What nobody but its owner may read, as far as it is there.
fn private_parts(settings: &Settings) -> Vec<PathBuf> {
    let data = &settings.data;
    let names = [
        "",
        "pepper",
        "master.key",
        "sealed",
        "kyc.sqlite",
        "kyc.sqlite-wal",
        "kyc.sqlite-shm",
        "documents",
        "tmp",
        "backup",
        "tls/ca.key",
        "tls/server.pem",
    ];
    let mut parts: Vec<PathBuf> = names.iter().map(|name| data.join(name)).collect();
    if let Start::Configured(Doors::Tls(tls) | Doors::Both(tls, _)) = &settings.start {
        parts.push(tls.files.key.clone());
    }
    if let Some(backups) = &settings.backups {
        parts.push(backups.shelf.folder().to_owned());
    }
    parts
}

/// `None` where there is no such file.
fn mode(path: &Path) -> Option<Finding> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            let what = format!("{}: {error}", path.display());
            return Some(Finding::fail("mode", what, "run this as the user of the service"));
        }
    };
    let mode = metadata.mode() & 0o777;
    let path = path.display();
    let others = mode & 0o077;
    if others == 0 {
        return Some(Finding::ok("mode", format!("{path} is its owner's alone ({mode:o})")));
    }
    let private = if metadata.is_dir() { "700" } else { "600" };
    let what = format!("{path} is open to others ({mode:o})");
    Some(Finding::fail("mode", what, format!("chmod {private} {path}")))
}
