//! What is changed in a backup is noticed (T24, T12).

use std::fs;
use std::io::Write as _;

use tar::{Builder, EntryType, Header};

use super::{back_up, path, used};
use crate::program::{Site, text};

/// What a restore of these bytes says; it has to refuse them with a code, and leave nothing.
#[track_caller]
fn refused(site: &Site, bytes: &[u8], code: i32) -> String {
    fs::write(site.path("bad.tar"), bytes).unwrap();
    let restore = ["restore", "--from", &path(site, "bad.tar"), "--data", "new"];
    let output = site.kyc(&restore);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!site.path("new").exists() && !site.path("new.restoring").exists(), "{said}");
    said
}

#[test]
fn t24_a_backup_that_was_cut_off_or_changed_is_refused() {
    let site = used();
    back_up(&site, "kyc.tar");
    let whole = fs::read(site.path("kyc.tar")).unwrap();
    let step = whole.len() / 16;
    for cut in
        (0..whole.len()).step_by(step).chain([1, 511, 512, whole.len() - 1, whole.len() - 512])
    {
        refused(&site, &whole[..cut], 4);
    }
    refused(&site, &[&whole[..], &[0]].concat(), 4);
    for at in (0..whole.len()).step_by(step).chain([0, 100, 130, 156, 300, 511, whole.len() - 1]) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        refused(&site, &changed, 4);
    }
}

/// A tar with one member of this kind and name.
fn hostile(name: &str, kind: EntryType, content: &[u8]) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o600);
    header.set_size(content.len() as u64);
    if kind.is_symlink() || kind.is_hard_link() {
        header.set_link_name("/etc/passwd").unwrap();
    }
    header.set_cksum();
    let mut builder = Builder::new(Vec::new());
    builder.append(&header, content).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn t12_a_hostile_backup_leads_nowhere() {
    let site = used();
    back_up(&site, "kyc.tar");
    let outside = site.path("outside");
    for name in ["../outside", "/tmp/../outside", "kyc.sqlite/../../outside", "lists/../../outside"]
    {
        refused(&site, &hostile(name, EntryType::Regular, b"bytes"), 4);
    }
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Directory, EntryType::Fifo] {
        refused(&site, &hostile("kyc.sqlite", kind, b""), 4);
    }
    assert!(!outside.exists());
    // It says that it is large, and is not.
    let mut bomb = hostile("kyc.sqlite", EntryType::Regular, b"x");
    let mut header = Header::from_byte_slice(&bomb[..512]).clone();
    header.set_size(u64::MAX / 2);
    header.set_cksum();
    bomb[..512].copy_from_slice(header.as_bytes());
    refused(&site, &bomb, 4);
    // No database at all.
    refused(&site, b"", 4);
    refused(&site, &vec![0; 4_096], 4);
    let whole = fs::read(site.path("kyc.tar")).unwrap();
    // A second database behind the first one.
    let database = Header::from_byte_slice(&whole[..512]).entry_size().unwrap();
    let database = 512 + usize::try_from(database).unwrap();
    let mut twice = whole[..database].to_vec();
    twice.write_all(&whole).unwrap();
    assert!(refused(&site, &twice, 4).contains("does not belong"));
}
