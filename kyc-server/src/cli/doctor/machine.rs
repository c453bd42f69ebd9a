//! The disk, and the limits of processes.

use std::fs;
use std::path::Path;

use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};

use super::Finding;
use crate::config::Settings;

pub(super) fn findings(settings: &Settings) -> Vec<Finding> {
    let mut findings = disk(&settings.data);
    findings.push(descriptors(settings));
    findings.extend(swap());
    findings
}

fn disk(data: &Path) -> Vec<Finding> {
    let room = match statvfs(data) {
        Ok(room) => room,
        Err(error) => {
            return vec![Finding::fail("disk", error.to_string(), "check the path and the disk")];
        }
    };
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    let database = fs::metadata(data.join("kyc.sqlite")).map_or(0, |file| file.len());
    let what = format!("{} MB free, the database has {} MB", free / MB, database / MB);
    let space = if free < FREE_MIN {
        Finding::fail("disk", what, "make room: soon nothing can be stored")
    } else if free < database.saturating_add(GB) {
        Finding::warn("disk", what, "a backup and an upgrade need room for another database")
    } else {
        Finding::ok("disk", what)
    };
    // Some file systems have no fixed number of files.
    if room.f_files == 0 {
        return vec![space];
    }
    let what = format!("{} more files fit on the disk", room.f_favail);
    let files = if room.f_favail < FILES_MIN {
        Finding::fail("files", what, "each document is a file: make room")
    } else {
        Finding::ok("files", what)
    };
    vec![space, files]
}

fn descriptors(settings: &Settings) -> Finding {
    let wanted = u64::try_from(settings.limits.connections_max).unwrap_or(u64::MAX);
    // None is without limit.
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let what = format!("this shell may open {limit} files, and connections_max is {wanted}");
    if limit >= wanted.saturating_add(OTHER_DESCRIPTORS) {
        return Finding::ok("descriptors", what);
    }
    let next = "see that LimitNOFILE of the service is above connections_max";
    Finding::warn("descriptors", what, next)
}

/// What is in memory may be in it. `None` where there is no telling.
fn swap() -> Option<Finding> {
    let swaps = fs::read_to_string("/proc/swaps").ok()?;
    Some(if swaps.lines().count() <= 1 {
        Finding::ok("swap", "there is none")
    } else {
        let next = "encrypt it, or turn it off: parts of the memory may be written there";
        Finding::warn("swap", "the machine has swap", next)
    })
}

const MB: u64 = 1_000_000;
const GB: u64 = 1_000 * MB;
const FREE_MIN: u64 = 200 * MB;
const FILES_MIN: u64 = 1_000;
/// Of the database, files on their way, and the log.
const OTHER_DESCRIPTORS: u64 = 256;
