//! A disk that is full at every write in turn (T27, G3): 500, nothing acknowledged is lost, and all
//! well again with more space, without a restart.
//!
//! `KYC_FULL_DISKS` says at how many writes, 40 unless it is set.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use crate::load::{Acknowledged, Load, Stopped, check, check_rows};
use crate::program::{Site, text};

/// A file system of its own, until it is dropped.
pub(crate) struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    /// Of so many MiB. `None` where this process may not mount.
    pub(crate) fn mount(at: PathBuf, mebibytes: u64) -> Option<Self> {
        std::fs::create_dir(&at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m,mode=700"), "tmpfs"])
            .arg(&at)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { at })
    }

    /// Leaves room for so many pages.
    pub(crate) fn leave(&self, pages: u64) {
        let mut filler = self.filler();
        for size in [1 << 20, PAGE_BYTES] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
        let full = filler.metadata().unwrap().len() / PAGE_BYTES as u64;
        filler.set_len((full - pages) * PAGE_BYTES as u64).unwrap();
    }

    /// Makes room for so many bytes more.
    fn give_back(&self, bytes: u64) {
        let filler = self.filler();
        let length = filler.metadata().unwrap().len();
        filler.set_len(length.saturating_sub(bytes)).unwrap();
    }

    fn filler(&self) -> File {
        OpenOptions::new().append(true).create(true).open(self.at.join("filler")).unwrap()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}

/// How many files there are in the folder of documents.
pub(crate) fn documents(data: &Path) -> usize {
    let found = Command::new("find").arg(data.join("documents")).args(["-type", "f"]).output();
    text(&found.unwrap().stdout).lines().count()
}

#[test]
fn t27_a_full_disk_acknowledges_nothing_and_recovers_without_a_restart() {
    let disks: u64 = std::env::var("KYC_FULL_DISKS").map_or(40, |count| count.parse().unwrap());
    let site = Site::new();
    // What is stored between the times that it is full has to have room, too.
    let Some(disk) = SmallDisk::mount(site.data(), 256 + disks) else {
        return try_with_a_name_space_of_its_own();
    };
    let service = site.develop();
    let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));
    let load = |number| Load {
        client: service.client(),
        inspector: service.inspector(),
        number,
        acknowledged: Arc::clone(&acknowledged),
        done: Arc::new(AtomicUsize::new(0)),
    };
    let mut failed = 0;
    for number in 0..disks {
        let pages = number % PAGES_MAX;
        disk.leave(pages);
        let load = load(usize::try_from(number).unwrap());
        // Enough for the disk to get full, unless the log begins anew just then.
        let stopped = (0..ROUNDS_MAX).find_map(|round| load.round(round).err());
        match stopped {
            Some(Stopped::Refused(answer)) => {
                assert_eq!(answer.status, 500);
                assert_eq!(answer.json()["message"], "Other 500 Error");
                failed += 1;
            }
            Some(Stopped::Gone) => panic!("the service is gone"),
            None => (),
        }
        disk.give_back(4 << 20);
        let unfinished = std::fs::read_dir(site.data().join("tmp")).unwrap().count();
        assert_eq!(unfinished, 0, "nothing is left over");
        let again = load.round(ROUNDS_MAX);
        assert!(again.is_ok(), "with space everything works again");
    }
    assert!(failed * 10 > disks * 9, "the disk was full {failed} times of {disks}");
    service.wait_for_log("a request failed");
    disk.give_back(u64::MAX);
    check(&service.client(), &service.inspector(), &acknowledged.lock().unwrap());
    service.stop();
    check_rows(&site.data());
    drop(disk);
}

/// Runs this test where a user without rights may mount; says plainly where nobody may.
fn try_with_a_name_space_of_its_own() {
    let test = "disk::t27_a_full_disk_acknowledges_nothing_and_recovers_without_a_restart";
    let here = "KYC_MAY_MOUNT";
    let is_inside = std::env::var_os(here).is_some();
    let may =
        || Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|it| it.success());
    if is_inside || !may() {
        eprintln!("NOT TRIED: this process may not mount, so no disk was full");
        return;
    }
    let mut again = Command::new("unshare");
    again.arg("-rm").arg(std::env::current_exe().unwrap()).args(["--exact", test, "--nocapture"]);
    assert!(again.env(here, "1").status().unwrap().success());
}

const PAGE_BYTES: usize = 4_096;
const ROUNDS_MAX: usize = 40;
/// A round takes some thirty pages, so the disk is full at each write of the first two.
const PAGES_MAX: u64 = 60;
