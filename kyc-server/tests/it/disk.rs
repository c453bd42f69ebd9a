//! A disk that is full (T27): 500, nothing acknowledged, and all well again with more space.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::client::Client;
use crate::fixture::{Applicant, try_upload, upload};
use crate::program::{Site, text};

/// A file system of a few megabytes, until it is dropped.
pub(crate) struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    /// `None` where this process may not mount.
    pub(crate) fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs"])
            .arg(&at)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { at })
    }

    /// Takes all space that is left, and says how it can be given back.
    fn fill(&self) -> PathBuf {
        let path = self.at.join("filler");
        let mut filler = File::create(&path).unwrap();
        for size in [65_536, 4_096, 512, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}

fn listed(client: &Client) -> usize {
    client.get("/v2/submissions/resultall").ok()["data"].as_array().unwrap().len()
}

/// How many files there are in the folder of documents.
pub(crate) fn documents(data: &Path) -> usize {
    let found = Command::new("find").arg(data.join("documents")).args(["-type", "f"]).output();
    text(&found.unwrap().stdout).lines().count()
}

#[test]
fn t27_a_full_disk_acknowledges_nothing_and_recovers_without_a_restart() {
    let site = Site::new();
    let Some(disk) = SmallDisk::mount(site.data()) else {
        eprintln!("this process may not mount: a full disk was not tried");
        return;
    };
    let service = site.develop();
    let client = service.client();
    let photo_id = upload(&client, "passport", "before");
    let selfie = upload(&client, "selfie", "before");
    let submit = |number: usize| {
        let email = format!("mira{number}@example.org");
        let applicant = Applicant { email, ..Applicant::named("Mira", "Kole") };
        client.post_form("/v2/submissions", &applicant.form(&photo_id, &selfie))
    };
    submit(0).ok();
    let stored = documents(&site.data());

    let filler = disk.fill();
    let image = crate::fixture::image(&"x".repeat(100_000));
    let refused = try_upload(&client, "selfie", &image).unwrap();
    assert_eq!(
        (refused.status, refused.json()["message"].as_str()),
        (500, Some("Other 500 Error"))
    );
    assert_eq!(documents(&site.data()), stored);
    // A page that the log has room for may still be written; it is full soon.
    let mut acknowledged = 1;
    let refused = (1..2_000).map(submit).find(|answer| {
        acknowledged += usize::from(answer.status == 200);
        answer.status != 200
    });
    assert_eq!(refused.expect("the disk is full").status, 500);
    assert_eq!(listed(&client), acknowledged);
    service.wait_for_log("a request failed");

    fs::remove_file(filler).unwrap();
    try_upload(&client, "selfie", &image).unwrap().ok();
    submit(9_999).ok();
    assert_eq!(listed(&client), acknowledged + 1);
    service.stop();
    drop(disk);
}
